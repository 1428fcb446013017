"""What somebody changes about their own account."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault, all_of
from league.models import User
from league.models.people import fold_email
from league.policy import Actor
from league.services import audit
from league.services.texts import asked_email, asked_name


@transaction.atomic
def change_profile(*, actor: Actor, display_name: str, email: str) -> User:
    """Change the name that is shown and the address that signs in. The audit says only that an address changed.

    Raises Faults (`required`, `too-long`, `bad-email`), Conflict `email-taken`.
    """
    user = _own(actor)
    before, email_before = audit.state(user, ("display_name",)), user.email
    faults: list[UserFault] = []
    try:
        user.display_name = asked_name(display_name, field="display_name", limit=80)
    except UserFault as fault:
        faults.append(fault)
    try:
        user.email = asked_email(fold_email(email))
    except UserFault as fault:
        faults.append(fault)
    all_of(faults)
    was, now = audit.changes(before, audit.state(user, ("display_name",)))
    if user.email != email_before:
        was["email"], now["email"] = "private", "changed"
    if not now:
        return user
    try:
        with transaction.atomic():
            user.save(update_fields=["display_name", "email"])
    except IntegrityError as error:
        raise Conflict("email-taken", _("This e-mail address already has an account."), field="email") from error
    audit.record(actor=actor, action="change_profile", on=user, before=was, after=now)
    return user


@transaction.atomic
def set_password(*, actor: Actor, password: str) -> User:
    """Give the actor's own account another password. Signing in elsewhere ends. Raises Faults `weak-password`."""
    user = _own(actor)
    try:
        validate_password(password, user)
    except ValidationError as error:
        all_of([UserFault("weak-password", message, field="password") for message in error.messages])
    user.set_password(password)
    user.save(update_fields=["password"])
    audit.record(actor=actor, action="set_password", on=user)
    return user


def _own(actor: Actor) -> User:
    if actor.user is None:
        raise ValueError("somebody's own account needs somebody")
    return User.objects.select_for_update(no_key=True).get(pk=actor.user.pk)
