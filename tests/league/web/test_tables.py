"""A table's pages at its secret address, without an account."""

import json
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Dispute, Membership, Partie, Result, Role
from league.services.championships import finish_championship
from league.services.disputes import say
from league.services.parties import close_partie
from tests.factories import EntryFactory, PartieFactory, UserFactory, owner_of, sheet
from tests.league.table_cases import enter, manche_of, side, state_of, table
from tests.league.web.phones import Phone, address
from tests.league.web_organiser.conftest import cells
from tests.reading import reads_number

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    cache.clear()


# ---- sides ----------------------------------------------------------------------------------------------------------


def test_a_phone_says_for_which_side_it_speaks_and_may_change_its_mind_until_it_has_acted() -> None:
    partie = table()
    phone = Phone(partie)
    assert "Who are you?" in phone.text()
    phone.post(do="side", side="A")
    assert "You speak for" in phone.text()
    assert phone.post(do="side", side="B").status_code == 302
    phone.post(do="side", side="A")
    assert phone.hand_in().status_code == 302
    refused = phone.post(do="side", side="B")
    assert refused.status_code == 403
    assert "You have acted for side A" in refused.content.decode()
    assert phone.post(do="confirm", **phone.about()).status_code == 409
    assert state_of(partie) == "pending"


def test_a_cookie_of_ones_own_making_is_worth_nothing() -> None:
    partie = table()
    enter(partie, "A")
    phone = Phone(partie)
    phone.client.cookies[f"table-{partie.pk}"] = "B:abc:def"
    assert phone.post(do="confirm", **phone.about()).status_code == 422
    assert state_of(partie) == "pending"


@pytest.mark.parametrize("label", ["", "C", "AB", "a"])
def test_there_are_no_other_sides(label: str) -> None:
    assert Phone(table()).post(do="side", side=label).status_code == 400


# ---- what is done at the table --------------------------------------------------------------------------------------


def test_one_side_enters_the_sheet_and_the_other_confirms_it() -> None:
    partie = table()
    a, b = Phone(partie, "A"), Phone(partie, "B")

    answer = a.hand_in()

    assert answer["Location"] == address(partie)
    assert "Another side of the table confirms it" in a.text()
    assert "Yes, confirm" in b.text()
    assert "1400" in b.text()
    assert b.post(do="confirm", **b.about()).status_code == 302
    assert state_of(partie) == "confirmed"
    assert "Now: manche 2" in a.text()
    result = Result.objects.get()
    assert (result.by, result.by_side, result.confirmed_side) == (None, "A", "B")


def test_what_the_page_asks_for_later_says_times_as_the_page_does() -> None:
    partie = table()
    Championship.objects.filter(pk=partie.championship_id).update(time_zone="Pacific/Auckland")
    Phone(partie, "A").hand_in()
    Result.objects.update(at=datetime(2026, 5, 3, 21, 30, tzinfo=UTC))
    phone = Phone(partie, "B")
    assert "at 09:30" in phone.text()
    assert "at 09:30" in phone.get("now/?seen=nothing").content.decode()


def test_the_same_form_sent_twice_is_one_result() -> None:
    partie = table()
    phone = Phone(partie, "A")
    assert [phone.hand_in().status_code for _ in range(2)] == [302, 302]
    assert Result.objects.count() == 1


def test_a_sheet_of_whoever_is_nobody_is_not_taken() -> None:
    partie = table()
    assert Phone(partie).hand_in().status_code == 422
    assert not Result.objects.exists()


def test_contesting_opens_a_thread_in_which_both_sides_speak_and_nothing_of_it_is_markup() -> None:
    partie = table()
    a, b = Phone(partie, "A"), Phone(partie, "B")
    a.hand_in()
    assert b.post(do="contest", text="<b>500</b> km", **b.about()).status_code == 302
    dispute = Dispute.objects.get()
    assert a.post(do="say", dispute=dispute.pk, text="Count again").status_code == 302
    for page in (a.text(), b.text()):
        assert "&lt;b&gt;500&lt;/b&gt; km" in page
        assert "Count again" in page
        assert "A referee decides" in page


def test_nobody_speaks_in_the_thread_of_another_table() -> None:
    partie, other = table(), table()
    enter(partie, "A")
    phone = Phone(partie, "B")
    phone.post(do="contest", text="No", **phone.about())
    stranger = Phone(other, "B")
    assert stranger.post(do="say", dispute=Dispute.objects.get().pk, text="Hello").status_code == 404
    assert Dispute.objects.get().messages.count() == 1


