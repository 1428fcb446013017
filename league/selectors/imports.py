"""A list that was read, held against what is known: what is new, what is known, whom to ask about, what is wrong.

Doors ask `policy.require(actor, Action.RUN, championship)` first: a list holds private addresses.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from league.errors import NotFound
from league.listed import Fault, Listed, ListedPlayer
from league.models import Championship, ListImport, Ranks, TeamMember
from league.names import fold, tidy
from league.selectors.namesakes import Names, Namesakes, Person, in_order, namesakes
from league.selectors.paging import Page

NEW, OUT = "new", "out"
"""Answers: somebody who is not known; left out. Others are a player's id, or SAME with another place of the list."""
SAME = "same:"
MOST_EARLIER = 12
"""Places of a list that are offered at most as the same person: a list of one name a thousand times is no list."""
ORDER = ("ask", "bad", "new", "known", "repeated", "out")
"""What becomes of an entry on a list, in the order in which a preview shows them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom a name may mean. `line`: of the list, for somebody who stands there before; `number`: of their entry."""

    answer: str
    name: str
    club: str = ""
    licence: str = ""
    line: int | None = None
    number: int | None = None


@dataclass
class PersonSeen:
    """A person on the list: whom the name may mean, and who it is, as far as that is known or was answered.

    `sure`: the answer that needs no asking, empty where there is none; `likely`: what to offer.
    """

    key: str
    said: ListedPlayer
    choices: list[Choice]
    sure: str = ""
    likely: str = ""
    answer: str = ""
    may_be_new: bool = True

    @property
    def is_open(self) -> bool:
        """Whether somebody must say who this is."""
        return not self.answer

    @property
    def who(self) -> Choice | None:
        """Whom the answer means, if anybody who is known or stands on the list before."""
        return next((choice for choice in self.choices if choice.answer == self.answer), None)

    @property
    def field(self) -> str:
        """The form's field that says who this is."""
        return f"who-{self.key}"


@dataclass
class EntrySeen:
    """An entry on the list: `kind` is one of ORDER. `number`: its own once it is entered; `team_id`: a team there."""

    listed: Listed
    people: list[PersonSeen]
    kind: str = "new"
    faults: list[Fault] = field(default_factory=list)
    number: int | None = None
    team_id: int | None = None

    @property
    def line(self) -> int:
        """The number of its first line."""
        return self.listed.line


@dataclass(frozen=True)
class Preview:
    """A list held against what is known. `digest` changes when what is known does, whatever was answered."""

    entries: Sequence[EntrySeen]
    counts: Mapping[str, int]
    new_players: int
    digest: str

    def page(self, number: int, size: int) -> Page[EntrySeen]:
        """Some of the entries: what is to be settled first, then what is wrong, then all else by line."""
        ordered = sorted(self.entries, key=lambda entry: (ORDER.index(entry.kind), entry.line))
        first = (max(1, number) - 1) * size
        return Page(ordered[first : first + size], max(1, number), size, len(ordered))


def size_of_entries(championship: Championship) -> int:
    """How many players enter together: one where teams are made afresh each round (STANDINGS 3)."""
    return 1 if championship.ranks == Ranks.PLAYERS else championship.players_per_team


def import_at(*, championship: Championship, import_id: int) -> ListImport:
    """A list of a championship. One query. Raises NotFound."""
    found = ListImport.objects.select_related("by").filter(championship=championship, pk=import_id).first()
    if found is None:
        raise NotFound
    return found


def imports_of(*, championship: Championship, limit: int = 20) -> list[ListImport]:
    """The lists of a championship, newest first. One query."""
    rows = ListImport.objects.filter(championship=championship).select_related("by").defer("lines", "decisions")
    return list(rows[:limit])


def look_over(*, championship: Championship, found: ListImport, answers: Mapping[str, str] | None = None) -> Preview:
    """Hold a list against what is known now, with what was settled and `answers` over it. Two queries."""
    said = found.decisions
    return held_against(
        championship=championship,
        listed=[Listed.of_kept(kept) for kept in found.lines],
        before=said.get("before", {}),
        answers={**said.get("who", {}), **(answers or {})},
        enter=said.get("enter", True),
    )


def held_against(
    *,
    championship: Championship,
    listed: Sequence[Listed],
    answers: Mapping[str, str],
    before: Mapping[str, str] | None = None,
    enter: bool = True,
) -> Preview:
    """Hold entries, as somebody named them, against who is known and who is entered. Two queries.

    `answers`: who is who, by places; one that is not offered is none. `before`: what these places became once already.
    """
    look = _Look(championship, listed, before or {})
    for entry in listed:
        look.see(entry, answers)
    for seen in look.entries:
        look.judge(seen, enter=enter)
    counts = {kind: sum(1 for entry in look.entries if entry.kind == kind) for kind in ORDER}
    made = [person for entry in look.entries if entry.kind == "new" for person in entry.people if person.answer == NEW]
    return Preview(look.entries, counts, len(made), look.digest())


