"""What the likeliest readings give when they are run: whether an answer of that kind was asked for, and what agrees."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from .standing import Standing

__all__ = ["FAILED", "UNKNOWN", "ZERO", "Outcome", "agreeing", "outcomes"]

Outcome = Hashable
"""The rows of a result as something to compare, their number first; None for no row, or one without a value."""

UNKNOWN: Final = "?"  # what cannot be run, or was not
FAILED: Final = "!"
_RUN = 3  # readings that are run
_MANY = 50  # rows
ZERO = ((1, "[0]"), (1, "[0.0]"))  # a number of nothing
_WIDEST = 4.0


def outcomes(found: Sequence[Standing], outcome_of: Callable[[Standing], Outcome | None]) -> list[Outcome | None]:
    """What the first few of ``found`` give."""
    return [outcome_of(reading) for reading in found[:_RUN]]


def agreeing(found: Sequence[Standing], given: Sequence[Outcome | None]) -> dict[str, float]:
    """Facts of what the first reading gives, beside what those after it give."""
    first = given[0]
    if first == FAILED:
        return {"gives:failed": 1.0}
    facts = {"gives:nothing": float(first is None)}
    if isinstance(first, tuple):
        facts |= {"gives:one": float(first[0] == 1), "gives:many": float(first[0] > _MANY)}
        facts["gives:zero"] = float(first in ZERO)
    # What could not be run says nothing about agreement.
    known = [
        (s.score - found[0].score, one) for s, one in zip(found, given, strict=False) if one not in (UNKNOWN, FAILED)
    ]
    whole = sum(math.exp(behind) for behind, _ in known)
    share = sum(math.exp(behind) for behind, one in known if one == first) / whole
    # The same shape as the share of the scores in `evidence`, so that both are weighed alike.
    odds = math.log(share / (1 - share + 1e-9) + 1e-9)
    return facts | {"gives:share": max(-_WIDEST, min(_WIDEST, odds))}
