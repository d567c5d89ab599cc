"""The compiler's face: text in, SQL with parameters out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from zoneinfo import available_timezones

from sqlglot import exp

from ..context import SecurityContext
from ..errors import EngineFailure, InvalidQuery, NotAllowed, TooComplex
from ..model import Dimension, Measure
from .context import AppliedFilter, Compilation
from .from_clause import CteQuery
from .index import ModelIndex
from .limits import limits, ordinal
from .names import Names, fold
from .ordering import ordering_direction
from .refusals import check_args, refuse
from .scope import OutColumn, Scope
from .select import SelectCompiler
from .text import parse_query
from .types import common
from .values import Bound, quote

__all__ = ["AppliedFilter", "CompiledQuery", "ResultColumn", "compile_query"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of a result: ``member`` is the path of the member it shows, ``kind`` what its values are."""

    name: str
    member: str | None = None
    title: str | None = None
    format: str | None = None
    currency: str | None = None
    kind: str = "any"


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query for the engine: ``params`` by placeholder name, and what was applied to it."""

    sql: str
    params: Mapping[str, Any]
    columns: tuple[ResultColumn, ...]
    row_filters: tuple[AppliedFilter, ...] = ()
    notes: tuple[str, ...] = ()


def compile_query(
    index: ModelIndex,
    ctx: SecurityContext,
    sql: str,
    *,
    timezone: str = "UTC",
    parameters: Mapping[str, Any] | None = None,
) -> CompiledQuery:
    """Compile one query for one asker.

    Raises
    ------
    QueryError
        See :mod:`svc_notebook.semantic.errors`; every message is safe to show.
    """
    if timezone != "UTC" and timezone not in available_timezones():
        raise InvalidQuery(f"The time zone '{timezone[:60]}' is unknown; write one such as 'Europe/Berlin'.")
    compilation, text, columns = _with_full_stack(lambda: _compile(index, ctx, sql, timezone, parameters or {}))
    _check_tables(index, compilation, text)
    return CompiledQuery(
        text, compilation.params.used_in(text), tuple(_result_column(c) for c in columns),
        tuple(compilation.row_filters), tuple(compilation.notes),
    )  # fmt: skip


def _compile(
    index: ModelIndex, ctx: SecurityContext, sql: str, timezone: str, parameters: Mapping[str, Any]
) -> tuple[Compilation, str, list[OutColumn]]:
    query = parse_query(sql)
    named = (
        frozenset(fold(node.name) for node in query.find_all(exp.Identifier))
        if index.has_several_roots
        else frozenset()
    )
    compilation = Compilation(index, ctx, timezone, named, parameters)
    text, columns = _Queries(compilation).top(query)
    if compilation.to_fill - compilation.filled:
        raise InvalidQuery(
            "date_trunc_gapfill takes a time dimension of the model, in the GROUP BY of a query on one cube or view."
        )
    return compilation, compilation.settle(text), columns


def _with_full_stack(work: Callable[[], T]) -> T:
    """Run ``work``; if the caller's stack is too deep already, once more on a thread of its own.

    How deeply a query may be nested must not depend on who asks.
    """
    try:
        return work()
    except RecursionError:
        pass
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(work).result()
        except RecursionError:
            raise TooComplex("The query is nested too deeply.") from None


def _check_tables(index: ModelIndex, compilation: Compilation, text: str) -> None:
    """The condition after compiling: the engine's own parser sees no table but those the compiler placed."""
    seen = index.engine.tables_read(text)
    if seen is None or not {tuple(map(str.lower, t)) for t in seen} <= {
        tuple(map(str.lower, t)) for t in compilation.tables
    }:
        raise EngineFailure("The query could not be compiled safely and was not run.")


def _result_column(column: OutColumn) -> ResultColumn:
    entry, bound = column.entry, column.bound
    if entry is None:
        kept = column.formatted
        return ResultColumn(
            column.name,
            bound.member,
            column.title,
            kept.format if kept else None,
            kept.currency if kept else None,
            bound.kind,
        )
    member = bound.member or entry.label
    if isinstance(entry.member, (Dimension, Measure)):
        return ResultColumn(column.name, member, entry.title, entry.format, entry.currency, bound.kind)
    return ResultColumn(column.name, member, entry.title, kind=bound.kind)


class _Queries:
    """Compiles queries of any form: SELECT, set operations, parentheses, WITH."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.selects = SelectCompiler(compilation, self.run)
        self.ctes: list[tuple[str, str]] = []

    def top(self, query: exp.Expr) -> tuple[str, list[OutColumn]]:
        text, columns = self.run(query, Scope(run=self.run))
        if self.ctes:
            text = "WITH " + ", ".join(f"{quote(name)} AS ({sql})" for name, sql in self.ctes) + f" {text}"
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
            tail = self._order(query, columns) + limits(self.compilation, query)
            return (f"({text}){tail}" if tail else text), columns
        raise refuse(query)

    def _with(self, node: exp.With, scope: Scope) -> Names[Any]:
        check_args(node, ("expressions",)) if not node.args.get("recursive") else None
        if node.args.get("recursive"):
            raise NotAllowed("WITH RECURSIVE is not available.")
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
        from .from_clause import passes

        if not passes(self.compilation, cte, self.run):
            sql, cte.out = self.run(query, Scope(ctes=known, run=self.run))
            self.ctes.append((cte.name, sql))
        extended: Names[Any] = Names()
        for other, value in known.exact.items():
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
        text = f"({left}) {word} ({right})"
        return text + self._order(query, columns) + limits(self.compilation, query), columns

    def _order(self, query: exp.Expr, columns: list[OutColumn]) -> str:
        order = query.args.get("order")
        if order is None:
            return ""
        items = []
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
            items.append(f"{at}{ordering_direction(node)}")
        return " ORDER BY " + ", ".join(items)
