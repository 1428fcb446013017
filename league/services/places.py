"""Places in a championship, and who moves up from the waiting list when one is free."""

from django.db.models import Q

from league.models import Championship, Entry, Partie, Registration, RegistrationState
from league.policy import Actor
from league.services import audit
from league.services.registration_mail import tell


def free_places(championship: Championship) -> int | None:
    """How many more may have a place; None without a maximum. Entries that withdrew have left theirs. Two queries."""
    if championship.max_entries is None:
        return None
    entered = Entry.objects.filter(championship=championship, withdrawn_at__isnull=True).count()
    received = Registration.objects.filter(championship=championship, state=RegistrationState.RECEIVED).count()
    return max(0, championship.max_entries - entered - received)


def has_started(championship: Championship) -> bool:
    """Whether a partie was ever opened: from then on nobody moves up by themselves. One query."""
    return Partie.objects.filter(championship=championship).exists()


def move_up(*, actor: Actor, championship: Championship) -> list[Registration]:
    """Give free places of a locked championship to those who wait, in their order; each is told by mail on commit.

    Once it has started nobody moves up: whether a late entry makes sense then is for an organiser to say.
    """
    waiting = Registration.objects.filter(championship=championship, state=RegistrationState.WAITING)
    free = free_places(championship)
    if free == 0 or not waiting.exists() or has_started(championship):
        return []
    moved = list(waiting.order_by("position")[:free])
    for registration in moved:
        registration.state = RegistrationState.RECEIVED
        registration.version += 1
        registration.save(update_fields=["state", "version"])
        audit.record(
            actor=actor,
            action="move_up",
            on=registration,
            championship=championship,
            before={"state": RegistrationState.WAITING},
            after={"state": RegistrationState.RECEIVED},
        )
        tell(championship, registration)
    return moved


def place_in_line(registration: Registration) -> int:
    """The place of a registration on the waiting list, from 1. One query."""
    before = Q(position__lte=registration.position)
    waiting = Registration.objects.filter(championship=registration.championship_id, state=RegistrationState.WAITING)
    return waiting.filter(before).count()
