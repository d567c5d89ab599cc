"""What stands over numbers: a title, and what they are counted in unless the title says so."""

from __future__ import annotations

import re

__all__ = ["with_unit"]

_SAID_AS = {"%": "percent(?:age)?|per cent"}


def with_unit(title: str, unit: str | None) -> str:
    """``Average wait`` counted in minutes is ``Average wait (minutes)``; ``Total kwh`` says it, as ``Total kWh``."""
    if not unit:
        return title
    other = _SAID_AS.get(unit)
    if other and re.search(rf"\b(?:{other})\b", title, re.IGNORECASE):
        return title
    said = re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", title, re.IGNORECASE)
    if said is None:
        return f"{title} ({unit})"
    return title if unit.islower() else f"{title[: said.start()]}{unit}{title[said.end() :]}"
