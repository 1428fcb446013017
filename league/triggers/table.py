"""The table: what each row of the database means for those who read.

An effect leads from a row `r` of a watched table to the things that are shown otherwise when it changes: `way` joins
them as `x`. Without a way the row is the thing itself. Whether everybody may read it says its championship, `c`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from league.models.feed import ChangeKind as K


@dataclass(frozen=True, slots=True)
class Effect:
    """A thing that changes with a row. `number`: the column of a round's number; `where`: only then."""

    kind: K
    way: str = ""
    where: str = ""
    number: str = "number"


@dataclass(frozen=True, slots=True)
class Watch:
    """What changes with the rows of a table.

    `columns`: an update counts if one of these changed; None: any but those of `but`. `updates_only`: rows that come
    and go mean nothing, since what hangs on them comes and goes by itself.
    """

    table: str
    effects: tuple[Effect, ...]
    columns: tuple[str, ...] | None = None
    but: tuple[str, ...] = ()
    updates_only: bool = False


_ITSELF: Final = {kind: Effect(kind) for kind in K}

# --- ways ------------------------------------------------------------------------------------------------------------

_MEMBER_OF_CHAMPIONSHIP: Final = (
    "JOIN league_team t ON t.championship_id = r.id JOIN league_teammember m ON m.team_id = t.id"
)
_MEMBER_OF_PLAYER: Final = "JOIN league_teammember m ON m.player_id = r.id"
_PLAYER_OF_CLUB: Final = "JOIN league_player p ON p.club_id = r.id"
_MEMBER_OF_CLUB: Final = f"{_PLAYER_OF_CLUB} JOIN league_teammember m ON m.player_id = p.id"
_CHAMPIONSHIP_OF_TEAM: Final = "JOIN league_championship c ON c.id = t.championship_id"
_CHAMPIONSHIP_OF_MEMBER: Final = f"JOIN league_team t ON t.id = m.team_id {_CHAMPIONSHIP_OF_TEAM}"
_PARTIE_OF_SEAT: Final = "JOIN league_seat s ON s.id = r.seat_id JOIN league_partie x ON x.id = s.partie_id"


def _parties_of(entry: str) -> tuple[Effect, ...]:
    """The parties at which an entry sits, itself or as a partner. `entry`: the way to it, as `e`."""
    return tuple(
        Effect(K.PARTIE, f"{entry} JOIN league_seat s ON s.{side} = e.id JOIN league_partie x ON x.id = s.partie_id")
        for side in ("entry_id", "partner_id")
    )


def _named_after(team: str) -> tuple[Effect, ...]:
    """Where the name of a team and those of its players are read. `team`: what its entry's `team_id` is."""
    entry = f"JOIN league_entry e ON e.team_id = {team}"
    return (
        *_parties_of(entry),
        Effect(K.ROUND, f"{entry} JOIN league_bye x ON x.entry_id = e.id", number="round"),
        Effect(K.RANKING, f"JOIN league_entry x ON x.team_id = {team}"),
    )


def _shown(row: str) -> str:
    """Whether everybody sees the round of a row: one that is not being drawn, or in which something was played."""
    said = f"{row}.status <> 'draft'"
    for table in ("partie", "bye"):
        inside = f"p.championship_id = {row}.championship_id AND p.round = {row}.number"
        said += f" OR EXISTS (SELECT 1 FROM league_{table} p WHERE {inside})"  # noqa: S608 (of constants)
    return f"({said})"


_BELOW: Final = (
    *(
        Effect(kind, f"JOIN league_{table} x ON x.championship_id = r.id", where, number)
        for kind, table, where, number in (
            (K.TEAM, "team", "", "number"),
            (K.ENTRY, "entry", "", "number"),
            (K.STAGE, "stage", "", "number"),
            (K.ROUND, "round", _shown("x"), "number"),
            (K.ROUND, "partie", "", "round"),
            (K.ROUND, "bye", "", "round"),
            (K.PARTIE, "partie", "", "number"),
            (K.RANKING, "liveranking", "", "number"),
            (K.PUBLISHED_RANKING, "publishedranking", "", "number"),
        )
    ),
    Effect(
        K.PLAYER,
        f"{_MEMBER_OF_CHAMPIONSHIP} JOIN league_player x ON x.id = m.player_id",
    ),
    Effect(
        K.CLUB,
        f"{_MEMBER_OF_CHAMPIONSHIP} JOIN league_player p ON p.id = m.player_id JOIN league_club x ON x.id = p.club_id",
    ),
)
"""Everything in a championship, whose row is `r`."""

