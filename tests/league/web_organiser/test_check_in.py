"""The door on the day."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.errors import Conflict, NotFound
from league.models import AuditEntry, Championship, Entry, TeamMember
from league.selectors.check_in import door
from league.services.check_in import check_in, check_out
from league.services.entries import enter_players, reinstate, withdraw
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PlayerFactory, owner_of
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]


class TestChecking:
    def test_in_twice_is_once_and_keeps_its_time(self, hall: Hall) -> None:
        entry, actor = hall.entries[0], owner_of(hall.championship)
        since = check_in(actor=actor, entry_id=entry.pk).checked_in_at
        assert since is not None
        assert check_in(actor=actor, entry_id=entry.pk).checked_in_at == since
        assert AuditEntry.objects.filter(action="check_in").count() == 1

    def test_out_takes_it_back(self, hall: Hall) -> None:
        entry, actor = hall.entries[0], owner_of(hall.championship)
        check_in(actor=actor, entry_id=entry.pk)
        for _ in range(2):
            assert check_out(actor=actor, entry_id=entry.pk).checked_in_at is None
        assert AuditEntry.objects.filter(action="check_out").count() == 1

    def test_says_who_did_it(self, hall: Hall) -> None:
        check_in(actor=owner_of(hall.championship), entry_id=hall.entries[0].pk)
        entry = AuditEntry.objects.get(action="check_in")
        assert (entry.user, entry.object_id, entry.championship) == (hall.owner, hall.entries[0].pk, hall.championship)
        assert entry.before == {"checked_in_at": None}

    def test_changes_nothing_that_is_ranked(self, hall: Hall) -> None:
        before = Championship.objects.get(pk=hall.championship.pk).journal_position
        check_in(actor=owner_of(hall.championship), entry_id=hall.entries[0].pk)
        assert Championship.objects.get(pk=hall.championship.pk).journal_position == before

    def test_a_withdrawn_entry_comes_back_first(self, db: None) -> None:
        entry = EntryFactory()
        actor = owner_of(entry.championship)
        withdraw(actor=actor, entry_id=entry.pk, reason="Ill")
        with pytest.raises(Conflict) as fault:
            check_in(actor=actor, entry_id=entry.pk)
        assert fault.value.code == "withdrawn"
        reinstate(actor=actor, entry_id=entry.pk, reason="Well")
        assert check_in(actor=actor, entry_id=entry.pk).checked_in_at is not None

    def test_of_nobody_or_when_all_is_over_is_refused(self, hall: Hall) -> None:
        actor = owner_of(hall.championship)
        with pytest.raises(NotFound):
            check_in(actor=actor, entry_id=10_000_000)
        Championship.objects.filter(pk=hall.championship.pk).update(status="finished")
        with pytest.raises(Conflict):
            check_in(actor=actor, entry_id=hall.entries[0].pk)


class TestTheDoor:
    def test_counts_those_who_are_expected(self, db: None) -> None:
        championship = ChampionshipFactory()
        entries = EntryFactory.create_batch(4, championship=championship)
        actor = owner_of(championship)
        check_in(actor=actor, entry_id=entries[0].pk)
        withdraw(actor=actor, entry_id=entries[1].pk, reason="Ill")
        seen = door(championship=championship)
        assert (seen.here, seen.missing, seen.expected) == (1, 2, 3)
        assert [line.number for line in seen.page.items] == [3, 4]
        assert [line.number for line in door(championship=championship, show="here").page.items] == [1]

    @pytest.mark.parametrize("text", ["zoe", "CELIK", "ouvre", "essieux", "2", " 2 "])
    def test_finds_by_name_of_team_or_player_and_by_number_also_who_is_there(self, db: None, text: str) -> None:
        championship = ChampionshipFactory(players_per_team=2)
        EntryFactory(championship=championship)
        players = [PlayerFactory(name="Zoé Çelik"), PlayerFactory(name="Bo Rouvre")]
        ids = [player.pk for player in players]
        entry = enter_players(
            actor=owner_of(championship), championship_id=championship.pk, player_ids=ids, name="Les Essieux"
        )
        check_in(actor=owner_of(championship), entry_id=entry.pk)
        assert [line.number for line in door(championship=championship, text=text).page.items] == [2]


class TestThePage:
    def test_one_tap_each(self, hall: Hall, owner: Client, send: Send) -> None:
        assert "0 of 4 are there" in said(owner.get(HOME + "check-in/"))
        answer = send("check-in/?q=numero", "check_in", number=3)
        assert answer.headers["Location"] == HOME + "check-in/?show=missing", "the next one is looked for"
        page = said(owner.get(HOME + "check-in/"))
        assert "1 of 4 are there" in page
        assert hall.entries[2].team.name in page, "the message"
        send("check-in/", "check_out", number=3)
        assert Entry.objects.filter(checked_in_at__isnull=False).count() == 0

    def test_when_all_are_there_it_says_so(self, hall: Hall, owner: Client, send: Send) -> None:
        for number in range(1, 5):
            send("check-in/", "check_in", number=number)
        assert "Everybody is there." in said(owner.get(HOME + "check-in/"))

    def test_clubs_are_shown(self, hall: Hall, owner: Client) -> None:
        player = TeamMember.objects.get(team=hall.entries[0].team).player
        player.club = ClubFactory(name="Les Roues de Tours")
        player.save()
        assert "Les Roues de Tours" in said(owner.get(HOME + "check-in/"))

    def test_who_comes_late_is_entered_and_there_at_once(self, hall: Hall, owner: Client, send: Send) -> None:
        answer = send("check-in/", "late", lines="Zoé Tard\nBo Tard")
        assert answer.status_code == 302
        assert "Entered, and there: No. 5 Zoé Tard, No. 6 Bo Tard." in said(owner.get(HOME + "check-in/"))
        late = Entry.objects.filter(championship=hall.championship, checked_in_at__isnull=False)
        assert sorted(late.values_list("number", flat=True)) == [5, 6]

    def test_who_comes_late_and_is_nearly_known_is_asked_about(self, hall: Hall, send: Send) -> None:
        known = PlayerFactory(name="Zoé Tard")
        answer = send("check-in/", "late", lines="Tard Zoe")
        assert answer.status_code == 422
        assert "Who is “Tard Zoe”?" in said(answer)
        assert send("check-in/", "late", lines="Tard Zoe", **{"who-tard zoe": str(known.pk)}).status_code == 302
        assert Entry.objects.get(championship=hall.championship, number=5).team.players.get() == known

    def test_nobody_of_a_name_and_no_such_number(self, hall: Hall, owner: Client, send: Send) -> None:
        assert "Nobody of this name" in said(owner.get(HOME + "check-in/?q=xyz"))
        assert send("check-in/", "check_in", number=99).status_code == 404
