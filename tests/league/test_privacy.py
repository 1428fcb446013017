"""Nothing private comes out of what everybody reads: no e-mail address, no secret, no draft, no attempt."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from league.errors import NotFound
from league.models import Championship, Player
from league.policy import ANYBODY, Actor
from league.selectors import championships, manches, parties, people, ranking
from league.selectors.etapes import public_document
from league.selectors.journal import journal
from league.services.accounts import invite
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    """One with everything in it, whose organisers and players all have addresses of their own."""
    championship = ChampionshipFactory(tie_breaks=["total_points", "draw"], players_per_team=2)
    partie = PartieFactory(championship=championship)
    play(partie, 1, sheet(players_per_team=2))
    play(partie, 2, sheet({"A": 1000, "B": 26}, players_per_team=2))
    play(partie, 1, sheet({"A": 1000, "B": 50}, players_per_team=2), reason="Misread", replaces=1)
    EntryFactory(championship=championship)
    invite(actor=owner_of(championship), championship_id=championship.pk, email="invited@example.org", link=str)
    renew_live_ranking(championship_id=championship.pk)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="Now")
    return Championship.objects.get()


PUBLIC: dict[str, Callable[[Championship], Any]] = {
    "championships": lambda c: championships.championships(actor=ANYBODY),
    "championship": lambda c: championships.championship_view(c),
    "live ranking": lambda c: ranking.live_ranking(championship=c),
    "versions": lambda c: ranking.versions(championship=c),
    "version": lambda c: ranking.version_page(championship=c, version=1),
    "rounds": lambda c: parties.rounds(championship=c),
    "parties": lambda c: parties.parties(championship=c),
    "partie": lambda c: parties.partie_view(partie=c.parties.get()),
    "manche": lambda c: manches.manche_view(manche=c.parties.get().manches.get(number=1)),
    "player": lambda c: [people.player_view(actor=ANYBODY, player_id=p.pk) for p in Player.objects.all()],
    "entries": lambda c: people.entries(championship=c),
    "near-duplicates": lambda c: people.similar_players(name=Player.objects.earliest("pk").name),
    "journal": lambda c: journal(championship=c),
    "document": public_document,
}


def plain(value: Any) -> Any:
    """What a selector gave as JSON's types; a row of the database is none."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, Iterator)):
        return [plain(item) for item in value]
    assert value is None or isinstance(value, (str, int, float)) or hasattr(value, "isoformat"), f"{value!r} is a row"
    return str(value)


@pytest.mark.parametrize("read", PUBLIC.values(), ids=PUBLIC)
def test_what_everybody_reads_is_values_without_an_address_or_a_secret(
    championship: Championship, read: Callable[[Championship], Any]
) -> None:
    said = json.dumps(plain(read(championship)))

    assert said not in ("[]", "{}")
    assert "example.org" not in said
    assert championship.secret not in said
    assert "km-not-multiple" not in said


def test_a_players_page_does_not_tell_the_licence_number() -> None:
    player = EntryFactory().team.players.get()
    player.licence = "FR12"
    player.save()
    assert "FR12" not in json.dumps(plain(people.player_view(actor=ANYBODY, player_id=player.pk)))


class TestDrafts:
    """A draft is its organisers' only."""

    def test_it_stands_in_no_list_but_its_organisers(self) -> None:
        draft, unlisted = ChampionshipFactory(visibility="draft"), ChampionshipFactory(visibility="unlisted")
        public = ChampionshipFactory()

        def seen(actor: Actor, **how: Any) -> list[str]:
            return [line.slug for line in championships.championships(actor=actor, **how).items]

        assert seen(ANYBODY) == seen(Actor(user=UserFactory())) == [public.slug]
        assert seen(owner_of(draft)) == [public.slug, draft.slug]
        assert seen(owner_of(unlisted)) == [public.slug, unlisted.slug]
        assert seen(owner_of(draft), own=True) == [draft.slug]
        assert seen(ANYBODY, own=True) == []

    def test_a_players_page_does_not_tell_of_it(self) -> None:
        entry = EntryFactory(championship=ChampionshipFactory(visibility="draft"))
        player = entry.team.players.get()

        with pytest.raises(NotFound):
            people.player_view(actor=ANYBODY, player_id=player.pk)
        own = people.player_view(actor=owner_of(entry.championship), player_id=player.pk).participations
        assert [participation.slug for participation in own] == [entry.championship.slug]
