"""People register themselves, look at it and cancel it by a secret link; organisers accept and decline."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import Championship, Club, Entry, Registration, RegistrationState
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.imports import NEW, EntrySeen, size_of_entries
from league.selectors.registrations import LIVE, looked_over
from league.services import audit
from league.services.championships import change_championship, require_running
from league.services.entries import enter_players, withdraw
from league.services.locks import check_version, lock_championship, lock_player_rows
from league.services.people import add_club, add_player
from league.services.places import free_places, has_started, move_up
from league.services.registration_mail import tell
from league.services.settings_of_play import REGISTRATION
from league.services.texts import asked_email, asked_name, asked_reason, fitting

Link = Callable[[str], str]
"""Makes the whole address of a registration's page, from its token."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """Somebody who wants to take part, as typed."""

    name: str
    club: str = ""
    licence: str = ""
    email: str = ""
    is_minor: bool = False


@transaction.atomic
def register(
    *,
    actor: Actor,
    championship_id: int,
    key: str,
    players: Sequence[Applicant],
    link: Link,
    team_name: str = "",
    note: str = "",
) -> tuple[Registration, str | None]:
    """Take a registration; return it with the token of its link, which is kept nowhere.

    `key`: of the form that was filled in. Sent again it is the same registration with the same token; the same people
    from another form are the same registration too, whose token is then None: it is not that form's. Whoever finds no
    place waits, if there is a waiting list. Raises Conflict `registration-closed`, `full`; Faults.
    """
    championship = lock_championship(pk=championship_id)
    if not championship.registration_is_open:
        raise Conflict("registration-closed", _("Registration is closed."))
    said, team, remark = _checked(championship, players, team_name, note)
    digest = _digest(json.dumps([fold(team), [[fold(p["name"]), fold(p["email"]), p["licence"]] for p in said]]))
    token = salted_hmac("league.registration", f"{championship_id}:{key}:{digest}", algorithm="sha256").hexdigest()
    there = Registration.objects.filter(championship=championship, state__in=LIVE)
    known = there.filter(token_sha256=_digest(token)).first() or there.filter(said_sha256=digest).first()
    if known is not None:
        return known, token if known.token_sha256 == _digest(token) else None
    if Registration.objects.filter(token_sha256=_digest(token)).exists():  # cancelled meanwhile, the form sent again
        raise Conflict("already-cancelled", _("This form was sent before, and cancelled since: fill in a new one."))
    move_up(actor=actor, championship=championship)
    free = free_places(championship)
    if free == 0 and not championship.waiting_list:
        raise Conflict("full", _("All places are taken, and there is no waiting list."))
    last = championship.registrations.aggregate(last=Max("position"))["last"] or 0
    registration = Registration.objects.create(
        championship=championship,
        position=last + 1,
        team_name=team,
        players=said,
        note=remark,
        state=RegistrationState.WAITING if free == 0 else RegistrationState.RECEIVED,
        token_sha256=_digest(token),
        said_sha256=digest,
    )
    audit.record(
        actor=actor,
        action="register",
        on=registration,
        championship=championship,
        after={"position": registration.position, "state": registration.state},
    )
    tell(championship, registration, link=link(token))
    return registration, token


def _checked(
    championship: Championship, players: Sequence[Applicant], team_name: str, note: str
) -> tuple[list[dict[str, Any]], str, str]:
    """What was typed, made fit to keep. Faults name the fields `name_1`, `email_2` …, `team_name`, `note`."""
    size = size_of_entries(championship)
    if len(players) != size:
        message = _("A team has %(size)s players in this championship.") % {"size": size}
        raise UserFault("bad-team-size", message, field="name_1")
    faults: list[UserFault] = []

    def checked(make: Callable[[], str]) -> str:
        try:
            return make()
        except UserFault as fault:
            faults.extend(fault.faults)
            return ""

    said = [_said(player, place, checked) for place, player in enumerate(players, 1)]
    if len({fold(player["name"]) for player in said}) < len(said) and not faults:
        message = _("The same player stands twice in the team.")
        faults.append(UserFault("player-twice", message, field=f"name_{len(said)}"))
    team = checked(lambda: fitting(tidy(team_name), field="team_name", limit=120))
    remark = checked(lambda: fitting(tidy(note), field="note", limit=300))
    all_of(faults)
    said[0]["language"] = translation.get_language() or ""
    return said, team, remark


