"""The rules as data: rulebooks with their parameters, tables and decisions, and every code with its paragraph."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.refusals import PARAGRAPHS
from engine.rulebooks import HOUSE_KEYS, POINT_VALUES, RULEBOOKS, Rulebook
from league.api import pages, parameters
from league.api.openapi import problems
from league.api.problem_types import PROBLEM_TYPES
from league.api.views import ApiView, answer
from league.errors import NotFound
from league.selectors.windows import window_of
from league.services.fit import SENTENCES as MISFITS
from league.services.fit import paragraph_of as misfit_paragraph
from league.web.rulebook_decisions import decisions_of
from scoring.points import LINES

KINDS: Final = ("refusal", "fault", "misfit", "line", "problem")


class TableSerializer(serializers.Serializer[Any]):
    """A table (RULES 3). The first target holds when none is named; `extended` is that after a rallonge."""

    teams = serializers.IntegerField()
    players = serializers.IntegerField(help_text="Of each team.")
    deck = serializers.DictField(child=serializers.IntegerField(), help_text="Cards by code.")
    targets = serializers.ListField(child=serializers.IntegerField(), help_text="In km.")
    extended = serializers.IntegerField(allow_null=True)


class DecisionSerializer(serializers.Serializer[Any]):
    """What was decided where the sources are silent or unclear, in the reader's language."""

    paragraph = serializers.CharField()
    decided = serializers.CharField()
    sources = serializers.CharField()


class RulebookLineSerializer(serializers.Serializer[Any]):
    """A rulebook."""

    id = serializers.CharField()
    has_points = serializers.BooleanField()


class RulebookSerializer(RulebookLineSerializer):
    """A rulebook as data (RULES 3, 8 and 12). `parameters` are those that house rules may change."""

    parameters = serializers.DictField()
    rallonge = serializers.IntegerField(help_text="Points of the line rallonge (RULES 8).")
    tables = TableSerializer(many=True)
    decisions = DecisionSerializer(many=True)


class CodeSerializer(serializers.Serializer[Any]):
    """A code: of a log's refusal, a sheet's fault, a misfit with its partie, a score line, a request's problem."""

    kind = serializers.ChoiceField(KINDS)
    code = serializers.CharField()
    paragraph = serializers.CharField(allow_null=True)


@dataclass(frozen=True, slots=True)
class Code:
    """A code of this program, and the paragraph of RULES or STANDINGS that it comes from; None for a problem."""

    kind: str
    code: str
    paragraph: str | None


FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "malformed-sheet": "RULES 11",
        "unknown-rulebook": "RULES 3",
        "bad-house": "RULES 12",
        "bad-table": "RULES 3",
        "bad-target": "RULES 3",
        "end-not-allowed": "RULES 7",
        "extension-not-allowed": "RULES 7",
        "unknown-team": "RULES 7",
        "caller-below-target": "RULES 7",
        "extension-missing": "RULES 7",
        "km-not-multiple": "RULES 2",
        "km-over-target": "RULES 5",
        "bad-count": "RULES 2",
        "unknown-botte": "RULES 2",
        "steps-disagree": "RULES 11",
        "km-impossible": "RULES 2",
        "too-many-200": "RULES 5",
        "coup-fourre-without-botte": "RULES 6",
        "botte-twice": "RULES 2",
        "deck-exceeded": "RULES 2",
        "no-team-on-target": "RULES 7",
        "two-teams-on-target": "RULES 7",
        "target-but-other-end": "RULES 7",
        "sabot-not-empty": "RULES 7",
        "missing-200s": "RULES 8",
        "missing-sabot": "RULES 7",
    }
)
"""The faults of a sheet in the order of RULES 11, and the paragraph that a verdict names for each."""


def codes() -> Iterator[Code]:
    """Every code, refusals first."""
    for code, paragraph in PARAGRAPHS.items():
        yield Code("refusal", code, paragraph)
    for code, paragraph in FAULTS.items():
        yield Code("fault", code, paragraph)
    for code in MISFITS:
        yield Code("misfit", code, misfit_paragraph(code))
    for line in LINES:
        yield Code("line", line.code, line.paragraph)
    for code in PROBLEM_TYPES:
        yield Code("problem", code, None)


def described(rulebook: Rulebook) -> dict[str, Any]:
    """A rulebook as its serializer wants it."""
    return {
        "id": rulebook.id,
        "has_points": rulebook.has_points,
        "parameters": {key: getattr(rulebook, key) for key in HOUSE_KEYS if _has(rulebook, key)},
        "rallonge": rulebook.rallonge,
        "tables": rulebook.tables,
        "decisions": decisions_of(rulebook.id),
    }


def _has(rulebook: Rulebook, key: str) -> bool:
    return rulebook.has_points or key not in POINT_VALUES


class RulebooksView(ApiView):
    """Rulebooks."""

    @extend_schema(
        operation_id="list_rulebooks",
        tags=["rules"],
        parameters=pages.PARAMETERS,
        responses={200: pages.page_of(RulebookLineSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """The rulebooks."""
        found = sorted(RULEBOOKS.values(), key=lambda rulebook: rulebook.id)
        window = window_of(found, pages.asked(request), lambda rulebook: (rulebook.id,))
        return pages.listing(request, RulebookLineSerializer, window)


class RulebookView(ApiView):
    """A rulebook."""

    @extend_schema(operation_id="get_rulebook", tags=["rules"], responses={200: RulebookSerializer, **problems(404)})
    def get(self, request: Request, rulebook: str) -> Response:
        """A rulebook with its parameters, its tables and the decisions that were taken for it."""
        if rulebook not in RULEBOOKS:
            raise NotFound
        return answer(RulebookSerializer, described(RULEBOOKS[rulebook]))


class CodesView(ApiView):
    """Codes."""

    @extend_schema(
        operation_id="list_codes",
        tags=["rules"],
        parameters=[*pages.PARAMETERS, OpenApiParameter("kind", str, enum=KINDS)],
        responses={200: pages.page_of(CodeSerializer), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Every code by kind and name, with the paragraph of RULES or STANDINGS that it comes from."""
        kind = parameters.choice(request, "kind", KINDS)
        found = sorted((one for one in codes() if kind in (None, one.kind)), key=lambda one: (one.kind, one.code))
        window = window_of(found, pages.asked(request), lambda one: (one.kind, one.code))
        return pages.listing(request, CodeSerializer, window)
