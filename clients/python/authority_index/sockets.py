"""Performs steps with blocking sockets and threads. Threads may share a transport.

Invariant: a connection carries one request at a time, and is used again only while its server keeps it. A process
that was forked uses no connection of its parent.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
import weakref
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, TypeVar

from .call import AttemptTimedOut, Send, Steps, Wait, WireAnswer, WireFailure
from .forks import renewed_in_child
from .proxies import Proxy, is_open, proxy_of, tunnel_bytes
from .wire import AnswerReader, IdleLanes, Origin, default_tls, request_bytes

T = TypeVar("T")


@dataclass(eq=False)
class _Lane:
    origin: Origin
    socket: socket.socket
    # The headers for a proxy that passes requests on; None where there is none, or it opened a tunnel.
    to_proxy: Optional[Dict[str, str]] = None

    def close(self) -> None:
        self.socket.close()


class SocketTransport:
    """Sends requests, at most `connections_max` at the same time."""

    def __init__(
        self, connections_max: int, tls: Optional[ssl.SSLContext], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._tls = tls
        self._now = now
        self._connections_max = connections_max
        self._origins: Dict[str, Origin] = {}
        self._lanes: "weakref.WeakSet[_Lane]" = weakref.WeakSet()
        self._begin()
        renewed_in_child(self)

    def _begin(self) -> None:
        self._places = threading.BoundedSemaphore(self._connections_max)
        self._lock = threading.Lock()
        self._idle = IdleLanes(self._now)

    def renew(self) -> None:
        """Closes this process's ends of the connections of its parent, which goes on with them."""
        for lane in list(self._lanes):
            lane.close()
        self._begin()

    def send(self, request: Send) -> WireAnswer:
        """Raises `WireFailure` or `AttemptTimedOut` where there is no whole answer."""
        ends_at = self._now() + request.timeout_s
        if not self._places.acquire(timeout=request.timeout_s):
            raise AttemptTimedOut("no connection was free")
        try:
            return self._exchange(request, ends_at)
        finally:
            self._places.release()

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            self._idle.close()

    def _exchange(self, request: Send, ends_at: float) -> WireAnswer:
        origin = self._origins.setdefault(request.address, Origin.of(request.address))
        lane = None if request.is_fresh else self._kept(origin)
        was_reused = lane is not None
        reader = AnswerReader()
        try:
            if lane is None:
                lane = self._connect(origin, ends_at)
            self._limit(lane, ends_at)
            lane.socket.sendall(request_bytes(origin, request, lane.to_proxy))
            answer = None
            while answer is None:
                self._limit(lane, ends_at)
                answer = reader.feed(lane.socket.recv(65_536))
        except BaseException as cause:
            if lane is not None:
                lane.close()
            # Before Python 3.10 a socket has a class of its own for this.
            if isinstance(cause, (socket.timeout, TimeoutError, AttemptTimedOut)):
                raise AttemptTimedOut(str(cause)) from cause
            if isinstance(cause, (OSError, WireFailure)):
                raise WireFailure(str(cause), was_reused, reader.has_begun) from cause
            raise
        if reader.has_more:
            lane.close()
        else:
            with self._lock:
                self._idle.put(lane, answer)
        return answer

    def _kept(self, origin: Origin) -> Optional[_Lane]:
        with self._lock:
            return self._idle.take(origin)

    def _connect(self, origin: Origin, ends_at: float) -> _Lane:
        proxy = proxy_of(origin)
        place = (origin.name, origin.port) if proxy is None else (proxy.name, proxy.port)
        lane = _Lane(origin, socket.create_connection(place, timeout=self._left(ends_at)))
        self._lanes.add(lane)
        try:
            lane.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if origin.scheme == "http":
                lane.to_proxy = None if proxy is None else proxy.headers
                return lane
            if proxy is not None:
                self._open_tunnel(lane, proxy, ends_at)
            self._limit(lane, ends_at)
            lane.socket = (self._tls or default_tls()).wrap_socket(lane.socket, server_hostname=origin.name)
            return lane
        except BaseException:
            lane.close()
            raise

    def _open_tunnel(self, lane: _Lane, proxy: Proxy, ends_at: float) -> None:
        lane.socket.sendall(tunnel_bytes(lane.origin, proxy))
        head = b""
        while not is_open(head):
            self._limit(lane, ends_at)
            more = lane.socket.recv(65_536)
            if more == b"":
                raise WireFailure("the proxy ended the connection")
            head += more

    def _limit(self, lane: _Lane, ends_at: float) -> None:
        lane.socket.settimeout(self._left(ends_at))

    def _left(self, ends_at: float) -> float:
        left_s = ends_at - self._now()
        if left_s <= 0:
            raise AttemptTimedOut("the time of the attempt passed")
        return left_s


def perform(steps: Steps[T], transport: SocketTransport) -> T:
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
                value = transport.send(step)
            elif isinstance(step, Wait):
                time.sleep(step.seconds)
            else:
                value = _all_of(step.steps, step.at_once, transport)
        except Exception as raised:
            error = raised


def _all_of(all_steps: Any, at_once: int, transport: SocketTransport) -> List[Any]:
    if len(all_steps) <= 1 or at_once <= 1:
        return [perform(steps, transport) for steps in all_steps]
    with ThreadPoolExecutor(min(at_once, len(all_steps))) as pool:
        futures = [pool.submit(perform, steps, transport) for steps in all_steps]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
            return [future.result() for future in futures]
        finally:
            # After a failure none begins.
            for future in futures:
                future.cancel()