def _said(player: Applicant, place: int, checked: Callable[[Callable[[], str]], str]) -> dict[str, Any]:
    email = player.email.strip()
    return {
        "name": checked(lambda: asked_name(player.name, field=f"name_{place}")),
        "club": checked(lambda: fitting(tidy(player.club), field=f"club_{place}", limit=100)),
        "licence": checked(
            lambda: fitting("".join(tidy(player.licence).split()).upper(), field=f"licence_{place}", limit=30)
        ),
        "email": checked(lambda: asked_email(email, field=f"email_{place}") if email else ""),
        "minor": player.is_minor,
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def registration_of(*, token: str) -> Registration:
    """The registration that a secret link belongs to. Raises NotFound."""
    rows = Registration.objects.select_related("championship", "entry__team")
    found = rows.filter(token_sha256=_digest(token)).first()
    if found is None:
        raise NotFound
    return found


@transaction.atomic
def cancel_registration(*, actor: Actor, token: str) -> Registration:
    """Cancel one's own registration; who waits moves up. One that was accepted is withdrawn, before the start.

    Cancelled again it stays so. Raises NotFound; Conflict `declined`, `started`: then an organiser withdraws the entry.
    """
    championship = lock_championship(pk=registration_of(token=token).championship_id)
    registration = registration_of(token=token)
    if registration.state == RegistrationState.CANCELLED:
        return registration
    if registration.state == RegistrationState.DECLINED:
        raise Conflict("declined", _("This registration was declined already."))
    if registration.state == RegistrationState.ACCEPTED:
        assert registration.entry is not None
        if registration.entry.withdrawn_at is None:
            if has_started(championship):
                raise Conflict("started", _("The championship has begun: tell an organiser, who withdraws you."))
            withdraw(actor=actor, entry_id=registration.entry.pk, reason=_("Cancelled by those entered"))
            registration.refresh_from_db()
        return registration
    _decided(actor, championship, registration, RegistrationState.CANCELLED, "cancel_registration")
    return registration


@transaction.atomic
def decline_registration(*, actor: Actor, registration_id: int, version: int | None, reason: str) -> Registration:
    """Decline a registration with a reason, which its sender reads; who waits moves up.

    Raises NotFound, Stale, UserFault `reason-required`; Conflict `registration-decided`.
    """
    championship, registration = _undecided(registration_id, version)
    registration.reason = asked_reason(reason)
    _decided(actor, championship, registration, RegistrationState.DECLINED, "decline_registration")
    return registration


def _undecided(registration_id: int, version: int | None) -> tuple[Championship, Registration]:
    championship = lock_championship(registrations=registration_id)
    registration = Registration.objects.select_related("entry").filter(pk=registration_id).first()
    if registration is None:
        raise NotFound
    if registration.state not in (RegistrationState.RECEIVED, RegistrationState.WAITING):
        raise Conflict("registration-decided", _("This registration is decided already: load the page again."))
    check_version(registration, version)
    return championship, registration


def _decided(
    actor: Actor,
    championship: Championship,
    registration: Registration,
    state: RegistrationState,
    action: str,
    entry: Entry | None = None,
) -> None:
    before = registration.state
    registration.state, registration.entry = state, entry
    registration.decided_by, registration.decided_at = actor.user, timezone.now()
    registration.version += 1
    registration.save(update_fields=["state", "entry", "reason", "decided_by", "decided_at", "version"])
    after: audit.State = {"state": state} | ({"entry": entry.number} if entry else {})
    audit.record(
        actor=actor,
        action=action,
        on=registration,
        championship=championship,
        before={"state": before},
        after=after,
        reason=registration.reason,
    )
    tell(championship, registration)
    move_up(actor=actor, championship=championship)


@transaction.atomic
def accept_registration(
    *, actor: Actor, registration_id: int, version: int | None, answers: Mapping[str, str]
) -> Registration:
    """Enter those who registered: each as a new player, or as the known one that the answers name, by places.

    Raises NotFound, Stale; Conflict `registration-decided`, `registration-unsettled` where it is not said who somebody
    is, `registration-unfit` where they cannot be entered, `finished`.
    """
    championship, registration = _undecided(registration_id, version)
    require_running(championship)
    seen = looked_over(championship=championship, answers=answers)[registration.pk]
    if seen.kind == "ask":
        raise Conflict("registration-unsettled", _("Say first who is who: somebody has nearly this name already."))
    if seen.kind != "new":
        message = _("They cannot be entered like this: somebody of them is entered already, or registered twice.")
        raise Conflict("registration-unfit", message)
    _accept(actor, championship, registration, seen)
    return registration


@transaction.atomic
def accept_clear(*, actor: Actor, championship_id: int) -> list[Registration]:
    """Accept all with a place about whom there is nothing to ask: plainly new, or surely known. In their order."""
    championship = lock_championship(pk=championship_id)
    require_running(championship)
    seen = looked_over(championship=championship, answers={})
    waiting = Registration.objects.filter(championship=championship, state=RegistrationState.RECEIVED)
    clear = [one for one in waiting.order_by("position") if seen[one.pk].kind == "new"]
    known = [person.answer for one in clear for person in seen[one.pk].people if person.answer.isdigit()]
    lock_player_rows(map(int, known))  # in one order for everybody
    for registration in clear:
        _accept(actor, championship, registration, seen[registration.pk])
    return clear


def _accept(actor: Actor, championship: Championship, registration: Registration, seen: EntrySeen) -> None:
    ids = [
        _new_player(actor, registration.players[place]) if person.answer == NEW else int(person.answer)
        for place, person in enumerate(seen.people)
    ]
    entry = enter_players(actor=actor, championship_id=championship.pk, player_ids=ids, name=registration.team_name)
    _decided(actor, championship, registration, RegistrationState.ACCEPTED, "accept_registration", entry)


def _new_player(actor: Actor, said: Mapping[str, Any]) -> int:
    # whoever registers has no account: the club is made by who accepts
    folded = fold(said["club"])
    club = Club.objects.filter(name_folded=folded).first() if folded else None
    if folded and club is None:
        club = add_club(actor=actor, name=said["club"])
    player = add_player(
        actor=actor,
        name=said["name"],
        club_id=club.pk if club else None,
        licence=said["licence"],
        email=said["email"],
        is_minor=said["minor"],
        homonym=True,
    )
    return player.pk


@transaction.atomic
def change_registration(
    *, actor: Actor, championship_id: int, version: int | None, settings: Mapping[str, Any]
) -> Championship:
    """Change when people may register, how many, and whether the others wait; who waits moves up into new places.

    Raises what `change_championship` raises.
    """
    if not set(settings) <= set(REGISTRATION):
        raise ValueError(f"not about registration: {sorted(set(settings) - set(REGISTRATION))}")
    championship = change_championship(actor=actor, championship_id=championship_id, version=version, settings=settings)
    move_up(actor=actor, championship=championship)
    return championship
