"""The two tools, bound to one asker: svcMeta searches metadata, svcSqlApi runs SQL under policy.

A toolbox belongs to one turn. Whatever it hands out has passed the asker's policies, so that an analyst that knows
nothing but its toolbox can leak nothing. Whole results stay in process as Arrow tables under their ``uuid``; the
tool result that travels carries at most ``row_cap`` rows and says how many there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from msgspec import UNSET

from ..cancellation import CancellationToken
from ..lanes import FREE, Workplace
from ..protocol.rows import column_type, json_rows
from ..protocol.tools import (
    Column,
    CubeInfo,
    MemberInfo,
    MetaInput,
    MetaResult,
    RowFilter,
    SqlInput,
    SqlResult,
    ToolError,
)
from ..semantic.errors import QueryError, SemanticError
from ..semantic.results.streamed import StreamedResult
from ..semantic.sight import Sight
from ..tracing import span

if TYPE_CHECKING:
    import pyarrow as pa

    from ..semantic.catalog import Catalog, Member, Relation
    from ..semantic.context import SecurityContext
    from ..semantic.layer import AppliedFilter, QueryResult, SemanticLayer
    from .certified import CertifiedQuery

__all__ = ["Toolbox"]

_SEARCH_LIMIT = 8
P = ParamSpec("P")
T = TypeVar("T")


class Watched(Protocol):
    """A query as it is seen by whoever watches; what came of it is said here."""

    result: Any


class _Unwatched:
    result: Any = None


class Toolbox:
    """The tools of one turn.

    Parameters
    ----------
    layer
        The semantic layer that compiles and runs queries.
    ctx
        The asker; every call is bound to it.
    timezone
        The query time zone.
    cancel
        The turn's stop token: a running query is interrupted when it is cancelled.
    sink
        Called with the ``uuid`` of every result, and with all of it.
    row_cap
        Rows a tool result carries at most; ``totalRows`` is the full count.
    ids
        Makes the ``uuid`` of a result from a kind (``"result"``); deterministic within the turn.
    place
        Where the turn's work runs (the service supplies the asker's); outside a service nothing is shared out.
    watch
        Entered around every query that svcSqlApi runs, with its SQL (the service supplies one).
    accepted
        Gives what was answered right: to the asker, or with True to everyone of the account (the service supplies it).

    Attributes
    ----------
    sight
        What the asker can see; its calls block, and run where the caller stands.
    compiled
        Called with a query that svcSqlApi is about to run and that nobody has asked before, on the thread that has just
        compiled it: what is wanted of it besides costs no way of its own to a thread.
    """

    def __init__(
        self,
        layer: SemanticLayer,
        ctx: SecurityContext,
        *,
        timezone: str = "UTC",
        cancel: CancellationToken | None = None,
        sink: Callable[[str, QueryResult], object] | None = None,
        row_cap: int = 100,
        ids: Callable[[str], str] | None = None,
        place: Workplace = FREE,
        watch: Callable[[str], AbstractContextManager[Watched]] = lambda sql: nullcontext(_Unwatched()),
        accepted: Callable[[bool], Awaitable[Sequence[CertifiedQuery]]] | None = None,
    ) -> None:
        self.sight = Sight(layer, ctx)
        self.timezone = timezone
        self.cancel = cancel if cancel is not None else CancellationToken()
        self.row_cap = row_cap
        self._sink = sink
        self._ids = ids
        self._place = place
        self._watch = watch
        self._accepted = accepted
        self.compiled: Callable[[str], object] = _nothing
        self._issued = 0
        self._results: dict[str, QueryResult] = {}
        self._asked: dict[str, QueryResult] = {}

    @property
    def catalog(self) -> Catalog:
        """What this asker may see of the model."""
        return self.sight.catalog

    async def accepted(self, *, everyone: bool = False) -> Sequence[CertifiedQuery]:
        """Questions whose answers were marked right, with the SQL that gave them, the latest first."""
        return await self._accepted(everyone) if self._accepted is not None else ()

    async def search(self, query: str, limit: int = _SEARCH_LIMIT) -> list[tuple[Relation, list[Member]]]:
        """Relations and members nearest to ``query``, best first."""
        return await self.think(self.sight.search, query, limit)

    async def values(self, member: str, limit: int = 1000) -> list[Any]:
        """Distinct values of ``view.member`` this asker may see, most frequent first."""
        return await self._place.query(partial(self.sight.values, member, limit=limit, cancel=self.cancel), self.cancel)

    async def earlier(self, uuid: str, sql: str) -> QueryResult | None:
        """A result of an earlier turn, if it is kept and this asker may still have it; no query is run for it.

        Raises
        ------
        SemanticError
            If the model refuses the query by now.
        """
        return await self.think(self.sight.kept, sql, uuid, timezone=self.timezone)

    async def think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run pure Python that may take a while off the event loop; it asks nothing of the data."""
        return await self._place.think(work, *args, **kwargs)

    async def prepare(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run what may ask the data on its way (by :func:`svc_notebook.lanes.fetch`) off the event loop."""
        return await self._place.prepare(work, *args, **kwargs)

    async def meta(self, request: MetaInput) -> MetaResult:
        """The tool svcMeta."""
        with span("svc.tool", tool="svcMeta") as told:
            found = await self.search(request.search_query)
            told.tell(outcome="complete")
        return MetaResult(
            cubes=[cube_info(relation, members) for relation, members in found], search_query=request.search_query
        )

    async def ask(self, sql: str) -> pa.Table:
        """The whole rows of a query under policy, without showing them; a query that is shown later is not run again.

        Raises
        ------
        SemanticError
            If the model refuses it.
        """
        found = await self._run(sql, _nothing)
        self._asked[sql] = found
        return found.table

    async def _run(self, sql: str, compiled: Callable[[str], object]) -> QueryResult:
        self.cancel.raise_if_cancelled()
        known = self._asked.get(sql)
        if known is not None:
            return known
        with self._watch(sql) as seen:
            # Compiled first: what is refused needs no place among the queries, and what is not is then known.
            found = self.sight.at_hand(sql, timezone=self.timezone)
            if found is not None:
                seen.result = found
                return found
            if not self.sight.compiled(sql, timezone=self.timezone):
                await self.think(self._compile, sql, compiled)
            seen.result = result = await self._place.query(
                partial(self.sight.query, sql, timezone=self.timezone, cancel=self.cancel), self.cancel
            )
        return result

    def _compile(self, sql: str, compiled: Callable[[str], object]) -> None:
        self.sight.compile(sql, timezone=self.timezone)
        compiled(sql)

    async def sql_api(self, request: SqlInput) -> SqlResult | ToolError:
        """The tool svcSqlApi: run under policy, keep the whole table, answer with at most ``row_cap`` rows."""
        with span("svc.tool", tool="svcSqlApi") as told:
            found = await self._sql_api(request)
            if isinstance(found, SqlResult):
                told.tell(outcome="complete", uuid=found.uuid)
            else:
                told.tell(outcome="refused")
        return found

    async def _sql_api(self, request: SqlInput) -> SqlResult | ToolError:
        try:
            result = await self._run(request.sql_query, self.compiled)
        except QueryError as error:
            hint = (
                f" Did you mean {_one_of(error.suggestions)}?"
                if error.suggestions and "id you mean" not in error.message
                else ""
            )
            return ToolError(error.message + hint)
        except SemanticError as error:
            return ToolError(str(error))
        uuid = self._new_id(request.sql_query)
        self._results[uuid] = result
        if self._sink is not None:
            self._sink(uuid, result)
        return SqlResult(
            sql_query=request.sql_query,
            query_title=request.query_title or "",
            description=request.description or "",
            user_request=request.user_request or "",
            schema=result_columns(result),
            data=json_rows(result.table, self.row_cap),
            total_rows=UNSET if result.truncated else result.table.num_rows,
            uuid=uuid,
            vega_spec=request.vega_spec,
            row_filters=told_filters(result.row_filters) or UNSET,
            notes=list(result.notes) or UNSET,
            truncated=result.truncated or UNSET,
            row_limit=result.table.num_rows if result.truncated else UNSET,
            as_of=result.as_of or UNSET,
            kept=result.kept or UNSET,
        )

    def result(self, uuid: str) -> QueryResult:
        """The whole result of this turn under ``uuid`` (raises ``KeyError`` for an unknown one)."""
        return self._results[uuid]

    def table(self, uuid: str) -> pa.Table:
        """The whole table of this turn under ``uuid``."""
        return self._results[uuid].table

    def _new_id(self, sql: str) -> str:
        self._issued += 1
        if self._ids is not None:
            return self._ids("result")
        return hashlib.sha256(f"{self._issued}\n{sql}".encode()).hexdigest()[:32]


def _nothing(sql: str) -> None:
    """Nothing else is wanted."""


def told_filters(row_filters: Sequence[AppliedFilter]) -> list[RowFilter]:
    """Row filters as the asker may be told of them: nothing of members, cubes and values that are hidden."""
    told = [item.told or item for item in row_filters]
    return list(dict.fromkeys(RowFilter(item.cube, item.filter, item.reason) for item in told))


def result_columns(result: QueryResult | StreamedResult) -> list[Column]:
    """The wire's column definitions of a result: types from the table, titles and formats from the members."""
    fields = result.schema if isinstance(result, StreamedResult) else result.table.schema
    return [
        Column(
            name=column.name,
            column_type=column_type(fields.field(index).type),
            member=column.member,
            title=column.title,
            format=column.format,
            currency=column.currency,
        )
        for index, column in enumerate(result.columns)
    ]


def cube_info(relation: Relation, members: Sequence[Member]) -> CubeInfo:
    return CubeInfo(
        name=relation.name,
        type=relation.kind,
        title=relation.title,
        description=relation.description,
        members=[_member_info(member) for member in members],
    )


def _member_info(member: Member) -> MemberInfo:
    return MemberInfo(
        name=member.path,
        title=member.title,
        type=member.type,
        member_type=member.kind,
        description=member.description,
        agg_type=member.agg_type,
        format=member.format,
        currency=member.currency,
        primary_key=member.primary_key,
        granularities=[g.name for g in member.granularities] or None,
        synonyms=list(member.synonyms) or None,
    )


def _one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
