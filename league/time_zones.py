"""The time zones that there are."""

import zoneinfo
from functools import cache


@cache
def known_time_zones() -> frozenset[str]:
    """Every name of the tz database. Kept: it is read from hundreds of files (tens of milliseconds)."""
    return frozenset(zoneinfo.available_timezones())
