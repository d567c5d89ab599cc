"""Which tables a statement reads, as DuckDB's own parser sees it: the check after compiling."""

from __future__ import annotations

from typing import Any

from .base import TableName

__all__ = ["read_tables"]

_ALLOWED_REFERENCES = frozenset({"BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY", "EXPRESSION_LIST"})


def read_tables(document: dict[str, Any]) -> frozenset[TableName] | None:
    """The base tables of DuckDB's serialised syntax tree; None for an error, a second statement, or another source.

    A reference to a CTE in scope is a table without catalog and schema; it is left out only if a CTE of that name
    exists, so a bare table name never passes.
    """
    if document.get("error") or len(document.get("statements", ())) != 1:
        return None
    found: set[TableName] = set()
    ctes: set[str] = set()
    stack: list[Any] = [document["statements"][0]]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(node)
            continue
        if not isinstance(node, dict):
            continue
        kind = node.get("type")
        if "table_name" in node and kind == "BASE_TABLE":
            found.add(TableName(node.get("catalog_name", ""), node.get("schema_name", ""), node["table_name"]))
        elif "sample" in node and "alias" in node and kind not in _ALLOWED_REFERENCES:
            return None
        for entry in (node.get("cte_map") or {}).get("map", ()):
            ctes.add(entry["key"])
        stack.extend(node.values())
    return frozenset(name for name in found if name.catalog or name.schema or name.table not in ctes)
