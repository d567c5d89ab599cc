"""What PostgreSQL calls things: names and types."""

from __future__ import annotations

import hashlib

from ..walk.kinds import Kind

__all__ = ["identifier", "quoted", "type_name"]

_LONGEST = 63  # bytes of a name; PostgreSQL cuts off the rest without a word, and two names become one
_TYPES = {
    "int4": "integer", "int8": "bigint", "huge": "numeric", "numeric": "numeric", "float8": "double precision",
    "text": "text", "bool": "boolean", "date": "date", "timestamp": "timestamp", "timestamptz": "timestamptz",
    "interval": "interval", "time": "time", "null": "text",
}  # fmt: skip


def type_name(kind: Kind) -> str:
    """A kind's type, whatever digits it has."""
    return f"{type_name(kind.item)}[]" if kind.item is not None else _TYPES[kind.name]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def identifier(name: str) -> str:
    """A name of our own making, quoted; a long one ends in a digest of the whole."""
    raw = name.encode()
    if len(raw) <= _LONGEST:
        return quoted(name)
    digest = hashlib.blake2b(raw, digest_size=6).hexdigest()
    # 13 bytes: the ~ and twelve digits. A letter that is cut in two is left out.
    return quoted(f"{raw[: _LONGEST - 13].decode(errors='ignore')}~{digest}")
