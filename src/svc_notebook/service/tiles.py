"""The tiles of a dashboard, each a result as every surface shows one: chart, table, evidence."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from starlette.requests import Request
from starlette.responses import Response

from ..analyst.charts import ChartColumn, ChartRequest, choose_chart
from ..analyst.toolbox import result_columns
from ..cancellation import CancellationToken
from ..front.payloads import result_payload
from ..lanes import Asker
from ..protocol.errors import NotFound
from ..results.result import Result
from ..results.rows import rows_of_table
from ..semantic.errors import QueryError
from .config import Tile
from .data_api import Asking, asking, row_filters
from .places import asker_of
from .streaming import LineStream
from .view_stream import VIEW_TYPE, encoded

if TYPE_CHECKING:
    from ..semantic.layer import SemanticLayer
    from .runtime import Service

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
    who = asker_of(caller, None)
    site = service.site(caller, wanted=request.path_params["deployment"])
    with service.place(who):  # whoever has too much open is told before anything streams
        asker = await asking(service, caller, None, create=False)
        lines = _lines(service, who, await service.layer(site), asker, tiles)
    return LineStream(lines, stall_limit=service.config.stall_limit, media_type=VIEW_TYPE)


async def _lines(
    service: Service, who: Asker, layer: SemanticLayer, asker: Asking, tiles: list[Tile]
) -> AsyncGenerator[bytes, None]:
    cancel = CancellationToken()
    try:
        with service.place(who) as place:
            for number, tile in enumerate(tiles):
                yield await place.query(partial(_line, layer, asker, tile, number, cancel), cancel)
    finally:
        cancel.cancel("the client has gone")


def _line(layer: SemanticLayer, asker: Asking, tile: Tile, place: int, cancel: CancellationToken) -> bytes:
    told: dict[str, Any] = {"t": "tile", "at": place, "title": tile.title}
    try:
        found = layer.query(asker.context, tile.sql, cancel=cancel)
    except QueryError as refused:
        return encoded({**told, "problem": refused.message})
    columns = result_columns(found)
    spec = tile.vega_spec
    if spec is None and tile.chart:
        spec = _chart(tile, found.table, columns, _measures(layer, asker))
    result = Result(
        sql=tile.sql, schema=columns, data=rows_of_table(found.table),
        vega_spec=None if spec is None else json.dumps(spec), row_filters=row_filters(asker, found.row_filters),
        notes=list(found.notes), whoami=asker.label, elapsed_ms=round(found.elapsed * 1000),
    )  # fmt: skip
    return encoded({**told, "result": result_payload(result)})


def _measures(layer: SemanticLayer, asker: Asking) -> set[str]:
    relations = layer.catalog(asker.context).relations.items()
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
