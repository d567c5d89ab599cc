"""Grouped queries over a model source: every aggregate over the rows of its own cube, once each, joined on the keys.

The shape is always two-level: an inner statement ``q`` that gives group keys and aggregates (see :mod:`.plan`), and the
SELECT as asked around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from sqlglot import exp

from ...dialects.nodes import item, word
from ...errors import InvalidQuery, QueryError
from ...model import Measure
from ..binding.aggregate_calls import AggregateCall, aggregate_call, is_aggregate, is_measure, measure_argument
from ..binding.binding import Binder
from ..join_tree.entries import Entry, Use
from ..join_tree.rows import Told
from ..join_tree.steps import Path
from ..plan.gapfill import filled, gapfills
from ..plan.leaves import Filter, Grouping, Leaf
from ..plan.measures import counts_every_row, local_time
from ..plan.plan import MeasurePlan
from ..plan.source import ModelSource
from ..refusals import check_args
from ..values import Bound
from .columns import MeasureColumn
from .measured_rows import fits
from .ranges import conditions
from .scope import Scope, unknown_member

__all__ = ["AggregatePlan"]


class AggregatePlan(MeasurePlan):
    """One grouped SELECT over one model source. ``binder`` gives expressions over the inner statement ``q``."""

    def __init__(
        self,
        source: ModelSource,
        scope: Scope,
        grouping: Grouping,
        filters: list[Filter],
        *,
        alias: str | None = None,
    ) -> None:
        super().__init__(source, grouping, filters, alias=alias)
        self.scope = scope
        self.rows = Binder(self.compilation, scope)
        self.binder = Binder(self.compilation, scope, self._hook)
        scope.outer = self._outer
        source.prepare(grouping, filters)

    # --- binding ---------------------------------------------------------------------------------------------------

    def _hook(self, node: exp.Expr) -> Bound | None:
        if is_measure(node):
            return self._measure_call(node)
        if is_aggregate(node):
            return self._aggregate(node)
        if isinstance(node, exp.Grouping):
            return self._grouped_by(node)
        matched = self._match(node)
        if matched is not None:
            return matched
        if isinstance(node, exp.Column):
            found = self.scope.lookup(node.table or None, node.name)
            if isinstance(found, MeasureColumn):
                return self.measured(found)
            if found is not None:
                raise InvalidQuery(f"'{node.name}' must stand in GROUP BY or inside an aggregate.")
        return None

    def _grouped_by(self, node: exp.Grouping) -> Bound:
        """``GROUPING(a, b)``: a bit for each, set where the row is a total over it."""
        if self.grouping.structure is None or not node.expressions:
            raise InvalidQuery("GROUPING(…) names columns of a GROUP BY with ROLLUP, CUBE or GROUPING SETS.")
        found = [self.rows.bind(part).sql for part in node.expressions]
        keys = [key.sql for key in self.grouping.keys]
        if missing := [part for part, sql in zip(node.expressions, found, strict=True) if sql not in keys]:
            raise InvalidQuery(f"GROUPING names {missing[0].sql()}, which is not in GROUP BY.")
        last, most = len(keys) - 1, len(found) - 1
        bits = [f"((({self.alias}.g >> {last - keys.index(sql)}) & 1) << {most - i})" for i, sql in enumerate(found)]
        return Bound(word(f"({' + '.join(bits)})"), "number", frozenset(), True)

    def _outer(self, column: exp.Column) -> Bound:
        found = self._hook(column)
        return found if found is not None else self.rows.bind(column)

    def _match(self, node: exp.Expr) -> Bound | None:
        """The group key that ``node`` is, compared as bound SQL."""
        if not self.grouping.keys or isinstance(node, (exp.Literal, exp.Boolean, exp.Null, exp.Interval)):
            return None
        if not isinstance(node, exp.Column) and (node.find(exp.Column) is None or _holds_aggregate(node)):
            return None
        try:
            # By what it comes to, not by how it is written: `t.a`, `a` and `"a"` are one key.
            bound = self.rows.bind(node)
        except QueryError:
            return None
        for i, key in enumerate(self.grouping.keys):
            if key.sql == bound.sql:
                return self.key(i)
        return None

    def _measure_call(self, node: exp.Expr) -> Bound:
        argument = measure_argument(node)
        if not isinstance(argument, exp.Column):
            raise InvalidQuery("MEASURE takes the name of one measure.")
        found = self.scope.lookup(argument.table or None, argument.name)
        if found is None:
            raise unknown_member(self.scope, argument.table or None, argument.name)
        if not isinstance(found, MeasureColumn):
            raise InvalidQuery(
                f"'{argument.name}' is not a measure; use it without MEASURE, or in an aggregate such as "
                f"COUNT(DISTINCT {argument.name})."
            )
        return self.measured(found)

    def _aggregate(self, node: exp.Expr) -> Bound:
        measure = self._measure_inside(node)
        return self.aggregated(node) if measure is None else measure

    def aggregated(self, node: exp.Expr) -> Bound:
        """An aggregate over columns of the rows."""
        outer, self.scope.outer = self.scope.outer, None  # inside the aggregate a nested query sees rows, not groups
        try:
            call = aggregate_call(self.rows, node)
        finally:
            self.scope.outer = outer
        home = self._home(call)
        if home is not None and (counted := self._count_held(home, call)) is not None:
            return self.value(home, counted)
        value = Bound.of("", call.kind, *call.args) if call.args else Bound("", call.kind)
        key = (call.render([a.sql for a in call.args]), home)
        bound = self.leaf(Leaf("", home, call), key, call.kind, value.growth)
        return replace(bound, narrow=value.narrow, zoned=value.zoned, listed=call.listed)

    def _count_held(self, home: Path, call: AggregateCall) -> Measure | None:
        """The measure by which a rollup holds how many rows there are, where they are counted."""
        rolled = self.source.tree.index.rolled(home[-1]) if call.every_row else None
        if rolled is None or call.args:
            return None
        measures = self.source.tree.index.cube(rolled.cube).measures
        return next((m for m in measures if m.name in rolled.measures and counts_every_row(m)), None)

    def _measure_inside(self, node: exp.Expr) -> Bound | None:
        """``SUM(total_amount)`` and the like over a measure: the measure itself, if the kinds agree."""
        if isinstance(node, exp.Filter):
            return self.filtered_measure(node)
        inner = node.this
        if isinstance(inner, exp.Distinct):
            inner = inner.expressions[0] if len(inner.expressions) == 1 else None
        if not self._names_measure(inner):
            return None
        found = self.scope.lookup(inner.table or None, inner.name)
        assert isinstance(found, MeasureColumn)
        assert isinstance(found.entry.member, Measure)
        if not fits(found.entry.member, node):
            kind = found.entry.member.type
            raise InvalidQuery(f"'{inner.name}' is a measure of type {kind}; write MEASURE({inner.name}).")
        return self.measured(found)

    def filtered_measure(self, node: exp.Filter) -> Bound | None:
        """``MEASURE(x) FILTER (WHERE …)``: the measure over those of the rows that pass one more condition."""
        argument = getattr(node.this, "this", None)
        named = argument.expressions[0] if isinstance(argument, exp.Distinct) else argument
        if not is_measure(node.this) and not (is_aggregate(node.this) and self._names_measure(named)):
            return None
        check_args(node, ("this", "expression"))
        outer, self.scope.outer = self.scope.outer, None
        try:
            self.only = conditions(self.rows, node.args["expression"].this)
            value = self._measure_call(node.this) if is_measure(node.this) else self._measure_inside(node.this)
        finally:
            self.only, self.scope.outer = (), outer
        return value and replace(value, member=None)

    def _names_measure(self, node: object) -> bool:
        return (
            isinstance(node, exp.Column)
            and not isinstance(node.this, exp.Star)
            and isinstance(self.scope.lookup(node.table or None, node.name), MeasureColumn)
        )

    def _home(self, call: AggregateCall) -> Path | None:
        """The cube over whose rows a plain aggregate runs; None for the joined rows as they are."""
        tree = self.source.tree
        if call.every_row and len(self.source.joined) > 1:
            return None  # cubes joined by name: the joined rows are counted, as SQL does
        uses: frozenset[Use] = frozenset().union(*(a.uses for a in call.args))
        grains = {tree.grain(path) for path in self.source.paths_of(uses)} or {tree.root}
        for home in sorted(grains, key=len, reverse=True):
            if all(tree.determines(home, other) for other in grains):
                return home if tree.is_keyed(home) else None
        return None

    # --- measures --------------------------------------------------------------------------------------------------

    def measured(self, found: MeasureColumn) -> Bound:
        """A measure as an expression over ``q``, masked where the policy says so."""
        entry = found.entry
        assert isinstance(entry.member, Measure)
        self.source.use_measure(entry)
        value = self.value(entry.path, entry.member)
        local = local_time(self.source, entry.path, entry.member, value.sql)
        return self.shown(entry, replace(value, sql=local))

    def shown(self, entry: Entry, value: Bound) -> Bound:
        """The value of a measure as this asker may see it."""
        measure, policy = entry.member, self.source.policy
        assert isinstance(measure, Measure)
        if all(self.compilation.access(name).grants is None for name in (entry.relation, entry.path[-1])):
            return replace(value, member=entry.label)

        def told() -> Told:
            masked = policy.is_masked(entry.relation, entry.name)
            text = policy.measure_mask(measure.mask) if masked else value.sql
            return Told((entry.relation, entry.name), text, masked)

        return Bound(self.compilation.tell(policy.asked, told), value.kind, member=entry.label)

    # --- the inner statement ---------------------------------------------------------------------------------------

    def sql(self) -> str:
        return item(f"({{}}) AS {self.alias}", self.filled(self.finished(self.grouped(), [self]), [self]))

    def filled(self, text: str, plans: Sequence[MeasurePlan]) -> str:
        """``text`` with the periods in which nothing happened, where they are wanted."""
        names = [name for plan in plans for name in plan.names]
        zeros = {name for plan in plans for name in plan.zeros}
        for fill in gapfills(self.source, self.grouping, self.filters):
            text = filled(fill, text, len(self.grouping.keys), names, zeros)
        return text


def _holds_aggregate(node: exp.Expr) -> bool:
    return any(is_aggregate(n) or is_measure(n) or isinstance(n, (exp.Window, exp.Query)) for n in node.walk())
