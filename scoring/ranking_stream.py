"""Documents out of a stream of bytes: one JSON document over any number of lines, or one a line (NDJSON).

Which of the two it is shows in the first line that is not blank. If it breaks off in the middle of a document, it is
the beginning of one over several lines, and all of the stream is read; otherwise every line is a document by itself
and forgotten when the next one comes.
"""

from collections.abc import Iterable, Iterator

from engine.notation import FormatError, decode_json, decode_utf8


def documents(lines: Iterable[bytes]) -> Iterator[object]:
    """The decoded documents in order; what is no JSON stands there as its `FormatError`. Blank lines are none.

    >>> list(documents([b'{"a": 1}', b"", b'{"a": 2}']))
    [{'a': 1}, {'a': 2}]
    >>> list(documents([b"{", b'  "a": 1', b"}"]))
    [{'a': 1}]
    """
    numbered = enumerate(lines, start=1)
    first = True
    for number, line in numbered:
        if not line.strip():
            continue
        if first and breaks_off(line):
            yield _decoded(line + b"".join(rest for _, rest in numbered), number)
            return
        first = False
        yield _decoded(line, number)


def breaks_off(line: bytes) -> bool:
    """Whether a line ends in the middle of a document: what is wrong with it comes after its last sign.

    >>> [breaks_off(line) for line in (b'{"a": [1,', b'{"a": 1}', b'{"a": }', b'{"a": "half')]
    [True, False, False, False]
    """
    text = line.decode("utf-8-sig", errors="replace").rstrip()
    try:
        decode_json(text)
    except FormatError as fault:
        return fault.column == len(text) + 1
    return False


def _decoded(raw: bytes, first_line: int) -> object:
    try:
        return decode_json(decode_utf8(raw))
    except FormatError as fault:
        return fault.moved((fault.line or 1) + first_line - 1, fault.column)
