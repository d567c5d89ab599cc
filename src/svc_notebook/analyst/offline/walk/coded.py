"""Codes: ``9B`` is a class, and no nine billions, where the data call something so; ``CR25-00534`` is one word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..schema.codes import is_code, shape_of
from ..schema.metadata import Metadata
from ..words.text import Token, stem

__all__ = ["codes_as_words"]

_JOINTS = frozenset({"-", "/", "_", "."})


def codes_as_words(tokens: Sequence[Token], metadata: Metadata) -> list[Token]:
    """The tokens with each number that ends in a letter, and is a value as it stands, as a word; so are the pieces of
    a code together.
    """
    tokens = [_as_word(token) if _is_code(token, metadata) else token for token in tokens]
    whole: list[Token] = []
    at = 0
    while at < len(tokens):
        end = _end_of_code(tokens, at, metadata)
        whole.append(_together(tokens[at:end]) if end > at + 1 else tokens[at])
        at = max(end, at + 1)
    return whole


def _end_of_code(tokens: Sequence[Token], at: int, metadata: Metadata) -> int:
    """The place behind the pieces of a code that begins at a place; the place itself where none does."""
    end = at + 1
    while end + 1 < len(tokens) and tokens[end].text in _JOINTS and _is_joined(tokens[end - 1 : end + 2]):
        end += 2
    text = "".join(token.text for token in tokens[at:end])
    if end == at + 1 or not is_code(text) or metadata.values.find(tokens, at):
        return at
    # What is written like no code of the data is one where it has letters too: "10-200" are two numbers.
    known = shape_of(text) in metadata.values.codes
    return end if known or any(letter.isalpha() for letter in tokens[at].text) and text[-1].isdigit() else at


def _is_joined(pieces: Sequence[Token]) -> bool:
    """Whether two words or numbers are written with a joint between them, and without a space."""
    before, joint, behind = pieces
    plain = all(piece.kind in ("word", "number") and piece.text.isalnum() for piece in (before, behind))
    return plain and before.end == joint.start and joint.end == behind.start


def _together(pieces: Sequence[Token]) -> Token:
    text = "".join(piece.text for piece in pieces)
    return replace(
        pieces[0], text=text, lower=text.lower(), stem=text.lower(), kind="word", end=pieces[-1].end, value=None
    )


def _as_word(token: Token) -> Token:
    return replace(token, kind="word", stem=stem(token.lower), value=None)


def _is_code(token: Token, metadata: Metadata) -> bool:
    if token.kind != "number" or not token.text[-1].isalpha():
        return False
    return any(str(value).lower() == token.lower for _, value, _ in metadata.values.whole.get((stem(token.lower),), ()))
