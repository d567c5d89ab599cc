"""Rates of a model, said by what they are of: *on time % by airport*, *how punctual is*, *did on time improve*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.rates import Rate
from ..turning.rules import said_so
from ..words.shares_said import SHARE

__all__ = ["as_rates"]

_LONGEST = 300  # characters
_SIGN = r"(?:%|(?:pct|perc|percent|percentage|rate|ratio)\b\.?)"
_BEHIND = r"(?P<group>(?: (?:by|per|for each|in each) [^,;:?]+?)?)"
_IN_PERCENT = rf"(?:,? (?:as|in) (?:an? )?|, ?| )(?:{SHARE}|rate)"
_COURSE = r"(?:get|got|gotten|become|became|turn|turned|getting|improve|improved|worsen|worsened) "
_HOW_MANY = r"(?:\bhow many (?:of )?(?:(?:the|our) )?(?:[\w-]+ )?(?:are|were|is|was|gets?|got|have been) )"
_POINTS = said_so(r",? (?:in )?(?:%|pct|percent|percentage)[ -]?(?:points?|pts?)(?=\W*$)")
_RATED = said_so(r"\b(?:rate|share|percentage|proportion) |% ")
_ENDS = {"most": "highest", "least": "lowest"}


def as_rates(question: str, metadata: Metadata) -> str:
    """A question for a rate by what it is a rate of, with the name that the model has for that rate."""
    if len(question) > _LONGEST:
        return question
    rates = metadata.rates
    # The difference of two rates is told in points anyway.
    question = _POINTS.sub("", question) if rates and _RATED.search(question) else question
    for rate in rates:
        for told in (_in_percent(question, rate), _of_quality(question, rate)):
            if told is not None:
                return told
    return question


def _in_percent(question: str, rate: Rate) -> str | None:
    """``on time % by airport`` → ``on time share by airport``."""
    for pattern in _signed(rate.of):
        if (said := pattern.search(question)) is not None:
            head = "what is the " if said["many"] else ""
            return f"{question[: said.start()]}{head}{rate.said}{said['group']}{question[said.end() :]}"
    return None


def _of_quality(question: str, rate: Rate) -> str | None:
    """``how punctual is Delta`` → ``what is the on time share of Delta``."""
    if not rate.qualities:
        return None
    how, most, course = _qualified(rate.qualities)
    if (said := how.match(question)) is not None:
        return f"what {said['is']} the {rate.said} of {question[said.end() :]}"
    if (said := most.search(question)) is not None:
        return f"{question[: said.start()]}has the {_ENDS[said['end'].lower()]} {rate.said}{question[said.end() :]}"
    said = course.match(question)
    return f"{said['did']} {rate.said} {said['rest']}" if said is not None else None


@lru_cache(64)
def _signed(ways: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Patterns of what is said in percent: right before the sign, and with a group between them."""
    of = rf"(?<!\w)(?:{_any_of(ways)})s?"
    return (
        said_so(rf"(?P<many>){of},? {_SIGN}(?P<group>)(?!\w)"),
        said_so(rf"(?P<many>{_HOW_MANY})?{of}{_BEHIND}{_IN_PERCENT}(?=\W*$)"),
    )


@lru_cache(64)
def _qualified(ways: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    of = _any_of(ways)
    return (
        said_so(rf"^how (?:{of}) (?P<is>is|are|was|were) "),
        said_so(rf"\b(?:is|are|was|were|flies|runs) (?:the )?(?P<end>most|least) (?:{of})(?:ly)?\b"),
        said_so(rf"^(?P<did>did|has|have|does|do|is|are)(?: (?:the|our))? (?:{of}) (?P<rest>{_COURSE}.*)$"),
    )


def _any_of(ways: Sequence[str]) -> str:
    return "|".join(re.escape(way).replace("\\ ", r"[\s-]+") for way in ways)
