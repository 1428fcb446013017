"""What a dump says, as columns of rows: times are times, texts and numbers have room, choices are offered."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from scoring.dump_stream import DumpError
from scoring.ranking_shapes import At, path


def fitted(model: type[models.Model], values: Mapping[str, Any], at: At) -> dict[str, Any]:
    """The values as the columns of a model keep them. Raises `DumpError` `bad-dump` with the path of one that is not.

    What is called otherwise in the dump is looked for under its column's name, which is near enough to find it.
    """
    found: dict[str, Any] = {}
    for name, value in values.items():
        is_time, choices, validators = _column(model, name)
        if value is None:
            found[name] = None
            continue
        if is_time:
            found[name] = datetime.fromisoformat(value)
            continue
        if choices is not None and value not in choices:
            raise DumpError("bad-dump", path((*at, name)), f"is none of {', '.join(sorted(choices))}")
        if value != "":
            for validator in validators:
                _validate(validator, value, (*at, name))
        found[name] = value
    return found


@lru_cache(maxsize=1024)
def _column(model: type[models.Model], name: str) -> tuple[bool, frozenset[str] | None, tuple[Any, ...]]:
    field = model._meta.get_field(name)  # noqa: SLF001 — Django documents _meta
    assert isinstance(field, models.Field)
    choices = frozenset(str(value) for value, _ in field.choices) if field.choices else None
    if choices is not None and field.blank:
        choices |= {""}
    return isinstance(field, models.DateTimeField), choices, tuple(field.validators)


def _validate(validator: Any, value: Any, at: At) -> None:
    try:
        validator(value)
    except ValidationError as fault:
        raise DumpError("bad-dump", path(at), f"does not fit: {' '.join(fault.messages)}") from None
