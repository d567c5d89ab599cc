"""What is said around an answer, or instead of one, in the language a question was asked in."""

from __future__ import annotations

from collections.abc import Sequence

from ..forms import Condition, Form
from ..forms.words import Words
from ..schema.metadata import Metadata
from .naming import Naming
from .phrases import NoPhrase, Phrases, phrases_of
from .rendering import Rendered

__all__ = ["as_typed", "quoted", "read_as", "refused", "rules_in", "rules_of", "title_in", "voice"]


def voice(heard: Rendered | None) -> Phrases:
    """The phrases of the language a question was asked in."""
    return phrases_of(heard.language.code if heard is not None else "en")


def refused(heard: Rendered | None, kind: str, words: Sequence[str] = ()) -> str:
    """Why nothing is answered.

    Parameters
    ----------
    kind
        ``"unread"`` or ``"lost"`` with the words, as they were read; ``"nothing"``, ``"empty"``; ``"offers"`` for the
        line above what can be asked, ``"without_words"`` for the one above readings that leave the words out.
    """
    said = ", ".join(f"“{word}”" for word in as_typed(heard, words))
    return voice(heard).say(kind, words=said)


def as_typed(heard: Rendered | None, words: Sequence[str]) -> list[str]:
    """Words of the English that was read, as they were asked."""
    if heard is None:
        return list(words)
    return list(dict.fromkeys(heard.typed.get(word.lower(), word) for word in words))


def quoted(said: Sequence[str], phrases: Phrases) -> str:
    """The last two of some questions."""
    return phrases.joined([f"“{one[:80]}”" for one in said[-2:]])


def read_as(heard: Rendered | None, told: str) -> list[str]:
    """How a question of another language was read; nothing for one in English.

    Parameters
    ----------
    told
        What was read, in that language; "" where the answer is told in English.
    """
    if heard is None:
        return []
    if told:
        return [voice(heard).say("read_as", question=told)]
    return [phrases_of("en").say("read_as", question=heard.question.strip(" ?."))]


def rules_of(code: str, form: Form, metadata: Metadata) -> str:
    """Which rows a form is about, in a language; "" where that has no phrase for it."""
    try:
        return Naming(phrases_of(code), metadata).rules(form)
    except NoPhrase:
        return ""


def rules_in(phrases: Phrases, conditions: Sequence[Condition], metadata: Metadata) -> str:
    """Conditions in a language; in English where that has no phrase for one."""
    naming, words = Naming(phrases, metadata), Words(metadata.catalog)
    try:
        told = [naming.condition(condition) for condition in conditions]
    except NoPhrase:
        told = [words.condition(condition) for condition in conditions]
    return phrases.joined(told)


def title_in(phrases: Phrases, form: Form, metadata: Metadata) -> str:
    """What a form shows in a language; "" where that has no phrase for it."""
    try:
        found = Naming(phrases, metadata).title(form)
    except NoPhrase:
        return ""
    return f"{found[:1].upper()}{found[1:]}"
