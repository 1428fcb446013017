"""The settings of a championship, checked together: rulebook, house rules, table, end of a partie, ranking keys."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from engine.rulebooks import RULEBOOKS, HouseError, Rulebook
from league.errors import UserFault
from league.models import (
    Championship,
    ClockEnd,
    Club,
    Confirmation,
    DecidedBy,
    PartieEnd,
    Ranks,
    Substitution,
    Visibility,
)
from league.selectors.classement import frame
from league.services.texts import asked_name
from league.time_zones import known_time_zones
from scoring.ranking_document import RankingError
from scoring.ranking_reader import read
from scoring.ranking_shapes import DECIMALS
from scoring.tiebreaks import DEFAULT_TIE_BREAKS

CLOCK = ("clock_minutes", "clock_at_end")
"""How long a round lasts unless it says otherwise, and what becomes of the manche under way then."""
STAND_INS = ("substitution", "substitution_limit")
"""Who may sit in for a player of a team, and how often."""
REGISTRATION = ("registration_opens_at", "registration_closes_at", "max_entries", "waiting_list")
"""When people may register themselves, how many, and whether the others wait. Without a time to open nobody may."""
FREE = (
    "name",
    "club_id",
    "time_zone",
    "visibility",
    "confirmation",
    "confirm_minutes",
    "allow_short_tables",
    *CLOCK,
    *STAND_INS,
    *REGISTRATION,
)
"""May change at any time."""
GAME = (
    "rulebook",
    "house",
    "table_entries",
    "players_per_team",
    "ranks",
    "target",
    "decided_by",
    "partie_end",
    "partie_end_value",
)
"""How parties are played: stands once a result is in."""
KEYS = ("primary", "tie_breaks", "scale", "best_n", "minimum")
"""How entries are ranked: may change, logged and shown (STANDINGS 3)."""

MOST = {PartieEnd.POINTS: 1_000_000, PartieEnd.MANCHES: 99, PartieEnd.WINS: 99}
MOST_CONFIRM_MINUTES = 7 * 24 * 60
"""A week: a result that was not confirmed by then is for an organiser."""
MOST_CLOCK_MINUTES = 600
MOST_STOOD_IN = 99
"""The largest number of parties that a championship may let somebody stand in."""
MOST_ENTRIES = 10_000
"""The largest number that a championship may set as its most entries."""
MOST_COUNTED = 9999
"""The largest number of parties or manches that a ranking key may ask for."""
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

Check = Callable[[Championship], Iterator[UserFault]]


def default_keys(decided_by: str, primary: str = "match_points") -> dict[str, Any]:
    """The keys that a championship has unless it chooses: those of STANDINGS 3, without a tie-break that is primary."""
    tie_breaks = DEFAULT_TIE_BREAKS["manches" if decided_by == DecidedBy.MANCHES else "points"]
    return {
        "primary": primary,
        "tie_breaks": [key for key in tie_breaks if key != primary],
        "scale": None,
        "best_n": None,
        "minimum": None,
    }


USUAL_VALUES: Mapping[str, int] = {PartieEnd.POINTS: 5000, PartieEnd.MANCHES: 3, PartieEnd.WINS: 2}
"""What ends a partie unless the organiser says otherwise: points (RULES 8), manches, manches won."""


def usual_play(rulebook: Rulebook) -> dict[str, Any]:
    """How a new championship is played by a rulebook unless it says otherwise: its first table, its usual partie."""
    first, end = rulebook.tables[0], (PartieEnd.POINTS if rulebook.has_points else PartieEnd.MANCHES).value
    return {
        "table_entries": first.teams,
        "players_per_team": first.players,
        "decided_by": (DecidedBy.POINTS if rulebook.has_points else DecidedBy.MANCHES).value,
        "partie_end": end,
        "partie_end_value": USUAL_VALUES[end],
    }


def lay(championship: Championship, settings: Mapping[str, Any]) -> None:
    """Lay settings over a championship, saved or not, and raise nothing: `faults` says what is wrong with them.

    Where parties come to be decided otherwise, the keys that are not given begin anew from their defaults.
    """
    decided_by = settings.get("decided_by", championship.decided_by)
    if decided_by != championship.decided_by:
        settings = default_keys(decided_by, settings.get("primary", "match_points")) | dict(settings)
    for name, value in settings.items():
        setattr(championship, name, value)


def faults(championship: Championship) -> list[UserFault]:
    """All that is wrong with the settings of a championship, in the order of its form; nothing is saved."""
    found = [
        fault
        for check in (_identity, _choices, _confirm_minutes, _table, _ranks, _stand_ins, _partie_end, _registration)
        for fault in check(championship)
    ]
    wrong = {fault.field for fault in found}
    if not wrong.isdisjoint(("rulebook", "decided_by", "partie_end")):
        return found  # keys are held against these
    return [*found, *_keys(championship, is_table_known="table_entries" not in wrong)]


def _identity(championship: Championship) -> Iterator[UserFault]:
    try:
        championship.name = asked_name(championship.name, limit=120)
    except UserFault as fault:
        yield fault
    if not _SLUG.fullmatch(championship.slug) or len(championship.slug) > 60:
        message = _("Use small letters, digits and single hyphens, at most 60.")
        yield UserFault("bad-slug", message, field="slug")
    if championship.club_id is not None and not Club.objects.filter(pk=championship.club_id).exists():
        yield UserFault("unknown-club", _("There is no such club."), field="club_id")
    if championship.time_zone not in known_time_zones():
        yield UserFault("unknown-time-zone", _("There is no such time zone."), field="time_zone")


def _choices(championship: Championship) -> Iterator[UserFault]:
    for field, choices in (
        ("visibility", Visibility),
        ("ranks", Ranks),
        ("clock_at_end", ClockEnd),
        ("confirmation", Confirmation),
        ("decided_by", DecidedBy),
        ("partie_end", PartieEnd),
        ("substitution", Substitution),
    ):
        if getattr(championship, field) not in choices.values:
            yield UserFault("unknown-choice", _("Choose one of the list."), field=field)


def _confirm_minutes(championship: Championship) -> Iterator[UserFault]:
    minutes = championship.confirm_minutes
    if minutes is not None and (type(minutes) is not int or not 1 <= minutes <= MOST_CONFIRM_MINUTES):
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_CONFIRM_MINUTES}
        yield UserFault("bad-confirm-minutes", message, field="confirm_minutes")


def _registration(championship: Championship) -> Iterator[UserFault]:
    opens, closes = championship.registration_opens_at, championship.registration_closes_at
    if opens is not None and closes is not None and closes <= opens:
        message = _("Registration closes after it opens.")
        yield UserFault("bad-registration", message, field="registration_closes_at")
    most = championship.max_entries
    if most is not None and (type(most) is not int or not 1 <= most <= MOST_ENTRIES):
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_ENTRIES}
        yield UserFault("bad-registration", message, field="max_entries")


def laid_rulebook(championship: Championship) -> Rulebook:
    """The rulebook with the championship's house rules laid over it. Raises KeyError or HouseError if unchecked."""
    return RULEBOOKS[championship.rulebook].with_house(championship.house)


