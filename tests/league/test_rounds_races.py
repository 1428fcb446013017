"""Two organisers at one round, on PostgreSQL: what one does is done once, and the other is told."""

import pytest

from league.errors import Conflict, NotFound, Stale
from league.models import Manche, Partie, Round, Seat, StageEntry
from league.services.drafts import swap, turn
from league.services.draws import draw_round
from league.services.rounds import publish_round, undo_step
from tests.factories import owner_of, play
from tests.league.test_races import at_once
from tests.league.test_rounds import a_swiss, drawn, published, tables

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_a_round_drawn_twice_at_once_is_drawn_once() -> None:
    championship = a_swiss(6)
    actor = owner_of(championship)
    answers = at_once(
        championship,
        lambda: draw_round(actor=actor, championship_id=championship.pk),
        lambda: draw_round(actor=actor, championship_id=championship.pk),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "Round"]
    assert next(answer for answer in answers if isinstance(answer, Conflict)).code == "draft-exists"
    assert (Round.objects.count(), StageEntry.objects.count()) == (1, 6)


def test_a_draft_published_twice_at_once_makes_its_parties_once() -> None:
    championship = a_swiss(6)
    round_, actor = drawn(championship), owner_of(championship)
    at_once(
        championship,
        lambda: publish_round(actor=actor, round_id=round_.pk, version=round_.version),
        lambda: publish_round(actor=actor, round_id=round_.pk, version=round_.version),
    )
    assert (Partie.objects.count(), Seat.objects.count(), Manche.objects.count()) == (3, 6, 3)


def test_of_two_changes_by_hand_at_once_the_second_is_told() -> None:
    championship = a_swiss(6)
    round_, actor = drawn(championship), owner_of(championship)
    one, other = tables(round_)[1][0], tables(round_)[2][0]
    answers = at_once(
        championship,
        lambda: turn(actor=actor, round_id=round_.pk, version=round_.version, table=1),
        lambda: swap(actor=actor, round_id=round_.pk, version=round_.version, one=one, other=other),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Round", "Stale"]
    assert Round.objects.get().version == 2
    assert any(isinstance(answer, Stale) for answer in answers)


def test_a_draft_changed_while_it_is_published_is_one_or_the_other() -> None:
    championship = a_swiss(6)
    round_, actor = drawn(championship), owner_of(championship)
    answers = at_once(
        championship,
        lambda: publish_round(actor=actor, round_id=round_.pk, version=round_.version),
        lambda: turn(actor=actor, round_id=round_.pk, version=round_.version, table=1),
    )
    refused = [answer for answer in answers if isinstance(answer, Stale | Conflict)]
    assert len(refused) == 1
    assert refused[0].code in ("no-draft", "stale")


def test_what_is_handed_in_while_its_round_is_taken_back_is_told_or_keeps_it() -> None:
    championship = a_swiss(4)
    round_, actor = published(championship), owner_of(championship)
    partie = Partie.objects.order_by("number")[0]
    answers = at_once(
        championship,
        lambda: undo_step(actor=actor, round_id=round_.pk, version=round_.version),
        lambda: play(partie),
    )
    assert isinstance(answers[1], NotFound) == isinstance(answers[0], Round)
    assert Partie.objects.count() == (0 if isinstance(answers[0], Round) else 2)
