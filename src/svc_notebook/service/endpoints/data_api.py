"""The data API: rows of a query under the asker's policies, how it was compiled, and what may be asked for."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from ...analyst.toolbox import cube_info, result_columns, told_filters
from ...cancellation import CancellationToken
from ...protocol.chat import AbortSessionSettings, SessionSettings
from ...protocol.data import (
    ARROW_STREAM,
    DataLine,
    DataRequest,
    ErrorLine,
    ExplainResponse,
    MetaRequest,
    MetaResponse,
    SchemaLine,
    SqlRequest,
)  # fmt: skip
from ...protocol.errors import BadRequest, Forbidden, NotFound, ServiceError
from ...protocol.ndjson import CONTENT_TYPE, encode_line
from ...protocol.rows import column_type, json_rows
from ...protocol.spelling import spelled
from ...protocol.tools import Column, RowFilter
from ...records import dataclass
from ...semantic.context import SecurityContext
from ...semantic.information_schema import asks_for_the_catalog
from ...waits import first_end
from ..callers.auth import Caller
from ..callers.identity import check_settings, existing_asker, resolve_asker
from ..turns.threads import named_user, query_user
from ..web.responses import json_response
from ..web.rules import check_timezone, given
from ..web.streaming import LineStream, disconnected

if TYPE_CHECKING:
    import pyarrow as pa

    from ...semantic.layer import AppliedFilter
    from ...semantic.results.streamed import StreamedResult
    from ..callers.scope import Scope
    from ..runtime import Service

__all__ = ["data_body", "explain_sql", "meta", "meta_as", "opened", "run_sql"]

T = TypeVar("T")
B = TypeVar("B", bound=DataRequest)
# Rows that a thread encodes in one go; between batches others get the interpreter.
_BATCH = 2_000
_TABLE = "svc.table"


async def run_sql(service: Service, request: Request) -> Response:
    """``POST /svc-api/v1/sql``: NDJSON, or an Arrow stream, or in process the table itself."""
    caller, body, timezone = await _asked(service, request)
    cancel = CancellationToken()
    with service.sharing(caller, settings_of(body)):
        asker, scope = await opened(service, caller, request, body.session_settings, create=True)
        if body.stream is True:
            if ARROW_STREAM not in request.headers.get("accept", ""):
                raise BadRequest(f"A stream of any number of rows is an Arrow stream: accept {ARROW_STREAM}.")
            rows = await while_connected(request, cancel, scope.stream(body.query, timezone=timezone, cancel=cancel))
            lines = _streamed(scope, asker, rows)
            return LineStream(lines, stall_limit=service.config.stall_limit, media_type=ARROW_STREAM)
        named = body.uuid if isinstance(body.uuid, str) else ""
        catalog = asks_for_the_catalog(body.query)
        # What is kept is told without a place among the queries.
        result = None if catalog else scope.at_hand(body.query, timezone=timezone, uuid=named)
        if result is None and catalog:
            result = await while_connected(request, cancel, scope.query_catalog(body.query, cancel=cancel))
        elif result is None:
            running = scope.query(body.query, timezone=timezone, cancel=cancel, uuid=named)
            result = await while_connected(request, cancel, running)
    head = SchemaLine(
        result_columns(result),
        row_filters(asker, result.row_filters),
        list(result.notes),
        asker.label,
        truncated=result.truncated or UNSET,
        row_limit=result.table.num_rows if result.truncated else UNSET,
        as_of=result.as_of or UNSET,
        kept=result.kept or UNSET,
    )
    if ARROW_STREAM not in request.headers.get("accept", ""):
        return LineStream(
            _lines(scope, head, result.table), stall_limit=service.config.stall_limit, media_type=CONTENT_TYPE
        )
    table = result.table.replace_schema_metadata(_about(head))
    extension = request.scope.get("extensions", {}).get(_TABLE)
    if extension is not None:
        extension["offer"](table)
        # The transport has the table; a body would copy it.
        return Response(b"", headers={"svc-table": "reference"}, media_type=ARROW_STREAM)
    return LineStream(_arrow(scope, table), stall_limit=service.config.stall_limit, media_type=ARROW_STREAM)


async def explain_sql(service: Service, request: Request) -> Response:
    """``POST /svc-api/v1/sql/explain``: the compiled SQL and the row filters that apply."""
    caller, body, timezone = await _asked(service, request)
    with service.sharing(caller, settings_of(body)):
        asker, scope = await opened(service, caller, request, body.session_settings, create=True)
        if not asker.by_key:
            raise Forbidden(
                "The compiled SQL holds the policies' own conditions; it is shown to holders of an account key."
            )
        compiled = await scope.explain(body.query, timezone=timezone)
        schema = await scope.schema(body.query, timezone=timezone)
    columns = [
        Column(item.name, column_type(field.type), item.member, item.title, item.format, item.currency)
        for item, field in zip(compiled.columns, schema, strict=True)
    ]
    return json_response(
        ExplainResponse(
            query=body.query,
            sql=compiled.sql,
            parameters=[_plain(value) for value in compiled.params.values()],
            row_filters=row_filters(asker, compiled.row_filters),
            schema=columns,
            notes=list(compiled.notes),
        )
    )


async def meta(service: Service, request: Request) -> Response:
    """``GET /svc-api/v1/meta``: every member the user may see; with ``searchQuery`` the nearest."""
    caller = await service.authenticate(request)
    settings = None
    if caller.token is not None or set(AbortSessionSettings.__struct_encode_fields__) & set(request.query_params):
        settings = query_user(caller, request)
    with service.sharing(caller, settings):
        _, scope = await opened(service, caller, request, settings, create=False)
        return await _members(scope, request.query_params.get(spelled(MetaRequest, "search_query")))


async def meta_as(service: Service, request: Request) -> Response:
    """``POST /svc-api/v1/meta``: the same for a user whose attributes and groups come with the request."""
    caller = await service.authenticate(request)
    body = await data_body(service, request, MetaRequest)
    with service.sharing(caller, settings_of(body)):
        _, scope = await opened(service, caller, request, body.session_settings, create=True)
        return await _members(scope, body.search_query or None)


async def data_body(service: Service, request: Request, model: type[B]) -> B:
    """The body of a data request.

    Raises
    ------
    BadRequest
        It names a place, which would otherwise be passed over in silence.
    """
    body = await service.body(request, model)
    if given(body.active_branch_name) or body.is_default_branch is False:
        raise BadRequest("The data API answers from the branch that is served; activeBranchName is for chat.")
    if given(body.deployment_id):
        raise BadRequest("deploymentId of the data API belongs into the query string: …?deploymentId=11.")
    return body


def settings_of(body: Any) -> SessionSettings | None:
    """Who asks, as far as a request's body says so."""
    return body.session_settings if isinstance(body.session_settings, SessionSettings) else None


