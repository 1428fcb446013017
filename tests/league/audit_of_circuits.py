"""What services do to circuits, for the test that each of them is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Circuit, CircuitLeg
from league.services import circuits
from league.services.publishing import publish
from tests.factories import ChampionshipFactory, PartieFactory, play

Tried = Callable[[Any], Any]


def _made(hall: Any) -> Circuit:
    circuit: Circuit = hall.do(circuits.create_circuit, name="Grand tour", settings={"points": [10, 6, 3]})
    return circuit


def _changed(hall: Any) -> Any:
    circuit = _made(hall)
    return hall.do(
        circuits.change_circuit, circuit_id=circuit.pk, version=None, name="Petit tour", settings={"best_n": 3}
    )


def _leg(hall: Any, circuit: Circuit | None = None) -> CircuitLeg:
    """A championship of the circuit, whose ranking is published."""
    circuit = circuit or _made(hall)
    cup = ChampionshipFactory(owner=hall.actor.user, partie_end="manches", partie_end_value=1)
    play(PartieFactory(championship=cup))
    hall.do(publish, championship_id=cup.pk, label="End")
    leg: CircuitLeg = hall.do(circuits.add_leg, circuit_id=circuit.pk, championship_id=cup.pk)
    return leg


def _without(hall: Any) -> Any:
    leg = _leg(hall)
    return hall.do(circuits.remove_leg, circuit_id=leg.circuit_id, leg_id=leg.pk)


def _moved(hall: Any) -> Any:
    first = _leg(hall)
    _leg(hall, first.circuit)
    return hall.do(circuits.move_leg, circuit_id=first.circuit_id, leg_id=first.pk, down=True)


DONE: dict[str, Tried] = {
    "add_leg": _leg,
    "change_circuit": _changed,
    "create_circuit": _made,
    "move_leg": _moved,
    "publish_circuit": lambda hall: hall.do(
        circuits.publish_circuit, circuit_id=_leg(hall).circuit_id, label="After one day"
    ),
    "remove_leg": _without,
}
