"""A person anonymised: the name is nowhere any more, and the results stay."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from league.errors import Conflict, NotFound
from league.models import (
    AuditEntry,
    Batch,
    BatchItem,
    Championship,
    Entry,
    ListImport,
    Membership,
    Player,
    PlayerMerge,
    PublishedRow,
    Registration,
    RegistrationState,
    Role,
    Webhook,
)
from league.policy import ANYBODY, Actor
from league.selectors.classement import document
from league.selectors.player_rights import may_anonymise, may_change_player
from league.services.anonymising import JSON, TEXTS, anonymise
from league.services.claims import make_claim_code
from league.services.deliveries import new_delivery
from league.services.entries import enter_players, penalise_entry, rename_team
from league.services.merging import merge_players, undo_merge
from league.services.numbers import add_number
from league.services.people import add_player, change_player
from league.services.publishing import publish
from league.services.webhook_messages import new_secret
from tests.factories import ChampionshipFactory, ClubFactory, PartieFactory, PlayerFactory, UserFactory, owner_of, play

pytestmark = pytest.mark.django_db

NAME, FORMER, ADDRESS = "Quetzalcoatl Çelik", "Xanthippe Martin", "zoe-private@example.org"


def rows() -> str:
    """Every row of every table, as text, but accounts."""
    told = []
    for model in apps.get_app_config("league").get_models():
        if model.__name__ != "User":
            told += [json.dumps(row, default=str, ensure_ascii=False) for row in model._default_manager.values()]
    return "\n".join(told)


class World:
    """Somebody who was renamed, entered, published, registered, penalised with their name in the reason."""

    def __init__(self) -> None:
        self.championship: Championship = ChampionshipFactory()
        self.actor = owner_of(self.championship)
        self.user = UserFactory()
        club = ClubFactory()
        self.player = add_player(actor=self.actor, name=FORMER, email=ADDRESS, licence="LIC-999", club_id=club.pk)
        self.change(name=NAME)
        self.entry = self.enter(self.player)
        self.other = self.enter(PlayerFactory(name="Ana Etxeberria"))
        self.partie = PartieFactory(championship=self.championship, entries=[self.entry, self.other])
        play(self.partie)
        penalise_entry(actor=self.actor, entry_id=self.entry.pk, points=1, reason=f"{NAME.upper()} was late")
        publish(actor=self.actor, championship_id=self.championship.pk, label="Now", note=f"{NAME}, first; Quetz, last")
        rename_team(actor=self.actor, team_id=self.entry.team_id, version=None, name=f"Team {NAME}")
        add_number(actor=self.actor, player_id=self.player.pk, system="FFMB", number="7654321")
        make_claim_code(actor=self.actor, player_id=self.player.pk)
        Player.objects.filter(pk=self.player.pk).update(user=self.user)
        self.register()
        self.tell_programs()

    def enter(self, player: Player) -> Entry:
        return enter_players(actor=self.actor, championship_id=self.championship.pk, player_ids=[player.pk])

    def change(self, **changes: Any) -> None:
        change_player(actor=self.actor, player_id=self.player.pk, version=None, changes=changes)

    def register(self) -> None:
        typed = {"name": NAME, "club": "", "licence": "LIC-999", "email": ADDRESS}
        Registration.objects.create(
            championship=self.championship,
            position=1,
            players=[typed, {"name": "Ana Etxeberria", "email": "ana@example.org"}],
            note=f"{NAME} comes late",
            state=RegistrationState.ACCEPTED,
            entry=self.entry,
            token_sha256="0" * 64,
            decided_at=timezone.now(),
        )
        lines = [{"number": 2, "players": [{"name": NAME, "email": ADDRESS, "licence": "LIC-999"}]}]
        ListImport.objects.create(championship=self.championship, file_name="a.csv", lines=lines, by=self.user)

    def tell_programs(self) -> None:
        """A webhook was told of them, a batch answered with what is private of them."""
        webhook = Webhook.objects.create(
            championship=self.championship, url="https://hooks.example.org/", secret=new_secret(), created_by=self.user
        )
        new_delivery(webhook, "changes", {"items": [{"kind": "entry", "data": {"team": NAME}}]})
        batch = Batch.objects.create(user=self.user, item_count=1, lanes=1)
        told = {"status": 201, "data": {"name": NAME, "private": {"email": ADDRESS, "licence": "LIC-999"}}}
        BatchItem.objects.create(batch=batch, line=1, body=b"", state="saved", answer=told)


@pytest.fixture
def world() -> World:
    return World()


def test_the_name_is_in_no_row_any_more(world: World) -> None:
    assert all(text in rows() for text in (NAME, FORMER, ADDRESS, "LIC-999", "7654321"))

    done = anonymise(actor=world.actor, player_id=world.player.pk)

    said = rows().casefold()
    for text in ("quetzalcoatl", "xanthippe", ADDRESS, "lic-999", "7654321"):
        assert text not in said, text
    assert (done.name, done.user, done.club, done.numbers.count()) == (f"Anonyme {done.pk}", None, None, 0)
    assert "Ana Etxeberria" in rows()
    assert "ana@example.org" in rows()
    assert "Quetz, last" in rows()


def test_results_stay(world: World) -> None:
    before = document(world.championship)
    frozen = list(PublishedRow.objects.order_by("pk").values_list("number", "rank", "values", "why"))
    anonymise(actor=world.actor, player_id=world.player.pk)
    after = document(world.championship)
    names = [entry.pop("name") for entry in after["entries"]]
    assert names == [f"Anonyme {world.player.pk}", "Ana Etxeberria"]
    assert [entry.pop("name") for entry in before["entries"]] == [f"Team {NAME}", "Ana Etxeberria"]
    assert after == before
    assert list(PublishedRow.objects.order_by("pk").values_list("number", "rank", "values", "why")) == frozen


def test_the_audit_keeps_that_something_changed(world: World) -> None:
    entries = AuditEntry.objects.filter(object_type="player", object_id=world.player.pk).order_by("pk")
    before = list(entries.values_list("action", "user", "at"))
    anonymise(actor=world.actor, player_id=world.player.pk)
    assert list(entries.values_list("action", "user", "at"))[: len(before)] == before
    assert entries.get(action="change_player").after == {"name": f"Anonyme {world.player.pk}"}
    assert entries.get(action="anonymise").after == {"anonymised": True}


def test_twice_it_does_nothing_more(world: World) -> None:
    anonymise(actor=world.actor, player_id=world.player.pk)
    again = anonymise(actor=world.actor, player_id=world.player.pk)
    assert AuditEntry.objects.filter(action="anonymise").count() == 1
    with pytest.raises(Conflict, match="profile-gone"):
        change_player(actor=world.actor, player_id=again.pk, version=None, changes={"name": NAME})
    with pytest.raises(Conflict, match="profile-gone"):
        make_claim_code(actor=world.actor, player_id=again.pk)


def test_nobody_who_is_not_there() -> None:
    with pytest.raises(NotFound):
        anonymise(actor=ANYBODY, player_id=10**6)


def test_a_profile_that_went_into_it_goes_with_it_and_does_not_come_back(world: World) -> None:
    twin = add_player(actor=world.actor, name="Quetzalcoatl Zubiri", email="twin@example.org", homonym=True)
    merged = merge_players(actor=world.actor, kept_id=world.player.pk, merged_id=twin.pk)
    with pytest.raises(Conflict, match="profile-gone"):
        anonymise(actor=world.actor, player_id=twin.pk)
    anonymise(actor=world.actor, player_id=world.player.pk)
    assert "Zubiri" not in rows()
    assert "twin@example.org" not in rows()
    assert PlayerMerge.objects.get().moved == {}
    with pytest.raises(Conflict, match="cannot-undo"):
        undo_merge(actor=world.actor, merge_id=merged.pk)


def test_what_speaks_of_somebody_else_of_the_same_name_stays(world: World) -> None:
    namesake = add_player(actor=world.actor, name=NAME, email="other@example.org", homonym=True)
    entry = world.enter(namesake)
    anonymise(actor=world.actor, player_id=world.player.pk)
    namesake.refresh_from_db()
    assert (namesake.name, Entry.objects.get(pk=entry.pk).team.name) == (NAME, NAME)
    own = AuditEntry.objects.get(object_type="player", object_id=namesake.pk)
    assert own.after is not None
    assert own.after["name"] == NAME
    assert Entry.objects.get(pk=world.entry.pk).team.name == f"Anonyme {world.player.pk}"
    assert PublishedRow.objects.filter(entry=world.entry, name__contains="Quetzalcoatl").count() == 0


def test_the_columns_in_which_people_write_are_there() -> None:
    for model, columns in (*TEXTS.items(), *JSON.items()):
        fields = {field.name for field in apps.get_model("league", model)._meta.get_fields()}
        assert set(columns) <= fields, model


class TestRights:
    """Who may change a player, and who may take the name away."""

    @pytest.mark.parametrize(
        ("role", "may_change", "may_take"),
        [
            (Role.OWNER, True, True),
            (Role.ORGANISER, True, False),
            (Role.REFEREE, False, False),
            (Role.SCORER, False, False),
            (Role.AUDITOR, False, False),
        ],
    )
    def test_by_role(self, world: World, role: str, may_change: bool, may_take: bool) -> None:
        actor = Actor(user=UserFactory())
        Membership.objects.create(user=actor.user, championship=world.championship, role=role)
        assert may_change_player(actor=actor, player_id=world.player.pk) is may_change
        assert may_anonymise(actor=actor, player_id=world.player.pk) is may_take

    def test_others(self, world: World) -> None:
        player_id = world.player.pk
        strangers = owner_of(ChampionshipFactory())
        assert not may_change_player(actor=strangers, player_id=player_id)
        assert not may_anonymise(actor=strangers, player_id=player_id)
        assert not may_change_player(actor=ANYBODY, player_id=player_id)
        staff = Actor(user=UserFactory(is_staff=True))
        assert may_change_player(actor=staff, player_id=player_id)
        assert may_anonymise(actor=staff, player_id=player_id)
        self_ = Actor(user=world.user)
        assert not may_change_player(actor=self_, player_id=player_id)
        assert may_anonymise(actor=self_, player_id=player_id)
        maker = Actor(user=UserFactory())
        made = add_player(actor=maker, name="Cy", homonym=True)
        assert may_change_player(actor=maker, player_id=made.pk)
        assert not may_anonymise(actor=maker, player_id=made.pk)
        closed = Actor(user=UserFactory(is_staff=True, is_active=False))
        assert not may_change_player(actor=closed, player_id=player_id)
        assert not may_anonymise(actor=closed, player_id=player_id)
