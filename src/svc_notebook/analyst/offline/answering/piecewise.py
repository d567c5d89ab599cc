"""An answer's text as events: a few words at a time, then whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from ....protocol.reading import Choice
from ...base import AnswerDelta, AnswerDone, Event

__all__ = ["pieces", "stream"]


async def stream(
    sentences: list[str],
    suggestions: list[str],
    memory: Mapping[str, Any],
    outcome: str = "",
    choices: tuple[Choice, ...] = (),
) -> AsyncIterator[Event]:
    """The answer sentence by sentence, each in a few pieces, then whole."""
    text = _paragraphs(sentences)
    async for event in pieces(text):
        yield event
    yield AnswerDone(text, tuple(suggestions), memory, choices, outcome)


def _paragraphs(sentences: Sequence[str]) -> str:
    """Sentences in a row; what follows a list begins anew."""
    text = ""
    for sentence in sentences:
        listed = text.rpartition("\n")[2].startswith("- ")
        text += f"{chr(10) * 2 if listed else ' ' if text else ''}{sentence}"
    return text


async def pieces(text: str) -> AsyncIterator[Event]:
    for piece in re.findall(r"\S+(?:\s+\S+){0,3}\s*", text):
        yield AnswerDelta(piece)
        await asyncio.sleep(0)
