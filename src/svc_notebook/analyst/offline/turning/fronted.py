"""What stands before a question: kept there, put behind it, or said of what is asked (*mechanic by mechanic, …*)."""

from __future__ import annotations

from collections.abc import Callable

from .... import patterns as re
from .rules import said_so

__all__ = ["behind_front"]

_GROUPS = said_so(
    r"^(?:(?:broken down|split|split up|grouped) (?:by|per) (?P<group>[\w\s-]+?)|"
    r"(?P<twice>[\w-]+(?: [\w-]+)?) (?:by|for) (?P=twice)), (?P<asked>.+?)(?P<end>\W*)$"
)
_NAMED = said_so(
    r"^(?:per|for (?:each|every)|in (?:each|every)) (?P<group>[\w\s-]+?), (?:name|give|show|tell me|list) "
    r"(?:me )?(?:the |its |their |his |her )?(?P<asked>.+?)(?P<end>\W*)$"
)
_SORTED = said_so(
    r"^(?:in (?:the )?order of|sorted by|ordered by) (?P<by>[\w\s]+), (?P<asked>.+?)(?P<end>\W*)$"
)  # fmt: skip
_WHAT_IS = said_so(r"^what (?:is|are|was|were) the (?=\w)")
_THE_FEW = said_so(
    r"^(?:of|among|out of) (?:all )?(?:the |our )?(?P<rows>[^,]+), "
    r"(?:list|show|name|give|find|which are|what are) (?:me )?the (?P<number>\w+) with (?P<asked>the .+)$"
)  # fmt: skip
_FRONT = said_so(
    r"^(?P<front>(?:for|in|since|during|at|on|from|until|before|after|this|last|within|over|per|other than|apart from|"
    r"except|besides)\b[^,?]*, )"
    r"(?P<asked>(?:which|what|how|who|whose|where|when|by|on|in|at|to|from|through|name|list|show|find|give|the|rank|"
    r"compare)\b.+)$"
)


def behind_front(question: str, plainly: Callable[[str], str]) -> str:
    """A question of which what stands behind its front is put plainly; groups and orders go behind it."""
    for pattern, behind in ((_GROUPS, _by_group), (_NAMED, _by_group), (_SORTED, _sorted_by)):
        said = pattern.match(question)
        if said is not None:
            return behind(said, plainly)
    said = _THE_FEW.match(question)
    if said is not None:
        return f"the {said['number']} {said['rows']} with {said['asked']}"
    said = _FRONT.match(question)
    return f"{said['front']}{plainly(said['asked'])}" if said is not None else plainly(question)


def _by_group(said: re.Match[str], plainly: Callable[[str], str]) -> str:
    groups = said.groupdict()
    group = groups["group"] or groups["twice"].lower()
    return f"{_WHAT_IS.sub('', plainly(said['asked']))} per {group}{said['end']}"


def _sorted_by(said: re.Match[str], plainly: Callable[[str], str]) -> str:
    return f"{plainly(said['asked'])}, sorted by {said['by']}{said['end']}"
