"""Functions of other databases that DuckDB has by name, and that mean something else there: said so that they agree.

A difference of times counts whole units in some databases (MySQL, Trino, BigQuery's timestamps) and boundaries in
others, as DuckDB does; the days of a week begin with 0 or 1, on Sunday or Monday; weeks are counted in several ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["OtherMeaning", "as_meant"]

# Their date_diff counts whole units that have passed, DuckDB's the boundaries between.
_PRESTO = ("athena", "presto", "trino")
_SUNDAY_IS_ONE = ("bigquery", "databricks", "hive", "mysql", "spark")
# weekday() of these is 0 on a Monday, DuckDB's 0 on a Sunday.
_MONDAY_IS_NULL = ("databricks", "hive", "mysql", "spark")
# Their weeks begin on Sunday, or by a setting of the server.
_WEEKS_OF_THEIR_OWN = ("bigquery", "mysql", "tsql")
_DAY_OF_WEEK = ("DAYOFWEEK", "DOW", "WEEKDAY")


class OtherMeaning(ValueError):
    """DuckDB has nothing that means the same."""


def as_meant(node: exp.Expr, dialect: str) -> exp.Expr:
    """A node that DuckDB understands as ``dialect`` does.

    Raises
    ------
    OtherMeaning
        If there is none.
    """
    from sqlglot import exp

    if isinstance(node, exp.TimestampDiff) or (isinstance(node, exp.DateDiff) and dialect in _PRESTO):
        return _whole_units(node)
    if isinstance(node, exp.DayOfWeek) and dialect in _SUNDAY_IS_ONE:
        return _plus_one(node)
    if isinstance(node, exp.Extract):
        return _part(node, dialect)
    if isinstance(node, exp.Anonymous) and node.name.upper() == "WEEKDAY" and dialect in _MONDAY_IS_NULL:
        return exp.Paren(this=exp.Sub(this=exp.DayOfWeekIso(this=node.expressions[0]), expression=_number(1)))
    weeks = isinstance(node, exp.Week) or (isinstance(node, exp.Anonymous) and node.name.upper() == "YEARWEEK")
    if weeks and dialect in _WEEKS_OF_THEIR_OWN:
        raise OtherMeaning("weeks are counted in another way there; write the count out, or use date_trunc")
    return node


def _part(node: exp.Extract, dialect: str) -> exp.Expr:
    part = node.name.upper()
    if part in _DAY_OF_WEEK and dialect in _SUNDAY_IS_ONE:
        return _plus_one(node)
    if part in (*_DAY_OF_WEEK, "WEEK") and dialect in _WEEKS_OF_THEIR_OWN:
        raise OtherMeaning(f"{part} is counted in another way there")
    return node


def _whole_units(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    unit = exp.Literal.string(node.text("unit").lower() or "day")
    start, end = (exp.cast(node.args[key].copy(), "timestamp") for key in ("expression", "this"))
    # DuckDB's date_sub counts whole units; sqlglot's own node of the name takes days away.
    return exp.Anonymous(this="DATE_SUB", expressions=[unit, start, end])


def _plus_one(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Paren(this=exp.Add(this=node.copy(), expression=_number(1)))


def _number(value: int) -> exp.Expr:
    from sqlglot import exp

    return exp.Literal.number(value)
