"""Who may do what with people through the API: as the pages have it; and that every service has a door."""

import inspect
from collections.abc import Callable
from typing import Any, Final

import pytest

from league.api.urls import urlpatterns
from league.models import AuditEntry, Championship, Membership
from league.services import (
    anonymising,
    championships,
    check_in,
    claims,
    entries,
    imports,
    merging,
    numbers,
    people,
    registrations,
    roles,
    substitutes,
)
from tests.factories import ChampionshipFactory, PlayerFactory, UserFactory
from tests.league.api.conftest import token
from tests.league.api.program import Program
from tests.league.registering import opened, registered

REASON: Final = {"reason": "Because"}

RUNS: Final = ("owner", "organiser")
OWNS: Final = ("owner",)
LOOKS: Final = ("owner", "organiser", "referee", "auditor", "staff")
ROLES: Final = ("owner", "organiser", "referee", "scorer", "auditor", "owner of another", "nobody", "staff")

WRITES: Final[dict[str, tuple[str, str, Any, tuple[str, ...]]]] = {
    "api-championship": ("PATCH", "", {"name": "X"}, OWNS),
    "api-championship-finish": ("POST", "/finish", None, OWNS),
    "api-championship-resume": ("POST", "/resume", REASON, OWNS),
    "api-teams": ("POST", "/teams", {"players": [{"name": "Zo"}, {"name": "Yo"}]}, RUNS),
    "api-team": ("PATCH", "/teams/~t", {"name": "X"}, RUNS),
    "api-substitutes": ("POST", "/teams/~t/substitutes", {"player": {"name": "Xu"}}, RUNS),
    "api-substitute": ("DELETE", "/teams/~t/substitutes/{substitute}", None, RUNS),
    "api-entries": ("POST", "/entries", {"players": [{"name": "Wu"}, {"name": "Vu"}]}, RUNS),
    "api-entry-withdraw": ("POST", "/entries/1/withdraw", REASON, RUNS),
    "api-entry-reinstate": ("POST", "/entries/2/reinstate", REASON, RUNS),
    "api-entry-penalise": ("POST", "/entries/1/penalise", {"points": 1} | REASON, RUNS),
    "api-entry-check-in": ("POST", "/entries/1/check-in", None, RUNS),
    "api-entry-check-out": ("POST", "/entries/1/check-out", None, RUNS),
    "api-check-in": ("POST", "/check-in", None, RUNS),
    "api-registrations-accept": ("POST", "/registrations/accept", None, RUNS),
    "api-registration-accept": ("POST", "/registrations/1/accept", {}, RUNS),
    "api-registration-decline": ("POST", "/registrations/1/decline", REASON, RUNS),
    "api-player": ("PATCH", "{player}", {"name": "X"}, (*RUNS, "staff")),
    "api-player-merge": ("POST", "{player}/merge", {"merged": 1}, (*RUNS, "staff")),
    "api-player-unmerge": ("POST", "{player}/merges/1/undo", None, (*RUNS, "staff")),
    "api-player-numbers": ("POST", "{player}/numbers", {"system": "FFMB", "number": "7"}, (*RUNS, "staff")),
    "api-player-number": ("DELETE", "{player}/numbers/1", None, (*RUNS, "staff")),
    "api-player-anonymise": ("POST", "{player}/anonymise", {"name": "X"}, (*OWNS, "staff")),
}
"""A write of each address: its method, path and body; the roles that may do it, as the pages have it."""

OF_NOTHING: Final[dict[str, tuple[str, str, Any]]] = {
    "api-championships": ("POST", "/api/v1/championships", {"name": "X", "slug": "x", "rulebook": "classique"}),
    "api-clubs": ("POST", "/api/v1/clubs", {"name": "X"}),
    "api-players": ("POST", "/api/v1/players", {"name": "X"}),
}
"""Writes that need no championship: whoever may organise does them."""

BY_MAKER: Final = "api-club"
"""Of who made it, and the staff (test_write_people)."""

