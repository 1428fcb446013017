"""Mails as people and their programs write them."""

from email.message import EmailMessage
from typing import Any

LOG = """\
[Format "bornes/1"]
[Rulebook "classique"]
[Teams "A: a1 | B: b1"]
[Seats "a1 b1"]
[Event "Café des Bornes"]

1. a1:FV b1:LV>A 2. a1:-25 b1:VP b1:100 *
"""
"""A manche that the referee stopped, which every rulebook of two teams allows."""


def mail(text: str = "", subject: str = "Partie 1 manche 1", **headers: str) -> EmailMessage:
    """A mail in plain text to the secret address of a test, from somebody outside."""
    message = EmailMessage()
    said = {
        "From": "Zoé Martin <zoe@example.org>",
        "To": "results+secret@club.example",
        "Subject": subject,
        "Message-ID": "<1@example.org>",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    if text:
        message.set_content(text)  # before the headers, of which it removes some
    for name, value in said.items():
        if value:
            message[name] = value
    return message


def attached(message: EmailMessage, body: bytes, name: str, media: str = "application/octet-stream") -> EmailMessage:
    """The mail with a file."""
    main, sub = media.split("/")
    message.add_attachment(body, maintype=main, subtype=sub, filename=name)
    return message


def raw(head: str, body: Any) -> bytes:
    """A mail written by hand: `head` one header a line."""
    text = body if isinstance(body, bytes) else str(body).encode()
    return "".join(f"{line}\r\n" for line in head.splitlines()).encode() + b"\r\n" + text
