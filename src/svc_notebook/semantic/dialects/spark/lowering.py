"""A compiled query as Spark says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from ..walk.lowering import called, said
from ..walk.operators import OPERATORS
from ..walk.refusal import Unsaid
from ..walk.writer import Query, Rule, Tables, Tongue, Writer
from .aggregates import AGGREGATES
from .conversions import as_kind, as_text, cast, try_cast
from .functions import CALLS, FUNCTIONS
from .names import Traits, identifier, type_name
from .series import cast_series, series_of
from .times import TIME_CALLS, TIMES
from .words import WORDS, times

__all__ = ["lowered"]


def _place(w: Writer, schema: str, table: str) -> str:
    view = w.traits.views.get((schema, table))
    return view or f"{identifier(w.traits.catalog)}.{identifier(schema)}.{identifier(table)}"


def _barrier(rows: str) -> str:
    """What depends on chance is computed where it stands: Spark moves no condition below it."""
    return f"SELECT svc_ended.* FROM ({rows}) AS svc_ended WHERE rand() >= 0"


_RULES: Mapping[type[exp.Expr], Rule] = {
    **OPERATORS,
    **WORDS,
    **FUNCTIONS,
    **TIMES,
    **AGGREGATES,
    exp.Explode: series_of,
    exp.Cast: cast_series,
    exp.TryCast: cast_series,
    exp.Anonymous: called({**CALLS, **TIME_CALLS}),
}
_TONGUE = Tongue(
    quoted=identifier, identifier=identifier, place=_place, type_name=type_name, cast=cast, try_cast=try_cast,
    as_kind=as_kind, as_text=as_text, times=times, knows=frozenset({"FULL JOIN"}), barrier=_barrier,
)  # fmt: skip


def lowered(sql: str, params: Mapping[str, Any], tables: Tables, traits: Traits) -> Query:
    """A compiled query as Spark says it, and its columns in types of results; see :func:`..walk.lowering.said`."""
    query = said(sql, "Spark", params, tables, traits, _TONGUE, _RULES)
    if any(kind.name == "interval" for _, kind in query.columns):
        raise Unsaid("an interval as a result", "write date_diff(…)", engine="Spark")
    sizes = [kind.decimals if kind.name in ("huge", "numeric") else None for _, kind in query.columns]
    if all(size is None for size in sizes):
        return query
    names = [f"c{i}" for i in range(len(sizes))]  # so that a result tells how many decimals its numbers have
    shown = (
        (name if size is None else f"CAST({name} AS DECIMAL(38, {size}))") + f" AS {identifier(own)}"
        for name, size, (own, _) in zip(names, sizes, query.columns, strict=True)
    )
    # By names of our own: two columns of a result may have one name.
    return Query(f"SELECT {', '.join(shown)} FROM ({query.sql}) AS svc_result({', '.join(names)})", query.columns)