DOORS: Final[dict[Callable[..., Any], str]] = {
    championships.create_championship: "api-championships",
    championships.change_championship: "api-championship",
    championships.change_keys: "api-championship",
    championships.finish_championship: "api-championship-finish",
    championships.resume_championship: "api-championship-resume",
    registrations.change_registration: "api-championship",
    registrations.accept_registration: "api-registration-accept",
    registrations.accept_clear: "api-registrations-accept",
    registrations.decline_registration: "api-registration-decline",
    people.add_club: "api-clubs",
    people.club_called: "api-players",
    people.rename_club: "api-club",
    people.add_player: "api-players",
    people.change_player: "api-player",
    merging.merge_players: "api-player-merge",
    merging.undo_merge: "api-player-unmerge",
    numbers.add_number: "api-player-numbers",
    numbers.remove_number: "api-player-number",
    anonymising.anonymise: "api-player-anonymise",
    entries.add_team: "api-teams",
    entries.rename_team: "api-team",
    entries.enter: "api-entries",
    entries.enter_players: "api-entries",
    entries.withdraw: "api-entry-withdraw",
    entries.reinstate: "api-entry-reinstate",
    entries.penalise_entry: "api-entry-penalise",
    check_in.check_in: "api-entry-check-in",
    check_in.check_out: "api-entry-check-out",
    check_in.check_in_all: "api-check-in",
    substitutes.name_substitute: "api-substitutes",
    substitutes.remove_substitute: "api-substitute",
}
"""The address at which each service is called."""

NO_DOOR: Final[dict[Callable[..., Any], str]] = {
    registrations.register: "of somebody who wants to take part: by the public form, whose link is their secret",
    registrations.cancel_registration: "of who registered, by that link",
    claims.send_claim_link: "hands a profile over to a person: for somebody who is signed in",
    claims.make_claim_code: "a secret that is shown once and kept nowhere; an answer that is remembered would keep it",
    claims.claim_by_link: "of the person, signed in",
    claims.claim_by_code: "of the person, signed in",
    claims.leave_profile: "of the person, signed in",
    imports.keep_list: "a file for people to look over; programs send the people themselves, many as a batch",
    imports.settle_list: "as keep_list",
    imports.accept_list: "as keep_list",
    imports.discard_list: "as keep_list",
    roles.change_role: "who runs a championship is decided by people: a token that got lost must not outlive itself",
}
"""The services that no program calls, and why."""

MODULES: Final = (
    anonymising,
    championships,
    check_in,
    claims,
    entries,
    imports,
    merging,
    numbers,
    people,
    registrations,
    roles,
)


def test_every_service_has_a_door_or_a_reason() -> None:
    found = {
        function
        for module in MODULES
        for _name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not function.__name__.startswith("_")
        and "actor" in inspect.signature(function).parameters
    }
    known = DOORS.keys() | NO_DOOR.keys()
    assert found == known - {substitutes.name_substitute, substitutes.remove_substitute}
    assert not DOORS.keys() & NO_DOOR.keys()


def test_every_door_is_in_the_table_of_rights() -> None:
    assert set(DOORS.values()) == WRITES.keys() | OF_NOTHING.keys() | {BY_MAKER}
    assert set(DOORS.values()) <= {pattern.name for pattern in urlpatterns}


class Hall:
    """A championship of pairs with two entries, the second withdrawn, a substitute and a registration."""

    def __init__(self) -> None:
        self.championship: Championship = opened(players_per_team=2, substitution="named", visibility="public")
        self.owner = Program(self.championship)
        self.owner.post("/entries", {"players": [{"name": "Ana"}, {"name": "Bo"}], "external_id": "e"})
        self.player = PlayerFactory(name="Cy Larralde", name_folded="cy larralde")
        self.owner.post("/teams", {"players": [self.player.pk, {"name": "Di"}], "external_id": "t"})
        self.owner.post("/entries", {"team": "~t"})
        self.owner.post("/entries/2/withdraw", REASON)
        self.substitute = self.owner.post("/teams/~t/substitutes", {"player": {"name": "Ed"}})["id"]
        registered(self.championship, "Flo", "Gus")

    def path(self, path: str) -> str:
        """The path with the ids of this hall."""
        return path.format(substitute=self.substitute, player=f"/api/v1/players/{self.player.pk}")

    def program(self, role: str) -> Program:
        """The program of somebody with this role."""
        if role == "owner":
            return self.owner
        if role == "owner of another":
            return Program(self.championship, ChampionshipFactory().created_by)
        user = UserFactory(is_staff=role == "staff", may_organise=True)
        if role not in ("nobody", "staff"):
            tables = [1] if role == "scorer" else []
            Membership.objects.create(user=user, championship=self.championship, role=role, tables=tables)
        return Program(self.championship, user)


