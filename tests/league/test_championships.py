"""Championships: what may be set together, what may change when, and the end (RULES 3, 8 and 12, STANDINGS 3)."""

import hashlib
from typing import Any

import pytest
from django.utils import translation

from league.errors import Conflict, Faults, Stale, UserFault
from league.models import AuditEntry, Championship, LiveRanking, LiveRow, Membership, ResultEvent
from league.selectors.classement import document
from league.selectors.etapes import public_document
from league.services.championships import (
    change_championship,
    change_keys,
    create_championship,
    finish_championship,
    resume_championship,
)
from league.services.parties import add_bye, close_partie
from league.services.renewal import renew_live_ranking
from scoring.standings import explain
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    UserFactory,
    owner_of,
    play,
    sheet,
)

pytestmark = pytest.mark.django_db


def faults(**settings: Any) -> dict[str, str]:
    """The code of each fault by its field, of a championship that could not be made."""
    with pytest.raises(UserFault) as raised:
        ChampionshipFactory(**settings)
    return {fault.field or "": fault.code for fault in raised.value.faults}


def change(championship: Championship, version: int | None = None, **settings: Any) -> Championship:
    return change_championship(
        actor=owner_of(championship), championship_id=championship.pk, version=version, settings=settings
    )


class TestMaking:
    """A new championship belongs to who made it, and has a secret of its own."""

    def test_it_belongs_to_who_made_it_and_is_a_draft_unless_said(self) -> None:
        owner = UserFactory()
        championship = ChampionshipFactory(owner=owner, visibility="draft")
        assert Membership.objects.get(championship=championship).user == owner
        assert Membership.objects.get(championship=championship).role == "owner"
        assert Championship._meta.get_field("visibility").default == "draft"
        assert LiveRanking.objects.filter(championship=championship).exists()

    def test_the_digest_of_its_secret_is_shown_and_not_the_secret(self) -> None:
        one, other = ChampionshipFactory(), ChampionshipFactory()
        assert one.secret != other.secret
        assert one.secret_sha256 == hashlib.sha256(one.secret.encode()).hexdigest()
        assert one.shown_secret is None

    def test_the_keys_are_those_of_the_rules_unless_chosen(self) -> None:
        by_points = ChampionshipFactory()
        by_manches = ChampionshipFactory(decided_by="manches", partie_end="wins", partie_end_value=3)
        assert by_points.ranking_keys == {
            "primary": "match_points",
            "tie_breaks": ["direct_encounter", "manche_share", "mean_difference", "total_points", "coups_fourres"],
        }
        assert by_manches.tie_breaks == ["direct_encounter", "manche_share", "mean_km_difference", "coups_fourres"]

    def test_an_address_is_taken_once(self) -> None:
        ChampionshipFactory(slug="coupe")
        with pytest.raises(Conflict) as conflict:
            ChampionshipFactory(slug="coupe")
        assert (conflict.value.code, conflict.value.field) == ("slug-taken", "slug")

    @pytest.mark.parametrize("slug", ["", "Coupe", "coupe d'hiver", "-coupe", "a--b", "é", "x" * 61])
    def test_an_address_is_plain(self, slug: str) -> None:
        assert faults(slug=slug) == {"slug": "bad-slug"}

    def test_all_faults_of_the_form_come_at_once(self) -> None:
        found = faults(
            name=" ",
            slug="?",
            club_id=404,
            time_zone="Europe/Nowhere",
            visibility="secret",
            rulebook="classique",
            table_entries=3,
            players_per_team=2,
            target=700,
            partie_end="wins",
            partie_end_value=0,
        )
        assert found == {
            "name": "required",
            "slug": "bad-slug",
            "club_id": "unknown-club",
            "time_zone": "unknown-time-zone",
            "visibility": "unknown-choice",
            "target": "bad-target",
            "partie_end_value": "bad-partie-end",
        }

    @pytest.mark.parametrize(
        ("settings", "found"),
        [
            ({"rulebook": "belote"}, {"rulebook": "unknown-rulebook"}),
            ({"house": {"joker": True}}, {"house": "bad-house"}),
            ({"house": ["vp_starts"]}, {"house": "bad-house"}),
            ({"rulebook": "fournier", "table_entries": 4}, {"table_entries": "bad-table"}),
            ({"table_entries": 2, "allow_short_tables": True}, {"allow_short_tables": "bad-table"}),
            ({"rulebook": "moderne"}, {"decided_by": "no-points"}),
            ({"decided_by": "manches"}, {"partie_end": "bad-partie-end"}),
            ({"partie_end": "referee"}, {"partie_end_value": "bad-partie-end"}),
            ({"partie_end": "manches", "partie_end_value": None}, {"partie_end_value": "bad-partie-end"}),
            ({"partie_end": "manches", "partie_end_value": 100}, {"partie_end_value": "bad-partie-end"}),
            (
                {"primary": "best_n", "partie_end": "manches", "partie_end_value": 2, "best_n": 32_768},
                {"best_n": "bad-ranking"},
            ),
            ({"primary": "mean_points", "minimum": 10_000}, {"minimum": "bad-ranking"}),
            ({"partie_end": "sometime"}, {"partie_end": "unknown-choice"}),
            ({"primary": "total_points"}, {"primary": "key-not-offered"}),
            (
                {"primary": "total_points", "tie_breaks": ["total_points"]},
                {"primary": "key-not-offered", "tie_breaks": "bad-ranking"},
            ),
            ({"primary": "best_n", "best_n": 3}, {"primary": "key-not-offered"}),
            (
                {"primary": "best_n", "partie_end": "manches", "partie_end_value": 3},
                {"best_n": "bad-ranking"},
            ),
            ({"primary": "mean_points"}, {"minimum": "minimum-missing"}),
            ({"primary": "elo"}, {"primary": "bad-ranking"}),
            ({"tie_breaks": ["km", "km"]}, {"tie_breaks": "bad-ranking"}),
            ({"tie_breaks": ["mean_km_difference"]}, {"tie_breaks": "bad-ranking"}),
            ({"primary": "manches_won", "tie_breaks": ["manches_won"]}, {"tie_breaks": "bad-ranking"}),
            ({"scale": [3, 2, 1]}, {"scale": "bad-ranking"}),
        ],
    )
    def test_what_cannot_be_is_told_by_its_field(self, settings: dict[str, Any], found: dict[str, str]) -> None:
        assert faults(**settings) == found

    @pytest.mark.parametrize(
        "settings",
        [
            {"rulebook": "fournier", "table_entries": 3, "players_per_team": 1, "target": 700},
            {"rulebook": "dujardin-2010", "table_entries": 4, "target": 700, "allow_short_tables": True},
            {"rulebook": "moderne", "decided_by": "manches", "partie_end": "manches", "partie_end_value": 3},
            {"partie_end": "referee", "partie_end_value": None},
            {"house": {"capot": 0, "capot_to": "driving_opponents"}},
            {"primary": "mean_points", "minimum": 4},
            {"primary": "mean_points", "partie_end": "manches", "partie_end_value": 3},
            {"scale": [3, 0.5], "tie_breaks": ["draw"]},
        ],
    )
    def test_what_can_be_is_made(self, settings: dict[str, Any]) -> None:
        assert ChampionshipFactory(**settings).pk

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({"primary": "elo"}, "This key is not offered"),
            ({"tie_breaks": ["km", "km"]}, "Choose tie-breaks that go with"),
            ({"scale": [1]}, "Give 2 numbers, one a place at the table"),
            ({"best_n": 0}, "Give a whole number from 1"),
        ],
    )
    def test_what_is_wrong_with_the_keys_is_said_in_sentences_for_people(
        self, settings: dict[str, Any], said: str
    ) -> None:
        with translation.override("en"), pytest.raises(UserFault) as raised:
            ChampionshipFactory(**settings)
        assert str(raised.value.message).startswith(said)

    def test_a_setting_that_does_not_exist_is_our_bug(self) -> None:
        with pytest.raises(ValueError, match="journal_position"):
            ChampionshipFactory(journal_position=7)

    def test_nobody_makes_none(self) -> None:
        from league.policy import ANYBODY

        with pytest.raises(ValueError, match="owner"):
            create_championship(actor=ANYBODY, name="Coupe", slug="coupe", settings={})


