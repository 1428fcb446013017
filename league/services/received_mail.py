"""A mail with a log or a sheet: handed in, and answered by mail.

The secret address that it came to says the championship and who sends; whoever it is acts with the rights that they
have at this moment. A mail that comes again (the same Message-ID) counts once and is answered as before: the answer is
kept in the transaction that it speaks of, and sent after it, so a mail server may try again whatever goes wrong.
"""

import hashlib
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.errors import NotFound, NotPermitted, TooLarge, UserFault
from league.mails.answers import Answer, answer_of, answer_of_fault
from league.mails.document import document_in
from league.mails.message import Mail, read_mail
from league.mails.said import Said, language_of, said_in
from league.models import ExternalKind, MailAddress, ReceivedMail, Result
from league.policy import Action, Actor, require
from league.selectors.accounts import language_of_account
from league.selectors.external_ids import object_named
from league.selectors.my_tables import own_tables
from league.services.hand_in_answers import HandIn
from league.services.mail_addresses import is_ours, known_addresses
from league.services.pushed import Pushed, push

MOST_AN_HOUR = 300
"""Mails of one address that are taken in an hour; the mail server is asked to bring the rest later."""
KEPT = timedelta(days=30)
"""How long a mail is known again; mail servers give up after a few days."""

log = structlog.get_logger(__name__)


class UnknownAddress(Exception):  # noqa: N818 — no fault of ours, and nobody is told
    """The mail came to no address that is good: the mail server says that there is no such user."""


class TooManyMails(Exception):  # noqa: N818
    """The address has had its mails of this hour."""


@dataclass(frozen=True, slots=True)
class Received:
    """What became of a mail. `code`: of its answer, or why it has none. `again`: it had come before."""

    code: str
    answered: bool
    again: bool = False


def receive_mail(*, raw: bytes, to: str = "") -> Received:
    """Hand in what a mail holds and answer it.

    `raw`: the mail; its first bytes, one more than BODY_LIMIT, where it is too large. `to`: the address that the mail
    server was told to deliver to, if it says so; else the headers are looked at. Mails of machines, of lists and of
    ourselves are neither counted nor answered. Raises UnknownAddress, TooManyMails; OSError when the answer
    cannot be sent: brought again, the mail is answered as it would have been.
    """
    too_large = len(raw) > settings.BODY_LIMIT
    mail = read_mail(raw, headers_only=too_large)
    addresses = _addresses(mail, to)
    if not addresses:
        raise UnknownAddress
    silence = mail.machine or ("no-sender" if not mail.answer_to else "own" if is_ours(mail.answer_to) else "")
    if silence:
        log.info("mail_left_unanswered", why=silence, address=addresses[0].pk)
        return Received(silence, answered=False)
    language = _language(mail, addresses[0])
    with translation.override(language):
        fault: UserFault | None = TooLarge(settings.BODY_LIMIT) if too_large else None
        if len(addresses) > 1:
            message = _("This mail went to several of the addresses for results: write to one of them.")
            fault = UserFault("several-addresses", message)
        answer, again = _answered_once(addresses[0], mail, fault)
        _send(mail, answer, language)
    log.info("mail_answered", code=answer.code, address=addresses[0].pk, again=again)
    return Received(answer.code, answered=True, again=again)


def forget_mails() -> None:
    """Forget mails that no mail server brings again."""
    ReceivedMail.objects.filter(at__lt=timezone.now() - KEPT).delete()


def _addresses(mail: Mail, to: str) -> list[MailAddress]:
    """The good addresses that a mail came to: as it was delivered, else as it was written."""
    if "+" in to:
        return known_addresses((to,))  # the mail server knows better than what is written in the mail
    for recipients in mail.recipients:
        if found := known_addresses(recipients):
            return found
    return []


def _language(mail: Mail, address: MailAddress) -> str:
    """That which the mail asks for; else that of the account, if the site knows it; else the site's own."""
    text = "\n".join(part.text for part in mail.parts if part.media == "text/plain" and not part.name)
    known = [code for code, _name in settings.LANGUAGES]
    said = language_of(mail.languages, mail.subject, text, known)
    return said or language_of_account(user=address.user) or settings.LANGUAGE_CODE


@transaction.atomic
def _answered_once(address: MailAddress, mail: Mail, fault: UserFault | None) -> tuple[Answer, bool]:
    """The answer to a mail, and whether it had been given before. Two at the same moment: one waits for the other."""
    address = (
        MailAddress.objects.select_for_update(of=("self",)).select_related("championship", "user").get(pk=address.pk)
    )
    if address.revoked_at is not None:
        raise UnknownAddress
    digest = hashlib.sha256(mail.identity.encode("utf-8", "replace")).hexdigest()
    before = ReceivedMail.objects.filter(address=address, message_id_sha256=digest).first()
    if before is not None:
        return Answer(**before.answer), True
    now = timezone.now()
    if ReceivedMail.objects.filter(address=address, at__gt=now - timedelta(hours=1)).count() >= MOST_AN_HOUR:
        raise TooManyMails
    answer = _handed_in(address, mail, fault, digest)
    ReceivedMail.objects.create(address=address, message_id_sha256=digest, answer=asdict(answer), at=now)
    MailAddress.objects.filter(pk=address.pk).update(last_used_at=now)
    return answer, False


