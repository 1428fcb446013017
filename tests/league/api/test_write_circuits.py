"""Circuits through the API: made, changed, their championships chosen, their rankings published and read."""

import inspect
from typing import Any

import pytest

from league.api.openapi import document
from league.models import Circuit, Scope
from league.services import circuits as services
from tests.factories import ChampionshipFactory, PlayerFactory, UserFactory
from tests.league.api.conftest import token
from tests.league.api.program import Program
from tests.league.test_circuits import finished

pytestmark = pytest.mark.django_db

AT = "/api/v1/circuits"
POINTS = [10, 6, 3.5]

DOORS = {
    services.create_circuit: "POST /circuits",
    services.change_circuit: "PATCH /circuits/{circuit}",
    services.add_leg: "POST /circuits/{circuit}/legs",
    services.remove_leg: "DELETE /circuits/{circuit}/legs/{championship}",
    services.move_leg: "POST /circuits/{circuit}/legs/{championship}/move",
    services.publish_circuit: "POST /circuits/{circuit}/rankings",
}


def test_every_service_of_circuits_has_a_door() -> None:
    assert {function for name, function in vars(services).items() if name in services_with_an_actor()} == set(DOORS)
    paths = document()["paths"]
    for door in DOORS.values():
        method, path = door.split()
        assert method.lower() in paths[f"/api/v1{path}"], door


def services_with_an_actor() -> set[str]:
    return {
        name
        for name, function in inspect.getmembers(services, inspect.isfunction)
        if function.__module__ == services.__name__ and not name.startswith("_")
        if "actor" in inspect.signature(function).parameters
    }


@pytest.fixture
def owner() -> Program:
    """The owner of a championship that is finished and published, who may organise."""
    players = [PlayerFactory() for _ in range(3)]
    user = UserFactory(may_organise=True)
    first = finished("Anglet", players, owner=user)
    finished("Biarritz", list(reversed(players)), owner=user)
    return Program(first, user)


def made(owner: Program, **more: Any) -> Any:
    return owner.done("POST", AT, {"name": "Circuit basque", "points": POINTS, **more})


class TestACircuit:
    def test_is_made_once_and_read_as_it_was_answered(self, owner: Program) -> None:
        answer = made(owner)
        assert (answer.status_code, answer["Location"]) == (201, f"{AT}/circuit-basque")
        assert answer.json()["points"] == POINTS
        assert owner.send("GET", f"{AT}/circuit-basque")["ETag"] == answer["ETag"]
        assert Circuit.objects.get().points == [10, 6, 3.5]
        assert owner.refused(AT, {"name": "Circuit basque", "points": POINTS}) == (409, "slug-taken")
        body = {"name": "X", "points": [1]}
        again = [owner.done("POST", AT, body, Idempotency_Key="k") for _ in range(2)]
        assert again[0].content == again[1].content
        assert Circuit.objects.count() == 2

    def test_is_changed_on_the_state_that_was_read(self, owner: Program) -> None:
        etag = made(owner)["ETag"]
        place = f"{AT}/circuit-basque"
        assert owner.refused(place, {"best_n": 2}, "PATCH") == (428, "precondition-required")
        changed = owner.done("PATCH", place, {"best_n": 2, "visibility": "public"}, If_Match=etag)
        assert (changed.json()["best_n"], changed.json()["name"]) == (2, "Circuit basque")
        stale = owner.send("PATCH", place, {"best_n": None}, If_Match=etag)
        assert (stale.status_code, stale.json()["present"]) == (412, changed.json())
        assert owner.refused(place, {"points": [1, 2]}, "PATCH", If_Match="*") == (422, "bad-points")
        assert owner.client.get(place).json()["legs"] is None

    def test_adds_up_its_championships_in_a_published_ranking(self, owner: Program) -> None:
        made(owner, visibility="public")
        place = f"{AT}/circuit-basque"
        assert owner.refused(f"{place}/rankings", {"label": "Début"}) == (409, "nothing-to-publish")
        for slug in ("anglet", "biarritz"):
            legs = owner.post(f"{place}/legs", {"championship": slug})["legs"]
        assert [leg["slug"] for leg in legs] == ["anglet", "biarritz"]
        moved = owner.post(f"{place}/legs/biarritz/move", {"to": "up"})
        assert [leg["slug"] for leg in moved["legs"]] == ["biarritz", "anglet"]
        version = owner.done("POST", f"{place}/rankings", {"label": "Après Biarritz"})
        assert version["Location"] == f"{place}/rankings/1"
        assert [one["slug"] for one in version.json()["counts"]] == ["biarritz", "anglet"]
        anybody = owner.client
        page = anybody.get(f"{place}/rankings/1?limit=2").json()
        assert (page["version"], len(page["items"])) == (version.json(), 2)
        rest = anybody.get(page["next"]).json()["items"]
        assert [row["values"]["circuit_points"] for row in [*page["items"], *rest]] == ["27/2", "27/2", "12"]
        assert anybody.get(f"{place}/rankings/1/document").json()["format"] == "circuit/1"
        assert [one["number"] for one in anybody.get(f"{place}/rankings").json()["items"]] == [1]
        assert [one["version"] for one in anybody.get(AT).json()["items"]] == [1]
        assert anybody.get(f"{place}/rankings/2").status_code == 404
        assert owner.refused(f"{place}/rankings", {"label": "Encore"}) == (409, "nothing-new")
        assert owner.refused(f"{place}/legs/anglet", method="DELETE") == (428, "precondition-required")
        etag = owner.send("GET", f"{place}/legs/anglet")["ETag"]
        owner.done("DELETE", f"{place}/legs/anglet", If_Match=etag)
        assert owner.refused(f"{place}/legs/anglet", method="DELETE", If_Match="*") == (404, "not-found")


