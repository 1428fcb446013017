"""What each code means and what to do, from docs/problems.md: rows of tables, the codes in the first cell."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.safestring import SafeString

from league.web.docs.texts import inline

FILE: Final = settings.BASE_DIR / "docs" / "problems.md"

_ROW: Final = re.compile(r"^\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \| (.+) \|$", re.MULTILINE)


@cache
def explanations() -> Mapping[str, SafeString]:
    """HTML by code, in English. Codes that are alike share a row."""
    found: dict[str, SafeString] = {}
    for codes, said in _ROW.findall(FILE.read_text(encoding="utf-8")):
        for code in codes.replace("`", "").split(", "):
            assert code not in found, f"{code} is explained twice"
            found[code] = inline(said)
    return found
