"""The SELECT list, and the clauses that come after the aggregation: what both shapes of a SELECT share."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ....records import dataclass
from ...dialects import duckdb as say
from ...dialects.nodes import NOTHING, distinct, run
from ...errors import InvalidQuery, NotAllowed
from ..binding.binding import Binder
from ..binding.ordering import Item, decided, ordered, ordering_direction
from ..join_tree.context import Compilation
from ..plan.leaves import Filter
from ..refusals import check_args, check_schema
from ..values import Bound
from .columns import OutColumn
from .filter_contexts import refuse_inside
from .from_clause import FromClause
from .headings import entry_of, headed
from .limits import limits, ordinal
from .naming import column_name, unique
from .scope import Scope

__all__ = ["SelectItem", "SelectList"]

_MAX_COLUMNS = 300


@dataclass
class SelectItem:
    """One column of the SELECT list: the expression, and the name it shows."""

    node: exp.Expr
    name: str
    alias: bool


class SelectList:
    """What both shapes share: the SELECT list, and the clauses after the aggregation."""

    def __init__(self, compilation: Compilation, select: exp.Select, scope: Scope, plan: FromClause) -> None:
        self.compilation = compilation
        self.select = select
        self.scope = scope
        self.plan = plan
        self.items = self._items()

    def joined(self) -> list[Filter]:
        """The conditions FROM brings: of joins, and of subqueries that are looked through."""
        for bound in self.plan.filters:
            refuse_inside(self.scope, bound)
        return [Filter(bound, fixed=True) for bound in self.plan.filters]

    def _items(self) -> list[SelectItem]:
        items: list[SelectItem] = []
        for node in self.select.expressions:
            if isinstance(node, exp.Star):
                items += self._without(node, self._star(None))
            elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
                check_args(node, ("this", "table", "db"))
                check_schema(node)
                items += self._without(node.this, self._star(node.table))
            elif isinstance(node, exp.Alias):
                check_args(node, ("this", "alias"))
                items.append(SelectItem(node.this, node.alias, True))
            else:
                items.append(SelectItem(node, column_name(node), False))
        if not items:
            raise InvalidQuery("The SELECT list is empty.")
        if len(items) > _MAX_COLUMNS:
            raise NotAllowed(f"A query may have at most {_MAX_COLUMNS} columns.")
        return items

    def _without(self, star: exp.Star, items: list[SelectItem]) -> list[SelectItem]:
        """``* EXCLUDE (a, b) REPLACE (x + 1 AS c)``."""
        check_args(star, ("except_", "replace"))
        for column in star.args.get("except_") or []:
            kept = [item for item in items if item.name.lower() != column.name.lower()]
            if not isinstance(column, (exp.Column, exp.Identifier)) or len(kept) == len(items):
                raise InvalidQuery(f"EXCLUDE names '{column.name}', which '*' does not hold.")
            items = kept
        if not items:
            raise InvalidQuery("EXCLUDE leaves no column.")
        return self._replaced(star.args.get("replace") or [], items)

    def _replaced(self, instead: Sequence[exp.Expr], items: list[SelectItem]) -> list[SelectItem]:
        """The columns of ``*`` with those that REPLACE names computed; each keeps its name and its place."""
        by_name: dict[str, exp.Expr] = {}
        for node in instead:
            name = node.alias.lower()
            if not isinstance(node, exp.Alias) or name in by_name or not any(i.name.lower() == name for i in items):
                raise InvalidQuery(
                    f"REPLACE names '{node.alias_or_name}', which '*' does not hold, or holds no longer."
                )
            check_args(node, ("this", "alias"))
            by_name[name] = node.this
        return [
            SelectItem(by_name[name], item.name, True) if (name := item.name.lower()) in by_name else item
            for item in items
        ]

    def _star(self, table: str | None) -> list[SelectItem]:
        relations = self.scope.relations
        if table is not None:
            relation = self.scope.relation(table)
            if relation is None:
                raise InvalidQuery(f"There is no relation '{table}' in FROM.")
            relations = [relation]
        elif not relations:
            raise InvalidQuery("'*' needs a FROM clause.")
        seen: set[str] = set()
        items: list[SelectItem] = []
        for relation in relations:
            for name in relation.star():
                if table is None and name.lower() in self.scope.merged:
                    if name.lower() in seen:
                        continue
                    seen.add(name.lower())
                items.append(SelectItem(exp.column(name, relation.alias, quoted=True), name, False))
        if not items:
            raise InvalidQuery("There is no column to show for '*'; name measures with MEASURE(…).")
        return items

    def substituted(self, node: exp.Expr) -> exp.Expr:
        """Output names in HAVING and QUALIFY stand for their expressions, where no column of FROM has the name."""

        def replace(at: exp.Expr) -> exp.Expr:
            if isinstance(at, exp.Column) and not at.table and not isinstance(at.this, exp.Star):
                item = self.aliased(at.name)
                if item is not None and not any(r.find(at.name) is not None for r in self.scope.relations):
                    # In brackets, since what stands around it may bind tighter.
                    return exp.Paren(this=item.node.copy())
            return at

        return node.transform(replace)

    def aliased(self, name: str) -> SelectItem | None:
        exact = [i for i in self.items if i.name == name]
        loose = exact or [i for i in self.items if i.name.lower() == name.lower()]
        return next((i for i in loose if i.alias), loose[0] if loose else None)

    def tail(self, binder: Binder, columns: Sequence[OutColumn]) -> str:
        """DISTINCT is the caller's; this is QUALIFY, ORDER BY, LIMIT and OFFSET."""
        text: str = NOTHING
        qualify = self.select.args.get("qualify")
        if qualify is not None:
            text = say.qualify(binder.condition(self.substituted(qualify.this), "QUALIFY").sql)
        order = self.select.args.get("order")
        if order is not None and (direction := self._order_by_all(order)) is not None:
            items = [(str(i + 1), direction) for i in range(len(columns))]
        else:
            items = [self._order_item(binder, o, columns) for o in order.expressions] if order is not None else []
        cut = limits(self.compilation, self.select)
        once = self.select.args.get("distinct") is not None
        if self.scope.outermost or cut or once:
            return run(text, decided(self.compilation, items, len(columns), lambda: once or self.mixed()), cut)
        return run(text, ordered(items), cut)

    def mixed(self) -> bool:
        """Whether unordered rows come as the plan has them: groups and joins do, rows of one table keep its order."""
        raise NotImplementedError

    def _order_by_all(self, order: exp.Order) -> str | None:
        """The direction of ``ORDER BY ALL``; None where that is no more than a column's name."""
        only = order.expressions[0] if len(order.expressions) == 1 else None
        name = only.this if isinstance(only, exp.Ordered) and isinstance(only.this, exp.Column) else None
        if name is None or name.table or name.name.upper() != "ALL" or name.this.args.get("quoted"):
            return None
        assert only is not None
        taken = self.aliased(name.name) is not None or any(r.find(name.name) for r in self.scope.relations)
        return None if taken else ordering_direction(only)

    def _order_item(self, binder: Binder, node: exp.Ordered, columns: Sequence[OutColumn]) -> Item:
        check_args(node, ("this", "desc", "nulls_first"))
        direction = ordering_direction(node)
        inner = node.this
        if isinstance(inner, exp.Literal):
            return str(ordinal(inner, len(columns), "ORDER BY")), direction
        if isinstance(inner, exp.Column) and not inner.table and (item := self.aliased(inner.name)) is not None:
            return str(self.items.index(item) + 1), direction
        for i, item in enumerate(self.items):
            if item.node == inner:
                return str(i + 1), direction
        bound = binder.bind(self.substituted(inner))
        for i, column in enumerate(columns):
            if column.bound.sql == bound.sql:
                return str(i + 1), direction
        once = self.select.args.get("distinct")
        if once is not None and once.args.get("on") is None:
            raise InvalidQuery("With DISTINCT, ORDER BY may only name columns of the SELECT list.")
        return bound.sql, direction

    def distinct(self, binder: Binder) -> str:
        node = self.select.args.get("distinct")
        if node is None:
            return NOTHING
        check_args(node, ("on",))
        if node.args.get("on") is None:
            return distinct("DISTINCT ")
        keys = binder.all(node.args["on"].expressions or [node.args["on"].this])
        return say.distinct_on([k.sql for k in keys])

    def named_windows(self, binder: Binder) -> None:
        for window in self.select.args.get("windows") or []:
            check_args(window, ("this", "partition_by", "order", "spec", "over"))
            binder.windows[window.this.name.lower()] = window

    def output(self, bound: Sequence[Bound]) -> list[OutColumn]:
        names = unique([item.name for item in self.items])
        return [
            OutColumn(n, b, entry_of(self.scope, i.node), *headed(self.scope, i.node))
            for n, b, i in zip(names, bound, self.items, strict=True)
        ]
