"""One call: attempts with the same `Idempotency-Key` until there is an answer, the deadline passes or a retry is of
no use.

Everything here is a generator of steps (`Send`, `Wait`, `Together`) that a driver performs, with threads or on an
event loop: what is retried, when and for how long is decided once for both. Invariant: nothing is sent after the
deadline, and an error is raised only when a further attempt is impossible, of no use, or beyond the retry budget.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Callable, Dict, Generator, Optional, Sequence, TypeVar, Union

from .failures import (
    ERROR_CLASSES,
    ClientError,
    ConnectionFailedError,
    DeadlineExceededError,
    FailureFacts,
    RefusedError,
)
from .policy import RetryBudget, backoff_s, may_pass, retry_after_s
from .questions import Question

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Send a request and give back its `WireAnswer`. `timeout_s` is for all of it."""

    method: str
    address: str
    target: str
    headers: Dict[str, str]
    body: Optional[bytes]
    timeout_s: float
    # Whether it needs a connection that carried no other request.
    is_fresh: bool


@dataclass(frozen=True)
class Wait:
    """Wait so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Together:
    """Run steps, so many at the same time, and give back their results in order."""

    steps: Sequence["Steps[Any]"]
    at_once: int


Steps = Generator[Union[Send, Wait, Together], Any, T]


@dataclass(frozen=True)
class WireAnswer:
    """A whole answer; header names in lower case."""

    status: int
    headers: Dict[str, str]
    body: bytes


class WireFailure(Exception):
    """A connection that brought no whole answer."""

    def __init__(self, message: str, was_reused: bool = False, has_begun: bool = False) -> None:
        super().__init__(message)
        # Whether the connection had carried a request before.
        self.was_reused = was_reused
        # Whether a byte of the answer had come.
        self.has_begun = has_begun


class AttemptTimedOut(Exception):
    """The time of one attempt passed."""


@dataclass(frozen=True)
class CallOptions:
    """How one call is made; None is what the client has."""

    deadline_s: Optional[float] = None
    idempotency_key: Optional[str] = None
    max_cost_usd: Optional[float] = None


@dataclass(frozen=True)
class Reply:
    """A 200, its body parsed."""

    headers: Dict[str, str]
    members: Dict[str, Any]


@dataclass
class _Failure:
    """How an attempt ended that was not answered."""

    error: Callable[[FailureFacts], ClientError]
    may_pass: bool = True
    request_id: Optional[str] = None
    # Whether the connection was dead before the request: repeated at once.
    was_stale: bool = False
    rest_s: float = 0.0
    cause: Optional[BaseException] = field(default=None)


class Caller:
    """Makes calls. Threads may share it."""

    def __init__(
        self,
        addresses: Sequence[str],
        api_key: Callable[[], str],
        *,
        deadline_s: float,
        retries: int,
        retry_budget: float,
        now: Callable[[], float],
        random: Callable[[], float],
    ) -> None:
        self._addresses = addresses
        self._api_key = api_key
        self._deadline_s = deadline_s
        self._retries = retries
        self._budget = RetryBudget(retry_budget)
        self._now = now
        self._random = random
        # By address: when it may be asked again.
        self._rest_until = [0.0 for _ in addresses]
        # The address of the next call.
        self._preferred = 0

    def ask(self, question: Question, options: CallOptions = CallOptions()) -> Steps[Reply]:
        """Asks until there is an answer; raises `ClientError`."""
        seconds = self._deadline_s if options.deadline_s is None else options.deadline_s
        ends_at = self._now() + seconds
        key = (options.idempotency_key or str(uuid.uuid4())) if question.is_charged else None
        headers = {} if key is None else {"Idempotency-Key": key}
        if question.body is not None:
            headers["Content-Type"] = "application/json"
        has_spare = True
        request_id = None
        address = self._preferred
        for attempt in count(1):
            is_last = attempt > self._retries or not self._budget.has_one
            outcome = yield from self._attempt(question, headers, address, attempt, ends_at, is_last)
            if isinstance(outcome, Reply):
                self._budget.earn()
                return outcome
            request_id = outcome.request_id or request_id
            if outcome.was_stale and has_spare:
                has_spare = False
                continue
            if outcome.may_pass:
                address = self._address_after(address, outcome.rest_s)
            wait_s = self._rest_s(address) + backoff_s(attempt, self._random())
            is_late = self._now() + wait_s >= ends_at
            if not outcome.may_pass or is_last or is_late or not self._budget.take():
                raise outcome.error(FailureFacts(request_id, attempt, key)) from outcome.cause
            yield Wait(wait_s)
        raise AssertionError("the last attempt raises")

    def _address_after(self, failed: int, rest_s: float) -> int:
        """Lets an address rest as its answer asks, and turns to the one that may be asked first."""
        self._rest_until[failed] = self._now() + rest_s
        number = len(self._addresses)
        others = [(failed + 1 + index) % number for index in range(number)]
        self._preferred = min(others, key=self._rest_s)
        return self._preferred

    def _rest_s(self, address: int) -> float:
        return max(0.0, self._rest_until[address] - self._now())

    def _attempt(
        self,
        question: Question,
        headers: Dict[str, str],
        address: int,
        attempt: int,
        ends_at: float,
        is_last: bool,
    ) -> Steps[Union[Reply, _Failure]]:
        left_s = ends_at - self._now()
        if left_s <= 0:
            return _late(None)
        sent = {"Authorization": f"Bearer {self._api_key()}", **headers}
        # A hung attempt leaves half of the time to the next one.
        timeout_s = left_s if is_last else left_s / 2
        place = self._addresses[address]
        try:
            answer = yield Send(
                question.method, place, question.target, sent, question.body, timeout_s, attempt > 1
            )
        except AttemptTimedOut as cause:
            return _late(cause)
        except WireFailure as cause:
            return _failed(cause)
        return read_reply(answer)


def read_reply(answer: WireAnswer) -> Union[Reply, _Failure]:
    """A reply, or why an answer is none."""
    members = _parsed(answer.body)
    if answer.status == 200 and members is not None:
        return Reply(answer.headers, members)
    problem = members or {}
    found = re.fullmatch(r"urn:authority-index:problem:([a-z-]+)", str(problem.get("type")))
    code = found.group(1) if found else None
    rest_s = retry_after_s(answer.headers, time.time())
    name = code or f"status-{answer.status}"
    kind = ERROR_CLASSES.get(name, RefusedError)
    return _Failure(
        error=lambda facts: kind(name, answer.status, problem, rest_s, facts),
        # A 200 that cannot be read was damaged on its way.
        may_pass=answer.status == 200 or may_pass(answer.status, answer.headers, code),
        request_id=answer.headers.get("x-request-id"),
        rest_s=rest_s or 0.0,
    )


def _parsed(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body.decode())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _late(cause: Optional[BaseException]) -> _Failure:
    text = "no answer within the deadline"
    return _Failure(lambda facts: DeadlineExceededError("deadline-exceeded", text, facts), cause=cause)


def _failed(cause: WireFailure) -> _Failure:
    return _Failure(
        lambda facts: ConnectionFailedError("connection-failed", str(cause), facts),
        was_stale=cause.was_reused and not cause.has_begun,
        cause=cause,
    )
