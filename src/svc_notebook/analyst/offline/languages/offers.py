"""Questions that lead on, in the language of the question: said there only where they are read as the same again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .... import patterns as re
from ..schema.metadata import Metadata
from ..words.text import singular
from .phrases import Phrases, phrases_of
from .rendering import ModelNames, Rendered, rendered
from .sayings import names_of

__all__ = ["offers_in"]


def offers_in(heard: Rendered | None, offers: Sequence[str], metadata: Metadata) -> list[str]:
    """``offers`` in the language that was heard, those that would not be read as something else there.

    All of them in English where none can be said.
    """
    if heard is None:
        return list(offers)
    names = ModelNames(lambda: [phrase.words for phrase in metadata.phrases])
    titles = names_of(metadata, phrases_of(heard.language.code))
    said = [text for offer in offers if (text := _said(offer, heard, names, titles))]
    return said or list(offers)


def _said(offer: str, heard: Rendered, names: ModelNames, titles: Mapping[str, str]) -> str:
    text = _put(offer, phrases_of(heard.language.code), titles)
    back = rendered(text, names, heard.language)
    return text if back is not None and sorted(_bare(back.question)) == sorted(_bare(offer)) else ""


def _put(offer: str, phrases: Phrases, titles: Mapping[str, str]) -> str:
    """The words of an offer one by one, what the model calls a thing as it is written there."""
    known = sorted({**phrases.offers, **titles}, key=len, reverse=True)
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, known))})\b", re.IGNORECASE)
    text = words.sub(lambda found: phrases.offers.get(found[0].lower()) or titles[found[0].lower()], offer)
    return f"{text[:1].upper()}{text[1:]}"


def _bare(question: str) -> list[str]:
    """What is read of a question: ``per day of the week`` is ``by weekday``."""
    text = question.lower().strip(" ?.").replace("day of the week", "weekday")
    return ["by" if word == "per" else singular(word).rstrip("es") for word in text.split() if word != "of"]