class TestChanging:
    """What may change when."""

    def test_before_the_first_result_everything_may_change(self) -> None:
        championship = ChampionshipFactory()
        club = ClubFactory()

        changed = change(championship, 1, name="Coupe d'été", club_id=club.pk, rulebook="dujardin-2010")

        assert (changed.name, changed.club, changed.rulebook, changed.version) == (
            "Coupe d'été",
            club,
            "dujardin-2010",
            2,
        )
        entry = AuditEntry.objects.get(action="change_championship")
        assert entry.before == {"name": championship.name, "club_id": None, "rulebook": "classique"}
        assert entry.after == {"name": "Coupe d'été", "club_id": club.pk, "rulebook": "dujardin-2010"}

    @pytest.mark.parametrize(
        "settings",
        [
            {"rulebook": "dujardin-2010"},
            {"house": {"capot": 0}},
            {"players_per_team": 2},
            {"table_entries": 3},
            {"decided_by": "manches", "partie_end": "wins", "partie_end_value": 2},
            {"partie_end_value": 3000},
        ],
    )
    def test_once_a_result_is_in_how_it_is_played_stands(self, settings: dict[str, Any]) -> None:
        partie = PartieFactory()
        play(partie)

        with pytest.raises(Conflict) as conflict:
            change(partie.championship, **settings)

        assert conflict.value.code == "results-in"
        change(partie.championship, name="Another name", visibility="unlisted", confirmation="organiser")

    def test_a_table_that_is_drawn_keeps_its_size(self) -> None:
        """Entries and seats were made for it, so it stands from the first of them."""
        entry = EntryFactory()
        with pytest.raises(Conflict, match="entries-in"):
            change(entry.championship, players_per_team=2)
        partie = PartieFactory(championship=ChampionshipFactory(rulebook="dujardin-2010", table_entries=4))
        for settings in ({"table_entries": 3}, {"rulebook": "fournier", "table_entries": 3}):
            with pytest.raises(Conflict, match="parties-in"):
                change(partie.championship, **settings)
        assert change(partie.championship, rulebook="classique").rulebook == "classique"

    def test_a_rulebook_without_the_short_tables_that_were_drawn_comes_too_late(self) -> None:
        championship = ChampionshipFactory(rulebook="classique", table_entries=3, players_per_team=2)
        change(championship, allow_short_tables=True)
        PartieFactory(championship=championship, entries=EntryFactory.create_batch(2, championship=championship))
        with pytest.raises(Conflict, match="parties-in"):
            change(championship, allow_short_tables=False, rulebook="dujardin-2010")

    def test_keys_begin_anew_where_parties_come_to_be_decided_otherwise(self) -> None:
        championship = ChampionshipFactory(tie_breaks=["mean_difference"])
        changed = change(championship, decided_by="manches", partie_end="wins", partie_end_value=3)
        assert changed.tie_breaks == ["direct_encounter", "manche_share", "mean_km_difference", "coups_fourres"]

    @pytest.mark.parametrize(
        "settings",
        [{"decided_by": "manches", "partie_end": "wins", "partie_end_value": 3}, {"table_entries": 3}],
        ids=["decided_by", "table_entries"],
    )
    def test_what_changes_the_ranking_of_those_who_are_entered_stands_in_the_journal(
        self, settings: dict[str, Any]
    ) -> None:
        championship = ChampionshipFactory()
        add_bye(actor=owner_of(championship), entry_id=EntryFactory(championship=championship).pk, round=1)
        renew_live_ranking(championship_id=championship.pk)

        changed = change(championship, **settings)

        assert ResultEvent.objects.latest("position").what == "keys-changed"
        renew_live_ranking(championship_id=championship.pk)
        assert LiveRanking.objects.get().keys == changed.ranking_keys
        row = LiveRow.objects.get()
        assert row.values == explain(document(changed))["rows"][0]["values"]

    def test_a_change_before_anybody_is_entered_has_nobody_to_rank(self) -> None:
        change(ChampionshipFactory(), table_entries=3)
        assert not ResultEvent.objects.exists()

    def test_a_reason_has_an_end(self) -> None:
        championship = ChampionshipFactory()
        with pytest.raises(UserFault, match="too-long"):
            change_championship(
                actor=owner_of(championship),
                championship_id=championship.pk,
                version=None,
                settings={"name": "Other"},
                reason="x" * 301,
            )

    def test_a_change_is_held_against_the_version_that_was_read(self) -> None:
        championship = ChampionshipFactory()
        change(championship, 1, name="First")
        with pytest.raises(Stale):
            change(championship, 1, name="Second")

    def test_a_change_that_changes_nothing_is_none(self) -> None:
        championship = ChampionshipFactory(name="Coupe")
        assert change(championship, 1, name="Coupe ").version == 1

    def test_a_bad_change_changes_nothing(self) -> None:
        championship = ChampionshipFactory()
        with pytest.raises(Faults):
            change(championship, name="", time_zone="Mars/Olympus")
        championship.refresh_from_db()
        assert (championship.name, championship.time_zone) != ("", "Mars/Olympus")

    def test_keys_may_change_later_and_that_is_logged_and_shown(self) -> None:
        partie = PartieFactory()
        play(partie)
        championship = partie.championship

        changed = change_keys(
            actor=owner_of(championship),
            championship_id=championship.pk,
            version=1,
            settings={"tie_breaks": ["km"]},
            reason="The hall voted",
        )

        assert document(changed)["tie_breaks"] == ["km"]
        line = ResultEvent.objects.get(what="keys-changed")
        assert (line.reason, line.position) == ("The hall voted", changed.journal_position)
        with pytest.raises(UserFault, match="reason-required"):
            change_keys(
                actor=owner_of(championship),
                championship_id=championship.pk,
                version=2,
                settings={"tie_breaks": []},
                reason="",
            )


