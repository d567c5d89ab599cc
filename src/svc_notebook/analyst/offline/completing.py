"""A held question completed: by other words for what nobody knew, without them, or by what is said of the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..base import PastTurn, Turn
from .dialogue import Heard, Held, accepts, hear, leaves_out, rephrased
from .forms import to_sql
from .reading.followups import has_subject
from .reading.reading import Reading
from .understood import Understood

__all__ = ["completed"]

Understanding = Callable[[Turn], Understood]


def completed(heard: Heard, turn: Turn, alone: Reading, again: Understanding) -> Understood | None:
    """What a turn makes of the question before it that was refused; None where it completes none.

    Nothing is built upon what was not understood: the question is read anew in other words, and said so.
    """
    for text, place in rephrased(heard, turn, alone):
        found = _whole(turn, text, again, place)
        if found is not None:
            return found
    if (waiting := leaves_out(heard, turn)) is not None:
        return _without(waiting, turn, again)
    waiting = accepts(heard, turn)
    return _gone_on(waiting, turn, again) if waiting is not None else None


def _whole(turn: Turn, text: str, again: Understanding, place: int) -> Understood | None:
    """A question in other words, read whole: by itself, or as the edit that it was (``of those, how …``)."""
    leans = hear(text).leans or hear(text).points
    found = again(replace(turn, question=text, history=turn.history[:place] if leans else ()))
    answered = found.plan is not None and not found.plan.unread or found.form is not None and not found.unread
    if not answered or (found.followed is not None) != leans or found.told is not None:
        return None
    return replace(found, fragments=text)


def _without(waiting: Held, turn: Turn, again: Understanding) -> Understood | None:
    """The held question without the unknown words; where that is not sure, its readings are asked back with again."""
    found = _whole(turn, waiting.without(), again, waiting.place)
    if found is not None and _says_of_what(found):
        return found
    taken = again(replace(turn, question="yes", history=turn.history[: waiting.place + 1]))
    return taken if taken.options or taken.taken is not None else None


def _gone_on(waiting: Held, turn: Turn, again: Understanding) -> Understood | None:
    """An edit of the held question without the unknown words, which are told to be left out."""
    base = _whole(turn, waiting.without(), again, waiting.place)
    if base is None or not _says_of_what(base) or base.options:
        return None
    sql = base.statement.sql if base.statement is not None else to_sql(base.form) if base.form is not None else ""
    past = PastTurn(base.fragments, memory={"reading": sql, "left": list(waiting.unknown)})
    anew = replace(turn, history=(*turn.history[: waiting.place], past))
    found = again(anew)
    if found.followed is None or found.plan is None and found.form is None:
        return None
    return replace(found, turn=anew)


def _says_of_what(found: Understood) -> bool:
    """Whether a question still says what it asks for, and is no piece that was left of one."""
    return has_subject(found.fragments, found.reading) and not hear(found.fragments).is_piece
