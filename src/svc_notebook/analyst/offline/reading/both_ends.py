"""Both ends of one order: *best and worst month*, *which store sold the most and which the least*."""

from __future__ import annotations

from collections.abc import Iterator

from .... import patterns as re

__all__ = ["one_end"]

_PAIRS = (
    ("best", "worst"), ("highest", "lowest"), ("most", "least"), ("most", "fewest"), ("largest", "smallest"),
    ("biggest", "smallest"), ("longest", "shortest"), ("tallest", "shortest"), ("most expensive", "cheapest"),
    ("most expensive", "least expensive"), ("priciest", "cheapest"), ("oldest", "youngest"), ("oldest", "newest"),
    ("first", "last"), ("earliest", "latest"), ("busiest", "quietest"), ("busiest", "slowest"), ("fastest", "slowest"),
    ("heaviest", "lightest"), ("hottest", "coldest"), ("warmest", "coldest"), ("strongest", "weakest"),
    ("top", "bottom"), ("richest", "poorest"), ("wettest", "driest"),
)  # fmt: skip
_OPPOSITES = frozenset(_PAIRS) | frozenset((b, a) for a, b in _PAIRS)
# Longer ones first: "most expensive" is no "most".
_END = "|".join(sorted({end for pair in _PAIRS for end in pair}, key=len, reverse=True))
_ONE, _OTHER = rf"\b(?P<one>{_END})\b", rf"(?P<other>{_END})\b"
_AND = r"\s+(?:and|&)\s+(?:the\s+|our\s+|which\s+|what\s+)*"
_BEHIND = r"(?=\s*[?.!]*$|\s+(?:by|per|in|of|for)\b)"
_WHICH = r"(?:which|who|what)"
_COUNT = r"(?:\d+|two|three|five|ten)"
_WAYS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Best and worst month; but no first and last name.
        rf"(?P<kept>{_ONE}){_AND}{_OTHER}(?!\s+names?\b)",
        # Best month and worst month; highest total and the lowest.
        rf"(?P<kept>{_ONE}(?:\s+(?P<noun>\w+(?:\s\w+)?))?){_AND}{_OTHER}(?:\s+(?P=noun))?{_BEHIND}",
        # Which store sold the most and which one the least.
        rf"(?P<kept>{_ONE}(?:\s+\w+){{0,2}}?),?\s+and\s+{_WHICH}\b(?:\s+\w+){{0,4}}?\s+{_OTHER}(?:\s+\w+){{0,2}}?{_BEHIND}",
        # Top 3 and bottom 3.
        rf"(?P<kept>{_ONE}\s+{_COUNT}){_AND}{_OTHER}\s+{_COUNT}\b",
    )
]
_LONGEST = 300  # characters


def one_end(question: str) -> Iterator[str]:
    """The question without its other end, in each way it may have one; nothing where it asks for one end only."""
    if len(question) > _LONGEST or not re.search(r"\band\b|&", question, re.IGNORECASE):
        return
    for way in _WAYS:
        pairs = (m for m in way.finditer(question) if (m["one"].lower(), m["other"].lower()) in _OPPOSITES)
        if (found := next(pairs, None)) is not None:
            yield f"{question[: found.start()]}{found['kept']}{question[found.end() :]}"
