"""Answers of another kind than was asked for: rows for *which more*, no place for *where*, one row for a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .... import patterns as re
from ..plans.plan import Condition, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..walk.draft import Draft
from .second_question import PLACES

__all__ = ["otherwise_answered", "tests_unsaid_flags"]

_WHERE = re.compile(r"^\W*where (?:is|are|was|were|does|do|did)\b")
_MORE = re.compile(
    r"\bor\b.*\bwhich\b.*\b(more|most|less|better|worse)\b|\bwhich\b.*\b(more|most|less|better|worse)\b.*\bor\b"
)
_LASTS = re.compile(
    r"\bwhich (?:\w+ ){1,3}(?:takes?|took|needs?|is|are|runs?|lasts?) (?:the )?"
    r"(longest|slowest|fastest|quickest|shortest)"
)
_EACH = frozenset({"each", "of each", "for each", "in each", "every", "for every", "of every", "in every"})
_PLACED = PLACES | {"origin", "from", "to", "port", "station", "room", "branch", "building", "site", "town", "home"}


def otherwise_answered(plan: Plan, draft: Draft) -> Iterator[str]:
    """The words that ask for something else than a plan tells."""
    for check in _CHECKS:
        yield from check(plan, draft)


def tests_unsaid_flags(plan: Plan, draft: Draft) -> bool:
    """``how many are still open`` of those that were escalated: of a flag that no word of the question names."""
    of_rows = [any(one.member is None for one in item.names) for item in draft.items]  # whose columns all bear its name
    own = [item for item, is_rows in zip(draft.items, of_rows, strict=True) if not is_rows]
    named = {one.member for item in own for one in (*item.names, *item.also)}
    return any(c.operator in ("true", "false") and c.member not in named for c in plan.conditions)


def _place_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``where is Domori from``: a place."""
    meta, said = draft.metadata, " ".join(token.lower for token in draft.tokens)
    shown = [path for path in (*plan.columns, *(d.member for d in plan.dimensions)) if path in meta.members]
    if _WHERE.search(said) and shown and not plan.claim:
        named = {one.member for item in draft.items for one in item.names}
        if not any(_PLACED & set(meta.parts(path)) or path in named for path in shown):
            yield "where"


def _more_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``petrol or diesel, which comes in more``: one number beside the other, and no rows of both."""
    found = _MORE.search(" ".join(token.lower for token in draft.tokens))
    rows = plan.shape in ("rows", "distinct") and not plan.order and plan.limit is None
    if found is not None and rows and not plan.claim and not plan.having:
        yield next(word for word in found.groups() if word)


def _kind_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``which type takes longest``: of all its rows, and not the type of the longest one."""
    found = _LASTS.search(" ".join(token.lower for token in draft.tokens))
    path = plan.columns[0] if plan.columns else None
    if found is None or path not in draft.metadata.members or plan.shape == "aggregate" or plan.limit != 1:
        return
    meta, kind = draft.metadata, str(path)
    if meta.members[kind].type == "string" and not meta.is_key(kind) and not meta.profile(kind).unique:
        yield found.group(1)


def _beyond_all(plan: Plan, draft: Draft) -> Iterator[str]:
    """``with over 20 ratings`` where the best is a 5: so many of them."""
    for place, item in enumerate(draft.items[:-1] if plan.dimensions else ()):
        said = draft.resolution.choice.get(place + 1)
        if item.kind == "number" and item.number is not None and isinstance(said, Candidate):
            tests = [c for c in plan.conditions if c.member == said.member and item.number in c.values]
            if any(c.operator in (">", ">=") and _is_beyond(c, draft.metadata) for c in tests):
                yield item.text


def _is_beyond(condition: Condition, meta: Metadata) -> bool:
    high, bound = as_number(meta.profile(condition.member).high), as_number(condition.values[0])
    return high is not None and bound is not None and bound > high


def _each_of_others(plan: Plan, draft: Draft) -> Iterator[str]:
    """``what share of each company's bars is organic``: for each company, and not for each kind of bar."""
    meta = draft.metadata
    nested = [plan.nested.dimension] if plan.nested is not None else []
    grouped = {d.member for p in (plan, *plan.parts) for d in (*p.dimensions, *nested)}
    if plan.shape != "aggregate" or not grouped or plan.exists or plan.having:
        return
    owners = {
        of for path in grouped if path in meta.members for of in (path.split(".", 1)[0], meta.relation_referred(path))
    }
    for place, item in enumerate(draft.items[:-1]):
        said = draft.resolution.choice.get(place + 1)
        if not (item.is_cue("group") and item.text.lower() in _EACH and isinstance(said, Candidate) and said.full):
            continue
        held = said.relation in owners if said.member is None else said.member in grouped or meta.is_time(said.member)
        if not held and not (said.member is not None and meta.relation_referred(said.member) in owners):
            yield item.text


_CHECKS: Sequence[Callable[[Plan, Draft], Iterator[str]]] = (
    _place_lost, _more_lost, _kind_lost, _beyond_all, _each_of_others,
)  # fmt: skip
