"""The table's door to the score sheet of a manche (`league.web.sheet`)."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.errors import Conflict
from league.models import Manche
from league.selectors.tables import manche_of_table
from league.services.hand_in_answers import HandIn
from league.services.results import hand_in
from league.web.organiser.shown import drafts_done
from league.web.sheet import entry
from league.web.sheet.entry import Came, Filled, SheetDoor
from league.web.tables.entering import after_hand_in, is_blind, may_enter
from league.web.tables.visit import Visit, at_table, back, held_back, keep_side


class TableDoor(SheetDoor):
    """A sheet entered by a side of the table."""

    template = "tables/sheet.html"
    request: Visit

    def __init__(self, request: Visit, manche: Manche) -> None:
        super().__init__(request, manche)
        self.is_blind = is_blind(request, manche)
        self.has_acted = False

    @property
    def score_address(self) -> str:
        """The address of `sheet_score`."""
        return reverse("table-sheet-score", args=[self.request.code, self.manche.number])

    @property
    def who(self) -> str:
        """The side at this table."""
        return f"table-{self.request.partie.pk}-{self.request.side}"

    def hand_in(self, filled: Filled) -> HandIn:
        """Hand it in for the side; the same bytes again are answered as what stands, so no key is needed."""
        try:
            answer = hand_in(
                actor=self.request.actor,
                partie_id=self.manche.partie_id,
                number=self.manche.number,
                body=filled.body,
                reason=filled.reason,
                replaces=filled.replaces,
                acknowledged=filled.acknowledged,
            )
        except Conflict as fault:
            raise meanwhile(self.request, self.manche, fault) from fault
        self.has_acted = True
        return answer

    def came(self, answer: HandIn) -> Came:
        """See `after_hand_in`."""
        return after_hand_in(self.request, answer)

    def closed(self) -> HttpResponse:
        """The table's page."""
        return back(self.request)

    def page(self, context: dict[str, Any], status: int) -> HttpResponse:
        """A page of the table."""
        frame = {
            "championship": self.request.partie.championship,
            "code": self.request.code,
            "is_blind": self.is_blind,
            "drafts_done": drafts_done(self.request),
        }
        return render(self.request, self.template, frame | context, status=status)


def meanwhile(request: Visit, manche: Manche, fault: Conflict) -> Conflict:
    """What a side is told that hands in for a manche of which another side has handed in a result meanwhile."""
    if fault.code != "result-exists" or may_enter(request, manche_of_table(request.partie, manche.number)):
        return fault
    message = _("Another side has handed in this manche meanwhile: go back to the table, and confirm or contest it.")
    return Conflict("handed-in-meanwhile", message)


@at_table
def sheet(request: Visit, manche: int) -> HttpResponse:
    """The sheet of a manche: empty, or for a side that corrects its own as it stands."""
    row = manche_of_table(request.partie, manche)
    if request.method != "POST" and not may_enter(request, row) and not entry.asks_json(request):
        return back(request)
    if request.POST.get("do") in entry.HAND_INS and (answer := held_back(request)):
        return answer
    door = TableDoor(request, row)
    response = entry.sheet(door)
    if door.has_acted:
        keep_side(request, response, request.side, has_acted=True)
    return response


@require_POST
@at_table
def sheet_score(request: Visit, manche: int) -> HttpResponse:
    """The score of what is typed so far, and the notes of its cells."""
    return entry.live_score(TableDoor(request, manche_of_table(request.partie, manche)))
