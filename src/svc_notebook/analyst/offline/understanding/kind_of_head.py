"""``which place has the most …``: what the model has of places, asked back with where it has several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..dialogue import options_of
from ..ranking.one_question import as_one_question
from ..reading.any_kind import any_kind
from ..understood import Understood
from .asked import AskedTurn
from .forming import form_shown
from .offering import taken_before

__all__ = ["kind_of_head"]

_MOST = 4  # kinds that are tried


def kind_of_head(asked: AskedTurn) -> Understood | None:
    """What is asked for by a noun for things of any kind: that of the one kind it may be, a choice, or a refusal."""
    head = any_kind(asked.question, asked.metadata)
    if head is None:
        return None
    found = list(_whole(asked, head.questions))
    forms = [form for one in found if (form := form_shown(one)) is not None]
    options = options_of(as_one_question(forms, asked.metadata), asked.metadata.catalog)
    if not options:
        return found[0] if found else asked.nothing(lost=(head.noun,))
    return taken_before(asked, options) or asked.nothing(options=options)


def _whole(asked: AskedTurn, questions: tuple[str, ...]) -> Iterator[Understood]:
    """What is understood of questions that leave nothing out."""
    for question in questions[:_MOST]:
        found = asked.anew(replace(asked.turn, question=question))
        left = found.unread or found.lost or found.left or found.unmet or found.plan is not None and found.plan.unread
        if (found.plan is not None or found.form is not None) and not left:
            yield found
