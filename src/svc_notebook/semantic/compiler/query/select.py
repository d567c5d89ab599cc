"""One SELECT: its relations, its columns, and which of three shapes it takes.

grouped over one model source (the planner of :mod:`.aggregate`); rows of model sources, joined or not; plain SQL over
rows. Every clause is named here; what is not is refused.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from sqlglot import exp

from ....records import dataclass
from ...dialects.nodes import NOTHING, clause, from_, holes, named, rows, run, sql
from ...dialects.nodes import select as piece
from ...errors import InvalidQuery, QueryError
from ..binding.aggregate_calls import is_aggregate, is_measure
from ..binding.binding import Binder
from ..join_tree.context import Compilation
from ..plan.leaves import Grouping
from ..refusals import check_args
from ..values import Bound
from .aggregate import AggregatePlan
from .columns import FactsRelation, ModelRelation, OutColumn, PassRelation
from .facts import facts_plan
from .filter_contexts import default_filters
from .from_clause import FromClause
from .from_reading import read_from
from .grouping import holds_aggregate, is_grouped, read_group
from .measured_rows import measures_are_values
from .products import unjoined
from .ranges import filters_of
from .scope import Scope
from .select_list import SelectList
from .series import from_list

__all__ = ["SelectCompiler"]
_CLAUSES = (
    "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "qualify",
    "windows", "with_",
)  # fmt: skip


@dataclass
class SelectCompiler:
    compilation: Compilation
    run: Any
    _force_rows: bool = field(default=False)

    def compile(self, select: exp.Select, scope: Scope) -> tuple[str, list[OutColumn]]:
        check_args(select, _CLAUSES)
        select = from_list(select)
        self.compilation.fresh("s")
        plan = read_from(self.compilation, select, scope, self.run, materialise=False)
        scope.relations, scope.merged = plan.relations, plan.merged
        grouped = is_grouped(select)
        source = plan.single
        facts = next((r for r in plan.relations if isinstance(r, FactsRelation)), None)
        if facts is not None and not (grouped and source is not None):
            raise InvalidQuery(
                f"'{facts.alias}' is asked for measures of several parts, which have no rows in common: group them in "
                "a query on it alone, and join that as a subquery."
            )
        if not grouped:
            return _Rows(self.compilation, select, scope, plan).compile()
        if source is None:
            return _Rows(self.compilation, select, scope, plan, aggregates=True).compile()
        shape = _Grouped(self.compilation, select, scope, plan)
        only = plan.relations[0]
        if not isinstance(only, PassRelation) or not measures_are_values(shape, only):
            return shape.compile()
        # Read once more, the subquery as rows of its own: its measure is a value of each of them.
        plan = read_from(self.compilation, select, scope, self.run, materialise=True)
        scope.relations, scope.merged = plan.relations, plan.merged
        return _Rows(self.compilation, select, scope, plan, aggregates=True).compile()


class _Rows(SelectList):
    """No grouping over a model: rows, or plain SQL aggregates over rows."""

    def __init__(
        self, compilation: Compilation, select: exp.Select, scope: Scope, plan: FromClause, aggregates: bool = False
    ) -> None:
        super().__init__(compilation, select, scope, plan)
        self.aggregates = aggregates
        self._keys: list[Bound] = []

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
        if (said := unjoined(select, self.plan.joined, filters, scope)) is not None:
            self.compilation.note(said)
        if (source := self.plan.single or self.plan.alone) is not None:
            source.prepare(Grouping(), filters)
        group = self._group(binder) if select.args.get("group") is not None else NOTHING
        scope.plain_aggregates = self.aggregates
        if self.aggregates:
            self._refuse_measures()
            binder.hook = self._grouped
            scope.outer = self._outer
        bound = [binder.bind(item.node) for item in self.items]
        columns = self.output(bound)
        having: str = NOTHING
        if (node := select.args.get("having")) is not None:
            having = clause(" HAVING {}", binder.condition(self.substituted(node.this), "HAVING").sql)
        distinct = self.distinct(binder)
        tail = self.tail(binder, columns)
        scope.plain_aggregates = False
        shown = [named(b.sql, c.name) for b, c in zip(bound, columns, strict=True)]
        return piece(shown, run(self.plan.sql(filters), group, having, tail), distinct), columns

    def mixed(self) -> bool:
        source = self.plan.single or self.plan.alone
        return self.aggregates or source is None or source.joins_tables

    def _refuse_measures(self) -> None:
        for item in self.items:
            for node in item.node.walk():
                if is_measure(node):
                    raise InvalidQuery(
                        "MEASURE(…) needs a FROM of one cube or view (or cubes joined by the model); "
                        "aggregate each in a subquery first."
                    )

    def _grouped(self, node: exp.Expr) -> Bound | None:
        """A group key; a column that is none of them and in no aggregate has no one value."""
        if isinstance(node, (exp.Literal, exp.Boolean, exp.Null)) or is_aggregate(node):
            return None
        column = isinstance(node, exp.Column)
        if not column and (holds_aggregate(node) or node.find(exp.Column) is None or node.find(exp.Query, exp.Window)):
            return None
        bound = self._key(node)
        if bound is None and isinstance(node, exp.Column) and self.scope.lookup(node.table or None, node.name):
            raise InvalidQuery(f"'{node.name}' must stand in GROUP BY or inside an aggregate.")
        return bound

    def _key(self, node: exp.Expr) -> Bound | None:
        plain, self.scope.plain_aggregates = self.scope.plain_aggregates, False
        try:
            bound = Binder(self.compilation, self.scope).bind(node)
        except QueryError:
            return None
        finally:
            self.scope.plain_aggregates = plain
        return bound if any(bound.sql == key.sql for key in self._keys) else None

    def _outer(self, column: exp.Column) -> Bound:
        found = self._grouped(column)
        return found if found is not None else Binder(self.compilation, self.scope).bind(column)

    def _group(self, binder: Binder) -> str:
        structure = read_group(self, lambda node: binder.bind(node))
        self._keys = structure.keys
        # A literal would be an ordinal, and a bound one is refused: neither stands in GROUP BY alone.
        keys = [sql("COALESCE({}, NULL)", k.sql) if k.is_literal else k.sql for k in structure.keys]
        if structure.structure is None:
            return clause(f" GROUP BY {holes(len(keys))}", *keys) if keys else NOTHING
        return clause(" GROUP BY " + structure.structure, *keys)


class _Grouped(SelectList):
    """Grouping over one model source."""

    def compile(self) -> tuple[str, list[OutColumn]]:
        select = self.select
        plan = self._planned()
        binder = plan.binder
        self.named_windows(binder)
        bound = [binder.bind(item.node) for item in self.items]
        columns = self.output(bound)
        having: str = NOTHING
        if (node := select.args.get("having")) is not None:
            having = clause(" WHERE {}", binder.condition(self.substituted(node.this), "HAVING").sql)
        distinct = self.distinct(binder)
        tail = self.tail(binder, columns)
        shown = [named(b.sql, c.name) for b, c in zip(bound, columns, strict=True)]
        return piece(shown, run(from_(rows("{}", plan.sql())), having, tail), distinct), columns

    def mixed(self) -> bool:
        return self.select.args.get("group") is not None

    def _planned(self) -> AggregatePlan:
        relation = self.plan.relations[0]
        if isinstance(relation, FactsRelation):
            return facts_plan(self, relation)
        assert self.plan.single is not None
        binder = Binder(self.compilation, self.scope)
        filters = self.joined()
        if (node := self.select.args.get("where")) is not None:
            filters += filters_of(binder, node.this)
        filters += default_filters(self.scope, filters)
        return AggregatePlan(self.plan.single, self.scope, read_group(self, binder.bind), filters)
