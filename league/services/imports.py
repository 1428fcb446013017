"""Lists of players and entries: read, settled line by line, accepted or thrown away; before that nothing is made."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import Championship, Club, ListImport
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.imports import NEW, EntrySeen, PersonSeen, Preview, look_over, size_of_entries
from league.services import audit
from league.services.championships import require_running
from league.services.entries import enter, enter_players
from league.services.list_reading import read_list
from league.services.locks import lock_championship, lock_player_rows
from league.services.people import add_club, add_player


def keep_list(*, actor: Actor, championship_id: int, file_name: str, body: bytes, into: bool = True) -> ListImport:
    """Read a file with a list and keep it to be looked over. `into`: its people are entered, not only made known.

    The lines of a file that was accepted here before are taken for what they became then. Raises what
    `list_reading.read_list` raises; Conflict `finished`.
    """
    size = size_of_entries(Championship.objects.get(pk=championship_id))
    read = read_list(body, size=size)  # before the lock: a large file takes its time
    with transaction.atomic():
        championship = lock_championship(pk=championship_id)
        require_running(championship)
        digest = hashlib.sha256(body).hexdigest()
        accepted = ListImport.objects.filter(championship=championship, sha256=digest, accepted_at__isnull=False)
        earlier = accepted.order_by("-accepted_at", "-id").first()
        assert actor.user is not None
        found = ListImport.objects.create(
            championship=championship,
            file_name=tidy(file_name)[-200:] or "?",
            sha256=digest,
            lines=[entry.kept() for entry in read.entries],
            decisions={
                "enter": into,
                "unused": read.unused,
                "before": earlier.outcome["people"] if earlier else {},
                "who": {},
            },
            by=actor.user,
        )
        audit.record(
            actor=actor,
            action="keep_list",
            on=found,
            championship=championship,
            after={"file": found.file_name, "sha256": digest, "entries": len(read.entries)},
        )
        return found


@transaction.atomic
def settle_list(*, actor: Actor, import_id: int, answers: Mapping[str, str]) -> ListImport:
    """Keep what was answered about people of a list, by their places. An answer that is empty is taken back.

    Raises NotFound; Conflict `already-accepted`.
    """
    championship, found = _waiting(import_id)
    was = found.decisions.get("who", {})
    places = [place for place, answer in answers.items() if answer != was.get(place, "")]
    if not places:
        return found
    _settle(found, answers)
    audit.record(
        actor=actor,
        action="settle_list",
        on=found,
        championship=championship,
        before={"answers": {place: was.get(place, "") for place in places}},
        after={"answers": {place: answers[place] for place in places}},
    )
    return found


def _settle(found: ListImport, answers: Mapping[str, str]) -> None:
    who = {**found.decisions.get("who", {}), **answers}
    who = {key: answer for key, answer in who.items() if answer}
    if who == found.decisions.get("who", {}):
        return
    found.decisions = {**found.decisions, "who": who}
    found.version += 1
    found.save(update_fields=["decisions", "version"])


@transaction.atomic
def discard_list(*, actor: Actor, import_id: int) -> None:
    """Throw a list away that was not accepted, private addresses and all."""
    championship, found = _waiting(import_id)
    audit.record(
        actor=actor,
        action="discard_list",
        on=found,
        championship=championship,
        before={"file": found.file_name, "sha256": found.sha256},
    )
    found.delete()


def _waiting(import_id: int) -> tuple[Championship, ListImport]:
    championship = lock_championship(imports=import_id)
    found = ListImport.objects.filter(pk=import_id).first()
    if found is None:
        raise NotFound
    if found.accepted_at is not None:
        raise Conflict("already-accepted", _("This list has been accepted already."))
    return championship, found


@transaction.atomic
def accept_list(*, actor: Actor, import_id: int, seen: str, answers: Mapping[str, str] | None = None) -> ListImport:
    """Make everybody on a list who is new and enter whom it enters, in its order; bad lines stay out.

    `seen`: the digest of the preview that was looked at. Accepting it again returns it. What the list said of people is
    forgotten afterwards; what became of each line is kept. Raises NotFound; Conflict `list-changed` when something it
    was held against has changed since, `list-unsettled`, `finished`.
    """
    championship = lock_championship(imports=import_id)
    found = ListImport.objects.filter(pk=import_id).first()
    if found is None:
        raise NotFound
    if found.accepted_at is not None:
        return found
    require_running(championship)
    _settle(found, answers or {})
    preview = look_over(championship=championship, found=found)
    if preview.digest != seen:
        message = _("What is known has changed since this page was shown: look it over again, then accept it.")
        raise Conflict("list-changed", message)
    if preview.counts["ask"]:
        raise Conflict("list-unsettled", _("Say first who is who where it is asked."))
    work = _Work(actor, championship, into=found.decisions.get("enter", True))
    work.lock(preview)
    for entry in preview.entries:
        work.do(entry)
    _close(actor, championship, found, preview, work)
    return found


@dataclass
class _Work:
    """What accepting a list makes, and of which line."""

    actor: Actor
    championship: Championship
    into: bool
    clubs: dict[str, int] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    made: list[int] = field(default_factory=list)
    entered: list[int] = field(default_factory=list)
    left: list[list[object]] = field(default_factory=list)

    def lock(self, preview: Preview) -> None:
        """Lock all who are known, and make the clubs, in one order for everybody: two lists at once may share them."""
        people = [person for entry in preview.entries if entry.kind == "new" for person in entry.people]
        lock_player_rows(int(person.answer) for person in people if person.answer.isdigit())
        clubs = {fold(person.said.club): person.said.club for person in people if person.answer == NEW}
        for folded in sorted(clubs):
            self._club(clubs[folded])

    def do(self, entry: EntrySeen) -> None:
        """Make and enter one entry, if it is new."""
        if entry.kind in ("bad", "out"):
            self.left += entry.faults or [[entry.line, "out", {}]]
            self.people.update({person.key: "out" for person in entry.people if entry.kind == "out"})
            return
        ids = [self._player(person, make=entry.kind == "new") for person in entry.people]
        if entry.kind == "new" and self.into:
            if entry.team_id is not None:
                made = enter(actor=self.actor, team_id=entry.team_id)
            else:
                made = enter_players(
                    actor=self.actor,
                    championship_id=self.championship.pk,
                    player_ids=ids,
                    name=entry.listed.team,
                )
            self.entered.append(made.number)

    def _player(self, person: PersonSeen, *, make: bool) -> int:
        if person.answer.startswith("same:"):
            found = self.people[person.answer.removeprefix("same:")]
        elif person.answer != NEW:
            found = person.answer
        else:
            assert make
            found = str(self._made(person))
        self.people[person.key] = found
        return int(found)

    def _made(self, person: PersonSeen) -> int:
        said = person.said
        player = add_player(
            actor=self.actor,
            name=said.name,
            club_id=self._club(said.club),
            licence=said.licence,
            email=said.email,
            is_minor=said.minor,
            homonym=True,
        )
        self.made.append(player.pk)
        return player.pk

    def _club(self, name: str) -> int | None:
        folded = fold(name)
        if not folded:
            return None
        if folded not in self.clubs:
            known = Club.objects.filter(name_folded=folded).values_list("pk", flat=True).first()
            self.clubs[folded] = known if known is not None else add_club(actor=self.actor, name=name).pk
        return self.clubs[folded]


def _close(actor: Actor, championship: Championship, found: ListImport, preview: Preview, work: _Work) -> None:
    found.outcome = {
        "people": work.people,
        "made": len(work.made),
        "entered": work.entered,
        "known": preview.counts["known"] + preview.counts["repeated"],
        "left": work.left,
    }
    found.lines, found.accepted_at = [], timezone.now()
    found.decisions = {"enter": work.into, "unused": found.decisions.get("unused", [])}
    found.version += 1
    found.save(update_fields=["lines", "decisions", "outcome", "accepted_at", "version"])
    audit.record(
        actor=actor,
        action="accept_list",
        on=found,
        championship=championship,
        after={"file": found.file_name, "made": work.made, "entered": work.entered},
    )
