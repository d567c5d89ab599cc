"""Measures of several facts of one view in one query: each fact grouped by itself, then put together by their keys.

A group that only some of the facts have is there all the same, with 0 for the counts and NULL for the other measures of
the rest. Filters and policies hold for each fact that leads to what they are about.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from ...dialects.nodes import item, sql
from ...errors import InvalidQuery
from ...model import Measure, ViewMember
from ...policies.policy import members_of
from ...references import Reference
from ..authored.placing import placed
from ..binding.aggregate_calls import is_measure
from ..binding.binding import Binder
from ..join_tree.view_members import at_root
from ..names import fold
from ..plan.leaves import Filter, Leaf
from ..plan.measures import kind_of_measure
from ..plan.parts import together
from ..plan.source import ModelSource
from ..values import Bound
from .aggregate import AggregatePlan
from .columns import FactsRelation, MeasureColumn, ModelRelation
from .filter_contexts import default_filters
from .grouping import read_group
from .ranges import filters_of, terms_of
from .roots import crosses, measured_at
from .scope import Scope
from .select_list import SelectList

__all__ = ["FactsPlan", "facts_plan"]


def facts_plan(shape: SelectList, relation: FactsRelation) -> FactsPlan:
    """The plan of a grouped SELECT over several facts."""
    where = shape.select.args.get("where")
    terms = terms_of(where.this) if where is not None else []
    scopes = [shape.scope, *(_scope(shape.scope, part) for part in relation.parts[1:])]
    bound: list[list[Filter]] = []
    for part, scope in zip(relation.parts, scopes, strict=True):
        binder = Binder(shape.compilation, scope)
        applied = [term for term in terms if part in _concerned(shape, relation, term)]
        bound.append([item for term in applied for item in filters_of(binder, term)])
    named = {name for term in terms for name in _names(relation, term)}
    plans: list[AggregatePlan] = []
    for part, scope, filters in zip(relation.parts, scopes, bound, strict=True):
        own = Scope(relations=[part])
        filters += default_filters(own, filters, named)
        grouping = read_group(shape, Binder(shape.compilation, scope).bind)
        if plans:
            plans.append(AggregatePlan(part.source, scope, grouping, filters, alias=plans[0].alias))
            shape.compilation.filled |= {key.sql for key in grouping.keys}
        else:
            plans.append(FactsPlan(part.source, scope, grouping, filters))
    lead = plans[0]
    assert isinstance(lead, FactsPlan)
    lead.relation, lead.plans = relation, plans
    return lead


def _scope(scope: Scope, part: ModelRelation) -> Scope:
    return Scope(relations=[part], parent=scope.parent, ctes=scope.ctes, run=scope.run)


def _names(relation: FactsRelation, node: exp.Expr, *, nested: bool = True) -> list[str]:
    """The members of the view that an expression names."""
    own = [c for c in node.find_all(exp.Column) if not c.table or fold(c.table) == fold(relation.alias or "")]
    if not nested:
        own = [c for c in own if c.find_ancestor(exp.Query) is node.find_ancestor(exp.Query)]
    return list(dict.fromkeys(c.name for c in own if relation.part_of(c.name) is not None))


def _concerned(shape: SelectList, relation: FactsRelation, term: exp.Expr) -> list[ModelRelation]:
    """The facts a condition holds for: those that lead to all it names."""
    names = _names(relation, term, nested=False)
    found = [part for part in relation.parts if _has(part, names)]
    if not found or any(not _has(part, _names(relation, term)) for part in found):
        raise InvalidQuery(
            f"A condition on {' and '.join(_names(relation, term))} holds for no measure of this query as a whole; "
            "write one for each, joined by AND, or ask for each measure in a query of its own."
        )
    if len(found) < len(relation.parts):
        shape.compilation.note(f"the condition on {', '.join(names)} holds for the measures that it can apply to")
    return found


class FactsPlan(AggregatePlan):
    """The plan of the first fact, which puts the others' beside its own."""

    relation: FactsRelation
    plans: list[AggregatePlan]

    def _plan_of(self, source: ModelSource) -> AggregatePlan:
        return next(plan for plan in self.plans if plan.source is source)

    def measured(self, found: MeasureColumn) -> Bound:
        if found.entry.name in self.relation.crossed.exact:
            entry = found.entry
            assert isinstance(entry.member, Measure)
            self.source.policy.asked.use(entry.relation, entry.name, self.source.tree.root, entry.name)
            return self.shown(entry, self._crossed(entry.member))
        plan = self._plan_of(found.source)
        return super().measured(found) if plan is self else plan.measured(found)

    def _crossed(self, measure: Measure) -> Bound:
        """The view's own measure over measures of several facts."""
        if measure.type not in ("number", "string", "time", "boolean") or measure.filters or measure.rolling_window:
            raise InvalidQuery(f"'{measure.name}' is made of measures of several parts; give it the type number.")
        value = placed(measure.sql or "", lambda reference: self._referred(measure, reference))
        return Bound(sql("({})", value), kind_of_measure(measure))

    def _referred(self, measure: Measure, reference: Reference) -> str:
        """A measure of the view over ``q``, whoever may see it."""
        view, index = self.source.policy.view, self.source.tree.index
        assert view is not None
        names = [name for name in reference.path if name not in ("CUBE", "TABLE", view.name)]
        member = next((m for m in members_of(view) if names == [m.name]), None)
        if isinstance(member, Measure) and crosses(view, member):
            return self._crossed(member).sql
        for plan in self.plans if isinstance(member, (Measure, ViewMember)) else ():
            tree = plan.source.tree
            placed: object
            if isinstance(member, Measure) and measured_at(view, member, tree.root[0]):
                placed, path = at_root(index, view, tree, member), tree.root
            elif isinstance(member, ViewMember) and member.join_path[0] == tree.root[0]:
                placed, path = index.member(member.cube, member.member), tree.places[member.join_path]
            else:
                continue
            if isinstance(placed, Measure):
                plan.source.policy.asked.reach({path})
                return plan.value(path, placed).sql
        raise InvalidQuery(
            f"'{measure.name}' is calculated from measures of several parts of the view, and {reference} is no measure "
            "of it."
        )

    def filtered_measure(self, node: exp.Filter) -> Bound | None:
        if is_measure(node.this) or super().filtered_measure(node) is not None:
            raise InvalidQuery(
                "FILTER cannot follow a measure beside measures of other parts of the view; ask in a query of its own."
            )
        return None

    def aggregated(self, node: exp.Expr) -> Bound:
        names = _names(self.relation, node)
        able = [plan for plan, part in zip(self.plans, self.relation.parts, strict=True) if _has(part, names)]
        if len(able) != 1 or not names:
            raise InvalidQuery(
                "An aggregate beside measures of several parts of a view needs columns of one of them; write "
                "MEASURE(…) of a measure, or ask in a query of its own."
            )
        return super().aggregated(node) if able[0] is self else able[0].aggregated(node)

    def sql(self) -> str:
        """Each fact's statement, put together by the keys; a group that a fact does not have counts 0 in it."""
        leaves = [plan.leaves for plan in self.plans]
        zeros = {leaf.name for leaf in _all(leaves) if leaf.over_nothing == "0"}
        text = together(self.grouping, leaves, [plan.grouped() for plan in self.plans], dict.fromkeys(zeros, "0"))
        return item(f"({{}}) AS {self.alias}", self.filled(self.finished(text, self.plans), self.plans))


def _has(part: ModelRelation, names: Iterable[str]) -> bool:
    return all(part.entries.get(name) is not None for name in names)


def _all(groups: list[list[Leaf]]) -> list[Leaf]:
    return [leaf for group in groups for leaf in group]
