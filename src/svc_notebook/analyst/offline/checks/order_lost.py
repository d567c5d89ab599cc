"""Plans that lose the order that was asked for: *gardeners sorted by hire date* is no number of gardeners."""

from __future__ import annotations

from functools import cache

from .... import patterns as re
from ..lexicon import load_lexicon
from ..plans.plan import Order, Plan
from ..walk.draft import Draft

__all__ = ["is_order_lost"]

_COMMANDS = ("rank", "order", "sort", "arrange")
_FIRST_OF_ALL = re.compile(
    r"\b(?!latest|earliest|newest|oldest)[a-z]{2,}est first\W*$"  # those are times, and put in order elsewhere
    r"|\b(?:most|least) [a-z]+ first\W*$|\bfrom [a-z]{2,}est to [a-z]{2,}est\b"
)
_BY_TIME = re.compile(r"\b(?:latest|earliest|newest|oldest) first\W*$")
_SORTED = re.compile(r"sort|rank|arrang|^in ")
_ONE = re.compile(r"\b(?:which|who|what|one|1|single|top)\b")


def is_order_lost(plan: Plan, draft: Draft) -> bool:
    """Whether rows or groups were asked for in an order, and the plan has no rows, no order or another order."""
    said = " ".join(token.lower for token in draft.tokens)
    if _BY_TIME.search(said) and not any(_is_of_a_time(order, plan, draft) for order in plan.order):
        return True
    ordered = _ordered().search(said) is not None
    first = _FIRST_OF_ALL.search(said) is not None
    if not (ordered or first) or plan.shape == "exists":
        return False
    if plan.shape == "aggregate" and not plan.dimensions:
        return True
    if first and not _ONE.search(said) and (plan.limit == 1 or any(_is_of_a_text(o, plan, draft) for o in plan.order)):
        return True  # all of them, the heaviest first
    return ordered and (not plan.order or any(_is_unshown(order, plan) for order in plan.order))


def _is_unshown(order: Order, plan: Plan) -> bool:
    """Whether groups that are shown once for each row stand in the order of a number that is not shown."""
    return plan.shape == "rows" and len(plan.columns) == 1 and order.by == "member"


def _is_of_a_text(order: Order, plan: Plan, draft: Draft) -> bool:
    """Whether rows stand in the order of a text, which has no size."""
    path = plan.columns[order.place] if order.by == "column" else order.member
    return path is not None and draft.metadata.members[path].type == "string"


def _is_of_a_time(order: Order, plan: Plan, draft: Draft) -> bool:
    """Whether rows or groups stand in the order of a time, or of a year."""
    if order.by == "measure":
        path = plan.measures[order.place].member
    elif order.by == "dimension":
        path = plan.dimensions[order.place].member
    else:
        path = plan.columns[order.place] if order.by == "column" else order.member
    return path is not None and (draft.metadata.is_time(path) or draft.metadata.is_year(path))


@cache
def _ordered() -> re.Pattern[str]:
    """Words that ask for an order: a command at the start, others anywhere; ``ordered by`` may be a purchase."""
    said = [phrase for phrase, way in load_lexicon().saying("order").items() if way == "by" and _SORTED.search(phrase)]
    anywhere = "|".join(map(re.escape, sorted(said, key=len, reverse=True)))
    return re.compile(rf"^(?:{'|'.join(_COMMANDS)}) (?!of\b)|(?<!\w)(?:{anywhere})(?!\w)")
