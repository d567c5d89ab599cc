"""``I mean number of nights``: other words for those of a refused question that nobody knew."""

from __future__ import annotations

import re

from ...base import Turn
from .hearing import Heard

__all__ = ["rephrased"]

_LONGEST = 8  # words that stand for others; more are a question of their own
_BEFORE = re.compile(r"(?:\b(?:per|by|for|of|in|with|from|each|the|a|an)\s+)+$", re.IGNORECASE)


def rephrased(heard: Heard, turn: Turn) -> str | None:
    """The refused question with what is said now in the place of the words that were not known; None where a turn is
    no such correction, or those words do not stand side by side.
    """
    last = turn.history[-1].memory if turn.history else {}
    pending, unread = last.get("pending"), last.get("unread")
    said = heard.rest.strip(" ?!.,")
    if "correct" not in heard.acts or not isinstance(pending, str) or not isinstance(unread, list) or not unread:
        return None
    if not said or len(said.split()) > _LONGEST:
        return None
    words = r"\W+".join(re.escape(str(word)) for word in unread)
    found = re.search(rf"\b{words}\b", pending, re.IGNORECASE)
    if found is None:
        return None
    front = pending[: found.start()]
    if heard.is_piece:  # "i mean per branch" of "animals per volunteer"
        front = _BEFORE.sub("", front)
    return f"{front}{said}{pending[found.end() :]}"
