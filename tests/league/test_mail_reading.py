"""Mails read: what is in them, and what is refused rather than guessed."""

import base64
import contextlib
import quopri
from email.message import EmailMessage

import pytest
from django.utils.translation import override

from engine.text_notation import read_text
from league.errors import UserFault
from league.mails.document import document_in
from league.mails.message import read_mail
from league.mails.said import Said, language_of, said_in
from tests.factories import as_bytes, sheet
from tests.league.mail_cases import LOG, attached, mail, raw

SHEET = as_bytes(sheet())


def body_of(message: EmailMessage | bytes) -> bytes:
    """The document of a mail."""
    return document_in(read_mail(message if isinstance(message, bytes) else message.as_bytes())).body


def code_of(message: EmailMessage | bytes) -> str:
    """Why a mail is refused."""
    with pytest.raises(UserFault) as caught, override("en"):
        body_of(message)
    return caught.value.code


class TestTheLogInTheText:
    def test_alone(self) -> None:
        assert body_of(mail(LOG)).decode() == LOG

    @pytest.mark.parametrize(
        "below",
        [
            "-- \nZoé\n25 rue des Bornes\na1:200\n",
            "--\nZoé\n",
            "\nMerci, à samedi !\nZoé\n",
            "\n> Le 25 nov. Ana a écrit :\n> [Seats]\n> a1:FV b1:FV\n",
            "\nLe mar. 25 nov. 2026 à 12:25, Ana <ana@example.org> a écrit :\n> a1:FV\n",
            "\nOn Tue 25 Nov 2026 at 12:25, Ana Very Long Name <ana@example.org>\nwrote:\n\n> a1:FV\n",
            "\n-----Message d'origine-----\nDe : Ana\n1. a1:FV\n",
            "\n________________________________\nDu club, 25 membres\n",
        ],
    )
    def test_what_stands_below_it_is_not_of_it(self, below: str) -> None:
        assert body_of(mail(LOG + below)).decode() == LOG

    def test_what_stands_above_it_is_said_beside(self) -> None:
        found = document_in(read_mail(mail(f"Bonjour,\n\n> oui\n{LOG}").as_bytes()))
        assert (found.body.decode(), found.beside) == (LOG, "Bonjour,\n")

    def test_empty_lines_and_comments_stand_between_moves(self) -> None:
        log = LOG.replace(" 2. ", "\n\n{a long\n\ncomment: 25}\n\n2. ")
        assert body_of(mail(log + "\nZoé\n")).decode() == log

    def test_words_without_an_empty_line_are_left_for_the_judge(self) -> None:
        assert body_of(mail(LOG + "Merci\n")).decode() == LOG + "Merci\n"

    def test_a_mistyped_move_is_no_farewell(self) -> None:
        assert body_of(mail(LOG + "\n3. a1:20O\n")).decode() == LOG + "\n3. a1:20O\n"

    @pytest.mark.parametrize(
        "log",
        [
            LOG + "\n> a1:FV\n\n3. b1:50\n",
            LOG.replace(" 2. ", " {a comment\n-- \n} 2. "),
        ],
    )
    def test_an_end_that_is_not_clear_is_refused(self, log: str) -> None:
        assert code_of(mail(log)) == "unclear-end"

    def test_tags_may_come_in_any_order(self) -> None:
        log = '[Event "x"]\n' + LOG.replace('[Event "Café des Bornes"]\n', "")
        assert body_of(mail(f"Hello\n\n{log}")).decode() == log

    def test_two_are_refused(self) -> None:
        assert code_of(mail(LOG + "\n" + LOG)) == "several-documents"

    def test_a_quoted_one_is_refused_with_what_to_do(self) -> None:
        quoted = "".join(f"> {line}\n" for line in LOG.splitlines())
        assert code_of(mail("See below\n" + quoted)) == "quoted-document"


