"""The order of documents by relevance and authority: score' = (1 - alpha) * relevance + alpha * authority.

Authority is the score of the author over 100, and 0 where none is known. Relevance is between 0 and 1.
"""

from __future__ import annotations

import math
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from .client import Client

# Where loaders keep where a document is from.
_PLACES = ("source", "url", "author")


def source_of(metadata: Mapping[str, Any]) -> Optional[str]:
    """The address or handle in the metadata of a document: its `source`, `url` or `author`."""
    return next((metadata[place] for place in _PLACES if isinstance(metadata.get(place), str)), None)


def blended(
    client: Client,
    sources: Sequence[Optional[str]],
    relevances: Sequence[Optional[float]],
    alpha: float,
    topic: Optional[str] = None,
) -> List[Tuple[int, float]]:
    """The position and score' of each document, the best first; equals stay in order.

    Where no relevance is known it is that of the place in the list: 1 for the first, above 0 for the last.
    """
    scores = client.scores(sources) if topic is None else client.scores(sources, topic=topic)
    number = len(sources)
    placed = []
    for place, (relevance, score) in enumerate(zip(relevances, scores)):
        relevance = 1 - place / number if relevance is None else relevance
        authority = 0.0 if math.isnan(score) else float(score) / 100
        placed.append((place, (1 - alpha) * relevance + alpha * authority))
    return sorted(placed, key=lambda pair: -pair[1])
