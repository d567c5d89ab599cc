"""Words about the picture in a turn: which mark is wished for, and the turn without them."""

from __future__ import annotations

import re

from ..cues import find_cues
from ..text import tokenize

__all__ = ["wished_picture"]

_BEFORE = re.compile(r"(?:\b(?:as|in|into|to|with|on|it|a|an|the|form|of|draw|plot)\s+)*$", re.IGNORECASE)
_AFTER = re.compile(r"^\s*(?:chart|graph|plot|diagram|form|format|please)\b", re.IGNORECASE)


def wished_picture(text: str) -> tuple[str, str]:
    """The mark (``bar``, ``line``, ``table``, …) that a text wishes for, or "", and the text without that wish."""
    tokens = tokenize(text)
    for cue in find_cues(tokens):
        if cue.kind != "mark":
            continue
        start, end = tokens[cue.start].start, tokens[cue.end - 1].end
        before = text[:start]
        found = _BEFORE.search(before)
        before = before[: found.start()] if found is not None else before
        return cue.value, f"{before}{_AFTER.sub('', text[end:])}".strip()
    return "", text
