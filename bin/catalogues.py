#!/usr/bin/env python
"""The catalogues of locale/, without gettext's programs, which a small machine does not have.

    bin/catalogues.py extract   bring the texts of code and templates into every django.po
    bin/catalogues.py check     fail when one is missing, untranslated, unsure, or has other placeholders
    bin/catalogues.py compile   write the django.mo files that the program reads

A text is found where one of CALLS is called with literal strings, in Python and in templates. `N_` only marks a
text: for engine/ and scoring/, which know no translation.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("engine", "scoring", "league")
MSGIDS = "en"  # the language of the texts in the code, which needs no catalogue

# name of the call -> which of its arguments is the msgid, the plural, the context
CALLS = {
    **dict.fromkeys(("_", "N_", "gettext", "gettext_lazy", "gettext_noop"), (0, None, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (0, 1, None)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (1, None, 0)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (1, 2, 0)),
}
PLURALS = {
    "fr": "nplurals=2; plural=(n > 1);",
    "eu": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
}
PLACEHOLDER = re.compile(r"%\([a-z_]\w*\)[sd]|(?<!%)%[sd]|(?<!\{)\{[a-z_]*\}(?!\})")


def _offered() -> tuple[str, ...]:
    """Return the languages that the site offers, read without importing its settings, which make files in var/."""
    for node in ast.parse((ROOT / "league" / "settings.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "LANGUAGES":
            return tuple(code for code, _name in ast.literal_eval(node.value) if code != MSGIDS)
    raise LookupError("league/settings.py has no LANGUAGES")


LANGUAGES = _offered()


class Text(NamedTuple):
    """A text as a catalogue identifies it."""

    context: str | None
    msgid: str
    plural: str | None


def _texts_of_python(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in CALLS:
            continue
        values = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
        msgid, plural, context = (
            values[place] if place is not None and place < len(values) else None for place in CALLS[name]
        )
        if isinstance(msgid, str) and msgid:
            yield Text(context, msgid, plural)


def _texts_of_template(source: str) -> Iterator[Text]:
    # Django turns a template into something like Python: calls, and runs of X for all the rest.
    literal = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    calls = rf"\b(n?p?gettext|_)\(\s*({literal}(?:\s*,\s*{literal})*)"
    for name, arguments in re.findall(calls, templatize(source), flags=re.DOTALL):
        yield from _texts_of_python(f"{name}({arguments})")


def texts() -> dict[Text, list[str]]:
    """Return every text of the program with the files that it stands in."""
    settings.configure() if not settings.configured else None
    found: dict[Text, list[str]] = {}
    files = [file for folder in SOURCES for file in sorted((ROOT / folder).rglob("*.py"))]
    for file in [*files, *sorted((ROOT / "templates").rglob("*.*"))]:
        reader = _texts_of_python if file.suffix == ".py" else _texts_of_template
        for text in reader(file.read_text(encoding="utf-8")):
            places = found.setdefault(text, [])
            if (place := file.relative_to(ROOT).as_posix()) not in places:
                places.append(place)
    return found


def file_of(language: str) -> Path:
    """Where the catalogue of a language stands."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def catalogue_of(language: str) -> polib.POFile:
    """The catalogue of a language as it stands, empty where there is none yet."""
    if file_of(language).exists():
        return polib.pofile(str(file_of(language)), wrapwidth=120)
    catalogue = polib.POFile(wrapwidth=120)
    catalogue.metadata = {
        "Project-Id-Version": "bornage",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    return catalogue


def _identity(entry: polib.POEntry) -> Text:
    return Text(entry.msgctxt, entry.msgid, entry.msgid_plural or None)


def extract() -> int:
    """Add new texts to every catalogue and drop those that are gone; translations are kept."""
    wanted = texts()
    for language in LANGUAGES:
        catalogue = catalogue_of(language)
        known = {_identity(entry): entry for entry in catalogue}
        catalogue.clear()
        for text, places in sorted(wanted.items(), key=lambda item: (item[1][0], item[0].msgid)):
            entry = known.get(text) or polib.POEntry(
                msgctxt=text.context,
                msgid=text.msgid,
                msgid_plural=text.plural or "",
                msgstr_plural={0: "", 1: ""} if text.plural else {},
            )
            entry.occurrences = [(place, "") for place in places]
            catalogue.append(entry)
        file_of(language).parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(file_of(language)))
        print(f"{language}: {len(catalogue)} texts, {len(catalogue.untranslated_entries())} to translate")
    return 0


def faults(catalogue: polib.POFile, wanted: dict[Text, list[str]]) -> Iterator[str]:
    """What is wrong with a catalogue that should hold the texts `wanted` and no other."""
    known = {_identity(entry) for entry in catalogue}
    for text in wanted.keys() - known:
        yield f"missing (make messages): {text.msgid!r} of {wanted[text][0]}"
    for text in known - wanted.keys():
        yield f"stands nowhere any more (make messages): {text.msgid!r}"
    for entry in catalogue:
        if not entry.translated():
            yield f"{'unsure (fuzzy)' if entry.fuzzy else 'not translated'}: {entry.msgid!r}"
            continue
        # A plural form may leave the number out ("one hand"); none may ask for what is not given.
        given = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for said in entry.msgstr_plural.values() or [entry.msgstr]:
            asked = set(PLACEHOLDER.findall(said))
            if asked - given or (not entry.msgid_plural and given - asked):
                yield f"other placeholders: {entry.msgid!r} has {sorted(given)}, {said!r} has {sorted(asked)}"


def check() -> int:
    """Print every fault of every catalogue; 1 when there is one."""
    wanted = texts()
    found = [
        f"{language}: {fault}" for language in LANGUAGES for fault in sorted(faults(catalogue_of(language), wanted))
    ]
    print("\n".join(found) or f"catalogues: {len(wanted)} texts in {', '.join(LANGUAGES)}")
    return 1 if found else 0


def compile_all() -> int:
    """Write each django.mo that is older than its django.po."""
    for file in sorted((ROOT / "locale").rglob("*.po")):
        target = file.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= file.stat().st_mtime:
            polib.pofile(str(file)).save_as_mofile(str(target))
    return 0


if __name__ == "__main__":
    commands = {"extract": extract, "check": check, "compile": compile_all}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]]())
