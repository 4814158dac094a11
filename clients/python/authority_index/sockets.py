"""Performs steps with blocking sockets and threads. Threads may share a transport.

Invariant: a connection carries one request at a time, and is used again only while its server keeps it. A process
that was forked uses no connection of its parent.
"""

from __future__ import annotations

import os
import socket
import ssl
import threading
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, TypeVar

from .call import AttemptTimedOut, Send, Steps, Wait, WireAnswer, WireFailure
from .wire import AnswerReader, IdleLanes, Origin, default_tls, request_bytes

T = TypeVar("T")


@dataclass
class _Lane:
    origin: Origin
    socket: socket.socket

    def close(self) -> None:
        self.socket.close()


class SocketTransport:
    """Sends requests, at most `connections_max` at the same time."""

    def __init__(
        self, connections_max: int, tls: Optional[ssl.SSLContext], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._tls = tls
        self._now = now
        self._places = threading.BoundedSemaphore(connections_max)
        self._lock = threading.Lock()
        self._idle = IdleLanes(now)
        self._process = os.getpid()
        self._origins: Dict[str, Origin] = {}

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
        data = request_bytes(origin, request)
        lane = None if request.is_fresh else self._kept(origin)
        was_reused = lane is not None
        reader = AnswerReader()
        try:
            if lane is None:
                lane = self._connect(origin, ends_at)
            self._limit(lane, ends_at)
            lane.socket.sendall(data)
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
            if self._process != os.getpid():
                self._process = os.getpid()
                self._idle = IdleLanes(self._now)
            return self._idle.take(origin)

    def _connect(self, origin: Origin, ends_at: float) -> _Lane:
        left_s = self._left(ends_at)
        plain = socket.create_connection((origin.name, origin.port), timeout=left_s)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if origin.scheme == "http":
                return _Lane(origin, plain)
            plain.settimeout(self._left(ends_at))
            return _Lane(origin, (self._tls or default_tls()).wrap_socket(plain, server_hostname=origin.name))
        except BaseException:
            plain.close()
            raise

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
