"""What an analysis found, told in another language: its sentences, results, pictures and what leads on."""

from __future__ import annotations

from dataclasses import replace

from ...charts import ChartColumn
from ..analyses import Found
from ..schema.metadata import Metadata
from ..telling import Telling
from .answering import Abroad
from .axes import named_in
from .phrases import NoPhrase, Phrases, phrases_of
from .pictures import picture_in
from .sayings import Speaker, speaker

__all__ = ["found_in", "heading_in", "periods_in", "said_in", "sentences_in"]


def found_in(code: str, found: Found, metadata: Metadata, rules: str = "") -> Found | None:
    """What was found as a language says it; None where it has no words for a part of it.

    Parameters
    ----------
    rules
        Which rows it is about, in that language, where not all.
    """
    says, phrases = speaker(code, metadata), phrases_of(code)
    try:
        shown = tuple(
            replace(
                one, title=says.heading(one.title),
                columns=tuple(_column(column, says, phrases) for column in one.columns),
                spec=picture_in(one.spec, says, phrases),
            )
            for one in found.shown
        )  # fmt: skip
        first, *more = (says.sentence(text) for text in found.sentences)
    except NoPhrase:
        return None
    lead = phrases.say("about", rules=rules, sentence=first) if rules else first
    return replace(found, shown=shown, sentences=(lead, *more))


def sentences_in(code: str, sentences: list[str], metadata: Metadata) -> list[str] | None:
    """Sentences as a language says them; None where it has no words for one."""
    says = speaker(code, metadata)
    try:
        return [says.sentence(text) for text in sentences]
    except NoPhrase:
        return None


def heading_in(code: str, text: str, metadata: Metadata) -> str:
    """A title as a language says it; "" where it has no words for it."""
    try:
        return speaker(code, metadata).heading(text)
    except NoPhrase:
        return ""


def said_in(
    code: str, telling: Telling, title: str, columns: tuple[ChartColumn, ...], subtitle: str, metadata: Metadata
) -> Abroad | None:
    """A plain answer by its English sentences, where no form says what it shows."""
    says, phrases = speaker(code, metadata), phrases_of(code)
    try:
        told = Telling(says.heading(telling.headline), [says.sentence(text) for text in telling.sentences])
        named = tuple(_column(column, says, phrases) for column in columns)
        return Abroad(told, says.heading(title), named, says.heading(subtitle) if subtitle else "")
    except NoPhrase:
        return None


def periods_in(code: str, name: str, metadata: Metadata) -> str:
    """What a side of a comparison is called in a language: a period by its name there, a value of the data as it is."""
    return speaker(code, metadata).group(name)


def _column(column: ChartColumn, says: Speaker, phrases: Phrases) -> ChartColumn:
    return named_in(column, says.heading(column.title), phrases)
