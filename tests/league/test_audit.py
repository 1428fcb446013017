"""Every service that changes something writes who did what, from where, with what was before and what is now."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps

from league import services
from league.models import AuditEntry, Bye, Championship, Manche, Partie
from league.policy import Actor
from league.services import (
    accounts,
    championships,
    entries,
    imports,
    parties,
    people,
    profile,
    publishing,
    results,
    rulings,
    tokens,
)
from league.services.audit import changes
from league.web.organiser.deed_details import OTHER_NAMES
from tests.factories import (
    ChampionshipFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    as_bytes,
    play,
    sheet,
)
from tests.league import (
    audit_before_the_day,
    audit_of_circuits,
    audit_of_mail,
    audit_of_people,
    audit_of_results,
    audit_of_rounds,
    audit_of_tables,
    audit_of_webhooks,
)
from tests.league.table_cases import enter, table

pytestmark = pytest.mark.django_db

PASSWORD = "a phrase that nobody guesses"
WRONG = {"A": 1, "B": 2}


def of_services() -> dict[str, Callable[..., Any]]:
    """Every public function of league.services that is told who acts, by name."""
    found = {}
    for module in pkgutil.iter_modules(services.__path__):
        loaded = importlib.import_module(f"league.services.{module.name}")
        for name, function in vars(loaded).items():
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != loaded.__name__:
                continue
            actor = inspect.signature(function).parameters.get("actor")
            if actor is not None and actor.kind is inspect.Parameter.KEYWORD_ONLY:
                assert name not in found, f"two services are called {name}"
                found[name] = function
    for name in ("record", "name_thing"):  # the audit itself; what programs call things changes nothing for people
        del found[name]
    return found


class Hall:
    """What the services are tried on: a championship with a partie, and its owner behind one request."""

    def __init__(self, **settings: Any) -> None:
        self.championship: Championship = ChampionshipFactory(**settings)
        self.actor = Actor(user=self.championship.created_by, ip="192.0.2.7", request_id="request-7")
        self.entries = EntryFactory.create_batch(2, championship=self.championship)
        self.partie: Partie = PartieFactory(championship=self.championship, entries=self.entries)
        self.spare = EntryFactory(championship=self.championship)

    @property
    def manche(self) -> Manche:
        return self.partie.manches.get(number=1)

    def handed_in(self, **changed: Any) -> "Hall":
        play(self.partie, 1, sheet(**changed))
        return self

    def handed_in_by_a_side(self) -> "Hall":
        enter(self.partie, "A")
        return self

    def do(self, service: Callable[..., Any], **how: Any) -> Any:
        return service(actor=self.actor, **how)

    def on_championship(self, service: Callable[..., Any], **how: Any) -> Any:
        return self.do(service, championship_id=self.championship.pk, **how)

    def on_partie(self, service: Callable[..., Any], **how: Any) -> Any:
        return self.do(service, partie_id=self.partie.pk, **how)

    def on_manche(self, service: Callable[..., Any], **how: Any) -> Any:
        return self.do(service, manche_id=self.manche.pk, version=1, **how)


def reopened(hall: Hall) -> Any:
    hall.on_partie(parties.void_partie, version=None, reason="R")
    return hall.on_partie(parties.reopen_partie, version=None, reason="R")


def reinstated(hall: Hall) -> Any:
    hall.handed_in().on_manche(rulings.void_manche, reason="R")
    return hall.on_manche(rulings.reinstate_manche, reason="R")


def back_in(hall: Hall) -> Any:
    hall.do(entries.withdraw, entry_id=hall.spare.pk, reason="R")
    return hall.do(entries.reinstate, entry_id=hall.spare.pk, reason="R")


def resumed(hall: Hall) -> Any:
    finished(hall)
    return hall.on_championship(championships.resume_championship, version=None, reason="R")


def finished(hall: Hall) -> Any:
    hall.on_partie(parties.void_partie, version=None, reason="R")
    return hall.on_championship(championships.finish_championship, version=None)


def accepted(hall: Hall) -> Any:
    _invitation, token = hall.on_championship(accounts.invite, email="new@example.org", link=str)
    return hall.do(accounts.accept_invitation, token=token, display_name="New", password=PASSWORD)


def removed(hall: Hall) -> Any:
    membership = accepted(hall)
    return hall.do(accounts.remove_organiser, membership_id=membership.pk)


def bye_removed(hall: Hall) -> Any:
    bye: Bye = hall.do(parties.add_bye, entry_id=hall.spare.pk, round=1)
    return hall.do(parties.remove_bye, bye_id=bye.pk, reason="R")


def revoked(hall: Hall) -> Any:
    token, _text = hall.do(tokens.create_token, user=hall.actor.user, name="Hall", scopes=["read"])
    return hall.do(tokens.revoke_token, token_id=token.pk)


def first_account(hall: Hall) -> Any:
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patched:
        patched.setattr(accounts, "needs_first_account", lambda: True)
        return hall.do(accounts.create_first_account, email="x@example.org", display_name="X", password=PASSWORD)


DONE: dict[str, Callable[[Hall], Any]] = {
    "accept_invitation": accepted,
    "add_bye": lambda hall: hall.do(parties.add_bye, entry_id=hall.spare.pk, round=1),
    "add_club": lambda hall: hall.do(people.add_club, name="Club des Bornes"),
    "add_player": lambda hall: hall.do(people.add_player, name="Ane", email="ane@example.org"),
    "add_team": lambda hall: hall.on_championship(entries.add_team, player_ids=[PlayerFactory().pk]),
    "change_championship": lambda hall: hall.on_championship(
        championships.change_championship, version=None, settings={"name": "Another"}
    ),
    "change_keys": lambda hall: hall.on_championship(
        championships.change_keys, version=None, settings={"tie_breaks": ["km"]}, reason="R"
    ),
    "change_player": lambda hall: hall.do(
        people.change_player, player_id=PlayerFactory().pk, version=None, changes={"email": "other@example.org"}
    ),
    "change_profile": lambda hall: hall.do(profile.change_profile, display_name="Another", email="a@example.org"),
    "close_partie": lambda hall: hall.on_partie(parties.close_partie, version=None, reason="R"),
    "confirm": lambda hall: hall.handed_in_by_a_side().on_manche(rulings.confirm),
    "create_championship": lambda hall: hall.do(
        championships.create_championship,
        name="New",
        slug="new",
        settings={"rulebook": "classique", "decided_by": "points", "partie_end": "referee"},
    ),
    "create_first_account": first_account,
    "create_token": lambda hall: hall.do(tokens.create_token, user=hall.actor.user, name="Hall", scopes=["read"]),
    "enter": lambda hall: hall.do(
        entries.enter, team_id=hall.on_championship(entries.add_team, player_ids=[PlayerFactory().pk]).pk
    ),
    "enter_players": lambda hall: hall.on_championship(entries.enter_players, player_ids=[PlayerFactory().pk]),
    "finish_championship": finished,
    "hand_in": lambda hall: hall.on_partie(results.hand_in, number=1, body=as_bytes(sheet())),
    "invite": lambda hall: hall.on_championship(accounts.invite, email="new@example.org", link=str),
    "make_organiser": lambda hall: hall.do(
        accounts.make_organiser, email="bo@example.org", display_name="Bo", password=PASSWORD
    ),
    "open_or_close_account": lambda hall: hall.do(
        accounts.open_or_close_account, user_id=UserFactory().pk, is_open=False
    ),
    "open_partie": lambda hall: hall.on_championship(
        parties.open_partie, entry_ids=[hall.spare.pk, EntryFactory(championship=hall.championship).pk], round=1
    ),
    "penalise": lambda hall: hall.handed_in().on_manche(rulings.penalise, label="A", points=5, reason="R"),
    "penalise_entry": lambda hall: hall.do(entries.penalise_entry, entry_id=hall.spare.pk, points=5, reason="R"),
    "publish": lambda hall: hall.on_championship(publishing.publish, label="Round 1"),
    "reinstate": back_in,
    "reinstate_manche": reinstated,
    "remove_bye": bye_removed,
    "remove_organiser": removed,
    "rename_team": lambda hall: hall.do(
        entries.rename_team, team_id=hall.spare.team_id, version=None, name="Another name"
    ),
    "reopen_partie": reopened,
    "resume_championship": resumed,
    "revoke_token": revoked,
    "rule_forfeit": lambda hall: hall.on_partie(
        parties.rule_forfeit, entry_id=hall.entries[0].pk, version=None, reason="R"
    ),
    "set_password": lambda hall: hall.do(profile.set_password, password=PASSWORD),
    "settle_claim": lambda hall: hall.handed_in(claim=WRONG).on_manche(
        rulings.settle_claim, how="computed", reason="R"
    ),
    "void_manche": lambda hall: hall.handed_in().on_manche(rulings.void_manche, reason="R"),
    "void_partie": lambda hall: hall.on_partie(parties.void_partie, version=None, reason="R"),
    "withdraw": lambda hall: hall.do(entries.withdraw, entry_id=hall.spare.pk, reason="R"),
}

ROOMS = (
    audit_before_the_day,
    audit_of_circuits,
    audit_of_mail,
    audit_of_people,
    audit_of_results,
    audit_of_rounds,
    audit_of_tables,
    audit_of_webhooks,
)
for room in ROOMS:
    DONE |= room.DONE

MADE_ANEW = {
    "enter_players": "enter",
    **audit_before_the_day.MADE_ANEW,
    **audit_of_people.MADE_ANEW,
    **audit_of_results.MADE_ANEW,
    **audit_of_rounds.MADE_ANEW,
    **audit_of_tables.MADE_ANEW,
}
"""Services that consist of others and are audited under their names."""

WITHOUT_STATE = {"set_password"} | audit_of_people.WITHOUT_STATE
"""What changed is nobody's business."""


