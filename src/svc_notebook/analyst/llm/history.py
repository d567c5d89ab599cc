"""Earlier turns of the thread as messages of the model, newest kept, trimmed by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .disclosure import literals_said
from .limits import CHARS_PER_TOKEN

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from ..base import PastTurn

__all__ = ["history_messages"]

_RESULT_CHARS = 600


def history_messages(turns: Iterable[PastTurn], tokens: int, *, names_only: bool = False) -> list[ModelMessage]:
    """The latest turns whose text fits into ``tokens`` (estimated), oldest first; a turn is never cut in half.

    With ``names_only`` a turn is its question, and its queries as far as the asker said every text that stands in them.
    """
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    turns, room = list(turns), tokens * CHARS_PER_TOKEN
    said = [turn.question for turn in turns]
    kept: list[tuple[str, str]] = []
    for turn in reversed(turns):
        answer = _names_of(turn, said) if names_only else _answer_text(turn)
        room -= len(turn.question) + len(answer)
        if room < 0:
            break
        kept.append((turn.question, answer))
    messages: list[ModelMessage] = []
    for question, answer in reversed(kept):
        messages.append(ModelRequest(parts=[UserPromptPart(content=question)]))
        messages.append(ModelResponse(parts=[TextPart(content=answer)]))
    return messages


def _answer_text(turn: PastTurn) -> str:
    text = turn.answer or "(no answer)"
    if turn.status != "complete":
        text += f"\n\n({turn.status} before it was finished)"
    notes = [_result_text(result) for result in turn.results[-2:]]
    return "\n\n".join([text, *notes])


def _names_of(turn: PastTurn, said: Sequence[str]) -> str:
    queries = [str(result.get("sqlQuery", ""))[:_RESULT_CHARS] for result in turn.results[-2:]]
    return "\n".join(f"[ran: {sql}]" for sql in queries if literals_said(sql, said)) or "[answered]"


def _result_text(result: Mapping[str, Any]) -> str:
    names = ", ".join(column.get("name", "?") for column in result.get("schema") or [])
    ran = f"{str(result.get('sqlQuery', ''))[:_RESULT_CHARS]} → {result.get('totalRows', 0)} rows of {names}"
    return f"[ran: {ran}; uuid {result.get('uuid', '?')}]"
