"""Every kind of page that a tournament comes by is looked at once: by day and by night, at the window's width."""

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.urls import resolve
from django.utils.translation import override
from playwright.sync_api import Page

SHOTS = os.environ.get("BORNAGE_SHOTS", "")
"""A folder for a picture of every page that was looked at, for whoever wants to see them."""


def kind_of(url: str) -> str:
    """The name of the page at an address."""
    with override("en"):
        return str(resolve(urlsplit(url).path).view_name)


class Looking:
    """Looks at pages, and remembers which kinds of pages windows came by."""

    def __init__(self, accessible: Callable[..., None], name: str) -> None:
        self.accessible = accessible
        self.name = name
        self.looked: set[tuple[str, str]] = set()
        self.visited: dict[str, str] = {}

    def follow(self, page: Page) -> None:
        """Take note of whatever a window shows from now on."""
        page.on("framenavigated", lambda frame: self._note(frame.url) if frame == page.main_frame else None)

    def _note(self, url: str) -> None:
        if url.startswith("http"):
            self.visited.setdefault(kind_of(url), url)

    def __call__(self, page: Page, state: str = "") -> None:
        """Look at the page as it stands; `state` tells two looks of one kind of page apart."""
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{page.url} is wider than its window"
        kind = kind_of(page.url)
        if (kind, state) in self.looked:
            return
        self.looked.add((kind, state))
        page.emulate_media(color_scheme="dark")
        self.accessible(page, "color-contrast")
        page.emulate_media(color_scheme="light")
        self.accessible(page)
        if SHOTS:
            self._picture(page, kind, state)

    def _picture(self, page: Page, kind: str, state: str) -> None:
        name = f"{len(self.looked):02}-{kind}{'-' + state if state else ''}"
        page.screenshot(path=Path(SHOTS) / self.name / f"{name}.png", full_page=True)

    @property
    def missed(self) -> set[str]:
        """The kinds of pages that were shown and never looked at."""
        return set(self.visited) - {kind for kind, _state in self.looked}
