"""Mails received: what is handed in by them, what is answered and to whom, and what is left alone."""

import io
import re
import sys
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

import pytest
from django.core import mail as outbox_of
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.models import (
    Attempt,
    AuditEntry,
    Championship,
    ExternalId,
    MailAddress,
    Membership,
    Partie,
    ReceivedMail,
    Result,
    User,
)
from league.policy import Actor
from league.services import received_mail
from league.services.mail_addresses import create_mail_address, revoke_mail_address
from league.services.parties import open_partie
from league.tasks import forget_answers
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, as_bytes, owner_of, sheet
from tests.league.mail_cases import LOG, attached, mail

pytestmark = pytest.mark.django_db
SHEET = as_bytes(sheet()).decode()
REFUSED = LOG.replace("b1:VP", "b1:200")


@dataclass
class Post:
    """A championship with two parties, and an address by which its owner hands in."""

    championship: Championship
    first: Partie
    second: Partie
    row: MailAddress
    address: str

    def send(self, message: EmailMessage | str, *options: str, **headers: str) -> int:
        """Pipe a mail to the command as a mail server does; its exit code."""
        if isinstance(message, str):
            message = mail(message, **({"subject": "Partie 1 manche 1"} | headers))
        if "secret" in str(message["To"]):
            message.replace_header("To", self.address)
        return pipe(message.as_bytes(), *options)


