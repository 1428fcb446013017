"""What is done to a player beside changing them: two profiles made one and two again, numbers, a name taken away."""

from typing import Any, ClassVar, Literal

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.named import Ref
from league.api.players import PlayerDetailSerializer, player_said, shown_player
from league.api.running import check_state
from league.api.views import ApiView
from league.api.writing import Body, Nothing, Written, body_as, require_match, write
from league.api.writing_schema import describe_write
from league.errors import NotFound, NotPermitted, UserFault
from league.models import Player, Scope
from league.selectors.player_private import merges_into
from league.selectors.player_rights import may_anonymise, may_change_player, readable_players
from league.selectors.player_shown import player_shown, require_player
from league.services.anonymising import anonymise
from league.services.locks import lock_players
from league.services.merging import merge_players, undo_merge
from league.services.numbers import add_number, remove_number

Whose = Literal["kept", "merged"]


class Merging(Body):
    """Another profile of the same person, and what stays where both say something: the kept one's without a word."""

    merged: Ref
    club: Whose | None = None
    licence: Whose | None = None
    email: Whose | None = None
    reason: str = ""

    def choices(self) -> dict[str, str]:
        """What was chosen, as the service takes it."""
        said = {"club_id": self.club, "licence": self.licence, "email": self.email}
        return {field: whose for field, whose in said.items() if whose is not None}


class NewNumber(Body):
    """A number that another system gave a player."""

    system: str
    number: str


class Anonymising(Body):
    """The whole name once more, since it cannot be undone; and why."""

    name: str
    reason: str = ""


class _OfPlayer(ApiView):
    """Something done to a player whom the actor may change."""

    def changed(self, request: Request, player: int, do: Any, *others: int) -> Written:
        """Do it to the locked player, in the state that was read where If-Match names one; answer the player."""
        actor = self.actor
        lock_players([player, *others])
        require_player(actor=actor, player_id=player)
        check_state(request, lambda: shown_player(actor, player))
        do()
        return Written(shown_player(actor, player))


class PlayerMergeView(_OfPlayer):
    """Two profiles of one person."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="merge_players",
        tags=["people"],
        body=Merging,
        answers=PlayerDetailSerializer,
        may_match=True,
        s409="What keeps two profiles from being one person's.",
    )
    def post(self, request: Request, player: int) -> HttpResponse:
        """Make one profile of two: this one is kept, with its name; teams and numbers of the other one go over to it.

        Both must be players whom the token may change.
        """
        asked, actor = body_as(request, Merging), self.actor

        def do() -> Written:
            require_player(actor=actor, player_id=player)
            other = player_said(self, asked.merged, field="merged")
            if not may_change_player(actor=actor, player_id=other):
                raise UserFault("unknown-player", _("There is no such player."), field="merged")

            def merge() -> None:
                merge_players(
                    actor=actor, kept_id=player, merged_id=other, choices=asked.choices(), reason=asked.reason
                )

            return self.changed(request, player, merge, other)

        return write(request, do)


class PlayerUnmergeView(_OfPlayer):
    """A merge that is undone."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="undo_merge",
        tags=["people"],
        answers=PlayerDetailSerializer,
        may_match=True,
        s409="`cannot-undo`: what would have to be given back is somebody else's by now.",
    )
    def post(self, request: Request, player: int, merge: int) -> HttpResponse:
        """Make two profiles of one again, each as it was. `merge` stands among the player's `merges`."""
        body_as(request, Nothing)
        actor = self.actor

        def undo() -> None:
            if merge not in {line.id for line in merges_into(player=Player.objects.get(pk=player))}:
                raise NotFound
            undo_merge(actor=actor, merge_id=merge)

        return write(request, lambda: self.changed(request, player, undo))


class PlayerNumbersView(_OfPlayer):
    """Numbers that other systems gave a player."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="add_number", tags=["people"], body=NewNumber, answers=PlayerDetailSerializer, may_match=True
    )
    def post(self, request: Request, player: int) -> HttpResponse:
        """Note a number of a player; noted already, it stays. Answered with the player."""
        asked, actor = body_as(request, NewNumber), self.actor

        def note() -> None:
            add_number(actor=actor, player_id=player, system=asked.system, number=asked.number)

        return write(request, lambda: self.changed(request, player, note))


class PlayerNumberView(_OfPlayer):
    """A number that another system gave a player."""

    writes: ClassVar = {"DELETE": Scope.MANAGE}
    rates: ClassVar = {"DELETE": "writes"}

    @describe_write(operation_id="remove_number", tags=["people"], answers=PlayerDetailSerializer, match=True)
    def delete(self, request: Request, player: int, number: int) -> HttpResponse:
        """Take a number off a player. If-Match is about the player, who is the answer."""
        actor = self.actor

        def remove() -> None:
            require_match(request, shown_player(actor, player))
            remove_number(actor=actor, player_id=player, number_id=number)

        return write(request, lambda: self.changed(request, player, remove))


class PlayerAnonymiseView(ApiView):
    """A name taken away for good."""

    writes: ClassVar = {"POST": Scope.MANAGE}
    rates: ClassVar = {"POST": "writes"}

    @describe_write(
        operation_id="anonymise_player",
        tags=["people"],
        body=Anonymising,
        answers=PlayerDetailSerializer,
        may_match=True,
        s409="`profile-gone` for a profile that was merged into another one: that one is meant.",
    )
    def post(self, request: Request, player: int) -> HttpResponse:
        """Replace a player's name by a neutral one everywhere and forget the rest; the results stay.

        It cannot be undone. An owner of a championship of theirs may do it, and the staff.
        """
        asked, actor = body_as(request, Anonymising), self.actor

        def do() -> Written:
            row = lock_players([player]).players[player]
            # the person themselves does it signed in: afterwards nobody who may not look inside is shown a player
            looks = readable_players(actor=actor).filter(pk=player).exists()
            if not looks or not may_anonymise(actor=actor, player_id=player):
                player_shown(actor=actor, player_id=player)
                raise NotPermitted
            check_state(request, lambda: shown_player(actor, player))
            if row.anonymised_at is None and " ".join(asked.name.split()) != row.name:
                message = _("This is not the player's name: give the whole name, as it is kept.")
                raise UserFault("other-name", message, field="name")
            anonymise(actor=actor, player_id=player, reason=asked.reason)
            return Written(shown_player(actor, player))

        return write(request, do)
