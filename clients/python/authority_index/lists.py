"""Answers for many values: the owners of single handles out of one answer, and parts of a ranking as one order.

Invariant: a value has the answer that it would have had alone; parts have the order that one body would have had.
The service answers spellings of one handle under the first of them, so a handle counts as unowned only if it
cannot be such a spelling.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple

Item = Dict[str, Any]

# The fields that the order of a rank depends on.
ORDERING_FIELDS = ("sdu", "authority_score", "rank")


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


def with_ordering(params: Mapping[str, Any]) -> Dict[str, Any]:
    """What a rank asks for, and what its parts are merged by."""
    fields = params.get("fields")
    return dict(params) if fields is None else {**params, "fields": list(dict.fromkeys([*fields, *ORDERING_FIELDS]))}


def merged_ranks(lengths: Sequence[int], answers: Sequence[Sequence[Item]], params: Mapping[str, Any]) -> List[Item]:
    """Merges answers to parts of these lengths into one, in the form that the parameters ask for.

    The order is that of the service: by rank in the topic, then by authority score, equal scores by SDU as a
    number, then sources without a known author; equals in the order of the request.
    """
    before = [sum(lengths[:number]) for number in range(len(lengths))]
    moved = [{**item, "index": at + item["index"]} for at, items in zip(before, answers) for item in items]
    has_topic = params.get("topic") is not None
    merged = sorted(moved, key=lambda item: (*_rank_key(item, has_topic), item["index"]))
    fields = params.get("fields")
    for place, item in enumerate(merged, 1):
        if params.get("aligned"):
            item["position"] = place
        for name in ORDERING_FIELDS:
            if fields is not None and name not in fields:
                del item[name]
    return sorted(merged, key=lambda item: item["index"]) if params.get("aligned") else merged


def _rank_key(item: Item, has_topic: bool) -> Tuple[Any, ...]:
    rank = item["rank"] if has_topic and item["rank"] is not None else float("inf")
    sdu = item["sdu"]
    if sdu is None:
        return (rank, True, 0.0, 0, 0)
    return (rank, False, -item["authority_score"], int(sdu), len(sdu))
