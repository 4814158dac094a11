"""Performs steps on an event loop, with streams.

Invariant: a connection carries one request at a time, is used again only while its server keeps it, and only on the
event loop that opened it. A call that is cancelled closes its connection.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar

from .call import AttemptTimedOut, Send, Steps, Wait, WireAnswer, WireFailure
from .forks import renewed_in_child
from .proxies import Proxy, is_open, proxy_of, tunnel_bytes
from .wire import AnswerReader, IdleLanes, Origin, default_tls, request_bytes

T = TypeVar("T")


@dataclass
class _Lane:
    origin: Origin
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    # The headers for a proxy that passes requests on; None where there is none, or it opened a tunnel.
    to_proxy: Optional[Dict[str, str]] = None

    def close(self) -> None:
        self.writer.transport.abort()


class StreamTransport:
    """Sends requests, at most `connections_max` at the same time on an event loop."""

    def __init__(
        self, connections_max: int, tls: Optional[ssl.SSLContext], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._connections_max = connections_max
        self._tls = tls
        self._now = now
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._origins: Dict[str, Origin] = {}
        self._inherited: List[IdleLanes] = []
        renewed_in_child(self)

    def renew(self) -> None:
        """Leaves the connections of the parent, whose event loop goes on with them, untouched."""
        if self._loop is not None:
            # To collect one would tell that loop, whose selector both processes have.
            self._inherited.append(self._idle)
            self._loop = None

    async def send(self, request: Send) -> WireAnswer:
        """Raises `WireFailure` or `AttemptTimedOut` where there is no whole answer."""
        self._enter_loop()
        try:
            return await asyncio.wait_for(self._in_turn(request), request.timeout_s)
        except asyncio.TimeoutError as cause:
            raise AttemptTimedOut("the time of the attempt passed") from cause

    def close(self) -> None:
        """Closes idle connections."""
        if self._loop is not None and not self._loop.is_closed():
            self._idle.close()

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._idle = IdleLanes(self._now)
            self._places = asyncio.Semaphore(self._connections_max)

    async def _in_turn(self, request: Send) -> WireAnswer:
        async with self._places:
            return await self._exchange(request)

    async def _exchange(self, request: Send) -> WireAnswer:
        origin = self._origins.setdefault(request.address, Origin.of(request.address))
        lane = None if request.is_fresh else self._idle.take(origin)
        was_reused = lane is not None
        reader = AnswerReader()
        try:
            if lane is None:
                lane = await self._connect(origin)
            lane.writer.write(request_bytes(origin, request, lane.to_proxy))
            answer = None
            while answer is None:
                answer = reader.feed(await lane.reader.read(65_536))
        except BaseException as cause:
            if lane is not None:
                lane.close()
            if isinstance(cause, (OSError, WireFailure)):
                raise WireFailure(str(cause), was_reused, reader.has_begun) from cause
            raise
        if reader.has_more:
            lane.close()
        else:
            self._idle.put(lane, answer)
        return answer

    async def _connect(self, origin: Origin) -> _Lane:
        proxy = proxy_of(origin)
        tls = None if origin.scheme == "http" else self._tls or default_tls()
        if proxy is None:
            return _Lane(origin, *(await asyncio.open_connection(origin.name, origin.port, ssl=tls)))
        if tls is None:
            return _Lane(origin, *(await asyncio.open_connection(proxy.name, proxy.port)), proxy.headers)
        tunnel = await _tunnel(origin, proxy)
        try:
            return _Lane(origin, *(await asyncio.open_connection(sock=tunnel, ssl=tls, server_hostname=origin.name)))
        except BaseException:
            tunnel.close()
            raise


async def _tunnel(origin: Origin, proxy: Proxy) -> socket.socket:
    """A connection through a proxy on which nothing was sent to the address yet."""
    loop = asyncio.get_running_loop()
    failure: Optional[OSError] = None
    for family, kind, protocol, _, place in await loop.getaddrinfo(proxy.name, proxy.port, type=socket.SOCK_STREAM):
        tunnel = socket.socket(family, kind, protocol)
        tunnel.setblocking(False)
        try:
            await loop.sock_connect(tunnel, place)
            await loop.sock_sendall(tunnel, tunnel_bytes(origin, proxy))
            head = b""
            while not is_open(head):
                more = await loop.sock_recv(tunnel, 65_536)
                if more == b"":
                    raise WireFailure("the proxy ended the connection")
                head += more
            return tunnel
        except OSError as error:
            tunnel.close()
            failure = error
        except BaseException:
            tunnel.close()
            raise
    raise failure or OSError("the proxy has no address")


async def perform(steps: Steps[T], transport: StreamTransport) -> T:
    """Performs steps to their end, and gives their result."""
    value: Any = None
    error: Optional[Exception] = None
    while True:
        try:
            step = steps.send(value) if error is None else steps.throw(error)
        except StopIteration as end:
            return end.value
        value, error = None, None
        try:
            if isinstance(step, Send):
                value = await transport.send(step)
            elif isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
            else:
                value = await _all_of(step.steps, step.at_once, transport)
        except Exception as raised:
            error = raised


async def _all_of(all_steps: Sequence[Steps[Any]], at_once: int, transport: StreamTransport) -> List[Any]:
    places = asyncio.Semaphore(max(1, at_once))

    async def in_turn(steps: Steps[Any]) -> Any:
        async with places:
            return await perform(steps, transport)

    tasks = [asyncio.ensure_future(in_turn(steps)) for steps in all_steps]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        # After a failure none begins, and those that have begun end.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
