"""Circuits: made, changed, their championships added up by place, published in frozen versions (STANDINGS 5)."""

import json
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.errors import Conflict, Faults, NotFound, NotPermitted, Stale, UserFault
from league.models import AuditEntry, Championship, Circuit, Player, PublishedCircuit
from league.policy import ANYBODY, Actor, require_circuit
from league.selectors.circuit_document import circuit_document, published_document
from league.selectors.circuits import addable, circuit_at, legs_of, public_circuits, version_page, versions
from league.services.circuits import (
    add_leg,
    change_circuit,
    create_circuit,
    move_leg,
    publish_circuit,
    ranked_rows,
    remove_leg,
)
from league.services.entries import enter_players
from league.services.people import change_player
from league.services.publishing import publish
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    owner_of,
    play,
    sheet,
)

pytestmark = pytest.mark.django_db

POINTS = [10, 6, 3, 1]


@pytest.fixture
def owner() -> Actor:
    return Actor(user=UserFactory())


@pytest.fixture
def players() -> list[Player]:
    return [PlayerFactory(name=name, name_folded=name.lower()) for name in ("Ana", "Bea", "Cleo", "Dua")]


def finished(name: str, order: Sequence[Player], **settings: object) -> Championship:
    """A championship of players alone, published with this order: each beats all who stand after it."""
    championship = ChampionshipFactory(
        name=name, slug=name.lower(), partie_end="manches", partie_end_value=1, **settings
    )
    actor = owner_of(championship)
    entries = [enter_players(actor=actor, championship_id=championship.pk, player_ids=[one.pk]) for one in order]
    number = 0
    for place, winner in enumerate(entries):
        for loser in entries[place + 1 :]:
            number += 1
            play(PartieFactory(championship=championship, entries=[winner, loser], round=number), 1)
    publish(actor=actor, championship_id=championship.pk, label="End")
    return championship


def circuit_of(owner: Actor, *championships: Championship, **settings: object) -> Circuit:
    circuit = create_circuit(
        actor=owner, name="Grand tour", settings={"points": POINTS, "visibility": "public", **settings}
    )
    for championship in championships:
        add_leg(actor=owner, circuit_id=circuit.pk, championship_id=championship.pk)
    return circuit


def said(published: PublishedCircuit) -> list[tuple[int, str, str]]:
    return [(row["rank"], row["name"], row["values"]["circuit_points"]) for row in published.rows]