class TestJsonInTheText:
    def test_it_ends_at_its_brace(self) -> None:
        assert body_of(mail(f"Bonjour {{Ana}}\n\n{SHEET.decode()}\n\nMerci {{vraiment}} 25\n")) == SHEET + b"\n"

    def test_what_stands_behind_its_brace_is_left_for_the_judge(self) -> None:
        assert body_of(mail(f"{SHEET.decode()} Merci\n")) == SHEET + b" Merci\n"

    def test_one_that_does_not_end_is_left_for_the_judge(self) -> None:
        assert (
            body_of(mail('{"format": "marque/1",\n"rulebook"\n-- \nZoé\n')) == b'{"format": "marque/1",\n"rulebook"\n'
        )

    @pytest.mark.parametrize("other", [SHEET.decode(), LOG])
    def test_two_are_refused(self, other: str) -> None:
        assert code_of(mail(f"{SHEET.decode()}\n\n{other}")) == "several-documents"


class TestEncodings:
    HEAD = "From: zoe@example.org\nSubject: Partie 1 manche 1\nMIME-Version: 1.0\n"

    @pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
    @pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
    def test_of_the_text(self, charset: str, encoding: str) -> None:
        body = LOG.replace("\n", "\r\n").encode(charset)
        coded = {"8bit": body, "base64": base64.encodebytes(body), "quoted-printable": quopri.encodestring(body)}
        head = f"{self.HEAD}Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}"
        assert body_of(raw(head, coded[encoding])).decode() == LOG

    @pytest.mark.parametrize("charset", ["", "; charset=us-ascii", "; charset=x-unknown"])
    def test_one_that_is_not_said_or_not_true(self, charset: str) -> None:
        head = f"{self.HEAD}Content-Type: text/plain{charset}"
        assert body_of(raw(head, LOG)).decode() == LOG
        assert body_of(raw(head, LOG.encode("latin-1"))).decode() == LOG

    def test_lines_that_a_mail_program_folded(self) -> None:
        deck = " ".join(["FV"] * 106)
        log = LOG.replace("[Event", f'[Deck "{deck}"]\n[Event')
        folded = log.replace(
            f'"{deck}"', '"' + deck.replace("FV FV FV FV", "FV FV FV FV".replace(" FV FV ", " FV \nFV "), 9) + '"'
        )
        assert folded != log
        head = f"{self.HEAD}Content-Type: text/plain; charset=utf-8; format=flowed"
        assert body_of(raw(head, folded)).decode() == log
        assert read_text(body_of(raw(head, folded))).deck == ["FV"] * 106

    def test_a_file_keeps_its_bytes(self) -> None:
        with_signs = b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode()
        assert body_of(attached(mail("Voici\n"), with_signs, "Café.bornes")) == with_signs

    def test_a_file_in_latin_1_that_says_so(self) -> None:
        message = mail("Voici\n")
        message.add_attachment(LOG, charset="iso-8859-1", filename="log.txt", cte="quoted-printable")
        assert body_of(message).decode() == LOG

    def test_a_file_in_latin_1_that_does_not_is_left_for_the_judge(self) -> None:
        assert body_of(attached(mail("Voici\n"), LOG.encode("latin-1"), "log.bornes")) == LOG.encode("latin-1")


class TestFiles:
    @pytest.mark.parametrize(
        ("name", "media"),
        [
            ("hand.json", "application/octet-stream"),
            ("hand", "application/json"),
            ("hand.txt", "application/octet-stream"),
            ("HAND.JSON", "application/x-unknown"),
        ],
    )
    def test_what_is_taken(self, name: str, media: str) -> None:
        assert body_of(attached(mail("Voici\n"), SHEET, name, media)) == SHEET

    def test_pictures_cards_and_footers_beside_it_are_not_looked_at(self) -> None:
        message = attached(mail("Voici\n"), b"\x89PNG", "logo.png", "image/png")
        message = attached(message, b"BEGIN:VCARD", "zoe.vcf", "text/vcard")
        message.add_attachment("Virus checked", filename="footer.txt")
        assert body_of(attached(message, SHEET, "hand.json")) == SHEET

    def test_a_text_that_is_none_is_left_for_the_judge_where_it_is_alone(self) -> None:
        message = mail("Voici\n")
        message.add_attachment("1. a1:FV", filename="log.txt")
        assert body_of(message) == b"1. a1:FV\n"

    def test_two_are_refused(self) -> None:
        message = attached(
            attached(mail("Voici\n"), SHEET, "a.json"), as_bytes(sheet(km={"A": 1000, "B": 0})), "b.json"
        )
        assert code_of(message) == "several-documents"
        assert code_of(attached(mail(LOG), SHEET, "a.json")) == "several-documents"

    def test_of_a_mail_forwarded_as_a_file(self) -> None:
        outer = mail("Voici le mail d'Ana\n")
        outer.add_attachment(mail(LOG))
        assert body_of(outer).decode() == LOG

    def test_the_plain_one_of_two_alternatives(self) -> None:
        message = mail(LOG)
        message.add_alternative(f"<pre>{LOG}</pre>", subtype="html")
        assert body_of(message).decode() == LOG
        assert body_of(attached(message, b"x", "logo.png", "image/png")).decode() == LOG


