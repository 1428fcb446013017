"""Taking a profile over: with a link sent to its private address, or a code from an organiser's hand.

Only digests are kept. A link is good for three days and a code for seven; each is good once. A code names its player,
so that wrong ones are counted there: after ten of them it is good no more.
"""

import hashlib
import secrets
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import Player, ProfileClaim, User
from league.models.people import fold_email
from league.policy import Actor
from league.services import audit
from league.services.accounts import Link, make_player_account
from league.services.locks import lock_player_rows
from league.services.mail import send_after_commit
from league.services.people import require_living

LINK_LASTS: Final = timedelta(days=3)
CODE_LASTS: Final = timedelta(days=7)
MOST_WRONG: Final = 10
"""Wrong codes for one player until the code is good no more."""

_BETWEEN_LINKS = timedelta(minutes=10)
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without those that are taken for each other: 0 O, 1 I L
_LENGTH = 8


@transaction.atomic
def send_claim_link(*, actor: Actor, player_id: int, link: Link) -> None:
    """Send a link to a player's private address; the last one is good no more. Within ten minutes: nothing again.

    Raises NotFound; Conflict `no-address`, `claimed-already`, `profile-gone`.
    """
    player = _unclaimed(player_id)
    if not player.email:
        raise Conflict("no-address", _("No e-mail address is known of this player: give a code instead."))
    waiting = player.claims.filter(is_code=False, used_at=None)
    if waiting.filter(created_at__gt=timezone.now() - _BETWEEN_LINKS).exists():
        return
    waiting.delete()
    token = secrets.token_urlsafe(32)
    _offer(actor, player, token, LINK_LASTS, is_code=False)
    audit.record(actor=actor, action="send_claim_link", on=player)
    body = _(
        "Somebody asks to take over the profile of %(name)s.\n\n"
        "If it is you, open this page within %(days)s days:\n%(link)s\n\n"
        "If you did not ask for it, do nothing."
    ) % {"name": player.name, "days": LINK_LASTS.days, "link": link(token)}
    send_after_commit(player.email, _("Your player profile"), body)


@transaction.atomic
def make_claim_code(*, actor: Actor, player_id: int) -> str:
    """Make a code that takes a player's profile over, and return it: it is kept nowhere. The last one is good no more.

    Raises NotFound; Conflict `claimed-already`, `profile-gone`.
    """
    player = _unclaimed(player_id)
    player.claims.filter(is_code=True, used_at=None).delete()
    signs = "".join(secrets.choice(_SIGNS) for _sign in range(_LENGTH))
    _offer(actor, player, f"{player.pk}-{signs}", CODE_LASTS, is_code=True)
    audit.record(actor=actor, action="make_claim_code", on=player)
    return f"{player.pk}-{signs[:4]}-{signs[4:]}"


def waiting_claim(token: str) -> ProfileClaim:
    """The claim that a link's token belongs to, while it can be used. Raises NotFound `claim-gone`."""
    claim = ProfileClaim.objects.select_related("player").filter(token_sha256=_digest(token), is_code=False).first()
    if claim is None or not _is_good(claim):
        raise NotFound("claim-gone", _("This link is not good any more: ask for another one."))
    return claim


@transaction.atomic
def claim_by_link(*, actor: Actor, token: str, display_name: str = "", password: str = "") -> Player:
    """Take a profile over: as the actor's account, or as one that is made for the address to which the link was sent.

    Raises NotFound `claim-gone`; Conflict `sign-in-first` when that address has an account and nobody is signed in,
    `claimed-already`, `has-a-profile`, `profile-gone`; Faults for the new account.
    """
    player = _unclaimed(waiting_claim(token).player_id)
    claim = waiting_claim(token)  # read again under the lock: two may open the link at once
    user = actor.user
    if user is None:
        if User.objects.filter(email=fold_email(player.email)).exists():
            message = _("This address has an account: sign in with it, then open the link again.")
            raise Conflict("sign-in-first", message)
        user = make_player_account(email=player.email, display_name=display_name, password=password)
    return _take(actor, player, claim, user)


