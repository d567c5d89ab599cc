"""The status table and the one error body: ``{"statusCode", "error", "message"}``.

Layers below the HTTP door raise :class:`ServiceError` subclasses; the door maps them to a status and this body,
in one place. The client reads the same body with :func:`error_message`, tolerant of other services' shapes.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

__all__ = [
    "BadRequest", "Conflict", "ErrorBody", "Forbidden", "NotFound", "PayloadTooLarge", "ServerError", "ServiceError",
    "ServiceUnavailable", "TooManyRequests", "Unauthorized", "error_message", "phrase",
]  # fmt: skip


class ErrorBody(msgspec.Struct, rename="camel"):
    """The JSON body of every error of every endpoint."""

    status_code: int
    error: str
    message: str


class ServiceError(Exception):
    """A request that cannot be served; ``status`` is the HTTP status it is answered with."""

    status: int = 500

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after  # seconds; None where asking again later changes nothing

    def body(self) -> ErrorBody:
        return ErrorBody(self.status, HTTPStatus(self.status).phrase, self.message)


class BadRequest(ServiceError):
    status = 400


class Unauthorized(ServiceError):
    status = 401


class Forbidden(ServiceError):
    status = 403


class NotFound(ServiceError):
    status = 404


class Conflict(ServiceError):
    status = 409


class PayloadTooLarge(ServiceError):
    status = 413


class TooManyRequests(ServiceError):
    status = 429


class ServerError(ServiceError):
    status = 500


class ServiceUnavailable(ServiceError):
    status = 503


def error_message(body: Any, fallback: str) -> str:
    """The human message of an error body of any shape seen in the wild.

    ``message`` is read first, then ``error``; each may be a string, an object or a list.
    """
    for key in ("message", "error"):
        if isinstance(body, dict) and body.get(key):
            return _text(body[key])
    return _text(body) if body else fallback


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _text(value.get("message") or value.get("error") or msgspec.json.encode(value).decode())
    if isinstance(value, list):
        return "; ".join(_text(item) for item in value)
    return str(value)


def phrase(status: int) -> str:
    """The standard words for an HTTP status."""
    return HTTPStatus(status).phrase
