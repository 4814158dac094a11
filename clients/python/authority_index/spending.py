"""What a client may spend and has spent, in micro-USD.

Invariant: with a limit, what is spent and what is on its way are never above it, by the prices that the service
publishes.
"""

from __future__ import annotations

import threading
from typing import Callable, Optional, Tuple

from .failures import CostLimitError
from .forks import renewed_in_child


class Spending:
    """Counts what is spent. Threads may share it.

    `on_balance_below` is an amount in USD, and what is called when the balance falls below it.
    """

    def __init__(
        self,
        max_cost_usd: Optional[float],
        on_balance_below: Optional[Tuple[float, Callable[[float], None]]],
    ) -> None:
        self._max_micro_usd = None if max_cost_usd is None else _micro(max_cost_usd)
        self._on_balance_below = on_balance_below
        self._spent_micro_usd = 0
        # Of calls that ended without an answer.
        self._unknown_micro_usd = 0
        self._is_below = False
        self.renew()
        renewed_in_child(self)

    def renew(self) -> None:
        """In a child another thread may have held the lock; the calls under way are those of the parent."""
        self._lock = threading.Lock()
        self._reserved_micro_usd = 0

    @property
    def spent_usd(self) -> float:
        """USD that were charged."""
        return self._spent_micro_usd / 1e6

    @property
    def is_limited(self) -> bool:
        """Whether the client has a limit."""
        return self._max_micro_usd is not None

    def check(self, price_usd: float, call_max_usd: Optional[float]) -> None:
        """Raises `CostLimitError` where a price is above a limit."""
        with self._lock:
            self._micro_within(price_usd, call_max_usd)

    def reserve(self, price_usd: float, call_max_usd: Optional[float]) -> int:
        """Reserves a price and gives it in micro-USD; raises `CostLimitError` where it is above a limit."""
        with self._lock:
            price = self._micro_within(price_usd, call_max_usd)
            self._reserved_micro_usd += price
        return price

    def release(self, reserved_micro_usd: int, is_known: bool) -> None:
        """Ends a reservation. What is not known to be answered or refused may have been charged."""
        with self._lock:
            self._reserved_micro_usd -= reserved_micro_usd
            if not is_known:
                self._unknown_micro_usd += reserved_micro_usd

    def charge(self, cost_usd: float, balance_usd: Optional[float]) -> None:
        """Counts what an answer cost."""
        with self._lock:
            self._spent_micro_usd += _micro(cost_usd)
        if self._on_balance_below is None or balance_usd is None:
            return
        limit, call = self._on_balance_below
        was_below, self._is_below = self._is_below, balance_usd < limit
        if self._is_below and not was_below:
            call(balance_usd)

    def _micro_within(self, price_usd: float, call_max_usd: Optional[float]) -> int:
        price = _micro(price_usd)
        limits = [] if call_max_usd is None else [_micro(call_max_usd)]
        if self._max_micro_usd is not None:
            gone = self._spent_micro_usd + self._reserved_micro_usd + self._unknown_micro_usd
            limits.append(self._max_micro_usd - gone)
        if limits and price > min(limits):
            raise CostLimitError("cost-limit", f"the price of {price / 1e6} USD is above the limit")
        return price


def _micro(usd: float) -> int:
    return round(usd * 1e6)
