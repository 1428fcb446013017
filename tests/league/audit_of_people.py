"""What services do to people and their stand-ins, for the test that each of them is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Substitution
from league.services import anonymising, claims, merging, numbers, people, substitutes
from league.services.substitutes import name_substitute
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory, PlayerFactory

Do = Callable[..., Any]
Tried = Callable[[Any], Any]


def _on_player(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, player_id=PlayerFactory().pk, **how)


def _by_code(hall: Any) -> Any:
    code = hall.do(claims.make_claim_code, player_id=PlayerFactory().pk)
    return hall.do(claims.claim_by_code, code=code)


def _by_link(hall: Any) -> Any:
    sent: list[str] = []
    hall.do(claims.send_claim_link, player_id=PlayerFactory().pk, link=lambda token: sent.append(token) or token)
    return hall.do(claims.claim_by_link, token=sent[0])


def _left(hall: Any) -> Any:
    _by_code(hall)
    return hall.do(claims.leave_profile)


def _unnumbered(hall: Any) -> Any:
    player = PlayerFactory()
    noted = hall.do(numbers.add_number, player_id=player.pk, system="FFMB", number="7")
    return hall.do(numbers.remove_number, player_id=player.pk, number_id=noted.pk)


def _merged(hall: Any) -> Any:
    return hall.do(merging.merge_players, kept_id=PlayerFactory().pk, merged_id=PlayerFactory().pk)


def _pairs(hall: Any) -> Any:
    owner = hall.actor.user
    championship = ChampionshipFactory(owner=owner, players_per_team=2, substitution=Substitution.FREE)
    return PartieFactory(championship=championship)


def _substitute(hall: Any) -> Any:
    entry = EntryFactory(championship=_pairs(hall).championship)
    return hall.do(name_substitute, team_id=entry.team_id, player_id=PlayerFactory().pk)


def _no_substitute(hall: Any) -> Any:
    named = _substitute(hall)
    return hall.do(substitutes.remove_substitute, team_id=named.team_id, substitute_id=named.pk)


def _stands_in(hall: Any) -> Any:
    partie, player = _pairs(hall), PlayerFactory()
    return hall.do(substitutes.stand_in, partie_id=partie.pk, label="A", position=1, player_id=player.pk)


def _sits_again(hall: Any) -> Any:
    partie = _stands_in(hall).seat.partie
    return hall.do(substitutes.end_stand_in, partie_id=partie.pk, label="A", position=1)


DONE: dict[str, Tried] = {
    "add_number": _on_player(numbers.add_number, system="FFMB", number="7"),
    "anonymise": _on_player(anonymising.anonymise),
    "claim_by_code": _by_code,
    "claim_by_link": _by_link,
    "club_called": lambda hall: hall.do(people.club_called, name="Club des Bornes"),
    "end_stand_in": _sits_again,
    "leave_profile": _left,
    "make_claim_code": _on_player(claims.make_claim_code),
    "merge_players": _merged,
    "name_substitute": _substitute,
    "remove_number": _unnumbered,
    "remove_substitute": _no_substitute,
    "rename_club": lambda hall: hall.do(people.rename_club, club_id=ClubFactory().pk, name="Les Bornes"),
    "send_claim_link": _on_player(claims.send_claim_link, link=str),
    "stand_in": _stands_in,
    "undo_merge": lambda hall: hall.do(merging.undo_merge, merge_id=_merged(hall).pk),
}
MADE_ANEW = {"club_called": "add_club", "claim_by_code": "claim_profile", "claim_by_link": "claim_profile"}
WITHOUT_STATE = {"make_claim_code", "send_claim_link"}
