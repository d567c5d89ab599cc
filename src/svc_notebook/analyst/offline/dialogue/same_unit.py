"""``and longer than 20?`` after more than ten minutes: a bound without a unit is in that of the last one."""

from __future__ import annotations

from collections.abc import Sequence

from .... import patterns as re
from ...base import PastTurn
from ..words.numbers import dimension_of, exact_unit

__all__ = ["in_the_same_unit"]

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_BOUNDING = (
    r"(?:(?:(?:\w+er|more|less) )?than|over|under|above|below|at least|at most|exceed(?:s|ed|ing)?|within|up to)"
)
_LEAD = (
    r"and|but|so|or|ok|okay|now|then|only|just|even|what|how|about|no|sorry|make|it|that|those|these|the|ones|is|are|was"
    r"|were|for|which|with|took|take|lasted|waited|rather|i mean|i meant"
)
_END = r"instead|then|too|please|rather|sorry|or more|or less"
_BARE = re.compile(
    rf"^(?:\W*(?:{_LEAD})\b)*\W*(?P<bound>{_BOUNDING}\s+)?(?P<number>{_NUMBER})(?P<end>(?:\s+(?:{_END}))*\W*)$",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"(?<![\w.])(?P<bound>{_BOUNDING}\s+)?(?!(?:19|20)\d\d\b)(?P<number>{_NUMBER})\W?\s*(?P<unit>[a-z]+)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(?:19|20)\d\d$")


def in_the_same_unit(question: str, history: Sequence[PastTurn]) -> str:
    """The turn with the unit that the last number of its thread was said in; as it is, where it says more than a bound
    or that number was of something else.
    """
    said = _BARE.match(question)
    if said is None or _YEAR.match(said["number"]):
        return question
    whole = (past.question for past in reversed(history) if not _BARE.match(past.question))
    last = next((found for text in whole if (found := _SAID.findall(text))), [])
    bound, _, unit = last[-1] if last else ("", "", "")
    known = exact_unit(unit.lower()) if bound and unit else None
    if known is None or not dimension_of(known):
        return question
    bounds = "" if said["bound"] else bound
    return f"{question[: said.start('number')]}{bounds}{said['number']} {unit}{said['end']}"
