"""A model with the tables of rollups in the place of cubes.

Nothing else differs: members, joins, policies and kinds are those of the model, and whatever is compiled over it goes
through the same policies and the same proof. What a table does not hold raises :class:`NotHeld` where it is placed; a
time that is read finer than it is held stands in the text as a column that is not there (``NOT_HELD``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .... import patterns as re
from ...dialects.nodes import formed_item
from ...engine import TableName
from ...model import Cube, Dimension, Join
from ..authored.fragments import table_sql
from ..authored.index import ModelIndex
from ..rollup_tables import RollupTable

__all__ = ["RolledIndex", "over_rollups"]

_RAW = re.compile(r'\{\s*(\w+)\s*\}\s*\.\s*(?:"([^"]+)"|([A-Za-z_]\w*))')
_OWN = frozenset({"_tables", "failing", "governed", "rollups", "rolled_up"})  # differ by the tables that are read


class RolledIndex(ModelIndex):
    """A model in which the cubes of ``rolled`` are read from their rollups' tables."""

    def __init__(self, base: ModelIndex, rolled: Mapping[str, RollupTable]) -> None:
        # What was read of the model and the engine is shared, caches and the lock too: a rollup changes no type.
        self.__dict__.update({name: value for name, value in vars(base).items() if name not in _OWN})
        self.base = base
        self.tables_rolled = rolled
        self._tables: dict[str, tuple[str, frozenset[TableName]]] = {}
        self.failing: dict[tuple[str, str], bool] = {}
        self.rollups = ()
        self.rolled_up = {}
        self._held_joins: dict[tuple[str, str], Join] = {}

    def rolled(self, cube: str) -> RollupTable | None:
        return self.tables_rolled.get(cube)

    def _read_table(self, cube: Cube) -> tuple[str, frozenset[TableName]]:
        held = self.tables_rolled.get(cube.name)
        return (
            self.base.table(cube.name)
            if held is None
            else (formed_item(table_sql(held.table), ()), frozenset({held.table}))
        )

    def join(self, parent: str, child: str) -> Join:
        """The model's join; a column of a rolled cube is the dimension that shows it."""
        found = self._held_joins.get((parent, child))
        if found is None:
            join = super().join(parent, child)
            # The fragment, in which bare columns are spelt with their cube.
            text = self.fragment(join.sql).text
            found = replace(join, sql=_RAW.sub(lambda raw: self._shown(parent, child, raw), text))
            self._held_joins[parent, child] = found
        return found

    def _shown(self, parent: str, child: str, raw: re.Match[str]) -> str:
        cube = {"CUBE": parent, "TABLE": parent}.get(raw[1], raw[1])
        held = self.tables_rolled.get(cube) if cube in (parent, child) else None
        wanted = {f'{{CUBE}}."{raw[2] or raw[3]}"', f"{{CUBE}}.{raw[2] or raw[3]}"}
        for name in held.dimensions if held is not None else ():
            dimension = self.member(cube, name)
            plain = isinstance(dimension, Dimension) and dimension.case is None and dimension.sql is not None
            if plain and self.fragment(dimension.sql or "").text in wanted:
                return f"{{{cube}.{name}}}"
        return raw[0]

    # --- what is known of the cubes' own rows ----------------------------------------------------------------------

    def _probe(self, cube: str) -> dict[str, str]:
        return self.base._probe(cube)

    def exact_kind(self, cube: str, text: str) -> str:
        return self.base.exact_kind(cube, text)

    def widened(self, cube: str, text: str) -> str:
        return self.base.widened(cube, text)

    def is_written(self, cube: str, dimension: Dimension) -> bool:
        return self.base.is_written(cube, dimension)


def over_rollups(index: ModelIndex, rolled: Mapping[str, RollupTable]) -> ModelIndex:
    """The model with these tables in the place of cubes; made once."""
    key = tuple(held.called for held in rolled.values())
    found = index.rolled_up.get(key)
    if found is None:
        found = index.rolled_up[key] = RolledIndex(index, rolled)
    return found
