"""RULES 8, line by line: who earns what at the end of a manche."""

from dataclasses import replace

import pytest

from engine.outcome import Outcome, TeamOutcome
from engine.rulebooks import HOUSE_KEYS, RULEBOOKS, Rulebook
from scoring.points import LINES, score

CLASSIQUE, MODERNE, FOURNIER, DUJARDIN = RULEBOOKS.values()
ALL_FOUR = ("AS", "CI", "IN", "VP")


def team(km: int = 0, bottes: tuple[str, ...] = (), coups: tuple[str, ...] = (), n200: int = 1) -> TeamOutcome:
    return TeamOutcome(km=km, n200=n200, bottes=bottes, coups_fourres=coups)


def outcome(
    *teams: TeamOutcome,
    end: str = "target",
    winner: str | None = "A",
    couronnement: bool = False,
    extension: str | None = None,
) -> Outcome:
    return Outcome(end, winner, couronnement, extension, dict(zip("ABCD", teams, strict=False)))


def lines(result: Outcome, rulebook: Rulebook) -> dict[str, dict[str, int]]:
    scores = score(result, rulebook)
    assert scores is not None
    assert all(team["total"] == sum(team["lines"].values()) for team in scores.values())
    return {label: team["lines"] for label, team in scores.items()}


def test_every_line_at_once_stands_in_the_order_of_the_table() -> None:
    table = replace(CLASSIQUE, rallonge=200)
    whole = outcome(team(1000, ALL_FOUR, ("AS", "VP"), n200=0), team(0), couronnement=True, extension="A")
    scores = score(whole, table)
    assert scores is not None
    assert list(scores["A"]["lines"].items()) == [
        ("km", 1000),
        ("bottes", 400),
        ("quatre-bottes", 300),
        ("coups-fourres", 600),
        ("victoire", 400),
        ("couronnement", 300),
        ("sans-200", 300),
        ("capot", 500),
        ("rallonge", 200),
    ]
    assert scores["A"]["total"] == 4000
    assert scores["B"] == {"lines": {}, "total": 0}
    assert [line.code for line in LINES] == list(scores["A"]["lines"])


def test_a_line_worth_nothing_is_left_out() -> None:
    nothing = CLASSIQUE.with_house(
        dict.fromkeys(("botte", "quatre_bottes", "coup_fourre", "victoire", "couronnement", "sans_200", "capot"), 0)
    )
    whole = outcome(team(1000, ALL_FOUR, ("AS",), n200=0), team(0), couronnement=True)
    assert lines(whole, nothing) == {"A": {"km": 1000}, "B": {}}


def test_moderne_has_no_points() -> None:
    assert score(outcome(team(1000), team(500)), MODERNE) is None


def test_dujardin_pays_neither_four_bottes_nor_a_couronnement_and_less_for_no_200() -> None:
    whole = outcome(team(1000, ALL_FOUR, n200=0), team(25), couronnement=True)
    assert lines(whole, DUJARDIN)["A"] == {"km": 1000, "bottes": 400, "victoire": 400, "sans-200": 200}


def test_four_bottes_are_those_of_one_team() -> None:
    shared = outcome(team(1000, ("AS", "CI", "IN")), team(25, ("VP",)))
    assert "quatre-bottes" not in lines(shared, CLASSIQUE)["A"]


def test_only_the_winner_scores_couronnement_and_no_200() -> None:
    result = lines(outcome(team(1000, n200=1), team(400, n200=0), couronnement=True), CLASSIQUE)
    assert result == {"A": {"km": 1000, "victoire": 400, "couronnement": 300}, "B": {"km": 400}}


def test_without_a_winner_nobody_scores_the_winners_lines() -> None:
    result = lines(outcome(team(900, n200=0), team(400, n200=0), end="exhausted", winner=None), CLASSIQUE)
    assert result == {"A": {"km": 900}, "B": {"km": 400}}


@pytest.mark.parametrize("rulebook", [CLASSIQUE, DUJARDIN], ids=["classique", "dujardin-2010"])
def test_capot_is_paid_to_each_opponent_even_to_another_capot_team(rulebook: Rulebook) -> None:
    result = lines(outcome(team(500), team(0), team(0), end="exhausted", winner=None), rulebook)
    assert {label: team.get("capot") for label, team in result.items()} == {"A": 1000, "B": 500, "C": 500}


def test_capot_to_driving_opponents_leaves_out_those_that_are_capot_themselves() -> None:
    house = CLASSIQUE.with_house({"capot_to": "driving_opponents"})
    result = lines(outcome(team(500), team(0), team(0), end="exhausted", winner=None), house)
    assert {label: team.get("capot") for label, team in result.items()} == {"A": 1000, "B": None, "C": None}


def test_fournier_pays_capot_once_to_a_winner_whose_opponents_are_all_capot() -> None:
    assert lines(outcome(team(700), team(0), team(0)), FOURNIER)["A"]["capot"] == 500


@pytest.mark.parametrize(
    "result",
    [
        outcome(team(700), team(0), team(25)),  # one opponent drove
        outcome(team(675), team(0), team(0), end="exhausted", winner=None),  # nobody won
    ],
    ids=["one-opponent-drove", "no-winner"],
)
def test_fournier_pays_no_capot_otherwise(result: Outcome) -> None:
    assert not any("capot" in team for team in lines(result, FOURNIER).values())


def test_rallonge_goes_to_the_caller_who_wins() -> None:
    result = lines(outcome(team(1000), team(25), team(25), extension="A"), FOURNIER)
    assert [team.get("rallonge") for team in result.values()] == [200, None, None]


def test_rallonge_goes_to_every_opponent_of_a_caller_who_loses_not_just_to_the_winner() -> None:
    result = lines(outcome(team(1000), team(700), team(25), extension="B"), FOURNIER)
    assert [team.get("rallonge") for team in result.values()] == [200, None, 200]


def test_rallonge_goes_to_the_opponents_when_nobody_reaches_1000() -> None:
    result = lines(outcome(team(700), team(900), end="exhausted", winner=None, extension="A"), FOURNIER)
    assert result == {"A": {"km": 700}, "B": {"km": 900, "rallonge": 200}}


def test_a_winner_by_most_km_is_treated_as_any_winner() -> None:
    house = FOURNIER.with_house({"most_km_wins": True})
    result = lines(outcome(team(900, n200=0), team(100), end="exhausted", extension="A"), house)
    assert result["A"] == {"km": 900, "victoire": 400, "sans-200": 300, "rallonge": 200}


@pytest.mark.parametrize("rulebook", [CLASSIQUE, FOURNIER, DUJARDIN], ids=lambda rulebook: rulebook.id)
def test_an_interrupted_manche_pays_what_lies_on_the_table_and_nothing_else(rulebook: Rulebook) -> None:
    extension = "A" if rulebook.rallonge else None
    stopped = outcome(
        team(700, ALL_FOUR, ("AS",), n200=0), team(0), end="interrupted", winner=None, extension=extension
    )
    result = lines(stopped, rulebook)
    assert set(result["A"]) - {"quatre-bottes"} == {"km", "bottes", "coups-fourres"}
    assert result["B"] == {}


def test_every_described_line_names_the_parameter_that_pays_it() -> None:
    assert LINES[0].parameter is None
    for line in LINES[1:]:
        assert line.parameter is not None
        assert isinstance(getattr(CLASSIQUE, line.parameter), int)
        assert line.parameter == "rallonge" or line.parameter in HOUSE_KEYS
