"""How a round is shown: its tables, byes and absences, its clock; a draft with its warnings, for who may see it."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from league.models import Championship, ClockEnd, ExternalKind, RoundStatus
from league.policy import Action, Actor, may, may_see_drafts
from league.selectors.drafts import DraftView, Warned
from league.selectors.external_ids import external_ids
from league.selectors.rounds import RoundView, round_view


class EntryOfRoundSerializer(serializers.Serializer[Any]):
    """An entry that is left over in a round, or does not play it (STANDINGS 2)."""

    entry = serializers.IntegerField()
    team = serializers.CharField()

    def to_representation(self, instance: tuple[int, str]) -> dict[str, Any]:
        """From the pair that the selector gives."""
        return dict(zip(self.fields, instance, strict=True))


class RoundSerializer(serializers.Serializer[Any]):
    """A round. `status` and `stage` are null for one that was opened by hand."""

    number = serializers.IntegerField()
    status = serializers.ChoiceField(RoundStatus.values, allow_null=True)
    stage = serializers.IntegerField(allow_null=True, help_text="The number of its stage.")
    parties = serializers.IntegerField(help_text="Without those that are void.")
    open = serializers.IntegerField()
    byes = EntryOfRoundSerializer(many=True)
    external_id = serializers.CharField(allow_null=True)


class RoundTableSerializer(serializers.Serializer[Any]):
    """A table of a round: `sides` in the order of their seats, of one entry each, of two where players are ranked."""

    number = serializers.IntegerField(allow_null=True, help_text="Of the table; null: it has none.")
    partie = serializers.IntegerField(allow_null=True, help_text="Null in a draft.")
    sides = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    pool = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(
        allow_null=True, help_text="Of a knock-out: the best place that is played for; null: the first go on."
    )
    extra_of = serializers.IntegerField(
        allow_null=True, help_text="Of a knock-out: the table whose level entries play one more manche here."
    )
    kept = serializers.BooleanField(help_text="It was played when the round was reopened: it stays as it is.")


class ClockSerializer(serializers.Serializer[Any]):
    """The clock as it is kept: `seconds_left` when it was started, or held where `started_at` is null."""

    minutes = serializers.IntegerField(allow_null=True)
    at_end = serializers.ChoiceField(ClockEnd.values)
    started_at = serializers.DateTimeField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)


class WarningSerializer(serializers.Serializer[Any]):
    """Something worth looking at before a draft is published. `table` is null where it is of no table."""

    code = serializers.CharField(
        help_text="repeat, partners, second-bye, extra-bye, clubmates, short-table, table-size, twice, missing, "
        "absent, other-pool, withdrawn."
    )
    table = serializers.IntegerField(allow_null=True)
    entries = serializers.ListField(child=serializers.IntegerField())
    times = serializers.IntegerField(help_text="How often before, or how many.")


class DraftSerializer(serializers.Serializer[Any]):
    """What an organiser looks at before a draft is published."""

    warnings = WarningSerializer(many=True)
    changed = serializers.ListField(
        child=serializers.IntegerField(), help_text="Tables that are not as they were drawn."
    )
    is_changed = serializers.BooleanField(help_text="Whether anything is not as it was drawn, byes too.")
    missing = EntryOfRoundSerializer(many=True, help_text="Who could play and stands nowhere.")
    unchecked = serializers.CharField(help_text="What those do who did not check in: play, absent.")


class RoundDetailSerializer(RoundSerializer):
    """A round with its tables. `draft` is null unless it is one, and the reader may see it."""

    seed = serializers.CharField(allow_null=True, help_text="Of the draw: anybody can draw again with it.")
    reopened = serializers.IntegerField(help_text="How many times it was taken back into a draft.")
    drawn_at = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    locked_at = serializers.DateTimeField(allow_null=True)
    tables = RoundTableSerializer(many=True)
    absent = EntryOfRoundSerializer(many=True)
    idle = EntryOfRoundSerializer(many=True, help_text="Who has nobody to meet in a round of a round robin.")
    clock = ClockSerializer(allow_null=True)
    draft = DraftSerializer(allow_null=True)


def shown_round(actor: Actor, championship: Championship, number: int) -> Mapping[str, Any]:
    """A round as its GET and every write of it show it. Raises NotFound."""
    found = round_view(championship=championship, number=number, with_draft=may_see_drafts(actor, championship))
    named = names_given(actor, championship, [] if found.id is None else [found.id])
    shown = {name: getattr(found, name) for name in RoundView.__dataclass_fields__}
    shown |= {"external_id": named.get(found.id or 0), "draft": _draft(found.draft, found.unchecked)}
    data: Mapping[str, Any] = RoundDetailSerializer(shown).data
    return data


def names_given(actor: Actor, championship: Championship, round_ids: Iterable[int]) -> dict[int, str]:
    """The external ids of rounds by their ids, for who may look inside. One query at most."""
    if not may(actor, Action.LOOK_INSIDE, championship):
        return {}
    return external_ids(actor=actor, kind=ExternalKind.ROUND, object_ids=list(round_ids), slug=championship.slug)


def _draft(found: DraftView | None, unchecked: str) -> Mapping[str, Any] | None:
    if found is None:
        return None
    warnings = [_warning(warned, None) for warned in found.warnings]
    warnings += [_warning(warned, table.number) for table in found.tables for warned in table.warnings]
    return {
        "warnings": warnings,
        "changed": [table.number for table in found.tables if table.changed],
        "is_changed": found.is_changed,
        "missing": [(one.number, one.name) for one in found.missing],
        "unchecked": unchecked,
    }


def _warning(warned: Warned, table: int | None) -> Mapping[str, Any]:
    return {"code": warned.code, "table": table, "entries": warned.numbers, "times": warned.times}
