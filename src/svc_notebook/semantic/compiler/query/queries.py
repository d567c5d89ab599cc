"""Queries of any form: SELECT, set operations, parentheses, WITH."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ...dialects.nodes import ended, run
from ...dialects.nodes import query as form_of
from ...errors import InvalidQuery, NotAllowed
from ..binding.ordering import Item, decided, ordered, ordering_direction
from ..binding.types import common
from ..join_tree.context import Compilation
from ..names import Names
from ..refusals import check_args, refuse
from ..values import Bound, quote
from .columns import OutColumn
from .from_items import CteQuery, passes
from .limits import limits, ordinal
from .scope import Scope
from .select import SelectCompiler

__all__ = ["Queries"]


class Queries:
    """Compiles queries of any form: SELECT, set operations, parentheses, WITH."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.selects = SelectCompiler(compilation, self.run)
        self.ctes: list[tuple[str, str]] = []

    def top(self, query: exp.Expr) -> tuple[str, list[OutColumn]]:
        text, columns = self.run(query, Scope(run=self.run, outermost=True))
        if self.ctes:
            listed = ", ".join(f"{quote(name)} AS ({{}})" for name, _ in self.ctes)
            text = form_of(f"WITH {listed} {{}}", *(sql for _, sql in self.ctes), text)
        return text, columns

    def run(self, query: exp.Expr, scope: Scope) -> tuple[str, list[OutColumn]]:
        scope.run = self.run
        with_ = query.args.get("with_")
        if with_ is not None:
            scope.ctes = self._with(with_, scope)
        if isinstance(query, exp.Select):
            return self.selects.compile(query, scope)
        if isinstance(query, exp.SetOperation):
            return self._set_operation(query, scope)
        if isinstance(query, exp.Subquery):
            check_args(query, ("this", "with_", "order", "limit", "offset"))
            text, columns = self.run(query.this, scope)
            items, cut = self._order_items(query, columns), limits(self.compilation, query)
            if not (items or cut):
                return text, columns
            tail = run(decided(self.compilation, items, len(columns), lambda: bool(cut)), cut)
            return ended(form_of("({})", text), tail), columns
        raise refuse(query)

    def _with(self, node: exp.With, scope: Scope) -> Names[Any]:
        check_args(node, ("expressions",)) if not node.args.get("recursive") else None
        if node.args.get("recursive"):
            raise NotAllowed(
                "WITH RECURSIVE is not available; for a series of dates or numbers write FROM generate_series(DATE "
                "'2024-01-01', DATE '2024-12-31', INTERVAL '1 day') AS g(day)."
            )
        known: Names[Any] = Names()
        for name, cte in scope.ctes.exact.items():
            known.add(name, cte)
        for cte in node.expressions:
            check_args(cte, ("this", "alias", "materialized"))
            alias = cte.args["alias"]
            check_args(alias, ("this", "columns"))
            known = self._one_cte(cte.this, alias.this.name, [c.name for c in alias.args.get("columns") or []], known)
        return known

    def _one_cte(self, query: exp.Expr, name: str, columns: list[str], known: Names[Any]) -> Names[Any]:
        if not isinstance(query, (exp.Query, exp.Subquery)):
            raise NotAllowed("A CTE holds a SELECT.")
        inner = Scope(ctes=known, run=self.run)
        cte = CteQuery(query, columns, inner, self.compilation.fresh("cte"))
        if not passes(self.compilation, cte, self.run):
            sql, cte.out = self.run(query, Scope(ctes=known, run=self.run))
            self.ctes.append((cte.name, sql))
        extended: Names[Any] = Names()
        for other, value in known.exact.items():
            # A later CTE hides an earlier one of its name, however that is spelled.
            if other.lower() != name.lower():
                extended.add(other, value)
        extended.add(name, cte)
        return extended

    def _set_operation(self, query: exp.SetOperation, scope: Scope) -> tuple[str, list[OutColumn]]:
        check_args(query, ("this", "expression", "distinct", "with_", "order", "limit", "offset"))
        sides = [
            self.run(side, Scope(parent=scope.parent, ctes=scope.ctes, run=self.run))
            for side in (query.this, query.args["expression"])
        ]
        (left, one), (right, other) = sides
        if len(one) != len(other):
            raise InvalidQuery(f"The two sides of a set operation have {len(one)} and {len(other)} columns.")
        word = {"Union": "UNION", "Except": "EXCEPT", "Intersect": "INTERSECT"}[type(query).__name__]
        if query.args.get("distinct") is False:
            word += " ALL"
        columns = []
        for a, b in zip(one, other, strict=True):
            kinds = [a.bound, b.bound]
            kind = common(kinds)
            if kind == "any" and "any" not in (a.bound.kind, b.bound.kind):
                raise InvalidQuery(
                    f"The column '{a.name}' is a {a.bound.kind} on one side and a {b.bound.kind} on the "
                    "other; cast one of them."
                )
            columns.append(
                OutColumn(
                    a.name,
                    Bound("", kind, row=True, member=a.bound.member, growth=max(k.growth for k in kinds)),
                    a.entry,
                )
            )
        text = form_of(f"({{}}) {word} ({{}})", left, right)
        items = self._order_items(query, columns)
        cut = limits(self.compilation, query)
        if scope.outermost or cut:
            return ended(text, run(decided(self.compilation, items, len(columns), lambda: True), cut)), columns
        return ended(text, ordered(items)), columns

    def _order_items(self, query: exp.Expr, columns: list[OutColumn]) -> list[Item]:
        order = query.args.get("order")
        items: list[Item] = []
        if order is None:
            return items
        for node in order.expressions:
            check_args(node, ("this", "desc", "nulls_first"))
            inner = node.this
            if isinstance(inner, exp.Literal):
                at = ordinal(inner, len(columns), "ORDER BY")
            else:
                names = [c.name.lower() for c in columns]
                if not isinstance(inner, exp.Column) or inner.table or inner.name.lower() not in names:
                    raise InvalidQuery("After a set operation, ORDER BY names output columns or their numbers.")
                at = names.index(inner.name.lower()) + 1
            items.append((str(at), ordering_direction(node)))
        return items
