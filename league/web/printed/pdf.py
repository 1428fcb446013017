"""Pages as PDF, where the extra `pdf` is installed: the same pages as on the screen, with the same style sheet."""

import logging
import mimetypes
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language


@cache
def _weasyprint() -> ModuleType | None:
    """The library, imported when it is first asked for: it takes a second, and says all that it does."""
    logging.getLogger("weasyprint").setLevel(logging.ERROR)
    try:
        return import_module("weasyprint")
    except (ImportError, OSError):  # not installed, or without the libraries that draw text
        return None


def has_pdf() -> bool:
    """Whether this machine can make PDF."""
    return _weasyprint() is not None


def as_pdf(template: str, context: dict[str, Any], *, name: str) -> HttpResponse:
    """The page as a PDF named `name`. Raises RuntimeError where `has_pdf` says no."""
    weasyprint = _weasyprint()
    if weasyprint is None:
        raise RuntimeError("the extra `pdf` is not installed")
    page = render_to_string(template, {**context, "is_pdf": True, "LANGUAGE_CODE": get_language()})
    body = weasyprint.HTML(
        string=page, base_url="https://page.invalid/", url_fetcher=_own_files_only(weasyprint)
    ).write_pdf()
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"', "Cache-Control": "no-store"}
    return HttpResponse(body, content_type="application/pdf", headers=headers)


def _own_files_only(weasyprint: Any) -> Any:
    """A fetcher of our own static files: nothing is fetched from anywhere else, whatever a page says."""

    class OwnFiles(weasyprint.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            kind = mimetypes.guess_type(urlsplit(url).path)[0] or "application/octet-stream"
            return weasyprint.urls.URLFetcherResponse(url, own_file(url), {"Content-Type": kind})

    return OwnFiles()


def own_file(url: str) -> bytes:
    """The static file at an address, as it was collected or, while developing, as it stands in its folder.

    Raises ValueError for an address that is not one of our own static files, or has none.
    """
    prefix = urlsplit(settings.STATIC_URL).path
    path = urlsplit(url).path
    if not path.startswith(prefix):
        raise ValueError(f"not one of our own files: {url}")
    name = path.removeprefix(prefix)
    if staticfiles_storage.exists(name):
        with staticfiles_storage.open(name) as file:
            body: bytes = file.read()
        return body
    found = finders.find(name)
    if not isinstance(found, str):
        raise ValueError(f"no such file: {url}")
    return Path(found).read_bytes()