def test_every_service_that_is_told_who_acts_is_tried_here() -> None:
    assert set(of_services()) == set(DONE)


@pytest.mark.parametrize("service", sorted(DONE))
def test_a_service_writes_down_who_did_what(service: str) -> None:
    hall = Hall(confirmation="organiser" if service == "confirm" else "at_once")
    AuditEntry.objects.all().delete()

    DONE[service](hall)

    entry = AuditEntry.objects.filter(action=MADE_ANEW.get(service, service)).latest("pk")
    assert (entry.ip, entry.request_id) == ("192.0.2.7", "request-7")
    if service in audit_of_tables.BY_A_SIDE:
        assert (entry.user, entry.via) == (None, "1/B")
    elif service != "accept_invitation":  # whose actor is the one who was invited
        assert (entry.user, entry.via) == (hall.actor.user, "")
    assert entry.object_id
    assert service in WITHOUT_STATE or entry.before is not None or entry.after is not None
    assert (entry.before or {}) != (entry.after or {}) or service in WITHOUT_STATE
    assert "@" not in f"{entry.before}{entry.after}"
    assert set(names_without_words()) == set()


def names_without_words() -> Iterator[tuple[str, str]]:
    """What stands in the audit under a name that is neither a field of its row nor said in words."""
    for entry in AuditEntry.objects.all():
        model = apps.get_model("league", entry.object_type)
        fields = {name for field in model._meta.fields for name in (field.name, field.attname)}
        for name in {**(entry.before or {}), **(entry.after or {})}:
            if name not in fields and name not in OTHER_NAMES:
                yield entry.action, name


