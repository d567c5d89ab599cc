"""The state of saying one statement, how its engine says what every query has, and the way from a node to its rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from msgspec import Struct
from sqlglot import exp

from ....records import dataclass
from .kinds import FLOAT8, TEXT, Kind, Value, together
from .parts import refuse_unread
from .refusal import not_declared
from .scope import PhysicalColumn, Scope

__all__ = ["Query", "Rule", "Statement", "Tables", "Tongue", "Writer"]

Rule: TypeAlias = "Callable[[Writer, Any], Value]"
Tables: TypeAlias = Callable[[str, str], "Sequence[PhysicalColumn] | None"]


class Query(Struct, frozen=True):
    """A query as text, and its columns."""

    sql: str
    columns: tuple[tuple[str, Kind], ...]


class Tongue(Struct, frozen=True):
    """How an engine says what is in every query.

    Attributes
    ----------
    quoted
        A name as the tables have it.
    identifier
        A name of our own making, of any length.
    place
        A table, by its schema and name.
    type_name
        A kind's type.
    cast, try_cast, as_kind, as_text
        Values of one kind as another: as ``CAST`` and ``TRY_CAST`` do it, beside others of that kind, and written out.
    times
        What ``+`` and ``-`` of times, dates and intervals are.
    knows
        Which of ``MATERIALIZED``, ``DISTINCT ON`` and a ``FULL JOIN`` on any condition there are.
    barrier
        Rows, ended by what nothing above moves a condition below (``OFFSET 0`` of a compiled query).
    """

    quoted: Callable[[str], str]
    identifier: Callable[[str], str]
    place: Callable[[Writer, str, str], str]
    type_name: Callable[[Kind], str]
    cast: Callable[[Writer, Value, Kind], Value]
    try_cast: Callable[[Writer, Value, Kind], Value]
    as_kind: Callable[[Writer, Value, Kind], Value]
    as_text: Callable[[Writer, Value], Value]
    times: Callable[[Value, str, Value], Value]
    knows: frozenset[str]
    barrier: Callable[[str], str]


class Statement(Struct, frozen=True):
    """What is the same for a whole statement.

    ``rules`` by the type of a node, ``query`` writes a query inside a scope; ``traits`` are what differs from one
    database of the engine to the next.
    """

    params: Mapping[str, Any]
    tables: Tables
    traits: Any
    tongue: Tongue
    rules: Mapping[type[exp.Expr], Rule]
    query: Callable[[Statement, exp.Expr, Scope | None], Query]


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes expressions in one scope."""

    statement: Statement
    scope: Scope = field(default_factory=Scope)

    def value(self, node: exp.Expr) -> Value:
        rule = self.statement.rules.get(type(node))
        if rule is None:
            raise not_declared(node)
        refuse_unread(node)
        return rule(self, node)

    def all(self, nodes: Sequence[exp.Expr]) -> list[Value]:
        return [self.value(node) for node in nodes]

    def query(self, node: exp.Expr) -> Query:
        return self.statement.query(self.statement, node, self.scope)

    @property
    def traits(self) -> Any:
        return self.statement.traits

    @property
    def tongue(self) -> Tongue:
        return self.statement.tongue

    def null(self, kind: Kind = TEXT) -> str:
        """NULL, as a value of that kind."""
        return f"CAST(NULL AS {self.tongue.type_name(kind)})"

    def as_kind(self, value: Value, kind: Kind) -> Value:
        """A value in the kind that it shares with others."""
        return self.tongue.as_kind(self, value, kind)

    def float_of(self, value: Value) -> str:
        """As a floating-point number."""
        return value.sql if value.kind == FLOAT8 else self.as_kind(value, FLOAT8).sql

    def together(self, values: Sequence[Value]) -> tuple[list[Value], Kind]:
        """Values in the one kind they meet in; a text that the model's author writes takes that of the others."""
        # '2024-01-01' beside a date is a date, as DuckDB reads it.
        firm = [value.kind for value in values if not (value.kind == TEXT and isinstance(value.constant, str))]
        kind = together(firm or [value.kind for value in values])
        if kind.name == "null":
            kind = together(value.kind for value in values)
        return [self.as_kind(value, kind) for value in values], kind
