"""The columns of a list of players or entries: their names in French and English, read and written.

Names are read with accents, case, spacing and small words aside, a number 1 or 2 in them saying which player of a team
is meant: `N° de licence`, `Licence 2`, `nom du joueur 1`. Lists are written with one fixed name a column.
"""

import re
from collections.abc import Sequence

from league.names import fold

OF_ENTRY = ("number", "team")
"""What a column says about a whole entry; every other one is about one of its players."""
OF_PLAYER = ("name", "first", "club", "licence", "email", "minor")

WRITTEN = {
    "fr": {
        "number": "Numéro",
        "team": "Équipe",
        "name": "Nom",
        "club": "Club",
        "licence": "Licence",
        "email": "E-mail",
        "minor": "Mineur",
    },
    "en": {
        "number": "Number",
        "team": "Team",
        "name": "Name",
        "club": "Club",
        "licence": "Licence",
        "email": "E-mail",
        "minor": "Minor",
    },
}
"""The names under which columns are written, in each language of lists."""

_MEANT = {
    "number": "number no nr num numero n entrynumber numeroentry numeroentree numeroinscription numerodossard dossard "
    "bib seed",
    "team": "team teamname nameteam equipe nomequipe entry entree inscription nominscription pair paire doublette "
    "binome",
    "name": "name fullname completename nom nomcomplet nomprenom prenomnom playername nameplayer player joueur "
    "joueuse participant participante nomjoueur nomjoueuse surnamefirstname firstnamesurname namefirstname "
    "firstnamename lastnamefirstname firstnamelastname",
    "surname": "surname lastname familyname nomfamille patronyme",
    "first": "firstname givenname forename christianname prenom",
    "club": "club clubname nameclub nomclub association asso society",
    "licence": "licence license licencenumber licensenumber numerolicence licenceno licenseno nolicence nlicence "
    "numlicence licencen numeroffiliation licenceid licenseid idlicence",
    "email": "email emailaddress mail courriel adresseemail adressemail adressecourriel adresseelectronique mel "
    "courrierelectronique",
    "minor": "minor isminor underage child mineur mineure estmineur estmineure enfant moins18ans moins18 under18",
}
_COLUMN_OF = {name: column for column, names in _MEANT.items() for name in names.split()}
_SMALL = frozenset(["de", "du", "des", "d", "l", "la", "le", "les", "of", "the", "et", "and", "a", "an"])
_PEOPLE = frozenset(["joueur", "joueuse", "player", "participant", "participante"])
_WORDS = re.compile(r"[^\W\d_]+|\d+")

Column = tuple[str, int]
"""What a column holds, and of which player of the entry (from 1); 0: of the entry, or of its only player."""


def column_of(title: str) -> Column | None:
    """What the column of this title holds; None where that is not known. `surname` is the name without the first one.

    >>> column_of("N° de licence"), column_of(" Prénom du joueur 2 "), column_of("Shoe size")
    (('licence', 0), ('first', 2), None)
    """
    words = [word for word in _WORDS.findall(fold(title.replace("°", "umero ").replace("º", "umero "))) if word]
    players = [int(word) for word in words if word in ("1", "2")]
    if len(players) > 1:
        return None
    kept = [word for word in words if word not in _SMALL and word not in ("1", "2")]
    without = [word for word in kept if word not in _PEOPLE]
    for said in (kept, without):
        column = _COLUMN_OF.get("".join(said))
        if column is not None:
            return column, 0 if column in OF_ENTRY or not players else players[0]
    return None


def titles(columns: Sequence[Column], language: str) -> list[str]:
    """The first line of a list that is written in a language: `fr`, or English for any other one."""
    names = WRITTEN["fr" if language == "fr" else "en"]
    return [names[column] + (f" {player}" if player else "") for column, player in columns]


def columns_of_lists(size: int) -> list[Column]:
    """The columns of a list of entries of `size` players, in the order in which they are written."""
    of_player = [column for column in OF_PLAYER if column != "first"]
    players = [0] if size == 1 else list(range(1, size + 1))
    return [(column, 0) for column in OF_ENTRY] + [(column, player) for player in players for column in of_player]
