"""Dates as readers see them."""

from datetime import UTC, datetime

import pytest
from django.utils.formats import date_format
from django.utils.translation import override


@pytest.mark.parametrize(
    ("how", "written"),
    [
        ("DATE_FORMAT", "3 March 2026"),
        ("SHORT_DATE_FORMAT", "3 Mar 2026"),
        ("DATETIME_FORMAT", "3 March 2026, 14:05"),
        ("SHORT_DATETIME_FORMAT", "3 Mar 2026, 14:05"),
    ],
)
def test_english_dates_name_the_month_so_that_nobody_takes_it_for_the_day(how: str, written: str) -> None:
    with override("en"):
        assert date_format(datetime(2026, 3, 3, 14, 5, tzinfo=UTC), how) == written
