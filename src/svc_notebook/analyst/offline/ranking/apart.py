"""Near readings that a person could choose among: the likeliest whose results differ."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ..forms import Form
from .outcome import FAILED, UNKNOWN
from .standing import Standing

__all__ = ["apart"]

_TRIED = 8  # forms that are run at most
_NEAR = 6.0  # how far behind the best a reading may be


def apart(
    found: Sequence[Standing], result_of: Callable[[Form], Hashable | None], *, answered: bool, most: int = 3
) -> list[Form]:
    """The likeliest of ``found`` (best first) that are about as likely as the first and give different results.

    ``result_of`` runs a form and returns its rows as something to compare. What failed or found nothing is offered only
    as the first one, where that is ``answered``.
    """
    seen: set[Hashable] = set()
    kept: list[Form] = []
    for place, reading in enumerate(found[:_TRIED]):
        if len(kept) == most:
            break
        if isinstance(reading.form, Form) and (place == 0 or reading.score >= found[0].score - _NEAR):
            result = result_of(reading.form)
            stands = place == 0 and answered
            if stands or result not in (None, UNKNOWN, FAILED, *seen):
                seen.add(result)
                kept.append(reading.form)
    return kept
