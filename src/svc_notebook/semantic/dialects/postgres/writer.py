"""The state of saying one statement, and the way from a node to its rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sqlglot import exp

from .kinds import Kind, Value
from .parts import refuse_unread
from .refusal import not_declared
from .scope import PhysicalColumn, Scope
from .traits import Traits

__all__ = ["Query", "Rule", "Statement", "Writer"]

Rule: TypeAlias = "Callable[[Writer, Any], Value]"
Tables: TypeAlias = Callable[[str, str], "Sequence[PhysicalColumn] | None"]


@dataclass(frozen=True, slots=True)
class Query:
    """A query as text, and its columns."""

    sql: str
    columns: tuple[tuple[str, Kind], ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """What is the same for a whole statement.

    ``rules`` by the type of a node, ``query`` writes a query inside a scope.
    """

    params: Mapping[str, Any]
    tables: Tables
    traits: Traits
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
    def traits(self) -> Traits:
        return self.statement.traits
