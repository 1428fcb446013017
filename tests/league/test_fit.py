"""A document and its partie (RULES 13): the first of the seven codes, before the document's own verdict."""

from typing import Any

import pytest

from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Attempt, Partie
from league.services.results import hand_in
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def partie() -> Partie:
    return PartieFactory()


def log(
    seed: int = 1, first: int = 0, rulebook: str = "classique", teams: int = 2, players: int = 1, **how: Any
) -> dict:
    return to_document(simulate(rulebook, teams, players, seed, first=first, **how))


def code(partie: Partie, document: dict[str, Any], number: int = 1) -> str | None:
    """The refusal's code, or None when it was recorded."""
    answer = play(partie, number, document)
    if not answer.refused:
        return None
    return Attempt.objects.order_by("-pk")[0].code


def test_a_log_of_the_right_table_is_recorded(partie: Partie) -> None:
    assert code(partie, log()) is None


def test_a_log_in_text_is_recorded_as_the_same_result_as_in_json(partie: Partie) -> None:
    text = to_text(simulate("classique", 2, 1, 1)).encode()
    answer = hand_in(actor=owner_of(partie.championship), partie_id=partie.pk, number=1, body=text)

    other = PartieFactory(championship=partie.championship)
    assert answer.verdict == play(other, 1, log()).verdict


def test_the_second_manche_begins_one_seat_further(partie: Partie) -> None:
    play(partie)

    assert code(partie, log(first=0), 2) == "other-seats"
    assert code(partie, log(first=1), 2) is None


def test_in_teams_of_two_the_order_turns_through_all_four_seats() -> None:
    championship = ChampionshipFactory(players_per_team=2)
    partie = PartieFactory(championship=championship)
    for number, first in enumerate([0, 1, 2, 3, 0], 1):
        wrong = log(first=(first + 1) % 4, players=2)
        assert code(partie, wrong, number) == "other-seats"
        interrupted_free = sheet({"A": 25, "B": 0}, end="exhausted", sabot_empty=True, players_per_team=2)
        assert code(partie, interrupted_free, number) is None


def test_another_rulebook(partie: Partie) -> None:
    assert code(partie, sheet(rulebook="dujardin-2010")) == "other-rulebook"
    assert code(partie, log(rulebook="moderne")) == "other-rulebook"


def test_house_rules_are_compared_as_a_whole() -> None:
    championship = ChampionshipFactory(house={"capot": 0, "sans_200": 300})
    partie = PartieFactory(championship=championship)

    assert code(partie, sheet()) == "other-rules"
    assert code(partie, sheet(house={"capot": 0, "victoire": 500})) == "other-rules"
    # values equal to the rulebook's own may be left out, or stand
    assert code(partie, sheet(house={"capot": 0, "victoire": 400})) is None


def test_house_rules_that_no_rulebook_knows_are_the_documents_own_fault(partie: Partie) -> None:
    assert code(partie, sheet(house={"capot": "much"})) == "bad-house"


def test_another_target() -> None:
    championship = ChampionshipFactory(rulebook="dujardin-2010", table_entries=4, target=700, partie_end_value=5000)
    partie = PartieFactory(championship=championship)
    km = {"A": 700, "B": 400, "C": 200, "D": 0}

    to_1000 = sheet({**km, "A": 1000}, rulebook="dujardin-2010", end="target")
    assert code(partie, to_1000) == "other-target"
    assert code(partie, to_1000 | {"target": 1000}) == "other-target"
    assert code(partie, sheet(km, rulebook="dujardin-2010", end="target", target=700)) is None


def test_a_target_that_is_the_tables_own_may_stand_or_be_left_out(partie: Partie) -> None:
    assert code(partie, sheet(target=1000)) is None


