"""A chart spec as it comes: JSON text or an object, perhaps text within text, of bounded size, or refused in a line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

__all__ = ["ChartRefused", "read_spec"]

MAX_SPEC_CHARS = 200_000
MAX_SPEC_NODES = 20_000
MAX_DEPTH = 30


class ChartRefused(ValueError):
    """The spec cannot be drawn; the message is one short line for people."""


def read_spec(raw: Any) -> dict[str, Any]:
    """The spec as an object: from JSON text (also when it is text inside text), strictly.

    Raises
    ------
    ChartRefused
        When there is no object in it.
    """
    for _ in range(3):
        if not isinstance(raw, str | bytes):
            break
        if len(raw) > MAX_SPEC_CHARS:
            raise ChartRefused(f"the chart spec is longer than {MAX_SPEC_CHARS:,} characters")
        try:
            raw = json.loads(raw, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise ChartRefused("the chart spec is not valid JSON") from None
    if not isinstance(raw, Mapping):
        raise ChartRefused("the chart spec is not an object")
    _measure(raw)
    return dict(raw)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _measure(root: Any) -> None:
    """Refuse what is too deep or too large, without recursion."""
    stack, nodes = [(root, 0)], 0
    while stack:
        value, depth = stack.pop()
        nodes += 1
        if depth > MAX_DEPTH or nodes > MAX_SPEC_NODES:
            raise ChartRefused("the chart spec is nested too deeply or too large")
        if isinstance(value, float) and not math.isfinite(value):
            raise ChartRefused("the chart spec is not valid JSON")
        if isinstance(value, Mapping):
            if not all(isinstance(key, str) for key in value):
                raise ChartRefused("the chart spec is not valid JSON")
            stack.extend((item, depth + 1) for item in value.values())
        # A longer list is as a rule the spec's own rows, which are left out unread.
        elif isinstance(value, list | tuple) and (depth == 0 or len(value) <= MAX_SPEC_NODES):
            stack.extend((item, depth + 1) for item in value)