EVERYTHING: Final = (
    Watch("league_championship", (_ITSELF[K.CHAMPIONSHIP], *_BELOW)),
    Watch("league_club", (_ITSELF[K.CLUB],)),
)
"""What there is to read on the whole site: the feed begins with it."""

# --- the table -------------------------------------------------------------------------------------------------------

WATCHES: Final = (
    Watch(
        "league_championship",
        (_ITSELF[K.CHAMPIONSHIP],),
        but=("journal_position", "ranking_due_since", "created_by_id"),
    ),
    # Who may read it, and under which address.
    Watch("league_championship", _BELOW, columns=("visibility", "slug"), updates_only=True),
    # What places and match points are made from, and what a blind second entry hides.
    Watch(
        "league_championship",
        (Effect(K.PARTIE, "JOIN league_partie x ON x.championship_id = r.id"),),
        columns=("rulebook", "table_entries", "players_per_team", "ranks", "decided_by", "scale", "confirmation"),
        updates_only=True,
    ),
    Watch(
        "league_championship",
        (Effect(K.RANKING, "JOIN league_liveranking x ON x.championship_id = r.id"),),
        columns=("ranking_due_since",),
        updates_only=True,
    ),
    Watch(
        "league_club",
        (
            _ITSELF[K.CLUB],
            Effect(K.CHAMPIONSHIP, "JOIN league_championship x ON x.club_id = r.id"),
            Effect(K.PLAYER, f"{_MEMBER_OF_CLUB} JOIN league_player x ON x.id = p.id {_CHAMPIONSHIP_OF_MEMBER}"),
            Effect(K.ENTRY, f"{_MEMBER_OF_CLUB} JOIN league_entry x ON x.team_id = m.team_id"),
            Effect(K.TEAM, f"{_MEMBER_OF_CLUB} JOIN league_team x ON x.id = m.team_id"),
        ),
        but=("created_at",),
    ),
    Watch(
        "league_player",
        (
            Effect(K.PLAYER, f"{_MEMBER_OF_PLAYER} JOIN league_player x ON x.id = r.id {_CHAMPIONSHIP_OF_MEMBER}"),
            Effect(K.ENTRY, f"{_MEMBER_OF_PLAYER} JOIN league_entry x ON x.team_id = m.team_id"),
            Effect(K.TEAM, f"{_MEMBER_OF_PLAYER} JOIN league_team x ON x.id = m.team_id"),
            Effect(K.CLUB, f"{_MEMBER_OF_PLAYER} JOIN league_club x ON x.id = r.club_id"),
        ),
        columns=("name", "shown_as", "shows_club", "club_id", "merged_into_id", "anonymised_at", "version"),
        updates_only=True,
    ),
    Watch(
        "league_player",
        tuple(
            Effect(effect.kind, f"{_MEMBER_OF_PLAYER} {effect.way}", effect.where, effect.number)
            for effect in _named_after("m.team_id")
        ),
        columns=("name", "shown_as"),
        updates_only=True,
    ),
    Watch(
        "league_team",
        (_ITSELF[K.TEAM], Effect(K.ENTRY, "JOIN league_entry x ON x.team_id = r.id"), *_named_after("r.id")),
    ),
    Watch(
        "league_teammember",
        (
            Effect(K.TEAM, "JOIN league_team x ON x.id = r.team_id"),
            Effect(K.ENTRY, "JOIN league_entry x ON x.team_id = r.team_id"),
            Effect(
                K.PLAYER,
                "JOIN league_player x ON x.id = r.player_id "
                f"JOIN league_team t ON t.id = r.team_id {_CHAMPIONSHIP_OF_TEAM}",
            ),
            Effect(
                K.CLUB,
                "JOIN league_player p ON p.id = r.player_id JOIN league_club x ON x.id = p.club_id "
                f"JOIN league_team t ON t.id = r.team_id {_CHAMPIONSHIP_OF_TEAM}",
                "c.visibility = 'public'",
            ),
            *_named_after("r.team_id"),
        ),
    ),
    Watch("league_substitute", (Effect(K.TEAM, "JOIN league_team x ON x.id = r.team_id"),)),
    Watch("league_entry", (_ITSELF[K.ENTRY],)),
    # A team says under which number it is entered, a championship how many are.
    Watch(
        "league_entry",
        (
            Effect(K.TEAM, "JOIN league_team x ON x.id = r.team_id"),
            Effect(K.CHAMPIONSHIP, "JOIN league_championship x ON x.id = r.championship_id"),
        ),
        columns=("number", "team_id", "championship_id", "withdrawn_at"),
    ),
    Watch(
        "league_entry",
        (
            *_parties_of("JOIN league_entry e ON e.id = r.id"),
            Effect(K.ROUND, "JOIN league_bye x ON x.entry_id = r.id", number="round"),
            _ITSELF[K.RANKING],
        ),
        columns=("number", "team_id"),
        updates_only=True,
    ),
    Watch("league_bye", (Effect(K.ROUND, number="round"),)),
    Watch(
        "league_absence",
        (
            Effect(
                K.ROUND,
                "JOIN league_round x ON x.championship_id = r.championship_id AND x.number = r.round",
                _shown("x"),
            ),
        ),
    ),
    Watch("league_stage", (_ITSELF[K.STAGE],)),
    Watch("league_stageentry", (Effect(K.STAGE, "JOIN league_stage x ON x.id = r.stage_id"),)),
    # A round says of which stage it is, a stage how many rounds it has.
    Watch(
        "league_stage",
        (Effect(K.ROUND, "JOIN league_round x ON x.stage_id = r.id", _shown("x")),),
        columns=("number",),
        updates_only=True,
    ),
    Watch("league_round", (Effect(K.ROUND, where=_shown("r")),)),
    Watch(
        "league_round",
        (Effect(K.STAGE, "JOIN league_stage x ON x.id = r.stage_id", "r.status <> 'draft'"),),
        columns=("status", "stage_id"),
    ),
    Watch("league_partie", (_ITSELF[K.PARTIE],)),
    # Rounds and championships say how many parties they have, and how many are open.
    Watch(
        "league_partie",
        (
            Effect(K.ROUND, number="round"),
            Effect(K.CHAMPIONSHIP, "JOIN league_championship x ON x.id = r.championship_id"),
        ),
        columns=("round", "status"),
    ),
    Watch("league_seat", (Effect(K.PARTIE, "JOIN league_partie x ON x.id = r.partie_id"),)),
    Watch("league_standin", (Effect(K.PARTIE, _PARTIE_OF_SEAT),)),
    Watch("league_manche", (Effect(K.PARTIE, "JOIN league_partie x ON x.id = r.partie_id"),)),
    Watch(
        "league_result",
        (Effect(K.PARTIE, "JOIN league_manche m ON m.id = r.manche_id JOIN league_partie x ON x.id = m.partie_id"),),
    ),
    Watch("league_resultscore", (Effect(K.PARTIE, _PARTIE_OF_SEAT),)),
    # The journal of results is what the ranking counts.
    Watch("league_resultevent", (_ITSELF[K.RANKING],)),
    Watch("league_liveranking", (_ITSELF[K.RANKING],)),
    Watch("league_liverow", (_ITSELF[K.RANKING],)),
    Watch("league_publishedranking", (_ITSELF[K.PUBLISHED_RANKING],)),
    Watch(
        "league_publishedrow",
        (Effect(K.PUBLISHED_RANKING, "JOIN league_publishedranking x ON x.id = r.ranking_id"),),
    ),
)