async def opened(
    service: Service,
    caller: Caller,
    request: Request,
    sent: SessionSettings | UnsetType | None,
    *,
    create: bool,
    trial: bool = False,
) -> tuple[Asking, Scope]:
    """Whose policies apply (see :func:`asking`), and what they may reach.

    It is the deployment of ``deploymentId`` in the query string, else the caller's first.
    """
    asker = await asking(service, caller, sent, create=create, trial=trial)
    settings = sent if isinstance(sent, SessionSettings) else None
    wanted = request.query_params.get(spelled(DataRequest, "deployment_id"))
    opening = await service.open(caller, settings, wanted=wanted)
    return asker, opening.bind(asker.context)


async def _members(scope: Scope, words: str | None) -> Response:
    if words is not None:
        found = await scope.search(words)
    else:
        catalog = await scope.catalog()
        found = [(relation, list(relation.members.values())) for relation in catalog.relations.values()]
    return json_response(MetaResponse([cube_info(relation, members) for relation, members in found]))


@dataclass(frozen=True, slots=True)
class Asking:
    """Whose policies apply, and words for it; ``by_key``: an account key asks, which may know what the policies say."""

    context: SecurityContext
    label: str
    by_key: bool


def row_filters(asker: Asking, found: Sequence[AppliedFilter]) -> list[RowFilter]:
    """The row filters that were applied, as far as whoever asks may know them."""
    if not asker.by_key:
        return told_filters(found)
    return [RowFilter(item.cube, item.filter, item.reason) for item in found]


async def _asked(service: Service, request: Request) -> tuple[Caller, SqlRequest, str]:
    caller = await service.authenticate(request)
    body = await data_body(service, request, SqlRequest)
    if not body.query.strip():
        raise BadRequest("query must not be empty.")
    settings = body.session_settings
    named = settings.timezone if isinstance(settings, SessionSettings) else UNSET
    timezone = check_timezone(body.timezone if given(body.timezone) else named)
    return caller, body, timezone