class TestAddedUp:
    """What a circuit comes to."""

    def test_points_by_place_are_added_up(self, owner: Actor, players: list[Player]) -> None:
        ana, bea, cleo, dua = players
        circuit = circuit_of(owner, finished("Pau", [ana, bea, cleo, dua]), finished("Dax", [bea, ana, dua]))
        published = publish_circuit(actor=owner, circuit_id=circuit.pk, label="End")
        # by hand: Ana 10 + 6, Bea 6 + 10, Cleo 3, Dua 1 + 3
        assert said(published) == [(1, "Ana", "16"), (1, "Bea", "16"), (3, "Dua", "4"), (4, "Cleo", "3")]
        assert [row["above_next_by"] for row in published.rows] == ["level", "circuit_points", "circuit_points", None]
        assert published.rows[2]["legs"] == [
            {"championship": 1, "points": "1", "ranks": [4], "counts": True},
            {"championship": 2, "points": "3", "ranks": [3], "counts": True},
        ]

    def test_only_the_best_count(self, owner: Actor, players: list[Player]) -> None:
        ana, bea, cleo, _ = players
        legs = [finished("Pau", [ana, bea]), finished("Dax", [bea, ana]), finished("Tarbes", [cleo, ana, bea])]
        published = publish_circuit(actor=owner, circuit_id=circuit_of(owner, *legs, best_n=1).pk, label="End")
        # Ana 10, 6, (6); Bea 6, 10, 3; Cleo 10: Ana and Bea have a first place each, Ana two seconds, Bea one
        assert said(published) == [(1, "Ana", "10"), (2, "Bea", "10"), (3, "Cleo", "10")]
        assert published.rows[0]["why"]["key"] == "places"
        assert [leg["counts"] for leg in published.rows[1]["legs"]] == [False, True, False]

    def test_those_who_share_a_rank_have_the_mean(self, owner: Actor, players: list[Player]) -> None:
        ana, bea, cleo, _ = players
        championship = ChampionshipFactory(slug="level", partie_end="manches", partie_end_value=1)
        for one in (ana, bea, cleo):
            enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[one.pk])
        publish(actor=owner_of(championship), championship_id=championship.pk, label="Nobody played")
        published = publish_circuit(actor=owner, circuit_id=circuit_of(owner, championship).pk, label="End")
        assert {points for _, _, points in said(published)} == {str(Fraction(10 + 6 + 3, 3))}

    def test_clubs_have_the_sum_over_their_players(self, owner: Actor, players: list[Player]) -> None:
        here, there = ClubFactory(name="Ici"), ClubFactory(name="Là")
        for player, club in zip(players, (here, there, here, None), strict=True):
            player.club = club
            player.save()
        circuit = circuit_of(owner, finished("Pau", players), by="club")
        published = publish_circuit(actor=owner, circuit_id=circuit.pk, label="End")
        # Dua has no club, and still takes up her place
        assert said(published) == [(1, "Ici", "13"), (2, "Là", "6")]

    def test_both_players_of_a_team_have_the_points(self, owner: Actor, players: list[Player]) -> None:
        championship = ChampionshipFactory(slug="pairs", players_per_team=2, partie_end="manches", partie_end_value=1)
        actor = owner_of(championship)
        teams = [
            enter_players(actor=actor, championship_id=championship.pk, player_ids=[one.pk, other.pk])
            for one, other in (players[:2], players[2:])
        ]
        play(PartieFactory(championship=championship, entries=teams), 1, sheet(players_per_team=2))
        publish(actor=actor, championship_id=championship.pk, label="End")
        published = publish_circuit(actor=owner, circuit_id=circuit_of(owner, championship).pk, label="End")
        assert said(published) == [(1, "Ana", "10"), (1, "Bea", "10"), (3, "Cleo", "6"), (3, "Dua", "6")]

    def test_a_hidden_name_is_not_said(self, owner: Actor, players: list[Player]) -> None:
        Player.objects.filter(pk=players[0].pk).update(shown_as="hidden")
        published = publish_circuit(
            actor=owner, circuit_id=circuit_of(owner, finished("Pau", players[:2])).pk, label="End"
        )
        assert "Ana" not in json.dumps(published.rows)
        assert "Ana" not in json.dumps(published_document(published))

    def test_who_hides_goes_out_of_what_was_published_and_a_namesake_stays(
        self, owner: Actor, players: list[Player]
    ) -> None:
        ana, bea = players[:2]
        namesake = PlayerFactory(name="Ana", name_folded="ana")
        pau = finished("Pau", [ana, bea, namesake])
        change_player(actor=owner, player_id=bea.pk, version=None, changes={"name": "Bea Etxeberria"})
        published = publish_circuit(actor=owner, circuit_id=circuit_of(owner, pau).pk, label="End")
        assert [row["name"] for row in published.rows] == ["Ana", "Bea Etxeberria", "Ana"]
        for player in (ana, bea):
            change_player(actor=owner, player_id=player.pk, version=None, changes={"shown_as": "hidden"})
        published.refresh_from_db()
        assert [row["name"] for row in published.rows] == [f"Anonyme {ana.pk}", f"Anonyme {bea.pk}", "Ana"]
        assert "Bea" not in json.dumps(published_document(published))

    def test_what_is_in_draft_or_published_nothing_does_not_count(self, owner: Actor, players: list[Player]) -> None:
        draft = finished("Pau", players)
        Championship.objects.filter(pk=draft.pk).update(visibility="draft")
        circuit = circuit_of(owner, draft, ChampionshipFactory(slug="empty"))
        assert circuit_document(circuit)[1] == []
        with pytest.raises(Conflict) as refused:
            publish_circuit(actor=owner, circuit_id=circuit.pk, label="End")
        assert refused.value.code == "nothing-to-publish"

    def test_it_takes_four_queries_whatever_the_size(self, owner: Actor, players: list[Player]) -> None:
        circuit = circuit_of(owner, finished("Pau", players[:2]))
        found = []
        for name in ("Dax", "Tarbes"):
            with CaptureQueriesContext(connection) as queries:
                ranked_rows(circuit_document(circuit)[0])
            found.append(len(queries))
            add_leg(actor=owner, circuit_id=circuit.pk, championship_id=finished(name, players).pk)
        assert found == [4, 4]


