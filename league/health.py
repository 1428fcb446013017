"""Is the program alive, can it work? Asked by load balancers and by docker-compose, without signing in."""

from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from league.celery import app

log = structlog.get_logger(__name__)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        log.exception("database_down")
        return False
    return True


def _broker_answers() -> bool:
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=2)
    except (OperationalError, OSError):
        log.exception("broker_down")
        return False
    return True


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as the process answers at all."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when results can be taken in, 503 when they cannot.

    `broker` is "none" where jobs run in the process. A broker that is down is said ("degraded") but does not take
    the site out of service: results are still recorded, and what is due is made up for later.
    """
    checks: dict[str, Any] = {
        "database": "ok" if _database_answers() else "down",
        "broker": "none",
    }
    if settings.BROKER_URL:
        checks["broker"] = "ok" if _broker_answers() else "down"
    if checks["database"] == "down":
        return JsonResponse({"status": "down", **checks}, status=503)
    return JsonResponse({"status": "degraded" if checks["broker"] == "down" else "ok", **checks})
