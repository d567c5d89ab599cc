"""Words of how many and of whom that no clause of a plan accounts for: *never*, *only*, *every*, *so many times*."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .... import patterns as re
from ..plans.plan import Condition, Exists, Having, Plan
from ..plans.walking import conditions_of
from ..walk.draft import Draft
from .denied import is_no

__all__ = ["quantities_lost"]

_NOBODY = re.compile(r"\b(?:never|nobody|no ?one)\b(?! (?:mind|more|less))")
_ONLY = re.compile(
    r"\b(?:who|that|which|have|has|had|ever|(?:which|how many) \w+|(?:who|that|which) \w+) (only)\b"
    r"|\w(?:ed|de|ht|ld) (only) (?:by|at|in|with|from|to)\b"
)
_BOTH = re.compile(r"\b(?:who|that|which|whose) (?:\w+ ){1,4}?(both) (?:of )?(?:the )?\w+s\b(?! and\b)")
_ALL = re.compile(
    r"\b(?:who|that|which|whose)(?! (?:show|list|tell|give|cover)s?\b)"
    r"(?: (?:have|has|had|was|were|are|did))?(?: \w+){0,2}?"
    r"(?: (?:in|at|on|from|to|for|of))? (every|each and every)(?: single)? (?!other\b)\w+"
)
_HAVING_ALL = re.compile(r"\b(?:have|has|had) (?:\w+ )?(every one|all) of (?:their|its|his|her)\b")
_TIMES = re.compile(
    r"\b(?:more than|over|at least|fewer than|less than|under|exactly|only)? ?\d+ (?:or more |or fewer )?(times)\b"
    r"(?! (?:as|more|less|higher|the)\b)|\b(?:more than|at least|only) (once|twice)\b|\b(twice) or more\b"
)

_APART = re.compile(r"\b(?:how many|number of|count of) (different|distinct|unique)\b(?! (?:from|than)\b)")


def quantities_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """The words of how many or of whom, of which nothing came."""
    said = " ".join(token.lower for token in draft.tokens)
    for pattern, is_held in _ACCOUNTS:
        found = pattern.search(said)
        if found is not None and not is_held(plan, draft):
            yield next((word for word in found.groups() if word), found.group().strip())


def _lacks(plan: Plan, draft: Draft) -> bool:
    """``never``: what rows have none of; another value of the same column is none of these."""
    lacking = any(e.negated for e in _exists(plan)) or any(h.operator in ("=", "<", "<=") for h in _havings(plan))
    of_rows = [c for c in _tests(plan) if c.operator in ("null", "false") or is_no(c.values)]
    return lacking or bool(plan.claim) or bool(of_rows) and _is_of_rows(plan, of_rows, draft)


def _excludes(plan: Plan, draft: Draft) -> bool:
    """``who only bought bread``: nothing else, which a condition on rows elsewhere does not say."""
    if _havings(plan) or any(e.negated for e in _exists(plan)) or plan.claim or plan.parts:
        return True
    return _is_of_rows(plan, plan.conditions, draft) and all(c.operator != "period" for c in plan.conditions)


def _is_of_rows(plan: Plan, tests: Sequence[Condition], draft: Draft) -> bool:
    """Whether what is tested are the rows that are told, each of which is one of what was asked for."""
    shown, meta = [*plan.columns, *(d.member for d in plan.dimensions)], draft.metadata
    counted = [meta.plain(m) for m in plan.measures]
    told = [m.member or f"{m.entity or plan.scope[0]}." for m in counted if m.aggregate.startswith("count")]
    subject = next(iter((*shown, *told)), None)
    if subject is None:
        return True
    kinds = plan.shape == "distinct" or not shown and counted[0].aggregate != "count"
    own = all(c.member.split(".", 1)[0] == subject.split(".", 1)[0] for c in tests)
    return own and (not kinds or subject not in meta.members or meta.profile(subject).unique)


def _several(plan: Plan, draft: Draft) -> bool:
    """``who had both trainers``: one and the other."""
    had = [e.relation for e in _exists(plan)]
    return bool(_havings(plan)) or len(set(had)) < len(had) or bool(plan.claim or plan.parts)


def _apart(plan: Plan, draft: Draft) -> bool:
    """``how many different makes``: each once, and no rows, unless the word behind it is for these."""
    meta = draft.metadata
    counted = [meta.plain(m) for m in plan.measures]
    if any(m.aggregate != "count" or m.member is not None for m in counted) or not counted:
        return True
    places = {token.lower: at for at, token in enumerate(draft.tokens)}
    behind = max(places.get(word, -1) for word in ("different", "distinct", "unique")) + 1
    items = [place for place, item in enumerate(draft.items) if item.start <= behind < item.end]
    return any(getattr(draft.resolution.choice.get(place), "relation", None) for place in items)


def _of_all(plan: Plan, draft: Draft) -> bool:
    """``who came every month``: as many as there are, or the one of each."""
    if plan.limit_per is not None or plan.claim or plan.parts or plan.nested is not None:
        return True
    return bool(_havings(plan)) or any(e.negated or e.operator for e in _exists(plan))


def _counted(plan: Plan, draft: Draft) -> bool:
    """``more than 10 times``: that many rows, and no number of a row."""
    counts = bool(_havings(plan)) or any(e.operator for e in _exists(plan)) or bool(plan.claim)
    shown = {c.member for c in _tests(plan) if c.values}
    named = any("times" in draft.metadata.parts(path) for path in shown if path in draft.metadata.members)
    return counts or named


def _tests(plan: Plan) -> list[Condition]:
    return [c for one in (plan, *plan.parts) for c in conditions_of(one)]


def _havings(plan: Plan) -> list[Having]:
    return [h for one in (plan, *plan.parts) for h in one.having]


def _exists(plan: Plan) -> list[Exists]:
    inner = (e for one in (plan, *plan.parts) for m in one.measures for e in m.exists)
    return [*(e for one in (plan, *plan.parts) for e in one.exists), *inner]


_ACCOUNTS: Sequence[tuple[re.Pattern[str], Callable[[Plan, Draft], bool]]] = (
    (_NOBODY, _lacks), (_ONLY, _excludes), (_ALL, _of_all), (_HAVING_ALL, _of_all), (_TIMES, _counted),
    (_BOTH, _several), (_APART, _apart),
)  # fmt: skip
