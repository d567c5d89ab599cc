"""The compiler's face: text in, SQL with parameters out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from msgspec.structs import replace
from sqlglot import exp

from ..context import SecurityContext
from ..dialects import DUCKDB
from ..dialects.nodes import is_read_so
from ..engine import TableName
from ..errors import EngineFailure, InvalidQuery, QueryError, TooComplex
from ..model import Dimension, Measure
from .applied import AppliedFilter
from .authored.index import ModelIndex
from .binding.expressions import bound
from .binding.zones import zone_named
from .compiled import CompiledQuery, ResultColumn
from .join_tree.context import Compilation
from .names import fold
from .policy.proof import prove
from .query.columns import OutColumn
from .query.failing import may_fail
from .query.left_over import leave
from .query.queries import Queries
from .query.stopping import stops_early
from .query.text import read_query
from .rollup_tables import NOT_HELD, NotHeld, RollupTable
from .rollups.rolled import over_rollups
from .shared import SharedQuery

__all__ = ["AppliedFilter", "CompiledQuery", "ResultColumn", "SharedQuery", "compile_query", "compile_to_share"]

T = TypeVar("T")


def compile_query(
    index: ModelIndex,
    ctx: SecurityContext,
    sql: str,
    *,
    timezone: str = "UTC",
    parameters: Mapping[str, Any] | None = None,
    drawn: bool = False,
) -> CompiledQuery:
    """Compile one query for one asker.

    Parameters
    ----------
    drawn
        Whether its rows are only drawn from at random: then they come in any order.

    Raises
    ------
    QueryError
        See :mod:`svc_notebook.semantic.errors`; every message is safe to show.
    """
    return _best(index, ctx, sql, timezone, parameters, drawn)[0]


def compile_to_share(
    index: ModelIndex, ctx: SecurityContext, sql: str, *, timezone: str = "UTC"
) -> tuple[CompiledQuery, SharedQuery | None]:
    """:func:`compile_query`, and what others who ask the same may be given of it."""
    query, compilation = _best(index, ctx, sql, timezone)
    return query, None if query.rollups else SharedQuery.of(compilation, query)


def _best(
    index: ModelIndex,
    ctx: SecurityContext,
    sql: str,
    timezone: str,
    parameters: Mapping[str, Any] | None = None,
    drawn: bool = False,
) -> tuple[CompiledQuery, Compilation]:
    """A query, and how it was compiled over the model."""
    if zone_named(timezone) != timezone:
        raise InvalidQuery(f"The time zone '{timezone[:60]}' is unknown; write one such as 'Europe/Berlin'.")

    def compiled(index: ModelIndex) -> tuple[CompiledQuery, Compilation]:
        return _compiled(index, ctx, sql, timezone, parameters or {}, drawn)

    found, compilation = compiled(index)
    if index.rollups and not drawn:
        found = _from_rollups(index, found, frozenset(compilation.tables), compiled)
    return found, compilation


def _from_rollups(
    index: ModelIndex,
    found: CompiledQuery,
    tables: frozenset[TableName],
    compiled: Callable[[ModelIndex], tuple[CompiledQuery, Compilation]],
) -> CompiledQuery:
    """A query that was compiled over the model, over the tables of rollups where they hold all that it needs.

    One is taken if everything comes out alike but what is read: columns, row filters, remarks.
    """
    taken: dict[str, RollupTable] = {}
    answered = found
    for held in index.rollups:
        if held.cube in taken or not index.table(held.cube)[1] <= tables:
            continue
        # Over the rollup some things cannot be said, and are refused; then the rows answer.
        with suppress(NotHeld, QueryError):
            over, compilation = compiled(over_rollups(index, {**taken, held.cube: held}))
            if held.table in compilation.tables and replace(over, sql=found.sql, params=found.params) == found:
                taken[held.cube], answered = held, over
    return replace(answered, rollups=tuple(held.called for held in taken.values()))


def _compiled(
    index: ModelIndex, ctx: SecurityContext, sql: str, timezone: str, parameters: Mapping[str, Any], drawn: bool
) -> tuple[CompiledQuery, Compilation]:
    """A query over one model, and how it was compiled."""
    compilation, text, columns = _with_full_stack(lambda: finished(index, ctx, sql, timezone, parameters, drawn))
    # Only known at the end: what is not held so finely may have been bound and then not used.
    if NOT_HELD in text:
        raise NotHeld("time")
    prove(compilation, text)
    proven, text = text, str(index.engine.lowered(text, compilation.params.values))  # without what it was made of
    if index.dialect is not DUCKDB and not is_read_so(proven):  # what was lowered is the tree of what was proven
        raise EngineFailure("The query could not be compiled safely and was not run.")
    _check_tables(index, compilation, text)
    found = CompiledQuery(
        text, compilation.params.used_in(text), tuple(_result_column(c) for c in columns),
        tuple(compilation.row_filters), tuple(compilation.notes),
    )  # fmt: skip
    return found, compilation


def finished(
    index: ModelIndex,
    ctx: SecurityContext,
    sql: str,
    timezone: str,
    parameters: Mapping[str, Any],
    drawn: bool = False,
) -> tuple[Compilation, str, list[OutColumn]]:
    """The statement as it is before it is proven and checked, with what it was made from and its columns."""
    query, nodes = read_query(sql)
    named = (
        frozenset(fold(node.name) for node in nodes if isinstance(node, exp.Identifier))
        if index.has_several_roots
        else frozenset()
    )
    # Where floating-point numbers fail, hardly an operation never does: then no rows go without their barrier.
    fails = index.dialect.floats_fail or (bool(index.governed) and may_fail(nodes))
    compilation = Compilation(
        index,
        ctx,
        timezone,
        named,
        parameters,
        rule=bound,
        fails=fails,
        stopping=stops_early(nodes),
        drawn=drawn,
    )
    text, columns = Queries(compilation).top(query)
    if compilation.to_fill - compilation.filled:
        raise InvalidQuery(
            "date_trunc_gapfill takes a time dimension of the model, in the GROUP BY of a query on one cube or view."
        )
    settled = compilation.settle(text)
    leave(sql, query)
    return compilation, settled, columns


def _with_full_stack(work: Callable[[], T]) -> T:
    """Run ``work``; if the caller's stack is too deep already, once more on a thread of its own.

    How deeply a query may be nested must not depend on who asks.
    """
    try:
        return work()
    except RecursionError:
        pass
    # A thread begins with a stack of its own, as deep as the interpreter's limit.
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