class TestWhatIsRefused:
    def test_html_only(self) -> None:
        message = mail()
        message.set_content(f"<p>{LOG}</p>", subtype="html")
        assert code_of(message) == "html-only"

    @pytest.mark.parametrize("text", ["Bonjour\n", " \n"])
    def test_nothing(self, text: str) -> None:
        assert code_of(mail(text)) == "no-document"

    @pytest.mark.parametrize(
        "broken",
        [
            b"",
            b"\n\n",
            b"no header at all",
            b"From: \xff\xfe\nSubject: =?x-none?q?=ff?=\nContent-Type: multipart/mixed\n\n--x\n",
            b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nnever closed",
            b"Content-Type: ;;; charset\nContent-Transfer-Encoding: base64\n\n%%%%",
            b"Content-Disposition: attachment; filename*=x''%ff\n\nx",
            b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(3000)),
            b"Content-Type: message/rfc822\n\n" * 3000,
        ],
    )
    def test_broken_mails_break_nothing(self, broken: bytes) -> None:
        read = read_mail(broken)
        assert read.answer_to == ""
        with contextlib.suppress(UserFault):  # a file with one letter is a document, for the judge
            assert document_in(read).body == b"x"


class TestWhoIsAnswered:
    def test_reply_to_goes_before_from_and_one_only(self) -> None:
        read = read_mail(mail(LOG, Reply_To="ana@example.org, bea@example.org").as_bytes())
        assert read.answer_to == "ana@example.org"
        assert read_mail(mail(LOG).as_bytes()).answer_to == "zoe@example.org"

    @pytest.mark.parametrize("sender", ["", "nobody", "<>", "a@b@c", "zoé@example.org", "x@localhost"])
    def test_nobody_where_there_is_no_address(self, sender: str) -> None:
        assert read_mail(raw(f"From: {sender}\nSubject: x", LOG)).answer_to in ("", "x@localhost")

    def test_nobody_else_by_a_trick(self) -> None:
        assert "y@" not in read_mail(raw("From: x@example.org\tBcc: y@example.org", LOG)).answer_to

    @pytest.mark.parametrize(
        ("header", "why"),
        [
            ("Auto-Submitted: auto-replied", "auto-submitted"),
            ("Auto-Submitted: auto-generated (by cron); x=1", "auto-submitted"),
            ("Auto-Submitted: no", ""),
            ("Precedence: bulk", "bulk"),
            ("Precedence: list", "bulk"),
            ("List-Id: <club.example>", "mailing-list"),
            ("Return-Path: <>", "bounce"),
            ("Content-Type: multipart/report; boundary=x", "bounce"),
            ("Sender: MAILER-DAEMON@example.org", "bounce"),
            ("Return-Path: <zoe@example.org>", ""),
        ],
    )
    def test_machines_are_known(self, header: str, why: str) -> None:
        assert read_mail(raw(f"From: zoe@example.org\n{header}", LOG)).machine == why

    def test_a_mail_without_an_id_is_known_by_what_stays(self) -> None:
        first = raw("Received: a\nFrom: z@example.org\nDate: now", LOG)
        again = raw("Received: b\nReceived: a\nFrom: z@example.org\nDate: now", LOG)
        other = raw("From: z@example.org\nDate: now", LOG + " ")
        assert read_mail(first).identity == read_mail(again).identity != read_mail(other).identity

    def test_ids_that_could_write_headers_are_left_out(self) -> None:
        read = read_mail(raw("From: z@example.org\nReferences: <a@b> junk <c d> <e@f>\nMessage-ID: none", LOG))
        assert (read.references, read.message_id, read.identity) == (("<a@b>", "<e@f>"), "", "none")


