"""The settings of a championship as bodies say them, and as services take them."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from engine.rulebooks import RULEBOOKS
from league.api.clubs import ClubId, ClubRef
from league.api.writing import Body, Changes
from league.models import DecidedBy
from league.services.settings_of_play import FREE, GAME, KEYS, REGISTRATION, USUAL_VALUES, usual_play

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A point of time, with its offset from UTC."""

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET


class RankingKeys(Changes):
    """How entries are ranked (STANDINGS 3)."""

    primary: str | Unset = UNSET
    tie_breaks: list[str] | Unset = UNSET
    scale: list[int | float] | Unset | None = UNSET
    best_n: int | Unset | None = UNSET
    minimum: int | Unset | None = UNSET


class ChampionshipSettings(Changes):
    """What can be said of a championship; names and values are those of its GET.

    `club`: the slug of a club, or `~` and its external id; `club_name`: made if there is none of this name.
    """

    club: ClubRef | Unset | None = UNSET
    club_name: str | Unset = UNSET
    time_zone: str | Unset = UNSET
    visibility: str | Unset = UNSET
    confirmation: str | Unset = UNSET
    confirm_minutes: int | Unset | None = UNSET
    allow_short_tables: bool | Unset = UNSET
    clock_minutes: int | Unset | None = UNSET
    clock_at_end: str | Unset = UNSET
    substitution: str | Unset = UNSET
    substitution_limit: int | Unset | None = UNSET
    registration_opens_at: Moment | Unset | None = UNSET
    registration_closes_at: Moment | Unset | None = UNSET
    max_entries: int | Unset | None = UNSET
    waiting_list: bool | Unset = UNSET
    house: dict[str, bool | int | str] | Unset = UNSET
    table_entries: int | Unset = UNSET
    players_per_team: int | Unset = UNSET
    ranks: str | Unset = UNSET
    target: int | Unset | None = UNSET
    decided_by: str | Unset = UNSET
    partie_end: str | Unset = UNSET
    partie_end_value: int | Unset | None = UNSET
    keys: RankingKeys | Unset = UNSET


class NewChampionship(ChampionshipSettings, kw_only=True):
    """A championship to be made."""

    name: str
    slug: str
    rulebook: str


class ChampionshipChanges(ChampionshipSettings, kw_only=True):
    """What changes about a championship; `reason`: of what changes how those are ranked who are entered already."""

    name: str | Unset = UNSET
    rulebook: str | Unset = UNSET
    reason: str = ""


class Resuming(Body):
    """Why a finished championship goes on."""

    reason: str


def new_settings(asked: NewChampionship, club: ClubId) -> dict[str, Any]:
    """What `create_championship` takes: what was said, over what is usual in its rulebook.

    Of a rulebook that there is not the service says so, and what else is wrong: what is usual is then that of another
    one in which parties are decided so.
    """
    with_points = asked.decided_by != DecidedBy.MANCHES
    likely = next(one for one in RULEBOOKS.values() if one.has_points == with_points)
    settings = usual_play(RULEBOOKS.get(asked.rulebook, likely)) | _said(asked, club)
    if asked.partie_end_value is UNSET:
        settings["partie_end_value"] = USUAL_VALUES.get(settings["partie_end"])
    return {name: value for name, value in settings.items() if name not in ("name", "slug")}


def changed_settings(asked: ChampionshipChanges, club: ClubId) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What is said of the championship and its parties, of registration, and of the ranking keys."""
    said = _said(asked, club)
    play = {name: said[name] for name in (*FREE, *GAME) if name in said and name not in REGISTRATION}
    registration = {name: said[name] for name in REGISTRATION if name in said}
    return play, registration, {name: said[name] for name in KEYS if name in said}


def _said(asked: ChampionshipSettings, club: ClubId) -> dict[str, Any]:
    """The settings that were said, by the names that services give them."""
    apart = ("club", "club_name", "keys", "reason")
    said = {name: value for name, value in asked.said().items() if name not in apart}
    if club is not UNSET:
        said["club_id"] = club
    if asked.keys is not UNSET:
        said |= asked.keys.said()
    return said
