"""Which questions ask for an analysis rather than a query, and what of them it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from ..... import patterns as re
from ...plans.plan import Plan
from ...schema.metadata import Metadata
from ..spread import far_out, spread
from .ahead import forecast
from .analysis import Analysis, Reader, Recipe
from .changes import apart, changed
from .leaning import leaning
from .mapped import mapped
from .odd import odd
from .related import related
from .shares import concentrated
from .spreads import CURVES, boxed, curve, one_number
from .summaries import followed, of_a_day, summarised
from .trends import moving
from .words import FAR

__all__ = ["Analysis", "Recipe", "analysis_of"]

_SPREAD = re.compile(
    r"\b(distribut(ion|ed)|histogram|spread( out)?|quartiles?|(?<=[\w,] )var(y|ies|ied)|looks? like(?! an?\b))\b",
    re.IGNORECASE,
)
_SPREAD_BY = re.compile(r"\b(spread( out)?|quartiles?|(?<=[\w,] )var(y|ies|ied))\b", re.IGNORECASE)
_SPREAD_OVER = re.compile(r"\b(distribut(ion|ed)|histograms?)\b", re.IGNORECASE)


_OF_EACH = re.compile(r"\b(?:each|every)\b(?! (?:other|day|week|month|quarter|year|hour)\b)", re.IGNORECASE)


def _of_all(question: str, find: Callable[[], Analysis | None]) -> Analysis | None:
    """What is found of all rows, where nothing asks it of each group of them."""
    return None if _OF_EACH.search(question) else find()


def analysis_of(
    question: str,
    metadata: Metadata,
    now: datetime,
    year: int | None,
    fiscal: int,
    read: Reader,
    before: Plan | None = None,
    called: Callable[[str], str] = str,
) -> Analysis | None:
    """The analysis a question asks for, or None where it is a plain question (or not wholly understood).

    Parameters
    ----------
    read
        Reads a question as a plan, or gives None where that leaves anything out.
    before
        The plan of the turn before: what is meant where a question names no number.
    called
        What a side of a comparison is called in the language that is answered in.
    """
    finders: Sequence[Callable[[], Analysis | None]] = (
        # In the order of what says most: "will sales go up" and "what happened on the 8th" are also words of a
        # change, a cumulative distribution is also a distribution, and one over groups is drawn as boxes only where
        # it is not that of one number.
        partial(forecast, question, metadata, now, read, before),
        partial(of_a_day, question, metadata, now, year, fiscal, read),
        partial(_of_all, question, partial(changed, question, metadata, now, year, fiscal, read, before, called)),
        partial(apart, question, metadata, read, called),
        partial(concentrated, question, metadata, read),
        partial(followed, question, metadata, read),
        partial(mapped, question, metadata, read),
        partial(boxed, question, metadata, read),
        partial(_of_all, question, partial(related, question, metadata, read)),
        partial(leaning, question, metadata, read),
        *(partial(curve, question, metadata, read, kind) for kind in CURVES),
        partial(one_number, question, metadata, read, _SPREAD, spread, "How {} is spread"),
        partial(boxed, question, metadata, read, _SPREAD_BY),
        partial(boxed, question, metadata, read, _SPREAD_OVER, means=True),
        partial(odd, question, metadata, read, before),
        partial(one_number, question, metadata, read, FAR, far_out, "What of {} lies far out"),
        partial(moving, question, metadata, read, before),
        partial(summarised, question, metadata, read),
    )
    return next((found for find in finders if (found := find()) is not None), None)
