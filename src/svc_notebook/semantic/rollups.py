"""Rollups of a model, built as tables of the engine its data lie in; with those data they go.

A query is answered from one where it holds all that the query and the asker's policies read (:mod:`.compiler.rolled`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from hashlib import blake2b

from ..records import dataclass
from .compiler.authored.index import ModelIndex
from .compiler.rollup_tables import RollupTable
from .compiler.rollups.rollup_statement import rollup_statement
from .engine import TableName
from .errors import QueryError
from .model import Rollup

__all__ = ["BuiltRollup", "build_rollups"]

_log = logging.getLogger(__name__)
Materialise = Callable[[str, str], tuple[TableName, int]]


@dataclass(frozen=True, slots=True)
class BuiltRollup:
    """What became of a rollup: its rows (None where no table was built), and what it does not hold, in words."""

    name: str
    rows: int | None
    remarks: tuple[str, ...] = ()


def build_rollups(index: ModelIndex) -> tuple[BuiltRollup, ...]:
    """Build every rollup of a model, and have queries be answered from them, by the first declared that can.

    Not by the smallest: how many rows one has goes by rows that an asker may not see.
    """
    declared = [(cube.name, rollup) for cube in index.model.cubes.values() for rollup in cube.rollups]
    told, tables = [], []
    for cube, rollup in declared:
        built, table = _built(index, cube, rollup)
        told.append(built)
        tables += [table] if table is not None else []
        for remark in built.remarks:
            _log.warning("rollup '%s': %s", built.name, remark)
    index.rollups = tuple(tables)
    return tuple(told)


def _built(index: ModelIndex, cube: str, rollup: Rollup) -> tuple[BuiltRollup, RollupTable | None]:
    called = f"{cube}.{rollup.name}"
    materialise: Materialise | None = getattr(index.engine, "materialise", None)
    if materialise is None:
        return BuiltRollup(called, None, ("it is not built: this engine keeps no tables for us",)), None
    try:
        made = rollup_statement(index, cube, rollup)
        if made is None:
            return BuiltRollup(called, None, ("it is not built: the cube's own SQL goes by the asker",)), None
        # Part of the name: two generations of a model may define the rollup differently and both be answered from.
        digest = blake2b(made.sql.encode(), digest_size=4).hexdigest()
        table, rows = materialise(f"{called} {digest}", made.sql)
    except QueryError as error:
        return BuiltRollup(called, None, (f"it is not built: {error.message}",)), None
    held = RollupTable(cube, rollup.name, table, rows, made.dimensions, made.times, made.measures)
    return BuiltRollup(called, rows, made.left_out), held
