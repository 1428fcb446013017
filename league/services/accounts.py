"""Accounts of those who organise: the first one, those made at the command line, those invited by mail."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import Championship, Invitation, Membership, Role, User
from league.models.people import fold_email
from league.policy import Actor
from league.services import audit
from league.services.locks import lock_championship, lock_first_account
from league.services.mail import send_after_commit
from league.services.roles import asked_role, keep_an_owner
from league.services.texts import asked_email, asked_name

INVITATION_LASTS = timedelta(days=14)

Link = Callable[[str], str]
"""Makes the whole address of the page that takes an invitation, from the invitation's token."""


DEMONSTRATION_EMAIL: Final = "demonstration@bornage.invalid"
"""Of the account that owns the demonstration, which nobody can sign in to."""


def needs_first_account() -> bool:
    """Whether nobody ever had an account; the owner of the demonstration is nobody.

    Accounts that were closed count: else a site whose last account is closed would be anybody's.
    """
    return not User.objects.exclude(email=DEMONSTRATION_EMAIL, is_active=False, last_login__isnull=True).exists()


@transaction.atomic
def create_first_account(*, actor: Actor, email: str, display_name: str, password: str) -> User:
    """Make the first account, which may also open the administration pages.

    The championships that nobody runs who can sign in, such as the demonstration, become its own.

    Raises Conflict `not-first` when there is an account already, also when two try at once; Faults.
    """
    lock_first_account()
    if not needs_first_account():
        raise Conflict("not-first", _("The first account has been made already: sign in."))
    user = _make_account(email, display_name, password, is_staff=True, is_superuser=True)
    after = {"display_name": user.display_name, "owns": _take_over(user)}
    audit.record(actor=actor, action="create_first_account", on=user, after=after)
    return user


def _take_over(user: User) -> list[str]:
    """Make an account the owner of the championships that nobody runs who can sign in; return their addresses."""
    left = list(Championship.objects.exclude(memberships__user__is_active=True))
    Membership.objects.bulk_create(
        Membership(user=user, championship=championship, role=Role.OWNER) for championship in left
    )
    return [championship.slug for championship in left]


@transaction.atomic
def make_organiser(*, actor: Actor, email: str, display_name: str, password: str | None, staff: bool = False) -> User:
    """Make an account, which may make championships; or let an existing one in again and give it the password.

    Without a password a new account has none until its owner asks for one by mail. The first account of a site gets
    the championships that nobody runs, as in `create_first_account`. Raises Faults.
    """
    lock_first_account()
    is_first = needs_first_account()
    user = User.objects.select_for_update().filter(email=fold_email(email)).first()
    if user is None:
        user = _make_account(email, display_name, password, is_staff=staff)
        before = None
    else:
        before = audit.state(user, ("display_name", "is_active", "is_staff"))
        user.is_active, user.may_organise, user.is_staff = True, True, user.is_staff or staff
        if display_name:
            user.display_name = asked_name(display_name, field="display_name", limit=80)
        if password is not None:
            all_of(_password_faults(password, user))
            user.set_password(password)
        user.save()
    after = audit.state(user, ("display_name", "is_active", "is_staff"))
    if is_first:
        after["owns"] = _take_over(user)
    audit.record(actor=actor, action="make_organiser", on=user, before=before, after=after)
    return user


@transaction.atomic
def open_or_close_account(*, actor: Actor, user_id: int, is_open: bool) -> User:
    """Let an account sign in, or not any more; its tokens go with it, what it did stays.

    Raises NotFound; Conflict `own-account` for the actor's own, `last-staff` where nobody could open it again.
    """
    lock_first_account()  # of two who close each other's account at once, the second finds the first one's closed
    user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    if user == actor.user:
        raise Conflict("own-account", _("Nobody closes their own account: ask another one of the staff."))
    if user.is_active != is_open:
        if not is_open:
            _keep_staff(user)
        user.is_active = is_open
        user.save(update_fields=["is_active"])
        before, after = {"is_active": not is_open}, {"is_active": is_open}
        audit.record(actor=actor, action="open_or_close_account", on=user, before=before, after=after)
    return user


def _keep_staff(closing: User) -> None:
    others = User.objects.filter(is_active=True).exclude(pk=closing.pk)
    for right in ("is_superuser", "is_staff"):
        if getattr(closing, right) and not others.filter(**{right: True}).exists():
            raise Conflict("last-staff", _("This is the last open account that runs the site: open another one first."))


@transaction.atomic
def invite(
    *,
    actor: Actor,
    championship_id: int,
    email: str,
    link: Link,
    role: str = Role.ORGANISER,
    tables: Iterable[int] = (),
) -> tuple[Invitation, str]:
    """Ask somebody by mail to help run a championship; return the invitation and its token (kept nowhere).

    An invitation that still waits for the same address is replaced. Raises UserFault `bad-email`, what `asked_role`
    raises; Conflict `already-organiser`.
    """
    championship = lock_championship(pk=championship_id)
    address = asked_email(fold_email(email))
    role, numbers = asked_role(role, tables)
    if Membership.objects.filter(championship=championship, user__email=address).exists():
        raise Conflict("already-organiser", _("This person runs the championship already."), field="email")
    now, token = timezone.now(), secrets.token_urlsafe(32)
    Invitation.objects.filter(
        championship=championship, email=address, accepted_at__isnull=True, withdrawn_at__isnull=True
    ).update(withdrawn_at=now)
    assert actor.user is not None
    invitation = Invitation.objects.create(
        championship=championship,
        email=address,
        role=role,
        tables=numbers,
        token_sha256=_digest(token),
        invited_by=actor.user,
        created_at=now,
        expires_at=now + INVITATION_LASTS,
    )
    audit.record(
        actor=actor, action="invite", on=invitation, championship=championship, after={"role": role, "tables": numbers}
    )
    subject = _("Help to run %(championship)s") % {"championship": championship.name}
    body = _(
        "%(inviter)s asks you to help run the championship “%(championship)s” as: %(role)s.\n\n"
        "Open this page to accept, within %(days)s days:\n%(link)s\n\n"
        "If you do not know what this is about, do nothing."
    ) % {
        "inviter": actor.user.display_name,
        "championship": championship.name,
        "role": f"{invitation.get_role_display()}{_tables_said(numbers)}",
        "days": INVITATION_LASTS.days,
        "link": link(token),
    }
    send_after_commit(address, subject, body)
    return invitation, token


