"""DuckDB: the compiler's own language; what is compiled runs as it is."""

from __future__ import annotations

from .base import Dialect

__all__ = ["DUCKDB"]

DUCKDB = Dialect("duckdb", "DuckDB", floats_fail=False)
