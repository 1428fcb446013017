"""What goes wrong: a site that cannot be reached, and what it answers when it refuses (problem+json, RFC 9457)."""

from collections.abc import Mapping
from typing import Any

import httpx


class BornageError(Exception):
    """The base of all errors of this package. `key`: the Idempotency-Key that was sent; empty for a read."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class UnreachableError(BornageError):
    """No answer came, after every retry. What was asked may have been done: ask again with the same `key`."""


class ProblemError(BornageError):
    """A refusal. Decide by `code`, which is stable; show `detail`; tell the site's people `request_id`.

    From `status` 500 on what was asked may have been done: ask again with the same `key`.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], key: str = "") -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        self.field: str | None = problem.get("field")
        self.request_id = str(problem.get("request_id", ""))
        super().__init__(f"{status} {self.code}: {self.detail}", key)


class NotPermittedError(ProblemError):
    """401 or 403: the token is not good, or not good for that."""


class NotFoundError(ProblemError):
    """404: there is no such thing, or the token's user may not know that there is."""


class ConflictError(ProblemError):
    """409: something else stands there. `present` shows it where the site says what it is."""

    @property
    def present(self) -> Any:
        """What stands there."""
        return self.problem.get("present")


class StaleError(ProblemError):
    """412: it has changed since it was read. `present` is what it is now, `etag` its state."""

    @property
    def present(self) -> Any:
        """What it is now."""
        return self.problem.get("present")

    @property
    def etag(self) -> str:
        """The ETag of what it is now."""
        return str(self.problem.get("etag", ""))


class RefusedError(ProblemError):
    """422: the rules refuse it; of a document `verdict` says where and why."""

    @property
    def verdict(self) -> Any:
        """The verdict of a log or a sheet."""
        return self.problem.get("verdict")


_BY_STATUS: Mapping[int, type[ProblemError]] = {
    401: NotPermittedError,
    403: NotPermittedError,
    404: NotFoundError,
    409: ConflictError,
    412: StaleError,
    422: RefusedError,
}


def problem_of(response: httpx.Response, key: str = "") -> ProblemError:
    """The error of an answer that is not a good one; a redirect is none, since a token goes only where it was sent."""
    try:
        said = response.json()
    except ValueError:
        said = None
    problem = said if isinstance(said, dict) else {"detail": response.text[:200]}
    if response.is_redirect:
        problem = {"detail": f"The site is at another address: {response.headers.get('Location', '')}"}
    return _BY_STATUS.get(response.status_code, ProblemError)(response.status_code, problem, key)
