"""A dump `championnat/1` read piece by piece: its members in order, the items of its lists one at a time.

No more is kept than the piece under way, so a dump may be of any length. JSON is read as strictly as everywhere: a key
that stands twice, NaN and half of a surrogate pair are refused.
"""

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from scoring.dump_format import FORMAT, LISTS, ORDER, REQUIRED, SINGLE
from scoring.ranking_document import RankingError
from scoring.ranking_shapes import At, kind, path

_SPACE: Final = " \t\r\n"
_LONGEST: Final = 256 * 1024 * 1024
"""Characters of one item: far more than a published ranking of thousands has."""
_AT_ONCE: Final = 1 << 20
_BEGINS: Final = object()
"""Stands in the piece that comes before the items of a list."""


class DumpError(RankingError):
    """A dump that cannot be read, or that does not hold together.

    `code`: `malformed` (no JSON), `bad-dump` (not of the format), `sha256-differs`, `document-refused`,
    `document-does-not-fit`, or one of the import's own.
    """

    def __init__(self, code: str, at: str | None, why: str) -> None:
        super().__init__(at, why)
        self.code = code


class Part(NamedTuple):
    """A piece of a dump: the member `name`, or the item at `place` of that list; `value` has all its members."""

    name: str
    place: int | None
    value: Any

    @property
    def at(self) -> At:
        """Its path."""
        return (self.name,) if self.place is None else (self.name, self.place)


def is_dump(first_bytes: bytes) -> bool:
    """Whether a file that begins so is a dump: `format` is its first member.

    >>> is_dump(b'{ "format": "championnat/1",')
    True
    """
    rest = first_bytes.removeprefix(codecs.BOM_UTF8).lstrip()
    for expected in (b"{", b'"format"', b":", f'"{FORMAT}"'.encode()):
        if not rest.startswith(expected):
            return False
        rest = rest.removeprefix(expected).lstrip()
    return True


def read_parts(chunks: Iterable[bytes]) -> Iterator[Part]:
    """The pieces of a dump from its bytes. Raises `DumpError`, and nothing else for a bad one."""
    return _checked(_Pieces(chunks).pieces())


def parts_of(document: dict[str, Any]) -> Iterator[Part]:
    """The pieces of a dump that was decoded as a whole."""
    return _checked(_of_decoded(document))


Piece = tuple[str, int | None, object]
"""As a `Part`, not looked at yet; a list has a piece without a place before its items."""


def _of_decoded(document: dict[str, Any]) -> Iterator[Piece]:
    for name, value in document.items():
        if name not in LISTS or not isinstance(value, list):
            yield name, None, value
            continue
        yield name, None, _BEGINS
        for place, item in enumerate(value):
            yield name, place, item


def _checked(pieces: Iterable[Piece]) -> Iterator[Part]:
    before = -1
    seen: set[str] = set()
    for name, place, value in pieces:
        if place is None:
            before = _in_order(name, before, seen)
            seen.add(name)
            if name in LISTS:
                if value is not _BEGINS:
                    raise DumpError("bad-dump", name, f"is not a list but {kind(value)}")
                continue
        part = Part(name, place, value)
        try:
            checked = (SINGLE[name] if place is None else LISTS[name])(value, part.at)
        except RankingError as fault:
            raise DumpError("bad-dump", fault.at, fault.why) from None
        yield part._replace(value=checked)
    for name in REQUIRED:
        if name not in seen:
            raise DumpError("bad-dump", name, "is missing")


def _in_order(name: str, before: int, seen: set[str]) -> int:
    if name not in ORDER:
        raise DumpError("bad-dump", path((name,)), "does not belong here")
    if name in seen:
        raise DumpError("malformed", name, "stands twice")
    found = ORDER.index(name)
    if before < 0 and name != "format":
        raise DumpError("bad-dump", "format", "is not the first member")
    if found < before:
        raise DumpError("bad-dump", name, f"stands after {ORDER[before]}: members stand in the order of the format")
    for needed in ORDER[:found]:
        if needed in REQUIRED and needed not in seen:
            raise DumpError("bad-dump", needed, f"is missing, or does not stand before {name}")
    return found


class _Pieces:
    """Reads characters from chunks of bytes, and values of JSON out of them."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._json = json.JSONDecoder(object_pairs_hook=_no_twins, parse_constant=_no_constant)
        self._where: str | None = None

    def pieces(self) -> Iterator[Piece]:
        """The members of the one object, the items of lists one by one."""
        self._expect("{")
        if self._peek() != "}":
            while True:
                yield from self._member()
                if not self._goes_on("}"):
                    break
        else:
            self._at += 1
        self._where = None
        if self._peek():
            self._malformed("something follows the document")

    def _member(self) -> Iterator[Piece]:
        self._where = None
        if self._peek() != '"':
            self._malformed("a name is expected")
        name = self._value()
        assert isinstance(name, str)
        self._where = path((name,))
        self._expect(":")
        if name not in LISTS or self._peek() != "[":
            yield name, None, self._value()
            return
        self._at += 1
        yield name, None, _BEGINS
        if self._peek() == "]":
            self._at += 1
            return
        place = 0
        while True:
            self._where = path((name, place))
            yield name, place, self._value()
            place += 1
            if not self._goes_on("]"):
                return

    def _goes_on(self, end: str) -> bool:
        sign = self._peek()
        self._at += 1
        if sign == ",":
            return True
        if sign != end:
            self._at -= 1
            self._malformed(f"a comma or {end} is expected")
        return False

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            self._malformed(f"{sign} is expected")
        self._at += 1

    def _peek(self) -> str:
        """The next sign that is no white space, which is passed over; empty at the end."""
        while True:
            while self._at < len(self._text):
                sign = self._text[self._at]
                if sign not in _SPACE:
                    return sign
                self._at += 1
            if not self._more():
                return ""

    def _value(self) -> object:
        """The value that comes next. What ends with the chunk may go on in the next one, so that one is read too."""
        self._peek()
        wanted = _AT_ONCE
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                self._malformed("this is nested too deeply")
            except ValueError as fault:
                if self._grow(wanted):
                    wanted *= 2
                    continue
                self._malformed(_said(fault), getattr(fault, "pos", self._at))
            else:
                if end < len(self._text) or not self._grow(1):
                    self._at = end
                    return value

    def _grow(self, wanted: int) -> bool:
        """Read on until there are `wanted` more characters; False where the file has ended already."""
        if len(self._text) - self._at > _LONGEST:
            self._malformed("this is too long")
        before = len(self._text) - self._at
        while len(self._text) - self._at < before + wanted and self._more():
            pass
        return len(self._text) - self._at > before

    def _more(self) -> bool:
        """Read the next characters, forgetting those that are done with; False at the end of the file."""
        gathered: list[str] = []
        size = 0
        while not self._ended and size < _AT_ONCE:
            chunk = next(self._chunks, None)
            self._ended = chunk is None
            try:
                gathered.append(self._decoder.decode(chunk or b"", final=self._ended))
            except UnicodeDecodeError:
                self._malformed("this is not UTF-8")
            size += len(gathered[-1])
        if not size:
            return False
        self._line += self._text.count("\n", 0, self._at)
        self._text = self._text[self._at :] + "".join(gathered)
        self._at = 0
        return True

    def _malformed(self, why: str, at: int | None = None) -> Any:
        line = self._line + self._text.count("\n", 0, self._at if at is None else at)
        raise DumpError("malformed", self._where, f"is not JSON: line {line}: {why}")


def _said(fault: ValueError) -> str:
    return fault.msg if isinstance(fault, json.JSONDecodeError) else str(fault)


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
