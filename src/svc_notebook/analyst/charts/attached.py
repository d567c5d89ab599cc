"""A chart put to the query it shows: chosen once the rows are there."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...protocol.tools import SqlInput, SqlResult, dump

__all__ = ["drawn"]


def drawn(request: SqlInput, result: SqlResult, spec: dict[str, Any] | None) -> tuple[SqlInput, SqlResult]:
    """A tool call with the specification of its chart, or as it is where there is none."""
    if spec is None:
        return request, result
    text = dump(spec)
    return replace(request, vega_spec=text), replace(result, vega_spec=text)
