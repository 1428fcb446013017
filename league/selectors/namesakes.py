"""Who among all that are known has one of many names, or nearly: for lists, where one query must do for all of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from league.models import Player
from league.names import fold, is_near

MOST_OF_ONE = 8
"""People shown for one name."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody known. `club` is a name, empty without one; the address is private. Who is anonymous enters nowhere."""

    id: int
    name: str
    folded: str
    club: str
    licence: str
    email: str
    is_anonymous: bool = False

    @property
    def words(self) -> list[str]:
        """The words of the name, in one order for all."""
        return in_order(self.folded)


@dataclass
class Namesakes:
    """The people found: by folded name that was asked for, nearest first; by licence number; by id."""

    by_name: dict[str, list[Person]] = field(default_factory=lambda: defaultdict(list))
    by_licence: dict[str, Person] = field(default_factory=dict)
    by_id: dict[int, Person] = field(default_factory=dict)


def in_order(folded: str) -> list[str]:
    """The words of a folded name, sorted: alike for “Dupont Zoé” and “Zoé Dupont”.

    >>> in_order("zoe dupont-roy") == in_order("dupont roy zoe")
    True
    """
    return sorted(folded.replace("-", " ").split())


class Names:
    """Folded names among which near ones are looked for, without comparing each with each.

    Near names share the beginnings of all their words, or the ends, or one word and a letter of each other one.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._having: dict[str, dict[str, None]] = defaultdict(dict)
        for name in dict.fromkeys(names):
            self.add(name)

    def add(self, name: str) -> None:
        """Let a name be found from now on."""
        for mark in _marks(name):
            self._having[mark][name] = None

    def near(self, name: str) -> list[str]:
        """The names that are this one, or near-duplicates of it, always in the same order."""
        met = dict.fromkeys(other for mark in _marks(name) for other in self._having.get(mark, ()))
        return [other for other in met if other == name or is_near(name, other)]


def _marks(name: str) -> Iterator[str]:
    """What near names have in common, at least one of them: a slip spoils one word, at one of its ends at most."""
    words = in_order(name)
    yield "".join(name.replace("-", " ").split())
    yield "<".join(word[:3] for word in words)
    yield ">".join(sorted(word[-3:] for word in words))
    if len(words) > 1:
        for place, word in enumerate(words):
            others = words[:place] + words[place + 1 :]
            yield f"{word}<{''.join(sorted(other[:1] for other in others))}"
            yield f"{word}>{''.join(sorted(other[-1:] for other in others))}"


def namesakes(*, names: Iterable[str], licences: Iterable[str] = (), ids: Iterable[int] = ()) -> Namesakes:
    """Everybody who has one of these names, nearly, or one of these licence numbers or ids. One query.

    Profiles that were merged into another one are nobody's.
    """
    asked, numbers, wanted = Names(fold(name) for name in names), set(licences) - {""}, set(ids)
    found = Namesakes()
    rows = Player.objects.filter(merged_into__isnull=True).order_by("id")
    columns = rows.values_list("id", "name", "name_folded", "club__name", "licence", "email", "anonymised_at")
    for id_, name, folded, club, licence, email, anonymised in columns.iterator(chunk_size=5000):
        person = Person(id_, name, folded, club or "", licence, email, anonymised is not None)
        for name_asked in asked.near(folded):
            found.by_name[name_asked].append(person)
        if licence in numbers:
            found.by_licence[licence] = person
        if id_ in wanted:
            found.by_id[id_] = person
    for folded, people in found.by_name.items():
        words = in_order(folded)
        people.sort(key=lambda person: (person.folded != folded, person.words != words, person.id))
        del people[MOST_OF_ONE:]
    return found