def test_too_long_a_message_comes_back_with_its_words() -> None:
    partie = table()
    enter(partie, "A")
    phone = Phone(partie, "B")
    answer = phone.post(do="contest", text="word " * 300, **phone.about())
    assert answer.status_code == 422
    assert "word word" in answer.content.decode()
    assert state_of(partie) == "pending"


def test_the_other_side_that_types_meanwhile_is_told_to_confirm_or_contest_and_loses_nothing() -> None:
    partie = table()
    b = Phone(partie, "B")
    assert b.get("manches/1/sheet/").status_code == 200
    enter(partie, "A")
    answer = b.hand_in(500)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "confirm or contest it" in page
    assert 'value="500"' in page
    assert b.get("manches/1/sheet/")["Location"] == address(partie)


def test_a_side_corrects_its_own() -> None:
    partie = table()
    a = Phone(partie, "A")
    a.hand_in()
    assert "Correct what we entered" in a.text()
    assert 'value="475"' in a.get("manches/1/sheet/").content.decode()
    assert a.hand_in(500, replaces="1", reason="Misread").status_code == 302
    assert manche_of(partie).current.version == 2  # type: ignore[union-attr]


def test_the_score_is_shown_while_it_is_typed() -> None:
    partie = table()
    answer = Phone(partie, "A").post("manches/1/sheet/score/", **cells())
    assert "1400" in answer.content.decode()


def test_a_log_or_a_sheet_can_be_handed_in_as_a_document() -> None:
    partie = table()
    phone = Phone(partie, "A")
    assert phone.get("manches/1/log/").status_code == 200
    refused = phone.post("manches/1/log/", key="k", text=json.dumps(sheet({"A": 990, "B": 0})))
    assert refused.status_code == 422
    assert phone.post("manches/1/log/", key="k", text=json.dumps(sheet())).status_code == 302
    assert state_of(partie) == "pending"


# ---- the blind second entry -----------------------------------------------------------------------------------------


def test_the_second_to_enter_sees_nothing_of_the_first() -> None:
    partie = table("second_entry")
    a, b = Phone(partie, "A"), Phone(partie, "B")
    a.hand_in(425)
    championship = partie.championship.slug
    pages = [
        b.text(),
        b.get("now/").content.decode(),
        b.get("manches/1/sheet/").content.decode(),
        b.get("manches/1/log/").content.decode(),
        Client().get(f"/en/championships/{championship}/parties/1/").content.decode(),
        Client().get(f"/en/championships/{championship}/parties/1/manches/1/").content.decode(),
        Client().get(f"/api/v1/championships/{championship}/parties/1/").content.decode(),
        Client().get(f"/api/v1/championships/{championship}/parties/1/manches/1/").content.decode(),
        Client().get(f"/api/v1/championships/{championship}/parties/1/manches/1/results/").content.decode(),
    ]
    for page in pages:
        assert not reads_number(page, 425)
        assert not reads_number(page, 1400)
    for gone in ("results/1/", "results/1/document/"):
        at = f"/api/v1/championships/{championship}/parties/1/manches/1/{gone}"
        assert Client().get(at).status_code == 404, at
    at = f"/en/championships/{championship}/parties/1/manches/1/versions/1/sheet.json"
    assert Client().get(at).status_code == 404
    assert "425" in a.text()  # one's own is no secret
    assert "Enter it without seeing it" in b.text()


def test_two_blind_entries_that_agree_count() -> None:
    partie = table("second_entry")
    Phone(partie, "A").hand_in()
    answer = Phone(partie, "B").hand_in()
    assert answer.status_code == 302
    assert state_of(partie) == "confirmed"


def test_two_blind_entries_that_differ_are_both_shown_to_both() -> None:
    partie = table("second_entry")
    a, b = Phone(partie, "A"), Phone(partie, "B")
    a.hand_in(425)
    b.hand_in(450)
    assert state_of(partie) == "contested"
    for page in (a.text(), b.text()):
        assert "425" in page
        assert "450" in page
        assert "Entered first" in page


# ---- who else comes, and when it is over ----------------------------------------------------------------------------


def test_an_organiser_who_scans_the_slip_gets_their_own_sheet_and_may_ask_for_the_table() -> None:
    partie = table()
    organiser = Client()
    organiser.force_login(partie.championship.created_by)
    slug = partie.championship.slug
    assert organiser.get(address(partie))["Location"] == f"/en/organise/{slug}/parties/1/manches/1/sheet/"
    assert organiser.get(address(partie, "?as=side")).status_code == 200
    enter(partie, "A")
    assert organiser.get(address(partie))["Location"] == f"/en/organise/{slug}/parties/1/manches/1/"


