"""Who may do what with stages and rounds through the API: as the pages have it; and that every service has a door."""

import inspect
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import transaction

from league.api.urls import urlpatterns
from league.models import AuditEntry, Membership, Stage
from league.services import (
    absences,
    clock,
    drafts,
    draws,
    free_rounds,
    knockouts,
    postponing,
    rounds,
    stage_starts,
    stages,
)
from tests.factories import ChampionshipFactory, UserFactory
from tests.league.api.program import Program
from tests.league.api.test_write_rounds import championship_of

REASON: Final = {"reason": "Because"}

RUNS: Final = ("owner", "organiser")
SETTLES: Final = ("owner", "organiser", "referee")
OWNS: Final = ("owner",)

WRITES: Final[dict[str, tuple[str, str, Any, tuple[str, ...]]]] = {
    "api-stages": ("POST", "/stages", {"format": "knockout"}, OWNS),
    "api-stage-plan": ("POST", "/stages/plan", {"stages": []}, OWNS),
    "api-stage": ("PATCH", "/stages/1", {"name": "X"}, OWNS),
    "api-stage (2)": ("DELETE", "/stages/2", None, OWNS),
    "api-stage-start": ("POST", "/stages/2/start", None, RUNS),
    "api-rounds": ("POST", "/rounds", None, RUNS),
    "api-round": ("DELETE", "/rounds/2", None, RUNS),
    "api-round-redraw": ("POST", "/rounds/2/redraw", None, RUNS),
    "api-round-swap": ("POST", "/rounds/2/swap", {"one": 1, "other": 2}, RUNS),
    "api-round-move": ("POST", "/rounds/2/move", {"entries": [1], "to": "byes"}, RUNS),
    "api-round-turn": ("POST", "/rounds/2/turn", {"table": 1}, RUNS),
    "api-round-number": ("POST", "/rounds/2/number", {"table": 1, "to": 9}, RUNS),
    "api-round-publish": ("POST", "/rounds/2/publish", None, RUNS),
    "api-round-lock": ("POST", "/rounds/1/lock", None, RUNS),
    "api-round-reopen": ("POST", "/rounds/1/reopen", REASON, RUNS),
    "api-round-undo": ("POST", "/rounds/1/undo", None, RUNS),
    "api-round-tables": ("POST", "/rounds/9/tables", {"tables": [{"entries": [1, 2]}]}, RUNS),
    "api-clock-set": ("POST", "/rounds/1/clock/set", {"minutes": 9, "at_end": "stop"}, RUNS),
    "api-clock-start": ("POST", "/rounds/1/clock/start", None, RUNS),
    "api-clock-pause": ("POST", "/rounds/1/clock/pause", None, RUNS),
    "api-clock-add": ("POST", "/rounds/1/clock/add", {"minutes": 9}, RUNS),
    "api-clock-stop": ("POST", "/rounds/1/clock/stop", None, RUNS),
    "api-absences": ("POST", "/rounds/9/absences", {"entry": 1}, RUNS),
    "api-absence": ("DELETE", "/rounds/8/absences/1", None, RUNS),
    "api-byes": ("POST", "/rounds/9/byes", {"entry": 2}, RUNS),
    "api-bye-remove": ("POST", "/rounds/7/byes/2/remove", REASON, RUNS),
    "api-extra-manche": ("POST", "/rounds/1/tables/1/extra-manche", None, RUNS),
    "api-as-seeded": ("POST", "/rounds/1/tables/1/as-seeded", None, RUNS),
    "api-partie-postpone": ("POST", "/parties/1/postpone", REASON, SETTLES),
    "api-partie-resume": ("POST", "/parties/1/resume", None, SETTLES),
}
"""A write of each address: its method, path and body; the roles that may do it, as the pages have it."""

OF_A_KNOCKOUT: Final = ("api-extra-manche", "api-as-seeded")
ROLES: Final = ("owner", "organiser", "referee", "scorer", "auditor", "owner of another", "nobody", "staff")

MODULES: Final = (
    absences,
    clock,
    drafts,
    draws,
    free_rounds,
    knockouts,
    postponing,
    rounds,
    stage_starts,
    stages,
)
DOORS: Final[dict[Callable[..., Any], str]] = {
    stages.add_stage: "api-stages",
    stages.plan_stages: "api-stage-plan",
    stages.change_stage: "api-stage",
    stages.remove_stage: "api-stage",
    stage_starts.start_stage: "api-stage-start",
    draws.draw_round: "api-rounds",
    draws.redraw: "api-round-redraw",
    drafts.swap: "api-round-swap",
    drafts.move: "api-round-move",
    drafts.turn: "api-round-turn",
    drafts.number_table: "api-round-number",
    drafts.discard_draft: "api-round",
    rounds.publish_round: "api-round-publish",
    rounds.lock_round: "api-round-lock",
    rounds.reopen_round: "api-round-reopen",
    rounds.undo_step: "api-round-undo",
    free_rounds.open_round: "api-round-tables",
    knockouts.open_extra_manche: "api-extra-manche",
    knockouts.go_on_as_seeded: "api-as-seeded",
    clock.set_clock: "api-clock-set",
    clock.start_clock: "api-clock-start",
    clock.pause_clock: "api-clock-pause",
    clock.add_minutes: "api-clock-add",
    clock.stop_clock: "api-clock-stop",
    absences.announce_absence: "api-absences",
    absences.take_absence_back: "api-absence",
    postponing.postpone_partie: "api-partie-postpone",
    postponing.resume_partie: "api-partie-resume",
}
"""The address at which each service is called."""


