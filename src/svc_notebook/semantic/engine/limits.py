"""What an engine may use of the machine."""

from __future__ import annotations

from pathlib import Path

from ...records import dataclass

__all__ = ["EngineLimits"]


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """What one engine may use: ``memory`` and ``temp`` as DuckDB sizes, ``timeout`` in seconds.

    ``spill`` is the folder where DuckDB keeps, up to ``temp``, what does not fit into ``memory`` while it computes; by
    default ``.tmp`` in the working directory, made when it is needed.
    """

    memory: str = "2GB"
    temp: str = "4GB"
    spill: str | Path | None = None
    threads: int | None = None
    timeout: float = 30.0
    concurrent: int = 8
    max_rows: int = 1_000_000
