"""Every error of the clients: an `APIError`. Its class follows from the status; `code` is the code of the problem."""

from __future__ import annotations

import builtins
from typing import Any, Dict, Optional

import httpx


class APIError(Exception):
    """A call that failed: the service refused it, or no whole answer came in time.

    `code` is that of a problem of the service, or `connection-failed`, `timeout`, `snapshot-changing`. `status`,
    `headers` and `problem` (the problem document) are None where there was no answer. `attempts` is the number of
    requests that were sent. Who sends the same `idempotency_key` again is not charged twice.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        response: Optional[httpx.Response] = None,
        problem: Optional[Dict[str, Any]] = None,
        attempts: int = 0,
        idempotency_key: Optional[str] = None,
    ) -> None:
        self.code = code
        self.status = None if response is None else response.status_code
        self.headers = None if response is None else response.headers
        self.problem = problem
        self.request_id = None if response is None else response.headers.get("x-request-id")
        self.attempts = attempts
        self.idempotency_key = idempotency_key
        super().__init__(message if self.request_id is None else f"{message} (request {self.request_id})")


class BadRequestError(APIError):
    """400: a parameter or a body that the service does not take."""


class AuthenticationError(APIError):
    """401: no valid key."""


class InsufficientBalanceError(APIError):
    """402: the balance, or the cap of the key, is below the price; `problem` has the amounts."""


class NotFoundError(APIError):
    """404: no such path or snapshot."""


class RateLimitError(APIError):
    """429: too many requests."""


class ConnectionError(APIError, builtins.ConnectionError):
    """No whole answer came."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No whole answer came within `timeout_s`."""


ERROR_CLASSES = {
    400: BadRequestError,
    401: AuthenticationError,
    402: InsufficientBalanceError,
    404: NotFoundError,
    429: RateLimitError,
}
