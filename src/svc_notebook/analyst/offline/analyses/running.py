"""A recipe carried out: its queries in parallel lanes under the asker's rights, a stop between any two of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from .asked import Recipe
from .pieces import Found

if TYPE_CHECKING:
    from collections.abc import Generator

    import pyarrow as pa

    from ...toolbox import Toolbox

__all__ = ["MOST", "answered"]

MOST = 12
"""Queries of one analysis at most."""


async def answered(recipe: Recipe, toolbox: Toolbox) -> tuple[Found | None, int]:
    """What a recipe found, and how many queries that took.

    Raises
    ------
    SemanticError
        If the model refuses one of its queries.
    """
    steps, asked = recipe(), 0
    tables: list[pa.Table] | None = None
    try:
        while True:
            queries = await toolbox.think(_further, steps, tables)
            if not isinstance(queries, list):
                return queries, asked
            asked += len(queries)
            if asked > MOST:
                raise RuntimeError(f"an analysis asked {asked} queries, {MOST} are allowed")
            toolbox.cancel.raise_if_cancelled()
            tables = list(await asyncio.gather(*(toolbox.ask(sql) for sql in queries)))
            toolbox.cancel.raise_if_cancelled()
    finally:
        # A generator that waits holds its tables until it is closed.
        steps.close()


def _further(
    steps: Generator[list[str], list[pa.Table], Found | None], tables: list[pa.Table] | None
) -> list[str] | Found | None:
    """The queries a recipe asks next, or what it found."""
    try:
        return next(steps) if tables is None else steps.send(tables)
    except StopIteration as ended:
        found: Found | None = ended.value
        return found
