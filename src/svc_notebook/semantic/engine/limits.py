"""What an engine may use of the machine."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EngineLimits"]


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """What one engine may use: ``memory`` and ``temp`` as DuckDB sizes, ``timeout`` in seconds."""

    memory: str = "2GB"
    temp: str = "4GB"
    threads: int | None = None
    timeout: float = 30.0
    concurrent: int = 8
    max_rows: int = 1_000_000
