"""Texts in tables that a spreadsheet would take for something else: a `'` before them says that they are texts."""

import re
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_DATE: Final = r"\d{1,4}[/-]\d{1,4}(?:[/-]\d{1,4})?"
_IS_DATE: Final = re.compile(_DATE)
_IS_MARKED: Final = re.compile(rf"'(?:[{re.escape(''.join(_FORMULA))}]|{_DATE}$)")


def no_formula(text: str) -> str:
    """The text as no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def no_date(text: str) -> str:
    """The text as no spreadsheet takes it for a date (`12/34`)."""
    return f"'{text}" if _IS_DATE.fullmatch(text) else text


def unmarked(text: str) -> str:
    """The text as it was before the two above, which a spreadsheet may have left in their form."""
    return text[1:] if _IS_MARKED.match(text) else text