async def asking(
    service: Service,
    caller: Caller,
    sent: SessionSettings | UnsetType | None,
    *,
    create: bool,
    trial: bool = False,
) -> Asking:
    """Whose policies apply: the named user's, the token's, or none for the account's own administrator.

    A ``trial`` takes what was sent for granted and keeps nothing of it.
    """
    settings = sent if isinstance(sent, SessionSettings) else None
    if caller.token is None and settings is None:
        if not caller.admin:
            raise Forbidden("Without sessionSettings the data API needs an account key with admin access.")
        return Asking(SecurityContext.operator(), "operator", True)
    by_key = caller.token is None
    check_settings(caller, settings)
    if create and not _only_names(settings):
        store = service.trial if trial else service.write
        asker = await store(
            resolve_asker, caller, settings, now=service.now(), default_ttl=service.config.ephemeral_ttl
        )
        if not trial:
            service.expires(asker.expires_at)
        return Asking(asker.context, asker.label, by_key)
    external, internal = named_user(settings)
    found = await service.read(existing_asker, caller, external, internal, now=service.now())
    if found is not None:
        return Asking(found.context, found.label, by_key)
    if internal is not None or not create:
        raise NotFound("No such user.")
    # A query needs no stored user: who is not known has no groups and no attributes.
    return Asking(SecurityContext(user=external or ""), f"{external} (external)", by_key)


def _only_names(settings: SessionSettings | None) -> bool:
    return settings is None or not any(
        given(getattr(settings, name))
        for name in settings.__struct_fields__
        if name not in {"external_id", "internal_id", "timezone"}
    )


async def while_connected(request: Request, cancel: CancellationToken, work: Coroutine[Any, Any, T]) -> T:
    """Await ``work``; when the client goes, what waits is given up and what runs is interrupted."""
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(disconnected(request.receive))
    try:
        await first_end(working, watching)
        if not working.done():
            raise ClientGone("The client has gone.")
        return working.result()
    finally:
        watching.cancel()
        if not working.done():
            cancel.cancel("the client has gone")
            # Nobody awaits it any more; asyncio would tell of an error that was never retrieved.
            working.add_done_callback(lambda task: task.cancelled() or task.exception())


class ClientGone(ServiceError):
    """Nobody is there to read the answer; the status is what proxies log for it."""

    status = 408


async def _lines(scope: Scope, head: SchemaLine, table: pa.Table) -> AsyncGenerator[bytes, None]:
    yield encode_line(head)
    # A result without rows has a line of data all the same: clients wait for one.
    for start in range(0, max(table.num_rows, 1), _BATCH):
        try:
            line = await scope.think(_data_line, table.slice(start, _BATCH))
        except (ValueError, OverflowError, TypeError, ArithmeticError) as error:
            yield encode_line(ErrorLine(f"A value of the result cannot be written as JSON: {error}"))
            return
        yield line


def _data_line(table: pa.Table) -> bytes:
    return encode_line(DataLine(json_rows(table)))


async def _streamed(scope: Scope, asker: Asking, rows: StreamedResult) -> AsyncGenerator[bytes, None]:
    import pyarrow as pa

    head = SchemaLine(
        result_columns(rows), row_filters(asker, rows.row_filters), list(rows.notes), asker.label,
        as_of=rows.as_of or UNSET,
    )  # fmt: skip
    schema, batches, buffer = rows.schema.with_metadata(_about(head)), rows.batches(), io.BytesIO()
    try:
        with pa.ipc.new_stream(buffer, schema) as writer:
            yield _taken(buffer)
            # With a default: StopIteration cannot pass through a future.
            while (batch := await scope.think(next, batches, None)) is not None:
                await scope.think(writer.write_batch, batch.replace_schema_metadata(schema.metadata))
                yield _taken(buffer)
        yield _taken(buffer)
    finally:
        await scope.think(rows.close)


def _about(head: SchemaLine) -> dict[bytes, bytes]:
    return {b"svc": msgspec.json.encode(head), b"svc.columns": msgspec.json.encode(head.schema)}


async def _arrow(scope: Scope, table: pa.Table) -> AsyncGenerator[bytes, None]:
    import pyarrow as pa

    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        yield _taken(buffer)
        for batch in table.to_batches(max_chunksize=65_536):
            await scope.think(writer.write_batch, batch)
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.BytesIO) -> bytes:
    data = buffer.getvalue()
    buffer.seek(0)
    # At where seek() has put it: without, the next piece would have the end of this one behind it.
    buffer.truncate()
    return data


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else str(value)
