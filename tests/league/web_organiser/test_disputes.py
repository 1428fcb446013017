"""The referee's pages: disputes with their threads and decisions, results accepted together."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from league.models import Championship, Dispute, Membership, Partie, Role
from league.services.confirmation import contest
from league.services.disputes import say
from league.web.organiser.deeds import new_key
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, play, sheet
from tests.league.table_cases import enter, seen, side, state_of
from tests.league.web_organiser.conftest import cells
from tests.reading import reads_number

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    cache.clear()
    with override("en"):
        yield


@pytest.fixture
def cup() -> Championship:
    return ChampionshipFactory(
        slug="cup", name="Cup", confirmation="opponent", partie_end="manches", partie_end_value=3
    )


def opened(cup: Championship, round_number: int = 1) -> Partie:
    """A partie with a result that A has handed in."""
    partie = PartieFactory(championship=cup, entries=EntryFactory.create_batch(2, championship=cup), round=round_number)
    enter(partie, "A")
    return partie


def contested(cup: Championship) -> tuple[Partie, Dispute]:
    partie = opened(cup)
    return partie, contest(actor=side(partie, "B"), text="We had <i>500</i> km", **seen(partie))


def browser(cup: Championship, role: str = "") -> Client:
    client = Client()
    user = cup.created_by
    if role:
        user = UserFactory()
        Membership.objects.create(user=user, championship=cup, role=role)
    client.force_login(user)
    return client


def listed(client: Client, rest: str = "") -> str:
    return str(client.get(f"/en/organise/cup/disputes/{rest}").content.decode())


def send(client: Client, rest: str, do: str, **said: object) -> int:
    return int(client.post(f"/en/organise/cup/disputes/{rest}", {"do": do, "key": new_key(), **said}).status_code)


def test_disputes_are_listed_and_counted_on_every_page(cup: Championship) -> None:
    _partie, dispute = contested(cup)
    client = browser(cup)
    page = listed(client)
    assert f"/en/organise/cup/disputes/{dispute.pk}/" in page
    assert 'Disputes <span class="badge bad">1</span>' in client.get("/en/organise/cup/entries/").content.decode()
    assert "contested" in client.get("/en/organise/cup/").content.decode()
    assert "1 contested" in client.get("/en/organise/").content.decode()


def test_the_referee_speaks_and_decides_and_everybody_reads_the_decision_only(cup: Championship) -> None:
    partie, dispute = contested(cup)
    referee = browser(cup, Role.REFEREE)
    page = listed(referee, f"{dispute.pk}/")
    assert "We had &lt;i&gt;500&lt;/i&gt; km" in page
    assert "1400" in page
    assert send(referee, f"{dispute.pk}/", "say", text="I come") == 302
    assert send(referee, f"{dispute.pk}/", "decide", version=1, how="stands", reason="") == 422
    assert send(referee, f"{dispute.pk}/", "decide", version=1, how="second", reason="x") == 422
    assert send(referee, f"{dispute.pk}/", "decide", version=1, how="stands", reason="I saw the cards") == 302
    assert state_of(partie) == "confirmed"
    public = Client().get("/en/championships/cup/parties/1/manches/1/").content.decode()
    assert "Decided by the referee:" in public
    assert "I saw the cards" in public
    assert not reads_number(public, 500)
    assert "I saw the cards" in listed(referee, f"{dispute.pk}/")
    assert "The decision" not in listed(referee, f"{dispute.pk}/")


def test_a_decision_twice_is_one(cup: Championship) -> None:
    _partie, dispute = contested(cup)
    client, key = browser(cup), new_key()
    said = {"do": "decide", "key": key, "version": 1, "how": "stands", "reason": "So"}
    for _ in range(2):
        assert client.post(f"/en/organise/cup/disputes/{dispute.pk}/", said).status_code == 302


def test_both_entries_stand_side_by_side() -> None:
    cup = ChampionshipFactory(slug="cup", confirmation="second_entry")
    partie = opened(cup)
    enter(partie, "B", 500)
    client = browser(cup)
    page = listed(client, f"{Dispute.objects.get().pk}/")
    assert "Entered first" in page
    assert "The second entry counts instead." in page
    assert send(client, f"{Dispute.objects.get().pk}/", "decide", version=1, how="second", reason="B is right") == 302
    assert "500" in Client().get("/en/championships/cup/parties/1/manches/1/").content.decode()


def test_all_that_agree_are_accepted_by_one_button(cup: Championship) -> None:
    first, second = opened(cup), opened(cup, 2)
    quarrel, _dispute = contested(cup)
    client = browser(cup)
    page = listed(client)
    assert "2 results agree with their tables" in page
    seen_there = page.split('name="seen" value="')[1].split('"')[0]
    contest(actor=side(second, "B"), text="No", **seen(second))

    answer = client.post(
        "/en/organise/cup/disputes/", {"do": "accept", "key": new_key(), "seen": seen_there}, follow=True
    )

    said = answer.content.decode()
    assert "1 result counts now." in said
    assert "Not accepted: Partie 2, manche 1: This result is contested" in said
    assert [state_of(one) for one in (first, second, quarrel)] == ["confirmed", "contested", "contested"]


def test_one_round_is_accepted_by_itself(cup: Championship) -> None:
    first, second = opened(cup), opened(cup, 2)
    client = browser(cup)
    page = listed(client, "?round=2")
    assert "1 result agrees with its table" in page
    seen_there = page.split('name="seen" value="')[1].split('"')[0]
    assert send(client, "?round=2", "accept", seen=seen_there) == 302
    assert [state_of(one) for one in (first, second)] == ["pending", "confirmed"]


@pytest.mark.parametrize("text", ["", "x", "1:", "1:1;2:2", "1:1 " * 3, "9" * 40 + ":1"])
def test_a_list_that_no_page_has_shown_is_refused(cup: Championship, text: str) -> None:
    assert send(browser(cup), "", "accept", seen=text.strip("\n")) in (302, 422)


@pytest.mark.parametrize(
    ("role", "page", "deed"),
    [("referee", 200, 302), ("organiser", 200, 302), ("auditor", 200, 403), ("scorer", 403, 403)],
)
def test_who_sees_and_decides(cup: Championship, role: str, page: int, deed: int) -> None:
    partie = opened(cup)
    _other, dispute = contested(cup)
    client = browser(cup, role)
    assert client.get("/en/organise/cup/disputes/").status_code == page
    assert client.get(f"/en/organise/cup/disputes/{dispute.pk}/").status_code == page
    manche = partie.manches.get()
    assert send(client, "", "accept", seen=f"{manche.pk}:1") == deed
    assert send(client, f"{dispute.pk}/", "say", text="Hello") == deed
    assert send(client, f"{dispute.pk}/", "decide", version=1, how="stands", reason="So") == deed


def test_nobody_sees_a_dispute_of_another_championship(cup: Championship) -> None:
    _partie, dispute = contested(cup)
    other = ChampionshipFactory(slug="other")
    client = Client()
    client.force_login(other.created_by)
    assert client.get(f"/en/organise/other/disputes/{dispute.pk}/").status_code == 404
    assert client.get(f"/en/organise/cup/disputes/{dispute.pk}/").status_code == 403
    assert Client().get("/en/organise/cup/disputes/").status_code == 302


def test_the_page_of_a_contested_manche_leads_to_its_dispute(cup: Championship) -> None:
    _partie, dispute = contested(cup)
    page = browser(cup).get("/en/organise/cup/parties/1/manches/1/").content.decode()
    assert f"/en/organise/cup/disputes/{dispute.pk}/" in page


def test_the_desk_enters_the_second_without_seeing_the_first() -> None:
    cup = ChampionshipFactory(slug="cup", confirmation="second_entry")
    partie = PartieFactory(championship=cup)
    play(partie, document=sheet({"A": 1000, "B": 425}))
    referee = browser(cup, Role.REFEREE)
    at = "/en/organise/cup/parties/1/manches/1/sheet/"
    blind = referee.get(at).content.decode()
    assert not reads_number(blind, 425)
    assert "Somebody else has entered this manche." in blind
    assert reads_number(referee.get(f"{at}?correct=yes").content.decode(), 425)
    assert reads_number(browser(cup).get(at).content.decode(), 425)  # the owner's own
    assert referee.post(at, {"key": "k", **cells({"A": 1000, "B": 425})}).status_code == 302
    assert state_of(partie) == "confirmed"


def test_a_table_scorer_never_sees_the_first_entry() -> None:
    cup = ChampionshipFactory(slug="cup", confirmation="second_entry")
    partie = PartieFactory(championship=cup)
    Partie.objects.filter(pk=partie.pk).update(table_number=1)
    play(partie, document=sheet({"A": 1000, "B": 425}))
    scorer = UserFactory()
    Membership.objects.create(user=scorer, championship=cup, role=Role.SCORER, tables=[1])
    client = Client()
    client.force_login(scorer)
    at = "/en/organise/cup/parties/1/manches/1/"
    for rest in ("sheet/", "sheet/?correct=yes", "log/", "log/?correct=yes"):
        assert not reads_number(client.get(at + rest).content.decode(), 425)


def test_queries_do_not_grow(cup: Championship) -> None:
    _partie, dispute = contested(cup)
    opened(cup)
    client = browser(cup)

    def count() -> list[int]:
        counts = []
        for rest in ("", f"{dispute.pk}/"):
            client.get(f"/en/organise/cup/disputes/{rest}")
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/en/organise/cup/disputes/{rest}").status_code == 200
            counts.append(len(queries))
        return counts

    few = count()
    for _ in range(3):
        opened(cup, 2)
        contested(cup)
    for n in range(5):
        say(actor=side(dispute.manche.partie, "AB"[n % 2]), dispute_id=dispute.pk, text=f"Say {n}")
    assert count() == few
    assert max(few) <= 22, few
