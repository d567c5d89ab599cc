"""Of what a share is, and whose: *Delta's share of all flights*, *who lost the biggest share of their bags*."""

from __future__ import annotations

from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.shares_said import SHARE
from ..words.text import is_participle

__all__ = ["share_of_whose"]

_SHARE = rf"(?P<share>{SHARE})"
_WHOSE = said_so(
    r"^(?:what (?:is|was) |show (?:me )?|give me )?(?:the )?(?P<who>[\w.&-]+(?: [\w.&-]+)?)['’]s? "
    rf"{_SHARE} of (?:all )?(?:the )?(?P<rows>[\w-]+)"
    r"(?P<rest> (?:at|in|from|to|on|into|out of|for|during) .+?)?(?P<end>\W*)$"
)
_OF_ITS = said_so(
    r"^(?P<ask>which|what) (?P<who>[\w-]+(?: [\w-]+)?) (?:has |have |had )?(?P<done>[a-z]+ed) the "
    r"(?P<most>biggest|highest|largest|greatest|smallest|lowest) "
    rf"{_SHARE} of (?:its|their|her|his)(?: own)? (?P<rows>[\w-]+)(?P<rest> .+?)?(?P<end>\W*)$"
)


def share_of_whose(question: str, metadata: Metadata) -> str:
    """A share with its whole and its part where they are read."""
    said = _WHOSE.match(question)
    if said is not None and metadata.kind_names.are_rows(said["rows"]):
        return f"what {said['share']} of {said['rows']}{said['rest'] or ''} are by {said['who']}{said['end']}"
    said = _OF_ITS.match(question)
    if said is not None and metadata.kind_names.are_rows(said["rows"]) and is_participle(said["done"].lower()):
        most = f"{said['ask']} {said['who']} has the {said['most']} share of {said['done']} {said['rows']}"
        return f"{most}{said['rest'] or ''}{said['end']}"
    return question
