"""The tiles of a dashboard, each a result as every surface shows one: chart, table, evidence."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from starlette.requests import Request
from starlette.responses import Response

from ...analyst.charts import ChartColumn, ChartRequest, choose_chart
from ...analyst.toolbox import result_columns
from ...cancellation import CancellationToken
from ...front.payloads import result_payload
from ...protocol.errors import NotFound
from ...results.result import Result
from ...results.rows import rows_of_table
from ...semantic.errors import QueryError
from ..config import Tile
from ..web.streaming import LineStream
from .data_api import Asking, asking, row_filters
from .view_stream import VIEW_TYPE, encoded

if TYPE_CHECKING:
    from ...semantic.catalog import Catalog
    from ...semantic.layer import QueryResult
    from ..callers.auth import Caller
    from ..callers.scope import Scope
    from ..runtime import Service

__all__ = ["dashboard_tiles"]


async def dashboard_tiles(service: Service, request: Request) -> Response:
    """``GET /embed/d/{deploymentId}/dashboard/{id}/tiles``: a line per tile, in their order, under the token's user.

    A tile that cannot be shown says why; the others are shown all the same.
    """
    caller = await service.authenticate(request)
    wanted = request.path_params["dashboard"]
    tiles = next((each.tiles for each in service.tenant(caller).dashboards if each.id == wanted), None)
    if tiles is None:
        raise NotFound("No dashboard of that id in this account.")
    with service.sharing(caller, None):  # whoever has too much open is told before anything streams
        asker = await asking(service, caller, None, create=False)
        opening = await service.open(caller, None, wanted=request.path_params["deployment"])
    lines = _lines(service, caller, opening.bind(asker.context), asker, tiles)
    return LineStream(lines, stall_limit=service.config.stall_limit, media_type=VIEW_TYPE)


async def _lines(
    service: Service, caller: Caller, scope: Scope, asker: Asking, tiles: list[Tile]
) -> AsyncGenerator[bytes, None]:
    cancel = CancellationToken()
    try:
        with service.sharing(caller, None):
            for number, tile in enumerate(tiles):
                yield await _line(scope, asker, tile, number, cancel)
    finally:
        cancel.cancel("the client has gone")


async def _line(scope: Scope, asker: Asking, tile: Tile, number: int, cancel: CancellationToken) -> bytes:
    told: dict[str, Any] = {"t": "tile", "at": number, "title": tile.title}
    try:
        found = await scope.query(tile.sql, cancel=cancel)
    except QueryError as refused:
        return encoded({**told, "problem": refused.message})
    return await scope.think(_shown, told, asker, tile, found, _measures(await scope.catalog()))


def _shown(told: dict[str, Any], asker: Asking, tile: Tile, found: QueryResult, measures: set[str]) -> bytes:
    columns = result_columns(found)
    spec = tile.vega_spec
    if spec is None and tile.chart:
        spec = _chart(tile, found.table, columns, measures)
    result = Result(
        sql=tile.sql, schema=columns, data=rows_of_table(found.table),
        vega_spec=None if spec is None else json.dumps(spec), row_filters=row_filters(asker, found.row_filters),
        notes=list(found.notes), as_of=found.as_of, whoami=asker.label,
        row_limit=found.table.num_rows if found.truncated else None, elapsed_ms=round(found.elapsed * 1000),
    )  # fmt: skip
    return encoded({**told, "result": result_payload(result)})


def _measures(catalog: Catalog) -> set[str]:
    relations = catalog.relations.items()
    return {f"{name}.{m.name}" for name, each in relations for m in each.members.values() if m.kind == "measure"}


def _chart(tile: Tile, table: pa.Table, columns: list[Any], measures: set[str]) -> dict[str, Any] | None:
    """What the rules would draw of such columns; rows as they stand in the data are a table unless a mark is named."""
    drawn = tuple(
        _column(column, values, tile.mark is not None or column.member in measures)
        for column, values in zip(columns, table.columns, strict=True)
    )
    measured = [column for column in drawn if column.measured]
    if not measured:
        return None
    drawn = (*(column for column in drawn if not column.measured), measured[0])  # one axis has one unit
    return choose_chart(ChartRequest(columns=drawn, description=tile.title, mark=tile.mark, ordered=True))


def _column(column: Any, values: pa.ChunkedArray, measured: bool) -> ChartColumn:
    kinds, kind = pa.types, values.type
    number = kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind)
    return ChartColumn(
        column.name,
        "time" if kinds.is_temporal(kind) else "number" if number and measured else "ordinal" if number else "category",
        column.title or column.name,
        measured=number and measured,
        format=column.format,
        currency=column.currency,
        cardinality=0 if number and measured else len(values.unique()),
        member=column.member,
    )
