"""Answers for many values: the owners of single handles out of one answer, and parts of a ranking as one order.

Invariant: a value has the answer that it would have had alone; parts have the order that one body would have had.
The service answers spellings of one handle under the first of them, so a handle counts as unowned only if it
cannot be such a spelling.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Dict, Iterable, List, Sequence, Tuple

Item = Dict[str, Any]


def owners_by_handle(handles: Iterable[str], items: Iterable[Item]) -> Dict[str, List[Item]]:
    """Items by the handle that they answer, without it; an empty list for handles without an item."""
    owners: Dict[str, List[Item]] = {handle: [] for handle in handles}
    for item in items:
        known = owners.get(item.get("handle", ""))
        if known is not None:
            known.append({name: value for name, value in item.items() if name != "handle"})
    return owners


def possible_spellings(owners: Dict[str, List[Item]]) -> List[str]:
    """Handles without an owner that may be another spelling of one that has an owner in the same answer."""
    owned = {word for handle, items in owners.items() if items for word in _words(handle)}
    if not owned:
        return []
    return [
        handle
        for handle, items in owners.items()
        if not items and (re.search(r"[^ -~]|%", handle) or owned.intersection(_words(handle)))
    ]


def _words(handle: str) -> List[str]:
    """What of a handle or an address can name an account: not its scheme, platform or two-part host."""
    text = unicodedata.normalize("NFKC", handle).lower().strip()
    bare = re.sub(r"^https?://", "", text)
    host, *path = bare.split("/")
    is_address = bare != text or len(path) > 0
    rest = "/".join([*host.split(".")[:-2], *path]) if is_address else re.sub(r"^[\w-]+:", "", bare)
    words = (re.sub(r"[\W_]", "", word) for word in re.split(r"[/:@?#&=.]", rest))
    return [word for word in words if word]


def merged_ranks(
    parts: Sequence[Sequence[str]], answers: Sequence[Sequence[Item]], has_topic: bool
) -> List[Item]:
    """Merges answers to the parts of a list into the order of the whole.

    The order is that of the service: by rank in the topic, then by authority score, equal scores by SDU as a
    number, then sources without a known author; equals in the order of the request.
    """
    placed: List[Tuple[Any, Item]] = []
    before = 0
    for part, items in zip(parts, answers):
        places: Dict[str, List[int]] = {}
        for place, source in enumerate(part, before):
            places.setdefault(source, []).append(place)
        before += len(part)
        for item in items:
            left = places.get(item["source"])
            placed.append(((*_rank_key(item, has_topic), left.pop(0) if left else before), item))
    return [item for _, item in sorted(placed, key=lambda pair: pair[0])]


def _rank_key(item: Item, has_topic: bool) -> Tuple[Any, ...]:
    rank = item["rank"] if has_topic and item["rank"] is not None else float("inf")
    sdu = item["sdu"]
    if sdu is None:
        return (rank, True, 0.0, 0, 0)
    return (rank, False, -item["authority_score"], int(sdu), len(sdu))
