"""The parameters of a chart: their names are known in every view, whichever declares them."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["declared"]

_NAME = re.compile(r"[A-Za-z_]\w{0,59}")
_TAKEN = frozenset({"datum", "event", "item", "parent"})


def declared(raw: Any) -> set[str]:
    """Usable names of all parameters in a specification: a view may use what a later one declares."""
    names: set[str] = set()
    # Not by recursion: this comes before anything is known of the depth.
    stack = [raw]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            found = [item.get("name") for item in _list(value.get("params")) if isinstance(item, dict)]
            found += [value.get("param")] if "extent" in value else []
            names |= {name for name in found if isinstance(name, str) and _NAME.fullmatch(name)}
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return names - _TAKEN


def _list(raw: Any) -> list[Any]:
    return raw if isinstance(raw, list) else []