class TestWhichManche:
    @pytest.mark.parametrize(
        ("subject", "beside", "meant"),
        [
            ("Partie 12 manche 1", "", (12, 1, "")),
            ("Re: partie n°12, manche n° 1 (enfin !)", "", (12, 1, "")),
            ("Match 12, hand 1", "", (12, 1, "")),
            ("manche 3 de la partie 4", "", (4, 3, "")),
            ("Coupe 12/1", "", (12, 1, "")),
            ("12/1/2026", "", (None, None, "")),
            ("résultat", "12/1", (12, 1, "")),
            ("résultat", "Bonjour,\n\nPartie 12\nManche : 1\n", (12, 1, "")),
            ("résultat", "Bonjour,\nDans la partie 12 on a ri\n", (None, None, "")),
            ("Re: Partie 11, manche 1: recorded", "Partie 12 manche 1", (12, 1, "")),
            ("~game-7.", "", (None, "~game-7", "")),
            ("Partie 12", "~game:7", (12, "~game:7", "")),
            ("Partie 12 manche 1", "~game-7", (12, 1, "game-7")),
            ("partie ~p7 manche 2", "", ("~p7", 2, "")),
            ("Partie 12", "", (12, None, "")),
            ("Partie\u00a012 manche\u00a01", "", (12, 1, "")),
            ("", "", (None, None, "")),
        ],
    )
    def test_is_said(self, subject: str, beside: str, meant: tuple[object, object, str]) -> None:
        said = said_in(subject, beside)
        assert (said.partie, said.manche, said.own_id) == meant

    @pytest.mark.parametrize(
        ("subject", "beside"),
        [
            ("Partie 1 et partie 2", ""),
            ("", "12/1\n12/2"),
            ("~a ~b", ""),
            ("manche ~a", "~b"),
            ("Partie 3 manche ~a ~b", ""),
        ],
    )
    def test_several_are_refused(self, subject: str, beside: str) -> None:
        with pytest.raises(UserFault) as caught:
            said_in(subject, beside)
        assert caught.value.code == "unclear-manche"

    def test_a_correction(self) -> None:
        assert said_in("", "Partie 1 manche 1\nReason: Misread: 200\nReplaces: 1\n") == Said(
            1, 1, "", "Misread: 200", 1
        )
        assert said_in("", "1/1\nmotif : mal lu\nremplace : version 2.\n") == Said(1, 1, "", "mal lu", 2)
        with pytest.raises(UserFault):
            said_in("", "replaces: 1\nreplaces: 2")

    @pytest.mark.parametrize(
        ("header", "subject", "text", "language"),
        [
            ("Content-Language: en-GB", "Partie 1 manche 1", "", "en"),
            ("Content-Language: de, en", "", "", "en"),
            ("Accept-Language: de, fr;q=0.3, en;q=0.9", "", "", "en"),
            ("Accept-Language: fr-CA\nContent-Language: en", "Match 1 hand 1", "", "fr"),
            ("Accept-Language: *;;q=", "Match 1 hand 1", "", "en"),
            ("", "Match 1 hand 1", "", "en"),
            ("", "Partie 1 manche 1", "Sorry, the hand was wrong", None),
            ("", "Partie 1 manche 1", "motif : mal lu", "fr"),
            ("", "Match 1", "motif : mal lu", None),
            ("Content-Language: de", "", "", None),
            ("", "", "", None),
        ],
    )
    def test_which_language_a_mail_asks_for(self, header: str, subject: str, text: str, language: str | None) -> None:
        read = read_mail(f"{header}\n\n".lstrip().encode())
        assert language_of(read.languages, subject, text, ["fr", "en"]) == language
