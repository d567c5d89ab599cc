"""Moments asked for as a date: *the date of the most recent visit*, *when did every … for the first time*."""

from __future__ import annotations

from .rules import said_so

__all__ = ["when"]

_END = r"(?P<end>most recent|latest|last|earliest|first|oldest|newest)"
_DATE_OF = said_so(
    rf"^(?:what (?:is|was) )?(?:the )?date of (?P<whose>the|[\w\s'-]+?['’]s?) {_END} (?P<what>[^,]+?)\W*$"
)  # fmt: skip
_FIRST_TIME = said_so(
    r"^when (?:did|has|have) (?:each|every) (?P<who>[\w-]+) \w+ (?:an?|the|his|her|their|its) (?P<what>[\w\s-]+?) "
    r"for the (?P<end>first|last) time\W*$"
)
_LAST = frozenset({"most recent", "latest", "last", "newest"})


def when(question: str) -> str:
    """The date of the first or last of something, as when it was."""
    said = _DATE_OF.match(question)
    if said is not None:
        end = "last" if " ".join(said["end"].lower().split()) in _LAST else "first"
        return f"when was {said['whose']} {end} {said['what']}"
    said = _FIRST_TIME.match(question)
    return f"{said['end']} {said['what']} of each {said['who']}" if said is not None else question
