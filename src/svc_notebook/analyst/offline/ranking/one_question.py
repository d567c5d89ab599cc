"""Readings that ask one question: by the key of what a row is of or by its name, values or how many rows have each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from ..forms import Aggregate, Clause, Expression, Form, Member, Role
from ..schema.metadata import Metadata

__all__ = ["as_one_question"]


def as_one_question(forms: Sequence[Form], metadata: Metadata) -> list[Form]:
    """``forms`` without those that ask what one before them does; of these, the one that shows names stands."""
    found: dict[Hashable, Form] = {}
    for form in forms:
        asked = _asked(form, metadata)
        if asked not in found or _tells(form, metadata) > _tells(found[asked], metadata):
            found[asked] = form
    return list(found.values())


def _asked(form: Form, metadata: Metadata) -> Hashable:
    """What a form asks, whichever way its groups are shown."""
    shown = [clause for clause in (*form.groups, *form.columns) if not clause.hidden]
    measures = tuple(clause.expression for clause in form.measures)
    listed = not (form.having or form.limit or form.order) and bool(shown)
    if listed and all(map(_counts_rows, form.measures)):
        measures = ()
    if not shown or not isinstance(form.root, Role) or form.compare is not None:
        return form
    groups = frozenset(_stands_for(clause.expression, metadata) for clause in shown)
    kind = bool(form.groups) or listed and len(shown) == 1
    if not kind or len(groups) < len(shown) and not _only_keys(shown, metadata):
        return form
    orders = tuple((order.by, order.descending) for order in form.order if order.by in measures)
    where = frozenset(item.condition for item in form.where)
    having = frozenset(item.condition for item in form.having)
    limit = (form.limit.count, form.limit.per, form.limit.skip) if form.limit is not None else None
    return form.root.relation, groups, measures, where, having, orders, limit


def _counts_rows(clause: Clause) -> bool:
    return isinstance(clause.expression, Aggregate) and clause.expression.function == "rows"


def _stands_for(of: Expression, metadata: Metadata) -> Hashable:
    """The relation whose rows a key or a label names; anything else is itself."""
    if not isinstance(of, Member) or of.path not in metadata.members:
        return of
    owner, referred = of.path.split(".", 1)[0], metadata.relation_referred(of.path)
    named = referred != owner or of.path in (metadata.key_of(owner), metadata.label_of(owner))
    return referred if named else of


def _only_keys(shown: Iterable[Clause], metadata: Metadata) -> bool:
    """Whether all that is shown names the same rows: their key beside their name."""
    return len({_stands_for(clause.expression, metadata) for clause in shown}) == 1


def _tells(form: Form, metadata: Metadata) -> int:
    """How much of what is shown is what rows are called; groups tell each value once."""
    paths = [c.expression.path for c in form.shown if isinstance(c.expression, Member)]
    labels = sum(path == metadata.label_of(path.split(".", 1)[0]) for path in paths)
    return 2 * labels + bool(form.groups)