class TestVersions:
    """Frozen, numbered, with what moved and why."""

    def test_a_correction_makes_a_new_version_that_says_what_moved(self, owner: Actor, players: list[Player]) -> None:
        pau = finished("Pau", players[:2])
        circuit = circuit_of(owner, pau)
        first = publish_circuit(actor=owner, circuit_id=circuit.pk, label="End")
        play(pau.parties.get(), 1, sheet({"A": 475, "B": 1000}), replaces=1, reason="Sides turned")
        with pytest.raises(Conflict) as refused:  # the championship has published nothing new
            publish_circuit(actor=owner, circuit_id=circuit.pk, label="Again")
        assert refused.value.code == "nothing-new"
        publish(actor=owner_of(pau), championship_id=pau.pk, label="End, corrected")
        publish_circuit(actor=owner, circuit_id=circuit.pk, label="Corrected")
        page = version_page(circuit=circuit, version=None)
        assert page is not None
        assert [(move.name, move.before, move.after) for move in page.moves] == [("Bea", 2, 1), ("Ana", 1, 2)]
        cause = page.causes[0]
        assert cause.what == "version"
        assert cause.counted is not None
        assert cause.before is not None
        assert (cause.counted.version, cause.before.version) == (2, 1)
        first.refresh_from_db()
        assert said(first)[0][1] == "Ana"
        assert [one.number for one in versions(circuit=circuit)] == [2, 1]

    def test_added_and_removed_championships_and_terms_are_causes(self, owner: Actor, players: list[Player]) -> None:
        pau, dax = finished("Pau", players[:2]), finished("Dax", players[:2])
        circuit = circuit_of(owner, pau)
        publish_circuit(actor=owner, circuit_id=circuit.pk, label="One")
        remove_leg(actor=owner, circuit_id=circuit.pk, leg_id=circuit.legs.get().pk)
        add_leg(actor=owner, circuit_id=circuit.pk, championship_id=dax.pk)
        change_circuit(actor=owner, circuit_id=circuit.pk, version=1, name=circuit.name, settings={"points": [5, 2]})
        publish_circuit(actor=owner, circuit_id=circuit.pk, label="Two")
        page = version_page(circuit=circuit, version=2)
        assert page is not None
        assert [cause.what for cause in page.causes] == ["added", "removed", "terms"]
        old = version_page(circuit=circuit, version=1)
        assert old is not None
        assert (old.moves, old.causes) == ((), ())

    def test_anybody_can_recompute_a_version(self, owner: Actor, players: list[Player]) -> None:
        circuit = circuit_of(owner, finished("Pau", players), finished("Dax", players[::-1]), best_n=1)
        published = publish_circuit(actor=owner, circuit_id=circuit.pk, label="End")
        done = subprocess.run(
            [sys.executable, "-m", "scoring", "rank", "-"],
            input=json.dumps(published_document(published)),
            capture_output=True,
            text=True,
            check=True,
        )
        rows = json.loads(done.stdout)["rows"]
        assert [(row["rank"], row["entry"]) for row in rows] == [(row["rank"], row["entry"]) for row in published.rows]

    def test_there_is_no_such_version(self, owner: Actor) -> None:
        circuit = circuit_of(owner)
        assert version_page(circuit=circuit, version=None) is None
        with pytest.raises(NotFound):
            version_page(circuit=circuit, version=1)


