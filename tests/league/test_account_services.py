"""The first account, organisers, invitations, tokens, and the commands that make them."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends import locmem
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.errors import Conflict, Faults, NotFound, UserFault
from league.models import ApiToken, AuditEntry, Championship, Invitation, Membership, User
from league.policy import Actor
from league.services.accounts import (
    DEMONSTRATION_EMAIL,
    accept_invitation,
    create_first_account,
    invite,
    make_organiser,
    needs_first_account,
    open_or_close_account,
    remove_organiser,
    waiting_invitation,
)
from league.services.tokens import create_token, revoke_token, token_user
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, owner_of

pytestmark = pytest.mark.django_db

PASSWORD = "a phrase that nobody guesses"


class TestFirstAccount:
    """The first start offers to make it."""

    def test_it_may_do_everything_and_is_the_only_one(self) -> None:
        assert needs_first_account()
        user = create_first_account(actor=Actor(), email="Ane@Example.org", display_name="Ane", password=PASSWORD)
        assert (user.email, user.is_staff, user.check_password(PASSWORD)) == ("ane@example.org", True, True)
        assert not needs_first_account()
        with pytest.raises(Conflict, match="not-first"):
            create_first_account(actor=Actor(), email="bo@example.org", display_name="Bo", password=PASSWORD)

    @pytest.mark.parametrize("signed_in", [True, False])
    def test_it_is_not_offered_again_where_every_account_was_closed(self, signed_in: bool) -> None:
        UserFactory(is_active=False, last_login=timezone.now() if signed_in else None)
        assert not needs_first_account()
        with pytest.raises(Conflict, match="not-first"):
            create_first_account(actor=Actor(), email="bo@example.org", display_name="Bo", password=PASSWORD)

    def test_an_address_has_an_end(self) -> None:
        email = "a" * 60 + "@" + ".".join(["b" * 60] * 4) + ".org"
        with pytest.raises(UserFault, match="too-long"):
            create_first_account(actor=Actor(), email=email, display_name="Bo", password=PASSWORD)

    def test_all_faults_of_the_form_come_at_once(self) -> None:
        with pytest.raises(Faults) as faults:
            create_first_account(actor=Actor(), email="nowhere", display_name=" ", password="1234")
        fields = [fault.field for fault in faults.value.faults]
        assert fields[:2] == ["email", "display_name"]
        assert set(fields[2:]) == {"password"}
        assert not User.objects.exists()

    def test_a_password_like_the_name_is_weak(self) -> None:
        with pytest.raises(UserFault, match="weak-password"):
            create_first_account(
                actor=Actor(), email="ane@example.org", display_name="Etxeberria", password="etxeberria"
            )


class TestClosing:
    """An account is closed, never deleted."""

    @pytest.mark.parametrize(
        "left", [{"is_staff": True}, {"is_staff": True, "is_superuser": True, "is_active": False}], ids=str
    )
    def test_the_site_keeps_somebody_who_runs_it(self, left: dict[str, bool]) -> None:
        only, actor = UserFactory(is_staff=True, is_superuser=True), Actor(user=UserFactory(**left))
        with pytest.raises(Conflict, match="last-staff"):
            open_or_close_account(actor=actor, user_id=only.pk, is_open=False)
        UserFactory(is_staff=True, is_superuser=True)
        assert not open_or_close_account(actor=actor, user_id=only.pk, is_open=False).is_active

    def test_an_account_that_is_not_there(self) -> None:
        with pytest.raises(NotFound):
            open_or_close_account(actor=Actor(), user_id=404, is_open=False)


class TestInvitations:
    """Organisers are invited by mail."""

    @pytest.fixture
    def championship(self) -> Championship:
        return ChampionshipFactory(name="Coupe d'hiver")

    def ask(self, championship: Championship, email: str = "new@example.org", **how: Any) -> str:
        _invitation, token = invite(
            actor=owner_of(championship),
            championship_id=championship.pk,
            email=email,
            link=lambda token: f"https://bornes.example/invitation/{token}",
            **how,
        )
        return token

    def test_the_mail_holds_the_link_and_the_database_does_not(
        self, championship: Championship, django_capture_on_commit_callbacks: Any
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            token = self.ask(championship, " New@Example.org ")

        (message,) = mail.outbox
        assert message.to == ["new@example.org"]
        assert f"https://bornes.example/invitation/{token}" in message.body
        assert "Coupe d'hiver" in message.body
        assert not Invitation.objects.filter(token_sha256=token).exists()

    def test_a_mail_that_cannot_be_sent_does_not_undo_the_invitation(
        self,
        championship: Championship,
        django_capture_on_commit_callbacks: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(*_: Any) -> int:
            raise ConnectionRefusedError

        monkeypatch.setattr(locmem.EmailBackend, "send_messages", refuse)
        with django_capture_on_commit_callbacks(execute=True):
            token = self.ask(championship)
        assert waiting_invitation(token).email == "new@example.org"

    def test_who_has_no_account_makes_one(self, championship: Championship) -> None:
        token = self.ask(championship)
        membership = accept_invitation(actor=Actor(), token=token, display_name="New", password=PASSWORD)
        assert (membership.championship, membership.role) == (championship, "organiser")
        assert membership.user.check_password(PASSWORD)
        assert AuditEntry.objects.get(action="accept_invitation").user == membership.user

    def test_who_has_an_account_signs_in_first(self, championship: Championship) -> None:
        user = UserFactory(email="new@example.org")
        token = self.ask(championship)
        for actor in (Actor(), Actor(user=UserFactory())):
            with pytest.raises(Conflict, match="sign-in-first"):
                accept_invitation(actor=actor, token=token, display_name="New", password=PASSWORD)
        assert accept_invitation(actor=Actor(user=user), token=token).user == user

    def test_it_is_taken_once(self, championship: Championship) -> None:
        token = self.ask(championship)
        user = accept_invitation(actor=Actor(), token=token, display_name="New", password=PASSWORD).user
        with pytest.raises(NotFound, match="invitation-gone"):
            accept_invitation(actor=Actor(user=user), token=token)

    def test_it_lasts_two_weeks(self, championship: Championship) -> None:
        token = self.ask(championship)
        with time_machine.travel(timezone.now() + timedelta(days=14, seconds=1)), pytest.raises(NotFound):
            accept_invitation(actor=Actor(), token=token, display_name="New", password=PASSWORD)

    def test_a_second_one_to_the_same_address_replaces_the_first(self, championship: Championship) -> None:
        first, second = self.ask(championship), self.ask(championship)
        with pytest.raises(NotFound):
            waiting_invitation(first)
        assert waiting_invitation(second)

    def test_who_runs_it_already_is_not_asked(self, championship: Championship) -> None:
        with pytest.raises(Conflict, match="already-organiser"):
            self.ask(championship, championship.created_by.email)

    def test_a_made_up_token_is_none(self) -> None:
        with pytest.raises(NotFound):
            waiting_invitation("made-up")

    def test_a_championship_keeps_an_owner(self, championship: Championship) -> None:
        actor = owner_of(championship)
        own = Membership.objects.get(user=actor.user)
        with pytest.raises(Conflict, match="last-owner"):
            remove_organiser(actor=actor, membership_id=own.pk)

        accept_invitation(
            actor=Actor(), token=self.ask(championship, role="owner"), display_name="New", password=PASSWORD
        )
        remove_organiser(actor=actor, membership_id=own.pk)
        assert Membership.objects.get().user.email == "new@example.org"


class TestTokens:
    """Keys of programs."""

    def make(self, user: User | None = None, **how: Any) -> tuple[ApiToken, str]:
        user = user or UserFactory()
        return create_token(actor=Actor(user=user), user=user, name="Hall", **({"scopes": ["read"]} | how))

    def test_it_is_shown_once_and_only_its_digest_is_kept(self) -> None:
        token, text = self.make()
        assert re.fullmatch(r"bornage_[0-9a-f]{12}_[\w-]{43}", text)
        secret = text.split("_", 2)[2]
        assert secret not in str(ApiToken.objects.values().get())
        assert token_user(text) == token

    @pytest.mark.parametrize("bad", ["", "bornage", "bornage_", "bornage__", "other_0_1", "bornage_" + "0" * 40 + "_x"])
    def test_what_is_no_token_is_nobodys(self, bad: str) -> None:
        self.make()
        assert token_user(bad) is None

    def test_the_secret_must_be_the_one_of_the_prefix(self) -> None:
        (_one, first), (_other, second) = self.make(), self.make()
        prefix, secret = first.split("_", 2)[1], second.split("_", 2)[2]
        assert token_user(f"bornage_{prefix}_{secret}") is None
        assert token_user(first + "x") is None

    def test_revoked_it_is_worthless(self) -> None:
        token, text = self.make()
        revoke_token(actor=Actor(), token_id=token.pk)
        revoke_token(actor=Actor(), token_id=token.pk)
        assert token_user(text) is None
        assert AuditEntry.objects.filter(action="revoke_token").count() == 1

    def test_it_expires(self) -> None:
        _token, text = self.make(expires_at=timezone.now() + timedelta(hours=1))
        assert token_user(text) is not None
        with time_machine.travel(timezone.now() + timedelta(hours=2)):
            assert token_user(text) is None

    def test_it_goes_with_its_users_account(self) -> None:
        user = UserFactory()
        _token, text = self.make(user)
        User.objects.update(is_active=False)
        assert token_user(text) is None

    def test_its_use_is_noted_every_few_minutes(self) -> None:
        token, text = self.make()
        with time_machine.travel(timezone.now(), tick=False) as clock:
            token_user(text)
            first = ApiToken.objects.get().last_used_at
            clock.shift(timedelta(minutes=1))
            token_user(text)
            assert ApiToken.objects.get().last_used_at == first
            clock.shift(timedelta(minutes=5))
            token_user(text)
            assert ApiToken.objects.get().last_used_at != first
        assert token.last_used_at is None

    @pytest.mark.parametrize("scopes", [[], ["everything"], ["read", "root"]])
    def test_scopes_are_those_of_the_list(self, scopes: list[str]) -> None:
        with pytest.raises(UserFault, match="unknown-scope"):
            self.make(scopes=scopes)

    def test_it_does_not_expire_before_it_is_made(self) -> None:
        with pytest.raises(UserFault, match="expired"):
            self.make(expires_at=timezone.now())


class TestCommands:
    """`manage.py make_organiser`, `create_token`, `renew_rankings`."""

    def test_make_organiser_makes_an_account_with_the_password_of_the_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BORNAGE_PASSWORD", PASSWORD)
        out = StringIO()
        call_command("make_organiser", "Ane@example.org", name="Ane", stdout=out)
        user = User.objects.get()
        assert out.getvalue() == "Ane <ane@example.org>\n"
        assert (user.check_password(PASSWORD), user.is_staff) == (True, False)

    def test_the_first_account_of_a_site_gets_what_nobody_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        left = ChampionshipFactory(owner=UserFactory(email=DEMONSTRATION_EMAIL, is_active=False))
        monkeypatch.setenv("BORNAGE_PASSWORD", PASSWORD)
        for email in ("ane@example.org", "bea@example.org"):
            call_command("make_organiser", email, name="Somebody", stdout=StringIO())
        assert left.memberships.get(user__is_active=True).user.email == "ane@example.org"

    def test_make_organiser_lets_an_account_in_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        user = UserFactory(email="ane@example.org", is_active=False)
        monkeypatch.setenv("BORNAGE_PASSWORD", PASSWORD)
        call_command("make_organiser", "ANE@example.org", staff=True, stdout=StringIO())
        user.refresh_from_db()
        assert (user.is_active, user.is_staff, user.check_password(PASSWORD)) == (True, True, True)

    def test_make_organiser_says_every_fault(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BORNAGE_PASSWORD", "1234")
        with pytest.raises(CommandError) as error:
            call_command("make_organiser", "nowhere")
        assert {line.partition(":")[0] for line in str(error.value).splitlines()} == {
            "email",
            "display_name",
            "password",
        }

    def test_without_a_password_an_account_waits_for_its_owner(self) -> None:
        make_organiser(actor=Actor(), email="ane@example.org", display_name="Ane", password=None)
        assert not User.objects.get().has_usable_password()

    def test_create_token_prints_a_token_that_is_good(self) -> None:
        championship = ChampionshipFactory()
        out = StringIO()
        call_command(
            "create_token",
            championship.created_by.email,
            "Hall",
            championship=championship.slug,
            days=1,
            stdout=out,
        )
        token = token_user(out.getvalue().strip())
        assert token is not None
        assert (token.championship, token.scopes) == (championship, ["hand_in", "read"])

    @pytest.mark.parametrize(
        ("email", "how"),
        [("nobody@example.org", {}), ("ane@example.org", {"championship": "none"}), ("ane@example.org", {"days": 0})],
    )
    def test_create_token_says_what_is_wrong(self, email: str, how: dict[str, Any]) -> None:
        UserFactory(email="ane@example.org")
        with pytest.raises(CommandError):
            call_command("create_token", email, "Hall", **how)

    def test_renew_rankings_takes_up_whatever_is_due(self) -> None:
        championship = PartieFactory().championship
        call_command("renew_rankings")
        championship.refresh_from_db()
        assert championship.ranking_due_since is None
