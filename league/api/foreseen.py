"""A dry run: what a ruling or a correction would move, as the pages show it before it is saved; nothing is kept."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.request import Request

from league.api import parameters
from league.api.parties import PartieSerializer
from league.api.views import ApiView
from league.models import Championship, Partie
from league.selectors.parties import rounds_after
from league.selectors.ranking import counted_in
from league.services.foreseen import Foreseen, foresee

DRY_RUN: Final = OpenApiParameter(
    "dry_run", bool, description="`true`: nothing is kept, no key remembered; the answer is what would move."
)


class BeforeAfterSerializer(serializers.Serializer[Any]):
    """A partie as it is, and as it would be."""

    before = PartieSerializer()
    after = PartieSerializer()


class ForeseenRankSerializer(serializers.Serializer[Any]):
    """An entry whose rank would be another one; null: it has none."""

    entry = serializers.IntegerField(source="number")
    team = serializers.CharField(source="name")
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)


class StageChangeSerializer(serializers.Serializer[Any]):
    """An entry that would be placed by another stage: who would go on, or would not any more."""

    entry = serializers.IntegerField()
    team = serializers.CharField()
    stage_before = serializers.IntegerField(allow_null=True)
    stage_after = serializers.IntegerField(allow_null=True)

    def to_representation(self, instance: tuple[int, str, int | None, int | None]) -> dict[str, Any]:
        """From the values that the service gives."""
        return dict(zip(self.fields, instance, strict=True))


class ForeseenSerializer(serializers.Serializer[Any]):
    """What would move. `published`: the newest published version that counts one of the parties, null without one."""

    changes_nothing = serializers.BooleanField(help_text="Neither a score nor a rank would move.")
    parties = BeforeAfterSerializer(many=True)
    moved = ForeseenRankSerializer(many=True)
    stage_changes = StageChangeSerializer(many=True)
    published = serializers.IntegerField(allow_null=True)
    drawn_rounds = serializers.ListField(child=serializers.IntegerField(), help_text="Later rounds with parties.")


def or_foreseen(answers: type[serializers.Serializer[Any]]) -> PolymorphicProxySerializer:
    """How an answer is described that is what would move where `dry_run` is asked for."""
    name = answers.__name__.removesuffix("Serializer")
    return PolymorphicProxySerializer(
        component_name=f"{name}OrForeseen", serializers=[answers, ForeseenSerializer], resource_type_field_name=None
    )


class TriedFirst(ApiView):
    """The base of a write that can be tried: whole rankings are computed then, before and after."""

    def rate(self, request: Request) -> str:
        """What is tried is costly."""
        return "costly" if is_dry_run(request) else super().rate(request)


def is_dry_run(request: Request) -> bool:
    """Whether nothing is to be kept. Raises RequestFault."""
    return request.method == "POST" and parameters.truth(request, "dry_run") is True


def foreseen_answer(championship: Championship, parties: Sequence[Partie], do: Callable[[], Any]) -> HttpResponse:
    """200 with what `do`, a service's call, would move. Raises what it raises."""
    seen = foresee(championship=championship, parties=parties, do=do)
    body = {
        "changes_nothing": seen.changes_nothing,
        "parties": [{"before": before, "after": after} for before, after in seen.parties],
        "moved": sorted(seen.moved, key=lambda one: (one.rank_after is None, one.rank_after, one.number)),
        "stage_changes": seen.stage_changes,
        "published": _published(championship, seen),
        "drawn_rounds": _drawn(championship, seen),
    }
    return HttpResponse(
        msgspec.json.encode(ForeseenSerializer(body).data),
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def _published(championship: Championship, seen: Foreseen) -> int | None:
    if seen.changes_nothing:
        return None
    found = counted_in(championship=championship, parties=[before.number for before, _after in seen.parties])
    return found.number if found else None


def _drawn(championship: Championship, seen: Foreseen) -> list[int]:
    if seen.changes_nothing:
        return []
    return rounds_after(championship=championship, number=min((a.round for a, _b in seen.parties), default=0))
