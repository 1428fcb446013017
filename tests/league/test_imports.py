"""Lists held against what is known, settled and accepted."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.errors import Conflict
from league.models import AuditEntry, Championship, Club, Entry, ListImport, Player, ResultEvent
from league.selectors.imports import EntrySeen, Preview, look_over
from league.services.entries import enter_players, withdraw
from league.services.imports import accept_list, discard_list, keep_list, settle_list
from league.services.people import change_player
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PlayerFactory, owner_of

pytestmark = pytest.mark.django_db


def kept(championship: Championship, text: str, *, into: bool = True) -> ListImport:
    """A list that was read and waits."""
    return keep_list(
        actor=owner_of(championship),
        championship_id=championship.pk,
        file_name="list.csv",
        body=text.encode(),
        into=into,
    )


def seen(found: ListImport) -> Preview:
    """The preview of a list now."""
    found.refresh_from_db()
    return look_over(championship=found.championship, found=found)


def accepted(found: ListImport, **answers: str) -> ListImport:
    """Accept a list with answers, by their places (`p2_1`: line 2, first player)."""
    said = {place[1:].replace("_", "."): answer for place, answer in answers.items()}
    return accept_list(actor=owner_of(found.championship), import_id=found.pk, seen=seen(found).digest, answers=said)


def kinds(found: ListImport) -> list[tuple[int, str]]:
    """What becomes of each line."""
    return [(entry.line, entry.kind) for entry in seen(found).entries]


def only(found: ListImport, line: int) -> EntrySeen:
    """The entry at a line."""
    (entry,) = [entry for entry in seen(found).entries if entry.line == line]
    return entry


def player(name: str, **fields: object) -> Player:
    """Somebody known."""
    return PlayerFactory(name=name, **{"email": "", **fields})


def everything() -> tuple[int, ...]:
    """How much there is of all that a list can make."""
    return tuple(model.objects.count() for model in (Player, Entry, Club, ResultEvent))


class TestAPreview:
    def test_writes_nothing_but_itself(self) -> None:
        championship = ChampionshipFactory()
        before = everything()
        found = kept(championship, "name;club\nAna;New Club\nBo;\n")
        assert kinds(found) == [(2, "new"), (3, "new")]
        assert everything() == before

    def test_tells_new_known_entered_and_wrong_apart(self) -> None:
        championship = ChampionshipFactory()
        there = player("Ana Roy")
        entry = enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[there.pk])
        player("Bo Rouvre")
        found = kept(championship, "name\nAna Roy\nBo Rouvre\nCy Nouveau\n;\n" + "x" * 101)
        assert kinds(found) == [(2, "known"), (3, "new"), (4, "new"), (6, "bad")]
        assert only(found, 2).number == entry.number
        assert (only(found, 3).people[0].answer.isdigit(), only(found, 4).people[0].answer) == (True, "new")
        assert seen(found).new_players == 1

    @pytest.mark.parametrize(
        ("on_list", "known"),
        [
            ("Zoe Dupont", "Zoé Dupont"),
            ("ZOÉ DUPONT", "Zoé Dupont"),
            ("Dupont Zoé", "Zoé Dupont"),
            ("DUPONT Zoe", "Zoé Dupont"),
            ("Zoé Dupond", "Zoé Dupont"),
            ("Zoé Dupomt", "Zoé Dupont"),
            ("Zoé Duont", "Zoé Dupont"),
            ("Zoé Dupotn", "Zoé Dupont"),
            ("Jean Pierre Roy", "Jean-Pierre Roy"),
            ("Schumacher", "Shumacher"),
        ],
    )
    def test_asks_about_names_that_are_nearly_known(self, on_list: str, known: str) -> None:
        there = player(known)
        found = kept(ChampionshipFactory(), f"name\n{on_list}\n")
        entry = only(found, 2)
        assert entry.kind == "ask"
        assert [choice.answer for choice in entry.people[0].choices] == [str(there.pk)]

    @pytest.mark.parametrize(("one", "other"), [("Ana Roy", "Bo Roy"), ("Joueur 12", "Joueur 13"), ("Ana", "Eva")])
    def test_does_not_ask_about_names_that_are_not_near(self, one: str, other: str) -> None:
        player(one)
        found = kept(ChampionshipFactory(), f"name\n{other}\nSomebody Else\n")
        assert kinds(found) == [(2, "new"), (3, "new")]

    def test_asks_about_near_names_within_one_list(self) -> None:
        found = kept(ChampionshipFactory(), "name\nZoé Dupont\nBo Rouvre\nDupont Zoe\n")
        assert kinds(found) == [(2, "new"), (3, "new"), (4, "ask")]
        (choice,) = only(found, 4).people[0].choices
        assert (choice.answer, choice.line) == ("same:2.1", 2)
        assert only(found, 4).people[0].likely == "same:2.1"

    def test_offers_a_few_of_many_lines_of_one_name(self) -> None:
        championship = ChampionshipFactory()
        found = kept(championship, "Name\n" + "Ana Dupont\n" * 40)
        preview = look_over(championship=championship, found=found)
        assert preview.counts["ask"] == 39
        assert max(len(entry.people[0].choices) for entry in preview.entries) == 12
        assert preview.entries[-1].people[0].likely == "same:2.1", "the first of the name"

    def test_licence_numbers_tell_people_of_one_name_apart(self) -> None:
        found = kept(ChampionshipFactory(), "name;licence\nZoé Dupont;1\nZoé Dupont;2\n")
        assert kinds(found) == [(2, "new"), (3, "new")]

    def test_a_licence_number_is_sure_whatever_the_accents(self) -> None:
        there = player("Zoé Dupont", licence="A1")
        found = kept(ChampionshipFactory(), "name;licence\ndupont zoe;a 1\n")
        assert only(found, 2).people[0].answer == str(there.pk)

    def test_a_licence_number_of_somebody_else_makes_nobody_new(self) -> None:
        player("Zoé Dupont", licence="A1")
        found = kept(ChampionshipFactory(), "name;licence\nBo Rouvre;A1\n")
        person = only(found, 2).people[0]
        assert (only(found, 2).kind, person.may_be_new) == ("ask", False)
        settle_list(actor=owner_of(found.championship), import_id=found.pk, answers={"2.1": "new"})
        assert only(found, 2).kind == "ask", "an answer that is not offered is none"

    @pytest.mark.parametrize("column", ["club;Other Club", "licence;B2", "e-mail;other@example.org"])
    def test_what_speaks_against_a_known_person_is_asked_about(self, column: str) -> None:
        player("Zoé Dupont", club=ClubFactory(name="Club X"), licence="A1", email="zoe@example.org")
        title, cell = column.split(";")
        found = kept(ChampionshipFactory(), f"name;{title}\nZoé Dupont;{cell}\n")
        assert only(found, 2).kind == "ask"

    def test_two_known_people_of_one_name_are_asked_about(self) -> None:
        for _ in range(2):
            player("Zoé Dupont")
        assert only(kept(ChampionshipFactory(), "name\nZoé Dupont\n"), 2).kind == "ask"

    def test_somebody_in_another_team_is_a_fault(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        ana, bo = player("Ana Roy"), player("Bo Rouvre")
        enter_players(
            actor=owner_of(championship), championship_id=championship.pk, player_ids=[ana.pk, bo.pk], name="Foxes"
        )
        assert kinds(kept(championship, "name 1;name 2\nBo Rouvre;Ana Roy\n")) == [(2, "known")]
        found = kept(championship, "name 1;name 2\nAna Roy;Cy Nouveau\n")
        assert kinds(found) == [(2, "bad")]
        assert only(found, 2).faults == [[2, "in-other-team", {"name": "Ana Roy", "team": "Foxes"}]]

    def test_somebody_in_two_teams_of_the_list_is_a_fault(self) -> None:
        found = kept(ChampionshipFactory(players_per_team=2), "name 1;name 2\nAna Roy;Bo Rouvre\nCy Nouveau;Ana Roy\n")
        settle_list(actor=owner_of(found.championship), import_id=found.pk, answers={"3.2": "same:2.1"})
        assert only(found, 3).faults == [[3, "in-two-entries", {"name": "Ana Roy", "line": 2}]]

    def test_costs_as_many_queries_for_many_lines_as_for_few(self) -> None:
        championship = ChampionshipFactory()
        EntryFactory.create_batch(5, championship=championship)

        def cost(lines: int) -> int:
            found = kept(championship, "name\n" + "\n".join(f"Somebody {n}" for n in range(lines)))
            found.refresh_from_db()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                look_over(championship=championship, found=found)
            return len(queries)

        assert cost(3) == cost(300) == 2


class TestAccepting:
    def test_makes_players_clubs_and_entries_in_the_order_of_the_list(self) -> None:
        club = ClubFactory(name="Club X")
        championship = ChampionshipFactory()
        found = kept(
            championship,
            "name;club;licence;e-mail;minor\nZoé Roy;club x;a1;zoe@example.org;no\nAna Bois;New Club;;;yes\nBo;;;;\n",
        )
        accepted(found)
        entries = Entry.objects.filter(championship=championship).order_by("number")
        people = [entry.team.players.get() for entry in entries]
        assert [person.name for person in people] == ["Zoé Roy", "Ana Bois", "Bo"]
        assert (people[0].club, people[0].licence, people[0].email) == (club, "A1", "zoe@example.org")
        assert people[1].club is not None
        assert (people[1].club.name, people[1].is_minor) == ("New Club", True)
        assert people[1].shown_as != "name", "minors are hidden by default"

    def test_the_same_file_twice_changes_nothing(self) -> None:
        player("Zoé Dupont")
        player("Bo Rouvre")
        championship = ChampionshipFactory()
        text = "name;licence\nZoe Dupont;\nBo Rouvre;\nbo rouvre;7\nAna;\nAna Bois;\nAna Boix;\nLeft Out;\n"
        accepted(kept(championship, text), p2_1="new", p4_1="new", p7_1="same:6.1", p8_1="out")
        before = everything()
        again = kept(championship, text)
        assert [kind for _line, kind in kinds(again)] == ["known"] * 5 + ["repeated", "out"]
        done = accepted(again)
        assert everything() == before
        assert (done.outcome["made"], done.outcome["entered"]) == (0, [])

    def test_another_file_about_the_same_people_changes_nothing_either(self) -> None:
        championship = ChampionshipFactory()
        accepted(kept(championship, "name;club\nZoé Dupont;X\nBo;\n"))
        before = everything()
        again = kept(championship, "NOM,Prénom\nDupont,ZOE\nBo,\n")
        assert [kind for _line, kind in kinds(again)] == ["known", "known"]
        accepted(again)
        assert everything() == before

    def test_answers_decide_who_is_who(self) -> None:
        there = player("Zoé Dupont")
        championship = ChampionshipFactory()
        found = kept(championship, "name\nZoe Dupont\nDupont Zoé\nZoé Dupond\nZoë Dupont\n")
        accepted(found, p2_1=str(there.pk), p3_1="same:2.1", p4_1="new", p5_1="out")
        names = Entry.objects.filter(championship=championship).order_by("number").values_list("team__name", flat=True)
        assert list(names) == ["Zoé Dupont", "Zoé Dupond"]

    def test_waits_until_everything_is_settled(self) -> None:
        player("Zoé Dupont")
        found = kept(ChampionshipFactory(), "name\nZoe Dupont\nBrand New\n")
        before = everything()
        with pytest.raises(Conflict) as fault:
            accepted(found)
        assert fault.value.code == "list-unsettled"
        assert everything() == before

    def test_bad_lines_stay_out_and_are_remembered(self) -> None:
        found = accepted(kept(ChampionshipFactory(), "name;e-mail\nAna;x\nBo;\n"))
        assert Entry.objects.get(championship=found.championship).team.name == "Bo"
        assert [fault[:2] for fault in found.outcome["left"]] == [[2, "bad-email"]]

    @pytest.mark.parametrize("change", ["a player", "an entry", "a new name"])
    def test_when_something_has_changed_since_it_was_looked_at_it_is_shown_again(self, change: str) -> None:
        championship = ChampionshipFactory()
        there = player("Zoé Dupont")
        found = kept(championship, "name\nZoé Dupont\nAna Bois\n")
        looked_at = seen(found).digest
        if change == "a player":
            player("Ana Boix")
        elif change == "an entry":
            enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[there.pk])
        else:
            change_player(
                actor=owner_of(championship), player_id=there.pk, version=None, changes={"name": "Somebody Else"}
            )
        before = everything()
        with pytest.raises(Conflict) as fault:
            accept_list(actor=owner_of(championship), import_id=found.pk, seen=looked_at)
        assert fault.value.code == "list-changed"
        assert everything() == before

    def test_what_does_not_concern_the_list_does_not_hold_it_up(self) -> None:
        championship = ChampionshipFactory()
        found = kept(championship, "name\nZoé Dupont\n")
        looked_at = seen(found).digest
        EntryFactory(championship=championship)
        accept_list(actor=owner_of(championship), import_id=found.pk, seen=looked_at)
        assert Entry.objects.filter(championship=championship).count() == 2

    def test_twice_is_once(self) -> None:
        found = kept(ChampionshipFactory(), "name\nAna\n")
        accepted(found)
        before = everything()
        found.refresh_from_db()
        accept_list(actor=owner_of(found.championship), import_id=found.pk, seen="whatever")
        assert everything() == before
        for late in (
            lambda: settle_list(actor=owner_of(found.championship), import_id=found.pk, answers={"2.1": "out"}),
            lambda: discard_list(actor=owner_of(found.championship), import_id=found.pk),
        ):
            with pytest.raises(Conflict) as fault:
                late()
            assert fault.value.code == "already-accepted"

    def test_only_made_known_nobody_is_entered(self) -> None:
        player("Bo Rouvre")
        championship = ChampionshipFactory(players_per_team=2)
        found = kept(championship, "name 1;name 2\nAna Bois;Bo Rouvre\n", into=False)
        accepted(found)
        assert Player.objects.filter(name="Ana Bois").exists()
        assert not Entry.objects.filter(championship=championship).exists()

    def test_private_addresses_are_not_kept_with_the_list(self) -> None:
        found = accepted(kept(ChampionshipFactory(), "name;e-mail\nAna;ana@example.org\n"))
        found.refresh_from_db()
        assert "ana@example.org" not in str([found.lines, found.decisions, found.outcome])
        audited = AuditEntry.objects.values_list("before", "after")
        assert "ana@example.org" not in str(list(audited))

    def test_thrown_away_it_is_gone(self) -> None:
        found = kept(ChampionshipFactory(), "name\nAna\n")
        discard_list(actor=owner_of(found.championship), import_id=found.pk)
        assert not ListImport.objects.exists()
        assert AuditEntry.objects.filter(action="discard_list").exists()

    def test_teams_of_two_with_names_of_their_own(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        accepted(kept(championship, "team;name\nFoxes;Ana\nHares;Cy\nFoxes;Bo\nHares;Di\n;Alone\n"))
        entries = Entry.objects.filter(championship=championship).order_by("number")
        assert [entry.team.name for entry in entries] == ["Foxes", "Hares"]
        seats = entries[0].team.members.order_by("position").values_list("player__name", flat=True)
        assert list(seats) == ["Ana", "Bo"]

    def test_where_players_are_ranked_each_enters_alone(self) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        Championship.objects.filter(pk=championship.pk).update(ranks="players")
        championship.refresh_from_db()
        accepted(kept(championship, "name\nAna\nBo\n"))
        assert Entry.objects.filter(championship=championship).count() == 2

    def test_a_withdrawn_entry_is_entered_already(self) -> None:
        championship = ChampionshipFactory()
        accepted(kept(championship, "name\nAna\n"))
        entry = Entry.objects.get(championship=championship)
        withdraw(actor=owner_of(championship), entry_id=entry.pk, reason="Ill")
        assert kinds(kept(championship, "name\nAna\nBo\n")) == [(2, "known"), (3, "new")]

    def test_in_a_finished_championship_nobody_is_entered(self) -> None:
        championship = ChampionshipFactory()
        found = kept(championship, "name\nAna\n")
        Championship.objects.filter(pk=championship.pk).update(status="finished")
        with pytest.raises(Conflict):
            accepted(found)
        with pytest.raises(Conflict):
            kept(championship, "name\nBo\n")
