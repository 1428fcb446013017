"""Every page of the site, and a championship of any size in which each of them has something to show.

The addresses come from the resolver, so a new page is found by itself: what its address names stands in `World.said`,
and what is no page that can be asked for stands in `LEFT_OUT` with the reason.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.urls import URLPattern, get_resolver, reverse
from django.utils.translation import override

from engine.notation import to_document
from engine.simulate import simulate
from league.models import Championship, Circuit, MailAddress, Membership, Partie, User
from league.policy import Actor, SideOfTable
from league.services.check_in import check_in
from league.services.circuits import add_leg, create_circuit, publish_circuit
from league.services.confirmation import contest
from league.services.deliveries import new_delivery
from league.services.draws import draw_round
from league.services.imports import keep_list
from league.services.parties import close_partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.rounds import publish_round
from league.services.rulings import confirm
from league.services.stage_starts import start_stage
from league.services.stages import plan_stages
from league.services.tokens import create_token
from league.services.webhooks import make_webhook, pause_webhook
from league.table_codes import table_code
from tests.factories import ChampionshipFactory, EntryFactory, UserFactory, play
from tests.staging import of_pairs

LEFT_OUT = {
    "sign-out": "only takes what is sent",
    "organise-sheet-score": "only takes what is sent",
    "table-sheet-score": "only takes what is sent",
    "claim-player": "only takes what is sent",
    "first-account": "only on a site without accounts",
    "registration": "a secret that is sent by mail",
    "claim-link": "a secret that is sent by mail",
    "invitation": "a secret that is sent by mail",
    "password_reset_confirm": "a secret that is sent by mail",
    "organise-go": "leads on to another page",
}
ANYBODY = {"sign-in"}
"""Pages for whoever is not signed in."""


class World:
    """A championship with `size` of everything: a round played, the next one drawn, one of each kind of trouble."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.owner: User = UserFactory()
        self.actor = Actor(user=self.owner, ip="192.0.2.7", request_id="test")
        self.slug = f"with-{size}"
        self.championship = self._championship(self.slug)
        self.undrawn = self._championship(f"undrawn-{size}")
        self._play_a_round()
        self._trouble()
        self._beside()
        self.circuit = self._circuit()
        for one in (self.championship, self.undrawn):
            renew_live_ranking(championship_id=one.pk)

    def _championship(self, slug: str) -> Championship:
        made: Championship = ChampionshipFactory(
            owner=self.owner,
            slug=slug,
            players_per_team=2,
            partie_end="referee",
            partie_end_value=None,
            confirmation="opponent",
            substitution="free",
            allow_short_tables=False,
        )
        for entry in EntryFactory.create_batch(2 * self.size, championship=made):
            check_in(actor=self.actor, entry_id=entry.pk)
        (stage,) = plan_stages(
            actor=self.actor,
            championship_id=made.pk,
            plan=[{"name": "Swiss", "format": "swiss", "rounds_planned": 3}],
        )
        start_stage(actor=self.actor, stage_id=stage.pk, version=stage.version, order="number")
        self._draw(made)
        return made

    def _draw(self, championship: Championship, *, published: bool = True) -> None:
        drawn = draw_round(actor=self.actor, championship_id=championship.pk, anyway=True)
        if published:
            publish_round(actor=self.actor, round_id=drawn.pk, version=drawn.version, postpone_open="They still play")

    def _play_a_round(self) -> None:
        first, *others = self.championship.parties.order_by("number")
        for partie in others[:-1]:
            self._hand_in(partie, 1)
            close_partie(actor=self.actor, partie_id=partie.pk, version=None, reason="Time")
        for number in range(1, self.size + 1):
            self._hand_in(first, number)
        for version in range(1, self.size):
            self._hand_in(first, 1, {"A": 1000, "B": 25 * version}, reason="Misread", replaces=version)
        publish(actor=self.actor, championship_id=self.championship.pk, label="First")
        for number in range(1, self.size + 1):
            self._hand_in(first, 2, {"A": 25 * number, "B": 1000}, reason="Turned", replaces=number)
            publish(actor=self.actor, championship_id=self.championship.pk, label=f"V{number}")
        self.first, self.last = first, others[-1]

    def _hand_in(self, partie: Partie, number: int, km: dict[str, int] | None = None, **how: Any) -> None:
        play(partie, number, of_pairs(km), actor=self.actor, **how)
        manche = partie.manches.select_related("current_result").get(number=number)
        if manche.current is not None and manche.current.state == "pending":
            confirm(actor=self.actor, manche_id=manche.pk, version=manche.current.version)

    def _trouble(self) -> None:
        """Refused documents, a contested result, a draft of the next round."""
        log = to_document(simulate("classique", 2, 2, "every page"))
        play(self.last, 1, log, actor=self._side("A"))
        for km in range(1, self.size + 1):
            play(self.last, 2, of_pairs({"A": 1000, "B": km}), actor=self.actor)
        manche = self.last.manches.get(number=1)
        contest(actor=self._side("B"), manche_id=manche.pk, version=1, text="No")
        self.dispute = manche.disputes.get()
        self.attempt = self.last.attempts.earliest("pk")
        self._draw(self.championship, published=False)

    def _side(self, label: str) -> Actor:
        at = SideOfTable(self.championship.pk, self.last.pk, self.last.number, label)
        return Actor(at=at, ip="192.0.2.9")

    def _beside(self) -> None:
        """Lists from files, more organisers, more accounts' things."""
        rows = "".join(f"Nouvelle Équipe {n};Ana N{n};Zoé N{n}\n" for n in range(self.size))
        for number in range(self.size):
            self.list = keep_list(
                actor=self.actor,
                championship_id=self.championship.pk,
                file_name=f"{number}.csv",
                body=("Équipe;Nom 1;Nom 2\n" + rows).encode(),
            )
            Membership.objects.create(user=UserFactory(), championship=self.championship, role="organiser")
            create_token(actor=self.actor, user=self.owner, name=f"T{number}", scopes=["hand_in"])
            MailAddress.objects.create(
                championship=self.championship, user=self.owner, name="M", secret_sha256=f"{self.size}.{number}"
            )
        self._webhooks()
        self.player = self.first.seats.earliest("label").entry.team.players.earliest("pk")
        self.other = self.last.seats.earliest("label").entry.team.players.earliest("pk")
        self.player.user = self.owner
        self.player.save()

    def _webhooks(self) -> None:
        """Paused from the first moment, so that nobody sends what they have."""
        for number in range(self.size):
            url = f"https://hooks.example.org/{number}"
            with transaction.atomic():
                self.webhook = make_webhook(actor=self.actor, championship_id=self.championship.pk, url=url)
                pause_webhook(actor=self.actor, webhook_id=self.webhook.pk, version=None)
        for position in range(self.size):
            body: dict[str, Any] = {"championship": self.slug, "items": [], "next": ""}
            tried = {
                "at": "2026-01-05T12:00:00+00:00",
                "seconds": 0.2,
                "status": 500,
                "error": "status",
                "answer": "No",
            }
            delivery = new_delivery(self.webhook, "changes", body, position=position, by_hand=True)
            delivery.attempts, delivery.status, delivery.error = [tried], 500, "status"
            delivery.state, delivery.next_at = "given-up", None
            delivery.save()

    def _circuit(self) -> Circuit:
        circuit = create_circuit(
            actor=self.actor, name=f"Tour {self.size}", settings={"points": [3, 2, 1], "visibility": "public"}
        )
        add_leg(actor=self.actor, circuit_id=circuit.pk, championship_id=self.championship.pk)
        publish_circuit(actor=self.actor, circuit_id=circuit.pk, label="End")
        return circuit

    def said(self, name: str) -> Mapping[str, Any]:
        """What the address of a page names, by the name of the page."""
        usual = {
            "slug": self.slug,
            "number": 1,
            "manche": 1,
            "version": 1,
            "stage": 1,
            "kind": "sheet",
            "ending": "csv",
            "what": "tables",
            "rulebook": "classique",
            "teams": 2,
            "players": 2,
            "player_id": self.player.pk,
            "other_id": self.other.pk,
            "import_id": self.list.pk,
            "attempt_id": self.attempt.pk,
            "dispute_id": self.dispute.pk,
            "webhook_id": self.webhook.pk,
            "code": table_code(self.last),
        }
        if name == "organise-draw":
            return usual | {"slug": self.undrawn.slug}
        if name in ("table-sheet", "table-log"):
            return usual | {"code": table_code(self.undrawn.parties.get(number=1))}
        if "circuit" in name:
            return usual | {"slug": self.circuit.slug}
        if name == "document":
            return usual | {"ending": "json"}
        if name == "moves":
            return usual | {"number": self.last.number}
        return usual


def routes() -> Iterator[tuple[str, list[str]]]:
    """Every page below a language: its name, and what its address names."""

    def below(patterns: list[Any], names: list[str], path: str) -> Iterator[tuple[str, list[str], str]]:
        for one in patterns:
            here, to = [*names, *one.pattern.converters], path + str(one.pattern)
            if isinstance(one, URLPattern):
                yield str(one.name), here, to
            else:
                yield from below(one.url_patterns, here, to)

    with override("en"):
        for name, said, path in below(get_resolver().url_patterns, [], ""):
            if path.startswith("en/"):
                yield name, said


ROUTES = dict(routes())


def address_of(world: World, name: str, **other: Any) -> str:
    """The English address of a page in a world."""
    said = {**world.said(name), **other}
    with override("en"):
        return reverse(name, kwargs={one: said[one] for one in ROUTES[name]})
