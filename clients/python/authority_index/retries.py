"""What is retried, when and how often.

Invariant: retries never exceed a reserve plus a share of the calls that were answered, so that an outage is met with
hardly more requests than calls.
"""

from __future__ import annotations

import random
import re
import threading
import time
from email.utils import parsedate_to_datetime
from typing import Optional

import httpx

_RESERVE = 20
_FIRST_WAIT_S = 0.05
_WAIT_S_MAX = 1.0

# Statuses that pass: too slow, in conflict, too many, and no service behind a proxy.
_PASSING = {408, 409, 429, 502, 503, 504}
# What a server or proxy answers that could not read a head.
_UNREADABLE = {400, 431, 505}
# Problems that a request of this client has only when it was damaged on its way.
_DAMAGED = {"malformed-request", "not-found", "unsupported-media-type"}


class RetryBudget:
    """The share of answered calls that may be retries. Threads may share it."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._left = float(_RESERVE)
        self._lock = threading.Lock()

    @property
    def has_one(self) -> bool:
        return self._left >= 1

    def take(self) -> bool:
        """Uses a retry, where there is one."""
        with self._lock:
            has = self.has_one
            if has:
                self._left -= 1
            return has

    def earn(self) -> None:
        """A call was answered."""
        with self._lock:
            self._left = min(_RESERVE, self._left + self._share)


def backoff_s(retry: int) -> float:
    """Seconds before a retry, with full jitter; 1 is the first retry."""
    return random.random() * min(_WAIT_S_MAX, _FIRST_WAIT_S * 2 ** (retry - 1))


def may_pass(response: httpx.Response, code: Optional[str]) -> bool:
    """Whether a repeat of a refused request may be answered."""
    status = response.status_code
    # A 200 that cannot be read was damaged on its way.
    if status == 200 or status in _PASSING or (status >= 500 and "retry-after" in response.headers):
        return True
    return status in _UNREADABLE if code is None else code in _DAMAGED


def retry_after_s(response: httpx.Response) -> float:
    """Seconds of a `Retry-After`, in seconds or as a date; 0 where there is none."""
    text = response.headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, IndexError):
        return 0.0
