"""Reading a request body: bounded in size and time, strict JSON, then a typed model.

Python's own reader accepts NaN, duplicate keys, numbers beyond any range and unpaired surrogates; none of these pass
here, and none of them ends in anything but a 400 that says where.
"""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from ...protocol.errors import BadRequest, PayloadTooLarge, ServiceError
from ..typed_faults import choices

__all__ = ["MAX_DEPTH", "parse_json", "read_json"]

MAX_DEPTH = 64
# Any 128-bit number has fewer; int() takes quadratic time for long ones.
_MAX_DIGITS = 40

T = TypeVar("T")


class UnsupportedMediaType(ServiceError):
    status = 415


class RequestTimeout(ServiceError):
    status = 408


async def read_json(request: Request, model: type[T], *, limit: int, patience: float) -> T:
    """The body as ``model``.

    Raises
    ------
    UnsupportedMediaType, PayloadTooLarge, RequestTimeout, BadRequest
        Not JSON by its content type, over ``limit`` bytes, slower than ``patience`` seconds, or not a valid ``model``.
    """
    _check_content_type(request.headers.get("content-type"))
    if request.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType("Send the body as it is, without Content-Encoding.")
    try:
        async with asyncio.timeout(patience):
            data = await _read(request, limit)
    except TimeoutError:
        raise RequestTimeout(f"The request body did not arrive within {patience:.0f} seconds.") from None
    except ClientDisconnect:
        raise BadRequest("The connection closed before the body was complete.") from None
    try:
        return msgspec.convert(parse_json(data), model)
    except msgspec.ValidationError as error:
        raise BadRequest(_readable(str(error), model)) from None


async def _read(request: Request, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise PayloadTooLarge(f"The request body is larger than {limit:,} bytes.")
        chunks.append(chunk)
    return b"".join(chunks)


def _check_content_type(value: str | None) -> None:
    kind, *parameters = ((value or "").lower()).split(";")
    sets = [text.partition("=")[2].strip(' "') for text in parameters if text.partition("=")[0].strip() == "charset"]
    if kind.strip() != "application/json" or not {"utf-8", "utf8"}.issuperset(sets):
        raise UnsupportedMediaType("Send the body with Content-Type: application/json (UTF-8).")


def parse_json(data: bytes) -> Any:
    """``data`` as plain Python values.

    Raises
    ------
    BadRequest
        Not UTF-8, not JSON (NaN and Infinity are not), a key twice in one object, nested deeper than 64 levels, a
        number out of range, or an unpaired surrogate.
    """
    if not data.strip():
        raise BadRequest("The request body is empty: a JSON object is expected.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest(f"The request body is not UTF-8 (byte {error.start}).") from None
    try:
        # Not msgspec, which takes the last of two equal keys in silence and reads NaN into a float field.
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadRequest(f"The request body is not JSON: {error.msg} at {where}.") from None
    except RecursionError:
        raise BadRequest(f"The request body is nested deeper than {MAX_DEPTH} levels.") from None
    # What is written without an escape holds no half of a pair, and so few brackets nest no deeper.
    if "\\u" in text or text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth_and_text(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRequest(f"The key {twice[:80]!a} stands twice in one JSON object.")
    return result


def _no_constant(name: str) -> Any:
    raise BadRequest(f"{name} is not JSON.")


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise BadRequest(f"A number of {len(text)} digits is out of range.")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise BadRequest(f"The number {text[:40]} is out of range.")
    return value


def _check_depth_and_text(value: Any) -> None:
    level: list[Any] = [value]
    depth = 0
    # Level by level: a recursive walk would overflow on just the values that it is to refuse.
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise BadRequest(f"The request body is nested deeper than {MAX_DEPTH} levels.")
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.keys())
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
            elif isinstance(item, str) and not _is_text(item):
                raise BadRequest("A string holds an unpaired surrogate (half of a \\ud800-\\udfff pair).")
        level = inner


def _is_text(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def _readable(message: str, model: type[Any]) -> str:
    """Msgspec's words with a path as JSON writers know it: ``userAttributes[0].value``, and what may stand there."""
    known = choices(message, model)
    text = message.replace(" - at `$.", " at `").replace(" - at `$`", " at the top level") + "."
    return f"{text} There are {known}." if known else text
