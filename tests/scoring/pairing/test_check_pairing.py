"""What an organiser is told who changes a round by hand."""

from scoring.pairing import Contender, check_pairing, meetings


def field(entries: int, **each: list[int]) -> list[Contender]:
    return [
        Contender(n, place=n, club="A" if n in (1, 2) else None, byes=each["byes"][n - 1] if each else 0)
        for n in range(1, entries + 1)
    ]


def told(
    tables: list[tuple[int, ...]],
    byes: list[int],
    contenders: list[Contender],
    *,
    met: dict[frozenset[int], int] | None = None,
    table: int = 2,
    short_tables: bool = False,
    apart_by_club: bool = False,
) -> list[tuple[str, tuple[int, ...], int | None, int]]:
    found = check_pairing(
        tables, byes, contenders, met or {}, table=table, short_tables=short_tables, apart_by_club=apart_by_club
    )
    return [(one.code, one.numbers, one.table, one.times) for one in found]


def test_a_round_as_it_should_be_is_not_remarked_on() -> None:
    assert told([(1, 3), (2, 4)], [5], field(5)) == []


def test_a_repeated_meeting_is_told_with_its_table_and_how_often_it_was() -> None:
    met = meetings([(2, 4), (4, 2)])
    assert told([(1, 3), (2, 4)], [], field(4), met=met) == [("repeat", (2, 4), 1, 2)]


def test_every_repeated_pair_of_a_table_of_three_is_told() -> None:
    met = meetings([(1, 2, 3)])
    found = told([(1, 2, 3)], [], field(3), met=met, table=3)
    assert [one[1] for one in found] == [(1, 2), (1, 3), (2, 3)]


def test_clubmates_are_told_only_where_they_are_to_be_kept_apart() -> None:
    assert told([(1, 2), (3, 4)], [], field(4)) == []
    assert told([(1, 2), (3, 4)], [], field(4), apart_by_club=True) == [("clubmates", (1, 2), 0, 0)]


def test_a_second_bye_is_told_while_another_who_plays_had_fewer() -> None:
    assert told([(1, 2)], [3], field(3, byes=[0, 1, 1])) == [("second-bye", (3,), None, 1)]
    assert told([(1, 2)], [3], field(3, byes=[1, 1, 1])) == []


def test_more_byes_than_needed_are_told() -> None:
    assert told([(1, 2)], [3, 4], field(4)) == [("extra-bye", (3, 4), None, 2)]


def test_a_short_table_is_told_where_it_is_not_allowed() -> None:
    tables = [(1, 2, 3), (4, 5)]
    assert told(tables, [], field(5), table=3) == [("short-table", (4, 5), 1, 0)]
    assert told(tables, [], field(5), table=3, short_tables=True) == []


def test_what_cannot_be_played_is_a_fault() -> None:
    found = check_pairing([(1, 2), (2, 9), (3,)], [], field(4), {}, table=2)
    assert [(one.code, one.numbers) for one in found] == [
        ("twice", (2,)),
        ("unknown", (9,)),
        ("missing", (4,)),
        ("table-size", (3,)),
    ]
    assert all(one.is_fault for one in found)


def test_warnings_are_no_faults() -> None:
    found = check_pairing([(1, 2)], [3, 4], field(4), meetings([(1, 2)]), table=2, apart_by_club=True)
    assert {one.code for one in found} == {"repeat", "clubmates", "extra-bye"}
    assert not any(one.is_fault for one in found)