def test_another_table(partie: Partie) -> None:
    assert code(partie, sheet({"A": 1000, "B": 400, "C": 0})) == "other-table"
    assert code(partie, sheet({"A": 1000, "C": 400})) == "other-table"
    assert code(partie, sheet(players_per_team=2)) == "other-table"
    assert code(partie, log(teams=3)) == "other-table"
    assert code(partie, log(players=2)) == "other-table"


def test_players_that_sit_in_the_other_team_are_another_table(partie: Partie) -> None:
    swapped = log() | {"teams": {"A": ["b1"], "B": ["a1"]}, "seats": ["a1", "b1"]}

    assert code(partie, swapped) == "other-table"


def test_labels_are_the_parties_own(partie: Partie) -> None:
    renamed = log() | {"teams": {"A": ["ane"], "B": ["b1"]}, "seats": ["ane", "b1"], "moves": []}

    assert code(partie, renamed) == "other-table"


def test_a_table_with_one_entry_less_is_held_against_its_own_seats() -> None:
    championship = ChampionshipFactory(table_entries=3, allow_short_tables=True)
    short = PartieFactory(championship=championship, entries=EntryFactory.create_batch(2, championship=championship))

    assert code(short, sheet({"A": 1000, "B": 400, "C": 0})) == "other-table"
    assert code(short, sheet()) is None


def test_a_partie_that_is_over_takes_no_further_manche() -> None:
    partie = PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=1))
    play(partie)

    assert code(partie, sheet({"A": 1000, "B": 25}), 2) == "partie-over"


def test_a_later_manche_is_out_of_order(partie: Partie) -> None:
    assert code(partie, sheet(), 2) == "manche-out-of-order"
    play(partie)
    assert code(partie, sheet(), 3) == "manche-out-of-order"
    assert code(partie, sheet(), 2) is None


def test_a_manche_is_out_of_order_while_one_before_it_waits_for_a_ruling(partie: Partie) -> None:
    play(partie)
    play(partie, 1, sheet(claim={"A": 1, "B": 2}), reason="Their own sheet", replaces=1)

    assert code(partie, sheet(), 2) == "manche-out-of-order"


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        ({"rulebook": "moderne", "house": {"vp_starts": False}, "players_per_team": 2}, "other-rulebook"),
        ({"house": {"capot": 0}, "players_per_team": 2}, "other-rules"),
        ({"players_per_team": 2}, "other-table"),
    ],
)
def test_the_first_code_in_the_order_of_the_rules_is_the_answer(partie: Partie, changes: dict, first: str) -> None:
    assert code(partie, sheet(**changes), 2) == first


def test_what_does_not_fit_is_refused_before_the_documents_own_faults(partie: Partie) -> None:
    illegal = log(first=1) | {"moves": ["b1:200"]}

    assert code(partie, illegal) == "other-seats"
    assert code(partie, sheet({"A": 1000, "B": 480}, players_per_team=2)) == "other-table"


def test_a_misfit_explains_itself_as_any_other_refusal(partie: Partie) -> None:
    of_a_log = play(partie, 1, log(first=1)).verdict
    of_a_sheet = play(partie, 1, sheet(rulebook="moderne")).verdict

    assert (of_a_log["code"], of_a_log["at"]) == ("other-seats", None)
    assert of_a_log["why"]["params"] == {"expected": "a1 b1", "found": "b1 a1"}
    assert of_a_log["why"]["paragraph"] == "RULES 13"
    assert of_a_sheet["faults"] == [["other-rulebook", None]]
    assert of_a_sheet["why"][0]["params"] == {"expected": "classique", "found": "moderne"}


def test_a_second_manche_stopped_by_the_referee_cannot_count(partie: Partie) -> None:
    stopped = sheet({"A": 600, "B": 300}, end="interrupted")
    assert code(partie, stopped) is None

    assert code(partie, sheet({"A": 500, "B": 300}, end="interrupted"), 2) == "second-interrupted"
    # the stopped one itself may be corrected
    assert play(partie, 1, sheet({"A": 625, "B": 300}, end="interrupted"), reason="625", replaces=1).version == 2