def _asks_why(name: str) -> bool:
    reason = inspect.signature(of_services()[name]).parameters.get("reason")
    return reason is not None and reason.default is inspect.Parameter.empty


@pytest.mark.parametrize("service", [name for name in sorted(DONE) if _asks_why(name)])
def test_a_ruling_keeps_its_reason(service: str) -> None:
    DONE[service](Hall())
    assert AuditEntry.objects.filter(action=MADE_ANEW.get(service, service)).latest("pk").reason == "R"


def test_a_correction_shows_both_versions() -> None:
    hall = Hall().handed_in()
    play(hall.partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
    entry = AuditEntry.objects.get(action="correct")
    assert entry.before is not None
    assert entry.after is not None
    assert (entry.before["version"], entry.after["version"], entry.reason) == (1, 2, "Misread")


def test_a_refused_document_is_written_down_too() -> None:
    hall = Hall().handed_in(rulebook="moderne")
    entry = AuditEntry.objects.get(action="hand_in_refused")
    assert entry.after == {
        "partie": 1,
        "manche": 1,
        "code": "other-rulebook",
        "sha256": hall.partie.attempts.get().document.sha256,
    }


def test_a_program_is_named_beside_its_user() -> None:
    hall = Hall()
    token, _text = hall.do(tokens.create_token, user=hall.actor.user, name="Hall", scopes=["hand_in"])
    actor = Actor(user=hall.actor.user, token=token, ip="192.0.2.7", request_id="r")
    play(hall.partie, actor=actor)
    assert AuditEntry.objects.get(action="hand_in").token == token


def test_changes_keep_only_what_differs() -> None:
    assert changes({"a": 1, "b": 2}, {"a": 1, "b": 3}) == ({"b": 2}, {"b": 3})


def test_what_is_answered_about_a_list_is_written_down_once_and_only_what_differs() -> None:
    hall = Hall()
    found = hall.on_championship(imports.keep_list, file_name="list.csv", body=audit_before_the_day.LIST)
    for answers in ({"2.1": "new"}, {"2.1": "new"}, {"2.1": "out", "3.1": ""}):
        hall.do(imports.settle_list, import_id=found.pk, answers=answers)
    written = AuditEntry.objects.filter(action="settle_list").order_by("pk").values_list("before", "after")
    assert [(before["answers"], after["answers"]) for before, after in written] == [
        ({"2.1": ""}, {"2.1": "new"}),
        ({"2.1": "new"}, {"2.1": "out"}),
    ]


def test_a_second_entry_is_written_down_whether_it_agrees_or_not() -> None:
    for km, state in ((475, "confirmed"), (500, "contested")):
        partie = table("second_entry")
        enter(partie, "A", 475)
        enter(partie, "B", km)
        entry = AuditEntry.objects.filter(action="second_entry").latest("pk")
        assert (entry.via, entry.ip, entry.championship) == ("1/B", "192.0.2.9", partie.championship)
        assert entry.before is not None
        assert entry.after is not None
        assert (entry.before["state"], entry.after["state"]) == ("pending", state)
