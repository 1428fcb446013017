"""How the tournament goes: who is on the list, and what comes out at each table whatever the draw.

Two stars win wherever they sit, and are level where they meet: so they are level at the top in match points, the one
who had to share with one manche won fewer. Elsewhere whoever has least wins, so that nobody comes near them.
"""

from tests.browser.tournament.book import COUP_FOURRE, EXPOSED, LABELS, Book, Sheet, Side, Table

LIST = """Nom;Club;E-mail
Ana Etxeberria;Les Essieux;ana@example.org
Bixente Harriet;Les Essieux;
Chloé Lafitte-Lassalle de Bouillebourguignon;Les Essieux;
Denis Oyhenart;Les Essieux;
Zoé Martin;Les Moyeux;zoe@example.org
Eñaut Salaberry;Les Moyeux;
Fanny Dubois;Les Moyeux;
Gorka Etxegoyhenberrigaray;Les Moyeux;
Hélène Castetbieilh-Hourcastagnoux;Club du Dimanche Après-Midi;
Iker Zubieta;Club du Dimanche Après-Midi;
Jeanne Barbier;Club du Dimanche Après-Midi;
Koldo Mendiburu;Club du Dimanche Après-Midi;
Léa Fontaine;;
Lou Perez;;lou(at)example.org
Maylis Darrieumerlou;;
Noël Haran;;
Oihana Uhalde;;
MARTIN Zoe;Les Moyeux;
Pierre Anticonstitutionnellement-Lalanne;;
"""
"""A hall's list as it comes: line 15 has no address that can be written to, line 19 is Zoé of line 6 again."""

BAD_LINE, BAD_NAME = 15, "Lou Perez"
TWICE, TWICE_NAME = 19, "MARTIN Zoe"
ENTERED = 17
ABSENT = "Noël Haran"
LATE = BAD_NAME


def outcome(book: Book, table: Table, stars: tuple[int, int]) -> Sheet:
    """The paper of a table of this round."""
    sums = book.match_points()

    def strength(entry: int) -> tuple[int, int, int]:
        return (entry not in stars, sums[entry], entry)

    first, second, third = sorted(table.entries, key=strength)
    if {first, second} == set(stars):
        return _level(table, *stars, third)
    return ranked(table, [first, second, third])


def ranked(table: Table, order: list[int]) -> Sheet:
    """The paper of a table where the entries came in this order; each table has figures of its own."""
    first, second, third = (LABELS[table.entries.index(entry)] for entry in order)
    n, r = table.table, table.round
    bottes: dict[str, str] = {"VP": COUP_FOURRE} if n % 3 == 0 else {"CI": EXPOSED} if n % 3 == 1 else {}
    sides = {
        first: Side(1000, 0 if n % 2 else 2, bottes),
        second: Side(600 + 25 * (n % 4), None, {"AS": EXPOSED} if (n + r) % 2 else {}),
        third: Side(100 + 25 * (n + r)),
    }
    return Sheet({label: sides[label] for label in LABELS})


def _level(table: Table, winner: int, other: int, third: int) -> Sheet:
    """Two with 1400 points each: one arrived, the other had the better cards."""
    labels = {entry: LABELS[table.entries.index(entry)] for entry in table.entries}
    sides = {
        labels[winner]: Side(1000, 2),
        labels[other]: Side(900, None, {"VP": EXPOSED, "CI": COUP_FOURRE}),
        labels[third]: Side(300),
    }
    return Sheet({label: sides[label] for label in LABELS})
