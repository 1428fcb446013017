"""Usual formats that an organiser chooses in one step, and the stages that each is made of."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import CarryOver, Championship, Format, Ranks

PLANS: Final = {
    "swiss": gettext_lazy("Swiss: everybody plays every round, against whoever stands near"),
    "round_robin": gettext_lazy("Round robin: everybody meets everybody"),
    "pools": gettext_lazy("Pools, then a knock-out of the best"),
    "pools_final": gettext_lazy("Pools, then a final round robin or Swiss of the best, results among them kept"),
    "swiss_cut": gettext_lazy("Swiss, then a knock-out of the best"),
    "knockout": gettext_lazy("Knock-out: the first of each table go on"),
    "free": gettext_lazy("Free tables: each round is drawn by lot among whoever is there, or seated by hand"),
}
"""By the name that the form sends."""


def plans_for(championship: Championship) -> list[str]:
    """The usual formats that a championship can have."""
    if championship.ranks == Ranks.PLAYERS:
        return ["swiss", "free"]
    return [name for name in PLANS if name != "round_robin" or championship.table_entries == 2]


def plan_of(name: str, rounds: int, pools: int, through: int, championship: Championship) -> list[dict[str, Any]]:
    """The stages of a usual format. Knock-outs let half of a table of four go on, else the first."""
    robin = championship.table_entries == 2
    swiss = {"name": _("Swiss"), "format": Format.SWISS, "rounds_planned": rounds}
    in_pools = {"name": _("Pools"), "pools": pools, "format": Format.ROUND_ROBIN if robin else Format.SWISS}
    if not robin:
        in_pools["rounds_planned"] = rounds
    knockout = {
        "name": _("Final stage"),
        "format": Format.KNOCKOUT,
        "table_qualify": 2 if championship.table_entries == 4 else 1,
    }
    final = {
        "name": _("Final stage"),
        "format": Format.ROUND_ROBIN if robin else Format.SWISS,
        "rounds_planned": None if robin else rounds,
        "qualify": through,
        "carry_over": CarryOver.QUALIFIED,
    }
    plans: dict[str, list[dict[str, Any]]] = {
        "swiss": [swiss],
        "round_robin": [{"name": _("Round robin"), "format": Format.ROUND_ROBIN}],
        "pools": [in_pools, knockout | {"qualify": through}],
        "pools_final": [in_pools, final],
        "swiss_cut": [swiss, knockout | {"qualify": through}],
        "knockout": [knockout | {"name": _("Knock-out")}],
    }
    return plans.get(name, [])
