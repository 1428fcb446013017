"""How names are compared: accents dropped and case folded, as a reader of a list expects (STANDINGS 3)."""

import unicodedata


def folded(name: str) -> str:
    """A name for sorting and matching: NFKD, marks dropped, case folded.

    >>> sorted(["Zoé", "Émile", "eloi", "Çelik"], key=folded)
    ['Çelik', 'eloi', 'Émile', 'Zoé']
    """
    if name.isascii():
        return name.casefold()
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M")).casefold()
