"""FROM as a query writes it, read into a clause."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ...errors import InvalidQuery
from ..join_tree.context import Compilation
from ..refusals import check_args
from .columns import PassRelation, RowRelation
from .from_clause import FromClause
from .from_items import Reader, Run, piece
from .join_order import Joined
from .joins import add_join, joined_by_model, model_join
from .scope import Scope

__all__ = ["read_from"]


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
