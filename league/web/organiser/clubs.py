"""A club by its name, as forms give it."""

from league.policy import Actor
from league.services.people import club_called


def club_id(actor: Actor, name: str) -> int | None:
    """The club of this name, made if there is none; None for no name. Raises Faults."""
    return club_called(actor=actor, name=name).pk if name.strip() else None
