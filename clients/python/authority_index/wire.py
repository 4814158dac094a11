"""HTTP/1.1 as bytes, without a connection: a request, and a reader of one answer in pieces of any size.

Invariant: an answer is whole by its own length or it is a `WireFailure`; a head with characters that no head has is
a damaged one.
"""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from .call import Send, WireAnswer, WireFailure
from .policy import kept_s

_HEAD_BYTES_MAX = 65_536
_STATUS = re.compile(r"HTTP/1\.[01] ([1-5][0-9][0-9])(?: [^\x00-\x08\x0a-\x1f\x7f]*)?")
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r\n")


@dataclass(frozen=True)
class Origin:
    """Where connections go to. `host` is what the request names."""

    scheme: str
    name: str
    port: int
    host: str
    # What stands in front of every path.
    prefix: str

    @staticmethod
    def of(address: str) -> "Origin":
        """Raises `ValueError` for anything but an address of http or https."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"not an address of http or https: {address!r}")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return Origin(parts.scheme, parts.hostname, port, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"))


@lru_cache(maxsize=1)
def default_tls() -> ssl.SSLContext:
    """The context of connections by https: the authorities of the system."""
    return ssl.create_default_context()


def request_bytes(origin: Origin, request: Send, to_proxy: Optional[Mapping[str, str]] = None) -> bytes:
    """A request on the wire. Raises `ValueError` where a header has a line break.

    `to_proxy` are the headers for a proxy that passes the request on.
    """
    fields = {"Host": origin.host, "Accept": "application/json", **request.headers, **(to_proxy or {})}
    place = "" if to_proxy is None else f"{origin.scheme}://{origin.host}"
    if request.body is not None:
        fields["Content-Length"] = str(len(request.body))
    for name, value in fields.items():
        if _FIELD.fullmatch(f"{name}: {value}") is None:
            raise ValueError(f"the header {name} has a value that no header can have")
    lines = [f"{request.method} {place}{origin.prefix}{request.target} HTTP/1.1", *(f"{n}: {v}" for n, v in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (request.body or b"")


class AnswerReader:
    """Reads one answer. `feed` takes bytes, none at the end of the connection; it gives the answer when it is whole."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._head: Optional[Tuple[int, Dict[str, str]]] = None
        self._chunks: List[bytes] = []

    @property
    def has_begun(self) -> bool:
        """Whether a byte has come."""
        return self._head is not None or len(self._data) > 0

    def feed(self, data: bytes) -> Optional[WireAnswer]:
        """Raises `WireFailure` for an answer that is damaged or ends early."""
        self._data += data
        while self._head is None or self._head[0] < 200:
            end = self._data.find(b"\r\n\r\n")
            if end < 0 and (data == b"" or len(self._data) > _HEAD_BYTES_MAX):
                raise WireFailure("the connection ended" if data == b"" else "the head is too long")
            if end < 0:
                return None
            self._head = _head_of(bytes(self._data[:end]))
            del self._data[: end + 4]
        status, headers = self._head
        body = self._body(status, headers, data == b"")
        if body is None and data == b"":
            raise WireFailure("the answer ended early")
        return None if body is None else WireAnswer(status, headers, body)

    @property
    def has_more(self) -> bool:
        """Whether bytes came behind the answer, so that its connection is of no more use."""
        return len(self._data) > 0

    def _body(self, status: int, headers: Dict[str, str], has_ended: bool) -> Optional[bytes]:
        if status in (204, 304):
            return b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return self._chunked()
        length = headers.get("content-length")
        if length is None:
            return self._take(len(self._data)) if has_ended else None
        if re.fullmatch(r"[0-9]+", length) is None:
            raise WireFailure("the length of the answer is no number")
        return self._take(int(length)) if len(self._data) >= int(length) else None

    def _chunked(self) -> Optional[bytes]:
        while True:
            found = _CHUNK.match(self._data)
            if found is None:
                if len(self._data) > 1_024 or b"\r\n" in self._data:
                    raise WireFailure("a piece of the answer has no length")
                return None
            size = int(found.group(1), 16)
            if len(self._data) < found.end() + size + 2:
                return None
            if self._data[found.end() + size : found.end() + size + 2] != b"\r\n":
                raise WireFailure("a piece of the answer has another length")
            self._chunks.append(bytes(self._data[found.end() : found.end() + size]))
            del self._data[: found.end() + size + 2]
            if size == 0:
                return b"".join(self._chunks)

    def _take(self, length: int) -> bytes:
        body = bytes(self._data[:length])
        del self._data[:length]
        return body


def _head_of(head: bytes) -> Tuple[int, Dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    status = _STATUS.fullmatch(first)
    fields = [_FIELD.fullmatch(line) for line in lines]
    if status is None or None in fields:
        raise WireFailure("the head of the answer is damaged")
    return int(status.group(1)), {found.group(1).lower(): found.group(2) for found in fields if found}


class IdleLanes:
    """Connections that may be used again, the last used first. A lane is whatever has `origin` and `close`."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._idle: List[Tuple[float, Any]] = []

    def take(self, origin: Origin) -> Any:
        """A connection to an origin that its server still keeps, or None. Those that have expired are closed."""
        now = self._now()
        idle, self._idle = self._idle, []
        found = None
        for until, lane in reversed(idle):
            if until <= now:
                lane.close()
            elif found is None and lane.origin == origin:
                found = lane
            else:
                self._idle.insert(0, (until, lane))
        return found

    def put(self, lane: Any, answer: WireAnswer) -> None:
        """Keeps a connection for as long as its server does."""
        seconds = kept_s(answer.headers)
        if seconds > 0:
            self._idle.append((self._now() + seconds, lane))
        else:
            lane.close()

    def close(self) -> None:
        """Closes all of them."""
        idle, self._idle = self._idle, []
        for _, lane in idle:
            lane.close()
