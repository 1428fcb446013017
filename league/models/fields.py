"""A column for JSON that is shown whole."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _Field = models.Field[Any, Any]
else:  # generic for the type checker only
    _Field = models.Field


class KeptJSON(_Field):
    """JSON kept as text, so that it comes back as it went in, the order of its members included, on every database.

    PostgreSQL's own type sorts them: a verdict would not read as it was given, nor a remembered answer repeat itself.
    Nothing is looked for inside.
    """

    def get_internal_type(self) -> str:
        """A column of text."""
        return "TextField"

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        """The value that was kept."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Its text, in ASCII, so that it holds nothing that a database could not keep."""
        return None if value is None else json.dumps(value)

    def value_to_string(self, obj: models.Model) -> str:
        """Its text, for `dumpdata`."""
        return json.dumps(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        """The value of such a text, for `loaddata`; anything but text is a value already."""
        return json.loads(value) if isinstance(value, str) else value