class TestFinishing:
    """At the end nothing more comes in, and the lots can be redone."""

    def finished(self, **settings: Any) -> Championship:
        championship = ChampionshipFactory(**settings)
        return finish_championship(actor=owner_of(championship), championship_id=championship.pk, version=None)

    def test_an_open_partie_stands_in_the_way(self) -> None:
        partie = PartieFactory()
        actor = owner_of(partie.championship)
        with pytest.raises(Conflict) as conflict:
            finish_championship(actor=actor, championship_id=partie.championship.pk, version=None)
        assert (conflict.value.code, conflict.value.extra) == ("parties-open", {"parties": [1]})

        close_partie(actor=actor, partie_id=partie.pk, version=None, reason="Time")
        finish_championship(actor=actor, championship_id=partie.championship.pk, version=None)

    def test_a_result_that_waits_for_a_decision_stands_in_the_way(self) -> None:
        partie = PartieFactory()
        actor = owner_of(partie.championship)
        play(partie)
        close_partie(actor=actor, partie_id=partie.pk, version=None, reason="Time")
        play(partie, 1, sheet(claim={"A": 1, "B": 1}), reason="Their own sheet", replaces=1)
        with pytest.raises(Conflict, match="unsettled"):
            finish_championship(actor=actor, championship_id=partie.championship.pk, version=None)

    def test_the_secret_is_shown(self) -> None:
        championship = self.finished()
        assert championship.shown_secret == championship.secret

    def test_until_then_the_document_for_everybody_has_neither_secret_nor_lots(self) -> None:
        championship = ChampionshipFactory(tie_breaks=["km", "draw"])
        whole = public_document(championship)
        assert "secret" not in whole
        assert whole["tie_breaks"] == ["km"]
        assert championship.tie_breaks == ["km", "draw"]

        finished = self.finished(tie_breaks=["km", "draw"])
        assert public_document(finished)["secret"] == finished.secret
        assert public_document(finished)["tie_breaks"] == ["km", "draw"]

    def test_it_can_be_taken_up_again_with_a_reason(self) -> None:
        championship = self.finished()
        resumed = resume_championship(
            actor=owner_of(championship), championship_id=championship.pk, version=None, reason="A sheet was missing"
        )
        assert resumed.status == "running"
        PartieFactory(championship=resumed)

    def test_finished_nobody_enters_or_plays(self) -> None:
        championship = self.finished()
        with pytest.raises(Conflict, match="finished"):
            EntryFactory(championship=championship)
