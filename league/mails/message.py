"""A mail as it came: who is to be answered, whether anybody is, and its parts in bytes.

Mails are broken in every way there is, so nothing here raises: what cannot be read is not there.
"""

import contextlib
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation.trans_real import parse_accept_lang_header

MOST_PARTS = 100
"""Parts of one mail that are looked at."""

_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
_WRITTEN = ("To", "Cc")
_ROBOTS = ("mailer-daemon", "postmaster")


@dataclass(frozen=True, slots=True)
class Part:
    """A part that holds something: `body` without its transfer encoding. `name`: of its file, empty without one."""

    media: str
    name: str
    body: bytes
    charset: str = ""
    flowed: bool = False
    del_space: bool = False

    @property
    def text(self) -> str:
        """The body as text, lines ended by LF, lines that a mail program has folded put together (RFC 3676)."""
        text = decoded(self.body, self.charset).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return _unfolded(text, self.del_space) if self.flowed else text


@dataclass(frozen=True, slots=True)
class Mail:
    """What is known of a mail.

    `identity` says which mail it is when it comes again. `answer_to`: the one address that an answer may go to, empty
    without one. `recipients`: addresses as they were delivered to, then as they were written. `machine`: why this is no
    mail of a person (RFC 3834), empty if it is one: such mails are neither counted nor answered. `languages`: what it
    is to be answered in, the best first (`en-gb`).
    """

    subject: str
    identity: str
    message_id: str
    references: tuple[str, ...]
    answer_to: str
    languages: tuple[str, ...]
    recipients: tuple[tuple[str, ...], ...]
    machine: str
    parts: tuple[Part, ...]


def read_mail(raw: bytes, *, headers_only: bool = False) -> Mail:
    """Read a mail. `headers_only`: what is below is not looked at, since it is too much."""
    try:
        message = BytesHeaderParser().parsebytes(raw) if headers_only else message_from_bytes(raw)
        parts = () if headers_only else tuple(_parts(message))
    except (RecursionError, ValueError, LookupError):  # parts in parts without end, and what the parser trips over
        message, parts = BytesHeaderParser().parsebytes(raw), ()
    ids = _ID.findall(_header(message, "Message-ID"))
    return Mail(
        subject=" ".join(_header(message, "Subject").split()),
        identity=_identity(message, raw),
        message_id=ids[0] if ids else "",
        references=tuple(_ID.findall(_header(message, "References"))[-20:]),
        answer_to=_answer_to(message),
        languages=tuple(_languages(message)),
        recipients=tuple(tuple(_addresses(message, names)) for names in (_DELIVERED, _WRITTEN)),
        machine=_machine(message),
        parts=parts,
    )


def decoded(body: bytes, charset: str) -> str:
    """Bytes as text: as they say they are written, else UTF-8, else what western mail programs write."""
    for name in (charset, "utf-8", "cp1252"):
        with contextlib.suppress(LookupError, ValueError):
            return body.decode(name)
    return body.decode("latin-1")


def _header(message: Message, name: str) -> str:
    """All headers of a name as one text, decoded."""
    said = []
    for value in message.get_all(name, []):
        try:
            text = str(make_header(decode_header(value)))
        except (ValueError, LookupError):
            text = str(value)
        said.append(text.encode("utf-8", "replace").decode())
    return " ".join(said)


def _languages(message: Message) -> Iterator[str]:
    """What the sender reads (RFC 3282: Accept-Language in a mail is said for such answers), then what they write."""
    yield from (name for name, _quality in parse_accept_lang_header(_header(message, "Accept-Language")))
    yield from (name.strip().lower() for name in _header(message, "Content-Language").split(","))


def _addresses(message: Message, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        values = [str(value) for value in message.get_all(name, [])]
        yield from (address for _name, address in getaddresses(values) if "@" in address)


def _answer_to(message: Message) -> str:
    """The first address of Reply-To, else of From; one only, so that nobody makes us write to many."""
    for name in ("Reply-To", "From"):
        for address in _addresses(message, (name,)):
            try:
                validate_email(address)
            except ValidationError:
                return ""
            return address if len(address) <= 254 and address.isascii() else ""
    return ""


def _identity(message: Message, raw: bytes) -> str:
    """The Message-ID as it stands; of a mail without one a digest of what stays when it is delivered again."""
    said = " ".join(str(message.get("Message-ID", "")).split())
    if said:
        return said
    _head, _gap, below = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    written = "\n".join(_header(message, name) for name in ("From", "Date", "Subject"))
    return f"without {hashlib.sha256(written.encode() + below).hexdigest()}"


def _machine(message: Message) -> str:
    automatic = _header(message, "Auto-Submitted").split(";")[0].split("(")[0].strip().lower()
    if automatic not in ("", "no") or message.get("X-Autoreply") or message.get("X-Autorespond"):
        return "auto-submitted"
    if _header(message, "Precedence").strip().lower() in ("bulk", "junk", "list", "auto_reply"):
        return "bulk"
    if any(message.get(name) for name in ("List-Id", "List-Post", "Mailing-List", "X-Mailing-List")):
        return "mailing-list"
    if _header(message, "Return-Path").strip() == "<>" or message.get_content_type() == "multipart/report":
        return "bounce"
    senders = [*_addresses(message, ("Reply-To",)), *_addresses(message, ("From", "Sender"))]
    if any(address.rpartition("@")[0].lower() in _ROBOTS for address in senders):
        return "bounce"
    return ""


def _parts(message: Message) -> Iterator[Part]:
    for number, one in enumerate(message.walk()):
        if number >= MOST_PARTS:
            return
        body = None if one.is_multipart() else one.get_payload(decode=True)
        if not isinstance(body, bytes):
            continue
        flowed = str(one.get_param("format", "")).lower() == "flowed"
        yield Part(
            media=one.get_content_type(),
            name=_file_name(one),
            body=body,
            charset=str(one.get_content_charset("") or ""),
            flowed=flowed,
            del_space=flowed and str(one.get_param("delsp", "")).lower() == "yes",
        )


def _file_name(part: Message) -> str:
    """The name of a part's file; of an attachment without one a name of ours."""
    with contextlib.suppress(ValueError, LookupError, TypeError):
        name = part.get_filename("")
        if name:
            return str(make_header(decode_header(name)))
    return "attachment" if part.get_content_disposition() == "attachment" else ""


def _unfolded(text: str, del_space: bool) -> str:
    """A text of `format=flowed` with its paragraphs each in one line, quoted lines left alone."""
    lines: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        quoted = line.startswith(">")
        plain = line[1:] if line.startswith(" ") else line
        if goes_on and not quoted and plain != "-- ":
            lines[-1] += plain
        else:
            lines.append(plain)
        goes_on = not quoted and plain.endswith(" ") and plain != "-- "
        if goes_on and del_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
