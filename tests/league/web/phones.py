"""Phones at a table, for tests of the pages at its secret address."""

from typing import Any

from django.test import Client

from league.models import Partie
from league.table_codes import table_address
from tests.league.table_cases import manche_of
from tests.league.web_organiser.conftest import cells


def address(partie: Partie, rest: str = "") -> str:
    return f"/en{table_address(partie)}{rest}"


class Phone:
    """A browser at a table, which has said for which side it speaks."""

    def __init__(self, partie: Partie, label: str = "") -> None:
        self.partie, self.client = partie, Client()
        if label:
            self.post(do="side", side=label)

    def get(self, rest: str = "") -> Any:
        return self.client.get(address(self.partie, rest))

    def text(self) -> str:
        return str(self.get().content.decode())

    def post(self, rest: str = "", **said: Any) -> Any:
        return self.client.post(address(self.partie, rest), said)

    def about(self, **said: Any) -> dict[str, Any]:
        current = manche_of(self.partie).current
        return {"manche": 1, "version": current.version if current else 1} | said

    def hand_in(self, km: int = 475, **changes: str) -> Any:
        return self.post("manches/1/sheet/", key="k", **cells({"A": 1000, "B": km}, **changes))
