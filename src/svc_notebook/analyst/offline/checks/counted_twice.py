"""Plans that count the same things twice: *different destinations and destinations served*, or one in each of them."""

from __future__ import annotations

from itertools import combinations

from ..forms import Form, SetOf
from ..plans.outline import outline
from ..plans.plan import Measure, Plan
from ..schema.counted import counts_values_of
from ..schema.metadata import Metadata
from ..walk.draft import Draft

__all__ = ["counts_twice", "is_counted_twice"]


def counts_twice(form: Form | SetOf, metadata: Metadata) -> bool:
    """:func:`is_counted_twice` for a form."""
    of_some = isinstance(form, Form) and (len(form.measures) > 1 or bool(form.measures and form.groups))
    return of_some and _twice(outline(form, metadata), metadata)


def is_counted_twice(plan: Plan, draft: Draft) -> bool:
    """Whether two numbers of a plan are one, or its one number is of the very things that it is grouped by."""
    return _twice(plan, draft.metadata)


def _twice(plan: Plan, meta: Metadata) -> bool:
    if any(_same(meta, one, other) or _same(meta, other, one) for one, other in combinations(plan.measures, 2)):
        return True
    if plan.nested is not None and _one_each(meta, plan):
        return True
    by = [each.member for each in plan.dimensions if not each.grain and not each.bin]
    return len(plan.measures) == 1 and any(_is_of(meta, plan.measures[0], member) for member in by)


def _one_each(meta: Metadata, plan: Plan) -> bool:
    """``orders per order``: rows that are counted for each of themselves."""
    path = plan.nested.dimension.member if plan.nested is not None else ""
    keyed = path in meta.members and meta.members[path].primary_key and path.split(".", 1)[0] == plan.scope[0]
    return keyed and all(meta.plain(m).aggregate == "count" and not m.conditions for m in plan.measures)


def _same(meta: Metadata, one: Measure, other: Measure) -> bool:
    """Whether the model counts as one number what is counted anew as the other."""
    plain = other.aggregate == "count_distinct" and not other.conditions and other.member is not None
    return plain and _is_of(meta, one, str(other.member))


def _is_of(meta: Metadata, measure: Measure, member: str) -> bool:
    of_model = measure.aggregate == "measure" and measure.member is not None and not measure.conditions
    return of_model and counts_values_of(meta, str(measure.member), member)
