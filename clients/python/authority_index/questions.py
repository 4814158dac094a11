"""Operations as questions: paths, what a price is for, query strings, bodies, and the parts of a long list.

Invariant: a part has at most 1,000 values and, with what stands around them, at most 256 KB.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence
from urllib.parse import quote

PATHS = {
    "search": "/api/v1/index",
    "detail": "/api/v1/detail",
    "peers": "/api/v1/peers",
    "match": "/api/v1/match",
    "rank": "/api/v1/rank",
    "autocomplete": "/api/v1/autocomplete",
    "topics": "/api/v1/topics",
    "snapshots": "/api/v1/snapshots",
    "snapshot": "/api/v1/snapshots/{id}",
    "changes": "/api/v1/changes",
    "history": "/api/v1/history",
}
# Operations without a price unless the operator sets one; the others carry an idempotency key.
_FREE = {"autocomplete", "topics", "snapshots", "snapshot"}
# The member that has the values of an operation, where each value has its price.
VALUES = {"detail": "sdus", "peers": "handles", "match": "handles", "rank": "sources"}

# With any of these an item is sold as a profile, at the price of detail beside that of the query.
_PROFILE_FIELDS = {"bio", "topics", "socials", "website"}

_VALUES_MAX = 1_000
_BYTES_MAX = (256 << 10) - 4_096


@dataclass(frozen=True)
class Question:
    """What is asked, without address and key. `target` is path and query string, `body` is JSON."""

    method: str
    target: str
    body: Optional[bytes]
    is_charged: bool


def are_profiles(route: str, params: Mapping[str, Any]) -> bool:
    """Whether items are sold as profiles."""
    fields = params.get("fields") or ()
    names = fields.split(",") if isinstance(fields, str) else fields
    return route != "detail" and not _PROFILE_FIELDS.isdisjoint(name.strip() for name in names)


def profiles_max(route: str, params: Mapping[str, Any], number: int) -> int:
    """How many profiles a question of so many values may sell."""
    if not are_profiles(route, params):
        return 0
    return min(params.get("limit") or 10, 50) if route in ("search", "peers") else number


def get_question(route: str, params: Mapping[str, Any]) -> Question:
    """A GET. Lists repeat their parameter, and a comma is part of an entry; a text may be a list by commas. None is left out.

    Raises `ValueError` for an id that can be no part of a path: what reads an address takes dots and slashes for steps.
    """
    members = dict(params)
    id_text = str(members.pop("id", ""))
    if "{id}" in PATHS[route] and re.fullmatch(r"[0-9A-Za-z_-]+", id_text) is None:
        raise ValueError("the id of a snapshot is 32 hexadecimal digits")
    path = PATHS[route].replace("{id}", id_text)
    pairs = [
        f"{name}={quote(_text(each), safe=plain, errors='surrogatepass')}"
        for name, value in members.items()
        for plain, values in [("", value) if isinstance(value, (list, tuple)) else (",", [value])]
        for each in values
        if each is not None
    ]
    return Question("GET", "?".join([path, "&".join(pairs)] if pairs else [path]), None, route not in _FREE)


def post_question(route: str, members: Mapping[str, Any]) -> Question:
    """A POST. Members that are None are left out."""
    given = {name: value for name, value in members.items() if value is not None}
    return Question("POST", PATHS[route], _json(given), True)


def body_parts(values: Iterable[str]) -> List[List[str]]:
    """Cuts a list into parts that each fit into a body, in their order."""
    parts: List[List[str]] = []
    size = 0
    for value in values:
        added = len(_json(value)) + 1
        if not parts or len(parts[-1]) >= _VALUES_MAX or size + added > _BYTES_MAX:
            parts.append([])
            size = 0
        parts[-1].append(value)
        size += added
    return parts


def values_of(route: str, params: Mapping[str, Any]) -> int:
    """How many prices a GET has."""
    name = VALUES.get(route)
    if name is None:
        return 1
    values = params[name]
    return values.count(",") + 1 if isinstance(values, str) else len(values)



def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8; JSON has an escape for it.
        return json.dumps(value, separators=(",", ":")).encode()
