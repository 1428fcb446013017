"""Whatever changes what everybody may read writes a line of the feed, past whichever service it comes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models, transaction
from django.utils import timezone

from league.models import (
    Bye,
    Championship,
    Change,
    Club,
    Entry,
    LiveRow,
    Manche,
    Partie,
    Player,
    Registration,
    Result,
    ResultScore,
    Round,
    Seat,
    StageEntry,
    StandIn,
    Team,
    TeamMember,
)
from league.models.feed import ROUNDS
from league.services.feed import number_changes
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.stages import add_stage
from league.triggers.install import installed, wanted
from league.triggers.table import PRIVATE, WATCHES
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory, PlayerFactory, owner_of, play

pytestmark = pytest.mark.django_db

Kinds = set[tuple[str, str]]


def written_by(do: Callable[[], Any]) -> Kinds:
    """What a deed writes into the feed, as (kind, key)."""
    head = number_changes()
    do()
    number_changes()
    return set(Change.objects.filter(position__gt=head).values_list("kind", "key"))


@pytest.fixture
def partie() -> Partie:
    """A partie of two teams with a result, ranked and published; the first player has a club."""
    championship = ChampionshipFactory(slug="c")
    partie = PartieFactory(championship=championship, entries=None, round=3)
    Player.objects.filter(pk=Player.objects.earliest("pk").pk).update(club=ClubFactory(slug="essieux"))
    play(partie)
    renew_live_ranking(championship_id=championship.pk)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="Now")
    return partie


def test_every_table_is_watched_or_private_with_a_reason() -> None:
    tables = {one._meta.db_table for one in apps.get_app_config("league").get_models(include_auto_created=True)}
    watched = {watch.table for watch in WATCHES}
    assert watched | set(PRIVATE) == tables
    assert not watched & set(PRIVATE)
    assert all(PRIVATE.values())


def test_the_database_has_the_triggers_of_the_table() -> None:
    """Where this fails: a migration is missing that ends with `WithTriggers()` (league/triggers/__init__.py)."""
    there, made = installed(connection), wanted(connection)
    assert there.keys() == made.keys()
    if connection.vendor == "postgresql":
        bodies = {name: sql.partition("$feed$")[2].removesuffix("$feed$") for name, sql in made.items()}
        assert {name: text for name, text in there.items() if text.startswith("BEGIN")} == {
            name: body for name, body in bodies.items() if body
        }
    else:
        assert there == made


def test_every_watched_table_writes_when_its_rows_come_and_go_and_change() -> None:
    by_event: dict[str, set[str]] = {}
    for watch in WATCHES:
        events = {"update"} if watch.updates_only else {"insert", "delete", "update"}
        by_event.setdefault(watch.table, set()).update(events)
    assert {table: events for table, events in by_event.items() if len(events) < 3} == {"league_player": {"update"}}


RAW: list[tuple[str, Callable[[], Any], Kinds]] = [
    (
        "an update of many",
        lambda: Entry.objects.update(penalty=5, penalty_reason="Late"),
        {("entry", "1"), ("entry", "2")},
    ),
    (
        "an update by expression",
        lambda: ResultScore.objects.update(km=models.F("km") - 25),
        {("partie", "1")},
    ),
    ("raw SQL", lambda: _sql("UPDATE league_manche SET voided_at = %s, void_reason = 'R'"), {("partie", "1")}),
    ("a save past the services", lambda: _saved(Manche.objects.earliest("pk")), {("partie", "1")}),
    ("many rows at once", lambda: _standing_in(), {("partie", "1")}),
    ("rows that go", lambda: LiveRow.objects.all().delete(), {("ranking", "")}),
    ("a forfeit", lambda: Seat.objects.update(forfeited_at=timezone.now(), forfeit_reason="R"), {("partie", "1")}),
    ("a result", lambda: Result.objects.update(reason="R"), {("partie", "1")}),
    (
        "a bye",
        lambda: Bye.objects.create(
            championship=Championship.objects.get(), round=7, entry=Entry.objects.earliest("pk")
        ),
        {("round", "7")},
    ),
    (
        "a partie that is closed",
        lambda: Partie.objects.update(status="void", closed_at=timezone.now(), reason="R"),
        {("partie", "1"), ("round", "3"), ("championship", "c")},
    ),
    ("a table", lambda: Partie.objects.update(table_number=4), {("partie", "1")}),
    (
        "an entry that leaves",
        lambda: Entry.objects.filter(number=1).update(withdrawn_at=timezone.now()),
        {("entry", "1"), ("team", "T1"), ("championship", "c")},
    ),
    (
        "a mark that the ranking is due",
        lambda: Championship.objects.update(ranking_due_since=timezone.now()),
        {("ranking", "")},
    ),
    ("the count of the journal", lambda: Championship.objects.update(journal_position=99), set()),
    (
        "what makes match points",
        lambda: Championship.objects.update(scale=[3, 0]),
        {("championship", "c"), ("partie", "1")},
    ),
    ("a private address", lambda: Player.objects.update(email=""), set()),
    ("a registration", lambda: _registered(), set()),
]


@pytest.mark.parametrize(("do", "lines"), [case[1:] for case in RAW], ids=[case[0] for case in RAW])
def test_a_write_past_the_services_is_caught(partie: Partie, do: Callable[[], Any], lines: Kinds) -> None:
    team = str(Entry.objects.get(number=1).team_id)
    assert written_by(do) == {(kind, team if key == "T1" else key) for kind, key in lines}


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [timezone.now()])


def _saved(manche: Manche) -> None:
    manche.voided_at, manche.void_reason = timezone.now(), "R"
    manche.save()


def _standing_in() -> None:
    player = PlayerFactory()
    StandIn.objects.bulk_create([StandIn(seat=seat, position=1, player=player) for seat in Seat.objects.all()])


def _registered() -> None:
    Registration.objects.create(
        championship=Championship.objects.get(), position=1, token_sha256="a" * 64, said_sha256="b" * 64
    )


def test_a_name_changes_wherever_it_is_read(partie: Partie) -> None:
    player = Player.objects.earliest("pk")
    Bye.objects.create(championship=partie.championship, round=8, entry=Entry.objects.get(number=1))
    own = {("entry", "1"), ("team", str(Entry.objects.get(number=1).team_id))}
    everywhere = own | {("player", str(player.pk)), ("partie", "1"), ("round", "8"), ("ranking", "")}
    changed = Player.objects.filter(pk=player.pk)

    assert written_by(lambda: changed.update(name="X")) == everywhere | {("club", "essieux")}
    assert written_by(lambda: changed.update(shown_as="hidden")) == everywhere | {("club", "essieux")}
    assert written_by(lambda: changed.update(shows_club=False)) == own | {
        ("player", str(player.pk)),
        ("club", "essieux"),
    }
    assert written_by(lambda: Team.objects.filter(entry__number=1).update(name="X")) == everywhere - {
        ("player", str(player.pk))
    }


def test_the_old_club_and_the_new_one_of_a_player_change(partie: Partie) -> None:
    other = ClubFactory(slug="bougies")
    found = written_by(lambda: Player.objects.filter(club__isnull=False).update(club=other))
    assert {("club", "essieux"), ("club", "bougies")} <= found


def test_a_club_is_named_by_its_championships_and_players(partie: Partie) -> None:
    Championship.objects.update(club=Club.objects.get())
    assert {kind for kind, _key in written_by(lambda: Club.objects.update(name="Other", name_folded="other"))} == {
        "club",
        "championship",
        "player",
        "entry",
        "team",
    }


def test_a_profile_that_moves_into_another_one_changes_both(partie: Partie) -> None:
    old, new = Player.objects.earliest("pk"), PlayerFactory()
    found = written_by(lambda: TeamMember.objects.filter(player=old).update(player=new))
    assert {("player", str(old.pk)), ("player", str(new.pk)), ("entry", "1"), ("partie", "1")} <= found


def test_only_rounds_that_are_published_are_spoken_of(partie: Partie) -> None:
    championship = partie.championship
    stage = add_stage(actor=owner_of(championship), championship_id=championship.pk, settings={"format": "swiss"})

    assert written_by(lambda: Round.objects.create(championship=championship, stage=stage, number=9)) == set()
    published = {"status": "published", "published_at": timezone.now()}
    both = {("round", "9"), ("stage", "1")}  # a stage says how many rounds it has
    assert written_by(lambda: Round.objects.update(**published)) == both
    assert written_by(lambda: Round.objects.update(clock_left=60)) == {("round", "9")}
    assert Change.objects.filter(kind="round", key="9").first().object_id == championship.pk * ROUNDS + 9  # type: ignore[union-attr]
    entry = Entry.objects.earliest("pk")
    assert written_by(lambda: StageEntry.objects.create(stage=stage, entry=entry, seed=1)) == {("stage", "1")}


def test_who_may_read_a_championship_concerns_all_that_is_in_it(partie: Partie) -> None:
    teams = {("team", str(pk)) for pk in Team.objects.values_list("pk", flat=True)}
    players = {("player", str(pk)) for pk in Player.objects.values_list("pk", flat=True)}
    everything = {
        *(("championship", "c"), ("entry", "1"), ("entry", "2"), ("round", "3"), ("partie", "1"), ("ranking", "")),
        *(("published-ranking", "1"), ("club", "essieux")),
    } | teams

    assert written_by(lambda: Championship.objects.update(visibility="unlisted")) == everything | players
    assert set(Change.objects.exclude(kind="club").values_list("listed", flat=True)) == {True}  # it was to be found
    head = number_changes()
    assert written_by(lambda: Championship.objects.update(visibility="draft")) == everything | players
    assert not Change.objects.filter(position__gt=head, listed=True).exclude(kind="club").exists()
    assert written_by(lambda: Entry.objects.filter(number=1).update(penalty=1, penalty_reason="R")) == {("entry", "1")}
    assert not Change.objects.get(position=number_changes()).listed
    assert written_by(lambda: PartieFactory(championship=partie.championship)) & players == set()


def test_a_thing_stands_once_until_it_is_numbered() -> None:
    number_changes()
    championship = ChampionshipFactory(visibility="draft")
    for penalty in (1, 2, 3):
        Championship.objects.update(name=f"Name {penalty}")
    assert Change.objects.filter(kind="championship", position=None).count() == 1
    number_changes()
    Championship.objects.update(name="Name 4")
    assert Change.objects.filter(kind="championship", object_id=championship.pk).count() == 2


def test_a_time_is_read_back_as_the_time_that_it_was() -> None:
    before = timezone.now()
    ClubFactory()
    line = Change.objects.latest("pk")
    assert abs(line.at - before).total_seconds() < 10
    assert line.at.tzinfo is not None


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_leaves_nothing() -> None:
    EntryFactory()
    head = number_changes()
    with transaction.atomic():
        Entry.objects.update(penalty=1, penalty_reason="R")
        transaction.set_rollback(True)
    with transaction.atomic():
        point = transaction.savepoint()
        Championship.objects.update(name="Never")
        transaction.savepoint_rollback(point)
        Team.objects.update(name="Always")
    assert number_changes() == head + Change.objects.filter(position__gt=head).count()
    assert set(Change.objects.filter(position__gt=head).values_list("kind", flat=True)) == {"team", "entry", "ranking"}


@pytest.mark.django_db(transaction=True)
def test_a_feed_that_begins_late_begins_with_everything_that_is_there(partie: Partie) -> None:
    """The migration that brings the triggers, on a database in use, and back."""
    kinds = {"championship", "entry", "team", "round", "partie", "ranking", "published-ranking", "player", "club"}
    try:
        call_command("migrate", "league", "0004", verbosity=0)
        assert installed(connection) == {}
    finally:
        call_command("migrate", "league", verbosity=0)
    assert number_changes() == Change.objects.count()
    assert set(Change.objects.values_list("kind", flat=True)) == kinds
    assert Change.objects.filter(kind="entry").count() == 2
    assert written_by(lambda: Partie.objects.update(table_number=9)) == {("partie", "1")}
