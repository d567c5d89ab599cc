"""What runs compiled SQL: the :class:`Engine` protocol and the DuckDB engine that is the default."""

from .base import Engine, TableName
from .duckdb import DuckDBEngine
from .limits import EngineLimits

__all__ = ["DuckDBEngine", "Engine", "EngineLimits", "TableName"]
