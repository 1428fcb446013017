"""A player who hides, becomes a minor or is anonymised is read nowhere in public, whatever was published before."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver

from league.api.urls import urlpatterns as api_addresses
from league.errors import UserFault
from league.models import Championship, Club, Entry, Player, PublishedRow, ResultEvent, Substitution, What
from league.policy import ANYBODY
from league.selectors.people import player_view
from league.services.anonymising import anonymise
from league.services.entries import enter_players, rename_team
from league.services.people import add_player, change_player
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.substitutes import name_substitute, stand_in
from league.shown_names import initials
from league.web import urls
from tests.factories import ChampionshipFactory, ClubFactory, PartieFactory, PlayerFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db

SECRET_WORDS = ("Quetzalcoatl", "Wilhelmine", "Xanthippe", "Yggdrasil", "zoe-private", "LIC-999")


class World:
    """Teams of two, two of whom will hide: one in a team like its players, one in a team named after her."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory(name="Yggdrasil", slug="first")
        self.championship: Championship = ChampionshipFactory(
            slug="coupe", players_per_team=2, substitution=Substitution.NAMED, tie_breaks=["total_points", "draw"]
        )
        self.actor = owner_of(self.championship)
        self.hidden = self.somebody("Quetzalcoatl Wilhelmine", email="zoe-private@example.org", licence="LIC-999")
        self.sister = self.somebody("Xanthippe Wilhelmine")
        self.ana = self.somebody("Ana Etxeberria")
        self.plain = self.enter(self.hidden, self.ana)
        self.named = self.enter(self.sister, self.somebody("Bo Martin"), name="Les As de Xanthippe WILHELMINE")
        self.partie = PartieFactory(championship=self.championship, entries=[self.plain, self.named])
        self.stand_in = self.somebody("Quetzalcoatl Xanthippe")
        name_substitute(actor=self.actor, team_id=self.plain.team_id, player_id=self.stand_in.pk)
        stand_in(actor=self.actor, partie_id=self.partie.pk, label="A", position=2, player_id=self.stand_in.pk)
        play(self.partie, 1, sheet(players_per_team=2))
        publish(actor=self.actor, championship_id=self.championship.pk, label="First")
        play(self.partie, 1, sheet({"A": 1000, "B": 50}, players_per_team=2), reason="Misread", replaces=1)
        publish(actor=self.actor, championship_id=self.championship.pk, label="Second")
        renew_live_ranking(championship_id=self.championship.pk)
        self.those = (self.hidden, self.sister, self.stand_in)

    def somebody(self, name: str, **more: Any) -> Player:
        return add_player(actor=self.actor, name=name, club_id=self.club.pk, homonym=True, **more)

    def enter(self, *players: Player, name: str = "") -> Entry:
        ids = [player.pk for player in players]
        return enter_players(actor=self.actor, championship_id=self.championship.pk, player_ids=ids, name=name)

    def change(self, player: Player, **changes: Any) -> Player:
        return change_player(actor=self.actor, player_id=player.pk, version=None, changes=changes)

    def hide(self, **changes: Any) -> None:
        for player in self.those:
            self.change(player, **({"shown_as": "hidden"} | changes))

    def forget_the_club(self) -> None:
        """Let the others be of another club, which may be read, and the first not be called as it is."""
        other = ClubFactory(name="Other")
        Player.objects.exclude(pk__in=[player.pk for player in self.those]).update(club=other)
        Player.objects.filter(pk__in=[player.pk for player in self.those]).update(shows_club=False)
        Club.objects.filter(pk=self.club.pk).update(name="First", name_folded="first")


@pytest.fixture
def world() -> World:
    cache.clear()
    return World()


def addresses(patterns: list[URLPattern | URLResolver], start: str, values: dict[str, str]) -> dict[str, str]:
    """Every address that can be made of the values, by name; organisers' and accounts' need somebody signed in."""
    found: dict[str, str] = {}
    for one in patterns:
        route = start + str(one.pattern)
        if isinstance(one, URLResolver):
            if not str(one.pattern).startswith("organise/"):
                found |= addresses(one.url_patterns, route, values)
            continue
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: values.get(part[1], "\0"), route)
        if "\0" not in filled:
            found[one.name or route] = filled
    return found


