"""Numbers that several rows make together (from a lead to its first quote), aggregated over a form of theirs."""

from __future__ import annotations

from typing import Any

from ..forms import Aggregate, Clause, Difference, Expression, Filter, Form, Member, Order, Output, Ratio
from ..forms.walking import changed, has_aggregate, parts
from ..schema.metadata import Metadata

__all__ = ["nested"]


def nested(form: Form, metadata: Metadata) -> Form | None:
    """The form with one row of an inner form for each thing whose rows make a number together; None where nothing
    tells those apart.
    """
    found = _together(form)
    # Most forms: nothing of them is made by several rows.
    if found is None:
        return form
    key = _whose(found, metadata)
    if key is None:
        return None
    tests = tuple(item for item in form.where if _holds(item.condition, found))
    base = form.with_(where=tuple(item for item in form.where if item not in tests))
    if form.columns or not form.measures:
        return _listed(base, found, key, tests)
    groups = tuple(clause for clause in form.groups if not clause.hidden and clause.expression != Member(key))
    own = form.groups and len(groups) < len(form.groups) and not _is_folded(form, found)
    if own:
        return form
    inner = base.with_(
        groups=(Clause(Member(key)), *groups), measures=(Clause(found),), having=tests, order=(), limit=None
    )
    known = (found, *(clause.expression for clause in groups))

    def over(part: Any) -> Any:
        return Output(part) if part in known else part

    return Form(
        inner, groups=changed(groups, over), measures=changed(form.measures, over), having=changed(form.having, over),
        order=changed(form.order, over), limit=form.limit,
    )  # fmt: skip


def _listed(base: Form, found: Expression, key: str, tests: tuple[Filter, ...]) -> Form:
    """Those whose rows make the number, with it."""
    shown = tuple(c for c in (*base.groups, *base.columns) if c.expression != found)
    whose = () if any(c.expression == Member(key) for c in shown) else (Clause(Member(key), hidden=True),)
    order = tuple(Order(o.by, o.descending, o.anchor) for o in base.order)
    measures = () if not _holds((base.columns, base.order), found) else (Clause(found),)
    return base.with_(groups=(*shown, *whose), columns=(), measures=measures, having=tests, order=order)


def _together(form: Form) -> Expression | None:
    """The one number that rows make together and that is not what the groups of the form show of themselves."""
    places = (form.groups, form.columns, form.where)
    found = {part for part in parts(places, inner=False) if _is_together(part)}
    for clause in (*form.measures, *form.having, *form.order):
        for part in parts(clause, inner=False):
            if isinstance(part, Aggregate) and part.of is not None and has_aggregate(part.of):
                found |= {inner for inner in parts(part.of, inner=False) if _is_together(inner)}
    whole = [one for one in found if not any(one is not other and one in set(parts(other)) for other in found)]
    # Two such numbers would need two inner forms.
    return whole[0] if len(whole) == 1 else None


def _is_together(part: Any) -> bool:
    if isinstance(part, Ratio) and isinstance(part.above, Difference):
        return _is_together(part.above)
    return isinstance(part, Difference) and has_aggregate((part.start, part.end))


def _is_folded(form: Form, found: Expression) -> bool:
    wholes = (form.measures, form.having, form.order)
    return any(isinstance(p, Aggregate) and p.of == found for p in parts(wholes, inner=False))


def _holds(where: Any, found: Expression) -> bool:
    return any(part == found for part in parts(where, inner=False))


def _whose(found: Expression, metadata: Metadata) -> str | None:
    """The key of what the rows are of: of the relation that the others refer to, or what the rows of one refer by."""
    relations = list(dict.fromkeys(part.relation for part in parts(found) if isinstance(part, Member)))
    top = [r for r in relations if all(r == o or metadata.leads_to(o, r) for o in relations)]
    if len(relations) > 1:
        key = metadata.key_of(top[0]) if len(top) == 1 else None
        return key if key in metadata.members else None
    [relation] = relations
    pairs = [pair for other in metadata.edges[relation] if (pair := metadata.join_keys(relation, other)) is not None]
    # By what tells the most apart: a vet has many visits, a pet few.
    return max((near for near, _ in pairs), key=lambda path: metadata.profile(path).distinct, default=None)
