"""Every error of the client: a class for each problem of the service, and those that the client itself finds.

Each error knows the request id, where there was an answer, how many attempts were made, and the
idempotency key of the call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Type

__all__ = [
    "FailureFacts",
    "ClientError",
    "ConnectionFailedError",
    "DeadlineExceededError",
    "CostLimitError",
    "RefusedError",
    "InvalidParameterError",
    "MalformedRequestError",
    "UnauthorizedError",
    "InsufficientBalanceError",
    "CapReachedError",
    "KeyRestrictedError",
    "ForbiddenOriginError",
    "NotFoundError",
    "NoSuchSnapshotError",
    "MethodNotAllowedError",
    "RequestTimeoutError",
    "ChangesGoneError",
    "PayloadTooLargeError",
    "UnsupportedMediaTypeError",
    "IdempotencyKeyReusedError",
    "RateLimitedError",
    "InternalServiceError",
    "OverloadedError",
    "NoSnapshotError",
    "BalanceElsewhereError",
    "LedgerUnavailableError",
    "TextsUnavailableError",
]


@dataclass(frozen=True)
class FailureFacts:
    """What is known of a call that failed."""

    request_id: Optional[str] = None
    attempts: int = 0
    idempotency_key: Optional[str] = None


class ClientError(Exception):
    """An expected failure of a call. `code` is that of a problem, or of the class."""

    def __init__(self, code: str, message: str, facts: FailureFacts = FailureFacts()) -> None:
        identity = "" if facts.request_id is None else f" (request {facts.request_id})"
        super().__init__(message + identity)
        self.code = code
        self.request_id = facts.request_id
        self.attempts = facts.attempts
        self.idempotency_key = facts.idempotency_key


class ConnectionFailedError(ClientError):
    """No address gave a whole answer."""


class DeadlineExceededError(ClientError):
    """The deadline of the call passed."""


class CostLimitError(ClientError):
    """The call would cost more than `max_cost_usd` allows; nothing was sent."""


class RefusedError(ClientError):
    """A refusal of the service. `problem` is the whole problem document; `retry_after` is in seconds."""

    def __init__(
        self,
        code: str,
        status: int,
        problem: Dict[str, Any],
        retry_after: Optional[float] = None,
        facts: FailureFacts = FailureFacts(),
    ) -> None:
        super().__init__(code, str(problem.get("detail", f"answered with {status}")), facts)
        self.status = status
        self.title = str(problem.get("title", ""))
        self.problem = problem
        self.retry_after = retry_after


class InvalidParameterError(RefusedError):
    """400: a value that no operation takes."""


class MalformedRequestError(RefusedError):
    """400: a request that cannot be read."""


class UnauthorizedError(RefusedError):
    """401: no valid key."""


class InsufficientBalanceError(RefusedError):
    """402: the balance is below the price."""

    @property
    def cost_usd(self) -> Optional[float]:
        """The price; None where the answer does not say."""
        return _number(self.problem.get("cost_usd"))

    @property
    def balance_usd(self) -> Optional[float]:
        """The balance; None where the answer does not say."""
        return _number(self.problem.get("balance_usd"))


class CapReachedError(InsufficientBalanceError):
    """402: a cap of the key is below the price; the balance may hold it."""

    @property
    def remaining_usd(self) -> Optional[float]:
        """What the cap has left; None where the answer does not say."""
        return _number(self.problem.get("remaining_usd"))

    @property
    def resets_at(self) -> Optional[str]:
        """When the cap begins anew, as an ISO time; None where it does not, or the answer does not say."""
        resets_at = self.problem.get("resets_at")
        return resets_at if isinstance(resets_at, str) else None


class KeyRestrictedError(RefusedError):
    """403: the key may not be used for this operation, or from this address."""


class ForbiddenOriginError(RefusedError):
    """403: a web page that may not ask."""


class NotFoundError(RefusedError):
    """404: no such path."""


class NoSuchSnapshotError(RefusedError):
    """404: no snapshot of this id."""


class MethodNotAllowedError(RefusedError):
    """405."""


class RequestTimeoutError(RefusedError):
    """408: the body came too slowly."""


class ChangesGoneError(RefusedError):
    """410: the changes do not go back so far."""

    @property
    def oldest(self) -> Optional[str]:
        """The oldest snapshot from which changes are known; None where there is none."""
        return self.problem.get("oldest")


class PayloadTooLargeError(RefusedError):
    """413: the body is too large."""


class UnsupportedMediaTypeError(RefusedError):
    """415: the body is not JSON."""


class IdempotencyKeyReusedError(RefusedError):
    """422: the idempotency key belongs to another question."""


class RateLimitedError(RefusedError):
    """429: too many requests."""


class InternalServiceError(RefusedError):
    """500: a bug of the service."""


class OverloadedError(RefusedError):
    """503: as many requests are being answered as may be."""


class NoSnapshotError(RefusedError):
    """503: no snapshot is served yet."""


class BalanceElsewhereError(RefusedError):
    """503: other nodes may hold what the request costs."""


class LedgerUnavailableError(RefusedError):
    """503: charges cannot be recorded."""


class TextsUnavailableError(RefusedError):
    """503: the service cannot read texts from its disk in time."""


ERROR_CLASSES: Dict[str, Type[RefusedError]] = {
    "invalid-parameter": InvalidParameterError,
    "malformed-request": MalformedRequestError,
    "unauthorized": UnauthorizedError,
    "insufficient-balance": InsufficientBalanceError,
    "cap-reached": CapReachedError,
    "key-restricted": KeyRestrictedError,
    "forbidden-origin": ForbiddenOriginError,
    "not-found": NotFoundError,
    "no-such-snapshot": NoSuchSnapshotError,
    "method-not-allowed": MethodNotAllowedError,
    "request-timeout": RequestTimeoutError,
    "changes-gone": ChangesGoneError,
    "payload-too-large": PayloadTooLargeError,
    "unsupported-media-type": UnsupportedMediaTypeError,
    "idempotency-key-reused": IdempotencyKeyReusedError,
    "rate-limited": RateLimitedError,
    "internal-error": InternalServiceError,
    "overloaded": OverloadedError,
    "no-snapshot": NoSnapshotError,
    "balance-elsewhere": BalanceElsewhereError,
    "ledger-unavailable": LedgerUnavailableError,
    "texts-unavailable": TextsUnavailableError,
}


def _number(value: Any) -> Optional[float]:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None
