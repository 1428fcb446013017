"""Players, teams and entries in pages."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.errors import Faults
from league.models import Entry, LiveRow, Player, Result, TeamMember
from league.services.renewal import renew_live_ranking
from league.web.organiser.many_entries import read_lines
from tests.factories import ChampionshipFactory, PlayerFactory
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]


class TestReadingLines:
    def test_one_name_a_line_blank_lines_aside(self) -> None:
        lines = read_lines("Ana\n\n  Zoé   Martin \n", 1)
        assert [(line.number, list(line.players)) for line in lines] == [(1, ["Ana"]), (3, ["Zoé Martin"])]

    @pytest.mark.parametrize("between", ["/", " / ", "&", " + ", ";", "\t"])
    def test_two_names_and_a_name_of_the_teams_own(self, between: str) -> None:
        alone, named = read_lines(f"Ana{between}Eloi\nThe Foxes: Bo{between}Cy", 2)
        assert (alone.team, list(alone.players)) == ("", ["Ana", "Eloi"])
        assert (named.team, list(named.players)) == ("The Foxes", ["Bo", "Cy"])

    @pytest.mark.parametrize(
        ("text", "size", "words"),
        [
            ("", 1, "at least one name"),
            ("Ana", 2, "Line 1"),
            ("Ana / Bo / Cy", 2, "Line 1"),
            ("Ana / ", 2, "a name is missing"),
            ("Ana\nZoé\nANA", 1, "Line 3: ANA stands in line 1 already"),
            ("Ana / ana", 2, "Line 1"),
            ("\n".join(f"Name {n}" for n in range(101)), 1, "At most 100"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, text: str, size: int, words: str) -> None:
        with pytest.raises(Faults) as found:
            read_lines(text, size)
        assert any(words in str(each.message) for each in found.value.faults)

    def test_all_lines_are_looked_at(self) -> None:
        with pytest.raises(Faults) as faults:
            read_lines("Ana / Bo / Cy\nOk / Fine\nSolo", 2)
        assert len(faults.value.faults) == 2


class TestEnteringMany:
    def test_new_names_are_entered_at_once_in_their_order(self, hall: Hall, send: Send) -> None:
        answer = send("entries/", "enter", lines="Zoé Martin\nAna Etxeberria")
        assert answer.status_code == 302
        made = Entry.objects.filter(championship=hall.championship, number__gt=4).order_by("number")
        assert [(entry.number, entry.team.name) for entry in made] == [(5, "Zoé Martin"), (6, "Ana Etxeberria")]

    def test_a_known_name_is_asked_about_before_anything_is_made(self, hall: Hall, send: Send) -> None:
        known = PlayerFactory(name="Zoé Martin")
        before = Player.objects.count()
        answer = send("entries/", "enter", lines="Zoe Martin\nBrand New")
        assert answer.status_code == 422
        ((question, likely),) = answer.context["answers"]
        assert (question.name, likely) == ("Zoe Martin", str(known.pk))
        assert "Brand New" in answer.content.decode(), "nothing typed is lost"
        assert Player.objects.count() == before

    def test_the_answer_is_the_player_that_is_known(self, hall: Hall, send: Send) -> None:
        known = PlayerFactory(name="Zoé Martin")
        send("entries/", "enter", lines="Zoe Martin", **{"who-zoe martin": str(known.pk)})
        assert TeamMember.objects.get(player=known).team.championship == hall.championship

    def test_or_somebody_new_of_the_same_name(self, hall: Hall, send: Send) -> None:
        PlayerFactory(name="Zoé Martin")
        send("entries/", "enter", lines="Zoé Martin", **{"who-zoe martin": "new"})
        assert Player.objects.filter(name="Zoé Martin").count() == 2

    def test_nobody_is_entered_who_was_not_offered(self, hall: Hall, send: Send) -> None:
        PlayerFactory(name="Zoé Martin")
        other = PlayerFactory(name="Completely Different")
        answer = send("entries/", "enter", lines="Zoé Martin", **{"who-zoe martin": str(other.pk)})
        assert answer.status_code == 422

    def test_sent_twice_they_are_entered_once(self, hall: Hall, send: Send) -> None:
        for _ in range(2):
            assert send("entries/", "enter", key="same", lines="Zoé Martin\nAna").status_code == 302
        assert Entry.objects.filter(championship=hall.championship).count() == 6

    def test_one_line_that_cannot_be_entered_stops_all(self, hall: Hall, send: Send) -> None:
        seated = hall.entries[0].team.members.get().player
        folded = seated.name_folded
        answer = send("entries/", "enter", lines=f"{seated.name}\nSomebody New", **{f"who-{folded}": str(seated.pk)})
        assert answer.status_code == 422
        assert f"Line 1: {seated.name} is in another team" in said(answer)
        assert not Player.objects.filter(name="Somebody New").exists()

    def test_teams_of_two(self, owner: Client, hall: Hall) -> None:
        ChampionshipFactory(slug="pairs", players_per_team=2, owner=hall.owner)
        sent = {"do": "enter", "key": "k", "lines": "The Foxes: Ana / Zoé\nBo & Cy"}
        assert owner.post("/en/organise/pairs/entries/", sent).status_code == 302
        names = Entry.objects.filter(championship__slug="pairs").values_list("team__name", flat=True)
        assert list(names) == ["The Foxes", "Bo – Cy"]


class TestWhoComesLate:
    def test_is_entered_after_the_first_round_was_played(self, hall: Hall, owner: Client, send: Send) -> None:
        assert Result.objects.filter(manche__partie__round=1, manche__partie__championship=hall.championship).exists()
        assert send("entries/", "enter", lines="Zoé Tard").status_code == 302
        late = Entry.objects.get(championship=hall.championship, number=5)
        renew_live_ranking(championship_id=hall.championship.pk)
        assert LiveRow.objects.filter(entry=late).exists()
        assert send("entries/5/", "withdraw", reason="Ill").status_code == 302
        assert "withdrawn" in said(owner.get(HOME + "entries/5/"))
        assert send("entries/5/", "reinstate", reason="Well again").status_code == 302


class TestAnEntry:
    def test_is_renamed(self, hall: Hall, send: Send) -> None:
        send("entries/1/", "rename", version=1, name="The Foxes")
        hall.entries[0].team.refresh_from_db()
        assert hall.entries[0].team.name == "The Foxes"

    def test_two_at_once_the_second_sees_the_first(self, hall: Hall, send: Send) -> None:
        send("entries/1/", "rename", version=1, name="First")
        answer = send("entries/1/", "rename", version=1, name="Second")
        assert answer.status_code == 412
        assert "First</h1>" in answer.content.decode()
        assert 'value="Second"' in answer.content.decode()
        assert 'name="version" value="2"' in answer.content.decode()

    def test_withdraws_and_comes_back_with_reasons(self, hall: Hall, send: Send) -> None:
        entry = hall.entries[0]
        answer = send("entries/1/", "withdraw", reason="Ill")
        assert answer.status_code == 409, "it sits at a table"
        assert "partie 1" in said(answer)
        send("parties/1/", "void", version=hall_version(hall), reason="Ill")
        send("entries/1/", "withdraw", reason="Ill")
        entry.refresh_from_db()
        assert entry.withdrawn_at is not None
        send("entries/1/", "reinstate", reason="Well again")
        entry.refresh_from_db()
        assert entry.withdrawn_at is None

    def test_is_penalised(self, hall: Hall, send: Send) -> None:
        send("entries/2/", "penalise", points=2, reason="Late")
        entry = hall.entries[1]
        entry.refresh_from_db()
        assert (entry.penalty, entry.penalty_reason) == (2, "Late")


def hall_version(hall: Hall) -> int:
    """The present version of the first partie."""
    hall.first.refresh_from_db()
    return hall.first.version


class TestAPlayer:
    def test_is_made_with_licence_and_private_address_and_entered(self, hall: Hall, send: Send) -> None:
        answer = send(
            "players/new/", "make", name="Zoé", licence="ab 12", email="zoe@example.org", club="Club X", enter="on"
        )
        assert answer.headers["Location"] == HOME + "entries/"
        player = Player.objects.get(name="Zoé")
        assert (player.licence, player.email, player.club.name) == ("AB12", "zoe@example.org", "Club X")
        assert Entry.objects.get(number=5, championship=hall.championship).team.members.get().player == player

    def test_near_duplicates_are_told_before_one_is_made(self, hall: Hall, send: Send) -> None:
        PlayerFactory(name="Zoé Martin")
        answer = send("players/new/", "make", name="Zoe Martin")
        assert answer.status_code == 409
        assert "Zoé Martin" in answer.content.decode()
        assert send("players/new/", "make", name="Zoe Martin", homonym="on").status_code == 302
        assert Player.objects.filter(name_folded="zoe martin").count() == 2

    def test_a_licence_number_that_is_taken_is_said_at_its_field(self, hall: Hall, send: Send) -> None:
        PlayerFactory(licence="A1")
        answer = send("players/new/", "make", name="Somebody", licence="a1")
        assert "licence" in answer.context["form"].errors

    def test_is_corrected(self, hall: Hall, send: Send) -> None:
        player = hall.entries[0].team.members.get().player
        said = {"name": "New Name", "licence": "", "email": "", "club": "", "shown_as": "name", "shows_club": "on"}
        send(f"players/{player.pk}/", "change", version=1, **said)
        player.refresh_from_db()
        assert player.name == "New Name"

    def test_of_another_championship_is_not_there(self, hall: Hall, owner: Client) -> None:
        assert owner.get(f"{HOME}players/{PlayerFactory().pk}/").status_code == 404

    def test_is_found_by_name_accents_aside(self, hall: Hall, owner: Client, send: Send) -> None:
        send("entries/", "enter", lines="Élodie Été")
        assert "Élodie Été" in said(owner.get(HOME + "players/?q=elodie"))
        assert "Nobody of this name" in said(owner.get(HOME + "players/?q=xyz"))


def test_one_name_twice_in_a_list_can_be_two_people(hall: Hall, send: Callable[..., Any]) -> None:
    answer = send("entries/", "enter", lines="Zoé Rouvre\nZoe Rouvre")
    assert answer.status_code == 422
    assert "Zoe Rouvre stands in line 1 already" in said(answer)
    assert 'name="two_people"' in answer.content.decode()
    assert send("entries/", "enter", lines="Zoé Rouvre\nZoe Rouvre", two_people="on").status_code == 302
    assert Player.objects.filter(name_folded="zoe rouvre").count() == 2
