"""What the pages of a table say of who enters, who confirms and who plays in which order, by the championship's way."""

import pytest
from django.test import Client

from league.models import Confirmation, Membership, Partie, Role
from league.table_codes import table_address
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db

AT = "/en/organise/cup/parties/1/"


def _table(confirmation: str = "at_once", **settings: int) -> Partie:
    cup = ChampionshipFactory(slug="cup", confirmation=confirmation, **settings)
    partie = PartieFactory(championship=cup)
    Partie.objects.filter(pk=partie.pk).update(table_number=1)
    return partie


def _owner(partie: Partie) -> Client:
    client, user = Client(), owner_of(partie.championship).user
    assert user is not None
    client.force_login(user)
    return client


def _signed_in(partie: Partie, role: str) -> Client:
    client, user = Client(), UserFactory()
    tables = [1] if role == Role.SCORER else []
    Membership.objects.create(user=user, championship=partie.championship, role=role, tables=tables)
    client.force_login(user)
    return client


@pytest.mark.parametrize("confirmation", Confirmation.values)
def test_a_slip_promises_what_its_page_gives(confirmation: str) -> None:
    partie = _table(confirmation)
    slip = said(_owner(partie).get("/en/organise/cup/print/slips/?round=1"))
    page = said(Client(headers={"accept-language": "en"}).get(table_address(partie), follow=True))
    takes = "the organisers enter the results" not in page
    assert ("Enter the result here" in slip) == takes == (confirmation != "at_once")
    assert ("Look at your table here" in slip) != takes


@pytest.mark.parametrize(
    ("confirmation", "words"),
    [
        ("at_once", "Results are entered by the organisers"),
        ("organiser", "each side enters; an organiser confirms"),
        ("opponent", "each side enters, confirms and contests"),
        ("second_entry", "two sides enter the same manche"),
    ],
)
def test_the_partie_says_what_a_side_may_do(confirmation: str, words: str) -> None:
    assert words in said(_owner(_table(confirmation)).get(AT))


class TestASecondEntry:
    @pytest.fixture
    def partie(self) -> Partie:
        partie = _table("second_entry")
        play(partie)
        return partie

    ROUND = "/en/organise/cup/parties/?round=1"

    def test_is_not_offered_to_whoever_made_the_first(self, partie: Partie) -> None:
        own = said(_owner(partie).get(self.ROUND))
        assert "Manche 1 waits for the second entry, by somebody else" in own
        assert "Second entry of manche 1" not in own

    def test_is_offered_to_others(self, partie: Partie) -> None:
        assert "Second entry of manche 1" in said(_signed_in(partie, Role.REFEREE).get(self.ROUND))

    def test_is_waited_for_not_confirmed(self, partie: Partie) -> None:
        own = said(_owner(partie).get(AT + "manches/1/"))
        assert "It waits for the second entry" in own
        assert "Does this count?" not in own
        assert "Make the second entry" not in own
        assert "Make the second entry" in said(_signed_in(partie, Role.REFEREE).get(AT + "manches/1/"))

    def test_that_never_comes_is_done_without(self, partie: Partie) -> None:
        client = _owner(partie)
        assert "No second entry will come" in said(client.get(AT + "manches/1/"))
        assert client.post(AT + "manches/1/", {"do": "confirm", "key": "k", "version": 1}).status_code == 302
        assert partie.manches.get(number=1).status == "confirmed"


class TestTheOrderOfPlay:
    def test_has_names_on_every_page_of_a_table(self) -> None:
        cup = ChampionshipFactory(slug="cup", confirmation="opponent")
        entries = [EntryFactory(championship=cup, name=name) for name in ("Kim", "Lou")]
        partie = PartieFactory(championship=cup, entries=entries)
        client = _owner(partie)
        for page in (AT, AT + "manches/1/", AT + "manches/1/sheet/", AT + "manches/1/log/"):
            assert "In order of play: a1 Kim · b1 Lou" in said(client.get(page)), page
        assert "In order of play: a1 Kim · b1 Lou" in said(
            Client(headers={"accept-language": "en"}).get(table_address(partie), follow=True)
        )

    def test_of_pairs_has_the_players(self) -> None:
        cup = ChampionshipFactory(slug="cup", players_per_team=2)
        partie = PartieFactory(championship=cup)
        players = [
            member.player.name
            for seat in partie.seats.order_by("label")
            for member in seat.entry.team.members.order_by("position")
        ]
        a1, a2, b1, b2 = players
        assert f"a1 {a1} · b1 {b1} · a2 {a2} · b2 {b2}" in said(_owner(partie).get(AT))


@pytest.mark.parametrize("form", ["sheet", "log"])
def test_a_table_scorer_is_led_to_no_page_that_is_not_theirs(form: str) -> None:
    partie = _table()
    scorers = _signed_in(partie, Role.SCORER).get(f"{AT}manches/1/{form}/").content.decode()
    assert f'href="{AT}"' not in scorers
    assert "My tables" in scorers
    assert f'href="{AT}"' in _owner(partie).get(f"{AT}manches/1/{form}/").content.decode()
