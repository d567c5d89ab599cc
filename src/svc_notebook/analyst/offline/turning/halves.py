"""Both halves of a day, one beside the other: *rides before noon and after noon*, *day vs night tips*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["beside_each_other"]

_NOON = "(?:noon|midday)"
_BOTH = said_so(rf"\b(?P<one>before|after) {_NOON} and (?P<other>before|after) (?:{_NOON}|it)\b")
_FRONT = said_so(
    r"^(?P<one>day|night)(?:time)? (?:vs\.?|versus|against) (?P<other>day|night)(?:time)?(?: for)? "
    r"(?!(?:shift|crew|team|staff|train|bus|work|job|flight)s?\b)(?P<what>[a-z][\w ]*?)(?P<end>\W*)$"
)
_WHO = said_so(r"\b(?:who|whose|both)\b")


def beside_each_other(question: str) -> str:
    """Before noon and after it, day and night, as one against the other: together they are the whole day."""
    front = _FRONT.match(question)
    if front is not None and front["one"].lower() != front["other"].lower():
        return f"{front['what']} at night vs during the day{front['end']}"
    said = _BOTH.search(question)
    if said is None or said["one"].lower() == said["other"].lower() or _WHO.search(question):
        return question
    return f"{question[: said.start()]}{said['one']} noon vs {said['other']} noon{question[said.end() :]}"
