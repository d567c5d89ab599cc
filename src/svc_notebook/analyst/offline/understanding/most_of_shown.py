"""``which account has the most`` after tickets were counted: of these, and of nothing else that accounts have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, narrowed_to, rows_of
from ..dialogue.conditions import conditions_of, with_conditions
from ..dialogue.editing import aggregate_of
from ..dialogue.expressing import is_named, relations_of
from ..forms import Compare, Form, Limit, Order
from ..schema.nouns import plural
from ..words.leads import LEAD
from ..words.text import singular
from .asked import AskedTurn
from .forming import form_read_whole, is_sayable
from .of_last_answer import of_last_answer
from .ranked_again import descends

__all__ = ["most_of_shown"]

_SAID = re.compile(
    LEAD + r"(?:which|what) (?!ones?\b)(?P<what>[a-z]+(?: [a-z]+)?) "
    r"(?:(?:has|had|have|got|gets|saw|sees)|(?P<is>is|was|are|were)) (?:the )?(?P<end>[a-z]+)\W*$",
    re.IGNORECASE,
)
_COUNTED = frozenset(("most", "least", "fewest"))
_JUDGED = frozenset(("best", "worst", "highest", "lowest"))


@of_last_answer(_SAID)
def most_of_shown(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """What most of the rows that were counted belong to, or has most of the number that was shown."""
    if not forms[0].form.measures or forms[0].form.limit is not None:
        return None
    if any(is_named(clause.expression, said["what"], asked.metadata) for clause in forms[0].form.groups):
        return _of_the_shown(asked, forms[0].form, said)
    counted = not said["is"] and said["end"].lower() in _COUNTED
    form = _of_rows(asked, forms[0].form, said["what"], said["end"]) if counted else None
    form = form if form is not None and is_sayable(form, asked.metadata) else None
    return form or _of_number(asked, forms[0].form, said)


def _of_the_shown(asked: AskedTurn, shown: Form, said: re.Match[str]) -> Form | None:
    """``which zone has the highest`` of start zones, where there are end zones too; a plain name is read by itself."""
    noun, metadata = singular(said["what"].lower()), asked.metadata
    alike = [
        path for path, m in metadata.members.items() if m.kind == "dimension" and metadata.parts(path)[-1:] == (noun,)
    ]
    if len(alike) == 1 or len(shown.groups) != 1 or len(shown.measures) != 1 or shown.having:
        return None
    number = shown.measures[0].expression
    descending = descends(said["end"].lower(), number, shown, metadata)
    return None if descending is None else shown.with_(order=(Order(number, descending),), limit=Limit(1))


def _of_rows(asked: AskedTurn, before: Form, what: str, end: str) -> Form | None:
    rows = rows_of(before, asked.metadata)
    if not rows:
        return None
    question = f"which {what} has the {end} {plural(rows)}"
    read = form_read_whole(asked.anew(replace(asked.turn, question=question, history=())))
    if read is None or (relations_of(read) or ("",))[0] != (relations_of(before) or ("",))[0]:
        return None
    return narrowed_to(read, before, asked.metadata)


def _of_number(asked: AskedTurn, before: Form, said: re.Match[str]) -> Form | None:
    """By what is named in the place of what the number was told apart by: its towns, and no people in towns."""
    if len(before.measures) != 1 or before.having:
        return None
    number = before.measures[0].expression
    if said["is"] and (said["end"].lower() not in _JUDGED or aggregate_of(number, asked.metadata) in ("rows", "count")):
        return None  # the best team is not the one with most calls, and the biggest one has most people
    descending = descends(said["end"].lower(), number, before, asked.metadata)
    seen = asked.anew(replace(asked.turn, question=f"by {said['what']}", typed="")) if descending is not None else None
    form = seen.followed.form if seen is not None and seen.followed is not None else None
    if descending is None or form is None or form.measures != before.measures or len(form.groups) != 1:
        return None
    group = form.groups[0].expression
    left = [one for one in conditions_of(form) if not (isinstance(one, Compare) and one.left == group)]
    return with_conditions(form, left).with_(order=(Order(number, descending),), limit=Limit(1))
