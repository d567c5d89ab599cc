"""FROM as a whole: what the columns of a SELECT come from, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ..errors import InvalidQuery
from .columns import PassRelation, RowRelation
from .context import Compilation
from .from_items import Reader, Run, piece
from .join_order import Joined, ordered
from .joins import add_join, joined_by_model, model_join
from .leaves import Filter
from .refusals import check_args
from .scope import Scope
from .source import ModelSource
from .values import Bound

__all__ = ["FromClause", "read_from"]


@dataclass
class FromClause:
    """FROM as read. ``single`` is the model source if it is all there is; ``filters`` came with subqueries."""

    relations: list[Any] = field(default_factory=list)
    pieces: list[Any] = field(default_factory=list)
    single: ModelSource | None = None
    alone: ModelSource | None = None  # the same where its rows are wanted, not its measures
    filters: list[Bound] = field(default_factory=list)
    merged: set[str] = field(default_factory=set)
    joined: list[Joined] = field(default_factory=list)  # where there are several relations

    def sql(self, filters: Sequence[Filter]) -> str:
        """FROM and WHERE; model sources are written by marks, with every column anybody has used by the end."""
        if self.single is not None or self.alone is not None:
            source = self.single or self.alone
            assert source is not None
            safe, rest = [f.bound.sql for f in filters if f.safe], [f.bound.sql for f in filters if not f.safe]
            return f" FROM {source.all_filtered(safe, rest)}"
        text = "".join(item() if callable(item) else item for item in self.pieces)
        for item in ordered(self.joined):
            text += (f" {item.word} JOIN " if item.word else "") + item.text + (f" ON {item.on}" if item.on else "")
        where = f" WHERE {' AND '.join(f.bound.sql for f in filters)}" if filters else ""
        return (f" FROM {text}" if text else "") + where


def read_from(compilation: Compilation, select: exp.Select, scope: Scope, run: Run, *, materialise: bool) -> FromClause:
    """Read FROM and JOINs, binding ON conditions on the way."""
    clause = FromClause()
    node = select.args.get("from_")
    joins = select.args.get("joins") or []
    if node is None:
        if joins:
            raise InvalidQuery("A JOIN needs a FROM before it.")
        return clause
    check_args(node, ("this",))
    compilation.count_sources(1 + len(joins))
    reader = Reader(compilation, scope, run, materialise, select)
    if joined_by_model(compilation, node.this, joins, scope):
        return model_join(compilation, node.this, joins, clause)
    first = reader.read(node.this)
    clause.relations.append(first)
    if not joins:
        _only(clause, first, materialise)
        return clause
    clause.joined.append(Joined.of(first, piece(compilation, first)))
    for join in joins:
        add_join(compilation, reader, clause, join, scope)
    return clause


def _only(clause: FromClause, relation: Any, materialise: bool) -> None:
    if isinstance(relation, RowRelation):
        clause.pieces.append(piece(None, relation))
        return
    clause.filters = list(relation.filters) if isinstance(relation, PassRelation) else []
    clause.single = None if materialise else relation.source
    clause.alone = relation.source