@pytest.mark.parametrize(("tables", "goes_on"), [([1], True), ([2], False)])
def test_a_table_scorer_gets_the_sheet_of_a_given_table_only(tables: list[int], goes_on: bool) -> None:
    partie = table()
    Partie.objects.filter(pk=partie.pk).update(table_number=1)
    scorer = UserFactory()
    Membership.objects.create(user=scorer, championship=partie.championship, role=Role.SCORER, tables=tables)
    phone = Client()
    phone.force_login(scorer)
    assert (phone.get(address(partie)).status_code == 302) is goes_on


def test_after_the_end_the_page_can_only_be_read() -> None:
    partie = table()
    a, b = Phone(partie, "A"), Phone(partie, "B")
    a.hand_in()
    b.post(do="confirm", **b.about())
    partie.refresh_from_db()
    owner = owner_of(partie.championship)
    close_partie(actor=owner, partie_id=partie.pk, version=partie.version, reason="Late")
    page = a.text()
    assert "The partie is over" in page
    assert "Enter the score sheet" not in page
    assert a.get("manches/2/sheet/").status_code == 302
    assert a.hand_in(500, replaces="1", reason="x").status_code == 409
    partie.championship.refresh_from_db()
    finish_championship(actor=owner, championship_id=partie.championship_id, version=None)
    assert a.get().status_code == 200


def test_where_results_count_at_once_players_are_sent_to_the_desk() -> None:
    page = Phone(table("at_once")).text()
    assert "the organisers enter the results" in page
    assert "Who are you?" not in page


# ---- keeping up to date ---------------------------------------------------------------------------------------------


def test_the_page_asks_for_news_and_is_told_when_there_is_none() -> None:
    partie = table()
    phone = Phone(partie, "B")
    seen = phone.text().split("now/?seen=")[1].split('"')[0]
    assert phone.get(f"now/?seen={seen}").status_code == 204
    enter(partie, "A")
    news = phone.get(f"now/?seen={seen}")
    assert news.status_code == 200
    assert "Yes, confirm" in news.content.decode()
    fresh = news.content.decode().split("now/?seen=")[1].split('"')[0]
    phone.post(do="contest", text="No", **phone.about())
    dispute = Dispute.objects.get()
    after = phone.text().split("now/?seen=")[1].split('"')[0]
    assert after != fresh
    say(actor=side(partie, "A"), dispute_id=dispute.pk, text="Why?")
    assert phone.get(f"now/?seen={after}").status_code == 200


def test_a_table_that_sends_too_much_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.web.tables.visit.SENDINGS", 3)
    monkeypatch.setattr("league.web.tables.visit.SENDINGS_IN", 3600)
    phone = Phone(table())
    answers = [phone.post(do="nothing").status_code for _ in range(4)]
    assert answers[0] == 400
    assert answers[-1] == 429


def test_a_table_that_hands_in_too_often_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.web.tables.visit.HAND_INS", 3)
    monkeypatch.setattr("league.web.tables.visit.HAND_INS_IN", 3600)
    partie = table()
    phone = Phone(partie, "A")
    refused = json.dumps(sheet({"A": 990, "B": 0}))
    answers = [phone.post("manches/1/log/", key="k", text=refused).status_code for _ in range(4)]
    assert (answers[0], answers[-2], answers[-1]) == (422, 422, 429)
    assert phone.hand_in().status_code == 429
    assert partie.attempts.count() == 3


def test_a_form_of_another_site_is_refused() -> None:
    partie = table()
    enter(partie, "A")
    client = Client(enforce_csrf_checks=True)
    assert client.post(address(partie), {"do": "side", "side": "B"}).status_code == 403


def test_queries_do_not_grow_with_manches_and_messages() -> None:
    partie = table(partie_end_value=9)
    phone = Phone(partie, "B")

    def count() -> int:
        phone.get()
        with CaptureQueriesContext(connection) as queries:
            assert phone.get().status_code == 200
        return len(queries)

    def contested(number: int) -> Dispute:
        enter(partie, "A", number=number)
        current = manche_of(partie, number).current
        assert current is not None
        phone.post(do="contest", text="No", manche=number, version=current.version)
        return Dispute.objects.get(closed_at__isnull=True)

    dispute = contested(1)
    few = count()
    for n in range(6):
        say(actor=side(partie, "AB"[n % 2]), dispute_id=dispute.pk, text=f"Once more, {n}")
    others = EntryFactory.create_batch(2, championship=partie.championship)
    PartieFactory(championship=partie.championship, entries=others)
    assert count() == few
    assert few <= 25
