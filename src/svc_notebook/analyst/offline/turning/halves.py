"""Both halves of a day, one beside the other: *rides before noon and after noon*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["beside_each_other"]

_NOON = "(?:noon|midday)"
_BOTH = said_so(rf"\b(?P<one>before|after) {_NOON} and (?P<other>before|after) (?:{_NOON}|it)\b")
_WHO = said_so(r"\b(?:who|whose|both)\b")


def beside_each_other(question: str) -> str:
    """Before noon and after it, as one against the other: together they are the whole day."""
    said = _BOTH.search(question)
    if said is None or said["one"].lower() == said["other"].lower() or _WHO.search(question):
        return question
    return f"{question[: said.start()]}{said['one']} noon vs {said['other']} noon{question[said.end() :]}"
