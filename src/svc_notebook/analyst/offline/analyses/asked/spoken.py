"""Numbers of rows as people speak of them: *how late a plane leaves*, *how old the patient is*, *plane age*."""

from __future__ import annotations

from ..... import patterns as re
from ...schema.metadata import Metadata
from ...slices import number_said_so
from .analysis import Reader

__all__ = ["spoken"]

_HOW = re.compile(
    r"^\W*how\s+(?P<so>\w+)\s+(?:(?:an?|the|our|its|their)\s+)?(?P<rows>\w+)\s+(?P<verb>\w+)(?:\s+(?:is|are|was|were))?\W*$",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"^\W*(?:the\s+)?(?:(?P<rows>\w+?)(?:['’]s)?\s+age|age\s+of\s+(?:an?\s+|the\s+)?(?P<whose>\w+))\W*$", re.IGNORECASE
)
_PARTICLES = (
    (re.compile(r"\b(?:gets?|got|comes?|came)\s+in\b", re.IGNORECASE), "arrives"),
    (re.compile(r"\b(?:takes?|took|sets?)\s+off\b|\b(?:goes|go|went)\s+out\b", re.IGNORECASE), "departs"),
)


def spoken(words: str, metadata: Metadata, read: Reader) -> str | None:
    """The number of rows that words speak of without its name."""
    for pattern, verb in _PARTICLES:
        words = pattern.sub(verb, words)
    if (aged := _AGE.match(words)) is not None:
        return number_said_so("old", (aged["rows"] or aged["whose"]).lower(), "", metadata, read)
    said = _HOW.match(words)
    if said is None:
        return None
    rows, verb = said["rows"].lower(), said["verb"].lower()
    return number_said_so(said["so"].lower(), "" if rows in ("it", "they") else rows, verb, metadata, read)
