"""Accounts in pages: the first one, signing in, forgotten passwords, invitations, one's own profile, keys."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client, override_settings

from league.models import ApiToken, AuditEntry, Championship, Membership, User
from league.services.tokens import token_user
from tests.factories import UserFactory
from tests.league.web_organiser.conftest import HOME, Hall
from tests.reading import reads_number

GOOD = "bornes-et-cartes-7"
FIRST = {"display_name": "Ane", "email": "Ane@Example.org", "password": GOOD}


def said(answer: Any) -> str:
    """What a page says, its marks taken out."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def link_of(body: str) -> str:
    """The one link of a mail, without its host."""
    found = re.search(r"https?://[^/\s]+(/\S+)", body)
    assert found, body
    return found[1]


@pytest.fixture
def ane(db: None) -> User:
    """Somebody with an account."""
    return User.objects.create_user("ane@example.org", GOOD, display_name="Ane")


class TestTheFirstAccount:
    pytestmark = pytest.mark.django_db

    def test_is_offered_by_the_home_page_and_asked_for_instead_of_signing_in(self, client: Client) -> None:
        assert "/en/account/first/" in client.get("/en/").content.decode()
        assert client.get("/en/account/sign-in/").headers["Location"] == "/en/account/first/"

    def test_is_made_once_and_signed_in(self, client: Client) -> None:
        answer = client.post("/en/account/first/", FIRST)
        assert answer.headers["Location"] == "/en/organise/"
        user = User.objects.get()
        assert (user.email, user.is_superuser) == ("ane@example.org", True)
        assert client.get("/en/organise/").status_code == 200

    def test_is_not_offered_once_it_is_made(self, ane: User, client: Client) -> None:
        assert "/en/account/first/" not in client.get("/en/").content.decode()
        answer = client.post("/en/account/first/", {**FIRST, "email": "other@example.org"})
        assert answer.status_code == 302
        assert User.objects.count() == 1

    def test_all_its_faults_are_said_at_once_and_nothing_typed_is_lost(self, client: Client) -> None:
        answer = client.post("/en/account/first/", {**FIRST, "display_name": " ", "password": "1234"})
        assert answer.status_code == 422
        assert 'value="Ane@Example.org"' in answer.content.decode()
        assert not reads_number(answer.content.decode(), 1234)
        assert User.objects.count() == 0


class TestSigningIn:
    def test_leads_where_one_was_going(self, ane: User, client: Client) -> None:
        asked = client.get("/en/organise/new/").headers["Location"]
        page = client.get(asked)
        assert 'name="next" value="/en/organise/new/"' in page.content.decode()
        answer = client.post(asked, {"username": " ANE@example.org", "password": GOOD, "next": "/en/organise/new/"})
        assert answer.headers["Location"] == "/en/organise/new/"

    def test_does_not_lead_to_another_site(self, ane: User, client: Client) -> None:
        said_to_go = {"username": ane.email, "password": GOOD, "next": "https://evil.example/"}
        assert client.post("/en/account/sign-in/", said_to_go).headers["Location"] == "/en/organise/"

    def test_says_kindly_what_may_be_wrong(self, ane: User, client: Client) -> None:
        answer = client.post("/en/account/sign-in/", {"username": ane.email, "password": "wrong"})
        assert "do not go together" in said(answer)

    def test_is_locked_after_five_wrong_passwords_and_says_so_kindly(self, ane: User, client: Client) -> None:
        for _ in range(5):
            answer = client.post("/en/account/sign-in/", {"username": ane.email, "password": "wrong"})
        assert answer.status_code == 429
        assert "Wait a quarter of an hour" in said(answer)
        assert client.post("/en/account/sign-in/", {"username": ane.email, "password": GOOD}).status_code == 429

    def test_ends_by_a_button_only(self, ane: User, client: Client) -> None:
        client.force_login(ane)
        assert client.get("/en/account/sign-out/").status_code == 405
        assert client.get("/en/organise/").status_code == 200
        client.post("/en/account/sign-out/")
        assert client.get("/en/organise/").status_code == 302


