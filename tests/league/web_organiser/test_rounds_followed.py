"""What the pages of a round say besides its tables: pools, who is left out, reopened, postponed, the clock held."""

import pytest
from django.test import Client

from league.models import Championship, Partie, Round
from league.selectors.clock import clock_of
from league.services.absences import announce_absence
from league.services.clock import start_clock
from league.services.postponing import postpone_partie
from league.services.rounds import lock_round, reopen_round, undo_step
from tests.factories import owner_of, play, sheet
from tests.league.test_rounds import a_swiss, drawn, published
from tests.league.test_rounds_of_stages import begin, staged
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db


def browser(championship: Championship) -> Client:
    """The owner's."""
    client = Client()
    client.force_login(championship.created_by)
    return client


def inside(championship: Championship, page: str = "parties/") -> str:
    """What a page for organisers says."""
    return said(browser(championship).get(f"/en/organise/{championship.slug}/{page}"))


def outside(championship: Championship) -> str:
    """What everybody reads of the last round."""
    return said(Client().get(f"/en/championships/{championship.slug}/parties/"))


def test_the_pool_of_each_table_stands_on_its_round() -> None:
    championship = staged(8, {"format": "swiss", "pools": 2, "rounds_planned": 3})
    begin(championship, 1, order="number")
    published(championship)
    for page in (inside(championship), outside(championship)):
        assert page.count("pool 1") == page.count("pool 2") == 2


def test_no_pool_is_told_without_pools() -> None:
    championship = a_swiss(4)
    published(championship)
    assert "pool" not in inside(championship)
    assert "pool" not in outside(championship)


def test_who_is_absent_stands_below_the_tables() -> None:
    championship = a_swiss(6)
    for number in (3, 4):
        entry = championship.entries.get(number=number)
        announce_absence(actor=owner_of(championship), entry_id=entry.pk, first=1, last=1)
    round_ = drawn(championship)
    assert "Absent 3 · " not in inside(championship)
    published(championship, round_)
    assert f"Absent 3 · {championship.entries.get(number=3).team.name} 4 · " in inside(championship)


def reopened(*, one_played: bool) -> Championship:
    """A round that was published and reopened."""
    championship = a_swiss(6)
    round_ = published(championship)
    if one_played:
        play(Partie.objects.get(number=1), 1, sheet())
    round_.refresh_from_db()
    reopen_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version, reason="Somebody is late")
    return championship


def test_everybody_is_told_that_a_round_was_reopened() -> None:
    championship = reopened(one_played=True)
    assert "This round was reopened" in outside(championship)
    published(championship, Round.objects.get())
    assert "This round was reopened" not in outside(championship)


def test_a_draft_with_a_played_table_offers_no_discarding() -> None:
    page = inside(reopened(one_played=True), "parties/draft/")
    assert "Discard the draft" not in page
    assert "not discarded" in page


def test_any_other_draft_is_discarded_after_a_question() -> None:
    page = inside(reopened(one_played=False), "parties/draft/")
    assert "Discard the draft All that was drawn and changed here goes" in page


def test_a_postponed_partie_is_not_being_played() -> None:
    championship = a_swiss(2)
    published(championship)
    partie = Partie.objects.get()
    assert "postponed" not in outside(championship).lower()
    postpone_partie(actor=owner_of(championship), partie_id=partie.pk, version=partie.version, reason="A train")
    for page in (outside(championship), inside(championship, "parties/1/")):
        assert "postponed" in page.lower()
        assert "being played" not in page


def test_the_clock_is_held_while_a_round_is_locked() -> None:
    championship = a_swiss(4, clock_minutes=50)
    round_ = published(championship)
    actor = owner_of(championship)
    round_ = start_clock(actor=actor, round_id=round_.pk)
    round_ = lock_round(actor=actor, round_id=round_.pk, version=round_.version)
    assert clock_of(round_).state == "paused"
    assert 2990 <= (clock_of(round_).seconds_left or 0) <= 3000
    undone = undo_step(actor=actor, round_id=round_.pk, version=round_.version)
    assert undone is not None
    assert clock_of(start_clock(actor=actor, round_id=undone.pk)).state == "running"
