"""A knock-out table that ends level at the limit: one more manche among those level, or as they came (STANDINGS 5)."""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import (
    LABELS,
    Championship,
    Entry,
    Format,
    Manche,
    Partie,
    PartieStatus,
    ResultState,
    Round,
    RoundStatus,
    Seat,
)
from league.policy import Actor
from league.selectors.bracket import BracketTable, bracket
from league.selectors.stages import Now
from league.services import audit
from league.services.championships import require_running
from league.services.drawn import table_of
from league.services.locks import lock_championship
from league.services.parties import close_partie
from league.services.settings_of_play import laid_rulebook


@transaction.atomic
def open_extra_manche(*, actor: Actor, round_id: int, table: int) -> Partie:
    """Open a partie of one manche for those level at the limit of a table of a knock-out; opening it again returns it.

    Its first manche alone counts, and only for who goes on. Raises NotFound; Conflict `finished`, `not-level`,
    `no-such-table` where the rulebook has no table for so many: then they go on as they came in.
    """
    championship, round_ = _locked(round_id)
    present = next((one for one in round_.pairing["tables"] if one.get("extra_of") == table), None)
    if present is not None:
        return Partie.objects.get(championship=championship, number=present["partie"])
    level = _level(championship, round_, table).level
    if not can_play_extra(championship, len(level)):
        message = _("No table of this championship seats %(n)s: let those go on who came in with the better place.")
        raise Conflict("no-such-table", message % {"n": len(level)})
    last = Partie.objects.filter(championship=championship).aggregate(last=Max("number"))["last"] or 0
    numbers = Partie.objects.filter(championship=championship, round=round_.number)
    place = (numbers.aggregate(last=Max("table_number"))["last"] or 0) + 1
    partie = Partie.objects.create(championship=championship, number=last + 1, round=round_.number, table_number=place)
    entries = Entry.objects.filter(championship=championship, number__in=level).in_bulk(field_name="pk")
    by_number = {entry.number: entry for entry in entries.values()}
    Seat.objects.bulk_create(
        Seat(partie=partie, entry=by_number[number], label=label) for label, number in zip(LABELS, level, strict=False)
    )
    Manche.objects.create(partie=partie, number=1)
    made = table_of([[number] for number in level], extra_of=table, partie=partie.number)
    made["number"] = place
    round_.pairing["tables"].append(made)
    _save(actor, championship, round_, "open_extra_manche", {"table": table, "entries": list(level)})
    return partie


@transaction.atomic
def go_on_as_seeded(*, actor: Actor, round_id: int, table: int) -> Round:
    """Let those level at the limit of a table go on by the better place with which they came into the stage.

    Saying it again changes nothing. Raises NotFound; Conflict `finished`, `not-level`.
    """
    championship, round_ = _locked(round_id)
    if table in round_.pairing.get("by_seed", []):
        return round_
    level = _level(championship, round_, table, for_places=False).level
    round_.pairing["by_seed"] = [*round_.pairing.get("by_seed", []), table]
    _save(actor, championship, round_, "go_on_as_seeded", {"table": table, "entries": list(level)})
    return round_


def can_play_extra(championship: Championship, entries: int) -> bool:
    """Whether so many can sit at one more manche: the rulebook has the table, and a ranking reads it."""
    size = championship.table_entries
    has_table = laid_rulebook(championship).table(entries, championship.players_per_team) is not None
    return max(2, size - 1) <= entries <= size and has_table


def close_extra_manches(actor: Actor, championship: Championship, where: Now) -> None:
    """Close the parties of one more manche of the last round, once that manche is in; for the next draw."""
    if where.stage is None or where.stage.format != Format.KNOCKOUT or where.last is None:
        return
    numbers = [table["partie"] for table in where.last.pairing.get("tables", []) if table.get("extra_of")]
    played = Partie.objects.filter(
        championship=championship,
        number__in=numbers,
        status=PartieStatus.OPEN,
        manches__current_result__state=ResultState.CONFIRMED,
        manches__number=1,
    )
    for partie in played:
        reason = _("The one more manche was played.")
        close_partie(actor=actor, partie_id=partie.pk, version=None, reason=reason)
    championship.refresh_from_db(fields=["journal_position", "ranking_due_since"])


def _locked(round_id: int) -> tuple[Championship, Round]:
    championship = lock_championship(rounds=round_id)
    require_running(championship)
    round_ = Round.objects.select_related("stage").exclude(status=RoundStatus.DRAFT).filter(pk=round_id).first()
    if round_ is None or round_.stage is None or round_.stage.format != Format.KNOCKOUT:
        raise NotFound
    return championship, round_


def _level(championship: Championship, round_: Round, number: int, *, for_places: bool = True) -> BracketTable:
    assert round_.stage is not None
    rounds = bracket(championship=championship, stage=round_.stage).rounds
    here = next(one for one in rounds if one.number == round_.number)
    for table in here.tables:
        if table.number == number and table.level and (for_places or table.place is None):
            return table
    raise Conflict("not-level", _("Nobody is level at the limit at this table."))


def _save(actor: Actor, championship: Championship, round_: Round, action: str, after: audit.State) -> None:
    round_.version += 1
    round_.save(update_fields=["pairing", "version"])
    after = {"round": round_.number, **after}
    audit.record(actor=actor, action=action, on=round_, championship=championship, after=after)
