"""What is wrong with a document, as verdicts say it: a code, the place, and a sentence for people.

Nothing that a stranger wrote goes into a verdict but through `printable`: a verdict can always be shown, sent and
stored.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.messages import Message, printable, worded
from engine.notation import FormatError
from engine.refusals import Refusal


class Fault(NamedTuple):
    """One fault of a sheet: its code of RULES 11, its team or None, the cell to mark, and the sentence for people.

    `path` leads to the cell, from the outside in; `paragraph` is where the rule behind the fault stands.
    """

    code: str
    team: str | None
    path: tuple[str, ...]
    message: Message
    paragraph: str = "RULES 11"

    @property
    def field(self) -> str:
        """The cell in one word, as pages name it: `teams.B.km`."""
        return printable(".".join(self.path))

    def to_document(self) -> dict[str, Any]:
        """What a verdict says of the fault, in JSON's types."""
        return {
            "code": self.code,
            "team": self.team,
            "field": self.field,
            "sentence": self.message.text,
            "params": self.message.params,
            "paragraph": self.paragraph,
        }


def refusal_document(refusal: Refusal, error: FormatError | None) -> dict[str, Any]:
    """What a verdict says of a refused log, in JSON's types (RULES 10).

    `move`, `player` and `state` (see `engine.refusals.describe`) are null for the log as a whole. Where the document is
    not of the format, `field` is the member at fault, empty for the document itself, and `line` and `column` its place,
    from 1, null if it came decoded.
    """
    document: dict[str, Any] = {
        "move": None if refusal.move is None else printable(refusal.move),
        "player": refusal.player,
        "paragraph": refusal.paragraph,
        "state": refusal.state,
        "sentence": refusal.message.text,
        "params": refusal.message.params,
    }
    if error is not None:
        document |= {"field": printable(error.field), "line": error.line, "column": error.column}
    return document


def with_texts(verdict: Mapping[str, Any], translate: Callable[[str], str]) -> dict[str, Any]:
    """A verdict with the `text` of every `sentence` in it, worded in a language; the verdict given stays as it is.

    `translate` gives a message id in that language. Of a verdict, `why`, `malformed` and `claim_differences` have
    sentences: one finding, or a list of them.
    """
    return {key: _with_text(value, translate) if key in _SAID else value for key, value in verdict.items()}


_SAID = frozenset({"why", "malformed", "claim_differences"})


def _with_text(said: Any, translate: Callable[[str], str]) -> Any:
    if isinstance(said, list):
        return [_with_text(one, translate) for one in said]
    return said | {"text": worded(said["sentence"], said["params"], translate)}
