"""One SELECT: its relations, its columns, and which of three shapes it takes.

grouped over one model source (the planner of :mod:`.aggregate`); rows of model sources, joined or not; plain SQL over
rows. Every clause is named here; what is not is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed
from ..model import Dimension, Measure
from .aggregate import AggregatePlan
from .aggregate_calls import is_aggregate, is_measure, measure_argument
from .context import Compilation
from .expressions import Binder
from .filter_contexts import default_filters, refuse_inside
from .from_clause import FromClause, read_from
from .grouping import is_grouped, read_group
from .limits import limits, ordinal
from .naming import column_name, unique
from .ordering import ordering_direction
from .parts import Filter
from .ranges import filters_of
from .refusals import check_args
from .scope import MeasureMismatch, ModelRelation, OutColumn, Scope
from .source import Entry
from .values import Bound, quote

__all__ = ["SelectCompiler"]

_MAX_COLUMNS = 300
_CLAUSES = (
    "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "qualify",
    "windows", "with_",
)  # fmt: skip


_TITLES: dict[type[exp.Expr], str] = {
    exp.Sum: "Sum of", exp.Avg: "Average", exp.Min: "Lowest", exp.Max: "Highest", exp.Median: "Median",
    exp.Count: "Count of",
}  # fmt: skip


def _lowered(title: str | None) -> str:
    return (title or "") if (title or "")[1:2].isupper() else (title or "")[:1].lower() + (title or "")[1:]


@dataclass
class _Item:
    """One column of the SELECT list: the expression, and the name it shows."""

    node: exp.Expr
    name: str
    alias: bool


@dataclass
class SelectCompiler:
    compilation: Compilation
    run: Any
    _force_rows: bool = field(default=False)

    def compile(self, select: exp.Select, scope: Scope) -> tuple[str, list[OutColumn]]:
        check_args(select, _CLAUSES)
        self.compilation.fresh("s")
        plan = read_from(self.compilation, select, scope, self.run, materialise=False)
        scope.relations, scope.merged = plan.relations, plan.merged
        grouped = is_grouped(select)
        source = plan.single
        if not grouped:
            return _Rows(self, select, scope, plan).compile()
        if source is None:
            return _Rows(self, select, scope, plan, aggregates=True).compile()
        marks = (len(self.compilation.notes), len(self.compilation.row_filters))
        try:
            return _Grouped(self, select, scope, plan).compile()
        except MeasureMismatch:
            if isinstance(plan.relations[0], ModelRelation):
                raise
            # A subquery's measure under another aggregate: the subquery's rows are meant, as SQL says.
            del self.compilation.notes[marks[0] :], self.compilation.row_filters[marks[1] :]
            scope.outer = None
            plan = read_from(self.compilation, select, scope, self.run, materialise=True)
            scope.relations, scope.merged = plan.relations, plan.merged
            return _Rows(self, select, scope, plan, aggregates=True).compile()


class Shape:
    """What both shapes share: the SELECT list, and the clauses after the aggregation."""

    def __init__(self, owner: SelectCompiler, select: exp.Select, scope: Scope, plan: FromClause) -> None:
        self.owner = owner
        self.compilation = owner.compilation
        self.select = select
        self.scope = scope
        self.plan = plan
        self.items = self._items()

    def joined(self) -> list[Filter]:
        """The conditions FROM brings: of joins, and of subqueries that are looked through."""
        for bound in self.plan.filters:
            refuse_inside(self.scope, bound)
        return [Filter(bound, fixed=True) for bound in self.plan.filters]

    def _items(self) -> list[_Item]:
        items: list[_Item] = []
        for node in self.select.expressions:
            if isinstance(node, exp.Star):
                items += self._without(node, self._star(None))
            elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
                check_args(node, ("this", "table"))
                items += self._without(node.this, self._star(node.table))
            elif isinstance(node, exp.Alias):
                check_args(node, ("this", "alias"))
                items.append(_Item(node.this, node.alias, True))
            else:
                items.append(_Item(node, column_name(node), False))
        if not items:
            raise InvalidQuery("The SELECT list is empty.")
        if len(items) > _MAX_COLUMNS:
            raise NotAllowed(f"A query may have at most {_MAX_COLUMNS} columns.")
        return items

    def _without(self, star: exp.Star, items: list[_Item]) -> list[_Item]:
        """``* EXCLUDE (a, b)``."""
        check_args(star, ("except_",))
        for column in star.args.get("except_") or []:
            kept = [item for item in items if item.name.lower() != column.name.lower()]
            if not isinstance(column, (exp.Column, exp.Identifier)) or len(kept) == len(items):
                raise InvalidQuery(f"EXCLUDE names '{column.name}', which '*' does not hold.")
            items = kept
        if not items:
            raise InvalidQuery("EXCLUDE leaves no column.")
        return items

    def _star(self, table: str | None) -> list[_Item]:
        relations = self.scope.relations
        if table is not None:
            relation = self.scope.relation(table)
            if relation is None:
                raise InvalidQuery(f"There is no relation '{table}' in FROM.")
            relations = [relation]
        elif not relations:
            raise InvalidQuery("'*' needs a FROM clause.")
        seen: set[str] = set()
        items: list[_Item] = []
        for relation in relations:
            for name in relation.star():
                if table is None and name.lower() in self.scope.merged:
                    if name.lower() in seen:
                        continue
                    seen.add(name.lower())
                items.append(_Item(exp.column(name, relation.alias, quoted=True), name, False))
        if not items:
            raise InvalidQuery("There is no column to show for '*'; name measures with MEASURE(…).")
        return items

    def entry_of(self, node: exp.Expr) -> Any:
        if is_measure(node):
            node = measure_argument(node) or node
        elif is_aggregate(node) and isinstance(node.this, exp.Column):
            found = (
                self.scope.entry(node.this.table or None, node.this.name)
                if not isinstance(node.this.this, exp.Star)
                else None
            )
            return found if found is not None and not isinstance(found.member, Dimension) else None
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            return self.scope.entry(node.table or None, node.name)
        return None

    def substituted(self, node: exp.Expr) -> exp.Expr:
        """Output names in HAVING and QUALIFY stand for their expressions, where no column of FROM has the name."""

        def replace(at: exp.Expr) -> exp.Expr:
            if isinstance(at, exp.Column) and not at.table and not isinstance(at.this, exp.Star):
                item = self.aliased(at.name)
                if item is not None and not any(r.find(at.name) is not None for r in self.scope.relations):
                    return exp.Paren(this=item.node.copy())
            return at

        return node.transform(replace)

    def aliased(self, name: str) -> _Item | None:
        exact = [i for i in self.items if i.name == name]
        loose = exact or [i for i in self.items if i.name.lower() == name.lower()]
        return next((i for i in loose if i.alias), loose[0] if loose else None)

    def tail(self, binder: Binder, columns: Sequence[OutColumn]) -> str:
        """DISTINCT is the caller's; this is QUALIFY, ORDER BY, LIMIT and OFFSET."""
        text = ""
        qualify = self.select.args.get("qualify")
        if qualify is not None:
            text += f" QUALIFY {binder.condition(self.substituted(qualify.this), 'QUALIFY').sql}"
        order = self.select.args.get("order")
        if order is not None:
            text += " ORDER BY " + ", ".join(self._order_item(binder, o, columns) for o in order.expressions)
        return text + limits(self.compilation, self.select)

    def _order_item(self, binder: Binder, node: exp.Ordered, columns: Sequence[OutColumn]) -> str:
        check_args(node, ("this", "desc", "nulls_first"))
        direction = ordering_direction(node)
        inner = node.this
        if isinstance(inner, exp.Literal):
            return f"{ordinal(inner, len(columns), 'ORDER BY')}{direction}"
        if isinstance(inner, exp.Column) and not inner.table and (item := self.aliased(inner.name)) is not None:
            return f"{self.items.index(item) + 1}{direction}"
        for i, item in enumerate(self.items):
            if item.node == inner:
                return f"{i + 1}{direction}"
        bound = binder.bind(self.substituted(inner))
        for i, column in enumerate(columns):
            if column.bound.sql == bound.sql:
                return f"{i + 1}{direction}"
        if self.select.args.get("distinct") is not None:
            raise InvalidQuery("With DISTINCT, ORDER BY may only name columns of the SELECT list.")
        return f"{bound.sql}{direction}"

    def distinct(self, binder: Binder) -> str:
        node = self.select.args.get("distinct")
        if node is None:
            return ""
        check_args(node, ("on",))
        if node.args.get("on") is None:
            return "DISTINCT "
        keys = binder.all(node.args["on"].expressions or [node.args["on"].this])
        return f"DISTINCT ON ({', '.join(k.sql for k in keys)}) "

    def named_windows(self, binder: Binder) -> None:
        for window in self.select.args.get("windows") or []:
            check_args(window, ("this", "partition_by", "order", "spec", "over"))
            binder.windows[window.this.name.lower()] = window

    def output(self, bound: Sequence[Bound]) -> list[OutColumn]:
        names = unique([item.name for item in self.items])
        return [
            OutColumn(n, b, self.entry_of(i.node), *self.headed(i.node))
            for n, b, i in zip(names, bound, self.items, strict=True)
        ]

    def headed(self, node: exp.Expr) -> tuple[str | None, Entry | None]:
        """A title for a column computed from one member, and the member whose format it keeps."""
        if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
            return self._count_title(), None
        entry = self.entry_of(node.this) if isinstance(node.this, exp.Expr) else None
        if isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct) and len(node.this.expressions) == 1:
            entry = self.entry_of(node.this.expressions[0])
            return (f"Distinct {_lowered(entry.title)}" if entry and entry.title else None), None
        if entry is None or not entry.title or not isinstance(entry.member, Dimension):
            return None, None
        if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
            return f"{entry.title} ({node.args['unit'].name.lower()})", None
        word = _TITLES.get(type(node))
        return (
            (f"{word} {_lowered(entry.title)}", entry if type(node) is not exp.Count else None)
            if word
            else (None, None)
        )

    def _count_title(self) -> str:
        for relation in self.scope.relations:
            for name in relation.names():
                entry = relation.entry(name)
                if (
                    entry
                    and isinstance(entry.member, Measure)
                    and entry.member.type == "count"
                    and not entry.member.filters
                ):
                    return entry.title or "Count"
        return "Count"


