"""Which tables a statement reads, as DuckDB's own parser sees it: the check after compiling.

The serialised syntax tree is read by pattern, not walked: it is some 25 kB for a query of three cubes. That is sound,
since a quote inside a JSON string is escaped, so none of the patterns can begin inside one; whatever does not fit a
pattern exactly (a sample, a time travel clause, an odd name) makes the counts differ, and the answer is None.
"""

from __future__ import annotations

import json
import re

from .base import TableName

__all__ = ["SERIALISE", "read_tables", "without_numbers"]

SERIALISE = "SELECT json_serialize_sql(?, skip_null := true, skip_empty := true, skip_default := true)"
_BASE = '"type":"BASE_TABLE"'
# By pattern: to parse the whole document takes several times as long, for each query that is compiled.
_PATH = re.compile(_BASE + r'[^{}]*"qualified_name":\{"path":(\[[^\]{}]*\])\}\}')
_SOURCE = re.compile(r'"(?:from_table|left|right|source|using_table)":\{"type":"(\w+)"')
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

_QUOTED_OR_NUMBER = re.compile(r"""("[^"]*"|'[^']*')|(?<![\w$.])[0-9]+(?![\w$.])""")
_OTHER_QUOTING = re.compile(r"\\|--|/\*|\$\w*\$")


def without_numbers(sql: str) -> str:
    """The statement with each whole number outside quotes as ``0``: what is equal then reads the same tables.

    Where something else than quotes might hold text (comments, dollars, backslashes), it stays as it is.
    """
    if not sql.isascii() or _OTHER_QUOTING.search(sql) is not None:
        return sql
    return _QUOTED_OR_NUMBER.sub(lambda found: found[1] or "0", sql)


def read_tables(document: str) -> frozenset[TableName] | None:
    """The base tables of one serialised statement; None for an error, a second statement, or any other source.

    A bare name passes only as a CTE that the statement defines; it is left out of the answer.
    """
    # Whatever a new DuckDB writes otherwise is refused by this, never misread.
    if not document.startswith('{"error":false,"statements":[{"node":') or '},{"node":' in document:
        return None
    paths = [json.loads(path) for path in _PATH.findall(document)]
    if len(paths) != document.count(_BASE) or not _ALLOWED.issuperset(_SOURCE.findall(document)):
        return None
    if document.count(_FUNCTION) != len(_SERIES.findall(document)):
        return None
    ctes = {json.loads(name) for name in _CTE.findall(document)}
    # A name of one part gets an empty catalog and schema, and then passes as a CTE alone.
    found = (TableName(*([""] * (3 - len(path)) + path)) for path in paths if len(path) <= 3)
    return frozenset(name for name in found if name.schema or name.table not in ctes)
