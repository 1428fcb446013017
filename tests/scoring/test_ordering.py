"""STANDINGS 3: the order of the rows, who is listed where, and why each stands above the next."""

import hashlib
from typing import Any

from scoring.standings import explain
from tests.scoring.ranking_documents import Document, bye, document, partie, ranks, rows


def whys(of: Document) -> dict[int, Any]:
    """By entry, the why of its row."""
    explained: Any = explain(of)["rows"]
    return {row["entry"]: row["why"] for row in explained}


def beats(winner: int, loser: int) -> Document:
    return partie({winner: 900, loser: 300})


def level(one: int, other: int) -> Document:
    return partie({one: 500, other: 500})


# ranks and lists


def test_entries_level_in_all_keys_share_a_rank_and_the_next_one_counts_them() -> None:
    of = document(4, beats(1, 4), level(2, 3), byes=[])
    assert ranks(of) == [(1, 1), (2, 2), (2, 3), (4, 4)]
    assert [row["above_next_by"] for row in rows(of)] == ["match_points", "level", "match_points", None]


def test_level_entries_are_listed_by_folded_name_then_number() -> None:
    names = ["Zoé", "émile", "Eloi", "Ångström", "ELOI", "Œuf", "angstrom"]
    of = document([{"number": number, "name": name} for number, name in enumerate(names, start=1)])
    listed = [names[entry - 1] for _, entry in ranks(of)]
    assert listed == ["Ångström", "angstrom", "Eloi", "ELOI", "émile", "Zoé", "Œuf"]


def test_marks_of_every_kind_are_dropped_from_names() -> None:
    names = ["a\u20dd2", "a1", "a\u09033", "\ufb014"]
    of = document([{"number": number, "name": name} for number, name in enumerate(names, start=1)])
    assert [entry for _, entry in ranks(of)] == [2, 1, 3, 4]


def test_null_sorts_last_below_a_negative_value() -> None:
    entries = [{"number": 1, "name": "A"}, {"number": 2, "name": "B", "penalty": 50}, {"number": 3, "name": "C"}]
    of = document(entries, beats(3, 2), primary="mean_match_points")
    assert ranks(of) == [(1, 3), (2, 2), (3, 1)]


def test_no_entries_no_rows() -> None:
    assert rows(document(0)) == []


def test_the_withdrawn_are_listed_last_without_a_rank_by_primary_key_then_name_then_number() -> None:
    entries = [{"number": number, "name": name, "withdrawn": True} for number, name in ((1, "B"), (2, "a"), (3, "A"))]
    of = document([*entries, {"number": 4, "name": "D"}, {"number": 5, "name": "C"}], beats(1, 4), byes=[bye(5)])
    assert ranks(of) == [(1, 5), (2, 4), (None, 1), (None, 2), (None, 3)]
    assert [row["above_next_by"] for row in rows(of)] == ["match_points", None, None, None, None]


def test_a_withdrawn_entry_is_in_no_group_of_level_entries() -> None:
    entries = [{"number": n, "name": f"E{n}"} for n in (1, 2)] + [{"number": 3, "name": "E3", "withdrawn": True}]
    # 1, 2 and 3 have 2 each; only 1 and 2 met, which is enough once 3 is out
    of = document(entries, beats(2, 1), byes=[bye(1), bye(3)], tie_breaks=["direct_encounter"])
    assert ranks(of) == [(1, 2), (2, 1), (None, 3)]


def test_under_the_minimum_by_most_manches_then_name_then_number_above_the_withdrawn() -> None:
    entries = [{"number": number, "name": name} for number, name in enumerate("ADCBBZ", start=1)]
    entries[5]["withdrawn"] = True
    of = document(
        entries,
        partie({1: 100, 2: 0}, {1: 100, 2: 0}, {1: 0, 2: 100}),
        partie({3: 900, 4: 0}),
        partie({5: 500, 6: 900}),
        primary="mean_points",
        minimum=2,
    )
    assert ranks(of) == [(1, 1), (2, 2), (None, 4), (None, 5), (None, 3), (None, 6)]
    of = document(entries, partie({3: 900, 4: 0}, {3: 9, 4: 0}), beats(5, 1), primary="mean_points", minimum=3)
    assert ranks(of) == [(None, 4), (None, 3), (None, 1), (None, 5), (None, 2), (None, 6)]


