"""Codes that look like numbers: ``9B`` is a class, and no nine billions, where the data call something so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..schema.metadata import Metadata
from ..words.text import Token, stem

__all__ = ["codes_as_words"]


def codes_as_words(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with each number that ends in a letter, and is a value as it stands, as a word."""
    return [_as_word(token) if _is_code(token, metadata) else token for token in tokens]


def _as_word(token: Token) -> Token:
    return replace(token, kind="word", stem=stem(token.lower), value=None)


def _is_code(token: Token, metadata: Metadata) -> bool:
    if token.kind != "number" or not token.text[-1].isalpha():
        return False
    return any(str(value).lower() == token.lower for _, value, _ in metadata.values.whole.get((stem(token.lower),), ()))
