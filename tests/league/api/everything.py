"""A championship with one of everything that has an address, and people of every kind who ask for it.

What tests that go through all addresses start from: those of rights, and those that hold the running site to its
document.
"""

from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from league.models import Championship, Club, ExternalKind, Player, PlayerMerge, Webhook
from league.policy import Actor
from league.services import waking
from league.services.confirmation import contest
from league.services.external_ids import name_thing
from league.services.merging import merge_players
from league.services.people import add_player
from league.services.renewal import renew_live_ranking
from league.services.webhook_messages import new_secret
from tests.factories import ChampionshipFactory, PlayerFactory, UserFactory, owner_of, play, sheet
from tests.league.api.program import Program
from tests.league.registering import opened, registered
from tests.league.table_cases import seen, side
from tests.league.test_circuits import finished

NDJSON = "application/x-ndjson"
WEBHOOK = "https://hooks.example.org/bornage"
DOUBLES = sheet({"A": 1000, "B": 475}, players_per_team=2)
"""A sheet of a table of two teams of two."""


@dataclass
class Everything:
    """The championship `everything`, one that is finished and in a circuit, and another one of the same owner.

    Round 1 is open, round 2 a draft. Partie 1, at table 1: manche 1, called `own`, is contested; manche 1 of
    partie 2 has a result. Entry 5 has withdrawn. `ids` holds what addresses need besides, by the names that they have
    there.
    """

    championship: Championship = field(init=False)
    finished: Championship = field(init=False)
    another: Championship = field(init=False)
    program: Program = field(init=False)
    ids: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Make it all. Nobody is told: no webhook is called, no worker woken."""
        owner = UserFactory(may_organise=True)
        settings = {"players_per_team": 2, "partie_end": "manches", "partie_end_value": 4}
        with mock.patch.object(waking, "ask"):
            self.championship = opened(
                name="Everything",
                slug="everything",
                owner=owner,
                substitution="named",
                confirmation="opponent",
                **settings,
            )
            self.another = ChampionshipFactory(name="Another", slug="another", owner=owner)
            self.program = Program(self.championship)
            self._people()
            self._rounds()
            self._results()
            self._finished()
            self._programs()

    @property
    def actor(self) -> Actor:
        """Who owns it all."""
        return owner_of(self.championship)

    def _people(self) -> None:
        post = self.program.post
        post("/api/v1/clubs", {"name": "Club", "external_id": "c"})
        first = {"name": "Ana Alda", "external_id": "p"}
        post("/entries", {"players": [first, {"name": "Bo Boga"}], "name": "Eins", "external_id": "e"})
        for one, other in (("Cy", "Di"), ("Ed", "Flo"), ("Gus", "Hana"), ("Ike", "Jo")):
            post("/entries", {"players": [{"name": one}, {"name": other}]})
        post("/entries/5/withdraw", {"reason": "Ill"})
        team = post("/teams", {"players": [{"name": "Lou"}, {"name": "Max"}], "external_id": "t"})
        named = post("/teams/~t/substitutes", {"player": {"name": "Nina", "external_id": "s"}})
        player = Player.objects.get(name="Ana Alda").pk
        merged = add_player(actor=self.actor, name="Anna Alda", homonym=True)
        merge_players(actor=self.actor, kept_id=player, merged_id=merged.pk, reason="One person")
        numbered = post("/api/v1/players/~p/numbers", {"system": "FFMB", "number": "7"})
        registered(self.championship, "Olga", "Pia")
        self.ids |= {
            "club": Club.objects.get(name="Club").slug,
            "team": team["id"],
            "player": player,
            "substitute": named["id"],
            "merge": PlayerMerge.objects.get(merged=merged).pk,
            "player_number": numbered["private"]["numbers"][0]["id"],
        }

    def _rounds(self) -> None:
        post = self.program.post
        post("/stages/plan", {"stages": [{"format": "swiss"}, {"format": "knockout", "qualify": 2}]})
        post("/rounds")
        post("/rounds/1/publish")
        post("/rounds/1/clock/set", {"minutes": 90, "at_end": "stop"})
        post("/rounds", {"anyway": True})
        post("/rounds/8/absences", {"entry": 1})
        post("/rounds/7/byes", {"entry": 2})

    def _results(self) -> None:
        partie = self.championship.parties.get(number=1)
        play(partie, 1, DOUBLES, actor=side(partie, "A"))
        contest(actor=side(partie, "B"), text="B had 500", **seen(partie))
        play(self.championship.parties.get(number=2), 1, DOUBLES)
        manche = partie.manches.get(number=1)
        named = {"kind": ExternalKind.MANCHE, "object_id": manche.pk, "external_id": "own"}
        name_thing(actor=self.actor, championship_id=self.championship.pk, **named)
        self.ids["dispute"] = manche.disputes.get().pk
        self.program.post("/rankings", {"label": "Now"})
        renew_live_ranking(championship_id=self.championship.pk)

    def _finished(self) -> None:
        owner = self.championship.created_by
        self.finished = finished("Finished", PlayerFactory.create_batch(2), owner=owner)
        post, at = self.program.post, "/api/v1/circuits"
        post(at, {"name": "Circuit", "points": [10, 6], "visibility": "public"})
        post(f"{at}/circuit/legs", {"championship": "finished"})
        post(f"{at}/circuit/rankings", {"label": "Now"})

    def _programs(self) -> None:
        webhook = Webhook.objects.create(
            championship=self.championship, url=WEBHOOK, secret=new_secret(), created_by=self.actor.user
        )
        message = self.program.post(f"/webhooks/{webhook.pk}/test")
        line = b'{"player":{"name":"Quentin"}}\n'
        headers = {"Authorization": self.program.header, "Prefer": "respond-async"}
        batches = "/api/v1/championships/everything/batches"
        with mock.patch("league.api.batches.wake_batch"):
            sent = self.program.client.post(batches, line, content_type=NDJSON, headers=headers)
        assert sent.status_code == 202, sent.content
        self.ids |= {"webhook": webhook.pk, "message": message["message_id"], "batch": sent.json()["id"]}
