"""How each engine says what a compiled query means: one :class:`Dialect` for each, one folder or module for each."""

from .base import Dialect
from .duckdb import DUCKDB
from .postgres import POSTGRES
from .spark import SPARK

__all__ = ["DUCKDB", "POSTGRES", "SPARK", "Dialect", "dialect_of"]

_DIALECTS = {dialect.name: dialect for dialect in (DUCKDB, POSTGRES, SPARK)}


def dialect_of(name: str) -> Dialect:
    """The dialect of an engine, by the name it gives."""
    return _DIALECTS[name]
