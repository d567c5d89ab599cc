"""From the compiler's tree to an engine's text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ...errors import NotPlanned, TooComplex
from ..nodes import Clauses, tree_of
from .kinds import Value
from .queries import written
from .refusal import Unsaid, not_declared
from .writer import Query, Rule, Statement, Tables, Tongue, Writer

__all__ = ["called", "said"]


def said(
    sql: str,
    engine: str,
    params: Mapping[str, Any],
    tables: Tables,
    traits: Any,
    tongue: Tongue,
    rules: Mapping[type[exp.Expr], Rule],
) -> Query:
    """A compiled query as an engine says it, and its columns.

    Parameters
    ----------
    engine
        Its name in a sentence.
    params
        The values of the query's placeholders: what is bound has the type of its value.
    tables
        The columns of a table by its schema and name; None if there is no such table.

    Raises
    ------
    NotAllowed
        If something in it has no meaning, or another one, on that engine; the message names it.
    NotPlanned
        If it names tables or columns that are not there.
    """
    try:
        tree = tree_of(sql)
    except (SqlglotError, ValueError):
        raise NotPlanned("The model's SQL is not read as DuckDB's.") from None
    if isinstance(tree, Clauses):
        raise NotPlanned("This is no whole query.")
    try:
        return written(Statement(params, tables, traits, tongue, rules, written), tree, None)
    except Unsaid as refusal:
        raise refusal.over(engine) from None
    except RecursionError:
        raise TooComplex("The query is nested too deeply.") from None


def called(calls: Mapping[str, Callable[[Writer, exp.Anonymous], Value]]) -> Rule:
    """The rule of functions that the parser has no class for: what an engine makes of each, by its name."""

    def rule(w: Writer, node: exp.Anonymous) -> Value:
        if node.name.lower() not in calls:
            raise not_declared(node)
        return calls[node.name.lower()](w, node)

    return rule
