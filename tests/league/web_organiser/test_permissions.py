"""Who may open and send what: every address of the organisers, for everybody (league/policy.py)."""

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver

from league.models import AuditEntry, Dispute, ListImport, Membership, User, Visibility, Webhook
from league.services.webhook_messages import new_secret
from league.web.organiser import urls
from tests.factories import UserFactory
from tests.league.web_organiser.conftest import HOME, Hall

IN, NO, GONE, ASKED = 200, 403, 404, 302
"""Shown; forbidden; not there for this one; asked to sign in."""

# address below the championship -> what comes for: nobody signed in, organiser of another one, organiser, owner
PAGES = {
    "": (ASKED, NO, IN, IN),
    "settings/": (ASKED, NO, NO, IN),
    "settings/keys/": (ASKED, NO, NO, IN),
    "settings/organisers/": (ASKED, NO, NO, IN),
    "settings/format/": (ASKED, NO, NO, IN),
    "settings/webhooks/": (ASKED, NO, NO, IN),
    "settings/webhooks/{webhook}/": (ASKED, NO, NO, IN),
    "mail/": (ASKED, NO, IN, IN),
    "stages/1/": (ASKED, NO, GONE, GONE),
    "tables/": (ASKED, NO, IN, IN),
    "entries/": (ASKED, NO, IN, IN),
    "entries/1/": (ASKED, NO, IN, IN),
    "entries/export.csv": (ASKED, NO, IN, IN),
    "entries/import/": (ASKED, NO, IN, IN),
    "entries/import/{list}/": (ASKED, NO, IN, IN),
    "check-in/": (ASKED, NO, IN, IN),
    "registrations/": (ASKED, NO, IN, IN),
    "players/": (ASKED, NO, IN, IN),
    "players/new/": (ASKED, NO, IN, IN),
    "players/{player}/": (ASKED, NO, IN, IN),
    "players/{player}/anonymise/": (ASKED, NO, NO, IN),
    "players/{player}/merge/": (ASKED, NO, IN, IN),
    "players/{player}/merge/{other}/": (ASKED, NO, IN, IN),
    "entries/1/substitutes/": (ASKED, NO, IN, IN),
    "parties/1/who-plays/": (ASKED, NO, IN, IN),
    "parties/": (ASKED, NO, IN, IN),
    "parties/round/": (ASKED, NO, IN, IN),
    "parties/draw/": (ASKED, NO, IN, IN),
    "parties/draft/": (ASKED, NO, ASKED, ASKED),  # led on to the parties: there is no draft
    "parties/go/": (ASKED, NO, ASKED, ASKED),  # led on to a table
    "parties/1/": (ASKED, NO, IN, IN),
    "parties/1/manches/1/": (ASKED, NO, IN, IN),
    "parties/1/manches/2/": (ASKED, NO, IN, IN),
    "parties/1/manches/1/sheet/": (ASKED, NO, IN, IN),
    "parties/2/manches/1/sheet/": (ASKED, NO, IN, IN),
    "parties/2/manches/1/log/": (ASKED, NO, IN, IN),
    "disputes/": (ASKED, NO, IN, IN),
    "disputes/{dispute}/": (ASKED, NO, IN, IN),
    "attempts/": (ASKED, NO, IN, IN),
    "attempts/{attempt}/": (ASKED, NO, IN, IN),
    "attempts/{attempt}/text": (ASKED, NO, IN, IN),
    "ranking/": (ASKED, NO, IN, IN),
    "print/": (ASKED, NO, IN, IN),
    "print/tables/": (ASKED, NO, IN, IN),
    "journal/": (ASKED, NO, IN, IN),
    "journal/audit/": (ASKED, NO, IN, IN),
}
EVERYBODY = ("nobody", "stranger", "organiser", "owner")

# what comes for: referee, table scorer of table 2, auditor, where it is not what most pages say that show the inside
HELPERS = ("referee", "scorer", "auditor")
MOST = (IN, NO, IN)
OTHERWISE = {
    "": (IN, ASKED, IN),  # led on to the scorer's tables
    "settings/": (NO, NO, NO),
    "settings/keys/": (NO, NO, NO),
    "settings/organisers/": (NO, NO, NO),
    "settings/format/": (NO, NO, NO),
    "settings/webhooks/": (NO, NO, NO),
    "settings/webhooks/{webhook}/": (NO, NO, NO),
    "mail/": (IN, IN, NO),
    "stages/1/": (GONE, NO, GONE),
    "tables/": (IN, IN, NO),
    "players/new/": (NO, NO, NO),
    "players/{player}/anonymise/": (NO, NO, NO),
    "players/{player}/merge/": (NO, NO, NO),
    "players/{player}/merge/{other}/": (NO, NO, NO),
    "entries/import/": (NO, NO, NO),
    "entries/import/{list}/": (NO, NO, NO),
    "parties/round/": (NO, NO, NO),
    "parties/draw/": (NO, NO, NO),
    "parties/draft/": (NO, NO, NO),
    "parties/go/": (ASKED, NO, ASKED),
    "parties/1/manches/1/sheet/": (IN, NO, NO),
    "parties/2/manches/1/sheet/": (IN, IN, NO),
    "parties/2/manches/1/log/": (IN, IN, NO),
}

