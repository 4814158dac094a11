"""What is retried, when and how often; for how long a connection is used again. Pure functions and one counter.

Invariant: retries never exceed a reserve plus a share of the calls that were answered, so that an outage is met
with hardly more requests than calls.
"""

from __future__ import annotations

import re
import threading
from email.utils import parsedate_to_datetime
from typing import Mapping, Optional

from .forks import renewed_in_child

_RESERVE = 20
_FIRST_WAIT_S = 0.05
_WAIT_S_MAX = 1.0
_KEPT_S_DEFAULT = 5.0
# A request is on its way while the server counts on.
_KEPT_MARGIN_S = 1.0

# Statuses that pass: too slow, in conflict, too many, and no service behind a proxy.
_PASSING = {408, 409, 429, 502, 503, 504}
# What a server or proxy answers that could not read a head.
_UNREADABLE = {400, 431, 505}
# Problems that a request of this client has only when it was damaged on its way.
_DAMAGED = {"malformed-request", "not-found", "unsupported-media-type"}


class RetryBudget:
    """The share of answered calls that may be retries. Threads may share it."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._tokens = float(_RESERVE)
        self.renew()
        renewed_in_child(self)

    def renew(self) -> None:
        """In a child another thread may have held the lock."""
        self._lock = threading.Lock()

    @property
    def has_one(self) -> bool:
        """Whether there is a retry left."""
        return self._tokens >= 1

    def take(self) -> bool:
        """Uses a retry, where there is one."""
        with self._lock:
            has = self.has_one
            if has:
                self._tokens -= 1
            return has

    def earn(self) -> None:
        """A call was answered."""
        with self._lock:
            self._tokens = min(_RESERVE, self._tokens + self._ratio)


def backoff_s(retry: int, chance: float) -> float:
    """Seconds before a retry, with full jitter; 1 is the first retry, `chance` is 0 to 1."""
    return chance * min(_WAIT_S_MAX, _FIRST_WAIT_S * 2 ** (retry - 1))


def may_pass(status: int, headers: Mapping[str, str], code: Optional[str]) -> bool:
    """Whether a repeat of a refused request may be answered."""
    if status in _PASSING or (status >= 500 and "retry-after" in headers):
        return True
    return status in _UNREADABLE if code is None else code in _DAMAGED


def retry_after_s(headers: Mapping[str, str], now_s: float) -> Optional[float]:
    """Seconds of a `Retry-After`, in seconds or as a date; None where there is none. `now_s` is Unix time."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now_s)
    except (TypeError, ValueError, IndexError):
        return None


def kept_s(headers: Mapping[str, str]) -> float:
    """For how many seconds a connection may be used again, by the `Keep-Alive` of its last answer."""
    if headers.get("connection", "").lower() == "close":
        return 0.0
    found = re.search(r"timeout=([0-9]+)", headers.get("keep-alive", ""))
    kept = float(found.group(1)) if found else _KEPT_S_DEFAULT
    return kept - min(_KEPT_MARGIN_S, kept / 2)
