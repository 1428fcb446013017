"""Who may do what with parties, results and rankings through the API, as the pages have it; and that every service of
this area has a door.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import pytest

from league.api.urls import urlpatterns
from league.models import AuditEntry, Membership, Partie
from league.services import (
    confirmation,
    disputes,
    foreseen,
    moving,
    parties,
    postponing,
    publishing,
    pushed,
    results,
    rulings,
    substitutes,
    table_links,
)
from league.services.confirmation import contest
from league.services.external_ids import name_thing
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play, sheet
from tests.league.api.conftest import token
from tests.league.api.program import Program
from tests.league.table_cases import enter, seen, side, table

RUNS: Final = ("owner", "organiser")
SETTLES: Final = ("owner", "organiser", "referee")
HANDS_IN: Final = (*SETTLES, "scorer")
INSIDE: Final = (*SETTLES, "auditor", "staff")
ROLES: Final = ("owner", "organiser", "referee", "scorer", "auditor", "owner of another", "nobody", "staff")

REASON: Final = {"reason": "Because"}
SEEN: Final = {"version": 1, **REASON}

WRITES: Final[dict[str, tuple[str, Any, tuple[str, ...]]]] = {
    "api-parties": ("/parties", {"round": 9, "entries": [1, 2]}, RUNS),
    "api-who-plays": ("/parties/1/who-plays", {"place": "a1", "player": None}, RUNS),
    "api-partie-close": ("/parties/1/close", REASON, SETTLES),
    "api-partie-void": ("/parties/1/void", REASON, SETTLES),
    "api-partie-reopen": ("/parties/1/reopen", REASON, SETTLES),
    "api-partie-forfeit": ("/parties/1/forfeit", {"entry": 1, **REASON}, SETTLES),
    "api-table-link-renew": ("/parties/1/link/renew", {"version": 0}, SETTLES),
    "api-results": ("/parties/1/manches/2/results", sheet({"A": 1000, "B": 50}), HANDS_IN),
    "api-results (2)": (
        "/parties/1/manches/1/results?replaces=1&reason=Misread",
        sheet({"A": 1000, "B": 50}),
        SETTLES,
    ),
    "api-partie-results": ("/parties/1/results?external_id=g-1", sheet({"A": 1000, "B": 50}), HANDS_IN),
    "api-own-results": ("/manches/~own/results?replaces=1&reason=x", sheet({"A": 1000, "B": 50}), SETTLES),
    "api-manche-confirm": ("/parties/1/manches/1/confirm", {"version": 1}, SETTLES),
    "api-manche-settle": ("/parties/1/manches/1/settle", {**SEEN, "how": "referee"}, SETTLES),
    "api-manche-penalise": ("/parties/1/manches/1/penalise", {**SEEN, "label": "A", "points": 1}, SETTLES),
    "api-manche-void": ("/parties/1/manches/1/void", SEEN, SETTLES),
    "api-manche-reinstate": ("/parties/1/manches/1/reinstate", SEEN, SETTLES),
    "api-manche-move": ("/parties/1/manches/1/move", {**SEEN, "partie": 2, "manche": 1}, SETTLES),
    "api-manche-turn": ("/parties/1/manches/1/turn", {**SEEN, "sides": {"A": "B", "B": "A"}}, SETTLES),
    "api-waiting-accept": ("/waiting/accept", {"results": [{"partie": 1, "manche": 1, "version": 1}]}, SETTLES),
    "api-dispute-say": ("/disputes/{dispute}/messages", {"text": "Wait"}, SETTLES),
    "api-dispute-decide": ("/disputes/{dispute}/decide", {**SEEN, "how": "stands"}, SETTLES),
    "api-published-rankings": ("/rankings", {"label": "Now"}, RUNS),
}
"""A write of each address: its path and body; the roles that may do it, as the pages have it. A scorer has table 1."""

DOORS: Final[dict[Callable[..., Any], str]] = {
    parties.open_partie: "api-parties",
    parties.close_partie: "api-partie-close",
    parties.void_partie: "api-partie-void",
    parties.reopen_partie: "api-partie-reopen",
    parties.rule_forfeit: "api-partie-forfeit",
    substitutes.stand_in: "api-who-plays",
    substitutes.end_stand_in: "api-who-plays",
    results.hand_in: "api-results",
    rulings.confirm: "api-manche-confirm",
    rulings.settle_claim: "api-manche-settle",
    rulings.penalise: "api-manche-penalise",
    rulings.void_manche: "api-manche-void",
    rulings.reinstate_manche: "api-manche-reinstate",
    moving.move_result: "api-manche-move",
    moving.turn_result: "api-manche-turn",
    confirmation.accept_all: "api-waiting-accept",
    disputes.say: "api-dispute-say",
    disputes.decide: "api-dispute-decide",
    table_links.renew_link: "api-table-link-renew",
    publishing.publish_prepared: "api-published-rankings",
}
"""Every service of this area and the address that is its door."""

ELSEWHERE: Final[dict[Callable[..., Any], str]] = {
    parties.add_bye: "a round's: api-byes",
    parties.remove_bye: "a round's: api-bye-remove",
    postponing.postpone_partie: "a round's: api-partie-postpone",
    postponing.resume_partie: "a round's: api-partie-resume",
    substitutes.name_substitute: "a team's: api-substitutes",
    substitutes.remove_substitute: "a team's: api-substitute",
    confirmation.confirm_as_side: "said by a side of a table, which has its link and no token",
    confirmation.contest: "said by a side of a table, which has its link and no token",
    publishing.publish: "the API prepares outside of its transaction and calls publish_prepared",
    pushed.push: "for items of batches",
}
"""Services of the same modules without a door of this area, and why."""


def services_of(module: ModuleType) -> set[Callable[..., Any]]:
    """The public functions of a module that are told who acts."""
    found = [one for name, one in inspect.getmembers(module, inspect.isfunction) if not name.startswith("_")]
    return {
        one
        for one in found
        if one.__module__ == module.__name__
        and (parameter := inspect.signature(one).parameters.get("actor")) is not None
        and parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def test_every_service_has_a_door_or_a_reason_for_none() -> None:
    modules = (
        confirmation,
        disputes,
        foreseen,
        moving,
        parties,
        postponing,
        publishing,
        pushed,
        results,
        rulings,
        substitutes,
        table_links,
    )
    assert set().union(*(services_of(module) for module in modules)) == {*DOORS, *ELSEWHERE}
    names = {name.partition(" ")[0] for name in WRITES}
    assert set(DOORS.values()) | {"api-partie-results", "api-own-results"} == names
    assert names <= {pattern.name for pattern in urlpatterns}


@pytest.fixture
def contested(db: None) -> Partie:
    """Partie 1, at table 1, whose manche 1 is contested and called `own`; a second partie."""
    partie = table()
    partie.table_number = 1
    partie.save()
    enter(partie, "A")
    contest(actor=side(partie, "B"), text="B had 500", **seen(partie))
    PartieFactory(championship=partie.championship)
    EntryFactory.create_batch(2, championship=partie.championship)
    manche = partie.manches.get(number=1)
    name_thing(
        actor=owner_of(partie.championship),
        kind="manche",
        object_id=manche.pk,
        external_id="own",
        championship_id=partie.championship_id,
    )
    return partie


def program_of(partie: Partie, role: str, *, tables: tuple[int, ...] = (1,)) -> Program:
    championship = partie.championship
    if role == "owner":
        return Program(championship)
    if role == "owner of another":
        return Program(championship, ChampionshipFactory().created_by)
    user = UserFactory(is_staff=role == "staff", may_organise=True)
    if role not in ("nobody", "staff"):
        given = list(tables) if role == "scorer" else []
        Membership.objects.create(user=user, championship=championship, role=role, tables=given)
    return Program(championship, user)


def filled(partie: Partie, path: str) -> str:
    return path.format(dispute=partie.manches.get(number=1).disputes.get().pk)


@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_do_it_in_pages_does_it(contested: Partie, role: str) -> None:
    program = program_of(contested, role)
    before = AuditEntry.objects.count()
    for name, (path, body, roles) in WRITES.items():
        if role in roles:
            continue
        dry = "&dry_run=true" if "?" in path else "?dry_run=true"
        for asked in (filled(contested, path), filled(contested, path) + dry):
            answer = program.send("POST", asked, body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("role", ROLES)
def test_who_may_is_never_told_otherwise(contested: Partie, role: str) -> None:
    program = program_of(contested, role)
    for name, (path, body, roles) in WRITES.items():
        if role in roles:
            answer = program.send("POST", filled(contested, path), body)
            assert answer.status_code not in (400, 401, 403, 404), (name, answer.content)


def test_a_scorer_hands_in_at_the_tables_given_only(contested: Partie) -> None:
    program = program_of(contested, "scorer", tables=(2,))
    document = sheet({"A": 1000, "B": 50})
    for path in ("/parties/1/manches/2/results", "/parties/1/results?external_id=g-1"):
        assert program.refused(path, document) == (403, "not-permitted")


def test_nobody_who_may_not_see_a_championship_is_told_that_it_is_there(contested: Partie) -> None:
    contested.championship.visibility = "draft"
    contested.championship.save()
    stranger = program_of(contested, "nobody")
    for name, (path, body, _roles) in WRITES.items():
        answer = stranger.send("POST", filled(contested, path), body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), name


@pytest.mark.parametrize("scopes", [("read", "hand_in"), ("read", "manage"), ("read",)])
def test_a_token_does_what_it_was_made_for(contested: Partie, scopes: tuple[str, ...]) -> None:
    program = Program(contested.championship, None, *scopes)
    handing_in = {"api-results", "api-results (2)", "api-partie-results", "api-own-results"}
    handing_in |= {"api-manche-move", "api-manche-turn"}
    for name, (path, body, _roles) in WRITES.items():
        if ("hand_in" if name in handing_in else "manage") not in scopes:
            answer = program.send("POST", filled(contested, path), body)
            assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-scope"), name


def test_a_token_of_another_championship_does_nothing(contested: Partie) -> None:
    program = Program(contested.championship)
    other = ChampionshipFactory(owner=contested.championship.created_by)
    program.header = token(other.created_by, "read", "hand_in", "manage", championship=other)
    for name, (path, body, _roles) in WRITES.items():
        answer = program.send("POST", filled(contested, path), body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("/waiting", INSIDE),
        ("/disputes", INSIDE),
        ("/disputes/{dispute}", INSIDE),
        ("/parties/1/who-plays", INSIDE),
        ("/parties/1/link", SETTLES),
    ],
)
def test_what_is_not_for_everybody_is_read_by_who_may(
    contested: Partie, path: str, roles: tuple[str, ...], role: str
) -> None:
    answer = program_of(contested, role).send("GET", filled(contested, path))
    assert answer.status_code == (200 if role in roles else 403)
    anybody = Program(contested.championship).client
    assert (
        anybody.get(f"/api/v1/championships/{contested.championship.slug}{filled(contested, path)}").status_code == 403
    )


def test_no_scorer_moves_a_result_by_a_dry_run_either(contested: Partie) -> None:
    other = PartieFactory(championship=contested.championship, table_number=1, round=2)
    play(other, 1, sheet())
    scorer = program_of(contested, "scorer")
    path = f"/parties/{other.number}/manches/1/results?replaces=1&reason=x&dry_run=true"
    assert scorer.refused(path, sheet({"A": 1000, "B": 50})) == (403, "not-permitted")