# what only an owner may send; everything else an organiser may too
DEEDS = {
    "": {"open": NO, "finish": NO, "resume": NO},
    "settings/": {"change": NO},
    "settings/keys/": {"change": NO},
    "settings/format/": {"plan": NO, "add": NO},
    "settings/organisers/": {"invite": NO, "remove": NO, "role": NO, "withdraw": NO},
    "settings/webhooks/": {"make": NO},
    "settings/webhooks/{webhook}/": {
        **dict.fromkeys(("change", "pause", "resume", "renew", "remove", "test", "again"), NO)
    },
    "mail/": {"make": 422, "revoke": 422},
    "entries/": {"enter": 422},
    "check-in/": {"check_in": 422, "check_out": 422, "late": 422},
    "registrations/": {"accept": 422, "accept_clear": 422, "decline": 422, "settings": NO},
    "entries/import/": {"keep": 422},
    "entries/import/{list}/": {"settle": 422, "accept": 422, "discard": 422},
    "entries/1/": {"rename": 422, "withdraw": 422, "reinstate": 422, "penalise": 422},
    "players/new/": {"make": 422},
    "players/{player}/": {"change": 422, "number": 422, "unnumber": 422, "link": 422, "code": 422},
    "players/{player}/anonymise/": {"anonymise": NO},
    "players/{player}/merge/": {"undo": 422},
    "players/{player}/merge/{other}/": {"merge": 422},
    "entries/1/substitutes/": {"name": 422, "remove": 422},
    "parties/1/who-plays/": {"a1": 422},
    "parties/": {"open": 422, "bye": 422, "remove_bye": 422},
    "parties/round/": {"open": 422},
    "parties/draw/": {"draw": 422, "absent": 422, "back": 422},
    "parties/1/": {"close": 422, "void": 422, "reopen": 422, "forfeit": 422, "renew_link": 422, "postpone": 422},
    "disputes/": {"accept": 422},
    "disputes/{dispute}/": {"say": 422, "decide": 422},
    "parties/1/manches/1/": {
        **dict.fromkeys(("confirm", "settle", "penalise", "void", "reinstate", "move", "turn"), 422)
    },
    "parties/2/manches/1/sheet/": {"hand-in": 422},
    "parties/2/manches/1/log/": {"": 422},
    "ranking/": {"publish": 422},
}
REFEREES_TOO = (
    *("parties/1/", "parties/1/manches/1/", "parties/2/manches/1/sheet/", "parties/2/manches/1/log/"),
    *("disputes/", "disputes/{dispute}/", "mail/"),
)
"""Where a referee sends what an organiser sends."""
ALL_DEEDS = [(address, do, expected) for address, deeds in DEEDS.items() for do, expected in deeds.items()]


def whole(hall: Hall, address: str) -> str:
    """The address with the ids of this hall."""
    player = hall.entries[0].team.members.get().player_id
    read, _is_new = ListImport.objects.get_or_create(
        championship=hall.championship, file_name="list.csv", defaults={"by": hall.owner, "decisions": {"enter": True}}
    )
    other = hall.entries[2].team.members.get().player_id
    manche = hall.first.manches.get(number=1)
    dispute, _is_new = Dispute.objects.get_or_create(manche=manche, result=manche.current)
    webhook, _is_new = Webhook.objects.get_or_create(
        championship=hall.championship,
        defaults={"url": "https://hooks.example.org/", "secret": new_secret(), "created_by": hall.owner},
    )
    said = {"player": player, "other": other, "attempt": hall.attempt, "list": read.pk, "dispute": dispute.pk}
    return HOME + address.format(**said, webhook=webhook.pk)


def user(hall: Hall, who: str) -> User | None:
    """Who asks."""
    return {"nobody": None, "stranger": hall.stranger, "organiser": hall.organiser, "owner": hall.owner}[who]


def test_the_table_has_every_address() -> None:
    def below(pattern: URLPattern | URLResolver) -> int:
        if isinstance(pattern, URLPattern):
            return 1
        return sum(below(one) for one in pattern.url_patterns)

    addresses = sum(below(pattern) for pattern in urls._championship)
    shown = {address for address in PAGES if address not in ("parties/1/manches/2/", "parties/1/manches/1/sheet/")}
    assert addresses == len(shown) + 1, "one is only sent to: the score of a sheet"