@pytest.fixture
def hall(db: None) -> Hall:
    return Hall()


@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_do_it_in_pages_does_it(hall: Hall, role: str) -> None:
    program = hall.program(role)
    before = AuditEntry.objects.count()
    for name, (method, path, body, roles_) in WRITES.items():
        if role not in roles_:
            answer = program.send(method, hall.path(path), body, If_Match="*")
            assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name
    assert AuditEntry.objects.count() == before


@pytest.mark.parametrize("role", ROLES)
def test_who_may_is_never_told_otherwise(hall: Hall, role: str) -> None:
    program = hall.program(role)
    for name, (method, path, body, roles_) in WRITES.items():
        if role in roles_:
            answer = program.send(method, hall.path(path), body, If_Match="*")
            assert answer.status_code not in (401, 403, 500), (name, answer.content)


def test_nobody_who_may_not_see_a_championship_is_told_that_it_is_there(hall: Hall) -> None:
    hall.owner.done("PATCH", "", {"visibility": "draft"}, If_Match="*")
    stranger = hall.program("nobody")
    for name, (method, path, body, _roles) in WRITES.items():
        answer = stranger.send(method, hall.path(path), body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), name


def test_a_token_of_another_championship_does_nothing(hall: Hall) -> None:
    owner = hall.championship.created_by
    other = ChampionshipFactory(owner=owner)
    hall.owner.header = token(owner, "read", "manage", championship=other)
    for name, (method, path, body, _roles) in WRITES.items():
        answer = hall.owner.send(method, hall.path(path), body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted"), name
    for name, (method, path, body) in OF_NOTHING.items():
        assert hall.owner.refused(path, body, method) == (403, "not-permitted"), name


def test_a_token_that_only_reads_or_hands_in_writes_nothing(hall: Hall) -> None:
    hall.owner.header = token(hall.championship.created_by, "read", "hand_in")
    nothing = {name: (method, path, body, ()) for name, (method, path, body) in OF_NOTHING.items()}
    for name, (method, path, body, _roles) in (WRITES | nothing).items():
        answer = hall.owner.send(method, hall.path(path), body, If_Match="*")
        assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-scope"), name


def test_without_a_token_nothing_is_written(hall: Hall) -> None:
    hall.owner.client.force_login(hall.championship.created_by)
    for name, (method, path, body, _roles) in WRITES.items():
        place = hall.path(path)
        address = place if place.startswith("/api") else f"/api/v1/championships/{hall.owner.slug}{place}"
        answer = hall.owner.client.generic(method, address, b"{}", content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (401, "not-authenticated"), (name, body)


@pytest.mark.parametrize("role", ROLES)
def test_who_looks_inside_reads_what_is_private(hall: Hall, role: str) -> None:
    program = hall.program(role)
    expected = 200 if role in LOOKS else 403
    for path in ("/registrations", "/registrations/1", "/teams/~t/substitutes", "/teams/~t/substitutes/{substitute}"):
        assert program.send("GET", hall.path(path)).status_code == expected, path
    assert (program.get(hall.path("{player}"))["private"] is not None) == (role in LOOKS)
    assert (program.get("/entries/1")["external_id"] == "e") == (role in LOOKS)
    assert (program.get("/entries/1")["checked_in"] is False) == (role in LOOKS)
    assert (program.get("/teams/~t")["external_id"] == "t") == (role in LOOKS)


def test_a_token_without_the_scope_to_read_sees_no_more_than_anybody(hall: Hall) -> None:
    program = Program(hall.championship, hall.championship.created_by, "hand_in")
    assert program.get("/entries/1")["external_id"] is None
    assert program.send("GET", "/registrations").status_code == 403


def test_everybody_who_may_organise_makes_clubs_players_and_championships(hall: Hall) -> None:
    for role in ("nobody", "owner of another"):
        for name, (method, path, body) in OF_NOTHING.items():
            numbered = {key: f"{value}-{role[0]}" if key in ("name", "slug") else value for key, value in body.items()}
            assert hall.program(role).send(method, path, numbered).status_code == 201, name
