"""Grouped queries over a model source: every aggregate over the rows of its own cube, once each, joined on the keys.

The shape is always two-level: an inner part that gives group keys ``k0…`` and aggregates ``a0…``, and the SELECT as
asked around it. Where the aggregates belong to several cubes, or a cube's rows are repeated by the joins the keys and
filters need, each cube gets a part of its own: repeated rows are made distinct by primary key before they are
aggregated, and the parts are put together by their keys (NULL keys included).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from ..errors import InvalidQuery, QueryError
from ..model import Measure
from ..references import Reference, substitute
from . import calls
from .expressions import Binder
from .measures import LeafSpec, is_calculated, kind_of_measure, leaf_spec, raw_spec
from .scope import MeasureColumn, MeasureMismatch, Scope
from .source import Entry, ModelSource, Use
from .tree import Path
from .values import Bound

__all__ = ["AggregatePlan", "Grouping"]


@dataclass
class Grouping:
    """GROUP BY: the keys, and the structure over them (``ROLLUP`` and friends) as text with ``{i}`` for key i."""

    keys: list[Bound] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    structure: str | None = None


@dataclass
class _Leaf:
    name: str
    home: Path | None
    spec: LeafSpec | calls.AggregateCall

    @property
    def uses(self) -> frozenset[Use]:
        return frozenset().union(*(a.uses for a in self.spec.args))

    def render(self, args: list[str]) -> str:
        spec = self.spec
        return spec.template.format(*args) if isinstance(spec, LeafSpec) else spec.render(args)


_MATCHING = {
    "count": (exp.Count, exp.Sum), "sum": (exp.Sum,), "avg": (exp.Avg,), "min": (exp.Min,), "max": (exp.Max,),
    "count_distinct": (exp.Count,), "count_distinct_approx": (exp.Count, exp.ApproxDistinct),
    "time": (exp.Min, exp.Max), "string": (exp.GroupConcat,),
}  # fmt: skip


class AggregatePlan:
    """One grouped SELECT over one model source. ``bind`` gives expressions over the inner part ``q``."""

    def __init__(self, source: ModelSource, scope: Scope, grouping: Grouping, filters: list[Bound]) -> None:
        self.source = source
        self.scope = scope
        self.grouping = grouping
        self.filters = filters
        self.compilation = source.compilation
        self.alias = self.compilation.fresh("q")
        self.rows = Binder(self.compilation, scope)
        self.binder = Binder(self.compilation, scope, self._hook)
        self._leaves: dict[tuple[object, ...], _Leaf] = {}
        scope.outer = self._outer

    def key(self, i: int) -> Bound:
        bound = self.grouping.keys[i]
        return Bound(f"{self.alias}.k{i}", bound.kind, frozenset(), True, member=bound.member, growth=bound.growth)

    # --- binding --------------------------------------------------------------------------------------------------------

    def _hook(self, node: exp.Expression) -> Bound | None:
        if calls.is_measure(node):
            return self._measure_call(node)
        if calls.is_aggregate(node):
            return self._aggregate(node)
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

    def _outer(self, column: exp.Column) -> Bound:
        found = self._hook(column)
        return found if found is not None else self.rows.bind(column)

    def _match(self, node: exp.Expression) -> Bound | None:
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

    def _measure_call(self, node: exp.Expression) -> Bound:
        argument = node.expressions[0] if len(node.expressions) == 1 else None
        if not isinstance(argument, exp.Column):
            raise InvalidQuery("MEASURE takes the name of one measure.")
        found = self.scope.lookup(argument.table or None, argument.name)
        if not isinstance(found, MeasureColumn):
            if found is None:
                from .scope import unknown_member

                raise unknown_member(self.scope, argument.table or None, argument.name)
            raise InvalidQuery(f"'{argument.name}' is not a measure; use it without MEASURE, or in an aggregate such as COUNT(DISTINCT {argument.name}).")
        return self.measure(found.entry)

    def _aggregate(self, node: exp.Expression) -> Bound:
        measure = self._measure_inside(node)
        if measure is not None:
            return measure
        call = calls.aggregate_call(self.rows, node)
        home = self._home(call)
        value = Bound.of("", call.kind, *call.args) if call.args else Bound("", call.kind)
        return self._leaf((call.render([a.sql for a in call.args]), home), home, call, call.kind, value.growth)

    def _measure_inside(self, node: exp.Expression) -> Bound | None:
        """``SUM(total_amount)`` and the like over a measure: the measure itself, if the kinds agree."""
        inner = node.this
        if isinstance(inner, exp.Distinct):
            inner = inner.expressions[0] if len(inner.expressions) == 1 else None
        if isinstance(node, exp.Filter):
            if self._names_measure(inner.this) if isinstance(inner, exp.Expression) else False:
                raise InvalidQuery("FILTER after an aggregate of a measure is not available; filter in WHERE.")
            return None
        if not isinstance(inner, exp.Column) or not self._names_measure(inner):
            return None
        found = self.scope.lookup(inner.table or None, inner.name)
        assert isinstance(found, MeasureColumn) and isinstance(found.entry.member, Measure)
        kind = found.entry.member.type
        distinct = isinstance(node.this, exp.Distinct)
        fits = kind in ("number", "rank") or isinstance(node, _MATCHING.get(kind, ()))
        if not fits or distinct != (kind.startswith("count_distinct") and isinstance(node, exp.Count)):
            raise MeasureMismatch(f"'{inner.name}' is a measure of type {kind}; write MEASURE({inner.name}).")
        return self.measure(found.entry)

    def _names_measure(self, node: exp.Expression) -> bool:
        return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star) and isinstance(
            self.scope.lookup(node.table or None, node.name), MeasureColumn
        )

    def _home(self, call: calls.AggregateCall) -> Path | None:
        """The cube over whose rows a plain aggregate runs; None for the joined rows as they are."""
        tree = self.source.tree
        uses: frozenset[Use] = frozenset().union(*(a.uses for a in call.args))
        grains = {tree.grain(path) for path in self.source.paths_of(uses)} or {tree.root}
        for home in sorted(grains, key=len, reverse=True):
            if all(tree.determines(home, other) for other in grains):
                return home if tree.key(home) else None
        return None

    # --- measures -------------------------------------------------------------------------------------------------------

    def measure(self, entry: Entry) -> Bound:
        """A measure as an expression over ``q``, masked where the policy says so."""
        measure = entry.member
        assert isinstance(measure, Measure)
        source = self.source
        source.use_measure(entry)
        value = self.value(entry.path, measure)

        def text() -> str:
            if source.policy.is_masked(entry.relation, entry.name):
                return measure.mask or "NULL"
            return value.sql

        access = self.compilation.access(entry.relation)
        sql = value.sql if access.grants is None else self.compilation.defer(text)
        return Bound(sql, value.kind, member=entry.label)

    def value(self, path: Path, measure: Measure) -> Bound:
        """A measure of the cube at ``path`` over ``q``."""
        if measure.multi_stage or measure.rolling_window or measure.time_shift:
            raise InvalidQuery(f"The measure '{measure.name}' is of a kind that is not available yet.")
        if not is_calculated(measure):
            spec = leaf_spec(self.source, path, measure)
            return self._leaf((path, measure.name), path, spec, spec.kind)
        fragment = self.source.tree.index.fragment(measure.sql or "")
        if fragment.aggregates:
            raw = raw_spec(self.source, path, measure)
            return self._leaf((path, measure.name), path, raw, raw.kind)
        sql = substitute(fragment.text, self._reference(path, measure))
        return Bound(f"({sql})", kind_of_measure(measure))

    def _reference(self, path: Path, measure: Measure) -> Callable[[Reference], str]:
        tree = self.source.tree

        def replace(reference: Reference) -> str:
            resolved = tree.resolve(path, reference)
            node = tree.walk(path, resolved.join_path)
            member = tree.index.member(node[-1], resolved.member) if resolved.member else None
            if not isinstance(member, Measure):
                raise InvalidQuery(f"The measure '{measure.name}' uses {reference} outside an aggregate.")
            self.source.policy.reach({node})
            return self.value(node, member).sql

        return replace

    def _leaf(
        self, key: tuple[object, ...], home: Path | None, spec: LeafSpec | calls.AggregateCall, kind: str, growth: int = 1
    ) -> Bound:
        leaf = self._leaves.get(key)
        if leaf is None:
            leaf = self._leaves[key] = _Leaf(f"a{len(self._leaves)}", home, spec)
        return Bound(f"{self.alias}.{leaf.name}", kind, growth=growth)

    # --- the inner part -------------------------------------------------------------------------------------------------

    def sql(self) -> str:
        """The inner part as a FROM item."""
        homes: dict[Path | None, list[_Leaf]] = {}
        for leaf in self._leaves.values():
            homes.setdefault(self._effective_home(leaf), []).append(leaf)
        if not homes:
            homes[None] = []
        parts = [self._part(home, leaves) for home, leaves in homes.items()]
        if len(parts) == 1:
            return f"({parts[0]}) AS {self.alias}"
        return f"({self._together(list(homes.values()), parts)}) AS {self.alias}"

    def _effective_home(self, leaf: _Leaf) -> Path | None:
        return leaf.home

    def _filter_uses(self) -> frozenset[Use]:
        return frozenset().union(*(f.uses for f in self.filters))

    def _part(self, home: Path | None, leaves: list[_Leaf]) -> str:
        source = self.source
        shared = self._filter_uses().union(*(k.uses for k in self.grouping.keys))
        uses = shared.union(*(leaf.uses for leaf in leaves))
        node = home or source.tree.root
        reached = source.paths_of(uses) | source.policy.always()
        repeated = home is not None and source.tree.multiplied(home, reached) and not all(leaf.spec.repeatable for leaf in leaves)
        if not repeated and self.grouping.structure is None:
            return self._plain_part(node, leaves, uses)
        return self._distinct_part(node, leaves, uses, repeated)

    def _where(self) -> str:
        return f" WHERE {' AND '.join(f.sql for f in self.filters)}" if self.filters else ""

    def _plain_part(self, home: Path, leaves: list[_Leaf], uses: frozenset[Use]) -> str:
        keys = [f"{k.sql} AS k{i}" for i, k in enumerate(self.grouping.keys)]
        values = [f"{leaf.render([a.sql for a in leaf.spec.args])} AS {leaf.name}" for leaf in leaves]
        by = f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else ""
        columns = ", ".join(keys + values) or "1 AS one"
        return f"SELECT {columns} FROM {self.source.rows(uses, [home])}{self._where()}{by}" + (" LIMIT 1" if not keys and not values else "")

    def _distinct_part(self, home: Path, leaves: list[_Leaf], uses: frozenset[Use], repeated: bool) -> str:
        """Through a subquery of keys and arguments, with repeated rows of ``home`` taken once."""
        source = self.source
        columns = [f"{k.sql} AS k{i}" for i, k in enumerate(self.grouping.keys)]
        values: list[str] = []
        for leaf in leaves:
            names = [f"{leaf.name}x{j}" for j in range(len(leaf.spec.args))]
            columns += [f"{a.sql} AS {n}" for a, n in zip(leaf.spec.args, names, strict=True)]
            if leaf.spec.every_row and home != source.tree.root:
                raise InvalidQuery("COUNT(*) counts the rows of the relation's first cube.")
            values.append(f"{leaf.render([f'd.{n}' for n in names])} AS {leaf.name}")
        keys = [f"d.k{i} AS k{i}" for i in range(len(self.grouping.keys))]
        if repeated:
            primary = source.tree.key(home)
            if not primary:
                raise InvalidQuery(f"'{leaves[0].name}' cannot be counted once per row: its cube has no primary key." if not leaves else self._no_key(leaves[0]))
            bound = [source.expression(f"{'.'.join(home)}.key{i}", e) for i, e in enumerate(primary)]
            uses = uses.union(*(b.uses for b in bound))
            columns += [f"{b.sql} AS p{i}" for i, b in enumerate(bound)]
        inner = f"SELECT {'DISTINCT ' if repeated else ''}{', '.join(columns) or '1 AS one'} FROM {source.rows(uses, [home])}{self._where()}"
        by = self.grouping.structure
        if by is not None:
            group = " GROUP BY " + by.format(*(f"d.k{i}" for i in range(len(keys))))
            keys.append(self._grouping_id())
        else:
            group = f" GROUP BY {', '.join(f'd.k{i}' for i in range(len(keys)))}" if keys else ""
        return f"SELECT {', '.join(keys + values) or '1 AS one'} FROM ({inner}) AS d{group}"

    def _no_key(self, leaf: _Leaf) -> str:
        name = leaf.spec.args[0].sql.partition(".")[2].strip('"').rpartition(".")[2] if leaf.spec.args else "COUNT(*)"
        return f"'{name}' would count rows several times here, and its cube has no primary key to tell them apart."

    def _grouping_id(self) -> str:
        keys = ", ".join(f"d.k{i}" for i in range(len(self.grouping.keys)))
        return f"GROUPING({keys}) AS g" if keys else "0 AS g"

    def _together(self, groups: list[list[_Leaf]], parts: list[str]) -> str:
        """Parts of several cubes by their keys: one row for each key any of them has."""
        keys = [f"k{i}" for i in range(len(self.grouping.keys))] + (["g"] if self.grouping.structure is not None else [])
        names = [leaf.name for leaves in groups for leaf in leaves]
        rows = []
        for leaves, part in zip(groups, parts, strict=True):
            own = {leaf.name for leaf in leaves}
            columns = keys + [n if n in own else f"NULL AS {n}" for n in names]
            rows.append(f"SELECT {', '.join(columns)} FROM ({part}) AS part")
        values = [f"ANY_VALUE({n}) AS {n}" for n in names]
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {', '.join(keys + values)} FROM ({' UNION ALL '.join(rows)}) AS parts{by}"


def _holds_aggregate(node: exp.Expression) -> bool:
    return any(calls.is_aggregate(n) or calls.is_measure(n) or isinstance(n, (exp.Window, exp.Query)) for n in node.walk())
