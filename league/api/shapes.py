"""What stands in answers as the rules write it, described for the document of the API (JSON Schema).

Those values come whole from the engine and from scoring, so no serializer takes them apart; what is said of them here
is said once, as components of the document.
"""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.wording import verdict_in_words

Json = dict[str, Any]

_TEXT: Final[Json] = {"type": "string"}
_WHOLE: Final[Json] = {"type": "integer"}
_LABELS: Final[Json] = {"type": "array", "items": {"type": "string"}}


def _or_null(schema: Json) -> Json:
    return {"oneOf": [schema, {"type": "null"}]} if "$ref" in schema else {**schema, "type": [schema["type"], "null"]}


def _object(required: str, **properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": required.split()}


def _by_label(schema: Json) -> Json:
    return {"type": "object", "additionalProperties": schema}


def reference(name: str) -> Json:
    """Where one of SCHEMAS stands in the document of the API."""
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: Final[dict[str, Json]] = {
    "Lines": {
        "description": "Points by score line (RULES 8), those worth 0 left out.",
        **_by_label(_WHOLE),
    },
    "Score": {
        "description": "The points of each team by its label (RULES 8).",
        **_by_label(_object("lines total", lines=reference("Lines"), total=_WHOLE)),
    },
    "Outcome": {
        "description": "How a manche ended (RULES 10; of a sheet RULES 11).",
        **_object(
            "end winner couronnement extension teams",
            end={"type": "string", "enum": ["target", "exhausted", "blocked", "interrupted"]},
            winner=_or_null(_TEXT),
            couronnement={"type": "boolean"},
            extension=_or_null(_TEXT),
            sabot_left=_WHOLE,
            teams=_by_label(
                _object(
                    "km bottes coups_fourres", km=_WHOLE, steps=_by_label(_WHOLE), bottes=_LABELS, coups_fourres=_LABELS
                )
            ),
        ),
    },
    "Finding": {
        "description": (
            "Why a document is refused: `text` is to be shown, in the language of the answer; it is made of `sentence` "
            "(an English text with parameters in braces) and `params`, for who words it anew. Then the paragraph of "
            "RULES. `line` and `column` count from 1."
        ),
        **_object(
            "text sentence params paragraph",
            text=_TEXT,
            code=_TEXT,
            team=_or_null(_TEXT),
            field=_TEXT,
            move=_or_null(_TEXT),
            player=_or_null(_TEXT),
            state={"type": ["object", "null"], "description": "The table when the move was refused."},
            sentence=_TEXT,
            params={"type": "object"},
            paragraph=_TEXT,
            line=_or_null(_WHOLE),
            column=_or_null(_WHOLE),
        ),
    },
    "Difference": {
        "description": (
            "A team whose announced total is not the computed one; null where it announced nothing, or is none of the "
            "manche. `forgotten` are the lines worth just what is missing. `text`, `sentence`, `params`: see Finding."
        ),
        **_object(
            "team claimed computed lines forgotten text sentence params paragraph",
            team=_TEXT,
            claimed=_or_null(_WHOLE),
            computed=_or_null(_WHOLE),
            lines=reference("Lines"),
            forgotten=_LABELS,
            text=_TEXT,
            sentence=_TEXT,
            params={"type": "object"},
            paragraph=_TEXT,
        ),
    },
    "Verdict": {
        "description": (
            "What judging a document says (RULES 10 and 11). A log has `code` and `at` (the index of the refused move, "
            "null for the log as a whole), a sheet `faults` as pairs of a code and a team. `why` explains them: one "
            "finding of a log, a list parallel to `faults` of a sheet."
        ),
        **_object(
            "valid",
            valid={"type": "boolean"},
            code=_or_null(_TEXT),
            at=_or_null(_WHOLE),
            faults={
                "type": "array",
                "items": {"type": "array", "items": _or_null(_TEXT), "minItems": 2, "maxItems": 2},
            },
            why={"oneOf": [reference("Finding"), {"type": "array", "items": reference("Finding")}]},
            malformed={"type": "array", "items": reference("Finding")},
            claim_ok={"type": "boolean"},
            claim_differences={"type": "array", "items": reference("Difference")},
            outcome=reference("Outcome"),
            score=_or_null(reference("Score")),
        ),
    },
    "Values": {
        "description": "Values by ranking key (STANDINGS 7): whole numbers or lowest fractions in text, or null.",
        **_by_label(_or_null(_TEXT)),
    },
    "Why": {
        "description": (
            "What separates a row from the next (STANDINGS 3): `separated` by a key, with the upper and the lower "
            "value, or `level`; and the keys passed over, each `level` or `never-met`. Entries stand as their numbers. "
            "`among`: of how many entries that are level so far `pair` are two, where they are more."
        ),
        **_object(
            "code passed",
            code={"type": "string", "enum": ["separated", "level"]},
            key=_TEXT,
            upper=_or_null(_TEXT),
            lower=_or_null(_TEXT),
            group={"type": "array", "items": _WHOLE},
            passed={
                "type": "array",
                "items": _object(
                    "code key",
                    code={"type": "string", "enum": ["level", "never-met"]},
                    key=_TEXT,
                    value=_or_null(_TEXT),
                    group={"type": "array", "items": _WHOLE},
                    pair={"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2},
                    among=_WHOLE,
                ),
            },
        ),
    },
    "Document": {
        "description": "A hand log `bornes/1` (RULES 9) or a score sheet `marque/1` (RULES 11).",
        "type": "object",
        "properties": {"format": {"type": "string", "enum": ["bornes/1", "marque/1"]}, "rulebook": _TEXT},
        "required": ["format", "rulebook"],
    },
}
"""Components of the document, by name."""


class _WordedField(serializers.JSONField):
    """Puts the texts of sentences into the language of the answer."""

    def to_representation(self, value: Any) -> Any:
        return verdict_in_words(value)


class ExactField(serializers.CharField):
    """A whole number, or a lowest fraction, in text (STANDINGS 7). A table for a spreadsheet has it as a decimal."""


def shape(name: str, *, worded: bool = False, **options: Any) -> serializers.JSONField:
    """A field that passes a value on as it is, described by one of SCHEMAS.

    `worded`: with the texts of its sentences, in the language of the answer.
    """
    # the description is kept on the class: each field has its own
    field = type(f"{name}Field", (_WordedField if worded else serializers.JSONField,), {"component": name})
    made: serializers.JSONField = extend_schema_field(reference(name))(field)(**options)
    return made


def verdict_shape() -> serializers.JSONField:
    """A field for a verdict, which puts the texts of its sentences into the language of the answer."""
    return shape("Verdict", worded=True)
