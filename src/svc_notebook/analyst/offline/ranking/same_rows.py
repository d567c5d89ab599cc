"""Readings that ask for the same rows and differ in what they show of each: no doubt about what was asked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from ..forms import Clause, Form, Member, Missing, Role, SetOf
from ..forms.conditions import And, Condition
from .standing import Standing

__all__ = ["as_one"]


def as_one(order: Sequence[Standing], names: Callable[[str], Sequence[str]]) -> list[Standing]:
    """``order`` with those that show the same rows as the first as one: the first of them that shows what names its
    rows, with the score of the best.

    ``names``: of a relation, the members that its rows are known by.
    """
    first = order[0] if order else None
    if first is None or first.unread or first.by_rules or _is_said(first.form):
        return list(order)
    rows, held = _rows(first.form), _shown(first.form)
    same = [one for one in order if not one.unread and _rows(one.form) == rows]
    if rows is None or len(same) == 1:
        return list(order)
    known = set(names(rows[0].relation)) if held else set[str]()
    shown = next(
        (one for one in same if _shown(one.form) & known and held <= _shown(one.form) <= held | known), first
    )  # all that was to be shown still is, and what rows are known by beside it at most
    return [replace(shown, score=first.score), *(one for one in order if one not in same)]


def _rows(form: Form | SetOf | None) -> tuple[Role, Hashable] | None:
    """Which rows a form lists, whatever it shows of them; None where it lists none or shows more than single rows."""
    if not isinstance(form, Form) or not isinstance(form.root, Role) or form.compare is not None or not form.where:
        return None
    if (
        form.measures
        or form.having
        or form.limit
        or form.joins
        or any(_of(c) != form.root.relation for c in form.shown)
    ):
        return None
    held = frozenset(term for item in form.where for term in _terms(item.condition) if not _is_known(term))
    return (form.root, held) if held else None


def _shown(form: Form | SetOf | None) -> set[str]:
    clauses = form.shown if isinstance(form, Form) else ()
    return {clause.expression.path for clause in clauses if isinstance(clause.expression, Member)}


def _is_said(form: Form | SetOf | None) -> bool:
    """Whether what is shown was spoken of: ``which nations have hosts over 45`` asks for no hosts."""
    clauses = form.shown if isinstance(form, Form) else ()
    return any(clause.anchor.origin == "said" for clause in clauses)


def _of(clause: Clause) -> str:
    """Whose member is shown."""
    return clause.expression.relation if isinstance(clause.expression, Member) else ""


def _terms(condition: Condition) -> list[Condition]:
    return [one for term in condition.terms for one in _terms(term)] if isinstance(condition, And) else [condition]


def _is_known(condition: Condition) -> bool:
    """Whether it only says that something shown is there."""
    return isinstance(condition, Missing) and condition.negated