def test_every_service_has_a_door() -> None:
    found = {
        function
        for module in MODULES
        for _name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not function.__name__.startswith("_")
        and inspect.signature(function).parameters.get("actor", inspect.Parameter("x", 1)).kind
        is inspect.Parameter.KEYWORD_ONLY
    }
    assert found == set(DOORS)


def test_every_door_is_in_the_table_of_rights() -> None:
    names = {name.partition(" ")[0] for name in WRITES}
    assert set(DOORS.values()) | {"api-byes", "api-bye-remove"} == names
    assert names <= {pattern.name for pattern in urlpatterns}


@pytest.fixture
def owner(db: None) -> Program:
    """A round that is published, one that is a draft, an absence and a bye to come, and a stage that has not begun."""
    program = Program(championship_of(4))
    program.post("/stages/plan", {"stages": [{"format": "swiss"}, {"format": "knockout", "qualify": 2}]})
    program.post("/rounds")
    program.post("/rounds/1/publish")
    program.post("/rounds", {"anyway": True})
    program.post("/rounds/8/absences", {"entry": 1})
    program.post("/rounds/7/byes", {"entry": 2})
    return program


def program_of(owner: Program, role: str) -> Program:
    championship = Stage.objects.first().championship  # type: ignore[union-attr]
    if role == "owner":
        return owner
    if role == "owner of another":
        return Program(championship, ChampionshipFactory().created_by)
    user = UserFactory(is_staff=role == "staff", may_organise=True)
    if role not in ("nobody", "staff"):
        tables = [1] if role == "scorer" else []
        Membership.objects.create(user=user, championship=championship, role=role, tables=tables)
    return Program(championship, user)


@pytest.mark.sweep
@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_do_it_in_pages_does_it(owner: Program, role: str) -> None:
    program = program_of(owner, role)
    before = AuditEntry.objects.count()
    for name, (method, path, body, roles) in WRITES.items():
        if role in roles:
            continue
        answer = program.send(method, path, body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name
    assert AuditEntry.objects.count() == before


@pytest.mark.sweep
@pytest.mark.parametrize("role", ROLES)
def test_who_may_is_never_told_otherwise(owner: Program, role: str) -> None:
    program = program_of(owner, role)
    for name, (method, path, body, roles) in WRITES.items():
        if role in roles:
            with transaction.atomic():
                answer = program.send(method, path, body, If_Match="*")
                transaction.set_rollback(True)
            not_here = {404} if name in OF_A_KNOCKOUT else set()
            assert answer.status_code in {200, 201, 204, 409, 422} | not_here, (name, answer.content)


def test_nobody_who_may_not_see_a_championship_is_told_that_it_is_there(owner: Program) -> None:
    championship = Stage.objects.first().championship  # type: ignore[union-attr]
    championship.visibility = "draft"
    championship.save()
    stranger = Program(championship, UserFactory(may_organise=True))
    for name, (method, path, body, _roles) in WRITES.items():
        answer = stranger.send(method, path, body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), name


def test_a_token_of_another_championship_does_nothing(owner: Program) -> None:
    championship = Stage.objects.first().championship  # type: ignore[union-attr]
    other = ChampionshipFactory(owner=championship.created_by)
    from tests.league.api.conftest import token

    owner.header = token(championship.created_by, "read", "manage", championship=other)
    for name, (method, path, body, _roles) in WRITES.items():
        answer = owner.send(method, path, body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name


@pytest.mark.parametrize("path", ["/draw", "/rounds/8/absences", "/rounds/8/absences/1"])
@pytest.mark.parametrize("role", ROLES)
def test_before_a_draw_only_who_runs_it_looks(owner: Program, role: str, path: str) -> None:
    answer = program_of(owner, role).send("GET", path)
    assert answer.status_code == (200 if role in RUNS else 403)
    assert owner.client.get(f"/api/v1/championships/{owner.slug}{path}").status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_who_comes_in_is_for_who_looks_inside(owner: Program, role: str) -> None:
    answer = program_of(owner, role).send("GET", "/stages/2/coming")
    assert answer.status_code == (200 if role in ("owner", "organiser", "referee", "auditor", "staff") else 403)


@pytest.mark.parametrize("role", ROLES)
def test_a_draft_is_for_who_runs_the_championship(owner: Program, role: str) -> None:
    assert program_of(owner, role).send("GET", "/rounds/2").status_code == (200 if role in RUNS else 404)