def _table(championship: Championship) -> Iterator[UserFault]:
    if championship.rulebook not in RULEBOOKS:
        message = _("There is no such rulebook. There are: %(known)s.") % {"known": ", ".join(RULEBOOKS)}
        yield UserFault("unknown-rulebook", message, field="rulebook", extra={"known": list(RULEBOOKS)})
        return
    if not isinstance(championship.house, dict):
        yield UserFault("bad-house", _("House rules are names and values."), field="house")
        return
    try:
        rulebook = laid_rulebook(championship)
    except HouseError as error:
        message = _("House rule %(key)s: this value is not possible in this rulebook.") % {"key": error.key}
        yield UserFault("bad-house", message, field="house", extra={"key": error.key})
        return
    shape = rulebook.table(championship.table_entries, championship.players_per_team)
    if shape is None:
        yield from _no_table(championship, rulebook)
    elif championship.target is not None and championship.target not in shape.targets:
        targets = ", ".join(map(str, shape.targets))
        message = _("At this table the target can be: %(targets)s km.") % {"targets": targets}
        yield UserFault("bad-target", message, field="target")
    if championship.allow_short_tables and not rulebook.table(
        championship.table_entries - 1, championship.players_per_team
    ):
        message = _("This rulebook has no table with one entry less.")
        yield UserFault("bad-table", message, field="allow_short_tables")
    if not rulebook.has_points and championship.decided_by != DecidedBy.MANCHES:
        message = _("This rulebook has no points: parties are decided by manches won.")
        yield UserFault("no-points", message, field="decided_by")