class TestAForgottenPassword:
    def test_comes_by_mail_and_signs_in(self, ane: User, client: Client) -> None:
        client.post("/en/account/forgotten/", {"email": "ANE@example.org"})
        (sent,) = mail.outbox
        assert sent.to == ["ane@example.org"]
        page = client.get(link_of(sent.body), follow=True)
        answer = client.post(page.redirect_chain[-1][0], {"password": "another-good-one-9"})
        assert answer.headers["Location"] == "/en/organise/"
        ane.refresh_from_db()
        assert ane.check_password("another-good-one-9")
        assert AuditEntry.objects.get(action="set_password").user == ane
        assert client.get("/en/organise/").status_code == 200

    def test_a_link_is_good_once(self, ane: User, client: Client) -> None:
        client.post("/en/account/forgotten/", {"email": ane.email})
        link = link_of(mail.outbox[0].body)
        page = client.get(link, follow=True)
        client.post(page.redirect_chain[-1][0], {"password": "another-good-one-9"})
        assert "not good any more" in said(Client().get(link, follow=True))

    def test_says_the_same_of_an_address_without_an_account(self, ane: User, client: Client) -> None:
        known = client.post("/en/account/forgotten/", {"email": ane.email})
        unknown = client.post("/en/account/forgotten/", {"email": "nobody@example.org"})
        assert known.headers["Location"] == unknown.headers["Location"]
        assert len(mail.outbox) == 1

    def test_also_gives_a_first_password_to_an_account_that_has_none(self, ane: User, client: Client) -> None:
        User.objects.create_user("made@example.org", None, display_name="Made")
        client.post("/en/account/forgotten/", {"email": "made@example.org"})
        assert mail.outbox[0].to == ["made@example.org"]

    def test_a_weak_one_is_refused_with_the_reason(self, ane: User, client: Client) -> None:
        client.post("/en/account/forgotten/", {"email": ane.email})
        page = client.get(link_of(mail.outbox[0].body), follow=True)
        answer = client.post(page.redirect_chain[-1][0], {"password": "1234"})
        assert "too short" in said(answer)
        ane.refresh_from_db()
        assert ane.check_password(GOOD)

    def test_a_stranger_cannot_fill_somebodys_letter_box(self, ane: User, client: Client) -> None:
        for _ in range(30):
            answer = client.post("/en/account/forgotten/", {"email": ane.email})
        assert answer.status_code == 429
        assert len(mail.outbox) <= 10


class TestOnesOwnProfile:
    def test_is_changed_with_the_password_where_the_address_changes(self, ane: User, client: Client) -> None:
        client.force_login(ane)
        new = {"display_name": "Ane E.", "email": "new@example.org", "language": "en", "present_password": ""}
        assert "not your present password" in said(client.post("/en/account/", new))
        client.post("/en/account/", {**new, "present_password": GOOD})
        ane.refresh_from_db()
        assert (ane.display_name, ane.email) == ("Ane E.", "new@example.org")
        assert "new@example.org" not in str(AuditEntry.objects.get(action="change_profile").after)

    def test_an_address_of_somebody_else_is_refused(self, ane: User, client: Client) -> None:
        client.force_login(ane)
        other = UserFactory()
        new = {"display_name": "Ane", "email": other.email, "language": "en", "present_password": GOOD}
        assert "already has an account" in said(client.post("/en/account/", new))

    def test_the_language_chosen_is_kept_for_addresses_that_name_none(self, ane: User, client: Client) -> None:
        client.force_login(ane)
        answer = client.post("/en/account/", {"display_name": "Ane", "email": ane.email, "language": "fr"})
        assert answer.headers["Location"] == "/fr/account/"
        assert client.get("/").headers["Location"] == "/fr/"

    def test_a_new_password_keeps_this_browser_signed_in_and_no_other(self, ane: User, client: Client) -> None:
        other = Client()
        other.force_login(ane)
        client.force_login(ane)
        new = {"old_password": GOOD, "password": "new-one-indeed-5"}
        assert client.post("/en/account/password/", {**new, "old_password": "x"}).status_code == 422
        client.post("/en/account/password/", new)
        assert client.get("/en/organise/").status_code == 200
        assert other.get("/en/organise/").status_code == 302