class TestMaking:
    """Who makes and changes it, and what is refused."""

    @pytest.mark.parametrize(
        ("settings", "code"),
        [
            ({"points": []}, "bad-points"),
            ({"points": [3, 5]}, "bad-points"),
            ({"points": [-1]}, "bad-points"),
            ({"points": [float("nan")]}, "bad-points"),
            ({"points": [0.1234567]}, "bad-points"),
            ({"best_n": 0}, "bad-best-n"),
            ({"by": "team"}, "bad-choice"),
            ({"visibility": "secret"}, "bad-choice"),
        ],
    )
    def test_settings_that_do_not_fit_are_refused(self, owner: Actor, settings: dict[str, object], code: str) -> None:
        with pytest.raises(UserFault) as refused:
            create_circuit(actor=owner, name="Tour", settings={"points": POINTS} | settings)
        assert refused.value.code == code

    def test_all_faults_come_at_once(self, owner: Actor) -> None:
        with pytest.raises(Faults) as refused:
            create_circuit(actor=owner, name="Tour", settings={"points": [], "best_n": 0})
        assert [fault.field for fault in refused.value.faults] == ["points", "best_n"]

    def test_an_address_is_taken_once_and_not_the_site_s_own(self, owner: Actor) -> None:
        create_circuit(actor=owner, name="Tour", settings={"points": POINTS})
        with pytest.raises(Conflict) as taken:
            create_circuit(actor=owner, name="Tour", settings={"points": POINTS})
        assert taken.value.code == "slug-taken"
        with pytest.raises(UserFault) as reserved:
            create_circuit(actor=owner, name="Mine", settings={"points": POINTS})
        assert reserved.value.code == "bad-slug"

    def test_a_change_of_another_version_is_stale(self, owner: Actor) -> None:
        circuit = circuit_of(owner)
        change_circuit(actor=owner, circuit_id=circuit.pk, version=1, name="Other", settings={})
        with pytest.raises(Stale):
            change_circuit(actor=owner, circuit_id=circuit.pk, version=1, name="Third", settings={})
        assert AuditEntry.objects.filter(action="change_circuit").get().after == {"name": "Other"}

    def test_its_order_can_be_changed_and_an_end_stays(self, owner: Actor, players: list[Player]) -> None:
        circuit = circuit_of(owner, *(ChampionshipFactory(slug=slug) for slug in ("a", "b", "c")))
        first, second, third = circuit.legs.order_by("position")
        move_leg(actor=owner, circuit_id=circuit.pk, leg_id=first.pk, down=True)
        move_leg(actor=owner, circuit_id=circuit.pk, leg_id=third.pk, down=True)
        assert [leg.slug for leg in legs_of(circuit=circuit)] == ["b", "a", "c"]
        remove_leg(actor=owner, circuit_id=circuit.pk, leg_id=second.pk)
        remove_leg(actor=owner, circuit_id=circuit.pk, leg_id=second.pk)
        add_leg(actor=owner, circuit_id=circuit.pk, championship_id=first.championship_id)
        assert [leg.slug for leg in legs_of(circuit=circuit)] == ["a", "c"]

    def test_a_draft_is_its_owner_s_and_staff_look(self, owner: Actor) -> None:
        circuit = circuit_of(owner, visibility="draft")
        staff, other = Actor(user=UserFactory(is_staff=True)), Actor(user=UserFactory())
        assert circuit_at(owner, circuit.slug) == circuit_at(staff, circuit.slug) == circuit
        for actor in (other, ANYBODY):
            with pytest.raises(NotFound):
                circuit_at(actor, circuit.slug)
        require_circuit(owner, circuit)
        require_circuit(staff, circuit, to_look=True)
        for actor in (staff, other, ANYBODY):
            with pytest.raises(NotPermitted):
                require_circuit(actor, circuit)
        assert public_circuits().items == []

    def test_only_championships_that_one_may_look_inside_of_are_offered(self, owner: Actor) -> None:
        assert owner.user is not None
        own = ChampionshipFactory(slug="own", owner=owner.user)
        ChampionshipFactory(slug="other")
        circuit = circuit_of(owner)
        assert addable(actor=owner, circuit=circuit) == [("own", own.name)]
        add_leg(actor=owner, circuit_id=circuit.pk, championship_id=own.pk)
        assert addable(actor=owner, circuit=circuit) == []
