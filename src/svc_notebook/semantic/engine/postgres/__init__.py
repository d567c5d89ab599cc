"""PostgreSQL as the place where the data lie: asked through ADBC, never written to."""

from .engine import PostgresEngine

__all__ = ["PostgresEngine"]
