"""What can be wrong with a score sheet whose frame holds: every fault of RULES 11, each found by one small check.

A check says nothing about cells that are not filled in yet, so the same checks serve a finished sheet and one that is
being typed. Sentences are English message ids that say what to do (`engine.messages`).
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from engine.cards import BOTTES, KM
from engine.displays import MOST_200S
from engine.messages import N_, Message, printable
from engine.outcome import most_km
from scoring.faults import Fault
from scoring.sheet_document import Sheet, TeamSheet

SHORTEST: Final = min(KM.values())
"""Km of the shortest étape, of which all others are multiples."""

STILL_TO_FILL: Final = frozenset({"missing-200s", "missing-sabot"})
"""The faults that ask for an optional cell which this sheet depends on."""


def find_faults(sheet: Sheet) -> list[Fault]:
    """All faults of a sheet, each code once a team, sorted by code, then team, null first (RULES 11)."""
    found: dict[tuple[str, str], Fault] = {}
    for fault in chain(_sheet_faults(sheet), _team_faults(sheet)):
        found.setdefault((fault.code, fault.team or ""), fault)
    return [found[key] for key in sorted(found)]


def winner_of(sheet: Sheet) -> str | None:
    """The team that the km make the winner, whatever end is named: see `missing-200s` (RULES 7 and 11)."""
    on_target = teams_on_target(sheet)
    if on_target:
        return on_target[0] if len(on_target) == 1 else None
    if not sheet.rulebook.most_km_wins or sheet.end not in ("exhausted", "blocked"):
        return None
    km = {label: team.km for label, team in sheet.teams.items() if team.km is not None}
    return most_km(km) if len(km) == len(sheet.teams) else None


def teams_on_target(sheet: Sheet) -> list[str]:
    """The teams that stand exactly on the target in force."""
    return [label for label, team in sheet.teams.items() if team.km == sheet.target]


def _fault(
    code: str, team: str | None, field: str, paragraph: str, sentence: str, params: Mapping[str, Any] | None = None
) -> Fault:
    about = {} if team is None else {"team": team}
    return Fault(code, team, tuple(field.split(".")), Message(sentence, {**about, **(params or {})}), paragraph)


# ---- the sheet as a whole --------------------------------------------------------------------------------------------


def _sheet_faults(sheet: Sheet) -> Iterator[Fault]:
    yield from _extension_faults(sheet)
    yield from _end_faults(sheet)
    yield from _deck_faults(sheet)
    yield from _cells_still_to_fill(sheet)


def _extension_faults(sheet: Sheet) -> Iterator[Fault]:
    caller, first, extended = sheet.extension, sheet.first_target, sheet.shape.extended
    if caller is None:
        if extended is not None and any(
            team.km is not None and first < team.km <= extended for team in sheet.teams.values()
        ):
            sentence = N_("A team is over {target} km: name the team that called the extension.")
            yield _fault("extension-missing", None, "extension", "RULES 7", sentence, {"target": first})
    elif extended is None:
        sentence = N_("No extension can be called at this table: leave it out.")
        yield _fault("extension-not-allowed", None, "extension", "RULES 7", sentence)
    elif caller not in sheet.teams:
        sentence = N_("“{caller}” called the extension, but is no team of this sheet: name one of its teams.")
        yield _fault("unknown-team", None, "extension", "RULES 7", sentence, {"caller": printable(caller)})
    elif (km := sheet.teams[caller].km) is not None and km < first:
        sentence = N_(
            "{team} has {km} km, but only a team on {target} km can call: correct the distance or the caller."
        )
        yield _fault(
            "caller-below-target", caller, f"teams.{caller}.km", "RULES 7", sentence, {"km": km, "target": first}
        )


def _end_faults(sheet: Sheet) -> Iterator[Fault]:
    if sheet.end == "blocked" and not sheet.rulebook.blocked_end:
        sentence = N_("This rulebook does not end a manche as blocked: choose another end.")
        yield _fault("end-not-allowed", None, "end", "RULES 7", sentence)
    if sheet.end in ("exhausted", "blocked") and sheet.sabot_empty is False:
        sentence = N_("A manche ends like this only on an empty draw pile: correct the end, or say that it was empty.")
        yield _fault("sabot-not-empty", None, "sabot_empty", "RULES 7", sentence)
    on_target = teams_on_target(sheet)
    if len(on_target) > 1:
        sentence = N_("{teams} all stand on {target} km, but the manche ends with the first: correct their distances.")
        params = {"teams": ", ".join(on_target), "target": sheet.target}
        yield _fault("two-teams-on-target", None, f"teams.{on_target[1]}.km", "RULES 7", sentence, params)
    elif on_target and sheet.end not in (None, "target"):
        sentence = N_("{team} stands on {target} km: correct its distance, or say that the manche ended on the target.")
        yield _fault("target-but-other-end", on_target[0], "end", "RULES 7", sentence, {"target": sheet.target})
    elif not on_target and sheet.end == "target" and all(team.km is not None for team in sheet.teams.values()):
        sentence = N_("No team stands on {target} km: correct a distance, or the end of the manche.")
        yield _fault("no-team-on-target", None, "end", "RULES 7", sentence, {"target": sheet.target})


def _deck_faults(sheet: Sheet) -> Iterator[Fault]:
    deck, teams = sheet.shape.deck, sheet.teams.values()
    shown = {distance: sum(team.steps[distance] for team in teams if team.steps is not None) for distance in KM}
    shown["200"] = sum(team.known_200s or 0 for team in teams)
    for distance, count in shown.items():
        if count > deck[distance]:
            sentence = N_("{count} cards of {card} are counted, but the deck has {copies}: correct the counts.")
            params = {"count": count, "card": distance, "copies": deck[distance]}
            yield _fault("deck-exceeded", None, "teams", "RULES 2", sentence, params)
    km = sum(team.km for team in teams if team.km is not None)
    most = sum(KM[distance] * deck[distance] for distance in KM)
    if km > most:
        sentence = N_("All teams together have {km} km, but the deck has only {most}: correct a distance.")
        yield _fault("deck-exceeded", None, "teams", "RULES 2", sentence, {"km": km, "most": most})
    most -= KM["200"] * deck["200"]
    if all(team.known_200s is not None for team in teams) and km - KM["200"] * shown["200"] > most:
        sentence = N_("Beside the 200s all teams have {km} km, but the deck has only {most}: correct a distance.")
        params = {"km": km - KM["200"] * shown["200"], "most": most}
        yield _fault("deck-exceeded", None, "teams", "RULES 2", sentence, params)


def _cells_still_to_fill(sheet: Sheet) -> Iterator[Fault]:
    winner = winner_of(sheet)
    if winner is not None and sheet.rulebook.sans_200 and sheet.teams[winner].known_200s is None:
        sentence = N_("{team} won: say how many 200s it played.")
        yield _fault("missing-200s", winner, f"teams.{winner}.n200", "RULES 8", sentence)
    reached = sheet.end == "target" and len(teams_on_target(sheet)) == 1
    if reached and sheet.rulebook.couronnement and sheet.sabot_empty is None:
        sentence = N_("Say whether the draw pile was empty when the target was reached.")
        if not sheet.rulebook.last_card_couronnement:
            sentence = N_("Say whether the draw pile was empty when the winning turn began.")
        yield _fault("missing-sabot", None, "sabot_empty", "RULES 7", sentence)


# ---- one team --------------------------------------------------------------------------------------------------------


def _team_faults(sheet: Sheet) -> Iterator[Fault]:
    holders: dict[str, str] = {}  # who listed each botte first, in the order of labels
    for label, team in sheet.teams.items():
        yield from _km_faults(label, team, sheet.target)
        yield from _count_faults(label, team)
        yield from _botte_faults(label, team, holders)


def _km_faults(label: str, team: TeamSheet, target: int) -> Iterator[Fault]:
    if team.km is None:
        return
    field = f"teams.{label}.km"
    if team.km < 0 or team.km % SHORTEST:
        sentence = N_("{team}: no cards add up to {km} km; write a multiple of 25.")
        yield _fault("km-not-multiple", label, field, "RULES 2", sentence, {"km": team.km})
    if team.km > target:
        sentence = N_("{team}: {km} km would pass the target of {target} km; correct the distance.")
        yield _fault("km-over-target", label, field, "RULES 5", sentence, {"km": team.km, "target": target})
    if team.steps is None and team.n200 is not None and team.km >= 0 and KM["200"] * team.n200 > team.km:
        sentence = N_("{team}: {count} cards of 200 make more than {km} km; correct one of them.")
        params = {"count": team.n200, "km": team.km}
        yield _fault("km-impossible", label, f"teams.{label}.n200", "RULES 2", sentence, params)


def _count_faults(label: str, team: TeamSheet) -> Iterator[Fault]:
    cells = {f"steps.{distance}": count for distance, count in (team.steps or {}).items()} | {"n200": team.n200}
    for cell, count in cells.items():
        if count is not None and count < 0:
            sentence = N_("{team}: a number of cards cannot be {count}; write 0 or more.")
            yield _fault("bad-count", label, f"teams.{label}.{cell}", "RULES 2", sentence, {"count": count})
    cell_200s = "n200" if team.steps is None else "steps.200"
    if team.known_200s is not None and team.known_200s > MOST_200S:
        sentence = N_("{team}: {count} cards of 200 are noted, but two are the most that may be played.")
        params = {"count": team.known_200s}
        yield _fault("too-many-200", label, f"teams.{label}.{cell_200s}", "RULES 5", sentence, params)
    if team.steps is None:
        return
    counted = sum(KM[distance] * count for distance, count in team.steps.items())
    if team.km is not None and counted != team.km:
        sentence = N_("{team}: the cards counted make {counted} km, not {km}; correct one of them.")
        params = {"counted": counted, "km": team.km}
        yield _fault("steps-disagree", label, f"teams.{label}.steps", "RULES 11", sentence, params)
    if team.n200 is not None and team.n200 != team.steps["200"]:
        sentence = N_("{team}: {counted} cards of 200 are counted, but {count} are noted beside; correct one of them.")
        params = {"counted": team.steps["200"], "count": team.n200}
        yield _fault("steps-disagree", label, f"teams.{label}.n200", "RULES 11", sentence, params)


def _botte_faults(label: str, team: TeamSheet, holders: dict[str, str]) -> Iterator[Fault]:
    for field, bottes in (("bottes", team.bottes), ("coups_fourres", team.coups_fourres)):
        for code in bottes:
            if code not in BOTTES:
                sentence = N_("{team}: “{code}” is no safety; write VP, CI, IN or AS.")
                params = {"code": printable(code)}
                yield _fault("unknown-botte", label, f"teams.{label}.{field}", "RULES 2", sentence, params)
    for botte in BOTTES:
        if team.bottes.count(botte) > 1 or team.coups_fourres.count(botte) > 1:
            field = f"teams.{label}.{'bottes' if team.bottes.count(botte) > 1 else 'coups_fourres'}"
            sentence = N_("{team}: {botte} is listed twice, but the deck has one; list it once.")
            yield _fault("botte-twice", label, field, "RULES 2", sentence, {"botte": botte})
        if botte in team.bottes and (holder := holders.setdefault(botte, label)) != label:
            sentence = N_("{team} and {other} both list {botte}, but the deck has one; take one of them off.")
            params = {"other": holder, "botte": botte}
            yield _fault("botte-twice", label, f"teams.{label}.bottes", "RULES 2", sentence, params)
        if botte in team.coups_fourres and botte not in team.bottes:
            sentence = N_(
                "{team}: a coup fourré with {botte} is noted, but not the safety itself; note both or neither."
            )
            field = f"teams.{label}.coups_fourres"
            yield _fault("coup-fourre-without-botte", label, field, "RULES 6", sentence, {"botte": botte})
