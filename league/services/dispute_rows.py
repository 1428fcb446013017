"""Opening and closing a dispute, beside whatever a service does in the same transaction."""

from django.utils import timezone

from league.models import Dispute, DisputeMessage, Manche, Result
from league.policy import Actor
from league.services.sides import side_of


def open_dispute_of(manche: Manche) -> Dispute | None:
    """The dispute of a manche that waits for a referee, if there is one."""
    return Dispute.objects.filter(manche=manche, closed_at__isnull=True).first()


def open_dispute(actor: Actor, result: Result, text: str = "") -> Dispute:
    """Open the dispute of a result, with a first message if something is said."""
    dispute = Dispute.objects.create(
        manche_id=result.manche_id, result=result, opened_by=actor.user, side=side_of(actor)
    )
    if text:
        DisputeMessage.objects.create(dispute=dispute, text=text, by=actor.user, side=side_of(actor))
    return dispute


def close_dispute_of(actor: Actor, manche: Manche, decision: str) -> Dispute | None:
    """Close the dispute of a manche, if one is open, by what was decided: a text that everybody may read."""
    dispute = open_dispute_of(manche)
    if dispute is not None:
        close(actor, dispute, decision)
    return dispute


def close(actor: Actor, dispute: Dispute, decision: str) -> None:
    """Close an open dispute."""
    dispute.closed_at, dispute.closed_by, dispute.decision = timezone.now(), actor.user, decision
    dispute.version += 1
    dispute.save(update_fields=["closed_at", "closed_by", "decision", "version"])