class TestRights:
    @pytest.fixture
    def circuit(self, owner: Program) -> Program:
        made(owner)
        owner.post(f"{AT}/circuit-basque/legs", {"championship": "anglet"})
        return owner

    WRITES = (
        ("PATCH", "", {"best_n": 1}),
        ("POST", "/legs", {"championship": "biarritz"}),
        ("DELETE", "/legs/anglet", None),
        ("POST", "/legs/anglet/move", {"to": "up"}),
        ("POST", "/rankings", {"label": "X"}),
    )

    @pytest.mark.parametrize(
        ("visibility", "refused"), [("draft", (404, "not-found")), ("public", (403, "not-permitted"))]
    )
    def test_only_its_owner_changes_it(self, circuit: Program, visibility: str, refused: tuple[int, str]) -> None:
        Circuit.objects.update(visibility=visibility)
        circuit.header = token(UserFactory(may_organise=True), *Scope.values)
        for method, path, body in self.WRITES:
            assert circuit.refused(f"{AT}/circuit-basque{path}", body, method, If_Match="*") == refused, path

    def test_a_token_of_one_championship_changes_none(self, circuit: Program) -> None:
        user = Circuit.objects.get().owner
        circuit.header = token(user, *Scope.values, championship=ChampionshipFactory(owner=user))
        for method, path, body in self.WRITES:
            assert circuit.refused(f"{AT}/circuit-basque{path}", body, method, If_Match="*")[0] == 404, path
        assert circuit.refused(AT, {"name": "X", "points": [1]}) == (403, "not-permitted")
        assert circuit.refused(f"{AT}?own=true", method="GET") == (403, "not-permitted")

    def test_staff_look_and_change_nothing(self, circuit: Program) -> None:
        circuit.header = token(UserFactory(is_staff=True), *Scope.values)
        assert [leg["slug"] for leg in circuit.get(f"{AT}/circuit-basque")["legs"]] == ["anglet"]
        for method, path, body in self.WRITES:
            refused = circuit.refused(f"{AT}/circuit-basque{path}", body, method, If_Match="*")
            assert refused == (403, "not-permitted"), path

    def test_ones_own_are_listed_with_drafts(self, circuit: Program) -> None:
        assert circuit.get(AT)["items"] == []
        assert [one["slug"] for one in circuit.get(f"{AT}?own=true")["items"]] == ["circuit-basque"]
        assert circuit.client.get(f"{AT}?own=true").status_code == 403

    def test_who_may_not_organise_makes_none(self, circuit: Program) -> None:
        circuit.header = token(UserFactory(may_organise=False), *Scope.values)
        assert circuit.refused(AT, {"name": "X", "points": [1]}) == (403, "not-permitted")

    def test_a_championship_that_one_may_not_look_into_is_not_put_in(self, circuit: Program) -> None:
        other = ChampionshipFactory()
        body = {"championship": other.slug}
        assert circuit.refused(f"{AT}/circuit-basque/legs", body) == (403, "not-permitted")
