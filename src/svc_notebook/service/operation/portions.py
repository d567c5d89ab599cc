"""Several processes serve one port: what a limit says is for all of them, each has its part."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import structs

from ..config import ServiceConfig

if TYPE_CHECKING:
    from ...semantic.engine.limits import EngineLimits

__all__ = ["engine_portion", "portion"]

_FEWEST = 8
"""Requests that every process takes on at once, whatever its part would be."""


def portion(config: ServiceConfig, workers: int) -> ServiceConfig:
    """The configuration of one of so many processes."""
    if workers == 1:
        return config
    return structs.replace(
        config,
        open_limit=max(_FEWEST, -(-config.open_limit // workers)),
        kept_memory=config.kept_memory // workers,
        kept_disk=config.kept_disk // workers,
    )


def engine_portion(workers: int) -> EngineLimits:
    """The engine's limits in one of so many processes: memory, temporary files, threads, queries at once."""
    from ...semantic.engine.limits import EngineLimits

    if workers == 1:
        return EngineLimits()
    return EngineLimits(
        # What EngineLimits gives one process (2 GB, 4 GB, 8 queries), in parts; memory is not overcommitted among them.
        memory=f"{2048 // workers}MB", temp=f"{4096 // workers}MB", threads=max(1, (os.cpu_count() or 1) // workers),
        concurrent=max(2, -(-8 // workers)),
    )  # fmt: skip
