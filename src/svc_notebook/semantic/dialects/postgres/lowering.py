"""A compiled query as PostgreSQL says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from ..walk.lowering import called, said
from ..walk.operators import OPERATORS
from ..walk.writer import Query, Rule, Tables, Tongue, Writer
from .aggregates import AGGREGATES
from .conversions import as_kind, as_text, cast, try_cast
from .functions import CALLS, FUNCTIONS
from .names import identifier, quoted, type_name
from .operators import WORDS, times
from .series import series_of
from .times import TIME_CALLS, TIMES
from .traits import Traits

__all__ = ["lowered"]


def _place(w: Writer, schema: str, table: str) -> str:
    return f"{quoted(schema)}.{quoted(table)}"


_RULES: Mapping[type[exp.Expr], Rule] = {
    **OPERATORS,
    **WORDS,
    **FUNCTIONS,
    **TIMES,
    **AGGREGATES,
    exp.Explode: series_of,
    exp.Anonymous: called({**CALLS, **TIME_CALLS}),
}
_TONGUE = Tongue(
    quoted=quoted, identifier=identifier, place=_place, type_name=type_name, cast=cast, try_cast=try_cast,
    as_kind=as_kind, as_text=as_text, times=times, knows=frozenset({"MATERIALIZED", "DISTINCT ON"}),
    barrier=lambda rows: f"{rows} OFFSET 0",
)  # fmt: skip


def lowered(sql: str, params: Mapping[str, Any], tables: Tables, traits: Traits) -> Query:
    """A compiled query as PostgreSQL says it, and its columns; see :func:`..walk.lowering.said`."""
    return said(sql, "PostgreSQL", params, tables, traits, _TONGUE, _RULES)
