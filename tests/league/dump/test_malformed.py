"""A dump that does not fit is refused at the place of its fault, and nothing of it is kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.league.dump.cases import rulings
from tests.league.dump.going import Dump, decoded, empty_of_players, fault_of, taken_in

pytestmark = pytest.mark.django_db


def _tables(whole: Dump) -> Dump:
    first: Dump = whole["parties"][0]
    return first


BROKEN: dict[str, tuple[Callable[[Dump], Any], str, str | None]] = {
    "a member too much": (lambda d: d["entries"][2].update(penality=3), "bad-dump", "entries[2].penality"),
    "a member too few": (lambda d: d["parties"][1].pop("seats"), "bad-dump", "parties[1].seats"),
    "a time without a zone": (
        lambda d: d["parties"][0].update(opened_at="2026-01-01T10:00:00"), "bad-dump", "parties[0].opened_at",
    ),
    "a score that was changed": (
        lambda d: _tables(d)["manches"][0]["results"][2]["scores"][0].update(points=5000),
        "score-differs",
        "parties[0].manches[0].results[2].scores[0].points",
    ),
    "a document that was changed": (
        lambda d: _tables(d)["manches"][0]["results"][1]["document"].update(text="{}"),
        "sha256-differs",
        "parties[0].manches[0].results[1].document.sha256",
    ),
    "another rulebook": (
        lambda d: d["championship"].update(rulebook="moderne"), "bad-dump", "championship.house",
    ),
    "other house rules": (
        lambda d: d["championship"].update(house={}),
        "document-does-not-fit",
        "parties[0].manches[0].results[2].document",
    ),
    "an entry that there is not": (
        lambda d: _tables(d)["seats"][1].update(entry=77), "bad-dump", "parties[0].seats[1].entry",
    ),
    "a player that there is not": (lambda d: d["entries"][0].update(players=[99]), "bad-dump", "entries[0].players[0]"),
    "an entry twice": (lambda d: d["entries"].append(d["entries"][0]), "bad-dump", "entries[8].number"),
    "two results that stand": (
        lambda d: _tables(d)["manches"][0]["results"][0].update(state="pending"),
        "bad-dump",
        "parties[0].manches[0].results",
    ),
    "a version that replaces a later one": (
        lambda d: _tables(d)["manches"][0]["results"][0].update(replaces=3),
        "bad-dump",
        "parties[0].manches[0].results[0].replaces",
    ),
    "no reason where one is due": (
        lambda d: d["parties"][2]["seats"][1].update(forfeit_reason=""), "contradiction", "parties[2]",
    ),
    "a text that is too long": (
        lambda d: d["parties"][2]["seats"][1].update(forfeit_reason="x" * 301),
        "bad-dump",
        "parties[2].seats[1].forfeit_reason",
    ),
    "a number that is too large": (
        lambda d: d["entries"][3].update(penalty=10**9 * 4), "bad-dump", "entries[3].penalty",
    ),
    "a gap in the journal": (lambda d: d["journal"].pop(3), "bad-dump", "journal[3].position"),
    "a journal that points nowhere": (
        lambda d: d["journal"][-1].update(partie=1, manche=9), "bad-dump", f"journal[{'last'}].manche",
    ),
    "an unknown line": (lambda d: d["journal"][0].update(what="dreamt"), "bad-dump", "journal[0].what"),
    "a journal that ends early": (lambda d: d["journal"].pop(), "bad-dump", "championship.journal_position"),
    "another secret": (
        lambda d: d["championship"].update(secret="guessed"), "sha256-differs", "championship.secret_sha256",
    ),
    "unknown keys": (lambda d: d["championship"].update(primary="luck"), "bad-dump", "championship.primary"),
    "another format": (lambda d: d.update(format="championnat/2"), "bad-dump", "format"),
    "no parties at all": (lambda d: d.pop("parties"), "bad-dump", "parties"),
    "a list that is none": (lambda d: d.update(byes={}), "bad-dump", "byes"),
    "the order turned round": (lambda d: d.update(entries=d.pop("entries")), "bad-dump", "entries"),
}  # fmt: skip


class TestMalformed:
    """A file that does not fit is refused with the place of its fault, and nothing of it is kept."""

    @pytest.fixture
    def whole(self) -> Dump:
        whole = decoded(rulings(), private=True)
        empty_of_players()
        return whole

    @pytest.mark.parametrize("what", sorted(BROKEN))
    def test_is_refused(self, whole: Dump, what: str) -> None:
        breaks, code, at = BROKEN[what]
        breaks(whole)
        if at is not None:
            at = at.replace("last", str(len(whole["journal"]) - 1))
        assert fault_of(whole) == (code, at)

    def test_what_is_no_json_is_refused_at_its_line(self, whole: Dump) -> None:
        raw = json.dumps(whole).encode()
        assert fault_of(b"") == ("malformed", None)
        assert fault_of(raw[:-40])[0] == "malformed"
        assert fault_of(raw + b"{}") == ("malformed", None)
        assert fault_of(raw.replace(b'"penalty": 150', b'"penalty": NaN'))[0] == "malformed"
        assert fault_of(b"\xff" + raw)[0] == "malformed"

    def test_an_address_that_is_taken(self, whole: Dump) -> None:
        assert fault_of(whole, slug="rulings") == ("slug-taken", "slug")
        assert fault_of(whole, slug="no address")[1] == "championship.slug"

    def test_twice_is_said(self, whole: Dump) -> None:
        taken_in(whole)
        assert fault_of(whole)[0] == "imported-already"

    def test_what_is_wrong_with_the_last_partie_is_found_among_many(self, whole: Dump) -> None:
        whole["parties"][-1]["table"] = whole["parties"][-2]["table"] = 3
        assert fault_of(whole) == ("contradiction", f"parties[{len(whole['parties']) - 1}]")
