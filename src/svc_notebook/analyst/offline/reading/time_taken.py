"""How long it takes, by the number that says so: *how long do people take to pay* of ``days_to_pay``, *paid within 14
days*, *how quickly are calls answered* of ``minutes_to_answer``.
"""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.families import root

__all__ = ["time_taken"]

_USUALLY = r"(?: (?:usually|typically|normally|generally|on average|really))?"
_TAKES = said_so(
    rf"^\W*how (?:long|much time|many (?:days|hours|minutes|weeks)) (?:does|do|did) (?:[a-z]+ )?(?:[a-z]+)"
    rf"{_USUALLY} take{_USUALLY} (?:[a-z]+ )?to (?P<deed>[a-z]+)(?P<rest>\b.*)$"
)
_UNTIL = said_so(
    rf"^\W*how (?:long|quickly|fast|soon|slowly)(?: does it| did it)?{_USUALLY}(?: take| is it| was it)?{_USUALLY} "
    r"(?:until |till |before |are |is |were |was |do |does |did )(?:(?:an?|the|our) )?(?:[a-z]+ )?[a-z]+ "
    rf"(?:is |are |was |were |get |gets |got )?{_USUALLY}(?P<deed>[a-z]+)"
    r"(?P<rest>(?: (?:in|on|at|by|per|for|last|this) .+)?\W*)$"
)
_WITHIN = said_so(
    r"\b(?:(?:that|which) )?(?:(?:is|are|was|were|got|get) )?(?P<deed>[a-z]{3,}) "
    r"(?:(?P<most>within|in at most|in no more than)|(?P<less>in under|in less than)"
    r"|(?P<more>after|only after|in more than)(?: more than)?) "
    r"(?P<count>\d+|[a-z]+) (?P<unit>seconds|minutes|hours|days|weeks|months)\b"
)
_TIMES = frozenset("second seconds secs minute minutes mins hour hours hrs day days week weeks time duration".split())


def time_taken(question: str, metadata: Metadata) -> str:
    """A question for how long something took, as one for the number that says it; else the question."""
    for asked in (_TAKES, _UNTIL):
        said = asked.match(question)
        if said is not None and (column := _taken(said["deed"], metadata)):
            return f"average {column}{said['rest']}"
    return _WITHIN.sub(lambda said: _bounded(said, metadata), question)


def _bounded(said: re.Match[str], metadata: Metadata) -> str:
    column = _taken(said["deed"], metadata)
    if not column:
        return said[0]
    bound = "at most" if said["most"] else "less than" if said["less"] else "more than"
    return f"with {column} {bound} {said['count']} {said['unit']}"


def _taken(deed: str, metadata: Metadata) -> str:
    """What the one number is called that counts the time up to what a verb says; empty for none."""
    verb = root(deed.lower())
    found = [
        parts
        for path, member in metadata.members.items()
        if member.kind == "dimension" and metadata.is_number(path) and _TIMES & set(parts := metadata.parts(path))
        and len(parts) > 1 and any(root(part) == verb for part in parts if part not in _TIMES)
    ]  # fmt: skip
    return " ".join(found[0]) if len(found) == 1 else ""
