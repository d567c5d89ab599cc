"""In which order joined relations are written for the engine, which joins them as written.

What is to the right of a join is held in memory, and the rows to the left are looked up in it, so rows of which there
are many stand first. That may not be found from how many rows tables have, since that tells hidden ones: it is read
off the model. A relation that is joined by its primary key has one row for the many of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from sqlglot import exp

from .... import patterns as re
from ....records import dataclass
from ...dialects.nodes import joined_by
from ...model import Dimension
from ..names import fold
from .columns import ModelRelation, PassRelation

__all__ = ["Joined", "ordered"]

Piece: TypeAlias = "str | Callable[[], str]"
Pair: TypeAlias = tuple[exp.Expr, exp.Expr]
# The aliases that the compiler itself gives: r and t with a number.
_ALIAS = re.compile(r"\b[rt]\d+\b")


@dataclass
class Joined:
    """A relation of FROM: its text, and the word it is joined by with its condition.

    ``one_of`` are the aliases of relations for whose many rows it has one.
    """

    alias: str
    piece: Piece
    word: str = ""
    on: str = ""
    one_of: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, relation: Any, piece: Piece, word: str = "", on: str = "") -> Joined:
        return cls(_alias_of(relation), piece, word, on)

    @property
    def text(self) -> str:
        return self.piece if isinstance(self.piece, str) else self.piece()

    def compare(
        self, left: Sequence[Joined], relations: Sequence[Any], pairs: Iterable[tuple[exp.Expr, exp.Expr]]
    ) -> None:
        """Note which side of each equality of the condition is a primary key; ``relations`` end with this one's."""
        by_alias = {item.alias: item for item in [*left, self]}
        for pair in pairs:
            sides = [_side(relations, column) for column in pair]
            (one, its_key), (other, others_key) = sides
            if one != other and one in by_alias and other in by_alias and its_key != others_key:
                by_alias[one if its_key else other].one_of.add(other if its_key else one)


def ordered(joins: Sequence[Joined]) -> list[Joined]:
    """The same joins with the many first; as they are where that is not known, or would not be the same."""
    if len(joins) == 2 and joins[1].word == "LEFT" and _turned(joins):
        first, second = joins
        return [Joined(second.alias, second.piece), Joined(first.alias, first.piece, "RIGHT", second.on)]
    if len(joins) < 2 or any(item.word != "INNER" for item in joins[1:]) or any(map(_is_lateral, joins)):
        return list(joins)
    # DuckDB's own ordering is off, since it goes by what tables hold (engine/locks.py): the side of many rows is put
    # first.
    start = next((item for item in joins if not item.one_of), joins[0])
    return list(joins) if start is joins[0] else _from(start, joins) or list(joins)


def _turned(joins: Sequence[Joined]) -> bool:
    return joins[1].alias in joins[0].one_of and not any(map(_is_lateral, joins))


def _is_lateral(item: Joined) -> bool:
    return isinstance(item.piece, str) and item.piece.startswith("LATERAL")


def _from(start: Joined, joins: Sequence[Joined]) -> list[Joined] | None:
    """Joins beginning with ``start``, each on the conditions that it completes; None if one of them had none."""
    known = {item.alias for item in joins}
    conditions = [(item.on, set(_ALIAS.findall(item.on)) & known) for item in joins[1:]]
    placed, rest = [Joined(start.alias, start.piece)], [item for item in joins if item is not start]
    there = {start.alias}
    while rest:
        for item in rest:
            now = [on for on, needs in conditions if needs <= there | {item.alias}]
            if now:
                break
        else:
            return None
        conditions = [(on, needs) for on, needs in conditions if on not in now]
        placed.append(Joined(item.alias, item.piece, "INNER", joined_by(" AND ", now)))
        there.add(item.alias)
        rest.remove(item)
    return placed


def _side(relations: Sequence[Any], column: exp.Expr) -> tuple[str, bool]:
    """The alias of the relation that a column is of, and whether it is the primary key of that relation's rows."""
    if not isinstance(column, exp.Column):
        return "", False
    named = [r for r in relations if not column.table or fold(r.alias or "") == fold(column.table)]
    relation = next((r for r in named if r.entry(column.name) is not None), None)
    if not isinstance(relation, (ModelRelation, PassRelation)):
        return (_alias_of(relation), False) if relation is not None else ("", False)
    entry = relation.entry(column.name)
    tree = relation.source.tree
    key = [d.name for d in tree.index.cube(tree.root[-1]).dimensions if d.primary_key]
    own = entry is not None and entry.path == tree.root and isinstance(entry.member, Dimension)
    return _alias_of(relation), own and entry is not None and key == [entry.member.name]


def _alias_of(relation: Any) -> str:
    return str(relation.source.alias if isinstance(relation, (ModelRelation, PassRelation)) else relation.sql_alias)
