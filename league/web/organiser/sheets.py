"""The organisers' door to the score sheet of a manche (`league.web.sheet`), and where they go after a hand-in."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.errors import Conflict
from league.models import Confirmation, Manche, PartieStatus, ResultState
from league.policy import Action, may, require
from league.selectors.addresses import manche_at
from league.services.hand_in_answers import HandIn
from league.services.results import hand_in
from league.web.organiser.asked import Asked, for_organisers
from league.web.organiser.blindly import enters_blind
from league.web.organiser.foreseen import correction_foreseen, foreseen_page, is_to_be_seen
from league.web.organiser.shown import show
from league.web.sheet import entry
from league.web.sheet.entry import Came, Filled, SheetDoor


class DeskDoor(SheetDoor):
    """A sheet entered by somebody who is signed in and may hand in."""

    template = "sheet.html"
    request: Asked

    def __init__(self, request: Asked, manche: Manche) -> None:
        super().__init__(request, manche)
        self.is_blind = enters_blind(request, manche)

    @property
    def _at(self) -> list[Any]:
        return [self.manche.partie.championship.slug, self.manche.partie.number, self.manche.number]

    @property
    def score_address(self) -> str:
        """The address of `sheet_score`."""
        return reverse("organise-sheet-score", args=self._at)

    @property
    def who(self) -> str:
        """The user."""
        return f"user-{self.request.user.pk}"

    @property
    def sign_in_address(self) -> str:
        """The page of signing in, which leads back here."""
        return f"{reverse('sign-in')}?{urlencode({'next': self.request.path})}"

    def foreseen(self, filled: Filled) -> HttpResponse | None:
        """What a correction of something that counts would move; a script is told to let somebody look at it."""
        if not is_to_be_seen(self.request, self.manche, filled.replaces):
            return None
        if entry.asks_json(self.request):
            raise Conflict("not-foreseen", _("Look at what the correction would move, and save it then."))
        seen = correction_foreseen(self.manche, lambda: self._handed_in(filled, ""))
        return foreseen_page(self.request, self.manche.partie.championship, seen, self.request.POST)

    def hand_in(self, filled: Filled) -> HandIn:
        """Hand it in as the user."""
        return self._handed_in(filled, filled.name)

    def _handed_in(self, filled: Filled, key: str) -> HandIn:
        return hand_in(
            actor=self.request.actor,
            partie_id=self.manche.partie_id,
            number=self.manche.number,
            body=filled.body,
            reason=filled.reason,
            replaces=filled.replaces,
            idempotency_key=key,
            acknowledged=filled.acknowledged,
        )

    def came(self, answer: HandIn) -> Came:
        """See `after_hand_in`."""
        return _within_reach(self.request, self.manche, after_hand_in(self.manche, answer))

    def closed(self) -> HttpResponse:
        """The manche's page, which says that the partie is over."""
        return redirect("organise-manche", *self._at)

    def page(self, context: dict[str, Any], status: int) -> HttpResponse:
        """A page of the championship."""
        context = {"is_blind": self.is_blind, **context}
        return show(self.request, self.template, self.manche.partie.championship, "parties", context, status=status)


@for_organisers
def sheet(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """The sheet of a manche: empty, or for a correction as it stands."""
    return entry.sheet(_door(request, slug, number, manche))


@require_POST
@for_organisers
def sheet_score(request: Asked, slug: str, number: int, manche: int) -> HttpResponse:
    """The score of what is typed so far, and the notes of its cells."""
    return entry.live_score(_door(request, slug, number, manche))


def _door(request: Asked, slug: str, number: int, manche: int) -> DeskDoor:
    row = manche_at(request.actor, slug, number, manche)
    require(request.actor, Action.HAND_IN, row.partie.championship, row.partie)
    return DeskDoor(request, row)


def go_on(request: Asked, row: Manche, answer: HandIn) -> HttpResponse:
    """The redirect after a hand-in, with what is said of it; `row` is as it stood before."""
    came = _within_reach(request, row, after_hand_in(row, answer))
    messages.add_message(request, came.level, came.said)
    return redirect(came.address)


def _within_reach(request: Asked, row: Manche, came: Came) -> Came:
    """A table scorer goes back to their own tables: the organisers' pages are not theirs."""
    if may(request.actor, Action.LOOK_INSIDE, row.partie.championship):
        return came
    return replace(came, address=reverse("organise-tables", args=[row.partie.championship.slug]))


def after_hand_in(row: Manche, answer: HandIn) -> Came:
    """Where somebody goes after a hand-in: to the manche where something is to be decided, else to the partie."""
    slug, partie = row.partie.championship.slug, row.partie.number
    manche = reverse("organise-manche", args=[slug, partie, answer.manche])
    if answer.state == ResultState.DIFFERS:
        said = _("Recorded. What the table announced differs: settle that, then it counts.")
        return Came(said, messages.WARNING, manche)
    if answer.state == ResultState.CONTESTED:
        said = _("Recorded. It differs from what was entered first: both are shown, and a referee decides.")
        return Came(said, messages.WARNING, manche)
    if answer.outcome == "second":
        return Came(_("Recorded. Both entries agree: the manche counts."), messages.SUCCESS, manche)
    if answer.outcome == "repeated":
        return Came(_("This is what stands already."), messages.INFO, manche)
    address = reverse("organise-partie", args=[slug, partie])
    is_first = answer.version == 1 or row.current is None  # a result that was moved away corrects nothing here
    if is_first:
        address += f"?entered={answer.manche}"  # where the next table is offered
    if answer.state == ResultState.PENDING:
        said = _("Recorded. It counts once it is confirmed.")
        return Came(said, messages.SUCCESS, address if is_first else manche)
    return Came(_what_counts(row, answer, is_first), messages.SUCCESS, address)


def _what_counts(row: Manche, answer: HandIn, is_first: bool) -> str:
    if answer.partie_status == PartieStatus.CLOSED and row.partie.status == PartieStatus.OPEN:
        return _("Recorded, and the partie is over.")
    if not is_first:
        return _("The correction is recorded.")
    if row.partie.championship.confirmation in (Confirmation.OPPONENT, Confirmation.ORGANISER):
        said = _("Manche %(manche)s is recorded, and counts at once: an organiser entered it.")
        return said % {"manche": answer.manche}
    return _("Manche %(manche)s is recorded.") % {"manche": answer.manche}
