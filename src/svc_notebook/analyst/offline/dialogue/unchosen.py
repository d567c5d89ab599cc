"""``per month instead`` where a choice was asked for: what it makes of each of the readings that were offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....semantic.catalog import Catalog
from ...base import PastTurn, Turn
from ..forms import to_sql
from .choosing import offered
from .outcome import Between, Followed, Unmet

__all__ = ["as_if_chosen", "of_each"]


def as_if_chosen(turn: Turn, catalog: Catalog) -> list[Turn]:
    """The turn behind each of the readings that were asked back with just before, as if that had been taken; none where
    those leave words out.
    """
    last = turn.history[-1] if turn.history else None
    if last is None or "reading" in last.memory or last.memory.get("pending"):
        return []
    return [
        replace(turn, history=(*turn.history[:-1], PastTurn(last.question, memory={"reading": to_sql(option.form)})))
        for option in offered(last.memory, catalog)
    ]


def of_each(made: Sequence[Followed | Unmet | Between | None]) -> Followed | Between | None:
    """One answer where it does not matter which reading was meant; else the readings, each with what was said now.

    A reading that was offered alone was not sure, and one that alone can be changed so need not be the one that was
    meant: what is made of those is offered, too, and never answered in silence.
    """
    edits = [one for one in made if isinstance(one, Followed)]
    found = {one.form.key: one for one in edits}
    if not edits:
        return None
    if len(found) > 1 or len(edits) < len(made) or len(made) == 1:
        return Between(tuple(one.form for one in found.values()), anew=False)
    return replace(edits[0], sure=min(one.sure for one in edits), undecided=True)
