"""Single questions of one turn of the event loop as one batch. Equal ones are one.

Invariant: every caller gets the answer or the error of its own value; a caller that is cancelled stops no other.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Sequence, Set

from .answers import Answer
from .core import Outcome
from .forks import renewed_in_child

RunBatch = Callable[[str, Sequence[str], Mapping[str, Any]], Awaitable[List[Outcome]]]


@dataclasses.dataclass
class _Group:
    route: str
    params: Mapping[str, Any]
    waiting: Dict[str, List["asyncio.Future[Answer[Any]]"]]


class Coalescer:
    """Gathers questions until the event loop has run what is ready."""

    def __init__(self, run: RunBatch) -> None:
        self._run = run
        self._groups: Dict[str, _Group] = {}
        # The loop has no reference of its own to a task.
        self._tasks: Set["asyncio.Task[None]"] = set()
        renewed_in_child(self)

    def renew(self) -> None:
        """Leaves the questions to the parent, whose event loop asks them."""
        self._groups = {}

    async def ask(self, route: str, value: str, params: Mapping[str, Any]) -> Answer[Any]:
        """Asks for a value together with the others of the same operation and parameters."""
        loop = asyncio.get_running_loop()
        key = json.dumps([id(loop), route, params], sort_keys=True, default=str)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(route, params, {})
            loop.call_soon(self._flush, key)
        future = loop.create_future()
        group.waiting.setdefault(value, []).append(future)
        return await future

    def _flush(self, key: str) -> None:
        task = asyncio.ensure_future(self._settle(self._groups.pop(key)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self, group: _Group) -> None:
        values = [value for value, futures in group.waiting.items() if not all(each.done() for each in futures)]
        outcomes: Sequence[Any]
        try:
            outcomes = await self._run(group.route, values, group.params) if values else []
        except BaseException as error:
            outcomes = [error for _ in values]
        for value, outcome in zip(values, outcomes):
            for future in group.waiting[value]:
                if future.done():
                    continue
                if isinstance(outcome, Answer):
                    future.set_result(dataclasses.replace(outcome, results=list(outcome.results)))
                elif isinstance(outcome, asyncio.CancelledError):
                    future.cancel()
                else:
                    future.set_exception(outcome)
