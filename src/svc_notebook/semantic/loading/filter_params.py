"""``{FILTER_PARAMS.cube.member.filter("column")}`` in a cube's SQL: a query's filter, repeated further inside.

Without a filter on the member the place reads as TRUE. With one, TRUE is right where the SQL only selects rows and the
column is the one behind the dimension: the filter outside does all of it. So it does where the rows are grouped by that
column, and in a UNION each part of which has the place. Anywhere else (before another grouping, in an outer
join, under OR, over another column) the filter inside would be a different question. There the dimension is marked
``inside``: it can be shown and grouped by, and a query that filters by it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ... import patterns as re
from ..model import Dimension, Source
from .problems import Problems, did_you_mean

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["without_filter_params"]

# Only a column's name between the quotes: a function of JavaScript cannot be followed.
_PARAM = re.compile(r"""FILTER_PARAMS\.(\w+)\.(\w+)\.filter\(\s*(['"`])([^'"`{}]*)\3\s*\)""")
_MEMBER = re.compile(r"FILTER_PARAMS\s*\.\s*(\w+)\s*\.\s*(\w+)")
_START = re.compile(r"\$?\{\s*FILTER_(?:PARAMS|GROUP)\b")
_BRACES = re.compile(r"\{[^{}]*\}")
_MARK = "svc_filter_param"


def without_filter_params(
    cube: str, sql: str, dimensions: tuple[Dimension, ...], source: Source, problems: Problems
) -> tuple[str, tuple[Dimension, ...]]:
    """The SQL with each such place as TRUE, and the dimensions, those marked that cannot be filtered by.

    What names no dimension of the cube is left as it is, for the general refusal.
    """
    places = _places(sql)
    if not places:
        return sql, dimensions
    named = [member for start, end in places for member in _MEMBER.findall(sql[start:end])]
    known = {dimension.name for dimension in dimensions}
    unknown = [(owner, name) for owner, name in named if owner not in (cube, "CUBE") or name not in known]
    if unknown or not named:
        for owner, name in unknown:
            if owner in (cube, "CUBE"):
                near = did_you_mean(name, known)
                problems.error(f"FILTER_PARAMS: '{name}' is no dimension of '{cube}'{near}", source, at=name)
        return sql, dimensions
    plain = "".join(_pieces(sql, places, "TRUE"))
    if _changes_nothing(cube, sql, places, dimensions):
        problems.warning(
            "FILTER_PARAMS reads as TRUE: filters apply to the rows of the cube, which is the same here",
            source,
            at="FILTER_",
        )
        return plain, dimensions
    inside = {name for _, name in named}
    problems.warning(
        "FILTER_PARAMS reads as TRUE here, as without a filter; queries that filter by "
        f"{', '.join(sorted(inside))} are refused, since a filter would belong inside this SQL",
        source,
        at="FILTER_",
    )
    return plain, tuple(replace(d, inside=True) if d.name in inside else d for d in dimensions)


def _places(sql: str) -> list[tuple[int, int]]:
    """Where ``{FILTER_PARAMS…}`` and ``{FILTER_GROUP(…)}`` begin and end, braces inside them counted."""
    found: list[tuple[int, int]] = []
    at = 0
    while (start := _START.search(sql, at)) is not None:
        depth, at = 0, start.start()
        while at < len(sql):
            depth += {"{": 1, "}": -1}.get(sql[at], 0)
            at += 1
            if depth == 0 and sql[at - 1] == "}":
                break
        found.append((start.start(), at))
    return found


def _pieces(sql: str, places: list[tuple[int, int]], word: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    for number, (start, end) in enumerate(places):
        pieces += [sql[at:start], word.format(number)]
        at = end
    return [*pieces, sql[at:]]


def _changes_nothing(cube: str, sql: str, places: list[tuple[int, int]], dimensions: Iterable[Dimension]) -> bool:
    """Whether a filter outside does all that each of these would do inside."""
    columns = {dimension.name: _column(dimension.sql or "") for dimension in dimensions}
    params = [_PARAM.fullmatch(sql[start:end].lstrip("$").strip("{} \n\t")) for start, end in places]
    asked: list[tuple[str, str]] = []
    for param in params:
        if param is None or param[1] != cube or columns.get(param[2]) is None:
            return False
        if columns[param[2]] != _column(param[4]):
            return False
        asked.append((param[2], param[4]))
    marked = "".join(_pieces(sql, places, _MARK + "_{}"))
    return _only_selects(_BRACES.sub("svc_cube", marked), asked)


def _column(sql: str) -> str | None:
    """The column of a plain ``column``, ``t.column`` or ``{CUBE}.column``, folded; None for anything else."""
    match = re.fullmatch(r"(?:(?:\w+|\{\w+\})\.)?\"?(\w+)\"?", sql.strip())
    return match[1].lower() if match is not None else None


def _only_selects(sql: str, asked: list[tuple[str, str]]) -> bool:
    """Whether every mark is a condition that all rows of the result must meet, and its column comes out unchanged."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        root = sqlglot.parse_one(sql, dialect="duckdb")
    except (SqlglotError, RecursionError):
        return False
    # In these a row that a filter takes away changes others: numbers of rows, firsts, differences.
    changing = (exp.Window, exp.Distinct, exp.Limit, exp.Offset, exp.With, exp.Qualify, exp.Intersect, exp.Except)
    if not isinstance(root, exp.Select | exp.Union) or root.find(*changing) is not None:
        return False
    if any(any(star.args.values()) for star in root.find_all(exp.Star)):  # * EXCLUDE, * REPLACE
        return False
    marks = {column.name: column for column in root.find_all(exp.Column) if column.name.startswith(_MARK)}
    if len(marks) != len(asked):
        return False
    parts = _Parts()
    found = (_is_condition(marks[f"{_MARK}_{i}"], member, text, parts) for i, (member, text) in enumerate(asked))
    return all(found) and parts.all_alike()


class _Parts:
    """Which parts of which UNION hold a dimension's place, and where its column stands in them."""

    def __init__(self) -> None:
        self._unions: dict[int, exp.Expr] = {}
        self._found: dict[tuple[int, str], dict[int, int | None]] = {}

    def note(self, union: exp.Expr, member: str, part: exp.Expr, position: int | None) -> None:
        self._unions[id(union)] = union
        self._found.setdefault((id(union), member), {})[id(part)] = position

    def all_alike(self) -> bool:
        """Whether each part of a UNION has each place that one has, over the same column of the result."""
        for (union, _), positions in self._found.items():
            if set(positions) != {id(part) for part in _parts_of(self._unions[union])}:
                return False
            if len(set(positions.values())) != 1 or None in positions.values():
                return False
        return True


def _parts_of(node: exp.Expr) -> list[exp.Expr]:
    from sqlglot import exp

    while isinstance(node, exp.Subquery | exp.Paren):
        node = node.this
    return [*_parts_of(node.left), *_parts_of(node.right)] if isinstance(node, exp.SetOperation) else [node]


def _is_condition(mark: exp.Column, member: str, column: str, parts: _Parts) -> bool:
    from sqlglot import exp

    node: Any = mark.parent
    while isinstance(node, (exp.And, exp.Paren)):
        node = node.parent
    if not isinstance(node, exp.Where):
        return False
    table, _, name = column.replace('"', "").lower().rpartition(".")
    node, part = node.parent, node.parent
    while isinstance(node, (exp.Select, exp.Subquery, exp.From, exp.Union)):
        if isinstance(node, exp.Select):
            if not _passes(node, table, name) or not _is_grouped_by(node, table, name):
                return False
            table, part = "", node
        elif isinstance(node, exp.Union) and not _is_part(node):
            parts.note(node, member, part, _position(part, name))
        node = node.parent
    return node is None


def _is_part(union: exp.Expr) -> bool:
    """Whether a UNION is itself one side of another."""
    from sqlglot import exp

    around = union.parent
    while isinstance(around, exp.Subquery | exp.Paren):
        around = around.parent
    return isinstance(around, exp.SetOperation)


def _position(select: exp.Expr, name: str) -> int | None:
    """At which place of the result a column stands; None if ``*`` leaves that to the tables."""
    items = select.expressions
    if any(item.is_star for item in items):
        return None
    return next((at for at, item in enumerate(items) if item.alias_or_name.lower() == name), None)


def _is_grouped_by(select: exp.Expr, table: str, name: str) -> bool:
    """Whether rows that differ in the column are in different groups, if rows are grouped at all."""
    from sqlglot import exp

    group = select.args.get("group")
    if group is None:
        return not any(item.find(exp.AggFunc) for item in select.expressions)
    if any(value for key, value in group.args.items() if key != "expressions"):
        return False
    at = _position(select, name)
    return any(
        (isinstance(key, exp.Literal) and at is not None and key.name == str(at + 1))
        or (
            isinstance(key, exp.Column) and key.name.lower() == name and (not table or key.table.lower() in ("", table))
        )
        for key in group.expressions
    )


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