def _handed_in(address: MailAddress, mail: Mail, fault: UserFault | None, digest: str) -> Answer:
    championship = address.championship
    actor = Actor(user=address.user, request_id=f"mail-{digest[:12]}")
    try:
        require(actor, Action.HAND_IN, championship)
    except (NotFound, NotPermitted):
        message = _("You may not hand in here any more: ask an organiser of the championship.")
        return answer_of_fault(NotPermitted(message=message), "")
    try:
        if fault is not None:
            raise fault
        found = document_in(mail)
        said = said_in(mail.subject, found.beside)
        with transaction.atomic():
            handed = _push(actor, address, found.body, said)
    except UserFault as refused:
        return answer_of_fault(refused, championship.name)
    return answer_of(handed, championship.name)


def _push(actor: Actor, address: MailAddress, body: bytes, said: Said) -> HandIn:
    said = _completed(actor, address, body, said)
    item = Pushed(
        body=body,
        partie=said.partie,
        manche=said.manche,
        external_id=said.own_id,
        reason=said.reason,
        replaces=said.replaces,
    )
    return push(actor=actor, slug=address.championship.slug, item=item)


def _completed(actor: Actor, address: MailAddress, body: bytes, said: Said) -> Said:
    """What was said, with what can only be meant where it was not said.

    Where the very document stands already, as this sender's, that manche is meant: a mail that is written again since
    no answer came does not go to the manche after it.
    """
    own_id = said.manche[1:] if isinstance(said.manche, str) else ""
    if said.manche is not None and said.partie is not None:
        return said
    if own_id:
        kind, slug = ExternalKind.MANCHE, address.championship.slug
        if object_named(actor=actor, slug=slug, kind=kind, external_id=own_id) is not None:
            return said
        said = replace(said, manche=None, own_id=own_id)
    if isinstance(said.partie, str):
        message = _("Say for which manche too, as in “Partie %(partie)s manche 1”.") % {"partie": said.partie}
        raise UserFault("which-manche", message, field="manche")
    if said.replaces is not None:
        message = _("Say which manche you correct, in the subject or the first line: “Partie 12 manche 1”.")
        raise UserFault("which-manche", message, field="manche")
    return _standing(address, body, said) or _awaited(actor, address, said)


def _standing(address: MailAddress, body: bytes, said: Said) -> Said | None:
    rows = Result.objects.filter(
        current_of__partie__championship=address.championship,
        by=address.user,
        document__sha256=hashlib.sha256(body).hexdigest(),
    )
    if said.partie is not None:
        rows = rows.filter(current_of__partie__number=said.partie)
    if said.manche is not None:
        rows = rows.filter(current_of__number=said.manche)
    found = rows.order_by("-pk").values_list("current_of__partie__number", "current_of__number").first()
    return None if found is None else replace(said, partie=found[0], manche=found[1])


def _awaited(actor: Actor, address: MailAddress, said: Said) -> Said:
    """The manche that a table of the sender's awaits, if only one can be meant. Raises UserFault `which-manche`."""
    waiting = [
        (table.number, number)
        for table in own_tables(actor=actor, championship=address.championship)
        for number in (table.awaited or table.second,)
        if number is not None
    ]
    fitting = [
        (partie, manche)
        for partie, manche in waiting
        if said.partie in (None, partie) and said.manche in (None, manche)
    ]
    if len(fitting) == 1:
        return replace(said, partie=fitting[0][0], manche=fitting[0][1])
    message = _("Say for which manche, in the subject or the first line: “Partie 12 manche 1”.")
    raise UserFault("which-manche", message, field="manche", extra={"awaited": sorted(waiting)})


# ---- the answer ------------------------------------------------------------------------------------------------------


def _send(mail: Mail, answer: Answer, language: str) -> None:
    """Send an answer. Raises OSError, as SMTP does, when it cannot be sent now; what never can be is left."""
    headers = {"Auto-Submitted": "auto-replied", "Content-Language": language, "X-Auto-Response-Suppress": "All"}
    if mail.message_id:
        headers["In-Reply-To"] = mail.message_id
        headers["References"] = " ".join(dict.fromkeys([*mail.references, mail.message_id]))
    try:
        EmailMessage(answer.subject, answer.body, None, [mail.answer_to], headers=headers).send()
    except SMTPRecipientsRefused as refused:
        if any(code < 500 for code, _text in refused.recipients.values()):
            raise
        log.warning("mail_cannot_be_answered")
