"""What a mail says beside its document: the manche that it is for, and why something is corrected.

    Partie 12 manche 1      also match or game for partie, hand or deal for manche; n°, no, # before a number
    12/1                    the same
    ~own-id                 the manche under the sender's own id; behind partie or manche it names that
    reason: Misread         motif : …       with the next a correction
    replaces: 1             remplace : 1    the version that the sender has seen

A manche is looked for in the first line of the text and in lines that say nothing else; where those name neither partie
nor manche, in the subject. Lines of the text count as far as they stand above the document.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.errors import UserFault
from league.models.external import EXTERNAL_ID

Reference = int | str
"""A number, or `~` and an external id."""

_ID = rf"~{EXTERNAL_ID}"
_NUMBER = r"(?:n[o°º]?\.?\s*|#\s*)?(?P<said>[0-9]{1,9}(?![\w/])|" + _ID + ")"
_PARTIE = re.compile(rf"(?<![\w~.:-])(?:partie|match|game)\s*:?\s*{_NUMBER}", re.IGNORECASE)
_MANCHE = re.compile(rf"(?<![\w~.:-])(?:manche|hand|deal)\s*:?\s*{_NUMBER}", re.IGNORECASE)
_BOTH = re.compile(r"(?<![\w/.~-])(?P<partie>[0-9]{1,9})/(?P<manche>[0-9]{1,4})(?![\w/]|\.[0-9])")
_OWN = re.compile(rf"(?<!\S)({_ID})")
_NOTHING_ELSE = re.compile(r"[\s.,;:!–—()-]*")
_REASON = re.compile(r"(?P<key>reason|motif)\s*:\s*(?P<text>\S.*)", re.IGNORECASE)
_REPLACES = re.compile(
    r"(?P<key>replaces|remplace)\s*:?\s*(?:la\s+)?(?:version\s+)?(?P<number>[0-9]{1,9})\.?", re.IGNORECASE
)
_ENGLISH = re.compile(r"\b(?:match|game|hand|deal|reason|replaces)\b", re.IGNORECASE)
_FRENCH = re.compile(r"\b(?:motif|remplace)\b", re.IGNORECASE)
_MANCHE_IN_FRENCH = re.compile(r"\bmanche\b", re.IGNORECASE)  # which is said in English too, as the site does
_BLANKS = str.maketrans({"\u00a0": " ", "\u202f": " "})


@dataclass(frozen=True, slots=True)
class Said:
    """What is said, None and empty where it is not. `own_id`: an id of the sender's for the manche, beside its number.

    `replaces`: a version.
    """

    partie: Reference | None = None
    manche: Reference | None = None
    own_id: str = ""
    reason: str = ""
    replaces: int | None = None


def said_in(subject: str, beside: str) -> Said:
    """What the subject and the text beside the document say. Raises UserFault `unclear-manche`, `unclear-reason`."""
    lines = [line.strip() for line in beside.translate(_BLANKS).split("\n") if line.strip()]
    reason = _only(_values(_REASON, lines, "text"), "reason")
    replaces = _only(_values(_REPLACES, lines, "number"), "replaces")
    words = [line for line in lines if not _REASON.fullmatch(line) and not _REPLACES.fullmatch(line)]
    counted = words[:1] + [line for line in words[1:] if _says_nothing_else(line)]
    partie, manche, own_id = _manche_in(counted)
    if partie is None and manche is None:
        partie, manche, of_subject = _manche_in([subject.translate(_BLANKS)])
        own_id = own_id or of_subject
    if own_id and manche is None:
        manche, own_id = f"~{own_id}", ""
    if own_id and isinstance(manche, str):
        raise _unclear()
    return Said(partie, manche, own_id, reason or "", int(replaces) if replaces else None)


def language_of(said: Iterable[str], subject: str, text: str, known: Sequence[str]) -> str | None:
    """The language that a mail asks for: the first of its headers' (`said`) that is `known`, else that of its words.

    >>> language_of(["de", "en-gb"], "", "", ["fr", "en"]), language_of([], "Match 3 hand 1", "", ["fr", "en"])
    ('en', 'en')
    >>> language_of([], "Partie 3 manche 1", "reason: Misread", ["fr", "en"])
    >>> language_of([], "Partie 3 manche 1", "motif : mal lu", ["fr", "en"])
    'fr'
    """
    for language in said:
        for variant in (language, language.split("-")[0]):
            if variant in known:
                return variant
    words = f"{subject}\n{text[:2000]}"
    english, french = (found.search(words) is not None for found in (_ENGLISH, _FRENCH))
    if english and not french and not _MANCHE_IN_FRENCH.search(words):
        return "en" if "en" in known else None
    return "fr" if french and not english and "fr" in known else None


def _values(pattern: re.Pattern[str], lines: Iterable[str], group: str) -> Iterator[str]:
    for line in lines:
        if match := pattern.fullmatch(line):
            yield match[group].strip()


def _only(values: Iterable[str], field: str) -> str | None:
    found = list(dict.fromkeys(values))
    if len(found) > 1:
        message = _("This mail says twice, and differently, why it corrects or what it replaces: say it once.")
        raise UserFault("unclear-reason", message, field=field)
    return found[0] if found else None


def _says_nothing_else(line: str) -> bool:
    rest = line
    for pattern in (_PARTIE, _MANCHE, _BOTH, _OWN):
        rest = pattern.sub(" ", rest)
    return rest != line and _NOTHING_ELSE.fullmatch(rest) is not None


def _manche_in(texts: Iterable[str]) -> tuple[Reference | None, Reference | None, str]:
    parties: list[Reference] = []
    manches: list[Reference] = []
    ids: list[str] = []
    for text in texts:
        parties += [_reference(match["said"]) for match in _PARTIE.finditer(text)]
        manches += [_reference(match["said"]) for match in _MANCHE.finditer(text)]
        rest = _MANCHE.sub(" ", _PARTIE.sub(" ", text))
        for match in _BOTH.finditer(rest):
            parties.append(int(match["partie"]))
            manches.append(int(match["manche"]))
        ids += [_trimmed(one) for one in _OWN.findall(rest)]
    return _one_of(parties), _one_of(manches), str(_one_of(ids) or "").removeprefix("~")


def _one_of(found: Sequence[Reference]) -> Reference | None:
    if len(set(found)) > 1:
        raise _unclear()
    return found[0] if found else None


def _unclear() -> UserFault:
    message = _("This mail names several parties or manches: name one, as in “Partie 12 manche 1”.")
    return UserFault("unclear-manche", message, field="manche")


def _reference(said: str) -> Reference:
    return _trimmed(said) if said.startswith("~") else int(said)


def _trimmed(own_id: str) -> str:
    """An own id without the stop that ends a sentence."""
    return own_id.rstrip(".:") if own_id.rstrip(".:") != "~" else own_id
