"""One call: attempts with the same `Idempotency-Key` until there is an answer, the time is over or a retry is of no use.

Both clients make the same calls, which are coroutines; `transport.py` sends and waits for them. Invariant: nothing is sent
after `timeout_s`, and an error is raised only when a further attempt is impossible, of no use, or beyond the budget.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Generic, Optional, TypeVar

import httpx

from .errors import ERROR_CLASSES, APIError, ConnectionError, TimeoutError
from .retries import RetryBudget, backoff_s, may_pass, retry_after_s
from .transport import Lost, Transport

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The data of an answer, with its price and origin."""

    data: T
    # Status and headers; of a long list those of the last part.
    response: httpx.Response
    request_id: str
    # USD charged; 0 for what is free or was charged before.
    cost: float
    # USD that the account can still spend; None if the answer does not say.
    balance: Optional[float]
    # The id of the snapshot that answered.
    snapshot: str


@dataclass(frozen=True)
class Options:
    """Options of one call."""

    timeout_s: float
    idempotency_key: Optional[str] = None


class Caller:
    """Makes calls; threads may share it."""

    def __init__(self, transport: Transport, api_key: str, max_retries: int, retry_budget: float) -> None:
        self._transport = transport
        self._authorization = f"Bearer {api_key}"
        self._max_retries = max_retries
        self._budget = RetryBudget(retry_budget)

    async def ask(
        self, target: str, options: Options, body: Optional[bytes] = None, is_charged: bool = True
    ) -> Answer[Dict[str, Any]]:
        """Asks until there is an answer; with `body`, JSON, by POST. Raises `APIError`."""
        ends_s = time.monotonic() + options.timeout_s
        key = (options.idempotency_key or str(uuid.uuid4())) if is_charged else None
        headers = {"Authorization": self._authorization}
        if key is not None:
            headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
        method = "GET" if body is None else "POST"
        has_spare = True
        # One more than there are retries: a connection that was dead already is no attempt of its own.
        for attempt in range(1, self._max_retries + 3):
            is_last = attempt > self._max_retries or not self._budget.has_one
            left_s = ends_s - time.monotonic()
            facts = {"attempts": attempt, "idempotency_key": key}
            cause: Optional[Lost] = None
            rest_s, passes = 0.0, True
            try:
                if left_s <= 0:
                    raise Lost("no answer in time", was_late=True)
                # A hung attempt leaves half of the time to the next one.
                timeout_s = left_s if is_last else left_s / 2
                response = await self._transport.send(method, target, headers, body, timeout_s)
            except Lost as lost:
                if lost.was_stale and has_spare:
                    has_spare = False
                    continue
                cause = lost
                kind, code = (TimeoutError, "timeout") if lost.was_late else (ConnectionError, "connection-failed")
                error: APIError = kind(code, str(lost), **facts)
            else:
                members = _object_in(response)
                if response.status_code == 200 and members is not None:
                    self._budget.earn()
                    return _answer(response, members)
                problem_code = _code_of(members)
                rest_s, passes = retry_after_s(response), may_pass(response, problem_code)
                error = _refusal(response, members, problem_code, facts)
            wait_s = rest_s + backoff_s(attempt)
            is_late = time.monotonic() + wait_s >= ends_s
            if not passes or is_last or is_late or not self._budget.take():
                raise error from cause
            await self._transport.wait(wait_s)
        raise AssertionError("the last attempt raises")


def _object_in(response: httpx.Response) -> Optional[Dict[str, Any]]:
    """The object of a body; None if it is damaged: no UTF-8, or no JSON object."""
    try:
        value = json.loads(response.content.decode())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _code_of(body: Optional[Dict[str, Any]]) -> Optional[str]:
    found = re.fullmatch(r"urn:authority-index:problem:([a-z-]+)", str((body or {}).get("type")))
    return None if found is None else found.group(1)


def _refusal(
    response: httpx.Response, body: Optional[Dict[str, Any]], code: Optional[str], facts: Dict[str, Any]
) -> APIError:
    status = response.status_code
    detail = (body or {}).get("detail")
    text = detail if isinstance(detail, str) else f"answered with {status}"
    kind = ERROR_CLASSES.get(status, APIError)
    return kind(code or f"status-{status}", text, response=response, problem=body, **facts)


def _answer(response: httpx.Response, body: Dict[str, Any]) -> Answer[Dict[str, Any]]:
    headers = response.headers
    balance = headers.get("x-balance-usd")
    data = {name: value for name, value in body.items() if name not in ("duration", "request_id")}
    return Answer(
        data=data,
        response=response,
        request_id=headers.get("x-request-id", ""),
        cost=float(headers.get("x-cost-usd", 0)),
        balance=None if balance is None else float(balance),
        snapshot=headers.get("x-snapshot-id", ""),
    )
