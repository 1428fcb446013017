"""The rulebooks: each with its parameters, tables, score lines and decisions; side by side; as text to take away."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.rulebooks import HOUSE_KEYS, POINT_VALUES, RULEBOOKS, Rulebook
from league.web.organiser.house_fields import NAMES
from league.web.printed.sheets import blank_sheet
from league.web.rulebook_decisions import decisions_of
from league.web.rulebook_words import (
    SUMMARIES,
    TITLES,
    paid_lines,
    parameters,
    table_name,
    tables,
    value_in_words,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A row of the side-by-side table: a parameter (code of RULES 12, or empty), and its value in each rulebook."""

    code: str
    name: str
    values: Sequence[str]

    @property
    def differs(self) -> bool:
        """Whether the rulebooks differ here."""
        return len(set(self.values)) > 1


def rulebook_list(request: HttpRequest) -> HttpResponse:
    """The rulebooks, each in a sentence."""
    shown = [(rulebook.id, TITLES[rulebook.id], SUMMARIES[rulebook.id]) for rulebook in RULEBOOKS.values()]
    return render(request, "rulebooks/list.html", {"rulebooks": shown})


def rulebook_page(request: HttpRequest, rulebook: str) -> HttpResponse:
    """A rulebook, whole."""
    return render(request, "rulebooks/rulebook.html", _whole(_asked(rulebook)))


def sheet(request: HttpRequest, rulebook: str, teams: int, players: int) -> HttpResponse:
    """A blank score sheet of one of its tables, to print."""
    asked = _asked(rulebook)
    blank = blank_sheet(asked, teams, players)
    if blank is None:
        raise Http404
    context = {"sheets": [blank], "title": TITLES[asked.id], "back": reverse("rulebook", args=[asked.id])}
    return render(request, "printed/sheets.html", context)


def rulebook_text(request: HttpRequest, rulebook: str) -> HttpResponse:
    """The same as plain text, to take away."""
    asked = _asked(rulebook)
    text = render_to_string("rulebooks/rulebook.txt", _whole(asked))
    headers = {"Content-Disposition": f'attachment; filename="bornage-{asked.id}.txt"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


def differences(request: HttpRequest) -> HttpResponse:
    """Rulebooks side by side: those that the query string names (`id`), else all; equal rows only with `all`."""
    asked = [RULEBOOKS[name] for name in RULEBOOKS if name in request.GET.getlist("id")]
    shown = asked if len(asked) > 1 else list(RULEBOOKS.values())
    rows = _side_by_side(shown)
    everything = "all" in request.GET
    context = {
        "shown": shown,
        "known": RULEBOOKS,
        "everything": everything,
        "rows": [row for row in rows if everything or row.differs],
        "equal": sum(not row.differs for row in rows),
    }
    return render(request, "rulebooks/differences.html", context)


def _asked(name: str) -> Rulebook:
    if name not in RULEBOOKS:
        raise Http404
    return RULEBOOKS[name]


def _whole(rulebook: Rulebook) -> dict[str, object]:
    return {
        "rulebook": rulebook,
        "title": TITLES[rulebook.id],
        "summary": SUMMARIES[rulebook.id],
        "parameters": parameters(rulebook),
        "lines": paid_lines(rulebook),
        "tables": tables(rulebook),
        "shapes": [(shape.teams, shape.players, table_name(shape.teams, shape.players)) for shape in rulebook.tables],
        "decisions": decisions_of(rulebook.id),
    }


def _side_by_side(rulebooks: Sequence[Rulebook]) -> list[Difference]:
    rows = [Difference(key, str(NAMES[key]), [_value(key, rulebook) for rulebook in rulebooks]) for key in HOUSE_KEYS]
    rows.append(Difference("", _("Points: extension"), [_value("rallonge", rulebook) for rulebook in rulebooks]))
    shapes = sorted({(shape.teams, shape.players) for rulebook in rulebooks for shape in rulebook.tables})
    for teams, players in sorted(shapes, key=lambda shape: (shape[1], shape[0])):
        rows.append(
            Difference(
                "", table_name(teams, players), [_table_value(rulebook, teams, players) for rulebook in rulebooks]
            )
        )
    return rows


def _value(key: str, rulebook: Rulebook) -> str:
    if not rulebook.has_points and key in (*POINT_VALUES, "rallonge", "capot_to"):
        return "–"
    return value_in_words(key, getattr(rulebook, key))


def _table_value(rulebook: Rulebook, teams: int, players: int) -> str:
    shape = rulebook.table(teams, players)
    if shape is None:
        return "–"
    targets = _(" or ").join(str(target) for target in shape.targets)
    cards = sum(shape.deck.values())
    if shape.extended is not None:
        return _("%(cards)s cards, %(targets)s km, extension to %(extended)s") % {
            "cards": cards,
            "targets": targets,
            "extended": shape.extended,
        }
    return _("%(cards)s cards, %(targets)s km") % {"cards": cards, "targets": targets}
