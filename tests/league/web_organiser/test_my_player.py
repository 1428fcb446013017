"""One's own profile: taken over by link or code, seen whole, corrected, shown or hidden, left."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Championship, Entry, Partie, Player, User
from league.policy import ANYBODY
from league.services.claims import make_claim_code, send_claim_link
from league.services.entries import enter_players
from league.services.numbers import add_number
from league.web.organiser.deeds import new_key
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    owner_of,
)

pytestmark = pytest.mark.django_db

AT = "/en/account/player/"
ACCOUNT = {"display_name": "Zoé", "password": "a phrase that nobody guesses"}
Change = Callable[..., Any]


@pytest.fixture
def player() -> Player:
    """Entered in a public championship, and in a draft."""
    player = PlayerFactory(name="Zoé Çelik", email="zoe@example.org", licence="FR12")
    for settings in ({"name": "Coupe ouverte"}, {"name": "Coupe secrète", "visibility": "draft"}):
        championship = ChampionshipFactory(**settings)
        enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])
    return player


@pytest.fixture
def mine(player: Player, client: Client) -> Client:
    """The player's own browser."""
    user = UserFactory()
    Player.objects.filter(pk=player.pk).update(user=user)
    client.force_login(user)
    return client


@pytest.fixture
def change(mine: Client, player: Player) -> Change:
    """Send the form of one's profile."""

    def change(**said: str) -> Any:
        player.refresh_from_db()
        whole = {"name": player.name, "email": player.email, "club": "", "shown_as": "name", "shows_club": "on"}
        return mine.post(AT, {"do": "change", "key": new_key(), "version": player.version, **whole, **said})

    return change


class TestOnesOwn:
    """The page of one's own profile."""

    def test_shows_all_that_is_kept(self, mine: Client, player: Player) -> None:
        add_number(actor=ANYBODY, player_id=player.pk, system="FFMB", number="4711")
        page = mine.get(AT).content.decode()
        for text in ("Zoé Çelik", "zoe@example.org", "FR12", "FFMB 4711", "Coupe ouverte", "Coupe secrète"):
            assert text in page, text

    def test_is_corrected_and_hidden(self, change: Change, player: Player) -> None:
        club = ClubFactory()
        answer = change(name="Zoé Martin", email="new@example.org", club=club.name, shown_as="initials", shows_club="")
        assert answer.status_code == 302
        player.refresh_from_db()
        assert (player.name, player.email, player.club, player.shown_as) == (
            "Zoé Martin",
            "new@example.org",
            club,
            "initials",
        )
        assert {team.name for team in player.teams.all()} == {"Z. M."}
        page = Client().get(f"/en/players/{player.pk}/").content.decode()
        assert "Z. M." in page
        assert club.name not in page

    def test_makes_no_club(self, change: Change) -> None:
        answer = change(club="A club that nobody knows")
        assert answer.status_code == 422
        assert "No club of this name is known" in answer.content.decode()

    def test_keeps_what_stale_typing_would_overwrite(self, change: Change, mine: Client, player: Player) -> None:
        change(name="Zoé Martin")
        said = {"name": "Old", "email": "", "club": "", "shown_as": "name", "key": new_key(), "version": 1}
        answer = mine.post(AT, {"do": "change", **said})
        assert answer.status_code == 412
        player.refresh_from_db()
        assert player.name == "Zoé Martin"

    def test_changes_nobody_else(self, change: Change, player: Player) -> None:
        other = PlayerFactory()
        change(player_id=str(other.pk), id=str(other.pk), licence="X9", is_minor="on", name="Zoé Martin")
        other.refresh_from_db()
        player.refresh_from_db()
        assert (other.name == "Zoé Martin", player.licence, player.is_minor) == (False, "FR12", False)

    def test_is_left(self, mine: Client, player: Player) -> None:
        assert mine.post(AT, {"do": "leave", "key": new_key()}).status_code == 302
        player.refresh_from_db()
        assert (player.user, player.name) == (None, "Zoé Çelik")
        assert "no profile of a player yet" in mine.get(AT).content.decode()

    def test_is_anonymised(self, mine: Client, player: Player) -> None:
        at = f"{AT}anonymise/"
        assert mine.post(at, {"do": "anonymise", "key": new_key(), "name": "Zoé Çelik"}).status_code == 422
        sure = {"do": "anonymise", "key": new_key(), "name": "Zoé Çelik", "sure": "on"}
        assert mine.post(at, sure).status_code == 302
        player.refresh_from_db()
        assert player.name == f"Anonyme {player.pk}"
        assert mine.get(at).status_code == 404

    def test_asks_to_sign_in(self, player: Player) -> None:
        for address in (AT, f"{AT}anonymise/"):
            assert Client().get(address).status_code == 302

    def test_queries_do_not_grow(self, mine: Client, player: Player) -> None:
        def cost() -> int:
            with CaptureQueriesContext(connection) as queries:
                assert mine.get(AT).status_code == 200
            return len(queries)

        cost()
        before = cost()
        for number in range(3):
            championship = ChampionshipFactory()
            enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])
            add_number(actor=ANYBODY, player_id=player.pk, system="S", number=str(number))
        assert cost() == before

    def test_an_account_made_so_makes_no_championship(self, player: Player, client: Client) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        client.post("/en/claim/", {"code": code, "email": "n@example.org", **ACCOUNT})
        assert client.get(AT).status_code == 200
        assert client.get("/en/organise/new/").status_code == 403


