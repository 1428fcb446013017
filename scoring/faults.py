"""What is wrong with a document, as verdicts say it: a code, the place, and a sentence for people.

Nothing that a stranger wrote goes into a verdict but through `shown`: a verdict can always be printed, sent and stored.
"""

from typing import Any, Final, NamedTuple

from engine.messages import Message
from engine.notation import FormatError
from engine.refusals import Refusal

MOST_SHOWN: Final = 80
"""Characters of a stranger's text that a sentence repeats."""
_LONGEST_PARAM: Final = 300


def shown(text: str, most: int = MOST_SHOWN) -> str:
    """`text` cut to `most` characters, what cannot be printed replaced: half surrogates, NUL, terminal controls.

    >>> shown("A\\x00B")
    'A\N{REPLACEMENT CHARACTER}B'
    """
    head = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:most])
    return head + "…" if len(text) > most else head


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
        return shown(".".join(self.path))

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
        "move": None if refusal.move is None else shown(refusal.move),
        "player": refusal.player,
        "paragraph": refusal.paragraph,
        "state": refusal.state,
        "sentence": refusal.message.text,
        "params": {key: _shown_param(value) for key, value in refusal.message.params.items()},
    }
    if error is not None:
        document |= {"field": shown(error.field), "line": error.line, "column": error.column}
    return document


def _shown_param(value: Any) -> Any:
    return shown(value, _LONGEST_PARAM) if isinstance(value, str) else value
