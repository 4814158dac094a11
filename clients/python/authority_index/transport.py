"""Performs the steps of calls by httpx: with threads, or on an event loop."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Optional, TypeVar

import httpx

from .call import Lost, Send, Step, Steps, Together, Wait

T = TypeVar("T")

# Requests of a client that are on their way at the same time. The service ends connections that idle for 8 s.
LIMITS = httpx.Limits(max_connections=32, max_keepalive_connections=32, keepalive_expiry=5)
# Parts of one list that are on their way at the same time.
_AT_ONCE = 4


class _Connections:
    """What both transports know of connections."""

    # Whether the service answered the last request: then a failure may be that of a connection that idled too long.
    has_answered = False

    def lost(self, cause: Exception, has_begun: bool) -> Lost:
        """A failure of httpx."""
        if isinstance(cause, httpx.TimeoutException):
            return Lost("no answer in time", was_late=True)
        was_stale = self.has_answered and not has_begun
        self.has_answered = False
        return Lost(str(cause) or type(cause).__name__, was_stale=was_stale)


class Transport(_Connections):
    """Performs steps with threads. A forked process has connections of its own."""

    def __init__(self, base_url: str, given: Optional[httpx.Client]) -> None:
        self._base_url = base_url
        self._given = given
        self._http = given or httpx.Client(limits=LIMITS)
        self._process = os.getpid()

    def run(self, steps: Steps[T]) -> T:
        """Runs a call to its end."""
        act: Callable[[], Step] = lambda: next(steps)
        while True:
            try:
                step = act()
            except StopIteration as end:
                return end.value
            try:
                result = self._perform(step)
                act = lambda: steps.send(result)  # noqa: B023
            except Exception as error:
                failure = error
                act = lambda: steps.throw(failure)  # noqa: B023

    def close(self) -> None:
        """Closes connections."""
        self._http.close()

    def _perform(self, step: Step) -> Any:
        if isinstance(step, Send):
            return self._send(step)
        if isinstance(step, Wait):
            return time.sleep(step.seconds)
        return self._together(step)

    def _together(self, step: Together) -> Any:
        if len(step.all) == 1:
            return [self.run(step.all[0])]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            futures = [pool.submit(self.run, steps) for steps in step.all]
            try:
                return [future.result() for future in futures]
            except BaseException:
                for future in futures:
                    future.cancel()
                raise

    def _send(self, send: Send) -> httpx.Response:
        ends_s = time.monotonic() + send.timeout_s
        has_begun = False
        try:
            with self._client().stream(
                send.method,
                self._base_url + send.target,
                headers=send.headers,
                content=send.body,
                timeout=send.timeout_s,
            ) as response:
                has_begun = True
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    # httpx limits each read, not all of them together.
                    if time.monotonic() > ends_s:
                        raise httpx.ReadTimeout("no answer in time")
            self.has_answered = True
            return _whole(response, b"".join(chunks))
        except (httpx.HTTPError, ValueError) as cause:
            raise self.lost(cause, has_begun) from cause

    def _client(self) -> httpx.Client:
        if self._process != os.getpid() and self._given is None:
            # The sockets are those of the parent, so they are not even closed here.
            self._of_parent = self._http
            self._http, self._process = httpx.Client(limits=LIMITS), os.getpid()
        return self._http


class AsyncTransport(_Connections):
    """Performs steps on an event loop."""

    def __init__(self, base_url: str, given: Optional[httpx.AsyncClient]) -> None:
        self._base_url = base_url
        self._http = given or httpx.AsyncClient(limits=LIMITS)

    async def run(self, steps: Steps[T]) -> T:
        """Runs a call to its end."""
        act: Callable[[], Step] = lambda: next(steps)
        while True:
            try:
                step = act()
            except StopIteration as end:
                return end.value
            try:
                result = await self._perform(step)
                act = lambda: steps.send(result)  # noqa: B023
            except Exception as error:
                failure = error
                act = lambda: steps.throw(failure)  # noqa: B023

    async def close(self) -> None:
        """Closes connections."""
        await self._http.aclose()

    async def _perform(self, step: Step) -> Any:
        if isinstance(step, Send):
            return await self._send(step)
        if isinstance(step, Wait):
            return await asyncio.sleep(step.seconds)
        return await self._together(step)

    async def _together(self, step: Together) -> Any:
        places = asyncio.Semaphore(_AT_ONCE)

        async def one(steps: Steps[Any]) -> Any:
            async with places:
                return await self.run(steps)

        tasks = [asyncio.ensure_future(one(steps)) for steps in step.all]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _send(self, send: Send) -> httpx.Response:
        has_begun = False

        async def exchange() -> httpx.Response:
            nonlocal has_begun
            async with self._http.stream(
                send.method, self._base_url + send.target, headers=send.headers, content=send.body, timeout=None
            ) as response:
                has_begun = True
                body = await response.aread()
            return _whole(response, body)

        try:
            response = await asyncio.wait_for(exchange(), send.timeout_s)
            self.has_answered = True
            return response
        except asyncio.TimeoutError as cause:
            raise Lost("no answer in time", was_late=True) from cause
        except (httpx.HTTPError, ValueError) as cause:
            raise self.lost(cause, has_begun) from cause


def _whole(response: httpx.Response, body: bytes) -> httpx.Response:
    """A response of which the body has been read and decoded."""
    headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-encoding"]
    return httpx.Response(response.status_code, headers=headers, content=body)
