"""What everybody may read of a player: the whole name, initials or a neutral name, as the player chose.

Pure words, so that pages, services and rows that are read as columns say the same.
"""

from collections.abc import Sequence

from league.models import Player, ShownAs
from league.names import fold

BETWEEN = " – "
LONGEST_TEAM_NAME = 120
_NOBODY = "Anonyme"
_STRICTNESS = {ShownAs.NAME: 0, ShownAs.INITIALS: 1, ShownAs.HIDDEN: 2}


def neutral_name(player_id: int) -> str:
    """What stands for a name that is not shown, or not kept any more. One word for all languages, since it is frozen.

    >>> neutral_name(12)
    'Anonyme 12'
    """
    return f"{_NOBODY} {player_id}"


def is_neutral(name: str) -> bool:
    """Whether a name is one that stands for somebody's.

    >>> is_neutral("Anonyme 12"), is_neutral("Anonyme")
    (True, False)
    """
    return name.startswith(f"{_NOBODY} ") and name[len(_NOBODY) + 1 :].isdigit()


def initials(name: str) -> str:
    """The first letters of a name.

    >>> initials("Zoé Çelik"), initials("Jean-Pierre d'Alembert")
    ('Z. Ç.', 'J.-P. D.')
    """
    words = (("-".join(_initial(part) for part in word.split("-") if _initial(part))) for word in name.split())
    return " ".join(word for word in words if word)


def _initial(word: str) -> str:
    first = next((sign for sign in word if sign.isalnum()), "")
    return f"{first.upper()}." if first else ""


def shown_name(player_id: int, name: str, shown_as: str) -> str:
    """What everybody may read of the player of this name."""
    if shown_as == ShownAs.NAME:
        return name
    short = initials(name) if shown_as == ShownAs.INITIALS else ""
    return short or neutral_name(player_id)


def public_name(player: Player) -> str:
    """What everybody may read of a player's name."""
    return shown_name(player.pk, player.name, player.shown_as)


def shown_club(name: str | None, shows_club: bool) -> str:
    """The name of a player's club where everybody may read it, else empty."""
    return name or "" if shows_club else ""


def public_club(player: Player) -> str:
    """The name of a player's club where everybody may read it, else empty. The club comes with the player's row."""
    return shown_club(player.club.name if player.club else None, player.shows_club)


def is_stricter(one: str, than: str) -> bool:
    """Whether the first way of being shown says less than the second."""
    return _STRICTNESS[ShownAs(one)] > _STRICTNESS[ShownAs(than)]


def team_name_of(names: Sequence[str]) -> str:
    """The name of a team after its players, whose names are cut where they are too long together."""
    whole = BETWEEN.join(names)
    if len(whole) <= LONGEST_TEAM_NAME:
        return whole
    room = (LONGEST_TEAM_NAME - len(BETWEEN) * (len(names) - 1)) // len(names)
    return BETWEEN.join(name if len(name) <= room else f"{name[: room - 1].rstrip()}…" for name in names)


def reveals(text: str, name: str) -> bool:
    """Whether a text holds a name, accents, case and the order of its words aside.

    >>> reveals("Les as de ÇELIK Zoe", "Zoé Çelik"), reveals("Zoé et Ane", "Zoé Çelik")
    (True, False)
    """
    words = set(_words(text))
    wanted = _words(name)
    return bool(wanted) and all(word in words for word in wanted)


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in fold(text)).split()
