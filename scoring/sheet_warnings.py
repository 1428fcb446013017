"""What a sheet without faults may say but hardly ever does: slips of the pen that the rules cannot refuse (RULES 11).

A warning is no fault: whoever enters the sheet looks at the table's paper once more and says that it is so. What is
warned of happened in fewer than about two of a thousand simulated manches (`python -m scoring simulate`), or never:

    four-coups-fourres     one team, all four                              1.5 in 1000
    bottes-without-km      three bottes or more, and not one étape         0.5 in 1000 (two teams)
    many-of-one-distance   nine étapes or more of one distance, by a team  1 in 1000
    nobody-drove           no team exposed an étape                        never
    bottes-left            no card was left, and a botte lies nowhere      never
    bottes-left-late        the target was reached on an empty draw pile, with fewer than two bottes exposed   never
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import BOTTES
from engine.messages import N_, Message
from scoring.faults import Fault
from scoring.sheet_document import Sheet, TeamSheet, read_sheet
from scoring.sheet_faults import find_faults

MANY_OF_ONE: Final = 9
"""Étapes of one distance that a team hardly ever has."""
BOTTES_OF_A_STANDING_TEAM: Final = 3
FEW_BOTTES_LATE: Final = 2


def sheet_warnings(document: object) -> list[Fault]:
    """The warnings of a decoded JSON sheet, in the order of codes and teams; none of one that has faults.

    A `Fault` here has a code of this file's docstring, and leads to the cell to look at.
    """
    reading = read_sheet(document)
    if reading.problems or reading.sheet is None or find_faults(reading.sheet):
        return []
    return sorted(_warnings(reading.sheet), key=lambda one: (one.code, one.team or ""))


def warning_name(warning: Fault) -> str:
    """What is written down when a warning is acknowledged: its code, with its team if it has one.

    >>> warning_name(Fault("four-coups-fourres", "A", (), Message("", {})))
    'four-coups-fourres:A'
    """
    return f"{warning.code}:{warning.team}" if warning.team else warning.code


def _warnings(sheet: Sheet) -> Iterator[Fault]:
    for label, team in sheet.teams.items():
        yield from _team_warnings(label, team)
    if all(team.km == 0 for team in sheet.teams.values()):
        sentence = N_("No team has driven a single kilometre: is that so?")
        first = next(iter(sheet.teams))
        yield Fault("nobody-drove", None, ("teams", first, "km"), Message(sentence, {}), "RULES 11")
    yield from _bottes_left(sheet)


def _team_warnings(label: str, team: TeamSheet) -> Iterator[Fault]:
    if len(set(team.coups_fourres)) == len(BOTTES):
        sentence = N_("{team} has all four coups fourrés: is that so?")
        yield Fault(
            "four-coups-fourres",
            label,
            ("teams", label, "coups_fourres"),
            Message(sentence, {"team": label}),
            "RULES 6",
        )
    if team.km == 0 and len(team.bottes) >= BOTTES_OF_A_STANDING_TEAM:
        sentence = N_("{team} exposed {count} safeties and has not driven a kilometre: is that so?")
        params = {"team": label, "count": len(team.bottes)}
        yield Fault("bottes-without-km", label, ("teams", label, "km"), Message(sentence, params), "RULES 11")
    for distance, count in (team.steps or {}).items():
        if count >= MANY_OF_ONE:
            sentence = N_("{team} played {count} cards of {card}: is that so?")
            params = {"team": label, "count": count, "card": distance}
            cell = ("teams", label, "steps", distance)
            yield Fault("many-of-one-distance", label, cell, Message(sentence, params), "RULES 2")
            return  # a code stands once a team


def _bottes_left(sheet: Sheet) -> Iterator[Fault]:
    """With no card left every safety was exposed or thrown away, which nobody does."""
    exposed = sum(len(set(team.bottes)) for team in sheet.teams.values())
    if sheet.end in ("exhausted", "blocked") and exposed < len(BOTTES):
        code, sentence = "bottes-left", N_("No card was left, but only {count} of the four safeties are on the sheet.")
    elif sheet.end == "target" and sheet.sabot_empty and exposed < FEW_BOTTES_LATE:
        code, sentence = "bottes-left-late", N_("The draw pile was empty, but only {count} safeties of four are out.")
    else:
        return
    yield Fault(code, None, ("sabot_empty",), Message(sentence, {"count": exposed}), "RULES 7")
