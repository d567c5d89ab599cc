"""What runs compiled SQL: the :class:`Engine` protocol and the DuckDB engine that is the default."""

from .base import Engine, TableName
from .duckdb import DuckDBEngine, EngineLimits

__all__ = ["DuckDBEngine", "Engine", "EngineLimits", "TableName"]