def claim_by_code(*, actor: Actor, code: str, email: str = "", display_name: str = "", password: str = "") -> Player:
    """Take a profile over with a code: as the actor's account, or as one that is made. A wrong code is counted.

    Raises UserFault `wrong-code`, also for one that is used or too old, and for good ones after ten wrong ones; else
    what `claim_by_link` raises.
    """
    player_id, spoken = _read(code)
    player = None
    with transaction.atomic():
        claim = _coded(player_id, spoken)
        if claim is not None:
            player = _unclaimed(claim.player_id)
            claim = _coded(player_id, spoken)  # read again under the lock
        if claim is not None and player is not None:
            user = actor.user or make_player_account(email=email, display_name=display_name, password=password)
            return _take(actor, player, claim, user)
    ProfileClaim.objects.filter(player=player_id, is_code=True, used_at=None).update(attempts=F("attempts") + 1)
    raise UserFault("wrong-code", _("This code is not good: look at it again, or ask for another one."), field="code")


@transaction.atomic
def leave_profile(*, actor: Actor) -> Player:
    """Untie the actor's account from their profile, which stays. Raises NotFound."""
    found = Player.objects.filter(user=actor.user).values_list("pk", flat=True).first() if actor.user else None
    if found is None:
        raise NotFound
    player = lock_player_rows([found])[found]
    if player.user_id != getattr(actor.user, "pk", None):
        raise NotFound
    player.user, player.version = None, player.version + 1
    player.save(update_fields=["user", "version"])
    audit.record(actor=actor, action="leave_profile", on=player, before={"claimed": True}, after={"claimed": False})
    return player


def _unclaimed(player_id: int) -> Player:
    player = lock_player_rows([player_id])[player_id]
    require_living(player)
    if player.user_id is not None:
        raise Conflict("claimed-already", _("Somebody has this profile already: ask an organiser."))
    return player


def _offer(actor: Actor, player: Player, token: str, lasts: timedelta, *, is_code: bool) -> None:
    now = timezone.now()
    ProfileClaim.objects.create(
        player=player,
        token_sha256=_digest(token),
        is_code=is_code,
        made_by=actor.user,
        created_at=now,
        expires_at=now + lasts,
    )


def _is_good(claim: ProfileClaim) -> bool:
    return claim.used_at is None and claim.expires_at > timezone.now() and claim.attempts < MOST_WRONG


def _coded(player_id: int, spoken: str) -> ProfileClaim | None:
    claim = ProfileClaim.objects.filter(token_sha256=_digest(spoken), player=player_id, is_code=True).first()
    return claim if claim is not None and _is_good(claim) else None


def _take(actor: Actor, player: Player, claim: ProfileClaim, user: User) -> Player:
    if Player.objects.filter(user=user).exists():
        message = _("Your account has a profile already: an organiser can make one of the two.")
        raise Conflict("has-a-profile", message)
    player.user, player.version = user, player.version + 1
    try:
        with transaction.atomic():
            player.save(update_fields=["user", "version"])
    except IntegrityError as error:  # the same account takes another profile at this moment
        raise Conflict("has-a-profile", _("Your account has a profile already.")) from error
    claim.used_at, claim.used_by = timezone.now(), user
    claim.save(update_fields=["used_at", "used_by"])
    player.claims.filter(used_at=None).delete()
    audit.record(
        actor=Actor(user=user, ip=actor.ip, request_id=actor.request_id),
        action="claim_profile",
        on=player,
        before={"claimed": False},
        after={"claimed": True, "by": "code" if claim.is_code else "link"},
    )
    return player


def _read(code: str) -> tuple[int, str]:
    """A code as it was typed: the player, and what was digested. Blanks, hyphens and small letters do not matter."""
    typed = "".join(sign for sign in code.upper() if sign.isalnum())
    number, signs = typed[:-_LENGTH], typed[-_LENGTH:]
    player_id = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    return player_id, f"{player_id}-{signs}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
