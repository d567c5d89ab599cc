"""Trends over time."""

from __future__ import annotations

from functools import partial

from ..... import patterns as re
from ...plans.phrases import describe, rules_words
from ...plans.plan import Plan
from ...schema.metadata import Metadata
from ...telling.planned import flagged
from ..along import trend
from .analysis import Analysis, Reader
from .words import SMALL_WORDS, without

__all__ = ["moving"]

_MOVES = (
    r"(?:increas|decreas|declin|improv)(?:e|ed|ing)|grow(?:n|ing)?|ris(?:e|en|ing)|f(?:all|ell)(?:en|ing)?|drop(?:ped|ping)?"
    r"|shr(?:ink|unk)(?:ing)?|(?:go|gone|going) (?:up|down)"
    r"|(?:get|got|gotten|getting|become|became|becoming) (?:better|worse|higher|lower|rarer"
    r"|(?:more|less)(?: (?:frequent|common|often))?|fewer)"
)
_TREND = re.compile(
    rf"\btrends?\b|^\s*(is|are|was|were|has|have|did|do|does)\b.*\b(?:{_MOVES})\b",
    re.IGNORECASE,
)
_OF_SHOWN = re.compile(
    r"\W*(?:(?:it|this|that|they|these|those|there|numbers?|now|still|overall|over time)\W*)*", re.IGNORECASE
)
_FELT = re.compile(r"\b(better|worse|longer|shorter|slower|faster)\b", re.IGNORECASE)
_LENGTHS = frozenset(form for unit in ("second", "minute", "hour", "day") for form in (unit, f"{unit}s"))
_TREND_WORDS = re.compile(
    rf"\b(trend(s|ing)?|is|are|was|were|has|have|did|do|does|been|{_MOVES}|there an?"
    r"|over (the )?(time|years?|months?))\b",
    re.IGNORECASE,
)


def moving(question: str, metadata: Metadata, read: Reader, before: Plan | None = None) -> Analysis | None:
    if not _TREND.search(question):
        return None
    words = without(_TREND_WORDS, question)
    if before is not None and _OF_SHOWN.fullmatch(words):
        plan: Plan | None = _shown_over_time(before)  # "is it going up": what the turn before showed
    else:
        plan = read(words) or read(without(SMALL_WORDS, words))
    felt = _FELT.search(question) is not None
    if plan is None or plan.shape == "rows" or felt and (_sums_a_length(plan, metadata) or _is_apart(plan)):
        plan = read(f"average {words}") or plan  # "delays": how late, and no list of them
    if (
        plan is None
        or len(plan.measures) != 1
        or plan.limit is not None
        or plan.shape != "aggregate"
        or plan.calculations
    ):
        return None
    if len(plan.dimensions) > 1 or any(not d.grain for d in plan.dimensions):
        return None
    said = flagged(plan, metadata)
    # Flags that a title names (cancelled flights) are not told again as a condition.
    rest = plan.with_(conditions=tuple(c for c in plan.conditions if c not in said))
    recipe = partial(trend, plan, metadata)
    return Analysis(plan, f"The trend of {describe(plan, metadata)}", recipe, where=rules_words(rest, metadata))


def _shown_over_time(before: Plan) -> Plan:
    """What was shown, over time alone: groups, their order and their number are no part of where it goes."""
    times = tuple(dimension for dimension in before.dimensions if dimension.grain)
    return before.with_(dimensions=times[:1], limit=None, order=())


def _is_apart(plan: Plan) -> bool:
    """Whether groups are told apart by something that is no time: of delays how many there are of each."""
    return any(not dimension.grain for dimension in plan.dimensions)


def _sums_a_length(plan: Plan, metadata: Metadata) -> bool:
    """Whether a number adds up how long each took: that it got worse is said of one of them."""
    plain = [metadata.plain(measure) for measure in plan.measures]
    summed = [p.member for p in plain if p.aggregate == "sum" and p.member]
    return bool(summed) and all(_LENGTHS & set(metadata.parts(path)) for path in summed)
