"""What programs call a thing by never changes: a mirror keeps it under that, and would keep the old one for ever."""

from collections.abc import Iterator

from django.urls import get_resolver

from league.api.writing import Changes

KEYS = {"id", "key", "slug", "number", "external_id"}


def every(kind: type[Changes]) -> Iterator[type[Changes]]:
    for one in kind.__subclasses__():
        yield one
        yield from every(one)


def test_no_patch_takes_one() -> None:
    assert get_resolver().url_patterns  # all of the API is imported
    bodies = set(every(Changes))
    assert len(bodies) > 5
    takers = {one.__name__ for one in bodies if KEYS & set(one.__struct_fields__)}
    assert takers == {"NewChampionship"}  # which makes one
