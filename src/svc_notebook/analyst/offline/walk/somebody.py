"""``where somebody was killed``: of a column that says how many were, more than none; ``nobody``: none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..schema.metadata import Metadata
from ..words.text import Token, stem
from ..words.thesaurus import expand, related

__all__ = ["with_how_many"]

_SOME = frozenset("someone somebody anyone anybody people persons".split())
_NONE = frozenset({"nobody", "none"})
_HOW_MANY = frozenset({"count", "counts"})
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
            named = _spoken(tokens[at + 2], metadata.parts(path))
            return [*tokens[:begins], *named, *bound, *tokens[at + 3 :]]
    return list(tokens)


def _counted(token: Token, metadata: Metadata) -> str | None:
    """The one column that says how many of each row it was done to."""
    found = [
        path
        for path, member in metadata.members.items()
        if member.kind == "dimension" and member.type == "number" and not metadata.is_key(path)
        and token.stem in _said_of(metadata.parts(path))
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _said_of(parts: Sequence[str]) -> frozenset[str]:
    """The stems of what was done, by the name of how many times it was: ``killed``, or ``fatal_cnt``."""
    kept = [part for part in expand(parts) if part not in _HOW_MANY]
    one = stem(kept[0]) if len(kept) == 1 else ""
    like = related(one) if len(kept) < len(parts) and one else frozenset[str]()
    return like | {one}


def _spoken(token: Token, words: Sequence[str]) -> list[Token]:
    return [
        replace(token, lower=word, stem=stem(word), text=word, kind="number", value=0.0)
        if word == "0"
        else replace(token, lower=word, stem=stem(word), text=word)
        for word in words
    ]
