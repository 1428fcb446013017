"""What `make run` shows on an empty database: twelve teams, three Swiss rounds played, a fourth under way.

Every manche is simulated, then handed in through the same service as an organiser's, as a log in JSON, as a log in text
or as a score sheet. Nobody exists: the names are parts of cars. Its owner is an account that cannot sign in; whoever
makes the first account takes the championship over (`league.services.accounts`).
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import BOTTES
from engine.notation import HandLog, to_document
from engine.replay import judge
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship, Partie, PartieStatus, User, Visibility
from league.policy import Actor
from league.services.accounts import DEMONSTRATION_EMAIL
from league.services.championships import create_championship
from league.services.draws import draw_round
from league.services.entries import enter_players
from league.services.hand_in_answers import HandIn
from league.services.people import add_club, add_player
from league.services.publishing import publish
from league.services.results import hand_in
from league.services.rounds import publish_round
from league.services.rulings import penalise, settle_claim
from league.services.stages import add_stage
from scoring.sheets import judge_sheet, sheet_from_outcome

SLUG: Final = "coupe-de-la-borne-blanche"
ROUNDS_PLAYED: Final = 3
_RULEBOOK: Final = "classique"
_TEAMS: Final = (
    ("Les Essuie-Glaces", "Ada Balai", "Basile Gicleur"),
    ("Point Mort", "Clio Levier", "Denis Pignon"),
    ("Quatre Saisons", "Elsa Pneu", "Félix Jante"),
    ("Les Clignotants", "Gaëlle Ampoule", "Hugo Relais"),
    ("Frein à Main", "Inès Câble", "Jules Tambour"),
    ("Route de Nuit", "Katia Phare", "Léon Veilleuse"),
    ("Les Bougies", "Maïté Culasse", "Noé Piston"),
    ("Sans Plomb", "Océane Jauge", "Paul Carter"),
    ("La Boîte à Gants", "Quitterie Charnière", "Rémi Loquet"),
    ("Double Débrayage", "Suzon Pédale", "Théo Volant"),
    ("Bas-Côté", "Ursule Talus", "Victor Bordure"),
    ("Aire de Repos", "Wanda Banc", "Xavier Platane"),
)


@dataclass(slots=True)
class _Show:
    """What the acts of the demonstration pass on to each other."""

    actor: Actor
    championship: Championship
    rng: random.Random


def make_demonstration(*, seed: int = 1000) -> Championship:
    """Make the demonstration and return its championship. The same seed makes the same games.

    Not atomic on purpose: every act is a service's transaction, as it is for a user.
    """
    actor = Actor(user=_owner(), request_id="demonstration")
    championship = _championship(actor)
    add_stage(actor=actor, championship_id=championship.pk, settings={"format": "swiss", "rounds_planned": 5})
    _enter(actor, championship)
    show = _Show(actor, championship, random.Random(seed))  # noqa: S311 (no secret)
    for round_number in range(1, ROUNDS_PLAYED + 1):
        for partie in _open_round(show, round_number):
            _play(show, partie)
        if round_number == 2:
            publish(actor=actor, championship_id=championship.pk, label="Ronde 2", round=2)
    _correct_after_publication(show)
    publish(actor=actor, championship_id=championship.pk, label="Ronde 2, corrigée", round=2)
    publish(actor=actor, championship_id=championship.pk, label="Ronde 3", round=3)
    _start_last_round(show)
    return championship


def _owner() -> User:
    owner = User(email=DEMONSTRATION_EMAIL, display_name="Démonstration", is_active=False)
    owner.set_unusable_password()
    owner.save()
    owner.is_active = True  # here it acts; its row stays closed
    return owner


def _championship(actor: Actor) -> Championship:
    club = add_club(actor=actor, name="Club de la Borne Blanche")
    settings = {
        "club_id": club.pk,
        "rulebook": _RULEBOOK,
        "table_entries": 2,
        "players_per_team": 2,
        "decided_by": "points",
        "partie_end": "points",
        "partie_end_value": 5000,
        "visibility": Visibility.PUBLIC,
        "tie_breaks": ["direct_encounter", "manche_share", "mean_difference", "total_points", "draw"],
    }
    return create_championship(actor=actor, name="Coupe de la Borne Blanche", slug=SLUG, settings=settings)


def _enter(actor: Actor, championship: Championship) -> None:
    for name, *players in _TEAMS:
        ids = [
            add_player(actor=actor, name=player, club_id=championship.club_id, homonym=True).pk for player in players
        ]
        enter_players(actor=actor, championship_id=championship.pk, player_ids=ids, name=name)


def _open_round(show: _Show, round_number: int) -> list[Partie]:
    """A Swiss round, drawn from the standing and published as it was drawn; its tables in order."""
    drawn = draw_round(actor=show.actor, championship_id=show.championship.pk)
    publish_round(actor=show.actor, round_id=drawn.pk, version=drawn.version)
    return list(
        Partie.objects.filter(championship=show.championship, round=round_number)
        .select_related("championship")
        .order_by("table_number")
    )


def _play(show: _Show, partie: Partie, *, most: int = 99) -> None:
    """Plays manches of a partie and hands each in, until the partie is over or `most` are in."""
    for number, log in _manches(partie):
        if number > most:
            return
        answer = _send(show, partie, number, _written(show, log))
        if answer.partie_status != PartieStatus.OPEN:
            return


def _manches(partie: Partie) -> Iterator[tuple[int, HandLog]]:
    number = 0
    while True:
        number += 1
        seed = f"{partie.round}/{partie.table_number}/{number}"
        yield number, simulate(_RULEBOOK, 2, 2, seed, first=(number - 1) % 4)


def _written(show: _Show, log: HandLog) -> bytes:
    """The log as its table hands it in: most write a sheet, some record every card."""
    way = show.rng.random()
    if way < 0.2:
        return to_text(log).encode()
    if way < 0.4:
        return json.dumps(to_document(log)).encode()
    return _sheet_bytes(_sheet(log))


def _sheet(log: HandLog) -> dict[str, Any]:
    verdict = judge(log)
    assert verdict.outcome is not None  # simulated games are legal
    return sheet_from_outcome(verdict.outcome, _RULEBOOK, 2)


def _sheet_bytes(sheet: dict[str, Any]) -> bytes:
    return json.dumps(sheet, sort_keys=True).encode()


def _send(
    show: _Show, partie: Partie, number: int, body: bytes, reason: str = "", replaces: int | None = None
) -> HandIn:
    return hand_in(actor=show.actor, partie_id=partie.pk, number=number, body=body, reason=reason, replaces=replaces)


def _correct_after_publication(show: _Show) -> None:
    """A sheet of round 2 turns out to lack a botte, and a manche of round 3 is penalised."""
    partie, number, sheet = next(_sheets_without_a_botte(show, round_number=2))
    _send(show, partie, number, _sheet_bytes(sheet), "Une botte exposée avait été oubliée sur la feuille.", replaces=1)
    other = Partie.objects.get(championship=show.championship, round=3, table_number=2).manches.get(number=1)
    assert other.current is not None
    penalise(
        actor=show.actor,
        manche_id=other.pk,
        version=other.current.version,
        label="A",
        points=100,
        reason="Retard de vingt minutes.",
    )


def _sheets_without_a_botte(show: _Show, *, round_number: int) -> Iterator[tuple[Partie, int, dict[str, Any]]]:
    """Last manches of parties in which nobody had one of the bottes, with the sheet on which the winner has it.

    The winner of the partie is over the target already, so another botte of its own leaves its end as it is.
    """
    for partie in Partie.objects.filter(championship=show.championship, round=round_number).order_by("number"):
        last = partie.manches.count()
        _, log = next(manche for manche in _manches(partie) if manche[0] == last)
        sheet = _sheet(log)
        missing = set(BOTTES).difference(*(team["bottes"] for team in sheet["teams"].values()))
        leader = max(partie.seats.all(), key=lambda seat: sum(score.total or 0 for score in seat.scores.all())).label
        if missing:
            sheet["teams"][leader]["bottes"] = sorted([*sheet["teams"][leader]["bottes"], min(missing)])
            yield partie, last, sheet


def _start_last_round(show: _Show) -> None:
    """The round under way: a refused log, a claim that was settled, one that waits, tables at different manches."""
    first, second, third, fourth, *others = _open_round(show, ROUNDS_PLAYED + 1)
    _send_refused_log(show, first)
    _play(show, first, most=2)
    _send(show, second, 1, _sheet_bytes(_differing_sheet(second)))
    settled = second.manches.get(number=1)
    settle_claim(
        actor=show.actor,
        manche_id=settled.pk,
        version=1,
        how="computed",
        reason="Une ligne avait été oubliée à la table : le score calculé est juste.",
    )
    _send(show, third, 1, _sheet_bytes(_differing_sheet(third)))
    _play(show, fourth, most=3)
    for partie in others[:1]:
        _play(show, partie, most=1)


def _send_refused_log(show: _Show, partie: Partie) -> None:
    """The log of manche 1 with one move left out, as a secretary in a hurry might."""
    _, log = next(_manches(partie))
    middle = len(log.moves) // 2
    hurried = log._replace(moves=[*log.moves[:middle], *log.moves[middle + 1 :]])
    assert _send(show, partie, 1, to_text(hurried).encode()).refused


def _differing_sheet(partie: Partie) -> dict[str, Any]:
    """The sheet of manche 1 with a total from which the table forgot a line."""
    _, log = next(_manches(partie))
    sheet = _sheet(log)
    scores = judge_sheet(sheet)["score"]
    best = max(scores, key=lambda label: scores[label]["total"])
    *_, forgotten = scores[best]["lines"].values()
    totals = {label: points["total"] for label, points in scores.items()}
    return sheet | {"claim": totals | {best: totals[best] - forgotten}}
