"""What names mean inside one SELECT: its relations, then those of the SELECT around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from sqlglot import exp

from ....records import dataclass
from ...dialects.nodes import sql as piece
from ...errors import InvalidQuery, UnknownMember
from ...model import Dimension, Granularity
from ..binding.aggregate_calls import aggregate_call
from ..binding.binding import Binder
from ..join_tree.entries import Entry
from ..names import Names, nearest
from ..plan.measures import row_value
from ..values import Bound
from .columns import Found, MeasureColumn, OutColumn

__all__ = ["Scope", "unknown_member"]


@dataclass
class Scope:
    """The names of one SELECT.

    ``ctes`` maps CTE names to what they are; ``run`` compiles a nested query in this scope; ``outer`` answers a
    nested query's name when this SELECT is grouped (only its group keys may be meant).
    """

    relations: list[Any] = field(default_factory=list)
    parent: Scope | None = None
    ctes: Names[Any] = field(default_factory=Names)
    merged: set[str] = field(default_factory=set)
    run: Callable[[exp.Expr, Scope], tuple[str, list[OutColumn]]] | None = None
    outer: Callable[[exp.Column], Bound] | None = None
    rows_of_measures: bool = False
    outermost: bool = False
    plain_aggregates: bool = False
    seen_outside: set[tuple[str, str]] = field(default_factory=set)
    used_outside: bool = False

    def lookup(self, table: str | None, name: str) -> Found | None:
        """The column in this SELECT's own relations.

        Raises
        ------
        InvalidQuery
            If two relations have it.
        """
        if table is not None:
            relation = self.relation(table)
            return relation.find(name) if relation is not None else None
        found = [(r, c) for r in self.relations if (c := r.find(name)) is not None]
        if len(found) > 1 and name.lower() not in self.merged:
            raise InvalidQuery(
                f"'{name}' is in several relations; write {' or '.join(f'{r.alias}.{name}' for r, _ in found[:2])}."
            )
        return found[0][1] if found else None

    def relation(self, name: str) -> Any | None:
        names: Names[Any] = Names()
        for relation in self.relations:
            if relation.alias is not None:
                names.add(relation.alias, relation)
        return names.get(name)

    def entry(self, table: str | None, name: str) -> Entry | None:
        relations = [self.relation(table)] if table is not None else self.relations
        return next((e for r in relations if r is not None and (e := r.entry(name)) is not None), None)

    def column(self, b: Binder, table: str | None, name: str) -> Bound:
        found = self.lookup(table, name)
        if isinstance(found, Bound):
            return found
        if isinstance(found, MeasureColumn):
            return self._measure_value(b, found)
        if self.parent is not None:
            return self._from_outside(b, table, name)
        raise unknown_member(self, table, name)

    def _measure_value(self, b: Binder, found: MeasureColumn) -> Bound:
        if not self.rows_of_measures:
            raise InvalidQuery(
                f"'{found.entry.name}' is a measure; write MEASURE({found.entry.name}) in SELECT, "
                "or HAVING instead of WHERE."
            )
        return row_value(found.source, found.entry)

    def _from_outside(self, b: Binder, table: str | None, name: str) -> Bound:
        parent = self.parent
        assert parent is not None
        try:
            if parent.outer is not None:
                bound = parent.outer(exp.column(name, table, quoted=True))
            else:
                bound = parent.column(b, table, name)
        except UnknownMember:
            # Told anew with the names of this SELECT: those around it are not what was meant.
            raise unknown_member(self, table, name) from None
        self.seen_outside |= bound.uses
        self.used_outside = True
        return bound

    def aggregate(self, b: Binder, node: exp.Expr) -> Bound:
        """An aggregate in a SELECT over plain rows."""
        if not self.plain_aggregates:
            raise InvalidQuery(
                "An aggregate cannot stand here (WHERE, ON, GROUP BY, or inside another aggregate); "
                "use HAVING or a subquery."
            )
        self.plain_aggregates = False
        try:
            call = aggregate_call(Binder(b.compilation, self), node)
        finally:
            self.plain_aggregates = True
        value = Bound.of("", call.kind, *call.args) if call.args else Bound("", call.kind)
        text = call.render([a.sql for a in call.args])
        return Bound(text, call.kind, value.uses, False, narrow=value.narrow, zoned=value.zoned, listed=call.listed)

    def subquery(self, b: Binder, node: exp.Expr, *, columns: int | None) -> Bound:
        """A nested query as an operand; ``columns`` is how many it must give."""
        assert self.run is not None
        inner = Scope(parent=self, ctes=self.ctes, run=self.run)
        sql, out = self.run(node, inner)
        if columns is not None and len(out) != columns:
            raise InvalidQuery(f"The subquery must give {columns} column{'s' if columns > 1 else ''}, not {len(out)}.")
        self.seen_outside |= inner.seen_outside
        self.used_outside = self.used_outside or inner.used_outside
        kind = out[0].bound.kind if out else "any"
        narrow = bool(out) and out[0].bound.narrow
        return Bound(piece("({})", sql), kind, frozenset(inner.seen_outside), True, narrow=narrow)

    def granularities(self, member: str | None) -> tuple[Granularity, ...]:
        """The custom granularities of a time dimension, by the path in :attr:`Bound.member`."""
        scope: Scope | None = self
        while scope is not None and member is not None:
            for relation in scope.relations:
                for name in relation.names():
                    entry = relation.entry(name)
                    if entry is not None and entry.label == member and isinstance(entry.member, Dimension):
                        return entry.member.granularities
            scope = scope.parent
        return ()


def unknown_member(scope: Scope, table: str | None, name: str) -> UnknownMember:
    """The one message for a name that is hidden, absent or misspelt; suggestions are names this asker may see."""
    known: list[str] = []
    relations = [scope.relation(table)] if table is not None else scope.relations
    for relation in relations:
        if relation is not None:
            known += list(relation.names())
    if table is not None and relations == [None]:
        aliases = [r.alias for r in scope.relations if r.alias]
        close = nearest(table, aliases)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        return UnknownMember(f"There is no relation '{table}' in FROM.{hint}", suggestions=close)
    close = nearest(name, known)
    hint = f" Did you mean {', '.join(close)}?" if close else ""
    where = f" in '{table}'" if table else ""
    return UnknownMember(f"There is no member '{name}'{where}.{hint}", suggestions=close)
