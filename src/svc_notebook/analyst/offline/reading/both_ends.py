"""Both ends of one order: *best and worst month*, *which store sold the most and which the least*."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["one_end"]

_PAIRS = (
    ("best", "worst"), ("highest", "lowest"), ("most", "least"), ("most", "fewest"), ("largest", "smallest"),
    ("biggest", "smallest"), ("longest", "shortest"), ("tallest", "shortest"), ("most expensive", "cheapest"),
    ("most expensive", "least expensive"), ("priciest", "cheapest"), ("oldest", "youngest"), ("oldest", "newest"),
    ("first", "last"), ("earliest", "latest"), ("busiest", "quietest"), ("busiest", "slowest"), ("fastest", "slowest"),
    ("heaviest", "lightest"), ("hottest", "coldest"), ("warmest", "coldest"), ("strongest", "weakest"),
    ("top", "bottom"), ("richest", "poorest"), ("wettest", "driest"),
)  # fmt: skip
_LITTLE = r"(?:the\s+|our\s+|which\s+|what\s+)*"
_BEHIND = r"(?=\s*[?.!]*$|\s+(?:by|per|in|of|for)\b)"
_COUNT = r"(?:\d+|two|three|five|ten)"
_PATTERNS = (
    # Best and worst month; but no first and last name.
    r"\b(?P<kept>{a})\s+(?:and|&)\s+{little}{b}\b(?!\s+names?\b)",
    # Best month and worst month; highest total and the lowest.
    r"\b(?P<kept>{a}(?:\s+(?P<noun>\w+(?:\s\w+)?))?)\s+(?:and|&)\s+{little}{b}(?:\s+(?P=noun))?{behind}",
    # Which store sold the most and which one the least.
    r"(?P<kept>\b{a}\b(?:\s+\w+){{0,2}}?),?\s+and\s+(?:which|who|what)\b(?:\s+\w+){{0,4}}?\s+{b}\b(?:\s+\w+){{0,2}}?{behind}",
    # Top 3 and bottom 3.
    r"\b(?P<kept>{a}\s+{count})\s+(?:and|&)\s+{little}{b}\s+{count}\b",
)
_WAYS = [
    re.compile(pattern.format(a=a, b=b, little=_LITTLE, behind=_BEHIND, count=_COUNT), re.IGNORECASE)
    for pair in _PAIRS
    for a, b in (pair, pair[::-1])
    for pattern in _PATTERNS
]
_LONGEST = 300  # characters


def one_end(question: str) -> Iterator[str]:
    """The question without its other end, in each way it may have one; nothing where it asks for one end only."""
    if len(question) > _LONGEST or not re.search(r"\band\b|&", question, re.IGNORECASE):
        return
    for way in _WAYS:
        found = way.search(question)
        if found is not None:
            yield f"{question[: found.start()]}{found['kept']}{question[found.end() :]}"