class TestAnInvitation:
    @pytest.fixture(autouse=True)
    def _mail_is_sent(self, django_capture_on_commit_callbacks: Callable[..., Any]) -> None:
        self.sending = django_capture_on_commit_callbacks

    def invite(self, hall: Hall, email: str = "bo@example.org") -> tuple[str, Any]:
        with self.sending(execute=True):
            answer = hall.client(hall.owner).post(
                HOME + "settings/organisers/", {"do": "invite", "key": "k1", "email": email, "role": "organiser"}
            )
        return link_of(mail.outbox[-1].body), answer

    def test_makes_an_account_and_signs_in(self, hall: Hall) -> None:
        link, answer = self.invite(hall)
        assert link in answer.content.decode(), "the inviter sees the link, once"
        visitor = Client()
        assert "asks you to help run" in said(visitor.get(link))
        taken = visitor.post(link, {"display_name": "Bo", "password": GOOD})
        assert taken.headers["Location"] == HOME
        assert visitor.get(HOME).status_code == 200
        assert Membership.objects.get(user__email="bo@example.org").role == "organiser"
        assert "not good any more" in said(Client().get(link))

    def test_the_link_stands_in_no_session_and_no_row(self, hall: Hall) -> None:
        link, _answer = self.invite(hall)
        token = link.rstrip("/").rpartition("/")[2]
        assert all(token not in str(session.get_decoded()) for session in Session.objects.all())

    def test_sent_twice_it_is_one_invitation_and_one_mail(self, hall: Hall) -> None:
        self.invite(hall)
        self.invite(hall)
        assert len(mail.outbox) == 1

    def test_for_an_address_with_an_account_asks_to_sign_in_with_it(self, hall: Hall) -> None:
        invited = UserFactory(email="bo@example.org")
        link, _answer = self.invite(hall)
        assert "sign in with it to accept" in said(Client().get(link))
        assert hall.client(hall.stranger).post(link).status_code == 200, "nothing is taken by another account"
        assert not Membership.objects.filter(user=invited).exists()
        client = Client()
        client.force_login(invited)
        assert client.post(link).headers["Location"] == HOME
        assert Membership.objects.filter(user=invited).exists()

    def test_the_last_owner_stays(self, hall: Hall) -> None:
        own = Membership.objects.get(user=hall.owner, championship=hall.championship)
        remove = {"do": "remove", "key": "k2", "membership": own.pk}
        answer = hall.client(hall.owner).post(HOME + "settings/organisers/", remove)
        assert answer.status_code == 409
        assert "at least one owner" in said(answer)

    def test_an_organiser_is_taken_off(self, hall: Hall) -> None:
        membership = Membership.objects.get(user=hall.organiser)
        hall.client(hall.owner).post(
            HOME + "settings/organisers/", {"do": "remove", "key": "k2", "membership": membership.pk}
        )
        assert hall.client(hall.organiser).get(HOME).status_code == 403

    def test_a_table_scorer_is_invited_for_tables_and_led_to_them(self, hall: Hall) -> None:
        page = HOME + "settings/organisers/"
        asked = {"do": "invite", "key": "k1", "email": "sc@example.org", "role": "scorer"}
        assert hall.client(hall.owner).post(page, asked).status_code == 422, "at which tables?"
        assert hall.client(hall.owner).post(page, {**asked, "tables": "five"}).status_code == 422
        with self.sending(execute=True):
            hall.client(hall.owner).post(page, {**asked, "tables": "1 - 3, 7"})
        visitor = Client()
        visitor.post(link_of(mail.outbox[-1].body), {"display_name": "Sc", "password": GOOD})
        membership = Membership.objects.get(user__email="sc@example.org")
        assert (membership.role, membership.tables) == ("scorer", [1, 2, 3, 7])
        assert visitor.get(HOME).headers["Location"] == HOME + "tables/"
        assert visitor.get(HOME + "tables/").status_code == 200
        assert "1-3, 7" in hall.client(hall.owner).get(page).content.decode()

    def test_a_role_is_changed_and_an_owner_stays(self, hall: Hall) -> None:
        page = HOME + "settings/organisers/"
        membership = Membership.objects.get(user=hall.organiser)
        change = {"do": "role", "key": "k2", "membership": membership.pk, "role": "auditor"}
        hall.client(hall.owner).post(page, change)
        membership.refresh_from_db()
        assert membership.role == "auditor"
        assert AuditEntry.objects.latest("pk").action == "change_role"
        own = Membership.objects.get(user=hall.owner, championship=hall.championship)
        answer = hall.client(hall.owner).post(page, {**change, "key": "k3", "membership": own.pk})
        assert answer.status_code == 409
        assert "at least one owner" in said(answer)

    def test_an_invitation_is_taken_back(self, hall: Hall) -> None:
        link, _answer = self.invite(hall)
        waiting = hall.championship.invitations.get()
        withdraw = {"do": "withdraw", "key": "k2", "invitation": waiting.pk}
        hall.client(hall.owner).post(HOME + "settings/organisers/", withdraw)
        assert "not good any more" in said(Client().get(link))
        again = hall.client(hall.owner).post(HOME + "settings/organisers/", {**withdraw, "key": "k3"})
        assert again.status_code == 404

    def test_nobody_is_taken_off_another_championship(self, hall: Hall) -> None:
        other = Membership.objects.get(user=hall.stranger)
        answer = hall.client(hall.owner).post(
            HOME + "settings/organisers/", {"do": "remove", "key": "k2", "membership": other.pk}
        )
        assert answer.status_code == 404
        assert Membership.objects.filter(pk=other.pk).exists()


