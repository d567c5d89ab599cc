"""``{FILTER_PARAMS.cube.member.filter("column")}`` in a cube's SQL, where leaving it out changes no answer.

It repeats a query's filter further inside, to save work. Where the SQL only selects rows, and the column is the one
behind the dimension, the filter outside does all of it: the place reads as TRUE. Anywhere else (before a grouping, in
an outer join, under OR, over another column) it would be a different question, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..model import Dimension, Source
from .problems import Problems

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["without_filter_params"]

_PARAM = re.compile(r"""\$?\{\s*FILTER_PARAMS\.(\w+)\.(\w+)\.filter\(\s*(['"`])([^'"`{}]*)\3\s*\)\s*\}""")
_BRACES = re.compile(r"\{[^{}]*\}")
_MARK = "svc_filter_param"


def without_filter_params(
    cube: str, sql: str, dimensions: Iterable[Dimension], source: Source, problems: Problems
) -> str:
    """The SQL with each such place as TRUE; the SQL as it is, for the general refusal, where that is not right."""
    if "FILTER_PARAMS" not in sql:
        return sql
    columns = {dimension.name: _column(dimension.sql or "") for dimension in dimensions}
    for param in _PARAM.finditer(sql):
        if param[1] != cube or columns.get(param[2]) != _column(param[4]):
            return sql
    asked = [param[4] for param in _PARAM.finditer(sql)]
    numbers = iter(range(len(asked)))
    marked = _PARAM.sub(lambda _: f"{_MARK}_{next(numbers)}", sql)
    if "FILTER_PARAMS" in marked or not _only_selects(_BRACES.sub("svc_cube", marked), asked):
        return sql
    problems.warning(
        "FILTER_PARAMS reads as TRUE: filters apply to the rows of the cube, which is the same here",
        source,
        at="FILTER_PARAMS",
    )
    return _PARAM.sub("TRUE", sql)


def _column(sql: str) -> str | None:
    """The column of a plain ``column``, ``t.column`` or ``{CUBE}.column``, folded; None for anything else."""
    match = re.fullmatch(r"(?:(?:\w+|\{\w+\})\.)?\"?(\w+)\"?", sql.strip())
    return match[1].lower() if match is not None else None


def _only_selects(sql: str, asked: list[str]) -> bool:
    """Whether every mark is a condition that all rows of the result must meet, and its column comes out unchanged."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        root = sqlglot.parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return False
    changing = (exp.Group, exp.AggFunc, exp.Window, exp.Distinct, exp.Limit, exp.Offset, exp.Having, exp.With)
    if not isinstance(root, exp.Select) or root.find(*changing) is not None:
        return False
    if any(any(star.args.values()) for star in root.find_all(exp.Star)):  # * EXCLUDE, * REPLACE
        return False
    marks = {column.name: column for column in root.find_all(exp.Column) if column.name.startswith(_MARK)}
    return len(marks) == len(asked) and all(_is_condition(marks[f"{_MARK}_{i}"], text) for i, text in enumerate(asked))


def _is_condition(mark: exp.Column, column: str) -> bool:
    from sqlglot import exp

    node: Any = mark.parent
    while isinstance(node, (exp.And, exp.Paren)):
        node = node.parent
    if not isinstance(node, exp.Where):
        return False
    table, _, name = column.replace('"', "").lower().rpartition(".")
    node = node.parent
    while isinstance(node, (exp.Select, exp.Subquery, exp.From)):
        if isinstance(node, exp.Select):
            if not _passes(node, table, name):
                return False
            table = ""
        node = node.parent
    return node is None


def _passes(select: exp.Select, table: str, name: str) -> bool:
    """Whether a column leaves a SELECT as it entered it: by ``*``, or under its own name."""
    named = [item for item in select.expressions if item.alias_or_name.lower() == name]
    if not named:
        stars = [item for item in select.expressions if item.is_star]
        return any(not table or getattr(star, "table", "").lower() in ("", table) for star in stars)
    plain = [item.unalias() for item in named]
    return all(
        item.key == "column" and item.name.lower() == name and (not table or item.table.lower() in ("", table))
        for item in plain
    )
