"""Scores of sources in the shape in which the sources came. Invariant: pandas and numpy are used, never needed."""

from __future__ import annotations

import math
import sys
from typing import Any, Dict, Iterable, List, Mapping, Optional


def texts_of(sources: Any) -> List[Optional[str]]:
    """The sources of a list, an array or a Series; None for what is no text or blank."""
    return [str(each) if isinstance(each, str) and each.strip() else None for each in sources]


def known_scores(items: Iterable[Mapping[str, Any]]) -> Dict[str, float]:
    """The authority score by source, of the sources that have an author."""
    return {item["source"]: float(item["authority_score"]) for item in items if item["sdu"] is not None}


def scores_like(sources: Any, texts: List[Optional[str]], known: Mapping[str, float]) -> Any:
    """One score for each source, nan where there is none: a Series for a Series, an array where numpy is there."""
    scores = [known.get(text, math.nan) if text is not None else math.nan for text in texts]
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(sources, pandas.Series):
        return pandas.Series(scores, index=sources.index, dtype="float64", name="authority_score")
    try:
        import numpy
    except ImportError:
        return scores
    return numpy.array(scores, dtype="float64")
