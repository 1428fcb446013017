"""The blind second entry: another person enters a manche without seeing the first, and both must agree.

They agree when their outcome is the same, whatever the form (DESIGN 2.4): a log and a sheet of one manche do. Then the
first one counts; else it is contested, and both are shown, to those who sit at the table and to the referee.
"""

from typing import Any

from league.models import Championship, Confirmation, Manche, Result, ResultState, SecondEntry
from league.policy import Actor
from league.services import audit
from league.services.dispute_rows import open_dispute
from league.services.documents import Reading
from league.services.progress import Table
from league.services.rulings import let_count
from league.services.sides import is_same_person, side_of
from league.services.versions import keep


def is_second(actor: Actor, championship: Championship, current: Result | None, replaces: int | None) -> bool:
    """Whether what the actor hands in now would be the second entry of this result.

    Whoever names a version to replace has seen it: that is a correction.
    """
    return (
        championship.confirmation == Confirmation.SECOND_ENTRY
        and current is not None
        and current.state == ResultState.PENDING
        and replaces is None
        and not is_same_person(actor, current.by_id, current.by_side)
    )


def was_sent(actor: Actor, current: Result, sha256: str) -> bool:
    """Whether this person has entered these very bytes beside the result already: sent twice they count once."""
    entries = SecondEntry.objects.filter(result=current, document__sha256=sha256)
    return any(is_same_person(actor, *who) for who in entries.values_list("by_id", "by_side"))


def enter_second(actor: Actor, table: Table, manche: Manche, current: Result, reading: Reading) -> SecondEntry:
    """Keep a valid second entry and do what follows, under the championship's lock."""
    entry = SecondEntry.objects.create(
        result=current,
        document=keep(reading),
        verdict=reading.verdict,
        agrees=is_same_outcome(current.verdict, reading.verdict),
        by=actor.user,
        by_side=side_of(actor),
    )
    if entry.agrees:
        let_count(actor, table, manche, current, "second_entry", "")
        return entry
    before = {"state": str(current.state)}
    current.state = ResultState.CONTESTED
    current.save(update_fields=["state"])
    open_dispute(actor, current)
    audit.record(
        actor=actor,
        action="second_entry",
        on=current,
        championship=table.championship,
        before=before,
        after={"state": str(current.state), "version": current.version, "sha256": reading.sha256},
    )
    return entry


def is_same_outcome(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two valid verdicts say the same of how the manche ended, and pay the same.

    A log knows besides what was left in the sabot and which étapes were laid: a sheet does not, so neither is compared;
    where the 200s are worth something, the score tells of them.
    """
    return _compared(first) == _compared(second)


def _compared(verdict: dict[str, Any]) -> dict[str, Any]:
    outcome = verdict["outcome"]
    teams = {
        label: {"km": team["km"], "bottes": sorted(team["bottes"]), "coups_fourres": sorted(team["coups_fourres"])}
        for label, team in outcome["teams"].items()
    }
    copied = {name: outcome[name] for name in ("end", "winner", "couronnement", "extension")}
    return copied | {"teams": teams, "score": verdict.get("score")}
