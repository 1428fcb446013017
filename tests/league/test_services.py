"""The list of services names every module of the folder, once."""

import pkgutil
import re
from collections.abc import Iterator

from league import services


def listed() -> Iterator[str]:
    """The modules that the docstring of league.services lists: names before a gap, several parted by commas."""
    for names in re.findall(r"^ {4}(\w+(?:, \w+)*)  +\S", services.__doc__ or "", re.MULTILINE):
        yield from names.split(", ")


def test_every_module_is_listed_once() -> None:
    assert sorted(listed()) == sorted(module.name for module in pkgutil.iter_modules(services.__path__))
