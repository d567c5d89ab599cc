"""SQL of models written for another database, as DuckDB reads it: translated when the model is loaded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..references import substitute

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["DIALECTS", "DialectError", "translated", "translated_table"]

#: what a model may be written for
DIALECTS = (
    "athena", "bigquery", "clickhouse", "databricks", "duckdb", "hive", "mysql", "oracle", "postgres", "presto",
    "redshift", "snowflake", "spark", "sqlite", "trino", "tsql",
)  # fmt: skip
_HELD = re.compile(r"\bsvcref(\d+)x\b")
_CUBE_SQL = re.compile(r"\{\s*[A-Za-z_]\w*\s*\.\s*sql\s*\(\s*\)\s*\}")


class DialectError(ValueError):
    """The SQL is none of the declared dialect; the message says what the parser stumbled over."""


def translated(sql: str, dialect: str) -> str:
    """One fragment or query, its references left as they are.

    Raises
    ------
    DialectError
        If it cannot be read.
    """
    if dialect == "duckdb":
        return sql
    held: list[str] = []

    def hold(reference: object) -> str:
        held.append(str(reference))
        return f"svcref{len(held) - 1}x"

    flat = substitute(_CUBE_SQL.sub(lambda match: hold(match[0]), sql), hold)
    text = _read(flat, dialect).sql(dialect="duckdb", comments=False)
    return _HELD.sub(lambda match: held[int(match[1])], text)


def translated_table(name: str, dialect: str) -> str:
    """``project.dataset.table`` in the dialect's quotes, as parts in double quotes."""
    if dialect == "duckdb":
        return name
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        table = exp.to_table(name, dialect=dialect)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise DialectError(str(error).split("\n")[0]) from None
    parts = [part.name for part in table.parts]
    return sqlglot.exp.to_table(".".join(f'"{part}"' for part in parts)).sql(dialect="duckdb")


def _read(sql: str, dialect: str) -> exp.Expr:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise DialectError(re.sub(r"\x1b\[\d+m", "", str(error)).split("\n")[0].strip()) from None
