"""Joins by several columns of the same names, which identify the rows of one side together: a store and a month."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from .found import FoundJoin
from .keys import GENERIC
from .profile import TableProfile, kind_of
from .reading import Looker, quoted
from .readings import is_whole
from .tables import Column, Database, Table

__all__ = ["joins_of_several_columns"]

# A tenth may be missing: tables of facts run ahead of those that describe them.
_ENOUGH = 0.9
_MOST_TABLES = 30  # beyond which pairs are too many to look at
# Tables that share more are copies of each other rather than references.
_MOST_COLUMNS = 4
_MOMENTS = frozenset("year month quarter week day date hour".split())


def joins_of_several_columns(
    database: Database, profiles: Mapping[str, TableProfile], looker: Looker, linked: set[frozenset[str]]
) -> list[FoundJoin]:
    """Found by names, and borne out by values: unique on the one side, and included from the other."""
    found: list[FoundJoin] = []
    known = set(linked)
    if len(database.tables) > _MOST_TABLES:
        return found
    for many, one in permutations(database.tables, 2):
        pair = frozenset((many.name, one.name))
        shared = _shared(many, one)
        if pair in known or not 2 <= len(shared) <= _MOST_COLUMNS or profiles[one.name].rows < 2:
            continue
        here, there = (tuple(column.name for column in side) for side in zip(*shared, strict=True))
        # Where both are unique nothing says which refers to which.
        fits = _identify(looker, one.name, there, profiles) and not _identify(looker, many.name, here, profiles)
        if fits and _included(looker, (many.name, here), (one.name, there)) >= _ENOUGH:
            found.append(FoundJoin(many.name, here, one.name, there))
            known.add(pair)
    return found


def _shared(many: Table, one: Table) -> list[tuple[Column, Column]]:
    """Columns of the same name and kind that are no measurements; nothing where all of them say but when."""
    pairs = [(column, other) for column in many.columns if (other := one.column(column.name)) is not None]
    pairs = [(a, b) for a, b in pairs if kind_of(a.physical) == kind_of(b.physical) and _may_identify(a)]
    names = {a.name.lower() for a, _ in pairs}
    return pairs if names - _MOMENTS - GENERIC else []


def _may_identify(column: Column) -> bool:
    kind = kind_of(column.physical)
    return kind in ("string", "time") or (kind == "number" and is_whole(column.physical))


def _identify(looker: Looker, table: str, columns: tuple[str, ...], profiles: Mapping[str, TableProfile]) -> bool:
    named = ", ".join(map(quoted, columns))
    counted = looker.rows(f"SELECT count(*) FROM (SELECT DISTINCT {named} FROM {looker.place(table)})")
    return int(counted[0][0]) == profiles[table].rows


def _included(looker: Looker, many: tuple[str, tuple[str, ...]], one: tuple[str, tuple[str, ...]]) -> float:
    """The share of the many side's different combinations that the one side has."""
    same = " AND ".join(f"h.{quoted(a)} = t.{quoted(b)}" for a, b in zip(many[1], one[1], strict=True))
    held = f"SELECT DISTINCT {', '.join(map(quoted, many[1]))} FROM {looker.place(many[0])}"
    filled = " AND ".join(f"h.{quoted(name)} IS NOT NULL" for name in many[1])
    rows = looker.rows(
        f"SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM {looker.place(one[0])} t WHERE {same})) "
        f"FROM ({held}) h WHERE {filled}"
    )
    total, there = rows[0]
    return there / total if total else 0.0
