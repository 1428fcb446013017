"""What is ruled about a partie: closed, annulled, reopened, forfeited; each can be tried first."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from league.api.foreseen import DRY_RUN, TriedFirst, foreseen_answer, is_dry_run, or_foreseen
from league.api.named import Ref
from league.api.parties import PartieSerializer, partie_shown
from league.api.running import check_state, entry_named
from league.api.writing import Body, Reason, Written, body_as, write
from league.api.writing_schema import F, describe_write
from league.models import Scope
from league.policy import Action, require
from league.selectors.addresses import partie_at
from league.services.locks import lock_championship
from league.services.parties import close_partie, reopen_partie, rule_forfeit, void_partie


class Forfeit(Reason):
    """Who is absent or left."""

    entry: Ref


class PartieDeed(TriedFirst):
    """Something that is ruled about a partie."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    def do(self, request: Request, slug: str, number: int, deed: Callable[..., Any]) -> HttpResponse:
        """Do a deed, a service that is told `partie_id` and `version`, and answer with the partie as it is then."""
        row = partie_at(self.actor, slug, number)
        require(self.actor, Action.SETTLE, row.championship, row)
        about: dict[str, Any] = {"actor": self.actor, "partie_id": row.pk, "version": None}
        if is_dry_run(request):
            check_state(request, lambda: partie_shown(self.actor, row))
            return foreseen_answer(row.championship, [row], lambda: deed(**about))

        def done() -> Written:
            lock_championship(pk=row.championship_id)
            check_state(request, lambda: partie_shown(self.actor, partie_at(self.actor, slug, number)))
            deed(**about)
            return Written(partie_shown(self.actor, partie_at(self.actor, slug, number)))

        return write(request, done)


def describe(operation_id: str, body: type[Body]) -> Callable[[F], F]:
    """The description of a deed."""
    return describe_write(
        operation_id=operation_id,
        tags=["parties"],
        body=body,
        answers=or_foreseen(PartieSerializer),
        may_match=True,
        parameters=[DRY_RUN],
    )


class CloseView(PartieDeed):
    """A partie stopped."""

    @describe("close_partie", Reason)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Stop a partie: its finished manches count; without any it is void (STANDINGS 1)."""
        said = body_as(request, Reason)
        return self.do(request, slug, number, lambda **about: close_partie(**about, reason=said.reason))


class VoidView(PartieDeed):
    """A partie annulled."""

    @describe("void_partie", Reason)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Annul a partie: it is as if never drawn (STANDINGS 2)."""
        said = body_as(request, Reason)
        return self.do(request, slug, number, lambda **about: void_partie(**about, reason=said.reason))


class ReopenView(PartieDeed):
    """A stop, a forfeit or an annulment taken back."""

    @describe("reopen_partie", Reason)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Take back a referee's stop, a forfeit or an annulment: the partie goes on."""
        said = body_as(request, Reason)
        return self.do(request, slug, number, lambda **about: reopen_partie(**about, reason=said.reason))


class ForfeitView(PartieDeed):
    """A forfeit."""

    @describe("rule_forfeit", Forfeit)
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Rule that an entry is absent or left: the partie is closed, finished manches count (STANDINGS 2)."""
        said = body_as(request, Forfeit)

        def deed(**about: Any) -> None:
            championship = partie_at(self.actor, slug, number).championship
            _number, entry_id = entry_named(self, championship, said.entry)
            rule_forfeit(**about, entry_id=entry_id, reason=said.reason)

        return self.do(request, slug, number, deed)
