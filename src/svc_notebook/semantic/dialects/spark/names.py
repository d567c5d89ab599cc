"""What Spark calls things: names, types, constants; and where its tables are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ....records import dataclass
from ..walk.kinds import Kind

__all__ = ["Traits", "identifier", "literal", "type_name"]

_TYPES = {
    "int4": "INT", "int8": "BIGINT", "huge": "DECIMAL(38, 0)", "float8": "DOUBLE", "text": "STRING", "bool": "BOOLEAN",
    # Spark's TIMESTAMP is a moment, shown in the session's zone; what a clock shows is TIMESTAMP_NTZ.
    "date": "DATE", "timestamp": "TIMESTAMP_NTZ", "timestamptz": "TIMESTAMP", "interval": "INTERVAL",
    "null": "STRING",
}  # fmt: skip
_UNKNOWN = 18  # decimals of a number of which nobody knows how many it has


@dataclass(frozen=True, slots=True)
class Traits:
    """Where tables are: the ``catalog`` they are in, and ``views`` of files, by their schema and name, written."""

    catalog: str = "spark_catalog"
    views: Mapping[tuple[str, str], str] = field(default_factory=dict)


def identifier(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def type_name(kind: Kind) -> str:
    """A kind's type."""
    if kind.item is not None:
        return f"ARRAY<{type_name(kind.item)}>"
    if kind.name == "numeric":
        return f"DECIMAL({kind.precision or 38}, {_UNKNOWN if kind.scale is None else kind.scale})"
    return _TYPES[kind.name]


def literal(value: object) -> str:
    """A text as Spark reads it: nothing in it can end it, and nothing is replaced in it."""
    return "'" + "".join(_safe(letter) for letter in str(value)) + "'"


def _safe(letter: str) -> str:
    # $ as well: Spark replaces ${…} in the text of a statement by its own settings.
    if letter in "'\\\"$`" or not letter.isprintable():
        code = ord(letter)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return letter