@pytest.mark.sweep
@pytest.mark.parametrize("address", PAGES)
def test_who_may_open_a_page(hall: Hall, address: str) -> None:
    answers = [hall.client(user(hall, who)).get(whole(hall, address)) for who in EVERYBODY]
    assert tuple(answer.status_code for answer in answers) == PAGES[address]
    assert answers[0].headers["Location"].startswith("/en/account/sign-in/?next=")


@pytest.mark.sweep
@pytest.mark.parametrize(("address", "do", "expected"), ALL_DEEDS)
def test_who_may_send_a_deed(hall: Hall, address: str, do: str, expected: int) -> None:
    done = AuditEntry.objects.count()

    def status(who: str) -> int:
        return hall.client(user(hall, who)).post(whole(hall, address), {"do": do}).status_code

    assert status("nobody") == ASKED
    assert status("stranger") == NO
    assert status("organiser") == expected
    assert status("owner") == 422, "the owner may: only the form is empty"
    assert AuditEntry.objects.count() == done


@pytest.mark.sweep
@pytest.mark.parametrize("address", PAGES)
def test_which_pages_helpers_of_the_day_may_open(hall: Hall, address: str) -> None:
    answers = [hall.client(helper(hall, role)).get(whole(hall, address)) for role in HELPERS]
    assert tuple(answer.status_code for answer in answers) == OTHERWISE.get(address, MOST)


@pytest.mark.sweep
@pytest.mark.parametrize(("address", "do", "expected"), ALL_DEEDS)
def test_which_deeds_helpers_of_the_day_may_send(hall: Hall, address: str, do: str, expected: int) -> None:
    def status(role: str) -> int:
        return hall.client(helper(hall, role)).post(whole(hall, address), {"do": do}).status_code

    enters = address.startswith(("parties/2/manches/", "mail/"))
    assert status("referee") == (expected if address in REFEREES_TOO else NO)
    assert status("scorer") == (expected if enters else NO)
    assert status("auditor") == NO


def helper(hall: Hall, role: str) -> User:
    """Somebody of this role; a scorer's table is that of partie 2."""
    hall.second.table_number = 2
    hall.second.save()
    somebody = UserFactory()
    tables = [2] if role == "scorer" else []
    Membership.objects.create(user=somebody, championship=hall.championship, role=role, tables=tables)
    return somebody


@pytest.mark.sweep
@pytest.mark.parametrize("address", PAGES)
def test_a_draft_is_not_there_for_strangers(hall: Hall, address: str) -> None:
    hall.championship.visibility = Visibility.DRAFT
    hall.championship.save()
    assert hall.client(hall.stranger).get(whole(hall, address)).status_code == GONE
    assert hall.client(hall.owner).get(whole(hall, address)).status_code == PAGES[address][-1]


def test_the_score_of_a_sheet_is_for_those_who_hand_in(hall: Hall) -> None:
    address = whole(hall, "parties/2/manches/1/sheet/score/")
    statuses = tuple(hall.client(user(hall, who)).post(address).status_code for who in EVERYBODY)
    assert statuses == (ASKED, NO, IN, IN)
    assert hall.client(hall.owner).get(address).status_code == 405


def test_a_part_of_a_page_does_not_become_the_page_of_signing_in(hall: Hall) -> None:
    address = whole(hall, "parties/2/manches/1/sheet/score/")
    assert Client().post(address, headers={"HX-Request": "true"}).status_code == 401


def test_staff_look_inside_but_decide_nothing(hall: Hall) -> None:
    staff = hall.client(UserFactory(is_staff=True))
    assert staff.get(whole(hall, "parties/1/")).status_code == IN
    answer = staff.post(whole(hall, "parties/1/"), {"do": "close"})
    assert answer.status_code == NO


def test_a_deed_that_the_page_has_not_is_no_request(hall: Hall) -> None:
    assert hall.client(hall.owner).post(whole(hall, "parties/1/"), {"do": "explode"}).status_code == 400


def test_whoever_is_signed_in_may_make_a_championship_and_see_their_own(hall: Hall) -> None:
    stranger = hall.client(hall.stranger)
    assert stranger.get("/en/organise/new/").status_code == IN
    assert "Coupe</a>" not in stranger.get("/en/organise/").content.decode()
    assert Client().get("/en/organise/").status_code == ASKED
    assert Client().get("/en/organise/new/").status_code == ASKED


def test_pages_of_organisers_stay_in_no_cache(hall: Hall) -> None:
    answer = hall.client(hall.owner).get(HOME)
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_form_of_a_stranger_page_is_refused(hall: Hall) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(hall.owner)
    assert client.post(HOME, {"do": "finish", "version": 1, "key": "k"}).status_code == 403