def everything(player: Player) -> dict[str, str]:
    """What every public page and every route of the API answers, by name."""
    values = {"slug": "coupe", "number": "1", "manche": "1", "version": "1", "player_id": str(player.pk)}
    values |= {"player": str(player.pk), "team": str(player.teams.earliest("pk").pk), "rulebook": "classique"}
    values |= {"kind": "sheet", "ending": "json"}
    pages = addresses(urls.urlpatterns, "/en/", values) | addresses(list(api_addresses), "/api/v1/", values)
    assert len(pages) > 55
    client = Client()
    answers = {}
    for name, address in pages.items():
        if name.endswith("-stream"):
            continue  # goes on for minutes, with what the changes say
        answer = client.get(address, {"q": "wilhelmine", "limit": 100} if name in ("api-players",) else {})
        assert answer.status_code < 500, address
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        answers[name] = body.decode()
        if answer.status_code in (200, 404):
            continue
        assert answer.status_code in (302, 301, 405, 400, 401, 403), (address, answer.status_code)
    return answers


def test_before_anything_is_hidden_the_names_are_read(world: World) -> None:
    said = everything(world.hidden)
    for name in ("championship", "entry", "championship-entries", "partie", "player", "published-version"):
        assert "Quetzalcoatl Wilhelmine" in said[name], name
    for name in ("api-players", "api-entries", "api-classement", "api-published-ranking", "api-partie", "api-player"):
        assert "Quetzalcoatl Wilhelmine" in said[name], name
    assert "Quetzalcoatl Xanthippe plays for Ana Etxeberria" in said["partie"]


@pytest.mark.parametrize("how", ["hidden", "minor", "anonymised"])
def test_who_hides_is_read_on_no_page_and_in_no_answer_of_the_api(world: World, how: str) -> None:
    if how == "anonymised":
        for player in world.those:
            anonymise(actor=world.actor, player_id=player.pk)
    world.forget_the_club()
    if how == "hidden":
        world.hide()
    elif how == "minor":
        world.hide(is_minor=True, shown_as="name")
    renew_live_ranking(championship_id=world.championship.pk)

    for player in (world.hidden, world.sister):
        for name, text in everything(player).items():
            found = [word for word in SECRET_WORDS if word.casefold() in text.casefold()]
            assert found == [] or name in ("api-document", "document"), (name, found)

    said = everything(world.hidden)
    assert f"Anonyme {world.hidden.pk} – Ana Etxeberria" in said["published-version"]
    assert f"Anonyme {world.hidden.pk}" in said["entry"]


def test_a_player_who_shows_no_name_has_no_page(world: World) -> None:
    world.hide()
    assert Client().get(f"/en/players/{world.hidden.pk}/").status_code == 404
    assert Client().get(f"/api/v1/players/{world.hidden.pk}").status_code == 404
    assert Client().get(f"/en/players/{world.ana.pk}/").status_code == 200


def test_initials_are_shown_and_searched_by_nobody(world: World) -> None:
    world.change(world.hidden, shown_as="initials")
    assert player_view(actor=ANYBODY, player_id=world.hidden.pk).name == "Q. W."
    assert Entry.objects.get(pk=world.plain.pk).team.name == "Q. W. – Ana Etxeberria"
    listed = Client().get("/api/v1/players", {"q": "quetz"}).json()["items"]
    assert [one["name"] for one in listed] == ["Quetzalcoatl Xanthippe"] or listed == []
    assert world.hidden.pk not in [one["id"] for one in Client().get("/api/v1/players").json()["items"]]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Zoé Çelik", "Z. Ç."),
        ("Jean-Pierre d'Alembert", "J.-P. D."),
        ("Ane", "A."),
        ("- ' Zoé", "Z."),
        ("42 bis", "4. B."),
    ],
)
def test_initials(name: str, short: str) -> None:
    assert initials(name) == short


