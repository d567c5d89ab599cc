"""Responses: typed models as JSON, and nothing at all."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

__all__ = ["empty_response", "json_response"]

_encoder = msgspec.json.Encoder()


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encoder.encode(value), status, media_type="application/json", headers=headers)


def empty_response(status: int = 204) -> Response:
    return Response(status_code=status)
