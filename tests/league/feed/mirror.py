"""A mirror of the site: it knows nothing but what the feed has said, and can be held beside the lists."""

from typing import Any

from django.test import Client

V1 = "/api/v1"


class Mirror:
    """What a program keeps that reads the feed and nothing else: by championship and kind, by key."""

    def __init__(self, feed: str = f"{V1}/changes", client: Client | None = None) -> None:
        self.feed, self.client = feed, client or Client()
        self.cursor: str | None = None
        self.things: dict[tuple[str, str], dict[str, Any]] = {}
        self.seen: list[str] = []

    def catch_up(self, **query: Any) -> "Mirror":
        """Read on until there is no more."""
        while True:
            asked = query | ({} if self.cursor is None else {"after": self.cursor})
            page = got(self.client, self.feed, **asked)
            for item in page["items"]:
                self.take(item)
            is_all = page["next"] == page["head"]
            self.cursor = page["next"]
            if is_all:
                return self

    def take(self, item: dict[str, Any]) -> None:
        """What a change says of a thing is all that is known of it; a championship that goes takes all with it."""
        self.seen.append(item["cursor"])
        kept = self.things.setdefault((item["championship"] or "", item["kind"]), {})
        if item["data"] is None:
            kept.pop(item["key"], None)
        else:
            kept[item["key"]] = item["data"]

    def of(self, kind: str, slug: str = "") -> dict[str, Any]:
        """What it has of a kind, of a championship or of none."""
        return self.things.get((slug, kind), {})

    @property
    def championships(self) -> dict[str, Any]:
        """The championships, each kept under its own address."""
        return {
            key: data
            for (_slug, kind), kept in self.things.items()
            if kind == "championship"
            for key, data in kept.items()
        }


def got(client: Client, path: str, **query: Any) -> dict[str, Any]:
    """An answer; it must be a good one."""
    response = client.get(path, query)
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def listed(client: Client, path: str, key: str) -> dict[str, Any]:
    """All of a list, by what the feed calls its items."""
    items: list[dict[str, Any]] = []
    address: str | None = path
    query = {"limit": 100}
    while address:
        page = got(client, address, **query)
        items += page["items"]
        address, query = page["next"], {}
    return {str(item[key]): item for item in items}


LISTS = {
    "entry": ("entries", "number"),
    "team": ("teams", "id"),
    "stage": ("stages", "number"),
    "round": ("rounds", "number"),
    "partie": ("parties", "number"),
    "published-ranking": ("rankings", "number"),
}


def require_equal(mirror: Mirror, client: Client | None = None) -> None:
    """The mirror has what the lists have, nothing more and nothing otherwise."""
    client = client or Client()
    championships = listed(client, f"{V1}/championships", "slug")
    assert mirror.championships == championships
    assert mirror.of("player") == listed(client, f"{V1}/players", "id")
    assert mirror.of("club") == listed(client, f"{V1}/clubs", "slug")
    for slug in championships:
        require_equal_championship(mirror, slug, client)
    others = {slug for (slug, _kind), kept in mirror.things.items() if kept} - {"", *championships}
    assert others == set()


def require_equal_championship(mirror: Mirror, slug: str, client: Client) -> None:
    """As `require_equal`, of what is in one championship."""
    at = f"{V1}/championships/{slug}"
    for kind, (name, key) in LISTS.items():
        assert mirror.of(kind, slug) == listed(client, f"{at}/{name}", key), (slug, kind)
    ranking = got(client, f"{at}/ranking", limit=100)
    rows = listed(client, f"{at}/ranking", "position").values()
    mirrored = mirror.of("ranking", slug)[""]
    assert mirrored["items"] == list(rows)
    for name in ("is_due", "computed_at", "journal_position", "keys"):
        assert mirrored[name] == ranking[name], name
    assert mirrored["names"].items() >= ranking["names"].items()
