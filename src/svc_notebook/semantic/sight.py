"""What one asker can see: a model under one context, bound once. Whoever holds a sight cannot ask as anybody else."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from svc_notebook.cancellation import CancellationToken

    from .catalog import Catalog, Member, Relation
    from .context import SecurityContext
    from .layer import CompiledQuery, QueryResult, SemanticLayer
    from .surveys import Lie, Surveyed
    from .value_sets import Counted

__all__ = ["Sight"]


class Sight:
    """One asker's sight of one model; every call is theirs, and blocks."""

    __slots__ = ("_ctx", "_layer", "_seen")

    def __init__(self, layer: SemanticLayer, ctx: SecurityContext) -> None:
        self._layer = layer
        self._ctx = ctx
        self._seen: tuple[bytes, Catalog] | None = None  # neither model nor asker is another one later

    @property
    def model(self) -> object:
        """Stands for the model and lives as long as it: to keep by it, weakly, what was learnt. It answers nothing."""
        return self._layer.stands_for

    @property
    def asker(self) -> Hashable:
        """Everything of the asker that a policy can read: who has the same sees the same."""
        return self._ctx.known

    @property
    def outlook(self) -> bytes:
        """Stands for the catalog: what is worked out from it and a text alone may be kept by it."""
        return self._sees()[0]

    @property
    def catalog(self) -> Catalog:
        """``SemanticLayer.catalog``."""
        return self._sees()[1]

    def _sees(self) -> tuple[bytes, Catalog]:
        if self._seen is None:
            self._seen = self._layer.seen(self._ctx)
        return self._seen

    def search(self, query: str, limit: int = 8) -> list[tuple[Relation, list[Member]]]:
        """``SemanticLayer.search``."""
        return self._layer.search(self._ctx, query, limit)

    def values(self, member: str, *, limit: int = 1000, cancel: CancellationToken | None = None) -> list[Any]:
        """``SemanticLayer.values``."""
        return self._layer.values(self._ctx, member, limit=limit, cancel=cancel)

    def counted_values(self, member: str, *, limit: int = 1000, cancel: CancellationToken | None = None) -> Counted:
        """``SemanticLayer.counted_values``."""
        return self._layer.counted_values(self._ctx, member, limit=limit, cancel=cancel)

    def lie_at_hand(self, member: Member) -> Lie | None:
        """``SemanticLayer.lie_at_hand``."""
        return self._layer.lie_at_hand(self._ctx, member)

    def value_sets(
        self, relation: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> Mapping[str, list[Any]]:
        """``SemanticLayer.value_sets``."""
        return self._layer.value_sets(self._ctx, relation, limit=limit, cancel=cancel)

    @property
    def surveys(self) -> bool:
        """``SemanticLayer.surveys``."""
        return self._layer.surveys

    def surveyed(
        self, relation: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> Mapping[str, Surveyed]:
        """``SemanticLayer.surveyed``."""
        return self._layer.surveyed(self._ctx, relation, limit=limit, cancel=cancel)

    def profiled(self, member: str, *, cancel: CancellationToken | None = None) -> Lie:
        """``SemanticLayer.profiled``."""
        return self._layer.profiled(self._ctx, member, cancel=cancel)

    def compile(self, sql: str, *, timezone: str = "UTC") -> CompiledQuery:
        """``SemanticLayer.compile``."""
        return self._layer.compile(self._ctx, sql, timezone=timezone)

    def compiled(self, sql: str, *, timezone: str = "UTC") -> bool:
        """``SemanticLayer.compiled``."""
        return self._layer.compiled(self._ctx, sql, timezone=timezone)

    def at_hand(self, sql: str, *, timezone: str = "UTC") -> QueryResult | None:
        """``SemanticLayer.at_hand``."""
        return self._layer.at_hand(self._ctx, sql, timezone=timezone)

    def query(self, sql: str, *, timezone: str = "UTC", cancel: CancellationToken | None = None) -> QueryResult:
        """``SemanticLayer.query``."""
        return self._layer.query(self._ctx, sql, timezone=timezone, cancel=cancel)

    def kept(self, sql: str, uuid: str, *, timezone: str = "UTC") -> QueryResult | None:
        """``SemanticLayer.kept``."""
        return self._layer.kept(self._ctx, sql, uuid, timezone=timezone)

    def loosely(self) -> Callable[[], Sight | None]:
        """Gives this sight again for as long as the model is held elsewhere, and does not hold it."""
        layer, ctx = weakref.ref(self._layer), self._ctx

        def again() -> Sight | None:
            held = layer()
            return None if held is None else Sight(held, ctx)

        return again
