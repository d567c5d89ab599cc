"""Questions that lead on, in the language of the question: said there only where they are read as the same again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..metadata import Metadata
from ..text import singular
from .phrases import Phrases, phrases_of
from .rendering import ModelNames, Rendered, rendered

__all__ = ["offers_in"]


def offers_in(heard: Rendered | None, offers: Sequence[str], metadata: Metadata) -> list[str]:
    """``offers`` in the language that was heard; one that would be read as something else stays in English."""
    if heard is None:
        return list(offers)
    names = ModelNames(lambda: [phrase.words for phrase in metadata.phrases])
    return [_said(offer, heard, names) or offer for offer in offers]


def _said(offer: str, heard: Rendered, names: ModelNames) -> str:
    text = _put(offer, phrases_of(heard.language.code))
    back = rendered(text, names, heard.language)
    return text if back is not None and _bare(back.question) == _bare(offer) else ""


def _put(offer: str, phrases: Phrases) -> str:
    known = sorted(phrases.offers, key=len, reverse=True)
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, known))})\b", re.IGNORECASE)
    text = words.sub(lambda found: phrases.offers[found[0].lower()], offer)
    return f"{text[:1].upper()}{text[1:]}"


def _bare(question: str) -> list[str]:
    """What is read of a question: ``per day of the week`` is ``by weekday``."""
    text = question.lower().strip(" ?.").replace("day of the week", "weekday")
    return ["by" if word == "per" else singular(word) for word in text.split()]
