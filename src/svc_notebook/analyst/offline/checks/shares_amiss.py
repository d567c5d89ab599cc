"""Shares of something else than was asked for: of all groups for of each one's own, of what they are of anyway."""

from __future__ import annotations

from .... import patterns as re
from ..plans.plan import Plan
from ..walk.draft import Draft
from ..words.shares_said import SHARE
from ..words.text import stem

__all__ = ["is_share_amiss"]

_PART = rf"\b{SHARE} of "
_THEIRS = re.compile(rf"{_PART}(?:their|its|his|her) (?:own )?\w+")
_OF_EACH = re.compile(
    rf"{_PART}[a-z ]+? (?:at|in|from|for|on|of) each\b.*\b(?:is|are|was|were|has|have|had|left|arrived)\b"
)


_OPENS = re.compile(rf"(?:what|which) {SHARE} of ")
_SAID = re.compile(rf"\b{SHARE}\b|\brate\b")
_NOT_ADDED = frozenset({"avg", "median", "min", "max"})


def is_share_amiss(plan: Plan, draft: Draft) -> bool:
    """Whether a share is one of other rows than those that it was asked of."""
    amiss = _of_all_for_own(plan, draft) or _of_itself(plan, draft) or _of_averages(plan, draft)
    return amiss or _of_rows_beside_the_amount(plan, draft) or _by_what_it_is_of(plan, draft)


def _by_what_it_is_of(plan: Plan, draft: Draft) -> bool:
    """``share of urgent visits by doctor``: no share of what is urgent among the urgent, which is all of them."""
    if _SAID.search(" ".join(token.lower for token in draft.tokens)) is None:
        return False  # a side against the rest is laid out as what is so of it
    groups = {one.member for one in plan.dimensions if not one.grain and not one.bin}
    shares = [one for one in plan.measures if one.aggregate == "share_true" and one.divided_by is None]
    return any(condition.member in groups for one in shares for condition in one.conditions)


def _of_rows_beside_the_amount(plan: Plan, draft: Draft) -> bool:
    """``what proportion of training cost was for management``: of the cost, and no share of rows beside all of it."""
    said = " ".join(token.lower for token in draft.tokens)
    kinds = [draft.metadata.plain(measure).aggregate for measure in plan.measures]
    both = len(kinds) > 1 and "share_true" in kinds and not plan.dimensions
    return both and _OPENS.match(said) is not None and " and " not in said and {"sum", "measure"} & {*kinds} != set()


def _of_averages(plan: Plan, draft: Draft) -> bool:
    """``which is late more often``: averages add up to nothing that one of them could be a share of."""
    shared = [plan.measures[one.measure] for one in plan.calculations if one.kind == "share"]
    kinds = {draft.metadata.plain(measure).aggregate for measure in shared}
    return bool(kinds & _NOT_ADDED)


def _of_all_for_own(plan: Plan, draft: Draft) -> bool:
    """``the most diversions, and what percentage of their flights that is``: of each one's, and not of all of them."""
    said = " ".join(token.lower for token in draft.tokens)
    own = _THEIRS.search(said) or _OF_EACH.search(said)
    return own is not None and any(calculation.kind == "share" for calculation in plan.calculations)


def _of_itself(plan: Plan, draft: Draft) -> bool:
    """``cancellations by quarter, number and rate``: of what was cancelled all was."""
    meta = draft.metadata
    flags = {stem(meta.parts(c.member)[-1]) for c in plan.conditions if c.operator == "true"}
    rates = [m.member for m in plan.measures if m.member in meta.members and meta.member(m.member).format == "percent"]
    return any(flags & {stem(part) for part in meta.parts(path)} for path in rates)