PRIVATE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "league_apitoken": "keys of programs",
        "league_attempt": "refused documents are their organisers' only",
        "league_auditentry": "for organisers",
        "league_batch": "of who sent it",
        "league_batchitem": "of who sent it",
        "league_change": "the feed itself",
        "league_circuit": "of an owner, not of a championship: read from its own lists",
        "league_circuitleg": "of an owner, not of a championship: read from its own lists",
        "league_delivery": "for organisers",
        "league_dispute": "between a table and its organisers; what everybody sees of it is the result's state",
        "league_disputemessage": "between a table and its organisers",
        "league_document": "never changed; it is read by its result",
        "league_externalid": "between a program and the site",
        "league_feedhead": "the feed itself",
        "league_idempotencyrecord": "of who sent the request",
        "league_invitation": "for organisers",
        "league_listimport": "for organisers",
        "league_mailaddress": "of their owners",
        "league_membership": "for organisers",
        "league_playermerge": "what a merge moved stands in its own rows",
        "league_playernumber": "in pages of the player's organisers only",
        "league_profileclaim": "of the player",
        "league_publishedcircuit": "of an owner, not of a championship: read from its own lists",
        "league_receivedmail": "of who sent it",
        "league_registration": "of who registered and the organisers; accepted, it is an entry",
        "league_secondentry": "blind; what everybody sees of it is the result's state",
        "league_tablelink": "a secret",
        "league_user": "accounts",
        "league_user_groups": "accounts",
        "league_user_user_permissions": "accounts",
        "league_webhook": "for organisers",
    }
)
"""Tables of which nothing is shown to everybody, with why."""
