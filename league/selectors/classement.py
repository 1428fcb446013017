"""The document `classement/1` of a championship, built from rows (STANDINGS 7).

It is what the live ranking is computed from, what a published version was computed from, and what anybody can download
to recompute either.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists

from league.models import (
    Bye,
    Championship,
    Entry,
    Partie,
    PartieEnd,
    PartieStatus,
    Ranks,
    ResultScore,
    ResultState,
    Seat,
    StageEntry,
)
from scoring.ranking_reader import FORMAT
from scoring.stage_assembly import half_of_scheduled


def frame(championship: Championship) -> dict[str, Any]:
    """The document without entries and parties: the table and the keys. Costs no query."""
    document = {
        "format": FORMAT,
        "table": championship.table_entries,
        "decided_by": championship.decided_by,
        **championship.ranking_keys,
        "entries": [],
        "parties": [],
    }
    if "draw" in championship.tie_breaks:
        document["secret"] = championship.secret
    if championship.primary == "mean_points":
        document.setdefault("minimum", 0)
    return document


def document(championship: Championship, up_to_round: int | None = None) -> dict[str, Any]:
    """All results in one table, in five queries, whatever the size; `up_to_round`: only parties and byes up to it.

    Stages are left aside: what ranks a championship that may have some is `etapes.ranking_document`. It holds the
    secret where lots are drawn.
    """
    return document_and_stages(championship, up_to_round)[0]


def document_and_stages(championship: Championship, up_to_round: int | None = None) -> tuple[dict[str, Any], bool]:
    """As `document`, and whether the championship has stages that have begun."""
    rounds = {} if up_to_round is None else {"round__lte": up_to_round}
    whole = frame(championship)
    whole["entries"], has_stages = _entries(championship)
    whole["parties"] = _parties(championship, rounds)
    whole["byes"] = [
        {"round": round_, "entry": number}
        for round_, number in Bye.objects.filter(championship=championship, **rounds)
        .order_by("round", "entry__number")
        .values_list("round", "entry__number")
    ]
    if championship.primary == "mean_points" and championship.minimum is None:
        whole["minimum"] = half_of_those_scheduled(championship, whole["parties"])
    return whole, has_stages


def without_secret(championship: Championship, whole: dict[str, Any]) -> dict[str, Any]:
    """A document as anybody may have it: until the championship is finished without its secret and the lots."""
    if championship.shown_secret is None and whole.pop("secret", None) is not None:
        whole["tie_breaks"] = [key for key in whole["tie_breaks"] if key != "draw"]
    return whole


def _entries(championship: Championship) -> tuple[list[dict[str, Any]], bool]:
    entries = []
    has_stages = False
    begun = Exists(StageEntry.objects.filter(stage__championship=championship))
    for number, name, penalty, withdrawn_at, is_staged in (
        Entry.objects.filter(championship=championship)
        .order_by("number")
        .values_list("number", "team__name", "penalty", "withdrawn_at", begun)
    ):
        has_stages = is_staged
        entry: dict[str, Any] = {"number": number, "name": name}
        if penalty:
            entry["penalty"] = penalty
        if withdrawn_at is not None:
            entry["withdrawn"] = True
        entries.append(entry)
    return entries, has_stages


def _parties(championship: Championship, rounds: dict[str, int]) -> list[dict[str, Any]]:
    seats: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    teams: dict[int, list[list[int]]] = defaultdict(list)
    of_championship = {f"partie__{name}": value for name, value in rounds.items()}
    partner = ("partner__number",) if championship.ranks == Ranks.PLAYERS else ()
    for partie_id, number, forfeited_at, *partners in (
        Seat.objects.filter(partie__championship=championship, **of_championship)
        .order_by("partie__number", "label")
        .values_list("partie_id", "entry__number", "forfeited_at", *partner)
    ):
        seats[partie_id].append((number, forfeited_at is not None))
        teams[partie_id].append([number, *(one for one in partners if one is not None)])
    manches = _manches(championship, rounds)
    parties = []
    for partie_id, number, round_, status in (
        Partie.objects.filter(championship=championship, **rounds)
        .order_by("number")
        .values_list("id", "number", "round", "status")
    ):
        partie: dict[str, Any] = {
            "number": number,
            "round": round_,
            **_sitting([entry for entry, _ in seats[partie_id]], teams[partie_id]),
            "manches": list(manches[partie_id].values()),
        }
        forfeits = [entry for entry, forfeited in seats[partie_id] if forfeited]
        if forfeits:
            partie["forfeits"] = forfeits
        if status != PartieStatus.CLOSED:
            partie["status"] = status
        parties.append(partie)
    return parties


def _sitting(entries: list[int], teams: list[list[int]]) -> dict[str, Any]:
    """Who sits at a partie: its entries, or the teams made for it, each named by its first number (mêlée)."""
    return {"teams": teams} if any(len(team) > 1 for team in teams) else {"entries": entries}


def _manches(championship: Championship, rounds: dict[str, int]) -> dict[int, dict[int, dict[str, Any]]]:
    """The confirmed manches that are not void, by partie and manche; points are those after the manche's penalty."""
    found: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    of_partie = {f"result__current_of__partie__{name}": value for name, value in rounds.items()}
    scores = (
        ResultScore.objects.filter(
            result__current_of__partie__championship=championship,
            result__current_of__voided_at__isnull=True,
            result__state=ResultState.CONFIRMED,
            **of_partie,
        )
        .order_by("result__current_of__partie__number", "result__current_of__number", "seat__label")
        .values_list(
            "result__current_of__partie_id",
            "result__current_of_id",
            "seat__entry__number",
            "points",
            "penalty",
            "km",
            "coups_fourres",
            "won",
        )
    )
    for partie_id, manche_id, entry_number, points, penalty, km, coups_fourres, won in scores.iterator(chunk_size=5000):
        manche = found[partie_id].get(manche_id)
        if manche is None:
            manche = found[partie_id][manche_id] = {"points": {}, "km": {}, "winner": None, "coups_fourres": {}}
        entry = str(entry_number)
        if points is None:
            manche.pop("points", None)  # a rulebook without points
        else:
            manche["points"][entry] = points - penalty
        manche["km"][entry] = km
        manche["coups_fourres"][entry] = coups_fourres
        if won:
            manche["winner"] = entry_number
    return found


def half_of_those_scheduled(championship: Championship, parties: Sequence[Mapping[str, Any]]) -> int:
    """Half of the manches of an entry that sat in every round, rounded up (STANDINGS 3); 0 without a fixed number."""
    if championship.partie_end != PartieEnd.MANCHES:
        return 0
    return half_of_scheduled(parties, championship.partie_end_value or 0)
