"""What binds an expression: the scope its names mean something in, and where what it does is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from sqlglot import exp

from ...errors import InvalidQuery
from ...model import Granularity
from ..join_tree.context import Compilation
from ..values import Bound, as_kind

__all__ = ["Binder", "Hook", "NamesInScope"]

Hook = Callable[[exp.Expr], "Bound | None"]


class NamesInScope(Protocol):
    """What names mean inside one SELECT; see :class:`.scope.Scope`."""

    relations: list[Any]
    plain_aggregates: bool

    @property
    def parent(self) -> NamesInScope | None: ...
    def lookup(self, table: str | None, name: str) -> Any: ...
    def column(self, b: Binder, table: str | None, name: str) -> Bound: ...
    def aggregate(self, b: Binder, node: exp.Expr) -> Bound: ...
    def subquery(self, b: Binder, node: exp.Expr, *, columns: int | None) -> Bound: ...
    def granularities(self, member: str | None) -> tuple[Granularity, ...]: ...


class Binder:
    """Binds expressions in one scope.

    Parameters
    ----------
    hook
        Asked first for every node; the planner of aggregate queries puts group keys and aggregates in their places
        with it.
    """

    def __init__(self, compilation: Compilation, scope: NamesInScope, hook: Hook | None = None) -> None:
        self.compilation = compilation
        self.scope = scope
        self.hook = hook
        self.windows: dict[str, exp.Window] = {}

    def bind(self, node: exp.Expr) -> Bound:
        """The node as SQL.

        Raises
        ------
        NotAllowed, UnknownMember, InvalidQuery, TooComplex
        """
        if self.hook is not None and (found := self.hook(node)) is not None:
            return found
        return self.compilation.rule(self, node)

    def all(self, nodes: Sequence[exp.Expr]) -> list[Bound]:
        return [self.bind(n) for n in nodes]

    def literal(self, value: Any) -> Bound:
        return self.compilation.params.literal(value)

    def to(self, value: Bound, kind: str) -> Bound:
        return as_kind(self.compilation.params, value, kind)

    def risky(self, *parts: Bound) -> None:
        """Record an operation that may fail on some value of its operands."""
        # What fails on constants fails for everybody, and tells nobody of a row that is hidden.
        if any(p.row for p in parts):
            self.compilation.raising = True

    def condition(self, node: exp.Expr, where: str) -> Bound:
        bound = self.to(self.bind(node), "boolean")
        if bound.kind not in ("boolean", "null", "any"):
            raise InvalidQuery(f"{where} wants a condition, not a {bound.kind}; compare it with something.")
        return bound
