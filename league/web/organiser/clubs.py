"""A club by its name, as forms give it."""

from league.policy import Actor
from league.selectors.organising import club_named
from league.services.people import add_club


def club_id(actor: Actor, name: str) -> int | None:
    """The club of this name, made if there is none; None for no name. Raises Faults."""
    if not name.strip():
        return None
    found = club_named(name=name)
    return found.pk if found else add_club(actor=actor, name=name).pk
