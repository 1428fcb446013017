"""What is not worth a traceback in the log: somebody who asked for a page that is not theirs."""

import logging

from django.core.exceptions import PermissionDenied


class NoRefusals(logging.Filter):
    """Leave out what Django says of a 403 with both its exceptions: `league.middleware.RequestLog` has a line of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is logged."""
        return not (record.exc_info and isinstance(record.exc_info[1], PermissionDenied))
