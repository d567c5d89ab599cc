"""``the second busiest route``: the one behind the first in the same order, and no two of them."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..forms import Form, Limit
from ..understood import Understood
from .asked import AskedTurn
from .forming import form_read_whole, is_sayable

__all__ = ["nth_of_order"]

_PLACES = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_DIGITS = ("2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_SAID = re.compile(
    rf"\b(?P<nth>{'|'.join((*_PLACES, *_DIGITS))})[\s-]+"
    r"(?=(?:most|least|fewest|best|worst|highest|lowest|top|(?!(?:interest|forest|guest|test|rest|request|contest)\b)"
    r"[a-z]{3,}est)\b)",
    re.IGNORECASE,
)


def nth_of_order(asked: AskedTurn) -> Understood | None:
    """What the question asks without its place, at that place; None where it ranks nothing."""
    said = _SAID.search(asked.question)
    if said is None or asked.turn.history and asked.heard.leans:
        return None
    question = f"{asked.question[: said.start()]}{asked.question[said.end() :]}"
    form = form_read_whole(asked.anew(replace(asked.turn, question=question, typed="", history=())))
    made = _at(form, _place(said["nth"].lower())) if form is not None else None
    return asked.nothing(form=made, sure=1.0) if made is not None and is_sayable(made, asked.metadata) else None


def _place(nth: str) -> int:
    return (_DIGITS if nth[0].isdigit() else _PLACES).index(nth) + 1


def _at(form: Form, place: int) -> Form | None:
    return form.with_(limit=Limit(1, skip=place)) if form.limit == Limit(1) and form.order else None
