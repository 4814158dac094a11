"""What the methods of the client give: the items of an answer, and what every answer says of its price and origin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Generic, Iterator, List, Optional, TypeVar

ItemT = TypeVar("ItemT")


@dataclass(frozen=True)
class Answer(Generic[ItemT]):
    """An answer of any operation; iterating gives its items."""

    results: List[ItemT]
    # USD charged for this answer; of a coalesced call its share. 0 for what is free or replayed.
    cost: float = 0.0
    # USD that the account can still spend; None where the answer does not say.
    balance: Optional[float] = None
    # The id of the snapshot that answered.
    snapshot: str = ""
    # `X-Request-Id` of the request that was answered.
    request_id: str = ""
    # Whether an earlier attempt had been charged, so that this answer was not.
    is_replay: bool = False
    # How the text of a search was understood; else empty.
    way: str = ""
    # Other members of the answer: `total`, `next_cursor`, `facets`, `query` and so on.
    more: Dict[str, Any] = field(default_factory=dict)

    @property
    def next_cursor(self) -> Optional[str]:
        """The cursor of the next page; None behind the last."""
        return self.more.get("next_cursor")

    def __iter__(self) -> Iterator[ItemT]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)
