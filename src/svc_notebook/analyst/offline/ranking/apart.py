"""Near readings that a person could choose among: the likeliest whose results differ."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Sequence

from ..forms import Form
from .outcome import FAILED, UNKNOWN
from .standing import Standing

__all__ = ["alike", "apart"]

_TRIED = 8  # forms that are run at most
_NEAR = 6.0  # how far behind the best a reading may be


def apart(
    found: Sequence[Standing], result_of: Callable[[Form], Hashable | None], *, answered: bool, most: int = 3
) -> list[Form]:
    """The likeliest of ``found`` (best first) that are about as likely as the first and give different results.

    ``result_of`` runs a form and returns its rows as something to compare. What failed or found nothing is offered only
    as the first one, where that is ``answered``.
    """
    seen: list[Hashable] = []
    kept: list[Form] = []
    for place, reading in enumerate(found[:_TRIED]):
        if len(kept) == most:
            break
        if isinstance(reading.form, Form) and (place == 0 or reading.score >= found[0].score - _NEAR):
            result = result_of(reading.form)
            stands = place == 0 and answered
            if stands or result not in (None, UNKNOWN, FAILED) and not any(alike(result, other) for other in seen):
                seen.append(result)
                kept.append(reading.form)
    return kept


def alike(one: Hashable, other: Hashable) -> bool:
    """Whether two results say the same: also where one shows the first rows of the other, or the share in per cent."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return one == other
    few, many = sorted(({_said(row) for row in result[1:]} for result in (one, other)), key=len)
    return few <= many


def _said(row: str) -> tuple[str, tuple[float, ...]]:
    """A row as its texts and its numbers with decimals, these without the powers of 100 that per cent puts there."""
    numbers = (float(found[0] or found[1]) for found in _DECIMAL.findall(row))
    return _DECIMAL.sub("", row), tuple(sorted(map(_of_one, numbers)))


def _of_one(number: float) -> float:
    if not number or not math.isfinite(number):
        return number
    return float(f"{number / 100.0 ** math.floor(math.log10(abs(number)) / 2):.6g}")


_DECIMAL = re.compile(r"Decimal\('([^']+)'\)|(?<![\w.'])(-?\d+\.\d+(?:e[+-]?\d+)?)(?![\w.'])")