def _no_table(championship: Championship, rulebook: Rulebook) -> Iterator[UserFault]:
    message = _("This rulebook has no such table.")
    has_entries = any(shape.teams == championship.table_entries for shape in rulebook.tables)
    has_players = any(shape.players == championship.players_per_team for shape in rulebook.tables)
    if not has_entries or has_players:
        yield UserFault("bad-table", message, field="table_entries")
    if not has_players:
        yield UserFault("bad-table", message, field="players_per_team")


def _ranks(championship: Championship) -> Iterator[UserFault]:
    if championship.ranks == Ranks.PLAYERS and championship.players_per_team != 2:
        message = _("Teams are drawn afresh each round only at tables with teams of two.")
        yield UserFault("bad-ranks", message, field="ranks")
    minutes = championship.clock_minutes
    if minutes is not None and (type(minutes) is not int or not 1 <= minutes <= MOST_CLOCK_MINUTES):
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_CLOCK_MINUTES}
        yield UserFault("bad-minutes", message, field="clock_minutes")


def _stand_ins(championship: Championship) -> Iterator[UserFault]:
    limit = championship.substitution_limit
    alone = championship.players_per_team == 1 or championship.ranks == Ranks.PLAYERS
    if championship.substitution != Substitution.NONE and alone:
        message = _("Only in teams of two that stay together does somebody stand in.")
        yield UserFault("bad-substitution", message, field="substitution")
    if limit is not None and (type(limit) is not int or not 1 <= limit <= MOST_STOOD_IN):
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST_STOOD_IN}
        yield UserFault("bad-substitution", message, field="substitution_limit")


def _partie_end(championship: Championship) -> Iterator[UserFault]:
    end, value = championship.partie_end, championship.partie_end_value
    if end not in PartieEnd.values:
        return
    if end == PartieEnd.POINTS and championship.decided_by != DecidedBy.POINTS:
        message = _("A partie that is decided by manches cannot end by points.")
        yield UserFault("bad-partie-end", message, field="partie_end")
    if end == PartieEnd.REFEREE:
        if value is not None:
            message = _("Leave this empty where the referee closes parties.")
            yield UserFault("bad-partie-end", message, field="partie_end_value")
    elif type(value) is not int or not 1 <= value <= MOST[PartieEnd(end)]:
        message = _("Give a whole number from 1 to %(most)s.") % {"most": MOST[PartieEnd(end)]}
        yield UserFault("bad-partie-end", message, field="partie_end_value")


def _keys(championship: Championship, *, is_table_known: bool) -> Iterator[UserFault]:
    fixed_number = championship.partie_end == PartieEnd.MANCHES
    if championship.primary in ("total_points", "best_n") and not fixed_number:
        message = _("This key is fair only where every partie has the same number of manches.")
        yield UserFault("key-not-offered", message, field="primary")
    if championship.primary == "mean_points" and championship.minimum is None and not fixed_number:
        message = _("Say how many manches are the least, since a partie has no fixed number of them.")
        yield UserFault("minimum-missing", message, field="minimum")
    try:
        document = frame(championship)
        if not is_table_known:
            document["table"] = 2
            document.pop("scale", None)  # one number a place
        read(document)
        for field in ("best_n", "minimum"):
            if (getattr(championship, field) or 0) > MOST_COUNTED:
                raise RankingError(field, f"is over {MOST_COUNTED}")
    except RankingError as error:
        field = (error.at or "primary").partition("[")[0]
        yield UserFault("bad-ranking", _key_sentence(field, championship), field=field, extra={"at": error.at})


def _key_sentence(field: str, championship: Championship) -> str:
    """What a member that has to do with the ranking may be, for whoever chose something else (STANDINGS 3)."""
    if field == "tie_breaks":
        return _("Choose tie-breaks that go with how parties are decided, each once, and not the primary key again.")
    if field == "scale":
        message = _("Give %(places)s numbers, one a place at the table, with at most %(decimals)s decimals.")
        return message % {"places": championship.table_entries, "decimals": DECIMALS}
    if field in ("best_n", "minimum"):
        return _("Give a whole number from 1 to %(most)s.") % {"most": MOST_COUNTED}
    return _("This key is not offered where parties are decided so.")
