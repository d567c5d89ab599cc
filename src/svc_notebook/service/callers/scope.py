"""What one caller may reach, bound once: nothing else leads to a data model, an analyst, or a thread to run them on.

:meth:`Service.open` takes a caller and gives an :class:`Opening`: account, deployment, branch and place are settled,
and nothing can be asked yet. Bound to the rights of whoever asks it becomes a :class:`Scope`, whose every method runs
under those rights. Handlers get no layer, so none can ask one account's model with another's rights.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from ...analyst.toolbox import Toolbox
from ...cancellation import CancellationToken
from ...lanes import Place
from ...records import dataclass
from ...semantic.information_schema import query_catalog
from ...semantic.json_queries.json_load import JsonAnswer, load
from ...semantic.sight import Sight
from ...tracing import span

if TYPE_CHECKING:
    import pyarrow as pa

    from ...analyst.base import Analyst
    from ...semantic.catalog import Catalog, Member, Relation
    from ...semantic.context import SecurityContext
    from ...semantic.layer import CompiledQuery, QueryResult, SemanticLayer
    from ...semantic.policies.access_report import RelationAccess
    from ...semantic.results.streamed import StreamedResult
    from ..deployments.generations import Hold
    from ..deployments.sites import Site
    from ..operation.witness import Sighting, Witness

__all__ = ["Opening", "Scope"]

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a request is answered, before it is known whose rights apply.

    Attributes
    ----------
    site
        The deployment of an account.
    branch
        The development branch; ``""`` is the one that is served.
    place
        The asker's place in the lanes.
    """

    site: Site
    branch: str
    place: Place
    _layer: SemanticLayer = field(repr=False)
    _made: Callable[[], Awaitable[Analyst]] | None = field(repr=False)
    _witness: Witness = field(repr=False)
    _hold: Hold | None = field(default=None, repr=False)

    def bind(self, context: SecurityContext) -> Scope:
        """The scope of whoever has these rights."""
        return Scope(self.site, self.branch, self.place, context, self._layer, self._made, self._witness, self._hold)

    async def ready(self) -> None:
        """Make the analyst now, so that what is missing is said before anything streams."""
        if self._made is not None:
            await self._made()


@dataclass(frozen=True, slots=True)
class Scope:
    """Everything one asker may reach in one request; every call is theirs."""

    site: Site
    branch: str
    place: Place
    context: SecurityContext
    _layer: SemanticLayer = field(repr=False)
    _made: Callable[[], Awaitable[Analyst]] | None = field(repr=False)
    _witness: Witness = field(repr=False)
    _hold: Hold | None = field(default=None, repr=False)

    def release(self) -> None:
        """Nothing more will be asked; what was opened may be closed. So does forgetting the scope."""
        if self._hold is not None:
            self._hold.release()

    async def analyst(self) -> Analyst:
        """Who answers here."""
        assert self._made is not None, "this scope was opened for no agent"
        return await self._made()

    def toolbox(self, question: str = "", **options: Any) -> Toolbox:
        """The tools of a turn that asks ``question``; ``options`` as ``Toolbox`` has them."""
        watch = partial(self._watch, question=question)
        return Toolbox(self._layer, self.context, place=self.place, watch=watch, sink=self._layer.remember, **options)

    async def think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run pure Python that may take a while."""
        return await self.place.think(work, *args, **kwargs)

    async def query(
        self, sql: str, *, timezone: str = "UTC", cancel: CancellationToken | None = None, uuid: str = ""
    ) -> QueryResult:
        """``SemanticLayer.query``; compiled first, so that what is refused needs no place among the queries."""
        with self._watch(sql, uuid=uuid) as seen:
            await self.place.think(self._layer.compile, self.context, sql, timezone=timezone)
            work = partial(self._layer.query, self.context, sql, timezone=timezone, cancel=cancel, uuid=uuid)
            seen.result = await self.place.query(work, cancel)
        return cast("QueryResult", seen.result)

    async def query_catalog(self, sql: str, *, cancel: CancellationToken | None = None) -> QueryResult:
        """A query of ``information_schema``: what this asker may see, as tables."""
        with self._watch(sql) as seen:
            catalog = await self.catalog()
            seen.result = await self.place.query(partial(query_catalog, catalog, sql, cancel=cancel), cancel)
        return cast("QueryResult", seen.result)

    def at_hand(self, sql: str, *, timezone: str = "UTC", uuid: str = "") -> QueryResult | None:
        """What :meth:`query` would give, where nothing has to be waited for; else None, and nobody is told."""
        found = self._layer.at_hand(self.context, sql, timezone=timezone, uuid=uuid)
        if found is not None:
            with self._watch(sql, uuid=uuid) as seen:
                seen.result = found
        return found

    async def stream(self, sql: str, *, timezone: str, cancel: CancellationToken) -> StreamedResult:
        """``SemanticLayer.stream``."""
        with self._watch(sql) as seen:
            await self.place.think(self._layer.compile, self.context, sql, timezone=timezone)
            work = partial(self._layer.stream, self.context, sql, timezone=timezone, cancel=cancel)
            seen.result = await self.place.query(work, cancel)
        return cast("StreamedResult", seen.result)

    def fetch(self, sql: str, *, timezone: str = "UTC", uuid: str = "") -> QueryResult:
        """:meth:`query` from a thread, waited for."""
        work = partial(self._layer.query, self.context, sql, timezone=timezone, uuid=uuid)
        with self._watch(sql, uuid=uuid) as seen:
            seen.result = self.place.fetch(work)
        return cast("QueryResult", seen.result)

    async def explain(self, sql: str, *, timezone: str = "UTC") -> CompiledQuery:
        """``SemanticLayer.explain``."""
        return await self.place.think(self._layer.explain, self.context, sql, timezone=timezone)

    async def schema(self, sql: str, *, timezone: str = "UTC") -> pa.Schema:
        """``SemanticLayer.schema``."""
        return await self.place.query(partial(self._layer.schema, self.context, sql, timezone=timezone))

    async def load(self, query: Any, *, now: datetime, cancel: CancellationToken) -> list[JsonAnswer]:
        """The answers of a JSON query."""
        work = partial(load, self._layer, self.context, query, now=now, cancel=cancel)
        began = time.monotonic()
        with span("svc.query") as told:
            answers = await self.place.query(work, cancel)
            told.tell(
                outcome="complete", queries=len(answers), rows=sum(each.result.table.num_rows for each in answers)
            )
        self._witness.loaded(self.site, self.context, answers, time.monotonic() - began)
        return answers

    async def catalog(self) -> Catalog:
        """``SemanticLayer.catalog``."""
        return await self.place.think(self._layer.catalog, self.context)

    def sight(self) -> Sight:
        """What this asker can see, for a thread: its calls block."""
        return Sight(self._layer, self.context)

    async def search(self, words: str) -> list[tuple[Relation, list[Member]]]:
        """``SemanticLayer.search``."""
        return await self.place.think(self._layer.search, self.context, words)

    async def access_report(self, names: Sequence[str]) -> list[RelationAccess]:
        """``SemanticLayer.access_report``: for administrators."""
        return await self.place.query(partial(self._layer.access_report, self.context, names))

    def _watch(self, sql: str, *, question: str = "", uuid: str = "") -> AbstractContextManager[Sighting]:
        return self._witness.watch(self.site, self.context, sql, question, uuid)
