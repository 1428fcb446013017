"""The service worker by which the page of a sheet opens without network."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control


@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The script, at the root of the site: a worker may only serve what lies below its own address."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8")


@cache
def _script() -> bytes:
    return (settings.BASE_DIR / "static" / "js" / "sheet_worker.js").read_bytes()
