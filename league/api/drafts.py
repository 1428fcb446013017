"""A draft changed by hand: drawn again, entries swapped and moved, tables turned and numbered."""

from functools import partial
from typing import Annotated, Literal

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from league.api.named import Number, Ref, number_named, together
from league.api.round_shapes import RoundDetailSerializer
from league.api.rounds import RoundActionView
from league.api.writing import Body, body_as
from league.api.writing_schema import describe_write
from league.models import Championship, ExternalKind, Round
from league.services.drafts import NEW, move, number_table, swap, turn
from league.services.draws import redraw

MOST_MOVED = 100


class Redraw(Body):
    """How a draft is drawn again; `unchecked` as before where it is left out."""

    unchecked: Literal["play", "absent"] | None = None


class Swap(Body):
    """Two entries that change places."""

    one: Ref
    other: Ref


class Move(Body):
    """Entries that go to a table, a new one, the byes or the absent."""

    entries: Annotated[tuple[Ref, ...], msgspec.Meta(min_length=1, max_length=MOST_MOVED)]
    to: Number | Literal["byes", "absent", "new"]


class Turn(Body):
    """A table at which everybody moves up one seat."""

    table: Number


class NumberTable(Body):
    """Another number of a table."""

    table: Number
    to: int


class DraftView(RoundActionView):
    """The base of what is done with a draft."""

    def entry(self, said: int | str, field: str) -> int:
        """The number of an entry that a body names."""
        return number_named(self, kind=ExternalKind.ENTRY, said=said, field=field)


class RedrawView(DraftView):
    """Drawing again."""

    @describe_write(operation_id="redraw", tags=["drafts"], body=Redraw, answers=RoundDetailSerializer, may_match=True)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Draw a draft again with those who can play now: the same seed and entries give the same tables."""
        asked = body_as(request, Redraw)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: redraw(
                actor=self.actor, round_id=round_.pk, version=None, unchecked=asked.unchecked
            ),
        )


class SwapView(DraftView):
    """Swapping."""

    @describe_write(
        operation_id="swap_in_draft", tags=["drafts"], body=Swap, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Let two entries change places, wherever each stands: at a table, among the byes or the absent."""
        asked = body_as(request, Swap)

        def deed(_championship: Championship, round_: Round) -> Round:
            one, other = together([lambda: self.entry(asked.one, "one"), lambda: self.entry(asked.other, "other")])
            return swap(actor=self.actor, round_id=round_.pk, version=None, one=one, other=other)

        return self.act(request, slug, number, deed)


class MoveView(DraftView):
    """Moving."""

    @describe_write(
        operation_id="move_in_draft", tags=["drafts"], body=Move, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take entries out of their places and put them to a table, all to one `new` table, the byes or the absent."""
        asked = body_as(request, Move)

        def deed(_championship: Championship, round_: Round) -> None:
            to: int | str = asked.to
            named = (partial(self.entry, said, f"entries[{place}]") for place, said in enumerate(asked.entries))
            for entry in together(named):
                moved = move(actor=self.actor, round_id=round_.pk, version=None, entry=entry, to=to)
                if to == NEW:
                    to = moved.pairing["tables"][-1]["number"]

        return self.act(request, slug, number, deed)


class TurnView(DraftView):
    """Turning a table."""

    @describe_write(
        operation_id="turn_in_draft", tags=["drafts"], body=Turn, answers=RoundDetailSerializer, may_match=True
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Let everybody at a table move up one seat: who sat at A now sits last."""
        asked = body_as(request, Turn)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: turn(actor=self.actor, round_id=round_.pk, version=None, table=asked.table),
        )


class NumberTableView(DraftView):
    """Numbering a table."""

    @describe_write(
        operation_id="number_in_draft",
        tags=["drafts"],
        body=NumberTable,
        answers=RoundDetailSerializer,
        may_match=True,
    )
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Give a table another number; the one that has it takes the old one."""
        asked = body_as(request, NumberTable)
        return self.act(
            request,
            slug,
            number,
            lambda _championship, round_: number_table(
                actor=self.actor, round_id=round_.pk, version=None, table=asked.table, to=asked.to
            ),
        )
