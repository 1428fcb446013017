"""Entries as a list names them, before anybody knows who they are."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

Fault = list[Any]
"""A line's number, a code and what the sentence about it needs: [3, "name-missing", {}]."""


@dataclass
class ListedPlayer:
    """A person on a list. `line`: the number of the line in the file."""

    line: int
    name: str
    club: str = ""
    licence: str = ""
    email: str = ""
    minor: bool = False

    @property
    def details(self) -> list[str]:
        """What is said of somebody beside the name."""
        return [said for said in (self.club, self.licence, self.email) if said]


@dataclass
class Listed:
    """An entry on a list: its players in the order of their seats, under its number if the list gives it one."""

    team: str = ""
    number: int | None = None
    players: list[ListedPlayer] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The number of its first line."""
        lines: list[int] = [player.line for player in self.players] + [fault[0] for fault in self.faults]
        return min(lines)

    def kept(self) -> dict[str, Any]:
        """As it is kept in a row (`of_kept` reads it back)."""
        return asdict(self)

    @classmethod
    def of_kept(cls, kept: Mapping[str, Any]) -> "Listed":
        """What `kept` was made of."""
        players = [ListedPlayer(**player) for player in kept["players"]]
        return cls(kept["team"], kept["number"], players, [list(fault) for fault in kept["faults"]])
