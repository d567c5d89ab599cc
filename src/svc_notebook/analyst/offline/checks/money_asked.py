"""Plans that list rows where money is asked for: *what did we invoice in May* is an amount, and no list of invoices."""

from __future__ import annotations

from .... import patterns as re
from ..plans.plan import Dimension, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.money import MONEY_NOUNS, NO_INCOME, amounts, is_tally
from ..walk.draft import Draft
from ..words.text import stem

__all__ = ["is_no_amount"]

_ASKED = re.compile(
    r"\bwhat (?P<when>do|does|did|have|has) (?:we|they|i|you|he|she|it) (?:\w+ly )?"
    r"(?:take|took|taken|make|made|earn|earned|invoice|invoiced|bill|billed|charge|charged|pay|paid|spend|spent|owe|owed)\b"
)
_PAY = re.compile(
    r"\b(?:hourly|weekly|monthly|annual|yearly|base|starting|gross|take home) (?:pay|wages?|salary|salaries)\b|"
    r"\bpay (?:rate|scale|grade|raise|rise|check)s?\b|\brates? of pay\b|"
    r"\b(?!we\b|us\b)(?:[a-z]+) (?:make|makes|earn|earns|get|gets|paid) (?:an|per|by the|for one|each|every) hour\b|"
    r"\bmoney (?:does |do |gets |is )?(?:an?|one of our|our|the|each) \w+ .*\bhour\b|"
    r"\bmoney gets (?:an?|our|the) \w+\b"
)
_PAY_NAMES = frozenset("salary salaries wage wages pay payroll rate hourly earnings compensation".split())
_INCOME = frozenset({*MONEY_NOUNS, "revenues", "incomes"})
_COST = frozenset({stem("cost")})
_OVER = frozenset({"did", "have", "has"})


def is_no_amount(plan: Plan, draft: Draft) -> bool:
    """Whether rows are shown where an amount is asked for, or sums by each of its own values."""
    if _by_its_own_values(plan, draft) or _sum_lost(plan, draft) or _no_income(plan, draft) or _no_pay(plan, draft):
        return True
    asked = _ASKED.search(" ".join(token.lower for token in draft.tokens))
    if asked is None or plan.shape not in ("rows", "distinct"):
        return False
    # What is charged is told of a row that was named; what was charged is the sum of many.
    return asked["when"] in _OVER or not plan.conditions or not set(plan.columns) & _money(draft.metadata)


def _sum_lost(plan: Plan, draft: Draft) -> bool:
    """``total cost of repairs``: one number, and no list of them."""
    first = draft.tokens[0].lower if draft.tokens else ""
    return first == "total" and plan.shape in ("rows", "distinct") and not plan.measures and bool(draft.measures)


def _no_income(plan: Plan, draft: Draft) -> bool:
    """``restaurant revenue``: what the fines of restaurants come to is no revenue, where nobody speaks of fines."""
    said = {token.lower for token in draft.tokens}
    if not said & _INCOME or said & _INCOME & draft.metadata.vocabulary:
        return False
    numbers = [m for m in map(draft.metadata.plain, plan.measures) if m.member in draft.metadata.members]
    names = [{stem(part) for part in draft.metadata.parts(str(m.member))} for m in numbers]
    if any(is_tally(draft.metadata, str(m.member)) for m in numbers):
        return True
    spoken = {token.stem for token in draft.tokens}
    # What something cost us is no income where it is known for which price we sell.
    priced = any("price" in draft.metadata.parts(path) for path in draft.metadata.number_names.paths)
    outgoing = NO_INCOME | (_COST if priced else frozenset())
    return bool(names) and all(name & outgoing and not name & outgoing & spoken for name in names)


def _no_pay(plan: Plan, draft: Draft) -> bool:
    """``officer hourly pay``: what somebody earns is no amount that others paid."""
    if _PAY.search(" ".join(token.lower for token in draft.tokens)) is None:
        return False
    paths = [m.member for m in map(draft.metadata.plain, plan.measures) if m.member in draft.metadata.members]
    shown = [*paths, *plan.columns]
    return not any(_PAY_NAMES & set(draft.metadata.parts(p)) for p in shown if p in draft.metadata.members)


def _money(metadata: Metadata) -> set[str]:
    named = {path for path, member in metadata.members.items() if member.currency or member.meta.get("kind") == "price"}
    return named | set(amounts(metadata))


def _by_its_own_values(plan: Plan, draft: Draft) -> bool:
    """``what did we take in extras``: the sum of them, and no other sum for each amount of extras."""
    summed = [m for m in map(draft.metadata.plain, plan.measures) if m.aggregate == "sum"]
    return bool(summed) and any(_is_amount(d, draft) and not _grouped_by(d, draft) for d in plan.dimensions)


def _is_amount(dimension: Dimension, draft: Draft) -> bool:
    """Whether a group is a number that adds up, as it stands in each row."""
    relation, _, name = dimension.member.partition(".")
    plain = dimension.bin is None and dimension.grain is None
    return plain and f"{relation}.total_{name}" in draft.metadata.members


def _grouped_by(dimension: Dimension, draft: Draft) -> bool:
    """Whether a group is said to be one: *by*, *per* or *each* stands before its name."""
    for place, said in draft.resolution.choice.items():
        if isinstance(said, Candidate) and said.member == dimension.member:
            before = draft.items[max(0, place - 2) : place]
            return any(item.is_cue("group") for item in before)
    return True
