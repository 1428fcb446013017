"""A championship: made, changed, its keys chosen, finished."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault, all_of
from league.models import (
    Championship,
    ChampionshipStatus,
    Entry,
    LiveRanking,
    Membership,
    Partie,
    PartieStatus,
    Result,
    ResultState,
    Role,
    Stage,
    Team,
    What,
)
from league.names import tidy
from league.policy import Actor
from league.services import audit, journal
from league.services.locks import check_version, lock_championship
from league.services.settings_of_play import FREE, GAME, KEYS, faults, laid_rulebook, lay
from league.services.texts import asked_reason, fitting

FIELDS = ("slug", *FREE, *GAME, *KEYS, "status")


@transaction.atomic
def create_championship(*, actor: Actor, name: str, slug: str, settings: Mapping[str, Any]) -> Championship:
    """Make a championship that belongs to the actor, in draft unless `settings` says otherwise.

    `settings`: any of FREE, GAME and KEYS by name; what is left out has its default, the keys those of STANDINGS 3.
    Raises Faults with one fault a field, Conflict `slug-taken`.
    """
    if actor.user is None:
        raise ValueError("a championship needs an owner")
    _known(settings, *FREE, *GAME, *KEYS)
    championship = Championship(slug=slug, secret=secrets.token_hex(32), created_by=actor.user)
    lay(championship, {"name": name, **settings})
    all_of(faults(championship))
    try:
        with transaction.atomic():
            championship.save(force_insert=True)
    except IntegrityError as error:
        raise _slug_taken(error) from error
    Membership.objects.create(user=actor.user, championship=championship, role=Role.OWNER)
    LiveRanking.objects.create(championship=championship, keys=championship.ranking_keys)
    audit.record(
        actor=actor,
        action="create_championship",
        on=championship,
        championship=championship,
        after=audit.state(championship, FIELDS),
    )
    return championship


def _known(settings: Mapping[str, Any], *names: str) -> None:
    wrong = set(settings) - set(names)
    if wrong:
        raise ValueError(f"no such settings here: {sorted(wrong)}")


def _slug_taken(error: IntegrityError) -> Exception:
    if "league_championship_slug_unique" in str(error) or "league_championship.slug" in str(error):
        return Conflict("slug-taken", _("This address is taken: choose another one."), field="slug")
    return error


@transaction.atomic
def change_championship(
    *, actor: Actor, championship_id: int, version: int | None, settings: Mapping[str, Any], reason: str = ""
) -> Championship:
    """Change a championship: any of FREE and GAME. Keys begin anew where `decided_by` changes.

    What changes how those are ranked who are entered already goes into the journal. How it is played (GAME) stands
    once a result is in: Conflict `results-in`; what teams, tables and stages were made for stands before that: Conflict
    `entries-in`, `parties-in`, `stages-in`. Raises Stale, Faults, UserFault `too-long`.
    """
    championship = lock_championship(pk=championship_id)
    check_version(championship, version)
    _known(settings, *FREE, *GAME)
    why = fitting(tidy(reason), field="reason", limit=300)
    was, now = _laid(championship, settings, FIELDS)
    if not now:
        return championship
    _refuse_what_stands(championship, [field for field in GAME if field in now])
    _refuse_unfit_stages(championship, now)
    championship.version += 1
    championship.save(update_fields=[*now, "version"])
    if not now.keys().isdisjoint((*GAME, *KEYS)) and _is_ranked(championship):
        journal.write(championship, journal.Line(What.KEYS_CHANGED, reason=why))
    _record(actor, "change_championship", championship, was, now, why)
    return championship


def check_settings(championship: Championship, settings: Mapping[str, Any], *, reason: str) -> None:
    """Raise all that is wrong with any of FREE, GAME and KEYS, and with the reason if keys are among them.

    For who changes several of them at once, one service after the other. Nothing is changed.
    """
    looked_at = copy(championship)
    lay(looked_at, settings)
    found = faults(looked_at)
    if not settings.keys().isdisjoint(KEYS):
        try:
            asked_reason(reason)
        except UserFault as fault:
            found.append(fault)
    all_of(found)


def _laid(
    championship: Championship, settings: Mapping[str, Any], fields: Sequence[str]
) -> tuple[audit.State, audit.State]:
    """Lay settings into a championship, not yet saved: what of these fields was, and is. Raises Faults."""
    before = audit.state(championship, fields)
    lay(championship, settings)
    all_of(faults(championship))
    return audit.changes(before, audit.state(championship, fields))


def _record(
    actor: Actor, action: str, championship: Championship, was: audit.State, now: audit.State, reason: str
) -> None:
    audit.record(
        actor=actor,
        action=action,
        on=championship,
        championship=championship,
        before=was,
        after=now,
        reason=reason,
    )


def _refuse_unfit_stages(championship: Championship, changed: Collection[str]) -> None:
    """Stages that were set up still fit: a round robin has tables of two, a mêlée no knock-out."""
    from league.services.stages import faults as faults_of_stage  # stages ask here whether a championship runs

    field = next((field for field in ("table_entries", "ranks") if field in changed), None)
    if field is None:
        return
    for stage in Stage.objects.filter(championship=championship).order_by("number"):
        stage.championship = championship
        for fault in faults_of_stage(stage):
            message = _("Stage %(number)s does not fit: %(why)s") % {"number": stage.number, "why": fault.message}
            raise Conflict("stages-in", message, field=field)


def _is_ranked(championship: Championship) -> bool:
    """Whether there is anybody to rank; a bye is an entry's."""
    return Entry.objects.filter(championship=championship).exists()


