"""What the audit keeps of a row is shown in words of the reader's language."""

from django.utils import timezone
from django.utils.translation import override

from league.web.organiser.deed_details import details


def test_fields_are_named_as_their_model_names_them_and_choices_are_said() -> None:
    kept = {"visibility": "draft", "allow_short_tables": False, "target": None, "table_entries": 2}
    with override("en"):
        assert details("championship", kept) == [
            ("visibility", "draft: its organisers only"),
            ("tables with one entry less", "no"),
            ("target of a manche (km)", "–"),
            ("entries at a table", "2"),
        ]


def test_ranking_keys_are_said_by_name() -> None:
    kept = {"primary": "match_points", "tie_breaks": ["km", "draw"], "scale": []}
    with override("fr"):
        assert details("championship", kept) == [
            ("critère principal", "points de match"),
            ("départages", "kilomètres, tirage au sort"),
            ("barème par place", "–"),
        ]


def test_a_moment_is_written_as_the_language_writes_it() -> None:
    with override("fr"):
        assert details("entry", {"withdrawn_at": "2026-03-01T10:00:00+00:00"}) == [("retiré", "01/03/2026 10:00")]


def test_a_moment_is_written_in_the_time_of_whoever_reads() -> None:
    with override("fr"), timezone.override("Pacific/Auckland"):
        assert details("entry", {"withdrawn_at": "2026-03-01T12:00:00+00:00"}) == [("retiré", "02/03/2026 01:00")]


def test_what_is_no_field_of_the_row_is_named_too_and_the_unknown_is_shown_as_it_is_kept() -> None:
    kept = {"entries": [1, 2], "house": {"capot": 300}, "something": True}
    with override("en"):
        assert details("partie", {"entries": [1, 2]}) == [("entries", "1, 2")]
        assert details("championship", kept)[1:] == [("house rules", "capot: 300"), ("something", "yes")]
    assert details("nothing", None) == []
