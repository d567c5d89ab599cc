"""Types: what DuckDB calls them, how a value becomes one of another, and what they say of the values they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..nodes import sql as piece
from ..nodes import word

__all__ = [
    "BOOLEAN",
    "CAST_TO",
    "DATE",
    "DOUBLE",
    "HUGE",
    "INTEGER",
    "LONG_DECIMAL",
    "NULL_CONDITION",
    "TEXT",
    "TEXTS",
    "TIMESTAMP",
    "TYPE_OF",
    "WHOLE",
    "cast",
    "decimal",
    "is_floating",
    "is_list",
    "is_narrow",
    "is_wide",
    "kind_of_type",
    "moment_type",
    "readings",
    "safe_cast",
    "typed_null",
    "widened",
]  # fmt: skip

TEXT, BOOLEAN, DATE, TIMESTAMP = "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP"
DOUBLE, INTEGER, WHOLE, HUGE = "DOUBLE", "INTEGER", "BIGINT", "HUGEINT"
TEXTS = f"{TEXT}[]"
# 38 digits are DuckDB's most; nine of them behind the point leave 29 before it, enough for any sum of BIGINTs.
LONG_DECIMAL = "DECIMAL(38, 9)"

TYPE_OF: Mapping[str, str] = {
    "string": TEXT, "number": DOUBLE, "boolean": BOOLEAN, "timestamp": TIMESTAMP, "date": DATE,
}  # fmt: skip
"""The type that holds the values of a kind."""

CAST_TO: Mapping[str, tuple[str, str]] = {
    "INT": (INTEGER, "number"), "BIGINT": (WHOLE, "number"), "SMALLINT": ("SMALLINT", "number"),
    "TINYINT": ("TINYINT", "number"), "DOUBLE": (DOUBLE, "number"), "FLOAT": ("FLOAT", "number"),
    "BOOLEAN": (BOOLEAN, "boolean"), "VARCHAR": (TEXT, "string"), "TEXT": (TEXT, "string"),
    "CHAR": (TEXT, "string"), "NCHAR": (TEXT, "string"), "NVARCHAR": (TEXT, "string"),
    "DATE": (DATE, "date"), "TIMESTAMP": (TIMESTAMP, "timestamp"), "DATETIME": (TIMESTAMP, "timestamp"),
    "TIMESTAMPTZ": (TIMESTAMP, "timestamp"), "TIMESTAMPNTZ": (TIMESTAMP, "timestamp"),
    "INT128": (HUGE, "number"),
}  # fmt: skip
"""The types that a query may cast to, by the parser's names: what they are called, and the kind of their values."""


def cast(sql: str, type_: str) -> str:
    """``sql`` as another type; a value that does not fit is an error."""
    return piece(f"CAST({{}} AS {type_})", sql)


def safe_cast(sql: str, type_: str) -> str:
    """``sql`` as another type; a value that does not fit is NULL."""
    return piece(f"TRY_CAST({{}} AS {type_})", sql)


def typed_null(kind: str) -> str:
    """A NULL among values of a kind."""
    return cast(word("NULL"), TYPE_OF[kind]) if kind in TYPE_OF else word("NULL")


NULL_CONDITION = typed_null("boolean")


def moment_type(kind: str) -> str:
    """The type of a date, or of any other time."""
    return DATE if kind == "date" else TIMESTAMP


def decimal(precision: int, scale: int) -> str:
    return f"DECIMAL({precision}, {scale})"


def widened(sql: str, *, constant: bool = False) -> str:
    """A whole number of a narrow type as one of 64 bits; one that is none keeps its value."""
    # Adding a BIGINT widens what is narrower and leaves a HUGEINT or a DOUBLE as it is, which a cast would not.
    return cast(sql, WHOLE) if constant else piece("({} + CAST(0 AS BIGINT))", sql)


# --- what a type's name says -------------------------------------------------------------------------------------

_KINDS = (
    ("TIMESTAMP WITH TIME ZONE", "timestamptz"), ("TIMESTAMP", "timestamp"), ("DATETIME", "timestamp"),
    ("DATE", "date"),
    ("VARCHAR", "string"), ("TEXT", "string"), ("ENUM", "string"), ("UUID", "uuid"), ("BOOLEAN", "boolean"),
    ("DECIMAL", "number"), ("DOUBLE", "number"), ("FLOAT", "number"), ("REAL", "number"), ("INTERVAL", "interval"),
    ("HUGEINT", "number"), ("BIGINT", "number"), ("INTEGER", "number"), ("SMALLINT", "number"), ("TINYINT", "number"),
    ("UBIGINT", "number"), ("UINTEGER", "number"), ("USMALLINT", "number"), ("UTINYINT", "number"),
    ("UHUGEINT", "number"),
    ("NUMERIC", "number"),
)  # fmt: skip
_FLOATING = frozenset({DOUBLE, "FLOAT", "REAL"})
_NARROW = frozenset({"TINYINT", "SMALLINT", INTEGER, "UTINYINT", "USMALLINT", "UINTEGER"})
# No text, which a collation may take for equal, and no double, of which 0 and -0 are equal.
_TOLD_APART = _NARROW | {WHOLE, "UBIGINT", HUGE, "UHUGEINT", "UUID", "DATE"}
# Compared with a TIMESTAMP, those of other units are multiplied, and may not fit.
_WIDE = frozenset({HUGE, "UHUGEINT", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"})


def kind_of_type(name: str) -> str:
    """The kind of an engine's type name; lists, structs and what else there is are ``any``."""
    upper = name.upper()
    # INTEGER[] begins with INTEGER.
    if upper.endswith("]"):
        return "any"
    return next((kind for prefix, kind in _KINDS if upper.startswith(prefix)), "null" if upper == '"NULL"' else "any")


def is_list(name: str) -> bool:
    return name.endswith("]")


def is_floating(name: str) -> bool:
    """Whether arithmetic on values of this type is infinite where that on others is an error."""
    return name.upper() in _FLOATING


def is_narrow(name: str) -> bool:
    """Whether this is a type of whole numbers of fewer than 64 bits."""
    return name.upper() in _NARROW


def is_told_apart(name: str) -> bool:
    """Whether two values of this type that are equal are the same, whatever is declared of their column."""
    return name.upper() in _TOLD_APART


def is_wide(name: str) -> bool:
    """Whether values of this type may not fit the type they share with what they are compared with."""
    if name.upper() in _WIDE:
        return True
    size = re.match(r"DECIMAL\((\d+),\s*(\d+)", name.upper())
    # Two decimals meet in one of 38 digits: 28 leave room for ten decimals of the other side, and ten decimals for its
    # 28 digits.
    return size is not None and (int(size[1]) > 28 or int(size[2]) > 10)


def readings(sql: str, value: object) -> list[tuple[str, str]]:
    """The types of a column that a Python value fits: a test for each, and what to read such a column as."""
    kind = piece("typeof({})", sql)
    if isinstance(value, bool):
        return [(piece(f"{{}} = '{BOOLEAN}'", kind), BOOLEAN)]
    if isinstance(value, str):
        return [(piece(f"({{0}} IN ('{TEXT}', 'UUID') OR {{0}} LIKE 'ENUM%')", kind), TEXT)]
    whole = [(piece("{} LIKE '%INT%'", kind), HUGE), (piece("{} LIKE 'DECIMAL%'", kind), LONG_DECIMAL)]
    return [*(whole if isinstance(value, int) else whole[1:]), (piece(f"{{}} IN ('{DOUBLE}', 'FLOAT')", kind), DOUBLE)]
