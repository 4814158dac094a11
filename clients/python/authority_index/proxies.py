"""Proxies, as `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` name them in either case: read as urllib reads them.

Invariant: to an address by https a proxy gets the name and the port of the service, never a request and its key.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Dict, Optional
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .call import WireFailure
from .wire import Origin


@dataclass(frozen=True)
class Proxy:
    """Where connections go instead, and the headers that are for it alone."""

    name: str
    port: int
    headers: Dict[str, str]


def proxy_of(origin: Origin) -> Optional[Proxy]:
    """The proxy of an address. Raises `ValueError` for one that is none of http."""
    proxies = getproxies()
    text = proxies.get(origin.scheme) or proxies.get("all")
    if not text or proxy_bypass(f"{origin.name}:{origin.port}") or proxy_bypass(origin.name):
        return None
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"the proxy for {origin.scheme} is not an address of http")
    return Proxy(parts.hostname, parts.port or 80, _headers(parts.username, parts.password))


def _headers(user: Optional[str], password: Optional[str]) -> Dict[str, str]:
    if user is None:
        return {}
    pair = f"{unquote(user)}:{unquote(password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}


def tunnel_bytes(origin: Origin, proxy: Proxy) -> bytes:
    """The request for a tunnel to an address."""
    name = f"[{origin.name}]" if ":" in origin.name else origin.name
    place = f"{name}:{origin.port}"
    fields = {"Host": place, **proxy.headers}
    lines = [f"CONNECT {place} HTTP/1.1", *(f"{field}: {value}" for field, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def is_open(head: bytes) -> bool:
    """Whether the proxy has opened the tunnel; False as long as it has not said all. Raises `WireFailure` if it does not."""
    end = head.find(b"\r\n\r\n")
    if end < 0 and len(head) < 65_536:
        return False
    status = head[:12].decode("latin-1")
    if end < 0 or status[:7] != "HTTP/1." or status[9:10] != "2":
        raise WireFailure(f"the proxy opened no tunnel: {status!r}")
    if len(head) > end + 4:
        raise WireFailure("the proxy sent more than its answer")
    return True
