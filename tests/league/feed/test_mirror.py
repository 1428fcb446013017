"""A mirror made of the feed alone equals the site, as its lists are read."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache

from league.demonstration import make_demonstration
from league.models import Championship, Club, Player
from league.policy import Actor
from league.services import anonymising, merging
from league.services.absences import announce_absence
from league.services.championships import change_championship
from league.services.entries import penalise_entry, rename_team, withdraw
from league.services.parties import add_bye, close_partie, reopen_partie, void_partie
from league.services.people import change_player, rename_club
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.rulings import reinstate_manche, void_manche
from league.services.substitutes import stand_in
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    owner_of,
    play,
    sheet,
)
from tests.league.feed.mirror import Mirror, require_equal
from tests.league.test_audit import DONE, Hall

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(django_settings, "API_RATES", dict.fromkeys(django_settings.API_RATES, 10**6))


def test_an_empty_site_has_an_empty_mirror() -> None:
    require_equal(Mirror().catch_up())


def test_a_mirror_follows_a_tournament_from_its_draft_to_its_end() -> None:
    """Stages, rounds drawn and published, logs and sheets, refusals, corrections, penalties, versions."""
    mirror = Mirror().catch_up()
    championship = make_demonstration()
    require_equal(mirror.catch_up())
    renew_live_ranking(championship_id=championship.pk)
    require_equal(mirror.catch_up())
    require_equal(Mirror().catch_up(limit=7))
    assert len(mirror.of("partie", championship.slug)) == 24


STEPS: dict[str, Any] = {
    "a partie is annulled": lambda c, by: void_partie(actor=by, partie_id=_partie(c), version=None, reason="R"),
    "and opened again": lambda c, by: reopen_partie(actor=by, partie_id=_partie(c), version=None, reason="R"),
    "a manche is annulled": lambda c, by: void_manche(actor=by, manche_id=_manche(c), version=1, reason="R"),
    "and reinstated": lambda c, by: reinstate_manche(actor=by, manche_id=_manche(c), version=1, reason="R"),
    "a result is corrected": lambda c, by: play(
        c.parties.get(number=1), 1, sheet({"A": 1000, "B": 600}, players_per_team=2), reason="R", replaces=1
    ),
    "a referee closes a partie": lambda c, by: close_partie(actor=by, partie_id=_partie(c), version=None, reason="R"),
    "an entry is renamed": lambda c, by: rename_team(actor=by, team_id=_team(c), version=None, name="Autrement"),
    "an entry is penalised": lambda c, by: penalise_entry(actor=by, entry_id=_entry(c), points=3, reason="R"),
    "an entry has a bye": lambda c, by: add_bye(actor=by, entry_id=_entry(c), round=4),
    "an entry is away": lambda c, by: announce_absence(actor=by, entry_id=_entry(c), first=9),
    "an entry withdraws": lambda c, by: withdraw(actor=by, entry_id=_entry(c), reason="R"),
    "somebody stands in": lambda c, by: stand_in(
        actor=by, partie_id=c.parties.get(number=2).pk, label="A", position=1, player_id=PlayerFactory().pk, reason="R"
    ),
    "a version is published": lambda c, by: publish(actor=by, championship_id=c.pk, label="Now"),
    "a player shows initials": lambda c, by: _player_shows("initials"),
    "a player shows the name again": lambda c, by: _player_shows("name"),
    "a player hides": lambda c, by: _player_shows("hidden"),
    "a player is anonymised": lambda c, by: anonymising.anonymise(actor=by, player_id=_players()[1]),
    "two profiles are one": lambda c, by: merging.merge_players(
        actor=by, kept_id=PlayerFactory(club=Club.objects.first()).pk, merged_id=_players()[2]
    ),
    "a club is renamed": lambda c, by: rename_club(actor=by, club_id=Club.objects.earliest("pk").pk, name="Autres"),
    "a player joins a club": lambda c, by: Player.objects.filter(pk=_players()[3]).update(club=ClubFactory()),
    "the championship is renamed": lambda c, by: _changed(c, by, name="Autre coupe"),
    "its scale changes": lambda c, by: Championship.objects.filter(pk=c.pk).update(scale=[5, 1]),
    "it can only be found by its address": lambda c, by: _changed(c, by, visibility="unlisted"),
    "it can be found again": lambda c, by: _changed(c, by, visibility="public"),
    "it is a draft": lambda c, by: _changed(c, by, visibility="draft"),
    "it is written in a draft": lambda c, by: EntryFactory(championship=c),
    "it comes back": lambda c, by: _changed(c, by, visibility="public"),
    "it moves": lambda c, by: Championship.objects.filter(pk=c.pk).update(name="Z"),
}


def _partie(championship: Championship) -> int:
    return int(championship.parties.get(number=1).pk)


def _manche(championship: Championship) -> int:
    return int(championship.parties.get(number=1).manches.get(number=1).pk)


def _entry(championship: Championship) -> int:
    return int(championship.entries.get(number=1).pk)


def _team(championship: Championship) -> int:
    return int(championship.entries.get(number=1).team_id)


def _players() -> list[int]:
    return list(Player.objects.filter(merged_into=None).order_by("pk").values_list("pk", flat=True))


def _player_shows(what: str) -> Any:
    player = Player.objects.get(pk=_players()[0])
    actor = Actor(user=Championship.objects.earliest("pk").created_by)
    return change_player(actor=actor, player_id=player.pk, version=None, changes={"shown_as": what})


def _changed(championship: Championship, by: Actor, **settings: Any) -> Any:
    return change_championship(actor=by, championship_id=championship.pk, version=None, settings=settings)


def test_a_mirror_is_right_after_every_step() -> None:
    """One after the other on one championship, beside another one that nobody touches."""
    PartieFactory()
    championship = ChampionshipFactory(
        slug="c", players_per_team=2, partie_end="manches", partie_end_value=2, substitution="free"
    )
    for _ in range(2):
        partie = PartieFactory(championship=championship)
        play(partie, 1, sheet(players_per_team=2))
    Player.objects.filter(pk__in=_players()[:3]).update(club=ClubFactory())
    by, mirror = owner_of(championship), Mirror().catch_up()
    require_equal(mirror)
    for name, step in STEPS.items():
        step(championship, by)
        mirror.catch_up(limit=9)
        _told(name, mirror)
        renew_live_ranking(championship_id=championship.pk)
        mirror.catch_up(limit=9)
        _told(f"{name}, then ranked", mirror)
    require_equal(Mirror().catch_up())


def _told(step: str, mirror: Mirror) -> None:
    try:
        require_equal(mirror)
    except AssertionError as error:
        raise AssertionError(f"after: {step}\n{error}") from error


@pytest.mark.sweep
@pytest.mark.parametrize("service", sorted(DONE))
def test_a_mirror_is_right_after_every_service(service: str) -> None:
    """Each service that is audited, in its own hall (tests/league/test_audit.py); the mirror was there before."""
    hall = Hall(confirmation="organiser" if service == "confirm" else "at_once")
    mirror = Mirror().catch_up()
    DONE[service](hall)
    require_equal(mirror.catch_up())