def _tables_said(numbers: Sequence[int]) -> str:
    tables = ", ".join(str(number) for number in numbers)
    return _(" (tables %(tables)s)") % {"tables": tables} if numbers else ""


@transaction.atomic
def accept_invitation(*, actor: Actor, token: str, display_name: str = "", password: str = "") -> Membership:
    """Take an invitation: as the account of the address invited, which is made if there is none.

    Raises NotFound for a token that is unknown, used, withdrawn or too old; Conflict `sign-in-first` when the address
    has an account and the actor is not it, `email-taken` when one is being made for it; Faults for the new account.
    """
    found = waiting_invitation(token)
    championship = lock_championship(pk=found.championship_id)
    invitation = waiting_invitation(token)  # read again under the lock: two may open the link at once
    user = User.objects.filter(email=invitation.email).first()
    if user is not None and user != actor.user:
        raise Conflict("sign-in-first", _("This address has an account: sign in with it, then open the link again."))
    if user is None:
        user = _make_account(invitation.email, display_name, password)
    membership, _made = Membership.objects.get_or_create(
        user=user, championship=championship, defaults={"role": invitation.role, "tables": invitation.tables}
    )
    if not user.may_organise and membership.role in (Role.OWNER, Role.ORGANISER):
        user.may_organise = True
        user.save(update_fields=["may_organise"])
    invitation.accepted_at, invitation.accepted_by = timezone.now(), user
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    audit.record(
        actor=Actor(user=user, ip=actor.ip, request_id=actor.request_id),
        action="accept_invitation",
        on=membership,
        championship=championship,
        after={"role": membership.role},
    )
    return membership


def waiting_invitation(token: str) -> Invitation:
    """The invitation that a link's token belongs to, while it can be taken. Raises NotFound."""
    invitation = (
        Invitation.objects.select_related("championship", "invited_by")
        .filter(
            token_sha256=_digest(token),
            accepted_at__isnull=True,
            withdrawn_at__isnull=True,
            expires_at__gt=timezone.now(),
        )
        .first()
    )
    if invitation is None:
        raise NotFound("invitation-gone", _("This invitation is not good any more: ask for another one."))
    return invitation


@transaction.atomic
def remove_organiser(*, actor: Actor, membership_id: int) -> None:
    """Take somebody's role away. Raises NotFound, Conflict `last-owner`."""
    championship = lock_championship(memberships=membership_id)
    membership = Membership.objects.filter(pk=membership_id).first()
    if membership is None:  # somebody else took it away before the lock was had
        raise NotFound
    keep_an_owner(championship, membership)
    audit.record(
        actor=actor,
        action="remove_organiser",
        on=membership,
        championship=championship,
        before={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()


@transaction.atomic
def withdraw_invitation(*, actor: Actor, invitation_id: int) -> None:
    """Take an invitation back before it is accepted; taking it back again changes nothing. Raises NotFound."""
    championship = lock_championship(invitations=invitation_id)
    invitation = Invitation.objects.get(pk=invitation_id)
    if invitation.accepted_at is not None:
        raise NotFound("invitation-gone", _("This invitation was accepted: take the organiser off."))
    if invitation.withdrawn_at is not None:
        return
    before = audit.state(invitation, ("withdrawn_at",))
    invitation.withdrawn_at = timezone.now()
    invitation.save(update_fields=["withdrawn_at"])
    after = audit.state(invitation, ("withdrawn_at",))
    audit.record(
        actor=actor, action="withdraw_invitation", on=invitation, championship=championship, before=before, after=after
    )


def make_player_account(*, email: str, display_name: str, password: str) -> User:
    """Make an account for somebody who takes over their profile as a player: it may make no championships.

    Raises Conflict `email-taken`, Faults. What follows it says in the audit who took which profile over.
    """
    return _make_account(email, display_name, password, may_organise=False)


def _make_account(
    email: str,
    display_name: str,
    password: str | None,
    *,
    is_staff: bool = False,
    is_superuser: bool = False,
    may_organise: bool = True,
) -> User:
    faults: list[UserFault] = []
    user = User(is_staff=is_staff, is_superuser=is_superuser, may_organise=may_organise)
    for lay in (_lay_email, _lay_name):
        try:
            lay(user, email, display_name)
        except UserFault as fault:
            faults.append(fault)
    if password is not None:
        faults += _password_faults(password, user)
    all_of(faults)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:  # made at the same moment, by another invitation
        raise _email_taken() from error
    return user


def _lay_email(user: User, email: str, _display_name: str) -> None:
    user.email = asked_email(fold_email(email))
    if User.objects.filter(email=user.email).exists():
        raise _email_taken()


def _email_taken() -> Conflict:
    return Conflict("email-taken", _("This e-mail address already has an account."), field="email")


def _lay_name(user: User, _email: str, display_name: str) -> None:
    user.display_name = asked_name(display_name, field="display_name", limit=80)


def _password_faults(password: str, user: User) -> list[UserFault]:
    try:
        validate_password(password, user)
    except ValidationError as error:
        return [UserFault("weak-password", message, field="password") for message in error.messages]
    return []


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
