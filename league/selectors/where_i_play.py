"""The tables of a round at which somebody sits, found by an entry number or by what everybody may read of a name."""

from django.db.models import Exists, OuterRef, Q

from league.models import Championship, Entry, Partie, ShownAs, TeamMember
from league.names import fold
from league.selectors.paging import SIZE, Page, paged
from league.selectors.parties import PartieView, as_view, with_all

_MOST_DIGITS = 9


def entries_called(*, championship: Championship, text: str) -> list[int]:
    """The numbers of the entries that a text is about: their number, or a part of a team's or of a shown name.

    Whoever shows no whole name is found by number alone: a search tells no more than the page. One query.
    """
    said = text.strip()
    rows = Entry.objects.filter(championship=championship)
    if said.isascii() and said.isdigit() and len(said) <= _MOST_DIGITS:
        return list(rows.filter(number=int(said)).values_list("number", flat=True))
    shown = TeamMember.objects.filter(
        team=OuterRef("team"), player__shown_as=ShownAs.NAME, player__name_folded__contains=fold(said)
    )
    return list(
        rows.filter(Q(team__name_folded__contains=fold(said)) | Exists(shown))
        .order_by("number")
        .values_list("number", flat=True)
    )


def parties_with(
    *, championship: Championship, round_number: int, entries: list[int], number: int = 1, size: int = SIZE
) -> Page[PartieView]:
    """The parties of a round in which one of these entries sits, by number; as many queries as `parties`."""
    sits = Q(seats__entry__number__in=entries) | Q(seats__partner__number__in=entries)
    rows = Partie.objects.filter(sits, championship=championship, round=round_number).distinct().order_by("number")
    return paged(with_all(rows), number, size, lambda found: [as_view(championship, partie) for partie in found])
