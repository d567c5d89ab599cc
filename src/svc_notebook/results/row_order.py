"""In which order rows stand when they are sorted by a column, found without sorting all of them where that is dear.

A page of a large column is cut out of those values that can be on it: two values of a sample bound them, and how many
lie before is counted. What a sample does not tell (missing values at the end, columns that are mostly one value) is
sorted as a whole. Texts of which few are different are sorted as their ranks.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrow_compute import pc

__all__ = ["encoded", "in_order", "sortable"]

# Large enough that the margin below is small beside a page, small enough to be sorted in a millisecond or two.
_SAMPLED = 20_000


def in_order(values: pa.Array, first: int, last: int, *, up: bool) -> pa.Array:
    """Places of the values that stand from ``first`` to before ``last`` when they are sorted.

    Equal values stay in the order in which they are, missing ones come last either way.
    """
    near = _near(values, first, last, up=up)
    if near is None:
        return _sorted(values, up=up).slice(first, last - first)
    places, before = near
    order = _sorted(values.take(places), up=up)
    return places.take(order.slice(first - before, last - first))


def sortable(values: pa.Array) -> pa.Array:
    """Values that sort as these do, and faster where there are such."""
    if pa.types.is_boolean(values.type):
        return pc.cast(values, pa.uint8())
    if not pa.types.is_string(values.type) or (few := encoded(values)) is None:
        return values
    ranks = np.empty(len(few.dictionary), np.int32)
    # The inverse of the order: at each text's number, its place.
    ranks[_sorted(few.dictionary, up=True).to_numpy()] = np.arange(len(ranks))
    return pa.array(ranks).take(few.indices)


def encoded(texts: pa.Array) -> pa.DictionaryArray | None:
    """Texts by number, where few are different; else None."""
    # Looked at in the first ones alone: to find that all are different would cost what is to be saved.
    if len(texts) < _SAMPLED or len(pc.unique(texts.slice(0, _SAMPLED))) > _SAMPLED // 2:
        return None
    found = texts.dictionary_encode()
    return found if len(found.dictionary) <= len(texts) // 4 else None


def _sorted(values: pa.Array, *, up: bool) -> pa.Array:
    return pc.array_sort_indices(values, order="ascending" if up else "descending")


def _near(values: pa.Array, first: int, last: int, *, up: bool) -> tuple[pa.Array, int] | None:
    """Places of the values among which these are, and how many come before all of them; None where a sample fails."""
    there = len(values) - values.null_count
    step = len(values) // _SAMPLED
    if step < 2 or last > there:
        return None
    sample = values.take(pa.array(np.arange(0, len(values), step))).drop_null()
    if len(sample) < _SAMPLED // 2:
        return None
    ordered = sample.take(_sorted(sample, up=up))
    low = _margined(first * len(sample) // there, len(sample), -1)
    high = _margined(last * len(sample) // there + 1, len(sample), 1)
    before, within = 0, None
    if low >= 0:
        earlier = pc.less(values, ordered[low]) if up else pc.greater(values, ordered[low])
        before = int(pc.sum(earlier).as_py() or 0)
        within = pc.greater_equal(values, ordered[low]) if up else pc.less_equal(values, ordered[low])
    if high < len(sample):
        until = pc.less_equal(values, ordered[high]) if up else pc.greater_equal(values, ordered[high])
        within = until if within is None else pc.and_(within, until)
    if within is None:
        return None
    places: Any = np.flatnonzero(pc.fill_null(within, False).to_numpy(zero_copy_only=False))
    # The sample misled, or cut away too little: then all are sorted, which is always right.
    if not before <= first <= last <= before + len(places) or len(places) > len(values) // 4:
        return None
    return pa.array(places), before


def _margined(at: int, count: int, way: int) -> int:
    """A place in a sample, moved by more than its rank can be wrong by chance."""
    return at + way * (50 + 4 * isqrt(max(0, min(at, count - at))))
