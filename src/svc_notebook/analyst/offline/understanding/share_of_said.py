"""``as % of flights`` after the cancelled ones of each airport: what was counted, as a share of what is named."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, Unfit, Unmet, earlier, passed_over
from ..dialogue.conditions import conditions_of
from ..dialogue.editing import aggregate_of
from ..dialogue.expressing import relations_of
from ..dialogue.numbers import as_share, counts_rows
from ..dialogue.wishes import rate_of_rows
from ..forms import Aggregate, And, Clause, Expression, Form, Ratio
from ..schema.nouns import plural
from ..understood import Understood
from ..words.shares_said import SHARE
from .asked import AskedTurn
from .forming import as_edit, form_shown, is_sayable

__all__ = ["share_of_said"]

_OF_THE_TOTAL = (
    r"the|number|their|its|his|her|that|this|it|those|these|them|total|whole|sum|all|each|every|overall|grand|year"
    r"|quarter|month|period"
)
_SHARE = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|now|then|please|what|how much|is|are|show|give|me|that|this|it|those|these|them)"
    rf"\s+)*(?:as|in)\s+(?:an?\s+|the\s+)?{SHARE}\s+(?:of|out of)\s+"
    rf"(?:the\s+|all\s+|total\s+|number of\s+)*(?P<of>(?!(?:{_OF_THE_TOTAL})\b)[a-z][\w'’-]*(?:\s+[\w'’-]+){{0,2}}?)"
    r"(?:\s+(?:in|of|for|per) each)?\W*$",
    re.IGNORECASE,
)
_COUNTS = frozenset(("rows", "count"))


def share_of_said(asked: AskedTurn) -> Understood | None:
    """What was counted as a share of the rows that are named; None where a turn is anything else."""
    said = _SHARE.match(asked.question)
    forms = earlier(asked.turn, asked.metadata.catalog) if said is not None else []
    if said is None or not forms or passed_over(asked.turn):
        return None
    before = forms[0]
    if (
        len(before.form.measures) != 1
        or aggregate_of(before.form.measures[0].expression, asked.metadata) not in _COUNTS
    ):
        return None
    whole = _named(asked, said["of"], before.form)
    if whole is None:
        return asked.nothing(unmet=Unmet(unread=(said["of"],)))
    try:
        made = _share(before.form, whole, asked)
    except Unfit as reason:
        return asked.nothing(unmet=Unmet(str(reason)))
    return _told(asked, before, made)


def _told(asked: AskedTurn, before: Earlier, form: Form) -> Understood | None:
    if not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, before, before.chart, sure=before.sure), asked.reading, asked.metadata)


def _named(asked: AskedTurn, words: str, of: Form) -> Form | None:
    """What is counted by words that name rows, or say what they are like: ``departed`` of flights."""
    root = (relations_of(of) or ("",))[0]
    rows = plural(asked.metadata.words_of(root)[-1]) if root else ""
    for text in dict.fromkeys((f"number of {words}", f"number of {words} {rows}")):
        seen = asked.anew(replace(asked.turn, question=text, history=()))
        form = form_shown(seen)
        if form is None or seen.options or seen.unread or seen.plan is not None and seen.plan.unread:
            continue
        if len(form.measures) == 1 and not form.groups and (relations_of(form) or ("",))[0] == root:
            return form
    return None


def _share(form: Form, whole: Form, asked: AskedTurn) -> Form:
    """The share of a number in another: of the total where both are the same, of all rows as the model defines it."""
    below = whole.measures[0].expression
    if counts_rows(below, asked.metadata) and not whole.where:
        try:
            return rate_of_rows(form, asked.metadata)
        except Unfit:
            return as_share(form, asked.metadata)
    if whole.where:
        known = conditions_of(whole)
        below = Aggregate("rows", where=known[0] if len(known) == 1 else And(tuple(known)))
    made, above = _rate(form, asked)
    if asked.given_by(_alone(made, above)) == asked.given_by(_alone(made, below)):
        return as_share(form, asked.metadata)
    return _divided(made, above, below)


def _rate(form: Form, asked: AskedTurn) -> tuple[Form, Expression]:
    """A form without the conditions that say what was counted, and the number that has them instead."""
    number = form.measures[0].expression
    try:
        rate = rate_of_rows(form, asked.metadata) if counts_rows(number, asked.metadata) else None
    except Unfit:
        rate = None
    made = rate.measures[0].expression if rate is not None else None
    return (rate, made.above) if rate is not None and isinstance(made, Ratio) else (form, number)


def _alone(form: Form, number: Expression) -> Form:
    return form.with_(groups=(), measures=(Clause(number),), order=(), having=(), limit=None)


def _divided(form: Form, above: Expression, below: Expression) -> Form:
    """The form with one number divided by the other in the place of its own."""
    ratio, old = Ratio(above, below, True), form.measures[0].expression
    order = tuple(replace(one, by=ratio) if one.by == old else one for one in form.order)
    return form.with_(measures=(Clause(ratio),), order=order)
