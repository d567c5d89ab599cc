"""The model author's SQL fragments: references found, bare columns qualified, and what can be said about them.

A fragment's text is kept as written, but every bare column is given its cube's alias (``amount`` becomes
``{CUBE}.amount``), so that it means the same in any join, and every table it names itself is fully qualified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import sqlglot
from msgspec import Struct
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .... import patterns as re
from ...engine import TableName
from ...references import substitute
from ..values import quote
from .coercions import coercions, operand
from .divisions import guarded

__all__ = ["Fragment", "name_parts", "qualified_select", "read_fragment", "table_sql"]

Qualify: TypeAlias = Callable[[str | None, str, str | None], TableName]
_HOLD = re.compile(r"\bsvcref(\d+)x\b")
_PLAIN = re.compile(r'\A\s*\{CUBE\}\s*\.\s*(?:[A-Za-z_]\w*|"[^"]+")\s*\Z')
_SAFE = (
    exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.And, exp.Or, exp.Not, exp.EQ,
    exp.NEQ,
    exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Coalesce, exp.Case, exp.If, exp.Lower, exp.Upper,
    exp.Nullif, exp.DPipe, exp.Concat, exp.TryCast, exp.DataType, exp.Trim,
)  # fmt: skip


class Fragment(Struct, frozen=True):
    """A fragment ready to be placed: ``plain`` if it is one column, ``safe`` if no value can make it raise.

    ``aggregates`` if an aggregate is anywhere in it, ``over_rows`` if one is over the rows of its own cube;
    ``closed`` if every column of it is one that a reference names.
    """

    text: str
    plain: bool
    safe: bool
    aggregates: bool
    over_rows: bool
    tables: frozenset[TableName] = frozenset()
    meets: tuple[frozenset[str], ...] = ()  # kinds and columns that must be of one kind for it to be safe
    result: str = "any"  # the kind of its value, or the column it is
    closed: bool = False


def table_sql(name: TableName) -> str:
    return ".".join(quote(part) for part in name)


def read_fragment(text: str, qualify: Qualify) -> Fragment:
    """Prepare one fragment. A text the parser cannot read is left as it is, and trusted with nothing."""
    held: list[str] = []

    def hold(reference: object) -> str:
        held.append(str(reference))
        return f"svcref{len(held) - 1}x"

    flat = guarded(substitute(text.strip().rstrip(";"), hold))
    try:
        tree = sqlglot.parse_one(flat, read="duckdb")
    except (SqlglotError, RecursionError, ValueError):
        # What the parser cannot read may still aggregate; the commonest are enough to put it in the right place.
        unread = bool(re.search(r"(?i)\b(sum|count|avg|min|max)\s*\(", text))
        return Fragment(text, False, False, unread, False)

    def name(column: exp.Column) -> str:
        parts = [held[int(m[1])] if (m := _HOLD.match(p.name)) else quote(p.name) for p in column.parts]
        return ".".join(parts if _HOLD.match(column.parts[0].name) else ["{CUBE}", *parts[-1:]])

    edits, tables = _edits(tree, qualify)
    for start, end, new in sorted(edits, reverse=True):
        flat = flat[:start] + new + flat[end:]
    # Models write {TABLE} as well.
    placed = _HOLD.sub(lambda m: held[int(m[1])], flat).replace("{TABLE}", "{CUBE}")
    nodes = list(tree.walk())
    # A number of nineteen digits may be past BIGINT, and a comparison with it would cast the column.
    safe = all(isinstance(n, _SAFE) for n in nodes) and not any(
        isinstance(n, exp.Literal) and not n.is_string and len(n.this) > 18 for n in nodes
    )
    calls = [n for n in nodes if isinstance(n, exp.AggFunc)]
    over_rows = any(n.find_ancestor(exp.Window, exp.Select, exp.Lambda) is None for n in calls)
    plain = _PLAIN.match(placed) is not None
    meets = tuple(coercions(tree, name)) if safe and not plain else ()
    result = operand(tree, name) if safe else "any"
    # Columns in these may be of another table, so nothing is said of them.
    closed = not any(isinstance(n, (exp.Query, exp.Lambda, exp.Star)) for n in nodes)
    return Fragment(placed, plain, safe, bool(calls), over_rows, frozenset(tables), meets, result, closed)


def _edits(tree: exp.Expr, qualify: Qualify) -> tuple[list[tuple[int, int, str]], set[TableName]]:
    edits: list[tuple[int, int, str]] = []
    tables: set[TableName] = set()
    for column in tree.find_all(exp.Column):
        name = column.this
        # Without a place in the text the parser made the column up, as it does of some keywords.
        if isinstance(name, exp.Star) or column.args.get("table") or _HOLD.match(name.name) or "start" not in name.meta:
            continue
        if column.find_ancestor(exp.Select, exp.Lambda) is None:
            edits.append((name.meta["start"], name.meta["start"], "{CUBE}."))
    # A CTE's name looks like a table's, and hides it.
    ctes = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        name, schema, catalog = table.this, table.args.get("db"), table.args.get("catalog")
        if not isinstance(name, exp.Identifier) or "start" not in name.meta:
            continue
        if _HOLD.match(name.name) or (schema is None and name.name.lower() in ctes):
            continue
        full = qualify(schema.name if schema else None, name.name, catalog.name if catalog else None)
        tables.add(full)
        edits.append(((catalog or schema or name).meta["start"], name.meta["end"] + 1, table_sql(full)))
    return edits, tables


def qualified_select(sql: str, qualify: Qualify) -> tuple[str, frozenset[TableName]]:
    """A cube's ``sql``: the same statement with its tables fully qualified, and those tables."""
    flat = sql.strip().rstrip(";")
    try:
        tree = sqlglot.parse_one(flat, read="duckdb")
    except (SqlglotError, RecursionError, ValueError):
        return flat, frozenset()
    edits, tables = _edits(tree, qualify)
    # Bare columns of a whole statement are of its own tables.
    for start, end, new in sorted((e for e in edits if e[2] != "{CUBE}."), reverse=True):
        flat = flat[:start] + new + flat[end:]
    return flat, frozenset(tables)


def name_parts(text: str) -> list[str]:
    """``schema.table`` or ``"my schema"."table"`` to its parts."""
    parts: list[str] = []
    current = ""
    inside = False
    for c in text.strip():
        if c in '"`':
            inside = not inside
        elif c == "." and not inside:
            parts.append(current)
            current = ""
        else:
            current += c
    return [*parts, current]
