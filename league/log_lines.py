"""Lines of the log: how they are written, and what is not worth a traceback in them."""

import logging
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied


class NoRefusals(logging.Filter):
    """Leave out what Django says of a 403 with both its exceptions: `league.middleware.RequestLog` has a line of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        return not (record.exc_info and isinstance(record.exc_info[1], PermissionDenied))


def log_to_console(*, as_json: bool, level: str) -> dict[str, Any]:
    """Configure structlog; return the setting LOGGING: all lines to the console in one form, those of libraries too.

    `as_json`: for programs that collect logs; otherwise for people to read.
    """
    chain: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *chain,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": chain,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
            }
        },
        "filters": {"no-refusals": {"()": NoRefusals}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no-refusals"]}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers would print each line a second time.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "axes": {"level": "WARNING"},
        },
    }
