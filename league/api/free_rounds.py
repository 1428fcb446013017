"""A whole round seated by hand, all of its tables at once."""

from typing import Annotated, Any, ClassVar

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from league.api.named import Number, Ref
from league.api.round_shapes import RoundDetailSerializer, shown_round
from league.api.running import entry_named, running
from league.api.views import ApiView
from league.api.writing import Body, Written, body_as, write
from league.api.writing_schema import describe_write
from league.models import Championship, Scope
from league.services.free_rounds import TableByHand, open_round

MOST_TABLES = 500


class TableToOpen(Body):
    """Who sits at a table, in the order of their seats; `number` of the table, if it has one."""

    entries: Annotated[tuple[Ref, ...], msgspec.Meta(min_length=1, max_length=4)]
    number: Number | None = None


class TablesToOpen(Body):
    """The tables of a round; `byes`: whoever could play and sits nowhere has a bye."""

    tables: Annotated[tuple[TableToOpen, ...], msgspec.Meta(min_length=1, max_length=MOST_TABLES)]
    byes: bool = False


class OpenRoundView(ApiView):
    """The tables of a round."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(operation_id="open_round", tags=["rounds"], body=TablesToOpen, answers=RoundDetailSerializer)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Open a partie at every table that is named, all or none, in a round with free tables."""
        asked = body_as(request, TablesToOpen)

        def do() -> Written:
            championship = running(self, slug)
            tables = [self._table(championship, table, place) for place, table in enumerate(asked.tables)]
            open_round(actor=self.actor, championship_id=championship.pk, round=number, tables=tables, byes=asked.byes)
            return Written(shown_round(self.actor, championship, number))

        return write(request, do)

    def _table(self, championship: Championship, table: TableToOpen, place: int) -> Any:
        field = f"tables[{place}].entries"
        entries = [entry_named(self, championship, said, field)[1] for said in table.entries]
        return TableByHand(entries, table.number)
