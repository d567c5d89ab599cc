"""``how many cars were towed`` over a column of their makes: different makes are no number of cars."""

from __future__ import annotations

from ..plans.plan import Plan
from ..plans.walking import conditions_of
from ..walk.draft import Draft
from ..words.text import stem
from ..words.thesaurus import related

__all__ = ["heads_unsaid"]

_OF_THINGS = frozenset(
    map(
        stem,
        "make model type kind class category colour color brand size group level status age gender sex grade style "
        "segment rating score".split(),
    )
)
"""What a thing has, at the end of a column's name: without it being said, the thing itself is meant."""


def heads_unsaid(plan: Plan, draft: Draft) -> tuple[str, ...]:
    """The noun that is counted by what its rows have, where nothing that was said is what is counted."""
    said = {token.stem for token in draft.tokens}
    for measure in plan.measures:
        picked = any(condition.member == measure.member for condition in conditions_of(plan))  # by one of its values
        if measure.member is None or picked or measure.aggregate not in ("count_distinct", "count_values"):
            continue
        *owner, head = draft.metadata.parts(measure.member)
        of_owner = {stem(part) for part in owner}
        if owner and stem(head) in _OF_THINGS and stem(head) not in said and not _is_like(head, draft, of_owner):
            return (_noun(draft, measure.member),)
    return ()


def _noun(draft: Draft, member: str) -> str:
    """The words that were taken for a column."""
    taken = (
        item.text for place, item in enumerate(draft.items)
        if getattr(draft.resolution.choice.get(place), "member", None) == member
    )  # fmt: skip
    return next(taken, member.rsplit(".", 1)[-1])


def _is_like(head: str, draft: Draft, owner: set[str]) -> bool:
    """Whether a word beside its owner's stands for the head: ``kinds of offence`` for an offence type."""
    near = related(stem(head))
    return any(token.stem in near and token.stem not in owner for token in draft.tokens)