def test_the_minimum_itself_is_enough() -> None:
    of = document(2, partie({1: 100, 2: 0}, {1: 100, 2: 0}), primary="mean_points", minimum=2)
    assert ranks(of) == [(1, 1), (2, 2)]


def test_a_minimum_and_a_number_of_best_parties_have_no_effect_on_other_keys() -> None:
    of = document(3, beats(1, 2), beats(1, 2))
    assert rows(of | {"minimum": 5, "best_n": 1}) == rows(of)


# direct_encounter


def test_of_two_level_entries_who_met_the_winner_of_their_partie_stands_above() -> None:
    of = document(3, beats(2, 1), beats(1, 3), tie_breaks=["direct_encounter"])
    assert ranks(of) == [(1, 2), (2, 1), (3, 3)]
    assert whys(of)[2] == {
        "code": "separated",
        "key": "direct_encounter",
        "upper": "2",
        "lower": "0",
        "group": [1, 2],
        "passed": [{"code": "level", "key": "match_points", "value": "2"}],
    }


def test_several_encounters_of_a_pair_are_averaged() -> None:
    of = document(2, beats(1, 2), beats(1, 2), level(1, 2), tie_breaks=["direct_encounter"], primary="manches_won")
    of["entries"][0]["penalty"] = 2
    assert whys(of)[1] == {
        "code": "separated",
        "key": "direct_encounter",
        "upper": "5/3",
        "lower": "1/3",
        "group": [1, 2],
        "passed": [{"code": "level", "key": "manches_won", "value": "0"}],
    }


def test_encounters_where_one_forfeited_or_nothing_was_played_are_none() -> None:
    of = document(
        3,
        partie({1: 900, 2: 300, 3: 100}, forfeits=[2]),
        partie({1: 300, 2: 900, 3: 100}, forfeits=[1]),
        partie(entries=[1, 2, 3], forfeits=[3]),
        partie({1: 900, 2: 300, 3: 100}, status="void"),
        partie({1: 900, 2: 300, 3: 100}, status="open"),
        table=3,
        tie_breaks=["direct_encounter"],
    )
    assert ranks(of) == [(1, 1), (1, 2), (3, 3)]
    assert whys(of)[1] == {
        "code": "level",
        "passed": [
            {"code": "level", "key": "match_points", "value": "7"},
            {"code": "never-met", "key": "direct_encounter", "pair": [1, 2]},
        ],
    }


def test_it_is_passed_over_where_two_of_the_group_never_met() -> None:
    of = document(3, beats(1, 2), beats(2, 3), byes=[bye(3)], tie_breaks=["direct_encounter", "draw"], secret="noix")
    assert [row["above_next_by"] for row in rows(of)] == ["draw", "draw", None]
    for why in [why for why in whys(of).values() if why]:
        assert why["passed"] == [
            {"code": "level", "key": "match_points", "value": "2"},
            {"code": "never-met", "key": "direct_encounter", "pair": [1, 3], "among": 3},
        ]


def test_a_circle_is_level_and_the_next_key_follows() -> None:
    circle = beats(1, 2), beats(2, 3), partie({3: 2000, 1: 0})
    of = document(3, *circle, tie_breaks=["direct_encounter", "total_points"])
    assert ranks(of) == [(1, 3), (2, 2), (3, 1)]
    assert whys(of)[3] == {
        "code": "separated",
        "key": "total_points",
        "upper": "2300",
        "lower": "1200",
        "passed": [
            {"code": "level", "key": "match_points", "value": "2"},
            {"code": "level", "key": "direct_encounter", "value": "2", "group": [1, 2, 3]},
        ],
    }


def test_a_part_that_it_makes_is_treated_with_it_again_by_itself() -> None:
    parties = beats(1, 3), beats(1, 4), beats(2, 1), beats(3, 2), beats(2, 4), level(3, 4)
    # among all: 1 has 4, 2 has 4, 3 has 3, 4 has 1; then 2 before 1, since it beat it
    of = document(4, *parties, tie_breaks=["direct_encounter"], primary="best_n", best_n=1)
    for entry in of["entries"]:
        entry["penalty"] = 500 if entry["number"] == 4 else 900
    assert ranks(of) == [(1, 2), (2, 1), (3, 3), (4, 4)]
    assert [(why["upper"], why["lower"], why["group"]) for why in (whys(of)[2], whys(of)[1], whys(of)[3])] == [
        ("2", "0", [1, 2]),
        ("4", "3", [1, 2, 3, 4]),
        ("3", "1", [1, 2, 3, 4]),
    ]


