"""Where somebody comes to after a sheet, and what is said: whoever may confirm goes on to the next table at once."""

import pytest
from django.test import Client

from league.models import Manche, Membership, Partie, Result, Role
from league.services.moving import move_result
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, owner_of, play, sheet
from tests.league.web_organiser.conftest import cells
from tests.league.web_organiser.test_account_pages import said

pytestmark = pytest.mark.django_db

AT = "/en/organise/cup/parties/1/"


def _tables(confirmation: str) -> list[Partie]:
    cup = ChampionshipFactory(slug="cup", confirmation=confirmation, partie_end="manches", partie_end_value=3)
    parties = [PartieFactory(championship=cup) for _ in range(2)]
    for table, partie in enumerate(parties, 1):
        Partie.objects.filter(pk=partie.pk).update(table_number=table)
    return parties


def _browser(partie: Partie, role: str = "") -> Client:
    client, user = Client(), owner_of(partie.championship).user
    if role:
        user = UserFactory()
        tables = [1] if role == Role.SCORER else []
        Membership.objects.create(user=user, championship=partie.championship, role=role, tables=tables)
    assert user is not None
    client.force_login(user)
    return client


@pytest.mark.parametrize("confirmation", ["opponent", "organiser"])
@pytest.mark.parametrize("role", ["", Role.ORGANISER, Role.REFEREE])
def test_who_may_confirm_enters_once_and_goes_on(confirmation: str, role: str) -> None:
    client = _browser(_tables(confirmation)[0], role)
    answer = client.post(AT + "manches/1/sheet/", cells() | {"key": "k"}, follow=True)
    text = said(answer)
    assert Result.objects.get().state == "confirmed"
    assert "counts at once: an organiser entered it" in text
    assert "Next: table 2" in text


def test_what_a_table_scorer_enters_waits() -> None:
    client = _browser(_tables("opponent")[0], Role.SCORER)
    answer = client.post(AT + "manches/1/sheet/", cells() | {"key": "k"}, follow=True)
    assert Result.objects.get().state == "pending"
    assert "It counts once it is confirmed" in said(answer)


def test_where_results_count_at_once_nothing_more_is_said() -> None:
    client = _browser(_tables("at_once")[0])
    text = said(client.post(AT + "manches/1/sheet/", cells() | {"key": "k"}, follow=True))
    assert "Manche 1 is recorded." in text
    assert "an organiser entered it" not in text


class TestAfterAResultWasMovedAway:
    """Version 2 of the manche that it left is its first own result: it corrects nothing."""

    @pytest.fixture
    def client(self) -> Client:
        first, second = _tables("at_once")
        play(first)
        move_result(
            actor=owner_of(first.championship),
            manche_id=Manche.objects.get(partie=first, number=1).pk,
            version=1,
            partie_number=second.number,
            manche_number=1,
            reason="Typed at the wrong table",
        )
        play(second, 2, sheet({"A": 1000, "B": 25}))
        return _browser(first)

    def test_the_next_table_is_offered(self, client: Client) -> None:
        Manche.objects.filter(partie__number=2, current_result=None).delete()
        third = PartieFactory(championship=Partie.objects.get(number=1).championship)
        Partie.objects.filter(pk=third.pk).update(table_number=3)
        text = said(client.post(AT + "manches/1/sheet/", cells() | {"key": "k"}, follow=True))
        assert "Manche 1 is recorded." in text
        assert "Next: table 3" in text

    def test_it_is_not_called_corrected(self, client: Client) -> None:
        client.post(AT + "manches/1/sheet/", cells() | {"key": "k"})
        assert Result.objects.get(manche__partie__number=1, version=2).supersedes is None
        for page in (AT, "/en/championships/cup/parties/1/", "/en/championships/cup/parties/1/manches/1/"):
            assert "corrected" not in said(client.get(page)), page

    def test_what_is_corrected_is_called_so(self, client: Client) -> None:
        play(Partie.objects.get(number=2), 1, sheet({"A": 1000, "B": 50}), reason="Misread", replaces=1)
        for page in ("/en/organise/cup/parties/2/", "/en/championships/cup/parties/2/"):
            assert "corrected" in said(client.get(page)), page
