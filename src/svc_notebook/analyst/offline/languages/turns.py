"""A turn of another language, with those before it, as the turn in English that is read."""

from __future__ import annotations

from dataclasses import replace

from ...base import Turn
from ..schema.metadata import Metadata
from .lexicon import Language
from .rendering import ModelNames, Rendered, rendered

__all__ = ["in_english"]


def in_english(turn: Turn, metadata: Metadata) -> tuple[Turn, Rendered | None]:
    """``turn`` as it is read, and how its question was said where it was asked in another language."""
    spoken: Language | None = None
    names = ModelNames(lambda: [phrase.words for phrase in metadata.phrases])
    past = []
    for earlier in turn.history:
        heard = rendered(earlier.question, names, spoken)
        spoken = heard.language if heard is not None else None
        past.append(replace(earlier, question=heard.question) if heard is not None else earlier)
    heard = rendered(turn.question, names, spoken)
    if heard is not None and heard.question.lower().split() == turn.question.lower().split():
        heard = None  # words that both languages have
    if heard is None and past == list(turn.history):
        return turn, None
    question, typed = (heard.question, turn.question) if heard is not None else (turn.question, turn.typed)
    return replace(turn, question=question, typed=typed, history=tuple(past)), heard
