"""``where somebody was killed``: of a column that says how many were, more than none; ``nobody``: none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..schema.metadata import Metadata
from ..words.text import Token, stem

__all__ = ["with_how_many"]

_SOME = frozenset("someone somebody anyone anybody people persons".split())
_NONE = frozenset({"nobody", "none"})
_WAS = frozenset("was were got is are had been".split())
_OPENING = frozenset("where when which in that if".split())


def with_how_many(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with what was done to some or to none of them as a bound on how many they were."""
    words = [token.lower for token in tokens]
    for at, word in enumerate(words[:-2]):
        none = word in _NONE or words[at - 1 : at + 1] == ["no", "one"]
        if not at or not none and word not in _SOME or words[at + 1] not in _WAS:
            continue
        begins = at - 1 if words[at] == "one" else at
        opened = begins > 0 and words[begins - 1] in _OPENING
        # Only behind a word that opens a clause: "nobody was there" says something of its own.
        path = _counted(tokens[at + 2], metadata) if opened else None
        if path is not None:
            bound = _spoken(tokens[at], ("exactly", "0") if none else ("more", "than", "0"))
            return [*tokens[:begins], tokens[at + 2], *bound, *tokens[at + 3 :]]
    return list(tokens)


def _counted(token: Token, metadata: Metadata) -> str | None:
    """The one column that says how many of each row it was done to."""
    found = [
        path
        for path, member in metadata.members.items()
        if member.kind == "dimension" and member.type == "number" and not metadata.is_key(path)
        and [stem(part) for part in metadata.parts(path)] == [token.stem]
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _spoken(token: Token, words: Sequence[str]) -> list[Token]:
    return [
        replace(token, lower=word, stem=stem(word), text=word, kind="number", value=0.0)
        if word == "0"
        else replace(token, lower=word, stem=stem(word), text=word)
        for word in words
    ]
