"""Turns of one shape about the last answer: where one is said, the form that it makes of those that were shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeAlias

from .... import patterns as re
from ..dialogue import Earlier, Followed, earlier, passed_over
from ..forms import Form
from ..understood import Understood
from .asked import AskedTurn
from .forming import as_edit, is_sayable

__all__ = ["of_last_answer"]

Made: TypeAlias = Callable[[AskedTurn, re.Match[str], Sequence[Earlier]], Form | None]
Step: TypeAlias = Callable[[AskedTurn], Understood | None]


def of_last_answer(said: re.Pattern[str], *, whole: bool = False) -> Callable[[Made], Step]:
    """A step of what a function makes of the answers before, the last first, where a turn is said so and nothing since
    was left unanswered; None for other turns, and where nothing can be made.

    ``whole``: it is the turn as it was typed that is said so, and the picture of before is drawn of what is made.
    """

    def step_of(made: Made) -> Step:
        @wraps(made)
        def step(asked: AskedTurn) -> Understood | None:
            fresh = not asked.turn.history or bool(passed_over(asked.turn))
            found = None if fresh else (whole and said.match(asked.turn.asked)) or said.match(asked.question)
            forms = earlier(asked.turn, asked.metadata.catalog) if found is not None else []
            form = made(asked, found, forms) if found is not None and forms else None
            if form is None or not is_sayable(form, asked.metadata):
                return None
            chart = forms[0].chart if whole else ""
            return as_edit(Followed(form, forms[0], chart, sure=forms[0].sure), asked.reading, asked.metadata)

        return step

    return step_of
