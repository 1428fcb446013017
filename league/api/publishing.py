"""A version of the ranking published by a program."""

from functools import partial
from typing import Annotated, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from league.api import rankings
from league.api.rankings import PublishedRankingSerializer
from league.api.writing import Body, Written, answered_already, body_as, write
from league.api.writing_schema import describe_write
from league.errors import UserFault
from league.models import Scope
from league.policy import Action, require
from league.selectors.addresses import championship_at
from league.selectors.ranking import version_of
from league.services.publishing import OvertakenError, Prepared, prepare, publish_prepared

_TURNS = 3


class RankingPublication(Body):
    """A version to be published: all results, or those of rounds up to `round`."""

    label: str
    round: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    note: str = ""


class PublishedRankingsView(rankings.PublishedRankingsView):
    """Published versions, and the next one."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "costly"}

    @describe_write(
        operation_id="publish_ranking",
        tags=["rankings"],
        body=RankingPublication,
        answers=PublishedRankingSerializer,
        makes=True,
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Freeze the ranking as it stands as the next numbered version (STANDINGS 4).

        It is computed before the championship is locked; again, where results come in meanwhile.
        """
        said = body_as(request, RankingPublication)
        championship = championship_at(self.actor, slug)
        require(self.actor, Action.PUBLISH, championship)
        before = answered_already(request)  # nothing is computed for what was published
        if before is not None:
            return before
        for turn in range(_TURNS):
            prepared = _prepared(championship.pk, said.round)
            do = partial(self._publish, slug, championship.pk, said, prepared, at_last=turn == _TURNS - 1)
            try:
                return write(request, do)
            except OvertakenError:
                continue
        raise AssertionError("the last turn publishes or raises")

    def _publish(
        self,
        slug: str,
        championship_id: int,
        said: RankingPublication,
        prepared: Prepared | UserFault,
        *,
        at_last: bool,
    ) -> Written:
        if isinstance(prepared, UserFault):
            raise prepared  # here, where a key that is known goes before it
        published = publish_prepared(
            actor=self.actor,
            championship_id=championship_id,
            label=said.label,
            note=said.note,
            prepared=prepared,
            at_last=at_last,
        )
        data = PublishedRankingSerializer(version_of(published)).data
        location = reverse("api-published-ranking", args=(slug, published.number))
        return Written(data, 201, location, etag=False)


def _prepared(championship_id: int, up_to_round: int | None) -> Prepared | UserFault:
    try:
        return prepare(championship_id=championship_id, round=up_to_round)
    except UserFault as fault:
        return fault
