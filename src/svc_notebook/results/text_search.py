"""Which rows of a column hold some words: its text made once, and looked through as one stretch of bytes.

Words that are rare are found by a search over all texts at once, several times as fast as one text after another; that
is what common words are left to. Texts of which few are different are looked through once each.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrow_compute import pc
from .row_order import encoded

__all__ = ["holding", "searchable", "words_for"]

# From one hit in so many rows on, looking through the texts one by one is faster than going from hit to hit.
_RARE = 64
_DIGITS = frozenset("0123456789.,-")
_MOMENTS = frozenset("0123456789-:. ")


def searchable(values: pa.Array) -> pa.Array:
    """A column as small letters; nothing is held by a missing cell."""
    if pa.types.is_floating(values.type):
        # What is shown has no more places; a search must not find a digit that nobody sees.
        values = pc.round(values, 4)
    text = values if pa.types.is_string(values.type) else pc.cast(values, pa.string())
    text = pc.fill_null(pc.utf8_lower(text), "")
    few = encoded(text)
    return text if few is None else few


def words_for(kind: pa.DataType, wanted: str) -> str:
    """The words as a column of that type may hold them; "" where it cannot."""
    if pa.types.is_temporal(kind):
        return wanted if set(wanted) <= _MOMENTS else ""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return wanted.replace(",", "") if set(wanted) <= _DIGITS else ""
    return wanted


def holding(texts: pa.Array, words: str, within: pa.Array | None = None) -> Any:
    """Whether each of the texts, or of those ``within``, holds the words."""
    if pa.types.is_dictionary(texts.type):
        numbers = texts.indices if within is None else texts.indices.take(within)
        return _held(texts.dictionary, words)[numbers.to_numpy(zero_copy_only=False)]
    if within is not None:
        return _held(texts.take(within), words)
    found = _rare(texts, words.encode())
    return _held(texts, words) if found is None else found


def _held(texts: pa.Array, words: str) -> Any:
    return pc.match_substring(texts, words).to_numpy(zero_copy_only=False)


def _rare(texts: pa.Array, words: bytes) -> Any:
    """:func:`holding` for words that are found seldom; None where they are not."""
    mask = np.zeros(len(texts), bool)
    _, starts, letters = texts.buffers()
    if not len(texts) or letters is None:
        return mask
    offsets = np.frombuffer(starts, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    search, data, end, most = (
        # Over the column's bytes as one text: re takes any buffer, and nothing is copied.
        re.compile(re.escape(words)).search,
        memoryview(letters),
        int(offsets[-1]),
        len(mask) // _RARE,
    )
    spots: list[int] = []
    match = search(data, int(offsets[0]), end)
    while match is not None:
        if len(spots) >= most:
            return None
        spots.append(match.start())
        match = search(data, match.start() + 1, end)
    at = np.array(spots, np.int64)
    rows = np.searchsorted(offsets, at, side="right") - 1
    mask[rows[at + len(words) <= offsets[rows + 1]]] = True  # not where one text ends and the next begins
    return mask
