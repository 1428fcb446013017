"""Documents pushed under ids of the sender's own: sent again, whatever got lost, nothing doubles."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, NotPermitted, UserFault
from league.models import Attempt, Championship, ExternalId, Manche, Partie, Result
from league.policy import Actor
from league.services.external_ids import name_thing
from league.services.hand_in_answers import HandIn
from league.services.moving import move_result
from league.services.pushed import Pushed, push
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, as_bytes, owner_of, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def partie() -> Partie:
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=4)
    made: Partie = PartieFactory(championship=championship)
    name_thing(
        actor=owner_of(championship),
        kind="partie",
        object_id=made.pk,
        external_id="t-1",
        championship_id=championship.pk,
    )
    return made


def pushed(championship: Championship, km: int = 475, **what: Any) -> HandIn:
    item = Pushed(body=as_bytes(sheet({"A": 1000, "B": km})), **{"partie": "~t-1", **what})
    return push(actor=owner_of(championship), slug=championship.slug, item=item)


def names() -> dict[str, int]:
    rows = ExternalId.objects.filter(kind="manche")
    numbers = dict(Manche.objects.values_list("pk", "number"))
    return {name: numbers[pk] for name, pk in rows.values_list("external_id", "object_id")}


def test_a_game_comes_to_the_manche_that_is_awaited_and_has_its_id_from_then_on(partie: Partie) -> None:
    one = pushed(partie.championship, 25, manche="~g-1")
    other = pushed(partie.championship, 50, external_id="g-2")
    assert [(one.outcome, one.manche), (other.outcome, other.manche)] == [("recorded", 1), ("recorded", 2)]
    assert names() == {"g-1": 1, "g-2": 2}


def test_pushed_again_it_is_repeated_whatever_came_after_it(partie: Partie) -> None:
    pushed(partie.championship, 25, manche="~g-1")
    pushed(partie.championship, 50, manche="~g-2")
    again = pushed(partie.championship, 25, manche="~g-1")
    assert (again.outcome, again.manche, again.version) == ("repeated", 1, 1)
    assert Result.objects.count() == 2


def test_another_document_under_the_same_id_is_a_correction_or_a_conflict(partie: Partie) -> None:
    pushed(partie.championship, 25, manche="~g-1")
    with pytest.raises(Conflict) as refused:
        pushed(partie.championship, 50, manche="~g-1")
    assert refused.value.code == "result-exists"
    corrected = pushed(partie.championship, 50, partie=None, manche="~g-1", replaces=1, reason="Misread")
    assert (corrected.outcome, corrected.manche, corrected.version) == ("recorded", 1, 2)


def test_a_refused_document_takes_no_id(partie: Partie) -> None:
    refused = pushed(partie.championship, 480, manche="~g-1")
    assert (refused.outcome, names()) == ("refused", {})
    assert pushed(partie.championship, 475, manche="~g-2").manche == 1


def test_an_id_stands_for_one_manche_and_a_manche_has_one(partie: Partie) -> None:
    pushed(partie.championship, 25, manche=1, external_id="g-1")
    for what in ({"manche": 2, "external_id": "g-1"}, {"manche": 1, "external_id": "g-2"}):
        with pytest.raises(Conflict) as refused:
            pushed(partie.championship, 25, **what)
        assert refused.value.code == "external-id-taken"
    other = PartieFactory(championship=partie.championship)
    with pytest.raises(Conflict) as refused:
        pushed(partie.championship, 25, partie=other.number, manche="~g-1")
    assert refused.value.code == "external-id-taken"
    assert (Result.objects.count(), Attempt.objects.count()) == (1, 0)


def test_what_is_moved_to_another_table_is_repeated_there(partie: Partie) -> None:
    other = PartieFactory(championship=partie.championship)
    pushed(partie.championship, 25, manche="~g-1")
    pushed(partie.championship, 50, partie=other.number, manche="~g-2")
    move_result(
        actor=owner_of(partie.championship),
        manche_id=Manche.objects.get(partie=partie, number=1).pk,
        version=1,
        partie_number=other.number,
        manche_number=1,
        reason="Wrong slip",
    )
    count = Result.objects.count()
    again = [pushed(partie.championship, km, partie=None, manche=name) for km, name in ((25, "~g-1"), (50, "~g-2"))]
    assert [(one.outcome, one.partie) for one in again] == [("repeated", other.number), ("repeated", partie.number)]
    assert Result.objects.count() == count


def test_a_partie_that_awaits_nothing_takes_no_new_game(partie: Partie) -> None:
    for number in range(1, 5):
        pushed(partie.championship, 25 * number, manche=f"~g-{number}")
    with pytest.raises(Conflict) as refused:
        pushed(partie.championship, 25, manche="~g-5")
    assert refused.value.code == "nothing-awaited"


@pytest.mark.parametrize(
    ("what", "code", "field"),
    [
        ({"partie": "~t-9", "manche": 1}, "unknown-partie", "partie"),
        ({"partie": 99, "manche": 1}, "unknown-partie", "partie"),
        ({"partie": None, "manche": 1}, "required", "partie"),
        ({"partie": None, "manche": "~g-1"}, "required", "partie"),
        ({}, "required", "manche"),
        ({"manche": "g-1"}, "bad-external-id", "manche"),
        ({"manche": "~g 1"}, "bad-external-id", "external_id"),
        ({"manche": "~g-1", "external_id": "g-2"}, "bad-external-id", "external_id"),
    ],
)
def test_what_names_nothing_is_said(partie: Partie, what: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(UserFault) as refused:
        pushed(partie.championship, **what)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_the_rights_of_each_table_are_asked(partie: Partie) -> None:
    item = Pushed(body=as_bytes(sheet()), partie=partie.number, manche=1)
    with pytest.raises(NotPermitted):
        push(actor=Actor(user=UserFactory()), slug=partie.championship.slug, item=item)
    with pytest.raises(NotFound):
        push(actor=owner_of(partie.championship), slug="no-such", item=item)
