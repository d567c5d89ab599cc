"""Single strings of a chart: words to be read, names of styles, events to listen to. Each comes through whole or not
at all.
"""

from __future__ import annotations

from ... import patterns as re
from ..markdown import plain_text

__all__ = ["TEXT_KEYS", "formatter", "listens", "paints_from_elsewhere", "styled", "worded"]

TEXT_KEYS = frozenset({
    "title", "text", "subtitle", "name", "fieldTitle", "countTitle", "description", "value", "values", "domain",
    "datum", "equal", "oneOf", "range", "lt", "lte", "gt", "gte", "sort", "options", "labels", "placeholder",
    "ellipsis", "lineBreak", "keyvals", "unionWith", "ariaRoleDescription", "pivot",
})  # fmt: skip
"""Keys whose strings are words of people or values of the data: any text may stand there."""

_HARMFUL = re.compile(r"url\s*\(|//|javascript:|data:|vbscript:|@import|expression\s*\(|[<>\\]", re.IGNORECASE)
_POINTERS = (
    r"(?:click|dblclick|(?:mouse|pointer)(?:down|move|out|over|up)|mousewheel|wheel|touch(?:start|move|end)"
    r"|drag(?:enter|leave|over)|timer)"
)
_MODIFIER = r"\[\s*!?\s*event\.(?:shift|alt|ctrl|meta)Key\s*\]"
_EVENT = rf"(?:(?:window|view|scope):)?(?:@?\w+:)?{_POINTERS}!?(?:{_MODIFIER})*(?:\{{\d+(?:,\s*\d+)?\}})?!?"
_BETWEEN = rf"\[\s*{_EVENT}\s*,\s*{_EVENT}\s*\]\s*>\s*{_EVENT}"
_SELECTOR = re.compile(rf"(?:{_BETWEEN}|{_EVENT})(?:\s*,\s*(?:{_BETWEEN}|{_EVENT}))*")
_TOGGLE = re.compile(
    r"true|false|!?event\.(?:shift|alt|ctrl|meta)Key(?:\s*(?:&&|\|\|)\s*!?event\.(?:shift|alt|ctrl|meta)Key)*"
)


def worded(text: str) -> str:
    """A text to be read, without control characters."""
    return plain_text(text)


def styled(text: str) -> str | None:
    """A colour, a font, a shape's path, a format: None where it could hold an address or markup."""
    text = plain_text(text)
    return None if _HARMFUL.search(text) else text


def paints_from_elsewhere(text: str) -> bool:
    """Whether a value that may be a colour would be fetched."""
    return re.search(r"url\s*\(", text, re.IGNORECASE) is not None


def listens(key: str, text: str) -> bool:
    """Whether a selection's event is one of the pointer's, perhaps with a modifier key held."""
    return (_TOGGLE if key == "toggle" else _SELECTOR).fullmatch(text.strip()) is not None


def formatter(text: str) -> bool:
    """Whether a format's type is one that every renderer has."""
    return text in {"number", "time"}
