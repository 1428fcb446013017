"""Keys of programs: made, proved, revoked.

A token is `bornage_PREFIX_SECRET`. The row is found by its prefix; the secret is 32 random bytes, so one SHA-256 of it
keeps it as safe as a slow hash would keep a password, and costs a request nothing.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import NotFound, UserFault, all_of
from league.models import ApiToken, Championship, Scope, User
from league.policy import Actor
from league.services import audit
from league.services.texts import asked_name

MARK = "bornage"
_FIELDS = ("name", "prefix", "scopes", "championship_id", "expires_at", "revoked_at")
_USED_EVERY = timedelta(minutes=5)
_UNKNOWN = hashlib.sha256(b"").hexdigest()


def create_token(
    *,
    actor: Actor,
    user: User,
    name: str,
    scopes: Collection[str],
    championship: Championship | None = None,
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Make a token for a user and return it with its text, which is shown this once and kept nowhere.

    `championship`: the only one that it is good for. Raises Faults (`unknown-scope`, `expired`, a bad name).
    """
    faults = []
    if not scopes or set(scopes) - set(Scope.values):
        faults.append(UserFault("unknown-scope", _("Choose at least one of the list."), field="scopes"))
    if expires_at is not None and expires_at <= timezone.now():
        faults.append(UserFault("expired", _("Choose a day to come."), field="expires_at"))
    all_of(faults)
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=user,
            championship=championship,
            name=asked_name(name, limit=80),
            prefix=secrets.token_hex(6),
            secret_sha256=_digest(secret),
            scopes=sorted(set(scopes)),
            expires_at=expires_at,
        )
        audit.record(
            actor=actor,
            action="create_token",
            on=token,
            championship=championship,
            after=audit.state(token, _FIELDS),
        )
    return token, f"{MARK}_{token.prefix}_{secret}"


@transaction.atomic
def revoke_token(*, actor: Actor, token_id: int) -> ApiToken:
    """Make a token worthless, for good. Raises NotFound."""
    token = ApiToken.objects.select_for_update().filter(pk=token_id).first()
    if token is None:
        raise NotFound
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        after = {"revoked_at": token.revoked_at.isoformat()}
        audit.record(
            actor=actor,
            action="revoke_token",
            on=token,
            championship=token.championship,
            before={"revoked_at": None},
            after=after,
        )
    return token


def token_user(text: str) -> ApiToken | None:
    """The token that a request showed, with its user in the same query; None if it is not, or no longer, good.

    Not audited: what is done with it is. That it was used is noted every few minutes at most.
    """
    mark, _sep, rest = text.partition("_")
    prefix, _sep, secret = rest.partition("_")
    if mark != MARK or not secret or len(prefix) > 12 or not prefix.isprintable():
        return None
    now = timezone.now()
    token = ApiToken.objects.select_related("user").filter(_good(), prefix=prefix).order_by("pk").first()
    # the comparison takes its time whether there is such a token or not
    good = hmac.compare_digest(_digest(secret), token.secret_sha256 if token else _UNKNOWN)
    if token is None or not good or not token.user.is_active:
        return None
    if token.last_used_at is None or now - token.last_used_at > _USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def is_still_good(token: ApiToken) -> bool:
    """Whether a token that was good is so yet, and its user's account open: one small query."""
    return ApiToken.objects.filter(_good(), pk=token.pk, user__is_active=True).exists()


def _good() -> Q:
    return Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