class _Rows(Shape):
    """No grouping over a model: rows, or plain SQL aggregates over rows."""

    def __init__(
        self, owner: SelectCompiler, select: exp.Select, scope: Scope, plan: FromClause, aggregates: bool = False
    ) -> None:
        super().__init__(owner, select, scope, plan)
        self.aggregates = aggregates

    def compile(self) -> tuple[str, list[OutColumn]]:
        scope, select = self.scope, self.select
        scope.rows_of_measures = True
        binder = Binder(self.compilation, scope)
        self.named_windows(binder)
        filters = self.joined()
        if (node := select.args.get("where")) is not None:
            scope.rows_of_measures = not any(isinstance(r, ModelRelation) for r in scope.relations)
            filters += filters_of(binder, node.this)
            scope.rows_of_measures = True
        filters += default_filters(scope, filters)
        group = self._group(binder) if select.args.get("group") is not None else ""
        scope.plain_aggregates = self.aggregates
        if self.aggregates:
            self._refuse_measures()
        bound = [binder.bind(item.node) for item in self.items]
        columns = self.output(bound)
        having = ""
        if (node := select.args.get("having")) is not None:
            having = f" HAVING {binder.condition(self.substituted(node.this), 'HAVING').sql}"
        distinct = self.distinct(binder)
        tail = self.tail(binder, columns)
        scope.plain_aggregates = False
        shown = ", ".join(f"{b.sql} AS {quote(c.name)}" for b, c in zip(bound, columns, strict=True))
        text = f"SELECT {distinct}{shown}{self.plan.sql(filters)}"
        return text + group + having + tail, columns

    def _refuse_measures(self) -> None:
        for item in self.items:
            for node in item.node.walk():
                if is_measure(node):
                    raise InvalidQuery(
                        "MEASURE(…) needs a FROM of one cube or view (or cubes joined by the model); "
                        "aggregate each in a subquery first."
                    )

    def _group(self, binder: Binder) -> str:
        structure = read_group(self, lambda node: binder.bind(node))
        # A literal would be an ordinal, and a bound one is refused: neither stands in GROUP BY alone.
        keys = [f"COALESCE({k.sql}, NULL)" if k.is_literal else k.sql for k in structure.keys]
        if structure.structure is None:
            return f" GROUP BY {', '.join(keys)}" if keys else ""
        return " GROUP BY " + structure.structure.format(*keys)


class _Grouped(Shape):
    """Grouping over one model source."""

    def compile(self) -> tuple[str, list[OutColumn]]:
        scope, select = self.scope, self.select
        source = self.plan.single
        assert source is not None
        rows = Binder(self.compilation, scope)
        filters = self.joined()
        if (node := select.args.get("where")) is not None:
            filters += filters_of(rows, node.this)
        filters += default_filters(scope, filters)
        grouping = read_group(self, rows.bind)
        plan = AggregatePlan(source, scope, grouping, filters)
        binder = plan.binder
        self.named_windows(binder)
        bound = [binder.bind(item.node) for item in self.items]
        columns = self.output(bound)
        having = ""
        if (node := select.args.get("having")) is not None:
            having = f" WHERE {binder.condition(self.substituted(node.this), 'HAVING').sql}"
        distinct = self.distinct(binder)
        tail = self.tail(binder, columns)
        shown = ", ".join(f"{b.sql} AS {quote(c.name)}" for b, c in zip(bound, columns, strict=True))
        return f"SELECT {distinct}{shown} FROM {plan.sql()}{having}{tail}", columns
