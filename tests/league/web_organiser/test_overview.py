"""The overview follows a championship: what is offered next, and to whom."""

import pytest
from django.test import Client

from league.models import Championship, Membership, Partie, Role, Round
from league.services.championships import finish_championship
from league.services.rounds import publish_round
from tests.factories import ChampionshipFactory, EntryFactory, UserFactory, owner_of
from tests.league.test_rounds import drawn, play_all
from tests.league.test_rounds_of_stages import staged
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db


def overview(championship: Championship, role: str | None = None) -> str:
    """What the overview says to the owner, or to somebody of this role."""
    client = Client()
    if role is None:
        client.force_login(championship.created_by)
    else:
        member = Membership.objects.create(championship=championship, user=UserFactory.create(), role=role)
        client.force_login(member.user)
    return said(client.get(f"/en/organise/{championship.slug}/"))


def test_leads_from_entering_over_the_format_and_the_check_in_to_the_draw() -> None:
    championship = ChampionshipFactory()
    page = overview(championship)
    assert "Choose the format" in page
    assert "Check in who is there" not in page, "nobody is entered"
    EntryFactory.create_batch(4, championship=championship)
    page = overview(championship)
    steps = ["Enter players and teams", "Choose the format", "Check in who is there", "Draw the next round"]
    assert sorted(steps, key=page.index) == steps


def test_follows_the_rounds_to_the_end() -> None:
    championship = staged(4, {"format": "swiss", "rounds_planned": 1})
    assert "Draw the next round" in overview(championship)
    round_ = drawn(championship)
    page = overview(championship)
    assert "Draft of round 1" in page
    assert "Draw the next round" not in page
    publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
    assert "Enter results" in overview(championship)
    play_all(championship, 1)
    page = overview(championship)
    assert "All planned rounds are played." in page
    for gone in ("Draw the next round", "Enter players and teams", "Check in who is there"):
        assert gone not in page
    championship.refresh_from_db()
    finish_championship(actor=owner_of(championship), championship_id=championship.pk, version=championship.version)
    championship.refresh_from_db()
    page = overview(championship)
    for gone in ("Draw the next round", "Enter players and teams", "Choose the format"):
        assert gone not in page


def test_leads_to_the_stage_that_follows() -> None:
    championship = staged(
        4, {"format": "swiss", "rounds_planned": 1}, {"format": "knockout", "qualify": 2, "name": "Final"}
    )
    round_ = drawn(championship)
    publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
    play_all(championship, 1)
    page = overview(championship)
    assert "Go on to: Final" in page
    assert "Draw the next round" not in page


def test_offers_a_referee_only_what_a_referee_may_do() -> None:
    championship = staged(4, {"format": "swiss", "rounds_planned": 2})
    round_ = drawn(championship)
    publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
    page = overview(championship, Role.REFEREE)
    assert "Enter results" in page
    assert "See the ranking" in page
    for kept in ("publish", "Choose the format", "Check in who is there", "Draw the next round", "Enter players"):
        assert kept not in page
    assert "Enter results" not in overview(championship, Role.AUDITOR)


def test_no_round_more_is_offered_while_the_last_planned_one_is_played() -> None:
    championship = staged(4, {"format": "swiss", "rounds_planned": 1})
    round_ = drawn(championship)
    publish_round(actor=owner_of(championship), round_id=round_.pk, version=round_.version)
    client = Client()
    client.force_login(championship.created_by)
    assert "Draw round 2" not in said(client.get(f"/en/organise/{championship.slug}/parties/"))
    assert (Round.objects.count(), Partie.objects.count()) == (1, 2)


def test_a_melee_is_not_asked_about_pools() -> None:
    client = Client()
    for players, asked in (("entries", True), ("players", False)):
        championship = ChampionshipFactory(ranks=players, players_per_team=2)
        client.force_login(championship.created_by)
        page = client.get(f"/en/organise/{championship.slug}/settings/format/").content.decode()
        assert ('name="pools"' in page) is asked
        assert ('name="through"' in page) is asked
        sent = {"do": "plan", "key": "k" * 32, "plan": "swiss", "rounds": 4}
        assert client.post(f"/en/organise/{championship.slug}/settings/format/", sent).status_code == 302
        assert championship.stages.get().rounds_planned == 4
