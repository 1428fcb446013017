"""What answers look like, for type checkers. The site's own description is its OpenAPI document, /api/v1/schema."""

from typing import Any, Literal, NotRequired, TypedDict

Json = dict[str, Any]


class Player(TypedDict):
    """Somebody who plays, as everybody may see them."""

    id: int
    name: str
    club: str
    external_id: NotRequired[str | None]


class Entry(TypedDict):
    """An entry of a championship."""

    number: int
    team: str
    team_id: int
    players: list[Player]
    withdrawn: bool
    penalty: int
    penalty_reason: str
    external_id: NotRequired[str | None]


class Partie(TypedDict):
    """A partie with its seats and manches; `awaited` is the manche to be played next."""

    number: int
    round: int
    table_number: int | None
    status: Literal["open", "closed", "void"]
    version: int
    seats: list[Json]
    manches: list[Json]
    awaited: int | None
    external_id: NotRequired[str | None]


class HandIn(TypedDict):
    """What became of a document. `state`: whether it counts, or what it waits for."""

    outcome: Literal["recorded", "second", "repeated"]
    championship: str
    partie: int
    manche: int
    version: int
    state: str
    url: str
    sha256: str
    verdict: Json
    partie_status: str
    next_manche: int | None


class Row(TypedDict):
    """A row of a ranking; `rank` is null for who has none."""

    position: int
    rank: int | None
    entry: int
    team: str
    players: list[str]
    values: Json
    above_next_by: str | None
    why: Json | None


class Change(TypedDict):
    """Something that changed. `data` is what it is now; null: it is gone, or not public any more."""

    cursor: str
    kind: str
    championship: str | None
    key: str
    address: str
    at: str
    data: Json | None


class Changes(TypedDict):
    """Some changes. Where `next` is `head` that is all there is."""

    items: list[Change]
    next: str
    head: str


class Batch(TypedDict):
    """A batch: how far it has come."""

    id: int
    championship: str | None
    state: Literal["waiting", "running", "done", "cancelled"]
    items: int
    done: int
    counts: dict[str, int]
    rest: int | None
    url: str
    items_url: str
    answers_url: str
    cancel_url: str | None
