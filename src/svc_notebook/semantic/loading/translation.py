"""SQL of models written for another database, as DuckDB reads it: translated when the model is loaded.

What has no counterpart is never dropped: a function whose pattern would be lost in translation is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import patterns as re
from ..references import substitute
from .meanings import as_meant

if TYPE_CHECKING:
    from sqlglot import ErrorLevel, exp

__all__ = ["DIALECTS", "DialectError", "Untranslatable", "translated", "translated_table"]

#: what a model may be written for
DIALECTS = (
    "athena", "bigquery", "clickhouse", "databricks", "duckdb", "hive", "mysql", "oracle", "postgres", "presto",
    "redshift", "snowflake", "spark", "sqlite", "trino", "tsql",
)  # fmt: skip
_HELD = re.compile(r"\bsvcref(\d+)x\b")
_CUBE_SQL = re.compile(r"\{\s*[A-Za-z_]\w*\s*\.\s*sql\s*\(\s*\)\s*\}")


class DialectError(ValueError):
    """The SQL is none of the declared dialect; the message says what the parser stumbled over."""


class Untranslatable(DialectError):
    """The SQL was read, and DuckDB has nothing that says the same."""


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
    try:
        tree = _read(flat, dialect).transform(lambda node: as_meant(_with_pattern(node, dialect), dialect))
        # Comments go: one of another dialect (#, //) would be none in DuckDB.
        text = tree.sql(dialect="duckdb", comments=False, unsupported_level=_raising())
    except DialectError:
        raise
    except (_unsupported(), ValueError, RecursionError) as error:
        raise Untranslatable(_first_line(error)) from None
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
        raise DialectError(_first_line(error)) from None


def _first_line(error: BaseException) -> str:
    # sqlglot underlines the place by the colours of a terminal.
    return re.sub(r"\x1b\[\d+m", "", str(error)).split("\n")[0].strip()


def _raising() -> ErrorLevel:
    from sqlglot import ErrorLevel

    return ErrorLevel.IMMEDIATE


def _unsupported() -> type[Exception]:
    from sqlglot.errors import UnsupportedError

    return UnsupportedError


_PARTS = {"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH24": "%H", "MI": "%M", "SS": "%S"}
_PATTERN = re.compile(r"(?:(YYYY|MM|DD|HH24|MI|SS)(?!\1)|[-/:. _])+", re.IGNORECASE)
# Where patterns are letters, what sqlglot does not know of one stays in it as it was.
_WRITTEN_IN_LETTERS = ("databricks", "hive", "oracle", "postgres", "redshift", "snowflake", "spark")
_LEFT_OVER = re.compile(r"(?:%-?[A-Za-z]|[-/:,. _])*")


def _with_pattern(node: exp.Expr, dialect: str) -> exp.Expr:
    """``TO_CHAR(x, 'YYYY-MM')`` where the pattern means the same in every database that has it.

    Raises
    ------
    Untranslatable
        Where a part of a pattern that is written in letters was not understood, and would be taken for text.
    """
    from sqlglot import exp

    pattern = node.args.get("format")
    if not isinstance(pattern, exp.Literal):
        return node
    told = str(pattern.this)
    if isinstance(node, exp.ToChar) and _PATTERN.fullmatch(told) is not None:
        words = re.sub("|".join(_PARTS), lambda part: _PARTS[part[0].upper()], told, flags=re.IGNORECASE)
        return exp.TimeToStr(this=node.this, format=exp.Literal.string(words))
    if dialect in _WRITTEN_IN_LETTERS and _LEFT_OVER.fullmatch(told) is None:
        raise Untranslatable(f"the pattern '{told}' has no counterpart")
    return node
