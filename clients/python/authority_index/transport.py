"""Sends the requests of calls by httpx, and waits: with threads, or on an event loop.

Calls are coroutines. Those of a blocking client wait inside of their steps, so that the first step of each is the last.
"""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Awaitable, Callable, Coroutine, List, Mapping, Optional, Sequence, TypeVar, Union

import httpx

T = TypeVar("T")

# Requests of a client that are on their way at the same time. The service ends connections that idle for 8 s.
LIMITS = httpx.Limits(max_connections=32, max_keepalive_connections=32, keepalive_expiry=5)
# Parts of one list that are on their way at the same time.
_AT_ONCE = 4


class Lost(Exception):
    """No whole answer. `was_stale`: probably because the connection was dead before the request."""

    def __init__(self, cause: str, *, was_late: bool = False, was_stale: bool = False) -> None:
        super().__init__(cause)
        self.was_late = was_late
        self.was_stale = was_stale


class _Connections:
    # Whether the service answered the last request: then a failure may be that of a connection that idled too long.
    _has_answered = False

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    async def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes], timeout_s: float
    ) -> httpx.Response:
        """The response with its body. Raises `Lost`."""
        request = {"method": method, "url": self._base_url + target, "headers": headers, "content": body}
        begun: List[httpx.Response] = []
        try:
            content = await self._body(request, timeout_s, begun.append)
            self._has_answered = True
            raw = begun[0].headers.raw
            # The body is decoded.
            kept = [(name, value) for name, value in raw if name.lower() != b"content-encoding"]
            return httpx.Response(begun[0].status_code, headers=kept, content=content)
        except (httpx.TimeoutException, asyncio.TimeoutError) as cause:
            raise Lost("no answer in time", was_late=True) from cause
        except (httpx.HTTPError, ValueError) as cause:
            was_stale = self._has_answered and not begun
            self._has_answered = False
            raise Lost(str(cause) or type(cause).__name__, was_stale=was_stale) from cause


class BlockingTransport(_Connections):
    """Blocks its thread. A forked process has connections of its own."""

    def __init__(self, base_url: str, given: Optional[httpx.Client]) -> None:
        super().__init__(base_url)
        self._given = given
        self._http = given or httpx.Client(limits=LIMITS)
        self._process = os.getpid()

    def run(self, call: Coroutine[Any, Any, T]) -> T:
        """The result of a call."""
        try:
            call.send(None)
        except StopIteration as end:
            return end.value
        raise AssertionError("a call that blocks has one step")

    def close(self) -> None:
        self._http.close()

    async def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    async def together(self, ask: Callable[[int], Any], numbers: Sequence[int]) -> List[Any]:
        """Asks for several, a few at a time, and gives the results in order. After a failure none begins."""
        if len(numbers) == 1:
            return [await ask(numbers[0])]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(lambda number: self.run(ask(number)), numbers))

    async def _body(self, request: Any, timeout_s: float, begin: Callable[[httpx.Response], None]) -> bytes:
        ends_s = time.monotonic() + timeout_s
        with self._client().stream(**request, timeout=timeout_s) as response:
            begin(response)
            chunks = []
            for chunk in response.iter_bytes():
                chunks.append(chunk)
                # httpx limits each read, not all of them together.
                if time.monotonic() > ends_s:
                    raise httpx.ReadTimeout("no answer in time")
        return b"".join(chunks)

    def _client(self) -> httpx.Client:
        if self._process != os.getpid() and self._given is None:
            # The sockets are those of the parent, so they are not even closed here.
            self._of_parent = self._http
            self._http, self._process = httpx.Client(limits=LIMITS), os.getpid()
        return self._http


class AsyncTransport(_Connections):
    """Waits on an event loop."""

    def __init__(self, base_url: str, given: Optional[httpx.AsyncClient]) -> None:
        super().__init__(base_url)
        self._http = given or httpx.AsyncClient(limits=LIMITS)

    def run(self, call: Coroutine[Any, Any, T]) -> Awaitable[T]:
        """A call, to be awaited."""
        return call

    async def close(self) -> None:
        await self._http.aclose()

    async def wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def together(self, ask: Callable[[int], Any], numbers: Sequence[int]) -> List[Any]:
        """Asks for several, a few at a time, and gives the results in order. After a failure none begins."""
        places = asyncio.Semaphore(_AT_ONCE)

        async def one(number: int) -> Any:
            async with places:
                return await ask(number)

        tasks = [asyncio.ensure_future(one(number)) for number in numbers]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    async def _body(self, request: Any, timeout_s: float, begin: Callable[[httpx.Response], None]) -> bytes:
        async def exchange() -> bytes:
            async with self._http.stream(**request, timeout=None) as response:
                begin(response)
                return await response.aread()

        return await asyncio.wait_for(exchange(), timeout_s)


Transport = Union[BlockingTransport, AsyncTransport]