class TestKeysForPrograms:
    MAKE: ClassVar = {"name": "Scorer", "scopes": ["hand_in"], "championship": "coupe", "key": "k", "expires_at": ""}

    def secret(self, answer: Any) -> str:
        found = re.search(r'id="secret">([^<]+)<', answer.content.decode())
        return found[1] if found else ""

    def test_the_secret_is_shown_once_and_kept_nowhere(self, hall: Hall) -> None:
        owner = hall.client(hall.owner)
        answer = owner.post("/en/account/tokens/", self.MAKE)
        secret = self.secret(answer)
        token = token_user(secret)
        assert token is not None
        assert (token.user, token.championship, token.scopes) == (hall.owner, hall.championship, ["hand_in"])
        assert "no-store" in answer.headers["Cache-Control"]
        assert secret not in owner.get("/en/account/tokens/").content.decode()
        assert all(secret not in str(session.get_decoded()) for session in Session.objects.all())

    def test_sent_twice_one_good_key_is_left_and_its_secret_shown(self, hall: Hall) -> None:
        owner = hall.client(hall.owner)
        secrets = [self.secret(owner.post("/en/account/tokens/", self.MAKE)) for _ in range(3)]
        assert [token_user(secret) is not None for secret in secrets] == [False, False, True]
        assert ApiToken.objects.filter(revoked_at=None).count() == 1

    def test_the_page_says_in_words_what_a_token_may_and_until_when(self, hall: Hall) -> None:
        owner = hall.client(hall.owner)
        owner.post("/en/account/tokens/", self.MAKE)
        page = owner.get("/en/account/tokens/")
        assert "It may hand in logs and sheets In Coupe Expires only when you revoke it" in said(page)
        assert 'href="/en/docs/start/"' in page.content.decode().split("<footer")[0]
        assert 'href="/en/docs/"' in page.content.decode().split("<footer")[1]

    @time_machine.travel("2026-05-03T12:00:00Z", tick=False)
    @override_settings(PAGES_TIME_ZONE="Europe/Paris")
    def test_times_are_those_of_the_championship_or_of_the_site(self, hall: Hall) -> None:
        Championship.objects.filter(pk=hall.championship.pk).update(time_zone="Pacific/Auckland")
        owner = hall.client(hall.owner)
        for where, key in (("coupe", "k1"), ("", "k2")):
            sent = self.MAKE | {"championship": where, "key": key, "expires_at": "2026-06-30"}
            assert self.secret(owner.post("/en/account/tokens/", sent))
        here, everywhere = ApiToken.objects.order_by("pk")
        assert here.expires_at == datetime(2026, 6, 30, 11, 59, 59, 999999, UTC)
        assert everywhere.expires_at == datetime(2026, 6, 30, 21, 59, 59, 999999, UTC)
        ApiToken.objects.update(last_used_at=datetime(2026, 5, 3, 21, 30, tzinfo=UTC))
        words = said(owner.get("/fr/account/tokens/"))
        assert "30/06/2026 Dernier usage 04/05/2026 09:30" in words
        assert "30/06/2026 Dernier usage 03/05/2026 23:30" in words

    def test_a_key_is_revoked(self, hall: Hall) -> None:
        owner = hall.client(hall.owner)
        secret = self.secret(owner.post("/en/account/tokens/", self.MAKE))
        owner.post("/en/account/tokens/", {"do": "revoke", "token": ApiToken.objects.get().pk})
        assert token_user(secret) is None

    def test_nobody_revokes_anothers_key(self, hall: Hall) -> None:
        hall.client(hall.owner).post("/en/account/tokens/", self.MAKE)
        token = ApiToken.objects.get()
        answer = hall.client(hall.organiser).post("/en/account/tokens/", {"do": "revoke", "token": token.pk})
        assert answer.status_code == 404
        assert ApiToken.objects.filter(pk=token.pk, revoked_at=None).exists()

    @pytest.mark.parametrize(
        "wrong", [{"scopes": []}, {"name": " "}, {"expires_at": "2001-01-01"}, {"championship": "other"}]
    )
    def test_what_cannot_be_is_said_and_nothing_is_made(self, hall: Hall, wrong: dict[str, object]) -> None:
        answer = hall.client(hall.owner).post("/en/account/tokens/", self.MAKE | wrong)
        assert answer.status_code == 422
        assert not ApiToken.objects.exists()
