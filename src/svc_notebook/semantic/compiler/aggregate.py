"""Grouped queries over a model source: every aggregate over the rows of its own cube, once each, joined on the keys.

The shape is always two-level: an inner statement ``q`` that gives group keys ``k0…`` and aggregates ``a0…`` (see
:mod:`.parts`), and the SELECT as asked around it. Measures over measures become expressions over ``q``; those that are
evaluated at another grain are joined to it, and ranks are computed over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from ..errors import InvalidQuery, QueryError
from ..model import Dimension, Measure
from ..references import Reference, ResolvedReference, substitute
from .aggregate_calls import AggregateCall, aggregate_call, is_aggregate, is_measure, measure_argument
from .expressions import Binder
from .gapfill import filled, gapfills
from .grains import added, kept_filters, rolling_of, stays
from .measures import is_calculated, kind_of_measure, leaf_spec, raw_spec
from .parts import Filter, Grouping, Leaf, Shift, inner_sql, shift_of
from .rolling import Rolling
from .scope import MeasureColumn, MeasureMismatch, Scope, unknown_member
from .source import Entry, ModelSource, Use
from .tree import Path
from .values import Bound
from .written import apart

__all__ = ["AggregatePlan"]

_MATCHING = {
    "count": (exp.Count, exp.Sum), "sum": (exp.Sum,), "avg": (exp.Avg,), "min": (exp.Min,), "max": (exp.Max,),
    "count_distinct": (exp.Count,), "count_distinct_approx": (exp.Count, exp.ApproxDistinct),
    "time": (exp.Min, exp.Max), "string": (exp.GroupConcat,),
}  # fmt: skip
_OVER_STAGE = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}


@dataclass
class _Stage:
    """A value at another grain: a plan of its own, joined on the keys they share."""

    name: str
    plan: AggregatePlan
    value: Bound
    shared: list[tuple[int, int]]  # key here, key there
    over: str | None  # the aggregate that takes its finer rows together


class AggregatePlan:
    """One grouped SELECT over one model source. ``binder`` gives expressions over the inner statement ``q``."""

    def __init__(
        self,
        source: ModelSource,
        scope: Scope,
        grouping: Grouping,
        filters: list[Filter],
        *,
        outermost: bool = True,
        asked: list[Filter] | None = None,
    ) -> None:
        self.source = source
        self.scope = scope
        self.grouping = grouping
        self.filters = filters
        self.asked = filters if asked is None else asked  # the query's own, whatever measures around did to them
        self.compilation = source.compilation
        self.alias = self.compilation.fresh("q")
        self.rows = Binder(self.compilation, scope)
        self.binder = Binder(self.compilation, scope, self._hook)
        self._leaves: dict[tuple[object, ...], Leaf] = {}
        self._stages: dict[tuple[object, ...], _Stage] = {}
        self._ranks: dict[str, str] = {}
        self.outermost = outermost
        if outermost:
            scope.outer = self._outer

    def key(self, i: int) -> Bound:
        bound = self.grouping.keys[i]
        return Bound(f"{self.alias}.k{i}", bound.kind, frozenset(), True, member=bound.member, growth=bound.growth)

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
                return self.measure(found.entry)
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
        return Bound(f"({' + '.join(bits)})", "number", frozenset(), True)

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
        return self.measure(found.entry)

    def _aggregate(self, node: exp.Expr) -> Bound:
        measure = self._measure_inside(node)
        if measure is not None:
            return measure
        outer, self.scope.outer = self.scope.outer, None  # inside the aggregate a nested query sees rows, not groups
        try:
            call = aggregate_call(self.rows, node)
        finally:
            self.scope.outer = outer
        home = self._home(call)
        value = Bound.of("", call.kind, *call.args) if call.args else Bound("", call.kind)
        return self._leaf(
            Leaf("", home, call), (call.render([a.sql for a in call.args]), home), call.kind, value.growth
        )

    def _measure_inside(self, node: exp.Expr) -> Bound | None:
        """``SUM(total_amount)`` and the like over a measure: the measure itself, if the kinds agree."""
        if isinstance(node, exp.Filter):
            if is_measure(node.this) or self._names_measure(getattr(node.this, "this", None)):
                raise InvalidQuery("FILTER after an aggregate of a measure is not available; filter in WHERE.")
            return None
        inner = node.this
        distinct = isinstance(inner, exp.Distinct)
        if distinct:
            inner = inner.expressions[0] if len(inner.expressions) == 1 else None
        if not self._names_measure(inner):
            return None
        found = self.scope.lookup(inner.table or None, inner.name)
        assert isinstance(found, MeasureColumn)
        assert isinstance(found.entry.member, Measure)
        kind = found.entry.member.type
        fits = kind in ("number", "rank") or isinstance(node, _MATCHING.get(kind, ()))
        if not fits or distinct != (kind.startswith("count_distinct") and isinstance(node, exp.Count)):
            raise MeasureMismatch(f"'{inner.name}' is a measure of type {kind}; write MEASURE({inner.name}).")
        return self.measure(found.entry)

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
                return home if tree.key(home) else None
        return None

    # --- measures --------------------------------------------------------------------------------------------------

    def measure(self, entry: Entry) -> Bound:
        """A measure as an expression over ``q``, masked where the policy says so."""
        measure = entry.member
        assert isinstance(measure, Measure)
        source = self.source
        source.use_measure(entry)
        value = self.value(entry.path, measure)
        if self.compilation.access(entry.relation).grants is None:
            return replace(value, member=entry.label)

        def text() -> str:
            return (measure.mask or "NULL") if source.policy.is_masked(entry.relation, entry.name) else value.sql

        return Bound(self.compilation.defer(text), value.kind, member=entry.label)

    def value(self, path: Path, measure: Measure, shifts: tuple[Shift, ...] = ()) -> Bound:
        """A measure of the cube at ``path`` over ``q``."""
        if measure.time_shift:
            moved = tuple(shift_of(s, measure.name) for s in measure.time_shift)
            return self.value(path, replace(measure, time_shift=()), (*shifts, *moved))
        if measure.type == "rank":
            return self._rank(path, measure, shifts)
        grained = measure.group_by is not None or measure.reduce_by or measure.add_group_by
        if measure.multi_stage and (grained or measure.filter is not None):
            return self._stage(path, measure, shifts)
        fragment = self.source.tree.index.fragment(measure.sql) if measure.sql else None
        if measure.multi_stage and fragment is not None and not is_calculated(measure):
            return self._calculated(path, measure, shifts)  # an aggregate of one value is that value
        if (
            is_calculated(measure)
            and fragment is not None
            and not fragment.aggregates
            and measure.rolling_window is None
        ):
            return self._calculated(path, measure, shifts)
        rolling = rolling_of(self.source, self.grouping, self.filters, measure)
        if is_calculated(measure):
            return self._written(path, measure, shifts, rolling)
        spec = leaf_spec(self.source, path, measure)
        leaf = Leaf("", spec.home, spec, shifts, rolling)
        return self._leaf(leaf, (path, measure.name, shifts, rolling), spec.kind)

    def _written(self, path: Path, measure: Measure, shifts: tuple[Shift, ...], rolling: Rolling | None) -> Bound:
        """A calculated measure that holds aggregates of its own: each is evaluated as a measure would be."""

        def piece(text: str) -> str:
            spec = raw_spec(self.source, path, measure, text)
            leaf = Leaf("", spec.home, spec, shifts, rolling)
            return self._leaf(leaf, (path, measure.name, text, shifts, rolling), spec.kind).sql

        text = self.source.tree.index.fragment(measure.sql or "").text
        taken = apart(text, piece)
        sql = piece(text) if taken is None else substitute(taken, self._reference(path, measure, shifts))
        return Bound(f"({sql})", kind_of_measure(measure))

    def _calculated(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Bound:
        fragment = self.source.tree.index.fragment(measure.sql or "")
        sql = substitute(fragment.text, self._reference(path, measure, shifts))
        return Bound(f"({sql})", kind_of_measure(measure))

    def _reference(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Callable[[Reference], str]:
        tree = self.source.tree

        def replace_reference(reference: Reference) -> str:
            resolved = tree.resolve(path, reference)
            node = tree.walk(path, resolved.join_path)
            member = tree.index.member(node[-1], resolved.member) if resolved.member else None
            if isinstance(member, Dimension):
                return self._key_of(node, resolved, measure)
            if not isinstance(member, Measure):
                raise InvalidQuery(f"The measure '{measure.name}' uses {reference} outside an aggregate.")
            self.source.policy.reach({node})
            return self.value(node, member, shifts).sql

        return replace_reference

    def _key_of(self, node: Path, resolved: ResolvedReference, measure: Measure) -> str:
        """A dimension inside a calculated measure: it must be one of the group keys."""
        for i, key in enumerate(self.grouping.keys):
            entry, granularity = self.source.entry_and_grain(key)
            if (
                entry is not None
                and entry.path == node
                and entry.member.name == resolved.member
                and granularity == resolved.granularity
            ):
                return self.key(i).sql
        for item in self.filters:
            if item.equal is not None and item.of is not None and item.of[0] == self.source.alias:
                entry = self.source.entry_of(item.of[1])
                if entry is not None and entry.path == node and entry.member.name == resolved.member:
                    return item.equal
        raise InvalidQuery(
            f"The measure '{measure.name}' needs '{resolved.member}' in GROUP BY, or one value of it in WHERE."
        )

    def _leaf(self, leaf: Leaf, key: tuple[object, ...], kind: str, growth: int = 1) -> Bound:
        known = self._leaves.get(key)
        if known is None:
            leaf.name = self.compilation.fresh("a")
            known = self._leaves[key] = leaf
        return Bound(f"{self.alias}.{known.name}", kind, growth=growth)

    # --- other grains ----------------------------------------------------------------------------------------------

    def _stage(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Bound:
        """A measure evaluated at the grain its ``group_by``, ``reduce_by`` and ``add_group_by`` make of the keys."""
        if self.grouping.structure is not None:
            raise InvalidQuery(f"'{measure.name}' cannot be combined with ROLLUP, CUBE or GROUPING SETS.")
        cache = (path, measure.name, shifts)
        stage = self._stages.get(cache)
        if stage is None:
            kept = [i for i, key in enumerate(self.grouping.keys) if stays(self.source, path, measure, key)]
            keys = [self.grouping.keys[i] for i in kept]
            extra = [added(self.source, path, name) for name in measure.add_group_by or ()]
            grouping = Grouping([*keys, *extra])
            filters = kept_filters(self.source, path, measure, self.filters, self.asked)
            plan = AggregatePlan(self.source, self.scope, grouping, filters, outermost=False, asked=self.asked)
            plain = replace(measure, group_by=None, reduce_by=None, add_group_by=None, filter=None)
            value = plan.value(path, plain, shifts)
            over = (_OVER_STAGE.get(measure.type) or "ANY_VALUE") if extra else None
            shared = [(i, j) for j, i in enumerate(kept)]
            stage = self._stages[cache] = _Stage(self.compilation.fresh("a"), plan, value, shared, over)
        return Bound(f"{self.alias}.{stage.name}", kind_of_measure(measure))

    def _rank(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Bound:
        kept = [self.key(i).sql for i, key in enumerate(self.grouping.keys) if stays(self.source, path, measure, key)]
        order = []
        for text, direction in measure.order_by:
            value = self._calculated(path, replace(measure, sql=text), shifts)
            order.append(f"{value.sql}{' DESC' if direction.lower() == 'desc' else ''} NULLS LAST")
        window = (f"PARTITION BY {', '.join(kept)} " if kept else "") + f"ORDER BY {', '.join(order)}"
        name = next((n for n, w in self._ranks.items() if w == window), None)
        if name is None:
            name = self.compilation.fresh("a")
            self._ranks[name] = window
        return Bound(f"{self.alias}.{name}", "number")

    # --- the inner statement ---------------------------------------------------------------------------------------

    def sql(self) -> str:
        """The inner statement as a FROM item."""
        text = inner_sql(self.source, self.grouping, self.filters, list(self._leaves.values()))
        for number, stage in enumerate(self._stages.values()):
            text = self._with_stage(text, stage, number)
        for name, window in self._ranks.items():
            text = f"SELECT {self.alias}.*, RANK() OVER ({window}) AS {name} FROM ({text}) AS {self.alias}"
        if self.outermost:
            for fill in gapfills(self.source, self.grouping, self.filters):
                names = [*self._leaves_named(), *(stage.name for stage in self._stages.values()), *self._ranks]
                zeros = {leaf.name for leaf in self._leaves.values() if leaf.over_nothing == "0"}
                text = filled(fill, text, len(self.grouping.keys), names, zeros)
        return f"({text}) AS {self.alias}"

    def _leaves_named(self) -> list[str]:
        return [leaf.name for leaf in self._leaves.values()]

    def _with_stage(self, text: str, stage: _Stage, number: int) -> str:
        there = stage.plan.alias
        keys = [f"{there}.k{j} AS k{j}" for _, j in stage.shared]
        value = f"{stage.over}({stage.value.sql})" if stage.over else stage.value.sql
        by = f" GROUP BY {', '.join(f'{there}.k{j}' for _, j in stage.shared)}" if stage.over and stage.shared else ""
        inner = f"SELECT {', '.join([*keys, f'{value} AS v'])} FROM {stage.plan.sql()}{by}"
        on = " AND ".join(f"b.k{i} IS NOT DISTINCT FROM c.k{j}" for i, j in stage.shared) or "TRUE"
        return f"SELECT b.*, c.v AS {stage.name} FROM ({text}) AS b LEFT JOIN ({inner}) AS c ON {on}"


def _holds_aggregate(node: exp.Expr) -> bool:
    return any(is_aggregate(n) or is_measure(n) or isinstance(n, (exp.Window, exp.Query)) for n in node.walk())
