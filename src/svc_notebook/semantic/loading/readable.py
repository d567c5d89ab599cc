"""Whether the model's SQL can be read at all: what a database would refuse is told when the model is checked.

These are warnings: a piece that is not understood here may be a dialect's own, and the rest of the model answers.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ... import patterns as re
from ..model import Cube, Measure
from ..references import find_references, substitute
from .fragments import Fragment
from .problems import Problems

__all__ = ["check_sql", "check_table"]

_PLAIN = re.compile(r"(?:\{\w+\}\s*\.\s*)?\w+\Z|\{[\w.]+\}\Z")
_SQL_OF = re.compile(r"\{\s*\w+\s*\.\s*sql\s*\(\s*\)\s*\}")
_AGGREGATED = ("sum", "avg", "min", "max", "count_distinct", "count_distinct_approx")


def check_sql(fragment: Fragment, cubes: Mapping[str, Cube], problems: Problems) -> None:
    """Look at one fragment on its own."""
    if not fragment.sql or "`" in fragment.sql:
        return  # reported already
    if _PLAIN.match(fragment.sql):
        _check_plain(fragment, cubes, problems)
        return
    whose = f"'{fragment.member}'" if fragment.member else f"cube '{fragment.relation}'"
    trees = _read(fragment.sql)
    if trees is None:
        problems.warning(f"the SQL of {whose} cannot be read{_reason(fragment.sql)}", fragment.source)
    elif len(trees) > 1:
        problems.warning(
            f"the SQL of {whose} holds several statements; queries with it are refused", fragment.source, at=";"
        )
    elif fragment.role == "table":
        if not isinstance(trees[0], exp.Query | exp.From) and not isinstance(trees[0], exp.Table):
            problems.warning(f"the SQL of {whose} is no query; write SELECT …", fragment.source)
    elif isinstance(trees[0], exp.Query) and not isinstance(trees[0], exp.Subquery):
        problems.warning(
            f"the SQL of {whose} is a statement where an expression belongs; a subquery is written in parentheses",
            fragment.source,
        )
    else:
        _check_expression(fragment, trees[0], whose, cubes, problems)


def check_table(cube: Cube, problems: Problems) -> None:
    """Whether ``sql_table`` is a table's name."""
    if cube.sql_table is None:
        return
    # In a query: a table's name alone is a column to the parser.
    trees = _read(f"SELECT * FROM {cube.sql_table}")
    if trees is None or len(trees) > 1:
        problems.warning(
            f"'{cube.sql_table}' is no name of a table, which sql_table wants; a query is written under sql",
            cube.source,
            at=cube.sql_table,
        )


def _check_plain(fragment: Fragment, cubes: Mapping[str, Cube], problems: Problems) -> None:
    measure = _measure(fragment, cubes)
    if measure is None or measure.type != "number" or fragment.role != "sql" or measure.multi_stage:
        return
    if not find_references(fragment.sql):
        _not_aggregated(fragment, measure, problems)


def _check_expression(
    fragment: Fragment, tree: exp.Expr, whose: str, cubes: Mapping[str, Cube], problems: Problems
) -> None:
    bare = next((c for c in tree.find_all(exp.Column) if c.table in ("CUBE", "TABLE")), None)
    if bare is not None:
        problems.warning(
            f"the SQL of {whose} says {bare.table}.{bare.name}; braces are missing: {{{bare.table}}}.{bare.name}",
            fragment.source,
            at=f"{bare.table}.",
        )
    measure = _measure(fragment, cubes)
    if measure is None or fragment.role != "sql" or measure.multi_stage:
        return
    aggregates = [a for a in tree.find_all(exp.AggFunc) if a.find_ancestor(exp.Subquery, exp.Select) is None]
    if aggregates and measure.type in _AGGREGATED and not any(a.find_ancestor(exp.Window) for a in aggregates):
        problems.warning(
            f"measure '{measure.name}' of type {measure.type} aggregates an aggregate, and queries with it are "
            "refused; write the type number, or leave the inner one out",
            fragment.source,
        )
    plain = any(tree.find_all(exp.Column)) and not any(tree.find_all(exp.Anonymous, exp.Subquery))
    if measure.type == "number" and plain and not aggregates and not find_references(fragment.sql):
        _not_aggregated(fragment, measure, problems)


def _not_aggregated(fragment: Fragment, measure: Measure, problems: Problems) -> None:
    if any(problem.line >= measure.source.line and "is no type" in problem.message for problem in problems.errors):
        return  # of a type that was misspelt, it is read as a number
    problems.warning(
        f"measure '{measure.name}' of type number neither refers to measures nor aggregates, so queries with it are "
        "refused; write references in braces, as in '{revenue} / {count}', or a type such as sum",
        fragment.source,
    )


def _measure(fragment: Fragment, cubes: Mapping[str, Cube]) -> Measure | None:
    cube = cubes.get(fragment.relation)
    return next((m for m in cube.measures if m.name == fragment.member), None) if cube is not None else None


def _read(sql: str) -> list[exp.Expr] | None:
    try:
        flat = _SQL_OF.sub("(SELECT 1)", sql)
        found = sqlglot.parse(substitute(flat, lambda _: "svcref"), read="duckdb")
    except (SqlglotError, RecursionError, ValueError):
        return None
    trees = [tree for tree in found if tree is not None]
    # sqlglot keeps what it does not know as a Command, unread.
    return None if any(isinstance(tree, exp.Command) for tree in trees) or not trees else trees


def _reason(sql: str) -> str:
    """What is amiss at first sight."""
    bare = re.sub(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", "", sql)
    if bare.count("{") != bare.count("}"):
        return ": a brace is not closed"
    if bare.count("(") != bare.count(")"):
        return ": the parentheses do not pair"
    if bare.count("'") % 2 or bare.count('"') % 2:
        return ": a quote is not closed"
    return "; queries with it may fail"
