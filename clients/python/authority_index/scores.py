"""Scores of sources in the shape in which the sources came. Invariant: pandas, polars and numpy are used, never needed."""

from __future__ import annotations

import math
import sys
from typing import Any, List, Optional, Sequence


def texts_of(sources: Any) -> List[Optional[str]]:
    """The sources of a list, an array or a series; None for what is no text or blank."""
    return [str(each) if isinstance(each, str) and each.strip() else None for each in sources]


def scores_like(sources: Any, scores: Sequence[float]) -> Any:
    """One score for each source: a series for a series of pandas or polars, else an array, without numpy a list."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(sources, pandas.Series):
        return pandas.Series(scores, index=sources.index, dtype="float64", name="authority_score")
    if polars is not None and isinstance(sources, polars.Series):
        known = [None if math.isnan(score) else score for score in scores]
        return polars.Series("authority_score", known, dtype=polars.Float64)
    try:
        import numpy
    except ImportError:
        return list(scores)
    return numpy.array(scores, dtype="float64")
