"""What is told in the language a question was asked in."""

from __future__ import annotations

from collections.abc import Sequence

from .rendering import Rendered

__all__ = ["as_typed", "read_as", "refused"]

_ENGLISH = {
    "unread": "I could not read this: I do not know {words} here.",
    "lost": "I did not read this whole: an answer would leave out {words}.",
    "nothing": "I could not read this as a question about the data.",
    "empty": "There is nothing in the data model that you may see.",
    "offers": "Questions I can answer:",
}


def refused(heard: Rendered | None, kind: str, words: Sequence[str] = ()) -> str:
    """Why nothing is answered.

    Parameters
    ----------
    kind
        ``"unread"`` or ``"lost"`` with the words, as they were read; ``"nothing"``, ``"empty"``; ``"offers"`` for the
        line above what can be asked.
    """
    if heard is None:
        return _ENGLISH[kind].format(words=", ".join(f"“{word}”" for word in words))
    said = ", ".join(f"“{word}”" for word in as_typed(heard, words))
    return heard.language.sentences[kind].format(words=said)


def as_typed(heard: Rendered | None, words: Sequence[str]) -> list[str]:
    """Words of the English that was read, as they were asked."""
    if heard is None:
        return list(words)
    return list(dict.fromkeys(heard.typed.get(word.lower(), word) for word in words))


def read_as(heard: Rendered | None) -> list[str]:
    """How a question of another language was read; nothing for one in English."""
    if heard is None:
        return []
    return [heard.language.sentences["read_as"].format(question=heard.question.strip(" ?."))]