def pipe(raw: bytes, *options: str) -> int:
    """What the command exits with."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(raw))
    try:
        call_command("receive_mail", *options)
    except CommandError as error:
        return error.returncode
    finally:
        sys.stdin = before
    return 0


def answers() -> list[Any]:
    """The mails that were sent, oldest first."""
    return list(outbox_of.outbox)


def answer() -> Any:
    """The one mail that was sent."""
    (only,) = answers()
    return only


@pytest.fixture(autouse=True)
def _takes_mail(settings: Any) -> None:
    settings.MAIL_TO = "results@club.example"
    settings.DEFAULT_FROM_EMAIL = "Bornage <bornage@club.example>"


@pytest.fixture
def post() -> Post:
    """See `Post`."""
    championship = ChampionshipFactory(name="Coupe", slug="coupe")
    first, second = (PartieFactory(championship=championship) for _ in range(2))
    user = owner_of(championship).user
    assert user is not None
    row, address = create_mail_address(actor=owner_of(championship), user=user, championship=championship, name="Zoé")
    return Post(championship, first, second, row, address)


class TestHandingIn:
    def test_a_log_is_recorded_and_answered_in_words(self, post: Post) -> None:
        assert post.send(LOG, subject="Match 1 hand 1", References="<0@example.org>") == 0

        result = Result.objects.get()
        assert (result.manche.partie, result.manche.number) == (post.first, 1)
        assert (result.by, result.document.body.decode()) == (post.row.user, LOG)
        assert AuditEntry.objects.get(action="hand_in").request_id.startswith("mail-")
        sent = answer()
        assert (sent.to, sent.cc, sent.bcc) == (["zoe@example.org"], [], [])
        assert sent.subject == "Partie 1, manche 1: recorded"
        assert "B: 200 points (Distance 100 + Safeties 100)" in sent.body
        assert "It counts." in sent.body
        assert "Manche 2 comes next." in sent.body
        assert sent.extra_headers["In-Reply-To"] == "<1@example.org>"
        assert sent.extra_headers["References"] == "<0@example.org> <1@example.org>"
        assert sent.extra_headers["Auto-Submitted"] == "auto-replied"
        assert sent.extra_headers["Content-Language"] == "en"
        post.row.refresh_from_db()
        assert post.row.last_used_at is not None

    def test_the_answer_names_neither_the_secret_nor_what_was_written(self, post: Post) -> None:
        post.send("Private words\n\n" + LOG)
        whole = answer().message().as_string()
        assert post.address not in whole
        assert "Private" not in whole
        assert answer().from_email == "Bornage <bornage@club.example>"

    def test_a_sheet_as_a_file(self, post: Post) -> None:
        assert post.send(attached(mail("Voici\n"), SHEET.encode(), "hand.json")) == 0
        assert Result.objects.get().document.body == SHEET.encode()

    def test_french_is_what_is_written_else(self, post: Post) -> None:
        post.send(LOG)
        assert answer().extra_headers["Content-Language"] == "fr"
        post.send(LOG, Content_Language="en-US", Message_ID="<2@example.org>")
        assert answers()[1].extra_headers["Content-Language"] == "en"

    def test_what_the_rules_refuse_is_kept_as_an_attempt(self, post: Post) -> None:
        assert post.send(REFUSED, Content_Language="en") == 0
        assert (Attempt.objects.count(), Result.objects.count()) == (1, 0)
        assert answer().subject == "Partie 1, manche 1: refused"
        assert re.search(r"Move 4, “b1:200”: .+ \(RULES ", answer().body)

    def test_faults_of_a_sheet_are_all_said(self, post: Post) -> None:
        post.send(as_bytes(sheet(km={"A": 1000, "B": 470}, sabot_empty=None)).decode(), Content_Language="en")
        assert Attempt.objects.count() == 1
        assert "- " in answer().body

    def test_a_correction_needs_a_reason_and_the_version(self, post: Post) -> None:
        post.send(SHEET, Content_Language="en")
        other = as_bytes(sheet(km={"A": 1000, "B": 500})).decode()
        post.send(other, Content_Language="en", Message_ID="<2@example.org>")
        assert "replaces: 1" in answers()[1].body
        assert Result.objects.count() == 1
        post.send(f"Reason: misread\nReplaces: 1\n\n{other}", Content_Language="en", Message_ID="<3@example.org>")
        assert Result.objects.get(version=2).reason == "misread"
        assert "version 2" in answers()[2].body


class TestWhichManche:
    def test_the_only_one_that_waits(self, post: Post) -> None:
        post.send(SHEET, subject="Partie 2 manche 1")
        assert Result.objects.get().manche.partie == post.second
        post.send(as_bytes(sheet(km={"A": 1000, "B": 0})).decode(), subject="Partie 2", Message_ID="<2@example.org>")
        assert set(Result.objects.values_list("manche__partie__number", "manche__number")) == {(2, 1), (2, 2)}

    def test_it_is_asked_where_several_wait(self, post: Post) -> None:
        post.send(SHEET, subject="Result", Content_Language="en")
        assert not Result.objects.exists()
        assert "Partie 1 manche 1\n    Partie 2 manche 1" in answer().body

    def test_the_same_document_written_again_does_not_go_to_the_next_manche(self, post: Post) -> None:
        post.send(SHEET)
        post.send(SHEET, subject="Partie 1", Content_Language="en", Message_ID="<2@example.org>")
        assert Result.objects.count() == 1
        assert answers()[1].subject == "Partie 1, manche 1: was here already"

    def test_an_own_id_names_it_from_then_on(self, post: Post) -> None:
        post.send(SHEET, subject="Partie 1 ~game-7")
        assert ExternalId.objects.get().external_id == "game-7"
        other = as_bytes(sheet(km={"A": 1000, "B": 500})).decode()
        post.send(f"reason: misread\nreplaces: 1\n{other}", subject="~game-7", Message_ID="<2@example.org>")
        assert set(Result.objects.values_list("manche__number", "version")) == {(1, 1), (1, 2)}

    def test_one_that_there_is_not(self, post: Post) -> None:
        assert post.send(SHEET, subject="Partie 99 manche 1") == 0
        assert not Result.objects.exists()
        assert len(answers()) == 1

    def test_a_table_scorer_only_at_the_tables_given(self, post: Post) -> None:
        scorer = member(post, "scorer", tables=[7])
        address = address_of(post, scorer)
        seven = open_partie(
            actor=owner_of(post.championship),
            championship_id=post.championship.pk,
            entry_ids=[entry.pk for entry in EntryFactory.create_batch(2, championship=post.championship)],
            round=1,
            table_number=7,
        )
        post.send(mail(SHEET, subject="Partie 1 manche 1", To=address))
        assert not Result.objects.exists()
        post.send(mail(SHEET, subject="Result", To=address, Message_ID="<2@example.org>"))
        assert Result.objects.get().manche.partie == seven


def member(post: Post, role: str, **more: Any) -> User:
    user = UserFactory()
    Membership.objects.create(user=user, championship=post.championship, role=role, **more)
    return user


def address_of(post: Post, user: User) -> str:
    actor = Actor(user=user)
    return create_mail_address(actor=actor, user=user, championship=post.championship, name="N")[1]


class TestTheAddress:
    @pytest.mark.parametrize("to", ["results@club.example", "results+x@club.example", "other@club.example", ""])
    def test_an_unknown_one_is_no_user_and_nobody_is_answered(self, post: Post, to: str) -> None:
        assert post.send(mail(LOG, To=to)) == 67
        assert (answers(), ReceivedMail.objects.count(), Result.objects.count()) == ([], 0, 0)

    def test_a_revoked_one_too(self, post: Post) -> None:
        revoke_mail_address(actor=owner_of(post.championship), address_id=post.row.pk)
        assert post.send(LOG) == 67
        assert answers() == []

    def test_one_of_somebody_who_may_not_sign_in_too(self, post: Post) -> None:
        User.objects.filter(pk=post.row.user_id).update(is_active=False)
        assert post.send(LOG) == 67

    @pytest.mark.parametrize("header", ["Cc", "Delivered-To", "X-Original-To", "Envelope-To"])
    def test_it_is_found_where_mail_servers_write_it(self, post: Post, header: str) -> None:
        message = mail(LOG, To="club@club.example")
        message[header] = post.address.upper()
        assert post.send(message) == 0
        assert Result.objects.exists()

    def test_the_mail_server_says_it(self, post: Post) -> None:
        assert post.send(mail(LOG, To="undisclosed@club.example"), "--to", post.address) == 0
        assert post.send(LOG, "--to", "results+other@club.example") == 67

    def test_a_mail_to_two_is_refused(self, post: Post) -> None:
        other = address_of(post, member(post, "referee"))
        post.send(mail(LOG, To=f"{post.address}, {other}"))
        assert not Result.objects.exists()
        assert len(answers()) == 1

    def test_rights_are_asked_when_the_mail_comes(self, post: Post) -> None:
        user = member(post, "referee")
        address = address_of(post, user)
        Membership.objects.filter(user=user).delete()
        assert post.send(mail(LOG, To=address)) == 0
        assert not Result.objects.exists()
        assert "Coupe" not in answer().body

    def test_a_correction_needs_more_than_entering(self, post: Post) -> None:
        Partie.objects.filter(pk=post.first.pk).update(table_number=7)
        address = address_of(post, member(post, "scorer", tables=[7]))
        post.send(SHEET)
        other = as_bytes(sheet(km={"A": 1000, "B": 500})).decode()
        post.send(mail(f"reason: x\nreplaces: 1\n{other}", To=address, Message_ID="<2@example.org>"))
        assert Result.objects.count() == 1
        assert len(answers()) == 2


class TestAgain:
    def test_a_mail_that_comes_twice_counts_once_and_is_answered_as_before(self, post: Post) -> None:
        assert [post.send(SHEET, subject="Partie 1") for _ in range(2)] == [0, 0]
        assert Result.objects.count() == 1
        first, second = answers()
        assert (first.subject, first.body) == (second.subject, second.body)

    def test_what_was_refused_is_not_tried_again(self, post: Post) -> None:
        for _ in range(2):
            post.send(REFUSED)
        assert Attempt.objects.count() == 1

    def test_an_answer_that_cannot_be_sent_is_sent_when_the_mail_comes_again(
        self, post: Post, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def down(*_: Any) -> None:
            raise OSError("no SMTP")

        with monkeypatch.context() as patched:
            patched.setattr(received_mail, "_send", down)
            assert post.send(LOG) == 75
        assert post.send(LOG) == 0
        assert (Result.objects.count(), len(answers())) == (1, 1)

    def test_a_failure_of_ours_writes_nothing(self, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(received_mail, "answer_of", lambda *_: 1 / 0)
            assert post.send(LOG) == 75
        assert (Result.objects.count(), ReceivedMail.objects.count(), answers()) == (0, 0, [])
        assert post.send(LOG) == 0
        assert Result.objects.count() == 1

    def test_too_many_are_asked_to_come_later(self, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(received_mail, "MOST_AN_HOUR", 1)
        assert post.send(LOG) == 0
        assert post.send(LOG, Message_ID="<2@example.org>") == 75
        assert post.send(LOG) == 0, "one that is known is answered"

    def test_mails_are_forgotten_after_a_month(self, post: Post) -> None:
        post.send(LOG)
        forget_answers()
        assert ReceivedMail.objects.exists()
        ReceivedMail.objects.update(at=timezone.now() - received_mail.KEPT)
        forget_answers()
        assert not ReceivedMail.objects.exists()


class TestSilence:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Auto-Submitted": "auto-replied"},
            {"Precedence": "bulk"},
            {"List-Id": "<club.example>"},
            {"Return-Path": "<>"},
            {"From": "MAILER-DAEMON@club.example"},
            {"From": "results@club.example"},
            {"From": "Results <results+x@CLUB.example>"},
            {"Reply-To": "bornage@club.example"},
            {"From": ""},
        ],
    )
    def test_machines_lists_and_ourselves_are_neither_counted_nor_answered(
        self, post: Post, headers: dict[str, str]
    ) -> None:
        assert post.send(mail(LOG, **headers)) == 0
        assert (answers(), Result.objects.count(), ReceivedMail.objects.count()) == ([], 0, 0)

    def test_our_own_answer_is_not_answered(self, post: Post) -> None:
        post.send(LOG)
        message = answer().message()
        message.replace_header("To", post.address)
        assert pipe(message.as_bytes()) == 0
        assert len(answers()) == 1


class TestWhatIsRefused:
    def test_too_large(self, post: Post, settings: Any) -> None:
        settings.BODY_LIMIT = 2000
        assert post.send(LOG + "\n-- \n" + "x" * 3000, Content_Language="en") == 0
        assert not Result.objects.exists()
        assert "1 KiB" in answer().body

    def test_html_only(self, post: Post) -> None:
        message = mail()
        message.set_content("<p>Hello</p>", subtype="html")
        message["Content-Language"] = "en"
        assert post.send(message) == 0
        assert "HTML only" in answer().body

    def test_where_the_site_takes_none_the_mail_waits(self, post: Post, settings: Any) -> None:
        settings.MAIL_TO = ""
        assert post.send(LOG) == 75


class TestMakingAddresses:
    def test_by_the_command(self, post: Post, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("create_mail_address", post.row.user.email, "coupe", "--name", "Club server")
        address = capsys.readouterr().out.strip()
        assert re.fullmatch(r"results\+[a-z2-7]{32}@club\.example", address)
        assert not MailAddress.objects.filter(secret_sha256__contains=address[8:40]).exists()
        assert post.send(mail(LOG, To=address)) == 0
        assert Result.objects.exists()

    def test_not_for_who_may_not_hand_in(self, post: Post) -> None:
        with pytest.raises(CommandError, match="may not"):
            call_command("create_mail_address", member(post, "auditor").email, "coupe")
        with pytest.raises(CommandError, match="nobody"):
            call_command("create_mail_address", "nobody@example.org", "coupe")
        with pytest.raises(CommandError, match="no championship"):
            call_command("create_mail_address", post.row.user.email, "other")

    def test_not_where_the_site_takes_none(self, post: Post, settings: Any) -> None:
        settings.MAIL_TO = ""
        with pytest.raises(CommandError):
            call_command("create_mail_address", post.row.user.email, "coupe")
