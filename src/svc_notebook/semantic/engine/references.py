"""Which tables a statement reads, as DuckDB's own parser sees it: the check after compiling.

The serialised syntax tree is read by pattern, not walked: it is some 25 kB for a query of three cubes. That is sound,
since a quote inside a JSON string is escaped, so none of the patterns can begin inside one; whatever does not fit a
pattern exactly (a sample, a time travel clause, an odd name) makes the counts differ, and the answer is None.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from ... import patterns as re
from .base import TableName

__all__ = ["SERIALISE", "Shape", "Sources", "read_sources", "shape_of"]

SERIALISE = "SELECT json_serialize_sql(?, skip_null := true, skip_empty := true, skip_default := true)"
_BASE = '"type":"BASE_TABLE"'
# By pattern: to parse the whole document takes several times as long, for each query that is compiled.
_PATH = re.compile(_BASE + r'[^{}]*"qualified_name":\{"path":(\[[^\]{}]*\])\}\}')
# The key is looked at once what follows it is found: a search begins with what is the same everywhere.
_BEFORE = "|".join(rf'(?<="{key}":{{"type":")' for key in ("from_table", "left", "right", "source", "using_table"))
_SOURCE = re.compile(rf'":\{{"type":"(?:{_BEFORE})(\w+)"')
_FUNCTION = '"type":"TABLE_FUNCTION"'
# A model's SQL may count and take lists apart; a table function that reads anything stays unknown.
_SERIES = re.compile(
    _FUNCTION + r'[^{}]*"function":\{"class":"FUNCTION","type":"FUNCTION",'
    r'"function_name":"(?:generate_series|range|unnest)","order_bys":'
)
_CTE = re.compile(r'\{"key":("(?:[^"\\]|\\.)*"),"value":\{')
_ALLOWED = frozenset(
    {
        "BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY", "EXPRESSION_LIST", "SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE",
        "TABLE_FUNCTION",
    }
)  # fmt: skip

_NAME_OR_NUMBER = re.compile(
    r"""(?:("(?:[^"]|"")+")|(?<=")\.([A-Za-z_]\w*+)(?!\s*\()|(""|'[^']*')|(?<![\w$.])([0-9]+)(?![\w$.]))"""
)
_OTHER_QUOTING = re.compile(r"""\\|--|/\*|\$\w*\$|["']#|[uU]&["']""")


class Shape(NamedTuple):
    """A statement with each whole number outside quotes as ``0``, and its names as their places among ``names``: those
    that are quoted, and those behind the dot of such a one; ``named`` is the same with its own numbers.

    What has an equal shape reads the same tables, as far as these are called alike.
    """

    text: str
    named: str
    names: tuple[str, ...] = ()


class Sources(NamedTuple):
    """The paths of the base tables of a statement, and the names of its CTEs."""

    paths: tuple[tuple[str, ...], ...]
    ctes: frozenset[str]

    def called(self, names: tuple[str, ...]) -> Sources:
        """The same of a statement whose quoted names are these."""
        known = {f"#{number}": name for number, name in enumerate(names)}
        paths = tuple(tuple(known.get(part, part) for part in path) for path in self.paths)
        return Sources(paths, frozenset(known.get(name, name) for name in self.ctes))

    @property
    def tables(self) -> frozenset[TableName]:
        """The base tables; a bare name passes only as a CTE, and is left out."""
        # A name of one part gets an empty catalog and schema, and then passes as a CTE alone.
        found = (TableName(*([""] * (3 - len(path)) + [*path])) for path in self.paths if len(path) <= 3)
        return frozenset(name for name in found if name.schema or name.table not in self.ctes)


def shape_of(sql: str) -> Shape:
    """The shape of a statement; where something else than quotes might hold text, it stays as it is."""
    if not sql.isascii() or _OTHER_QUOTING.search(sql) is not None:
        return Shape(sql, sql)
    names: dict[str, str] = {}
    pieces = _NAME_OR_NUMBER.split(sql)  # what stands between, and behind it the four groups of what was found
    text, named = [pieces[0]], [pieces[0]]
    for quoted, bare, kept, number, between in zip(*(pieces[place::5] for place in range(1, 6)), strict=True):
        if number is not None:
            text += "0", between
            named += number, between  # not every number may stand everywhere
            continue
        if kept is None:
            name = bare if quoted is None else quoted[1:-1].replace('""', '"')
            short = names.setdefault(name, f'"#{len(names)}"')
            kept = short if bare is None else f".{short}"
        text += kept, between
        named += kept, between
    # Names that are one to the engine are one here, or none is.
    if len({name.lower() for name in names}) != len(names):
        return Shape(sql, sql)
    return Shape("".join(text), "".join(named), tuple(names))


def read_sources(document: str) -> Sources | None:
    """What one serialised statement reads; None for an error, a second statement, or any source but base tables."""
    # Whatever a new DuckDB writes otherwise is refused by this, never misread.
    if not document.startswith('{"error":false,"statements":[{"node":') or '},{"node":' in document:
        return None
    paths = [tuple(json.loads(path)) for path in _PATH.findall(document)]
    if len(paths) != document.count(_BASE) or not _ALLOWED.issuperset(_SOURCE.findall(document)):
        return None
    if document.count(_FUNCTION) != len(_SERIES.findall(document)):
        return None
    return Sources(tuple(paths), frozenset(json.loads(name) for name in _CTE.findall(document)))
