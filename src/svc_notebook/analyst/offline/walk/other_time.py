"""``full-time`` where the model knows who works ``part_time``: it is the denial of that, and the reverse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..schema.metadata import Metadata
from ..words.text import Token, stem

__all__ = ["of_other_time"]

_OTHER = {"full": "part", "part": "full"}


def of_other_time(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with the one as *not* the other, where the model has the other alone."""
    words = [token.lower for token in tokens]
    for at, word in enumerate(words):
        end = at + 1 + (words[at + 1 : at + 2] == ["-"])
        if word in _OTHER and words[end : end + 1] == ["time"]:
            flags = {metadata.parts(p)[-2:] for p, m in metadata.members.items() if m.type == "boolean"}
            if (_OTHER[word], "time") in flags and (word, "time") not in flags:
                said = replace(tokens[at], lower=_OTHER[word], stem=stem(_OTHER[word]))
                return [*tokens[:at], replace(tokens[at], lower="not", stem="not"), said, *tokens[end:]]
    return list(tokens)
