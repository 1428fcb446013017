"""Players as organisers look after them: shown or hidden, numbered, handed over, merged, anonymised, substituted."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Player, PlayerMerge, PlayerNumber, StandIn, Substitute
from league.services.championships import change_championship
from league.services.entries import enter_players
from league.services.people import add_player
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, PlayerFactory, owner_of, play, sheet
from tests.league.web_organiser.conftest import HOME, Hall

pytestmark = pytest.mark.django_db

Send = Callable[..., Any]


def first(hall: Hall) -> Player:
    return hall.entries[0].team.players.get()


class TestAPlayer:
    """The page of one player."""

    def test_is_hidden_and_read_by_organisers(self, hall: Hall, send: Send, owner: Client, client: Client) -> None:
        player = first(hall)
        said = {"name": player.name, "licence": "", "email": "", "club": "", "shown_as": "hidden"}
        assert send(f"players/{player.pk}/", "change", version=1, **said).status_code == 302
        number = hall.entries[0].number
        public = client.get(f"/en/championships/coupe/entries/{number}/").content.decode()
        assert player.name not in public
        assert f"Anonyme {player.pk}" in public
        assert f"/players/{player.pk}/" not in public, "a page that is not there"
        for address in ("entries/", f"entries/{number}/", f"players/{player.pk}/", "players/", "parties/1/"):
            assert player.name in owner.get(HOME + address).content.decode(), address

    def test_is_given_a_code_that_is_shown_once(self, hall: Hall, send: Send, owner: Client, client: Client) -> None:
        player = first(hall)
        page = send(f"players/{player.pk}/", "code").content.decode()
        code = re.search(rf"<code>({player.pk}-\w{{4}}-\w{{4}})</code>", page)
        assert code is not None
        assert code[1] not in owner.get(f"{HOME}players/{player.pk}/").content.decode()
        new = {"code": code[1], "email": "n@example.org", "display_name": "N", "password": "a phrase nobody guesses"}
        assert client.post("/en/claim/", new).status_code == 302
        assert "has taken the profile over" in owner.get(f"{HOME}players/{player.pk}/").content.decode()
        assert send(f"players/{player.pk}/", "code").status_code == 409

    def test_is_sent_a_link(
        self, hall: Hall, send: Send, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
    ) -> None:
        player = first(hall)
        with django_capture_on_commit_callbacks(execute=True):
            assert send(f"players/{player.pk}/", "link").status_code == 302
        assert [mail.to for mail in mailoutbox] == [[player.email]]
        assert "http://testserver/en/claim/" in mailoutbox[0].body

    def test_has_numbers_by_which_it_is_found(self, hall: Hall, send: Send, owner: Client) -> None:
        player = first(hall)
        address = f"players/{player.pk}/"
        assert send(address, "number", system="FFMB", number="4711").status_code == 302
        other = hall.entries[1].team.players.get()
        taken = send(f"players/{other.pk}/", "number", system="FFMB", number="4711")
        assert taken.status_code == 409
        assert player.name in taken.content.decode()
        found = owner.get(f"{HOME}players/", {"q": "4711"}).content.decode()
        assert player.name in found
        assert other.name not in found
        assert send(address, "unnumber", number_id=PlayerNumber.objects.get().pk).status_code == 302
        assert not PlayerNumber.objects.exists()

    def test_a_minor_is_made_hidden(self, hall: Hall, send: Send) -> None:
        send("players/new/", "make", name="Ane Zubiri", is_minor="on", enter="on")
        player = Player.objects.get(name="Ane Zubiri")
        assert (player.shown_as, player.teams.get().name) == ("hidden", f"Anonyme {player.pk}")


class TestMerging:
    """Two profiles of one person."""

    @pytest.fixture
    def twin(self, hall: Hall) -> Player:
        """Of the same name, in another championship of the same owner."""
        player = first(hall)
        other = ChampionshipFactory(owner=hall.owner, slug="second")
        Player.objects.filter(pk=player.pk).update(licence="A1")
        twin = add_player(actor=owner_of(other), name=player.name, licence="B2", homonym=True)
        enter_players(actor=owner_of(other), championship_id=other.pk, player_ids=[twin.pk])
        return twin

    def test_are_found_looked_at_made_one_and_two_again(
        self, hall: Hall, send: Send, owner: Client, twin: Player, client: Client
    ) -> None:
        player = first(hall)
        at = f"players/{player.pk}/merge/"
        assert f"{at}{twin.pk}/" in owner.get(HOME + at).content.decode()
        both = owner.get(f"{HOME}{at}{twin.pk}/").content.decode()
        assert "A1" in both
        assert "B2" in both
        assert send(f"{at}{twin.pk}/", "merge", licence="merged", email="kept", reason="").status_code == 302
        player.refresh_from_db()
        assert (player.licence, player.teams.count()) == ("B2", 2)
        moved = client.get(f"/en/players/{twin.pk}/")
        assert (moved.status_code, moved.headers["Location"]) == (302, f"/en/players/{player.pk}/")
        assert send(at, "undo", merge=PlayerMerge.objects.get().pk).status_code == 302
        twin.refresh_from_db()
        assert (twin.licence, twin.teams.count()) == ("B2", 1)
        assert client.get(f"/en/players/{twin.pk}/").status_code == 200

    def test_two_who_met_are_told_so(self, hall: Hall, send: Send, owner: Client) -> None:
        player, other = first(hall), hall.entries[1].team.players.get()
        at = f"players/{player.pk}/merge/{other.pk}/"
        assert "They sat at one table: partie 1" in owner.get(HOME + at).content.decode()
        refused = send(at, "merge", reason="", email="kept")
        assert refused.status_code == 409
        assert "They sat at one table" in refused.content.decode()

    def test_nobody_whom_one_may_not_change(self, hall: Hall, send: Send, owner: Client) -> None:
        player = first(hall)
        foreign = EntryFactory().team.players.get()
        Player.objects.filter(pk=foreign.pk).update(
            name=player.name, name_folded=player.name_folded, email="x@example.org"
        )
        page = owner.get(f"{HOME}players/{player.pk}/merge/").content.decode()
        assert f"merge/{foreign.pk}/" not in page
        assert (
            f"merge/{foreign.pk}/"
            not in owner.get(f"{HOME}players/{player.pk}/merge/", {"q": player.name}).content.decode()
        )
        assert owner.get(f"{HOME}players/{player.pk}/merge/{foreign.pk}/").status_code == 404
        assert send(f"players/{player.pk}/merge/{foreign.pk}/", "merge", reason="").status_code == 404

    def test_a_merge_of_somebody_else_is_not_undone_here(self, hall: Hall, send: Send) -> None:
        kept, merged = PlayerFactory.create_batch(2)
        other = PlayerMerge.objects.create(kept=kept, merged=merged)
        assert send(f"players/{first(hall).pk}/merge/", "undo", merge=other.pk).status_code == 404


class TestAnonymising:
    """Asked twice."""

    def test_takes_the_name_away(self, hall: Hall, send: Send, client: Client) -> None:
        player = first(hall)
        at = f"players/{player.pk}/anonymise/"
        assert send(at, "anonymise", name=player.name).status_code == 422
        assert send(at, "anonymise", sure="on", name="Somebody").status_code == 422
        player.refresh_from_db()
        assert player.anonymised_at is None
        assert send(at, "anonymise", sure="on", name=player.name).status_code == 302
        assert player.name not in client.get("/en/championships/coupe/entries/").content.decode()


class TestSubstitutes:
    """Teams of two."""

    @pytest.fixture
    def pairs(self, hall: Hall) -> Hall:
        """The same owner's championship of pairs, at the same address."""
        championship = hall.championship
        championship.slug = "singles"
        championship.save()
        hall.championship = ChampionshipFactory(
            owner=hall.owner, slug="coupe", players_per_team=2, substitution="named", substitution_limit=1
        )
        hall.entries = EntryFactory.create_batch(2, championship=hall.championship)
        hall.first = PartieFactory(championship=hall.championship, entries=hall.entries)
        return hall

    def test_are_named_and_sit_in(self, pairs: Hall, send: Send, owner: Client, client: Client) -> None:
        assert send("entries/1/substitutes/", "name", name="Quentin Zubiri").status_code == 302
        player = Player.objects.get(name="Quentin Zubiri")
        assert "Quentin Zubiri" in owner.get(f"{HOME}entries/1/substitutes/").content.decode()
        page = owner.get(f"{HOME}parties/1/who-plays/").content.decode()
        assert page.count("Quentin Zubiri") == 2, "in the lists of both places of the team"
        assert send("parties/1/who-plays/", "a2", place="a2", version=1, player=player.pk).status_code == 302
        assert StandIn.objects.get().player == player
        assert "Quentin Zubiri plays for" in client.get("/en/championships/coupe/parties/1/").content.decode()
        assert "Quentin Zubiri plays for" in owner.get(f"{HOME}parties/1/").content.decode()
        assert send("parties/1/who-plays/", "a2", place="a2", version=2, player="").status_code == 302
        assert not StandIn.objects.exists()

    def test_a_known_name_is_asked_about(self, pairs: Hall, send: Send) -> None:
        known = PlayerFactory(name="Quentin Zubiri")
        asked = send("entries/1/substitutes/", "name", name="quentin zubiri")
        assert asked.status_code == 422
        assert "Who is “quentin zubiri”?" in asked.content.decode()
        field = re.search(r'name="(who-[^"]+)"', asked.content.decode())
        assert field is not None
        answer = send("entries/1/substitutes/", "name", name="quentin zubiri", **{field[1]: str(known.pk)})
        assert answer.status_code == 302
        assert Substitute.objects.get().player == known

    def test_once_a_result_is_in_a_reason_is_asked_for(self, pairs: Hall, send: Send) -> None:
        send("entries/1/substitutes/", "name", name="Quentin Zubiri")
        play(pairs.first, 1, sheet(players_per_team=2))
        said = {"place": "a1", "version": pairs.first.version, "player": Player.objects.latest("pk").pk}
        assert send("parties/1/who-plays/", "a1", **said).status_code == 422
        assert send("parties/1/who-plays/", "a1", **said, reason="Ill").status_code == 302

    def test_somebody_who_is_not_in_the_list_is_refused(self, pairs: Hall, send: Send) -> None:
        said = {"place": "a1", "version": 1, "player": PlayerFactory().pk}
        assert send("parties/1/who-plays/", "a1", **said).status_code == 422
        assert not StandIn.objects.exists()

    def test_are_offered_by_no_page_where_nobody_may(self, pairs: Hall, owner: Client) -> None:
        settings = {"substitution": "none", "substitution_limit": None}
        change_championship(
            actor=owner_of(pairs.championship), championship_id=pairs.championship.pk, version=None, settings=settings
        )
        assert "who-plays" not in owner.get(f"{HOME}parties/1/").content.decode()
        assert "substitutes" not in owner.get(f"{HOME}entries/1/").content.decode()
        assert "Note it" not in owner.get(f"{HOME}parties/1/who-plays/").content.decode()


def test_queries_do_not_grow_with_people(hall: Hall, owner: Client) -> None:
    player = first(hall)
    at = f"{HOME}players/{player.pk}/"
    addresses = (f"{HOME}players/", at, f"{at}merge/", f"{at}merge/{hall.entries[2].team.players.get().pk}/")

    def cost() -> list[int]:
        counts = []
        for address in addresses:
            with CaptureQueriesContext(connection) as queries:
                assert owner.get(address, {"q": "Joueuse"}).status_code == 200
            counts.append(len(queries))
        return counts

    before = cost()
    EntryFactory.create_batch(5, championship=hall.championship)
    PlayerNumber.objects.bulk_create(PlayerNumber(player=player, system="S", number=str(n)) for n in range(5))
    for _n in range(3):
        other = ChampionshipFactory(owner=hall.owner)
        enter_players(actor=owner_of(other), championship_id=other.pk, player_ids=[player.pk])
        PlayerMerge.objects.create(kept=player, merged=PlayerFactory())
    assert cost() == before