def _refuse_what_stands(championship: Championship, changed: list[str]) -> None:
    if not changed:
        return
    if Result.objects.filter(manche__partie__championship=championship).exists():
        message = _("Results are in: how this championship is played can no longer change.")
        raise Conflict("results-in", message, field=changed[0])
    if {"players_per_team", "ranks"} & set(changed) and Team.objects.filter(championship=championship).exists():
        message = _("Teams are registered: how many players they have can no longer change.")
        field = "players_per_team" if "players_per_team" in changed else "ranks"
        raise Conflict("entries-in", message, field=field)
    drawn = Partie.objects.filter(championship=championship).annotate(size=Count("seats"))
    sizes = set(drawn.order_by().values_list("size", flat=True))
    rulebook = laid_rulebook(championship)
    too_late = "table_entries" in changed and sizes
    if too_late or not all(rulebook.table(size, championship.players_per_team) for size in sizes):
        message = _("Parties are opened: their tables can no longer change.")
        raise Conflict("parties-in", message, field="table_entries" if too_late else "rulebook")


@transaction.atomic
def change_keys(
    *, actor: Actor, championship_id: int, version: int | None, settings: Mapping[str, Any], reason: str
) -> Championship:
    """Change how entries are ranked: any of KEYS. Logged in the journal and shown with the reason (STANDINGS 3).

    Raises Stale, Faults.
    """
    championship = lock_championship(pk=championship_id)
    check_version(championship, version)
    _known(settings, *KEYS)
    why = asked_reason(reason)
    was, now = _laid(championship, settings, KEYS)
    if not now:
        return championship
    championship.version += 1
    championship.save(update_fields=[*now, "version"])
    journal.write(championship, journal.Line(What.KEYS_CHANGED, reason=why))
    _record(actor, "change_keys", championship, was, now, why)
    return championship


@transaction.atomic
def finish_championship(*, actor: Actor, championship_id: int, version: int | None) -> Championship:
    """End a championship: nothing more is handed in, and its secret is shown so that its lots can be redone.

    Raises Conflict `parties-open` while a partie is open, `unsettled` while a result waits for a decision; Stale.
    """
    championship = lock_championship(pk=championship_id)
    check_version(championship, version)
    if championship.status == ChampionshipStatus.FINISHED:
        return championship
    still_open = list(
        championship.parties.filter(status=PartieStatus.OPEN).order_by("number").values_list("number", flat=True)
    )
    if still_open:
        raise Conflict(
            "parties-open",
            _("Close or annul the parties that are still open first: %(numbers)s.")
            % {"numbers": ", ".join(map(str, still_open[:20]))},
            extra={"parties": still_open},
        )
    unsettled = Result.objects.filter(
        current_of__partie__championship=championship,
        current_of__partie__status=PartieStatus.CLOSED,
        current_of__voided_at__isnull=True,
        state__in=[ResultState.PENDING, ResultState.DIFFERS, ResultState.CONTESTED],
    )
    if unsettled.exists():
        raise Conflict("unsettled", _("Settle or confirm the results that still wait for a decision first."))
    return _set_status(actor, championship, ChampionshipStatus.FINISHED, "finish_championship", "")


@transaction.atomic
def resume_championship(*, actor: Actor, championship_id: int, version: int | None, reason: str) -> Championship:
    """Take a finished championship up again, for a correction. Its secret has been seen. Raises Stale."""
    championship = lock_championship(pk=championship_id)
    check_version(championship, version)
    why = asked_reason(reason)
    if championship.status == ChampionshipStatus.RUNNING:
        return championship
    return _set_status(actor, championship, ChampionshipStatus.RUNNING, "resume_championship", why)


def _set_status(
    actor: Actor, championship: Championship, status: ChampionshipStatus, action: str, reason: str
) -> Championship:
    before = championship.status
    championship.status = status
    championship.version += 1
    championship.save(update_fields=["status", "version"])
    _record(actor, action, championship, {"status": before}, {"status": status}, reason)
    return championship


def require_running(championship: Championship) -> None:
    """Raise Conflict `finished` unless the championship still takes results."""
    if championship.status != ChampionshipStatus.RUNNING:
        raise Conflict(
            "finished", _("This championship is finished: take it up again first, if something must change.")
        )