class TestTakingOver:
    """The pages of a link and of a code."""

    @pytest.fixture(autouse=True)
    def _fresh(self) -> None:
        cache.clear()

    @pytest.fixture
    def link(self, player: Player) -> str:
        """The address of a link that was sent."""
        tokens: list[str] = []
        send_claim_link(actor=ANYBODY, player_id=player.pk, link=lambda token: tokens.append(token) or token)
        return f"/en/claim/{tokens[0]}/"

    def test_a_link_makes_an_account_and_signs_it_in(self, link: str, player: Player, client: Client) -> None:
        assert "Are you Zoé Çelik?" in client.get(link).content.decode()
        answer = client.post(link, ACCOUNT)
        assert (answer.status_code, answer.headers["Location"]) == (302, AT)
        assert User.objects.get(player=player).email == "zoe@example.org"
        assert "Zoé Çelik" in client.get(AT).content.decode()
        assert Client().get(link).status_code == 404

    def test_a_link_is_taken_by_who_is_signed_in(self, link: str, player: Player, client: Client) -> None:
        user = UserFactory()
        client.force_login(user)
        assert client.post(link).status_code == 302
        player.refresh_from_db()
        assert player.user == user

    def test_an_address_that_is_known_signs_in(self, link: str, player: Player, client: Client) -> None:
        UserFactory(email="zoe@example.org")
        assert f"sign-in/?next={link}" in client.get(link).content.decode()
        client.post(link, ACCOUNT)
        player.refresh_from_db()
        assert player.user is None

    def test_a_second_profile_is_refused_with_a_word(self, link: str, client: Client) -> None:
        user = UserFactory()
        PlayerFactory(user=user)
        client.force_login(user)
        answer = client.post(link, follow=True)
        assert "Your account has a profile already" in answer.content.decode()

    def test_anybody_asks_for_a_link_and_learns_nothing(
        self, player: Player, client: Client, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
    ) -> None:
        without = PlayerFactory(email="")
        championship = ChampionshipFactory()
        enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[without.pk])
        pages = []
        for one in (player, without):
            with django_capture_on_commit_callbacks(execute=True):
                answer = client.post(f"/en/players/{one.pk}/claim/", follow=True)
            pages.append("If an address is known of this player" in answer.content.decode())
        assert pages == [True, True]
        assert [mail.to for mail in mailoutbox] == [["zoe@example.org"]]

    def test_who_has_no_page_is_asked_for_no_link(self, player: Player, client: Client, mailoutbox: list[Any]) -> None:
        Player.objects.filter(pk=player.pk).update(shown_as="hidden")
        assert client.post(f"/en/players/{player.pk}/claim/").status_code == 404
        assert client.get(f"/en/players/{player.pk}/claim/").status_code == 405

    def test_links_are_asked_for_a_few_times(self, player: Player, client: Client) -> None:
        statuses = [client.post(f"/en/players/{player.pk}/claim/").status_code for _n in range(6)]
        assert statuses == [302] * 5 + [429]

    def test_codes_are_tried_a_few_times(self, player: Player, client: Client) -> None:
        client.force_login(UserFactory())
        statuses = [client.post("/en/claim/", {"code": f"{player.pk}-AAAA-AAAA"}).status_code for _n in range(11)]
        assert statuses == [422] * 10 + [429]

    def test_what_is_wrong_with_a_new_account_is_said_at_its_field(self, player: Player, client: Client) -> None:
        code = make_claim_code(actor=ANYBODY, player_id=player.pk)
        answer = client.post(
            "/en/claim/", {"code": code, "email": "n@example.org", "display_name": "N", "password": "x"}
        )
        assert answer.status_code == 422
        player.refresh_from_db()
        assert player.user is None

    def test_pages_of_links_send_no_address_on_and_are_not_kept(self, link: str, client: Client) -> None:
        answer = client.get(link)
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Referrer-Policy"] == "same-origin"


class TestWhereOnePlays:
    """Whoever plays and runs nothing is led to the table, not to a room of organisers."""

    def test_the_profile_and_the_first_page_lead_to_the_table_of_now(self, mine: Client, player: Player) -> None:
        for entry in Entry.objects.filter(team__members__player=player):
            other = EntryFactory(championship=entry.championship)
            PartieFactory(championship=entry.championship, entries=[entry, other], round=3, table_number=6)
        public = Championship.objects.get(name="Coupe ouverte")
        for address in (AT, "/en/organise/"):
            page = mine.get(address).content.decode()
            assert "Table 6, round 3" in page
            assert f'href="/en/championships/{public.slug}/parties/1/"' in page
            assert f'href="/en/championships/{public.slug}/entries/1/"' in page
            assert page.count("Table 6") == 1, "a draft has no pages for its players"
        Partie.objects.update(status="void", closed_at=timezone.now(), reason="x")
        assert "You play now" not in mine.get(AT).content.decode()

    def test_the_menu_names_what_is_there(self, mine: Client) -> None:
        User.objects.update(may_organise=False)
        page = mine.get("/en/").content.decode()
        assert "My championships</a>" in page
        assert ">Organise</a>" not in page
        User.objects.update(may_organise=True)
        assert ">Organise</a>" in mine.get("/en/").content.decode()

    def test_signing_in_leads_to_where_a_code_is_typed(self, client: Client) -> None:
        UserFactory()
        page = client.get("/en/account/sign-in/").content.decode()
        assert 'href="/en/claim/"' in page
        assert "for those who organise" not in page
