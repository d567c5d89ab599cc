"""``per month instead`` where the turn before was not answered: what it makes of each of the readings that were
offered, or else of the last answer. Unless all of them come to the same, it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....semantic.catalog import Catalog
from ...base import PastTurn, Turn
from ..forms import Form, to_sql
from .choosing import offered, says_yes
from .outcome import Between, Followed, Unmet
from .thread import Earlier, left_open

__all__ = ["as_if_chosen", "is_taken", "of_each", "of_last_answer", "still_asked"]

_Made = Followed | Unmet | Between | None


def as_if_chosen(turn: Turn, catalog: Catalog) -> list[Turn]:
    """The turn behind each of the readings that can still be chosen from, as if that had been taken."""
    place = left_open(turn)
    if place is None or "reading" in turn.history[place].memory:
        return []
    asked = turn.history[place]
    known = {name: asked.memory[name] for name in ("chart", "left", "answered") if asked.memory.get(name)}
    taken = [{**known, "reading": to_sql(option.form)} for option in offered(asked.memory, catalog)]
    return [replace(turn, history=(*turn.history[:place], PastTurn(asked.question, memory=memory))) for memory in taken]


def is_taken(turn: Turn) -> bool:
    """Whether a turn is a yes to readings that were asked back with, and no thanks for an answer."""
    place = left_open(turn)
    return place is not None and "reading" not in turn.history[place].memory and says_yes(turn.question)


def still_asked(turn: Turn, catalog: Catalog) -> Between | None:
    """The readings to choose from once more, where a yes takes none of several."""
    place = left_open(turn)
    memory = turn.history[place].memory if place is not None else {}
    options = offered(memory, catalog) if is_taken(turn) else ()
    if len(options) < 2:
        return None
    return replace(_as_asked(memory), forms=tuple(one.form for one in options))


def of_each(made: Sequence[_Made], each: Sequence[Turn]) -> _Made:
    """One answer where it does not matter which reading was meant; else the readings, each with what was said now.

    A reading that was offered alone was not sure, one that alone can be changed so need not be the one that was meant,
    and one that leaves words out is none: what is made of those is offered, too, and never answered in silence.
    """
    edits = [one for one in made if isinstance(one, Followed)]
    found = {form.key: form for one in made for form in _likeliest(one)}
    if not found:
        return next((one for one in made if isinstance(one, Unmet) and one.unread), None)
    asked = _as_asked(each[0].history[-1].memory)
    if len(found) > 1 or len(edits) < len(made) or len(made) == 1 or asked.left:
        chart = edits[0].chart if edits else ""
        return replace(asked, forms=tuple(found.values()), chart=chart)
    return replace(edits[0], sure=min(one.sure for one in edits), undecided=True)


def of_last_answer(turn: Turn, before: Earlier | None, again: Callable[[Turn], _Made]) -> Between | Unmet | None:
    """What a turn behind a question that was not answered makes of the answer before that: to be asked for."""
    place = next((at for at, past in enumerate(turn.history) if before is not None and past is before.turn), None)
    if place is None:
        return None
    made = again(replace(turn, history=turn.history[: place + 1]))
    forms = _likeliest(made)
    if not forms or before is None or not isinstance(made, (Followed, Between)):
        return made if isinstance(made, Unmet) and made.unread else None
    if forms[0] == before.form and made.chart == before.chart:
        return None
    return Between(forms, anew=False, chart=made.chart, answered=before.turn.question)


def _as_asked(memory: Mapping[str, Any]) -> Between:
    """What was said of readings when they were asked back with."""
    left = tuple(str(word) for word in memory.get("left") or ())
    chart, answered = (str(memory.get(name) or "") for name in ("chart", "answered"))
    return Between((), False, chart=chart, left=left, answered=answered)


def _likeliest(made: _Made) -> tuple[Form, ...]:
    if isinstance(made, Followed):
        return (made.form,)
    return made.forms[:1] if isinstance(made, Between) else ()