class _Look:
    """One pass over a list: first who everybody is, then what becomes of each entry."""

    def __init__(self, championship: Championship, listed: Sequence[Listed], before: Mapping[str, str]) -> None:
        people = [player for entry in listed for player in entry.players]
        self.before = before
        self.known: Namesakes = namesakes(
            names=[player.name for player in people],
            licences=[player.licence for player in people],
            ids=[int(answer) for answer in before.values() if answer.isdigit()],
        )
        columns = ("player_id", "team_id", "team__name", "team__entry__number")
        rows = TeamMember.objects.filter(team__championship=championship).values_list(*columns)
        self.teams = {player: (team, name, number) for player, team, name, number in rows}
        self.names = Names()
        self.on_list: dict[str, list[PersonSeen]] = {}
        self.entries: list[EntrySeen] = []
        self.identity: dict[str, str] = {}
        self.licences: dict[str, str] = {}
        self.seated: dict[str, EntrySeen] = {}

    def see(self, listed: Listed, answers: Mapping[str, str]) -> None:
        """Say who the people of an entry are, as far as it is sure or answered."""
        people = []
        for place, player in enumerate(listed.players, 1):
            person = self._person(f"{player.line}.{place}", player, listed)
            offered = {choice.answer for choice in person.choices} | {OUT} | ({NEW} if person.may_be_new else set())
            answer = answers.get(person.key, "")
            person.answer = answer if answer in offered else person.sure
            self.identity[person.key] = self._identity(person)
            people.append(person)
        for person in people:
            self.names.add(fold(person.said.name))
            self.on_list.setdefault(fold(person.said.name), []).append(person)
        self.entries.append(EntrySeen(listed, people))

    def _identity(self, person: PersonSeen) -> str:
        if person.answer.startswith(SAME):
            return self.identity[person.answer.removeprefix(SAME)]
        return person.answer if person.answer.isdigit() or person.answer == OUT else f"line {person.key}"

    def _person(self, key: str, player: ListedPlayer, listed: Listed) -> PersonSeen:
        folded = fold(player.name)
        people = [one for one in self.known.by_name.get(folded, ()) if one.id in self.teams or not one.is_anonymous]
        earlier = self._earlier(folded, player)
        seen = PersonSeen(key, player, [])
        sure = self._sure(key, player, listed, people)
        if sure is not None and sure not in people:
            people.insert(0, sure)
        holder = self.known.by_licence.get(player.licence)
        if holder is not None and sure is None and self.before.get(key) is None:
            people = [holder]
            seen.may_be_new, earlier = False, []
        seen.choices = [self._choice(person) for person in people] + [_place(other) for other in earlier]
        if sure is not None:
            seen.sure = str(sure.id)
        elif self.before.get(key) == OUT:
            seen.sure = OUT
        elif not seen.choices:
            seen.sure = NEW
        elif not earlier and seen.may_be_new:
            seen.sure = self._plain(player, people)
        seen.likely = seen.sure or _likely(folded, player, people, earlier)
        return seen

    def _choice(self, person: Person) -> Choice:
        number = self.teams.get(person.id, (0, "", None))[2]
        return Choice(str(person.id), person.name, person.club, person.licence, number=number)

    def _earlier(self, folded: str, player: ListedPlayer) -> list[PersonSeen]:
        """Who stands on the list before under nearly this name, and may be the same: at most MOST_EARLIER of them.

        Those of the same name come first.
        """
        names = sorted(self.names.near(folded), key=lambda name: name != folded) if folded else ()
        others = (
            other
            for name in names
            for other in self.on_list[name]
            if not (player.licence and other.said.licence and player.licence != other.said.licence)
        )
        return list(islice(others, MOST_EARLIER))

    def _sure(self, key: str, player: ListedPlayer, listed: Listed, people: Sequence[Person]) -> Person | None:
        """Who it is beyond doubt: by what an accepted list made of this line, by licence, by the number of an entry."""
        before = self.before.get(key, "")
        if before.isdigit() and int(before) in self.known.by_id:
            return self.known.by_id[int(before)]
        holder = self.known.by_licence.get(player.licence)
        if holder is not None and holder in people:
            return holder
        if listed.number is not None:
            words = in_order(fold(player.name))
            for person in people:
                if person.words == words and self.teams.get(person.id, (0, "", None))[2] == listed.number:
                    return person
        return None

    def _plain(self, player: ListedPlayer, people: Sequence[Person]) -> str:
        """The one who has just this name, or who is entered under it; nothing where what is known speaks against it."""
        fitting = [person for person in people if not _contradict(player, person)]
        same = [person for person in fitting if tidy(person.name) == player.name]
        if len(same) == 1:
            return str(same[0].id)
        words = in_order(fold(player.name))
        entered = [person for person in fitting if person.words == words and person.id in self.teams]
        return str(entered[0].id) if len(entered) == 1 and len(same) == 0 else ""

    def judge(self, entry: EntrySeen, *, enter: bool) -> None:
        """Say what becomes of an entry."""
        who = [self.identity[person.key] for person in entry.people]
        entry.faults = [list(fault) for fault in entry.listed.faults]
        if OUT in who:
            entry.kind = "out"
        elif entry.faults:
            entry.kind = "bad"
        elif any(person.is_open for person in entry.people):
            entry.kind = "ask"
        else:
            self._settled(entry, who, enter=enter)

    def _settled(self, entry: EntrySeen, who: Sequence[str], *, enter: bool) -> None:
        first = [self.seated.get(one) for one in who]
        others = [seen for seen in first if seen is not None]
        if len(set(who)) < len(who):
            entry.faults.append([entry.people[-1].said.line, "player-twice", {}])
        elif others and all(seen is others[0] for seen in first):
            entry.kind = "repeated"
            return
        elif others and enter:
            place = next(place for place, seen in enumerate(first) if seen is not None)
            said = {"name": entry.people[place].said.name, "line": others[0].line}
            entry.faults.append([entry.people[place].said.line, "in-two-entries", said])
        else:
            self._licences_clash(entry, who)
            self._teams_clash(entry, who, enter=enter)
        if entry.faults:
            entry.kind = "bad"
        else:
            self.seated.update(dict.fromkeys(who, entry))

    def _licences_clash(self, entry: EntrySeen, who: Sequence[str]) -> None:
        for person, identity in zip(entry.people, who, strict=True):
            if person.answer != NEW or not person.said.licence:
                continue
            holder = self.licences.setdefault(person.said.licence, identity)
            if holder != identity:
                said = {"licence": person.said.licence, "name": self._named(holder)}
                entry.faults.append([person.said.line, "licence-taken", said])

    def _named(self, identity: str) -> str:
        everybody = (person for entry in self.entries for person in entry.people)
        return next((person.said.name for person in everybody if self.identity[person.key] == identity), "")

    def _teams_clash(self, entry: EntrySeen, who: Sequence[str], *, enter: bool) -> None:
        """Find the team that an entry is already; or say who is in another one."""
        teams = [self.teams.get(int(one)) if one.isdigit() else None for one in who]
        taken = [team for team in teams if team is not None]
        if not enter:
            entry.kind = "known" if all(one.isdigit() for one in who) else "new"
        elif not taken:
            entry.kind = "new"
        elif len(taken) == len(who) and len({team for team, _name, _number in taken}) == 1:
            entry.team_id, _name, entry.number = taken[0]
            entry.kind = "new" if entry.number is None else "known"
        else:
            place = next(place for place, team in enumerate(teams) if team is not None)
            said = {"name": entry.people[place].said.name, "team": taken[0][1]}
            entry.faults.append([entry.people[place].said.line, "in-other-team", said])

    def digest(self) -> str:
        """A name for all that the list was held against."""
        people = [person for entry in self.entries for person in entry.people]
        facts: list[Any] = [
            [person.key, person.sure, person.may_be_new, [[c.answer, c.name, c.number] for c in person.choices]]
            for person in people
        ]
        ids = {int(c.answer) for person in people for c in person.choices if c.answer.isdigit()}
        facts.append(sorted([id_, self.teams[id_][0]] for id_ in ids if id_ in self.teams))
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _place(person: PersonSeen) -> Choice:
    said = person.said
    return Choice(f"{SAME}{person.key}", said.name, said.club, said.licence, line=said.line)


def _contradict(player: ListedPlayer, person: Person) -> bool:
    """Whether list and profile say different things about licence, address or club."""
    pairs = ((player.licence, person.licence), (fold(player.club), fold(person.club)))
    address = player.email.casefold(), person.email.casefold()
    return any(one and other and one != other for one, other in (*pairs, address))


def _likely(folded: str, player: ListedPlayer, people: Sequence[Person], earlier: Sequence[PersonSeen]) -> str:
    """Whom to offer: the only one whose name is this one, accents, case and the order of words aside."""
    words = in_order(folded)
    same = [person for person in people if person.words == words and not _contradict(player, person)]
    before = [other for other in earlier if in_order(fold(other.said.name)) == words]
    if len(same) == 1 and not before:
        return str(same[0].id)
    return f"{SAME}{before[0].key}" if before else ""
