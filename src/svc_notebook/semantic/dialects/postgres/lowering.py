"""A compiled query as PostgreSQL says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ...errors import NotPlanned, TooComplex
from .aggregates import AGGREGATES
from .functions import CALLS, FUNCTIONS
from .kinds import Value
from .operators import OPERATORS
from .queries import written
from .refusal import not_declared
from .sources import series_of
from .times import TIME_CALLS, TIMES
from .traits import Traits
from .writer import Query, Rule, Statement, Tables, Writer

__all__ = ["lowered"]

_CALLS = {**CALLS, **TIME_CALLS}


def _call(w: Writer, node: exp.Anonymous) -> Value:
    rule = _CALLS.get(node.name.lower())
    if rule is None:
        raise not_declared(node)
    return rule(w, node)


_RULES: Mapping[type[exp.Expr], Rule] = {
    **OPERATORS,
    **FUNCTIONS,
    **TIMES,
    **AGGREGATES,
    exp.Explode: series_of,
    exp.Anonymous: _call,
}


def lowered(sql: str, params: Mapping[str, Any], tables: Tables, traits: Traits) -> Query:
    """A compiled query as PostgreSQL says it, and its columns.

    Parameters
    ----------
    params
        The values of its placeholders: what is bound has the type of its value.
    tables
        The columns of a table by its schema and name; None if there is no such table.

    Raises
    ------
    NotAllowed
        If something in it has no meaning, or another one, on PostgreSQL; the message names it.
    NotPlanned
        If it names tables or columns that are not there.
    """
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except (SqlglotError, ValueError):
        raise NotPlanned("The model's SQL is not read as DuckDB's.") from None
    try:
        return written(Statement(params, tables, traits, _RULES, written), tree, None)
    except RecursionError:
        raise TooComplex("The query is nested too deeply.") from None
