"""What an entry's withdrawal does to its parties in a round robin (STANDINGS 2): all void, or the rest forfeited."""

from django.db.models import Q

from league.models import Championship, Entry, Partie, PartieStatus
from league.policy import Actor
from league.selectors.round_robin import robin_effect
from league.services.parties import rule_forfeit, void_partie


def settle_round_robin(actor: Actor, championship: Championship, entry: Entry, why: str) -> None:
    """Rule about the parties of an entry that withdraws from a locked championship, if it plays a round robin.

    Before half of its parties all of them are annulled; later those under way are its forfeit. Those still to be drawn
    follow of themselves (`league.services.drawn`).
    """
    effect = robin_effect(championship=championship, entry=entry)
    if effect is None:
        return
    own = Partie.objects.filter(Q(seats__entry=entry), championship=championship, round__in=effect.rounds)
    if effect.what == "void":
        for partie in own.exclude(status=PartieStatus.VOID).order_by("number"):
            void_partie(actor=actor, partie_id=partie.pk, version=None, reason=why)
    else:
        for partie in own.filter(status=PartieStatus.OPEN).order_by("number"):
            rule_forfeit(actor=actor, partie_id=partie.pk, entry_id=entry.pk, version=None, reason=why)
    # those services wrote into the journal with a row of their own
    championship.refresh_from_db(fields=["journal_position", "ranking_due_since"])
