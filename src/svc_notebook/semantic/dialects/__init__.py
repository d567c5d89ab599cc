"""How each engine says what a compiled query means: one :class:`Dialect` for each, one folder or module for each."""

from .base import Dialect
from .duckdb import DUCKDB

__all__ = ["DUCKDB", "POSTGRES", "SPARK", "Dialect", "dialect_of"]

# What they say stands in their folders, which their engines alone load.
POSTGRES = Dialect("postgres", "PostgreSQL", floats_fail=True)
SPARK = Dialect("spark", "Spark", floats_fail=False)
_DIALECTS = {dialect.name: dialect for dialect in (DUCKDB, POSTGRES, SPARK)}


def dialect_of(name: str) -> Dialect:
    """The dialect of an engine, by the name it gives."""
    return _DIALECTS[name]