class TestTeams:
    """The name of a team is what everybody may read."""

    def test_a_team_that_was_not_named_follows_its_players_with_a_line_in_the_journal(self, world: World) -> None:
        before = ResultEvent.objects.filter(what=What.RENAMED).count()
        world.change(world.ana, name="Ana Zubiri")
        team = Entry.objects.get(pk=world.plain.pk).team
        assert (team.name, team.name_folded) == (
            "Quetzalcoatl Wilhelmine – Ana Zubiri",
            "quetzalcoatl wilhelmine – ana zubiri",
        )
        assert ResultEvent.objects.filter(what=What.RENAMED, entry=world.plain).count() == before + 1
        world.championship.refresh_from_db()
        assert world.championship.ranking_due_since is not None

    def test_a_new_name_leaves_published_versions_as_they_were(self, world: World) -> None:
        world.change(world.ana, name="Ana Zubiri")
        row = PublishedRow.objects.filter(entry=world.plain).earliest("pk")
        assert row.players == ["Quetzalcoatl Wilhelmine", "Ana Etxeberria"]

    def test_who_hides_goes_out_of_published_versions_and_the_others_stay(self, world: World) -> None:
        values = list(PublishedRow.objects.order_by("pk").values_list("rank", "values", "why", "number"))
        world.change(world.ana, name="Ana Zubiri")
        world.change(world.hidden, shown_as="hidden")
        for row in PublishedRow.objects.filter(entry=world.plain):
            assert row.players == [f"Anonyme {world.hidden.pk}", "Ana Etxeberria"]
            assert row.name == f"Anonyme {world.hidden.pk} – Ana Etxeberria"
        assert list(PublishedRow.objects.order_by("pk").values_list("rank", "values", "why", "number")) == values

    def test_who_shows_the_name_again_stays_hidden_where_it_is_frozen(self, world: World) -> None:
        world.change(world.hidden, shown_as="hidden")
        world.change(world.hidden, shown_as="name")
        assert Entry.objects.get(pk=world.plain.pk).team.name.startswith("Quetzalcoatl Wilhelmine")
        assert PublishedRow.objects.filter(name__contains="Quetzalcoatl").count() == 0

    def test_a_team_that_is_named_otherwise_keeps_its_name(self, world: World) -> None:
        team = rename_team(actor=world.actor, team_id=world.plain.team_id, version=None, name="Les Renards")
        world.change(world.hidden, shown_as="hidden")
        team.refresh_from_db()
        assert team.name == "Les Renards"

    def test_a_team_named_after_who_hides_is_named_no_more(self, world: World) -> None:
        world.change(world.sister, shown_as="hidden")
        assert Entry.objects.get(pk=world.named.pk).team.name == f"Anonyme {world.sister.pk} – Bo Martin"

    def test_a_team_is_not_renamed_after_who_is_hidden(self, world: World) -> None:
        world.change(world.hidden, shown_as="hidden")
        with pytest.raises(UserFault) as fault:
            rename_team(
                actor=world.actor, team_id=world.plain.team_id, version=None, name="Wilhelmine Quetzalcoatl & Co"
            )
        assert fault.value.code == "hidden-name"

    def test_without_a_name_it_is_called_like_its_players_again(self, world: World) -> None:
        rename_team(actor=world.actor, team_id=world.plain.team_id, version=None, name="Les Renards")
        again = rename_team(actor=world.actor, team_id=world.plain.team_id, version=None, name=" ")
        assert (again.name, again.is_named) == ("Quetzalcoatl Wilhelmine – Ana Etxeberria", False)


class TestMinors:
    """Minors are hidden until somebody chooses otherwise."""

    def test_a_minor_is_made_hidden(self) -> None:
        minor = add_player(actor=ANYBODY, name="Ane", is_minor=True)
        assert (minor.shown_as, minor.shows_club) == ("hidden", False)

    def test_unless_it_is_said_how(self) -> None:
        minor = add_player(actor=ANYBODY, name="Ane", is_minor=True, shown_as="initials", shows_club=True)
        assert (minor.shown_as, minor.shows_club) == ("initials", True)

    def test_who_is_noted_as_one_hides_and_may_be_shown_then(self) -> None:
        player = PlayerFactory()

        def change(**changes: Any) -> Player:
            return change_player(actor=ANYBODY, player_id=player.pk, version=None, changes=changes)

        assert change(is_minor=True, shown_as="name").shown_as == "hidden"
        assert change(is_minor=True, shown_as="name").shown_as == "name"
        assert change(is_minor=False).shown_as == "name"
        assert change(is_minor=True, shown_as="initials").shown_as == "initials"

    def test_a_team_entered_with_a_minor_never_had_the_name(self, world: World) -> None:
        minor = world.somebody("Quetzalcoatl Neu", is_minor=True)
        entry = world.enter(minor, world.somebody("Cy"))
        assert entry.team.name == f"Anonyme {minor.pk} – Cy"

    def test_nobody_is_shown_in_a_way_that_there_is_not(self) -> None:
        with pytest.raises(UserFault, match="unknown-choice"):
            add_player(actor=ANYBODY, name="Ane", shown_as="loudly")