def test_there_is_no_return_to_it_once_the_next_key_has_split() -> None:
    circle = partie({1: 500, 2: 300}), partie({2: 700, 3: 300}), partie({3: 500, 1: 300})
    # level among 1, 2, 3; total points then leave 1 and 3 level (800), and 3 beat 1, which is no longer asked
    of = document(3, *circle, tie_breaks=["direct_encounter", "total_points"])
    assert ranks(of) == [(1, 2), (2, 1), (2, 3)]
    assert [key["key"] for key in whys(of)[1]["passed"]] == ["match_points", "direct_encounter", "total_points"]


def test_it_comes_after_another_key_and_then_is_about_the_entries_level_there() -> None:
    of = document(3, beats(1, 2), beats(2, 3), beats(3, 1), tie_breaks=["total_points", "direct_encounter"])
    of["parties"][1]["manches"][0]["points"]["2"] = 2000
    # total points: 2 has 2300, 1 and 3 have 1200 each, and 3 beat 1
    assert ranks(of) == [(1, 2), (2, 3), (3, 1)]
    assert whys(of)[3]["group"] == [1, 3]


def test_at_tables_of_four_every_pair_meets() -> None:
    of = document(4, partie({1: 9, 2: 6, 3: 6, 4: 0}), table=4, primary="manches_won", tie_breaks=["direct_encounter"])
    of["entries"][0]["penalty"] = 1
    assert ranks(of) == [(1, 1), (2, 2), (2, 3), (4, 4)]
    assert whys(of)[1] == {
        "code": "separated",
        "key": "direct_encounter",
        "upper": "6",
        "lower": "3",
        "group": [1, 2, 3, 4],
        "passed": [{"code": "level", "key": "manches_won", "value": "0"}],
    }
    assert whys(of)[2]["passed"][1] == {"code": "level", "key": "direct_encounter", "value": "1", "group": [2, 3]}


# draw


def test_the_draw_takes_the_lowest_digest_first_and_leaves_nobody_level() -> None:
    of = document(20, tie_breaks=["draw"], secret="noix")
    expected = sorted(range(1, 21), key=lambda number: hashlib.sha256(b"noix:%d" % number).hexdigest())
    assert ranks(of) == list(enumerate(expected, start=1))
    assert [row["above_next_by"] for row in rows(of)] == ["draw"] * 19 + [None]


def test_the_draw_shows_both_digests() -> None:
    of = document(2, tie_breaks=["draw"], secret="noix")
    first, second = (entry for _, entry in ranks(of))
    assert whys(of)[first] == {
        "code": "separated",
        "key": "draw",
        "upper": hashlib.sha256(b"noix:%d" % first).hexdigest(),
        "lower": hashlib.sha256(b"noix:%d" % second).hexdigest(),
        "passed": [{"code": "level", "key": "match_points", "value": "0"}],
    }


# values and whys


def test_the_values_leave_out_direct_encounter_and_draw() -> None:
    keys = ["direct_encounter", "km", "draw", "buchholz"]
    (row,) = rows(document(1, tie_breaks=keys, secret="noix"))
    assert list(row["values"]) == ["match_points", "km", "buchholz"]


def test_rows_that_share_a_rank_have_every_key_passed_over() -> None:
    of = document(2, level(1, 2), tie_breaks=["direct_encounter", "manche_share", "mean_difference"])
    assert whys(of) == {
        1: {
            "code": "level",
            "passed": [
                {"code": "level", "key": "match_points", "value": "1"},
                {"code": "level", "key": "direct_encounter", "value": "1", "group": [1, 2]},
                {"code": "level", "key": "manche_share", "value": "0"},
                {"code": "level", "key": "mean_difference", "value": "0"},
            ],
        },
        2: None,
    }


def test_an_explained_row_says_why_an_entry_has_no_rank() -> None:
    entries = [{"number": 1, "name": "A", "withdrawn": True}, {"number": 2, "name": "B"}, {"number": 3, "name": "C"}]
    of = document(entries, partie({1: 9, 3: 3}, {1: 9, 3: 3}), primary="mean_points", minimum=1)
    explained: Any = explain(of)["rows"]
    assert [(row["name"], row["standing"], row["manches"]) for row in explained] == [
        ("C", "ranked", 2),
        ("B", "under-minimum", 0),
        ("A", "withdrawn", 2),
    ]
