"""Faults of users, as services raise them and doors show them (DESIGN 3). Anything else that is raised is our bug.

A fault has a stable `code`, a message in the reader's language that says what to do, the field that it is about if
there is one, and the status that the API answers with. `extra` holds what a program needs to go on (plain JSON).
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext as _


class UserFault(Exception):  # noqa: N818 — what users do is no error of the program
    """Something that the user can put right. Raising it inside a service rolls the service back."""

    status: ClassVar[int] = 422

    def __init__(
        self,
        code: str,
        message: "str | Promise",
        *,
        field: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.field = field
        self.extra = extra or {}

    @property
    def faults(self) -> "Sequence[UserFault]":
        """All faults that were found: this one, unless it stands for several."""
        return (self,)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class Faults(UserFault):
    """Several faults of one form at once."""

    def __init__(self, faults: Sequence[UserFault]) -> None:
        first = faults[0]
        super().__init__(first.code, first.message, field=first.field, extra=first.extra)
        self._faults = tuple(faults)

    @property
    def faults(self) -> Sequence[UserFault]:
        """All faults, in the order of the form's fields."""
        return self._faults


class NotPermitted(UserFault):
    """Signed in, or with a token, but without the right."""

    status = 403

    def __init__(self, code: str = "not-permitted", message: "str | Promise | None" = None) -> None:
        super().__init__(code, message or _("You may not do this: ask an organiser of the championship."))


class NotFound(UserFault):
    """There is no such thing, or the asker may not know that there is."""

    status = 404

    def __init__(
        self,
        code: str = "not-found",
        message: "str | Promise | None" = None,
        *,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code, message or _("There is no such page, or it is not public."), extra=extra)
        self.says_what = message is not None


class Conflict(UserFault):
    """Somebody else was first; `extra` shows what stands there now."""

    status = 409


class KeyReused(Conflict):
    """An idempotency key that was used for another request, which the draft of its header answers with 422."""

    status = 422

    def __init__(self) -> None:
        super().__init__("key-reused", _("This idempotency key was used for another request: choose a new one."))


class Stale(UserFault):
    """What was edited has changed since it was read; `extra["version"]` is the present version."""

    status = 412

    def __init__(self, version: int) -> None:
        super().__init__(
            "stale",
            _("Somebody has changed this in the meantime. Load it again, then make your change."),
            extra={"version": version},
        )


class TooLarge(UserFault):
    """A body over the limit."""

    status = 413

    def __init__(self, limit: int) -> None:
        super().__init__(
            "too-large",
            _("This is more than %(limit)s KiB, which no log or sheet needs.") % {"limit": limit // 1024},
            extra={"limit": limit},
        )


class Refused(UserFault):
    """A document that the rules refuse, or that does not fit its partie; `extra["verdict"]` says where and why."""

    def __init__(self, code: str, message: "str | Promise", *, verdict: dict[str, Any], attempt: int | None) -> None:
        super().__init__(code, message, extra={"verdict": verdict, "attempt": attempt})


def all_of(faults: Sequence[UserFault]) -> None:
    """Raise what was collected: nothing, the one fault, or all of them together."""
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise Faults(faults)
