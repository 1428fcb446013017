"""Two at once before the day, on PostgreSQL: the last place, one list twice, one door twice."""

import pytest

from league.errors import Conflict
from league.models import AuditEntry, Entry, Player, Registration
from league.policy import ANYBODY
from league.selectors.imports import look_over
from league.services.check_in import check_in
from league.services.imports import accept_list, keep_list
from league.services.registrations import accept_registration, cancel_registration
from tests.factories import ChampionshipFactory, EntryFactory, owner_of
from tests.league.registering import opened, registered, sent
from tests.league.test_races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_of_two_registrations_for_the_last_place_one_waits() -> None:
    championship = opened(max_entries=1)

    at_once(championship, lambda: registered(championship, "Ana"), lambda: registered(championship, "Bo"))

    assert sorted(Registration.objects.values_list("position", "state")) == [(1, "received"), (2, "waiting")]


def test_one_form_sent_twice_at_once_is_one_registration() -> None:
    championship = opened()

    first, second = at_once(championship, *[lambda: sent(championship, "Ana", key="form")] * 2)

    assert first == second
    assert Registration.objects.count() == 1


def test_of_two_who_cancel_at_once_each_gives_one_place_away() -> None:
    championship = opened(max_entries=2)
    tokens = [sent(championship, name)[1] or "" for name in ("Ana", "Bo")]
    for name in ("Cy", "Di", "Ed"):
        registered(championship, name)

    at_once(championship, *[lambda token=token: cancel_registration(actor=ANYBODY, token=token) for token in tokens])

    states = list(Registration.objects.order_by("position").values_list("state", flat=True))
    assert states == ["cancelled", "cancelled", "received", "received", "waiting"]


def test_of_two_organisers_who_accept_at_once_one_is_told() -> None:
    championship = opened()
    row = registered(championship, "Ana")

    answers = at_once(
        championship,
        *[
            lambda: accept_registration(
                actor=owner_of(championship), registration_id=row.pk, version=row.version, answers={}
            )
        ]
        * 2,
    )

    assert [answer.code for answer in answers if isinstance(answer, Conflict)] == ["registration-decided"]
    assert Entry.objects.count() == 1


def test_one_list_accepted_twice_at_once_makes_everybody_once() -> None:
    championship = ChampionshipFactory()
    actor = owner_of(championship)
    found = keep_list(actor=actor, championship_id=championship.pk, file_name="x.csv", body=b"name\nAna\nBo\n")
    seen = look_over(championship=championship, found=found).digest

    at_once(championship, *[lambda: accept_list(actor=actor, import_id=found.pk, seen=seen)] * 2)

    assert (Player.objects.count(), Entry.objects.count()) == (2, 2)


def test_of_two_lists_with_the_same_people_at_once_the_second_is_looked_over_again() -> None:
    championship = ChampionshipFactory()
    actor = owner_of(championship)
    lists = [
        keep_list(actor=actor, championship_id=championship.pk, file_name="x.csv", body=body)
        for body in (b"name\nAna\nBo\n", b"name\nBo\nAna\n")
    ]
    seen = [look_over(championship=championship, found=found).digest for found in lists]

    answers = at_once(
        championship,
        *[
            lambda found=found, digest=digest: accept_list(actor=actor, import_id=found.pk, seen=digest)
            for found, digest in zip(lists, seen, strict=True)
        ],
    )

    assert [answer.code for answer in answers if isinstance(answer, Conflict)] == ["list-changed"]
    assert (Player.objects.count(), Entry.objects.count()) == (2, 2)


def test_two_taps_at_the_door_are_one() -> None:
    entry = EntryFactory()

    at_once(entry.championship, *[lambda: check_in(actor=owner_of(entry.championship), entry_id=entry.pk)] * 2)

    assert AuditEntry.objects.filter(action="check_in").count() == 1
