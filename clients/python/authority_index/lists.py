"""Lists of any length: cut into bodies that the service takes, and joined into the answer that one body would give.

Invariant: one snapshot answers all parts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Sequence, Tuple

from .call import Answer
from .errors import APIError
from .transport import Transport

Item = Dict[str, Any]

# The service takes 1,000 values and 256 KB in a body; the text around the values needs a little.
_VALUES_MAX = 1_000
_BYTES_MAX = 256 * 1024 - 4_096
# Rounds in which parts are asked again until one snapshot has answered them all.
_ROUNDS_MAX = 4
# The fields that the order of a rank depends on.
_ORDERING_FIELDS = ("sdu", "authority_score", "rank")


def body_parts(values: Sequence[str]) -> List[List[str]]:
    """Cuts a list into parts that each fit into a body, in their order."""
    parts: List[List[str]] = [[]]
    size = 0
    for value in values:
        length = len(json.dumps(value, ensure_ascii=False).encode()) + 1
        if parts[-1] and (len(parts[-1]) >= _VALUES_MAX or size + length > _BYTES_MAX):
            parts.append([])
            size = 0
        parts[-1].append(value)
        size += length
    return parts


async def answered_parts(
    parts: Sequence[List[str]], key: str, ask: Callable[[List[str], str], Awaitable[Answer[Any]]], transport: Transport
) -> List[Answer[Any]]:
    """Asks for all parts until one snapshot has answered them. `key` is the idempotency key of the list."""

    def ask_part(number: int) -> Awaitable[Answer[Any]]:
        return ask(parts[number], key if len(parts) == 1 else f"{key[:56]}-{number}")

    answers = await transport.together(ask_part, range(len(parts)))
    for _ in range(_ROUNDS_MAX):
        late = [number for number, each in enumerate(answers) if each.snapshot != answers[-1].snapshot]
        if not late:
            return answers
        # The same key again: the answer is that of now, and free.
        again = await transport.together(ask_part, late)
        for number, answer in zip(late, again):
            answers[number] = replace(answer, cost=answers[number].cost + answer.cost)
    raise APIError("snapshot-changing", "no snapshot answered all parts", attempts=len(parts), idempotency_key=key)


def joined(answers: Sequence[Answer[Any]], data: Any) -> Answer[Any]:
    """Parts as one answer with these items."""
    balances = [each.balance for each in answers if each.balance is not None]
    cost = round(sum(each.cost for each in answers), 6)
    return replace(answers[-1], data=data, cost=cost, balance=min(balances, default=None))


def with_ordering(params: Mapping[str, Any]) -> Dict[str, Any]:
    """What a rank asks for, and what its parts are merged by."""
    fields = params.get("fields")
    return dict(params) if fields is None else {**params, "fields": list(dict.fromkeys([*fields, *_ORDERING_FIELDS]))}


def merged_ranks(lengths: Sequence[int], answers: Sequence[Sequence[Item]], params: Mapping[str, Any]) -> List[Item]:
    """Merges ranks of parts of these lengths into the one that the whole list would give.

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
        for name in _ORDERING_FIELDS:
            if fields is not None and name not in fields:
                del item[name]
    return sorted(merged, key=lambda item: item["index"]) if params.get("aligned") else merged


def _rank_key(item: Item, has_topic: bool) -> Tuple[Any, ...]:
    rank = item["rank"] if has_topic and item["rank"] is not None else float("inf")
    sdu = item["sdu"]
    if sdu is None:
        return (rank, True, 0.0, 0, 0)
    return (rank, False, -item["authority_score"], int(sdu), len(sdu))
