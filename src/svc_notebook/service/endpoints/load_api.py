"""JSON queries: measures, dimensions and filters by name instead of SQL, answered with annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...cancellation import CancellationToken
from ...protocol.data import LoadRequest, LoadResponse, LoadResults
from ...protocol.rows import json_rows
from ...semantic.json_queries.json_load import JsonAnswer, annotation
from ..clock import as_datetime
from ..web.responses import json_response
from .data_api import data_body, opened, settings_of, while_connected

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["load_json"]

_json = msgspec.json.Encoder()
_SLICE = 2_000


async def load_json(service: Service, request: Request) -> Response:
    """``POST /svc-api/v1/load``: one result, or several for a ``compareDateRange``."""
    caller = await service.authenticate(request)
    body = await data_body(service, request, LoadRequest)
    cancel, now = CancellationToken(), as_datetime(service.now())
    with service.sharing(caller, settings_of(body)):
        _, scope = await opened(service, caller, request, body.session_settings, create=True)
        answers = await while_connected(request, cancel, scope.load(body.query, now=now, cancel=cancel))
        return await scope.think(_response, body.query, answers)


def _response(query: dict[str, Any], answers: list[JsonAnswer]) -> Response:
    results = [_result(query, answer) for answer in answers]
    return json_response(results[0] if len(results) == 1 else LoadResults("compareDateRangeQuery", results))


def _result(query: dict[str, Any], answer: JsonAnswer) -> LoadResponse:
    keys = [column.key for column in answer.query.columns]
    rows = [dict(zip(keys, row, strict=True)) for row in json_rows(answer.result.table)]
    written: Any = _written(rows)
    return LoadResponse(query, written, annotation(answer.query), answer.total)


def _written(rows: list[dict[str, Any]]) -> msgspec.Raw:
    """Rows as JSON, written a slice at a time: between slices other threads get the interpreter."""
    slices = (_json.encode(rows[start : start + _SLICE])[1:-1] for start in range(0, len(rows), _SLICE))
    return msgspec.Raw(b"[" + b",".join(slices) + b"]")
