"""A championship goes out as a dump and comes in again, and is the same: results, rankings, whatever they depend on."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.demonstration import make_demonstration
from league.errors import UserFault
from league.models import (
    Absence,
    Attempt,
    Championship,
    Club,
    Document,
    Entry,
    LiveRanking,
    LiveRow,
    Player,
    PublishedRow,
    Result,
    ResultScore,
    ResultState,
    Team,
    User,
)
from league.policy import Actor
from league.selectors.dump import dump
from league.selectors.etapes import ranking_document
from league.services.championships import finish_championship
from league.services.dump_import import Imported, import_championship
from league.services.renewal import renew_live_ranking
from league.services.substitutes import name_substitute
from scoring.dump_reader import document_of, dump_document
from scoring.dump_stream import read_parts
from scoring.dump_verify import Verification, verify
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, PlayerFactory, UserFactory, owner_of, play
from tests.league.dump_cases import ALL, hands, rulings
from tests.reading import reads_number

pytestmark = pytest.mark.django_db

Dump = dict[str, Any]


def written(championship: Championship, *, private: bool = False) -> bytes:
    return b"".join(dump(championship_id=championship.pk, private=private))


def decoded(championship: Championship, *, private: bool = False) -> Dump:
    found: Dump = json.loads(written(championship, private=private))
    return found


def taken_in(raw: bytes | Dump, slug: str = "copy", actor: Actor | None = None) -> Imported:
    body = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    chunks = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    imported = import_championship(actor=actor or Actor(user=UserFactory()), dump=chunks, slug=slug)
    renew_live_ranking(championship_id=imported.championship.pk)
    imported.championship.refresh_from_db()
    return imported


def live_rows(championship: Championship) -> list[dict[str, Any]]:
    rows = LiveRow.objects.filter(championship=championship).order_by("position")
    return list(rows.values("position", "rank", "values", "above_next_by", "why", "standing", "played", "manches",
                            "stage", "pool", "pool_rank", "entry__number", "entry__team__name"))  # fmt: skip


def published_rows(championship: Championship) -> list[dict[str, Any]]:
    rows = PublishedRow.objects.filter(ranking__championship=championship).order_by("ranking__number", "position")
    return list(rows.values("ranking__number", "position", "rank", "values", "above_next_by", "why", "standing",
                            "name", "players", "number"))  # fmt: skip


def scores(championship: Championship) -> list[tuple[Any, ...]]:
    rows = ResultScore.objects.filter(result__manche__partie__championship=championship)
    order = ("result__manche__partie__number", "result__manche__number", "result__version", "seat__label")
    return list(
        rows.order_by(*order).values_list(
            *order, "points", "km", "coups_fourres", "won", "lines", "penalty", "penalty_reason", "result__verdict"
        )
    )


def without_time_of_making(whole: Dump) -> Dump:
    """What two dumps of one championship have in common: neither when they were made, nor under which address."""
    kept = {name: value for name, value in whole.items() if name not in ("made", "audit")}
    kept["championship"] = {n: v for n, v in kept["championship"].items() if n not in ("slug", "secret_sha256")}
    kept["live"] = {n: v for n, v in kept["live"].items() if n != "computed_at"}
    return kept


def empty_of_players() -> None:
    """Nobody has the licence numbers and the numbers elsewhere, as in an empty database."""
    Player.objects.update(licence="")
    for player in Player.objects.prefetch_related("numbers"):
        player.numbers.all().delete()


@pytest.mark.parametrize("case", sorted(ALL))
@pytest.mark.parametrize("private", [True, False])
class TestRoundTrip:
    """Out and in again."""

    def test_all_that_is_said_comes_through(self, case: str, private: bool) -> None:
        before = decoded(ALL[case](), private=private)
        empty_of_players()
        after = decoded(taken_in(before).championship, private=private)
        if not private and "draw" in before["championship"]["tie_breaks"]:
            del before["live"]["rows"], after["live"]["rows"]  # without the secret lots are drawn anew
        assert without_time_of_making(after) == without_time_of_making(before)

    def test_scores_and_rankings_are_equal(self, case: str, private: bool) -> None:
        original = ALL[case]()
        raw = written(original, private=private)
        document = ranking_document(original)
        rows, versions, all_scores = live_rows(original), published_rows(original), scores(original)
        empty_of_players()
        copy = taken_in(raw).championship
        if private or "draw" not in original.tie_breaks:
            assert ranking_document(copy) == document
            assert live_rows(copy) == rows
        assert published_rows(copy) == versions
        if private or case != "hands":  # a first entry that nobody may see is not in what is public
            assert scores(copy) == all_scores
        assert LiveRanking.objects.get(championship=copy).journal_position == copy.journal_position
        assert copy.journal_position == original.journal_position
        assert copy.ranking_due_since is None

    def test_it_is_computed_again_without_a_difference(self, case: str, private: bool) -> None:
        original = ALL[case]()
        found = Verification()
        assert list(verify(read_parts([written(original, private=private)]), found)) == []
        assert found.live is True
        assert found.results == len(list(results_in(decoded(original, private=private))))
        assert found.lots == (private or "draw" not in original.tie_breaks)

    def test_the_dump_is_ranked_from_what_its_documents_come_to(self, case: str, private: bool) -> None:
        original = ALL[case]()
        if not private:
            finish_without_a_word(original)
        found = dump_document([written(original, private=private)])
        assert found == document_of(decoded(original, private=private))
        assert found == ranking_document(original)


def finish_without_a_word(championship: Championship) -> None:
    """Its secret is shown from then on; parties may be open, as they may not for the service."""
    Championship.objects.filter(pk=championship.pk).update(status="finished")


def results_in(whole: Dump) -> Iterator[dict[str, Any]]:
    for partie in whole["parties"]:
        for manche in partie.get("manches", []):
            yield from manche.get("results", [])


def test_the_cases_have_what_they_promise() -> None:
    whole = decoded(rulings(), private=True)
    assert {one["what"] for one in whole["journal"]} >= {
        "corrected", "penalised", "manche-voided", "manche-reinstated", "forfeit", "bye", "partie-voided",
        "entry-penalised", "withdrawn", "result-taken-back", "entered",
    }  # fmt: skip
    documents = [attempt["document"] for partie in whole["parties"] for attempt in partie.get("attempts", [])]
    assert [sorted({"text", "base64"} & one.keys()) for one in documents] == [["text"], ["base64"]]
    assert [one["replaces"] for one in results_in(whole) if "replaces" in one][:2] == [1, 2]
    assert [one["number"] for one in whole["published"]] == [1, 2, 3]
    assert whole["absences"]
    assert any(seat.get("stand_ins") for partie in whole["parties"] for seat in partie["seats"])


def test_bytes_come_back_as_they_came() -> None:
    """A byte order mark, line ends, and what is no text at all."""
    original = rulings()
    raw = written(original, private=True)
    empty_of_players()
    copy = taken_in(raw).championship
    bodies = [
        [
            bytes(one.body)
            for one in Document.objects.filter(**{path: championship}).order_by(number, "result__version", "pk")
        ]
        for championship in (original, copy)
        for path, number in (
            ("result__manche__partie__championship", "result__manche__partie__number"),
            ("attempt__partie__championship", "attempt__partie__number"),
        )
    ]
    assert sorted(bodies[0]) == sorted(bodies[2])
    assert bodies[1] == bodies[3]
    assert any(body.startswith(b"\xef\xbb\xbf") and body.endswith(b"\r\n\n") for body in bodies[2])
    assert b"\xff\xfe no text at all" in bodies[3]


class TestPrivate:
    """What everybody may have, and what only an organiser may."""

    def test_what_is_private_stands_only_in_a_private_dump(self) -> None:
        championship = hands()
        player = Player.objects.filter(memberships__team__championship=championship).first()
        assert player is not None
        Player.objects.filter(pk=player.pk).update(
            name="Zoé Çelik", licence="LIC-1", shown_as="initials", email="zoe@example.org", is_minor=True
        )
        open_to_all, inside = (written(championship, private=private).decode() for private in (False, True))
        for word in ("Zoé Çelik", "LIC-1", "zoe@example.org", "We had 500 km", "is_minor", '"audit"', '"secret":'):
            assert word not in open_to_all, word
            assert word in inside, word
        assert "Z. Ç." in open_to_all
        assert "@" not in open_to_all

    def test_who_is_there_may_stand_in_or_will_not_play_is_for_organisers(self) -> None:
        championship = rulings()
        spare = PlayerFactory(name="Ximena Spare")
        actor = owner_of(championship)
        entry = Entry.objects.get(championship=championship, number=2)
        name_substitute(actor=actor, team_id=entry.team_id, player_id=spare.pk)
        Entry.objects.filter(pk=entry.pk).update(checked_in_at=timezone.now())
        seen = Absence.objects.create(championship=championship, entry=entry, round=2)  # which was played
        open_to_all, inside = (decoded(championship, private=private) for private in (False, True))
        for word in ("Ximena Spare", "substitutes", "checked_in_at"):
            assert word not in json.dumps(open_to_all), word
            assert word in json.dumps(inside), word
        assert "Zoé Çelik" in json.dumps(open_to_all, ensure_ascii=False)  # who did stand in
        assert [one["round"] for one in open_to_all["absences"]] == [seen.round]
        assert {one["round"] for one in inside["absences"]} == {2, 7, 8}

    def test_a_first_blind_entry_is_not_shown_to_whoever_enters_the_second(self) -> None:
        championship = hands()
        open_to_all, inside = (decoded(championship, private=private) for private in (False, True))
        assert "results" not in open_to_all["parties"][2]["manches"][0]
        assert len(inside["parties"][2]["manches"][0]["results"]) == 1
        assert not reads_number(json.dumps(open_to_all["parties"][2]), 325)

    def test_the_secret_of_the_draws_stands_in_it_once_the_championship_is_finished(self) -> None:
        championship = ChampionshipFactory(tie_breaks=["draw"])
        EntryFactory.create_batch(2, championship=championship)
        assert "secret" not in decoded(championship)["championship"]
        assert decoded(championship, private=True)["championship"]["secret"] == championship.secret
        finish_championship(actor=owner_of(championship), championship_id=championship.pk, version=None)
        assert decoded(championship)["championship"]["secret"] == championship.secret


class TestIntoADatabaseThatHasPeople:
    """Players are known by their numbers only; what they show here is respected."""

    @pytest.fixture
    def known(self) -> Player:
        found: Player = PlayerFactory(name="Zoé Çelik", licence="LIC-1", email="zoe@example.org")
        return found

    @pytest.fixture
    def raw(self, known: Player) -> bytes:
        from league.services.entries import enter_players

        championship = ChampionshipFactory(slug="there")
        for player in (known, PlayerFactory(name="Ana Roja")):
            enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[player.pk])
        renew_live_ranking(championship_id=championship.pk)
        return written(championship, private=True)

    def test_a_licence_number_is_one_person_and_a_name_is_not(self, raw: bytes, known: Player) -> None:
        imported = taken_in(raw)
        assert (imported.players, imported.known_players) == (2, 1)
        teams = Team.objects.filter(championship=imported.championship).order_by("entry__number")
        assert [team.players.get() == known for team in teams] == [True, False]
        assert Player.objects.filter(name="Ana Roja").count() == 2

    def test_a_number_of_another_system_too(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][0] |= {"licence": "", "numbers": [{"system": "arena", "number": "7"}]}
        known.numbers.create(system="arena", number="7")
        assert taken_in(whole).known_players == 1

    def test_a_profile_that_was_merged_is_the_one_that_was_kept(self, raw: bytes, known: Player) -> None:
        kept = PlayerFactory(name="Zoé Ç.")
        Player.objects.filter(pk=known.pk).update(merged_into=kept)
        championship = taken_in(raw).championship
        assert Team.objects.filter(championship=championship, players=kept).exists()

    def test_what_they_show_here_is_respected_and_nothing_of_theirs_changes(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][0] |= {"email": "other@example.org", "name": "Zoé Autre"}
        Player.objects.filter(pk=known.pk).update(shown_as="hidden")
        before = Player.objects.filter(pk=known.pk).values().get()
        championship = taken_in(whole).championship
        assert Player.objects.filter(pk=known.pk).values().get() == before
        names = list(
            Entry.objects.filter(championship=championship).order_by("number").values_list("team__name", flat=True)
        )
        assert names == [f"Anonyme {known.pk}", "Ana Roja"]
        assert "Zoé" not in json.dumps(decoded(championship), ensure_ascii=False)

    def test_two_players_of_a_dump_are_not_one_person(self, raw: bytes, known: Player) -> None:
        whole = json.loads(raw)
        whole["players"][1]["numbers"] = [{"system": "arena", "number": "7"}]
        known.numbers.create(system="arena", number="7")
        assert fault_of(whole) == ("same-player", "players[1]")

    def test_a_club_of_this_name_is_that_club(self) -> None:
        whole = decoded(rulings(), private=False)
        clubs = Club.objects.count()
        taken_in(whole)
        assert Club.objects.count() == clubs


def fault_of(whole: Dump | bytes, slug: str = "copy") -> tuple[str, str | None]:
    """The code and the place of what is wrong; nothing at all was written."""
    before = counts()
    with pytest.raises(UserFault) as raised:
        taken_in(whole, slug, actor=Actor(user=User.objects.first()))
    assert counts() == before
    return raised.value.code, raised.value.field


def counts() -> list[int]:
    models = (Championship, Player, Club, Team, Entry, Document, Result, ResultScore, Attempt, LiveRanking)
    return [model.objects.count() for model in models]


def _tables(whole: Dump) -> Dump:
    first: Dump = whole["parties"][0]
    return first


BROKEN: dict[str, tuple[Callable[[Dump], Any], str, str | None]] = {
    "a member too much": (lambda d: d["entries"][2].update(penality=3), "bad-dump", "entries[2].penality"),
    "a member too few": (lambda d: d["parties"][1].pop("seats"), "bad-dump", "parties[1].seats"),
    "a time without a zone": (
        lambda d: d["parties"][0].update(opened_at="2026-01-01T10:00:00"), "bad-dump", "parties[0].opened_at",
    ),
    "a score that was changed": (
        lambda d: _tables(d)["manches"][0]["results"][2]["scores"][0].update(points=5000),
        "score-differs",
        "parties[0].manches[0].results[2].scores[0].points",
    ),
    "a document that was changed": (
        lambda d: _tables(d)["manches"][0]["results"][1]["document"].update(text="{}"),
        "sha256-differs",
        "parties[0].manches[0].results[1].document.sha256",
    ),
    "another rulebook": (
        lambda d: d["championship"].update(rulebook="moderne"), "bad-dump", "championship.house",
    ),
    "other house rules": (
        lambda d: d["championship"].update(house={}),
        "document-does-not-fit",
        "parties[0].manches[0].results[2].document",
    ),
    "an entry that there is not": (
        lambda d: _tables(d)["seats"][1].update(entry=77), "bad-dump", "parties[0].seats[1].entry",
    ),
    "a player that there is not": (lambda d: d["entries"][0].update(players=[99]), "bad-dump", "entries[0].players[0]"),
    "an entry twice": (lambda d: d["entries"].append(d["entries"][0]), "bad-dump", "entries[8].number"),
    "two results that stand": (
        lambda d: _tables(d)["manches"][0]["results"][0].update(state="pending"),
        "bad-dump",
        "parties[0].manches[0].results",
    ),
    "a version that replaces a later one": (
        lambda d: _tables(d)["manches"][0]["results"][0].update(replaces=3),
        "bad-dump",
        "parties[0].manches[0].results[0].replaces",
    ),
    "no reason where one is due": (
        lambda d: d["parties"][2]["seats"][1].update(forfeit_reason=""), "contradiction", "parties[2]",
    ),
    "a text that is too long": (
        lambda d: d["parties"][2]["seats"][1].update(forfeit_reason="x" * 301),
        "bad-dump",
        "parties[2].seats[1].forfeit_reason",
    ),
    "a number that is too large": (
        lambda d: d["entries"][3].update(penalty=10**9 * 4), "bad-dump", "entries[3].penalty",
    ),
    "a gap in the journal": (lambda d: d["journal"].pop(3), "bad-dump", "journal[3].position"),
    "a journal that points nowhere": (
        lambda d: d["journal"][-1].update(partie=1, manche=9), "bad-dump", f"journal[{'last'}].manche",
    ),
    "an unknown line": (lambda d: d["journal"][0].update(what="dreamt"), "bad-dump", "journal[0].what"),
    "a journal that ends early": (lambda d: d["journal"].pop(), "bad-dump", "championship.journal_position"),
    "another secret": (
        lambda d: d["championship"].update(secret="guessed"), "sha256-differs", "championship.secret_sha256",
    ),
    "unknown keys": (lambda d: d["championship"].update(primary="luck"), "bad-dump", "championship.primary"),
    "another format": (lambda d: d.update(format="championnat/2"), "bad-dump", "format"),
    "no parties at all": (lambda d: d.pop("parties"), "bad-dump", "parties"),
    "a list that is none": (lambda d: d.update(byes={}), "bad-dump", "byes"),
    "the order turned round": (lambda d: d.update(entries=d.pop("entries")), "bad-dump", "entries"),
}  # fmt: skip


class TestMalformed:
    """A file that does not fit is refused with the place of its fault, and nothing of it is kept."""

    @pytest.fixture
    def whole(self) -> Dump:
        whole = decoded(rulings(), private=True)
        empty_of_players()
        return whole

    @pytest.mark.parametrize("what", sorted(BROKEN))
    def test_is_refused(self, whole: Dump, what: str) -> None:
        breaks, code, at = BROKEN[what]
        breaks(whole)
        if at is not None:
            at = at.replace("last", str(len(whole["journal"]) - 1))
        assert fault_of(whole) == (code, at)

    def test_what_is_no_json_is_refused_at_its_line(self, whole: Dump) -> None:
        raw = json.dumps(whole).encode()
        assert fault_of(b"") == ("malformed", None)
        assert fault_of(raw[:-40])[0] == "malformed"
        assert fault_of(raw + b"{}") == ("malformed", None)
        assert fault_of(raw.replace(b'"penalty": 150', b'"penalty": NaN'))[0] == "malformed"
        assert fault_of(b"\xff" + raw)[0] == "malformed"

    def test_an_address_that_is_taken(self, whole: Dump) -> None:
        assert fault_of(whole, slug="rulings") == ("slug-taken", "slug")
        assert fault_of(whole, slug="no address")[1] == "championship.slug"

    def test_twice_is_said(self, whole: Dump) -> None:
        taken_in(whole)
        assert fault_of(whole)[0] == "imported-already"

    def test_what_is_wrong_with_the_last_partie_is_found_among_many(self, whole: Dump) -> None:
        whole["parties"][-1]["table"] = whole["parties"][-2]["table"] = 3
        assert fault_of(whole) == ("contradiction", f"parties[{len(whole['parties']) - 1}]")


def test_queries_do_not_grow_with_the_results() -> None:
    """Out and in: so many for each lot, not for each result."""
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=1, slug="many")
    entries = EntryFactory.create_batch(4, championship=championship)
    found = []
    for number in (2, 20):
        for round_number in range(championship.parties.count() + 1, number + 1):
            play(PartieFactory(championship=championship, entries=entries[:2], round=round_number))
        renew_live_ranking(championship_id=championship.pk)
        with CaptureQueriesContext(connection) as out:
            raw = written(championship)
        with CaptureQueriesContext(connection) as back:
            taken_in(raw, slug=f"copy-{number}")
        found.append((len(out), len(back)))
    assert found[0] == found[1]


class TestCommands:
    """By hand, as docs/dump.md says."""

    def test_a_file_is_written_whole_and_not_over_another(self, tmp_path: Path) -> None:
        rulings()
        file = tmp_path / "rulings.json"
        call_command("export_championship", "rulings", str(file), "--private")
        assert file.stat().st_mode & 0o077 == 0
        assert json.loads(file.read_bytes())["format"] == "championnat/1"
        with pytest.raises(CommandError, match="is there already"):
            call_command("export_championship", "rulings", str(file))
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export_championship", "rulings", str(tmp_path / "nowhere" / "file"))
        with pytest.raises(CommandError, match="no championship nothing"):
            call_command("export_championship", "nothing")
        assert list(tmp_path.iterdir()) == [file]

    def test_an_import_says_what_came_in_and_needs_an_owner(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "rulings.json"
        championship = rulings()
        call_command("export_championship", "rulings", str(file), "--private")
        with pytest.raises(CommandError, match="--owner"):
            call_command("import_championship", str(file), "--slug", "copy")
        with pytest.raises(CommandError, match="slug-taken"):
            call_command("import_championship", str(file), "--owner", championship.created_by.email)
        with pytest.raises(CommandError, match="nobody has an account"):
            call_command("import_championship", str(file), "--owner", "nobody@example.org")
        with pytest.raises(CommandError, match="No such file"):
            call_command("import_championship", "nothing.json", "--owner", championship.created_by.email)
        call_command("import_championship", str(file), "--slug", "copy", "--owner", championship.created_by.email)
        assert "copy: 8 entries" in capsys.readouterr().out
        copy = Championship.objects.get(slug="copy")
        assert live_rows(copy) == live_rows(championship)
        assert copy.memberships.get().user == championship.created_by


def test_the_demonstration_goes_into_an_empty_database(
    tmp_path: Path, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """With the commands, from process to process; anybody computes its scores and its ranking again."""
    with django_capture_on_commit_callbacks(execute=True):
        championship = make_demonstration()
    file = tmp_path / "demo.json"
    file.write_bytes(written(championship))
    rows = live_rows(championship)
    ranked = run("scoring", "rank", str(file))
    assert [(row["rank"], row["entry"], row["values"]) for row in json.loads(ranked)["rows"]] == [
        (row["rank"], row["entry__number"], row["values"]) for row in rows
    ]
    assert json.loads(run("scoring", "verify", str(file)))["differences"] == 0

    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    manage("migrate", "-v0", **database)
    assert "12 entries" in manage("import_championship", str(file), **database)
    again = json.loads(manage("export_championship", championship.slug, **database))
    assert without_time_of_making(again) == without_time_of_making(json.loads(file.read_bytes()))
    assert Result.objects.filter(state=ResultState.DIFFERS).count() == 1


def run(module: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def manage(*arguments: str, **environment: str) -> str:
    import os

    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "league.settings", **environment},
    )
    return done.stdout
