"""People register themselves; places, the waiting list, and what organisers decide."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone, translation

from league.errors import Conflict, NotFound, Stale, UserFault
from league.models import AuditEntry, Championship, Entry, Player, Registration
from league.policy import ANYBODY
from league.selectors.registrations import looked_over, people_of, registrations_of
from league.services.anonymising import anonymise
from league.services.entries import enter_players, withdraw
from league.services.places import free_places, place_in_line
from league.services.registrations import (
    accept_clear,
    accept_registration,
    cancel_registration,
    change_registration,
    decline_registration,
    registration_of,
)
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, PlayerFactory, owner_of
from tests.league.registering import opened, registered, sent

pytestmark = pytest.mark.django_db


def states(championship: Championship) -> list[str]:
    """Where the registrations stand, by position."""
    return list(championship.registrations.order_by("position").values_list("state", flat=True))


def accept(registration: Registration, **answers: str) -> Registration:
    """Accept a registration; answers by place (`p1`: the first player)."""
    said = {f"{registration.position}.{place[1:]}": answer for place, answer in answers.items()}
    return accept_registration(
        actor=owner_of(registration.championship), registration_id=registration.pk, version=None, answers=said
    )


def decline(registration: Registration) -> Registration:
    """Decline a registration."""
    return decline_registration(
        actor=owner_of(registration.championship), registration_id=registration.pk, version=None, reason="Not today"
    )


class TestRegistering:
    def test_keeps_what_was_typed_and_enters_nobody(self) -> None:
        championship = opened()
        row, token = sent(championship, " Zoé   Roy ", club="X", licence="a 1", email="zoe@example.org", is_minor=True)
        assert row.players[0] == {
            "name": "Zoé Roy",
            "club": "X",
            "licence": "A1",
            "email": "zoe@example.org",
            "minor": True,
            "language": translation.get_language(),
        }
        assert (row.position, row.state) == (1, "received")
        assert registration_of(token=token or "") == row
        assert not Player.objects.exists()
        assert not Entry.objects.exists()

    @pytest.mark.parametrize(
        ("opens", "closes", "is_open"),
        [(None, None, False), (1, None, False), (-1, None, True), (-2, 1, True), (-2, -1, False)],
    )
    def test_is_possible_between_two_times(self, opens: int | None, closes: int | None, is_open: bool) -> None:
        now = timezone.now()
        championship = opened(
            registration_opens_at=None if opens is None else now + timedelta(hours=opens),
            registration_closes_at=None if closes is None else now + timedelta(hours=closes),
        )
        if is_open:
            assert registered(championship, "Ana").state == "received"
        else:
            with pytest.raises(Conflict) as fault:
                registered(championship, "Ana")
            assert fault.value.code == "registration-closed"

    def test_is_over_with_the_championship(self) -> None:
        championship = opened()
        Championship.objects.filter(pk=championship.pk).update(status="finished")
        with pytest.raises(Conflict):
            registered(championship, "Ana")

    def test_the_same_form_twice_is_one_with_the_same_link(self) -> None:
        championship = opened()
        first, token = sent(championship, "Ana", key="form")
        again, same = sent(championship, "ANA", key="form")
        assert (first, token) == (again, same)
        assert Registration.objects.count() == 1

    def test_the_same_people_from_another_form_are_one_too_but_get_no_link(self) -> None:
        championship = opened()
        first, _token = sent(championship, "Ana", email="ana@example.org", key="one")
        again, none = sent(championship, "Ana", email="ANA@example.org", key="two")
        assert again == first
        assert none is None

    def test_somebody_else_of_the_same_name_registers(self) -> None:
        championship = opened()
        registered(championship, "Ana", email="ana@example.org", key="one")
        registered(championship, "Ana", email="other@example.org", key="two")
        assert states(championship) == ["received", "received"]

    def test_after_cancelling_one_can_register_again(self) -> None:
        championship = opened()
        _row, token = sent(championship, "Ana", key="one")
        cancel_registration(actor=ANYBODY, token=token or "")
        with pytest.raises(Conflict):
            sent(championship, "Ana", key="one")
        sent(championship, "Ana", key="two")
        assert states(championship) == ["cancelled", "received"]

    def test_every_fault_is_said_at_its_field(self) -> None:
        with pytest.raises(UserFault) as fault:
            registered(opened(players_per_team=2), "", "B" * 101, email="x", note="n" * 301, team_name="t" * 121)
        fields = [each.field for each in fault.value.faults]
        assert fields == ["name_1", "email_1", "name_2", "email_2", "team_name", "note"]

    def test_a_team_has_its_number_of_players_each_once(self) -> None:
        for names in (("Ana",), ("Ana", "Bo", "Cy"), ("Ana", "ANA")):
            with pytest.raises(UserFault):
                registered(opened(players_per_team=2), *names)

    def test_nothing_private_is_audited(self) -> None:
        registered(opened(), "Zoé Roy", email="zoe@example.org")
        entry = AuditEntry.objects.get(action="register")
        assert "oe" not in str([entry.before, entry.after])


class TestPlaces:
    def test_whoever_finds_none_waits_in_line(self) -> None:
        championship = opened(max_entries=2)
        EntryFactory(championship=championship)
        rows = [registered(championship, name) for name in ("Ana", "Bo", "Cy")]
        assert states(championship) == ["received", "waiting", "waiting"]
        assert [place_in_line(row) for row in rows[1:]] == [1, 2]
        assert free_places(championship) == 0

    def test_without_a_waiting_list_it_is_full(self) -> None:
        championship = opened(max_entries=1, waiting_list=False)
        registered(championship, "Ana")
        with pytest.raises(Conflict) as fault:
            registered(championship, "Bo")
        assert fault.value.code == "full"

    @pytest.mark.parametrize("how", ["cancelled", "declined", "withdrawn", "cancelled once accepted", "more places"])
    def test_the_first_who_waits_moves_up_into_a_free_place(self, how: str) -> None:
        championship = opened(max_entries=1)
        first, token = sent(championship, "Ana")
        registered(championship, "Bo")
        registered(championship, "Cy")
        if how == "cancelled":
            cancel_registration(actor=ANYBODY, token=token or "")
        elif how == "declined":
            decline(first)
        elif how == "withdrawn":
            entry = accept(first).entry
            assert entry is not None
            withdraw(actor=owner_of(championship), entry_id=entry.pk, reason="Ill")
        elif how == "cancelled once accepted":
            accept(first)
            row = cancel_registration(actor=ANYBODY, token=token or "")
            assert row.entry is not None
            assert row.entry.withdrawn_at is not None
        else:
            change_registration(
                actor=owner_of(championship), championship_id=championship.pk, version=None, settings={"max_entries": 2}
            )
        assert states(championship)[1:] == ["received", "waiting"]
        assert AuditEntry.objects.filter(action="move_up").count() == 1

    def test_once_it_has_started_nobody_moves_up_by_themselves(self) -> None:
        championship = opened(max_entries=3)
        PartieFactory(championship=championship)
        late, token = sent(championship, "Ana")
        registered(championship, "Bo")
        decline(late)
        assert states(championship) == ["declined", "waiting"]
        assert token

    def test_an_accepted_one_keeps_its_place(self) -> None:
        championship = opened(max_entries=1)
        accept(registered(championship, "Ana"))
        assert registered(championship, "Bo").state == "waiting"

    def test_settings_that_make_no_sense_are_refused(self) -> None:
        championship = ChampionshipFactory()
        now = timezone.now()
        for wrong in (
            {"registration_opens_at": now, "registration_closes_at": now},
            {"max_entries": 0},
            {"max_entries": 10_001},
        ):
            with pytest.raises(UserFault) as fault:
                change_registration(
                    actor=owner_of(championship), championship_id=championship.pk, version=None, settings=wrong
                )
            assert fault.value.code == "bad-registration"
        with pytest.raises(ValueError, match="name"):
            change_registration(
                actor=owner_of(championship), championship_id=championship.pk, version=None, settings={"name": "x"}
            )


class TestCancelling:
    def test_twice_is_once(self) -> None:
        _row, token = sent(opened(), "Ana")
        for _ in range(2):
            assert cancel_registration(actor=ANYBODY, token=token or "").state == "cancelled"
        assert AuditEntry.objects.filter(action="cancel_registration").count() == 1

    def test_after_the_start_an_organiser_withdraws(self) -> None:
        championship = opened()
        row, token = sent(championship, "Ana")
        accept(row)
        PartieFactory(championship=championship)
        with pytest.raises(Conflict) as fault:
            cancel_registration(actor=ANYBODY, token=token or "")
        assert fault.value.code == "started"

    def test_a_declined_one_stays_declined_and_an_unknown_link_is_none(self) -> None:
        row, token = sent(opened(), "Ana")
        decline(row)
        with pytest.raises(Conflict):
            cancel_registration(actor=ANYBODY, token=token or "")
        with pytest.raises(NotFound):
            cancel_registration(actor=ANYBODY, token="f" * 64)


class TestDeciding:
    def test_accepted_it_is_an_entry_of_new_players(self) -> None:
        championship = opened(players_per_team=2)
        row = accept(registered(championship, "Ana", "Bo", club="New Club", team_name="Foxes", is_minor=True))
        assert row.entry is not None
        assert (row.state, row.entry.number, row.entry.team.name) == ("accepted", 1, "Foxes")
        players = list(row.entry.team.players.order_by("memberships__position"))
        assert [player.name for player in players] == ["Ana", "Bo"]
        assert {player.is_minor for player in players} == {True}
        assert {player.club.name for player in players if player.club} == {"New Club"}

    def test_near_names_are_asked_about(self) -> None:
        known = PlayerFactory(name="Zoé Roy", email="")
        row = registered(opened(), "Roy Zoe", email="zoe@example.org")
        with pytest.raises(Conflict) as fault:
            accept(row)
        assert fault.value.code == "registration-unsettled"
        with pytest.raises(Conflict):
            accept(row, p1=str(PlayerFactory(name="Nobody Near").pk))
        entry = accept(row, p1=str(known.pk)).entry
        assert entry is not None
        assert entry.team.players.get() == known
        known.refresh_from_db()
        assert known.email == "", "what strangers typed does not lay itself over a profile"

    def test_or_are_somebody_new(self) -> None:
        PlayerFactory(name="Zoé Roy")
        accept(registered(opened(), "Zoe Roy"), p1="new")
        assert Player.objects.filter(name_folded="zoe roy").count() == 2

    def test_somebody_who_is_entered_is_not_entered_twice(self) -> None:
        championship = opened()
        known = PlayerFactory(name="Zoé Roy", email="")
        enter_players(actor=owner_of(championship), championship_id=championship.pk, player_ids=[known.pk])
        with pytest.raises(Conflict) as fault:
            accept(registered(championship, "Zoé Roy"))
        assert fault.value.code == "registration-unfit"

    def test_decided_it_stays_so(self) -> None:
        row = registered(opened(), "Ana")
        accept(row)
        for again in (accept, decline):
            with pytest.raises(Conflict) as fault:
                again(row)
            assert fault.value.code == "registration-decided"

    def test_what_changed_since_the_page_was_read_is_told(self) -> None:
        championship = opened(max_entries=1)
        first = registered(championship, "Ana")
        waits = registered(championship, "Bo")
        decline(first)
        with pytest.raises(Stale):
            decline_registration(
                actor=owner_of(championship), registration_id=waits.pk, version=1, reason="No more places"
            )

    def test_all_that_are_clear_are_accepted_in_their_order(self) -> None:
        championship = opened(max_entries=5)
        PlayerFactory(name="Zoé Roy")
        sure = PlayerFactory(name="Cy Rouvre", licence="C1")
        for name, licence in (("Ana", ""), ("Zoe Roy", ""), ("CY ROUVRE", "C1"), ("Bo Petit", ""), ("Bo Petti", "")):
            registered(championship, name, licence=licence)
        registered(championship, "Waits")
        done = accept_clear(actor=owner_of(championship), championship_id=championship.pk)
        assert [row.players[0]["name"] for row in done] == ["Ana", "CY ROUVRE", "Bo Petit"]
        assert states(championship) == ["accepted", "received", "accepted", "accepted", "received", "waiting"]
        assert Entry.objects.get(number=2).team.players.get() == sure
        assert accept_clear(actor=owner_of(championship), championship_id=championship.pk) == []

    def test_one_for_another_size_of_team_is_a_fault(self) -> None:
        championship = opened()
        row = registered(championship, "Ana")
        Championship.objects.filter(pk=championship.pk).update(players_per_team=2)
        championship.refresh_from_db()
        seen = looked_over(championship=championship, answers={})[row.pk]
        assert (seen.kind, seen.faults[0][1]) == ("bad", "player-missing")
        assert accept_clear(actor=owner_of(championship), championship_id=championship.pk) == []

    def test_of_somebody_who_is_anonymous_since_it_tells_nothing(self) -> None:
        championship = opened()
        row = accept(registered(championship, "Zoé Roy", club="Club X", email="zoe@example.org"))
        assert row.entry is not None
        player = row.entry.team.players.get()
        anonymise(actor=owner_of(championship), player_id=player.pk)
        page, _counts = registrations_of(championship=championship, decided=True)
        (person,) = people_of(page.items[0].row)
        assert (person.name.startswith("Anonyme"), person.details) == (True, [])

    def test_lists_say_what_waits_and_what_is_decided(self) -> None:
        championship = opened(max_entries=2)
        accept(registered(championship, "Ana"))
        registered(championship, "Bo")
        registered(championship, "Cy")
        page, counts = registrations_of(championship=championship, decided=False)
        assert [one.row.position for one in page.items] == [2, 3]
        assert (counts.received, counts.waiting, counts.clear) == (1, 1, 1)
        page, _counts = registrations_of(championship=championship, decided=True)
        assert [one.row.position for one in page.items] == [1]


@pytest.mark.django_db(transaction=True)
class TestMail:
    def test_says_where_it_stands_and_brings_the_link_once(self) -> None:
        championship = opened(max_entries=1)
        with translation.override("en"):
            first, token = sent(championship, "Ana", email="ana@example.org")
        with translation.override("fr"):
            sent(championship, "Bo", email="bo@example.org")
        assert [message.to for message in mail.outbox] == [["ana@example.org"], ["bo@example.org"]]
        assert f"https://example.org/{token}" in mail.outbox[0].body
        assert "You have a place" in mail.outbox[0].body
        mail.outbox.clear()
        with translation.override("fr"):
            decline(first)
        assert [message.to for message in mail.outbox] == [["ana@example.org"], ["bo@example.org"]]
        assert "Not today" in mail.outbox[0].body
        assert "An organiser has declined" in mail.outbox[0].body, "in the language in which it was sent"
        assert str(token) not in "".join(message.body for message in mail.outbox)

    def test_nothing_is_sent_where_nothing_was_written(self) -> None:
        championship = opened(max_entries=1, waiting_list=False)
        sent(championship, "Ana", email="ana@example.org")
        mail.outbox.clear()
        with pytest.raises(Conflict):
            sent(championship, "Bo", email="bo@example.org")
        sent(championship, "Ana", email="ana@example.org")
        assert mail.outbox == []
