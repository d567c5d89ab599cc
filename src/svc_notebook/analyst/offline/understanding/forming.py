"""What forms make of a turn: a plan where one says it, else the form itself; and the forms of plans."""

from __future__ import annotations

from dataclasses import replace

from ..dialogue import NOT_TOLD, Followed, Unfit, Unmet, unsorted, with_share
from ..forms import Aggregate, Form, to_sql
from ..forms.walking import parts
from ..plans.forms_as_plans import plan_of
from ..plans.plan import ChartWish, Plan
from ..plans.sql import write_sql
from ..reader import is_writable
from ..reading.read_back import read_back
from ..reading.reading import Reading
from ..schema.metadata import Metadata
from ..understood import Understood

__all__ = [
    "as_edit",
    "as_taken",
    "form_of",
    "form_of_plan",
    "form_read_whole",
    "form_shown",
    "is_sayable",
    "query_of",
    "told_instead",
    "with_its_share",
]


def as_taken(form: Form, reading: Reading, metadata: Metadata, again: str = "", chart: str = "") -> Understood | None:
    """A form that was chosen: as a plan where one says it, else straight from the form."""
    plan = plan_of(form, metadata)
    if plan is not None:
        plan = plan.with_(chart=ChartWish.of_words(chart)) if chart else plan
        return Understood(metadata, reading, plan, False, write_sql(plan, metadata), taken=form, again=again)
    if not is_writable(form):
        return None
    return Understood(metadata, reading, None, False, form=form, taken=form, again=again)


def form_read_whole(read: Understood) -> Form | None:
    """The form that is shown for a part of a question, where nothing of that part is left out; None otherwise."""
    left = read.plan is not None and (read.plan.unread or read.plan.claim)
    return None if read.lost or read.unread or read.analysis or left or read.told else form_shown(read)


def is_sayable(form: Form, metadata: Metadata) -> bool:
    """Whether a form can be answered at all."""
    return plan_of(form, metadata) is not None or is_writable(form)


def query_of(form: Form, metadata: Metadata) -> str | None:
    """The query that a form is answered with, if there is one: joins over which a number can be told are a plan's."""
    plan = plan_of(form, metadata)
    if plan is not None:
        return write_sql(plan, metadata).sql
    return to_sql(form.settled()) if is_writable(form) and not _measures_joined(form) else None


def as_edit(followed: Followed, reading: Reading, metadata: Metadata) -> Understood:
    """What an edit of an earlier form asks."""
    plan, sure = plan_of(followed.form, metadata), round(followed.sure, 3)
    if plan is None:
        form = followed.form
        if not is_writable(form) or _measures_joined(form):
            return Understood(metadata, reading, None, False, unmet=Unmet(NOT_TOLD))
        return Understood(metadata, reading, None, True, followed=followed, form=form, sure=sure)
    if not is_writable(followed.form):  # later turns build upon the form
        return Understood(metadata, reading, None, False, unmet=Unmet(NOT_TOLD))
    plan = plan.with_(confidence=sure, claim=followed.claim or plan.claim)
    if followed.chart:
        plan = plan.with_(chart=ChartWish.of_words(followed.chart))
    return Understood(metadata, reading, plan, True, write_sql(plan, metadata), followed=followed)


def _measures_joined(form: Form) -> bool:
    """Whether numbers of the model are asked of rows that are joined by columns, over which the model tells none."""
    shown = (form.groups, form.measures, form.columns, form.where, form.having, form.order)
    joined = parts(shown, inner=False) if any(join.on for join in form.joins) else ()
    return any(isinstance(part, Aggregate) and part.function == "measure" for part in joined)


def with_its_share(found: Understood) -> Understood | None:
    """What was asked with how much of all that is beside it, where it is rows or sums of which that can be said."""
    form = form_shown(found)
    try:
        both = with_share(form, found.metadata) if form is not None else None
    except Unfit:
        return None
    if both is None or not is_writable(both):
        return None
    if found.followed is not None:
        return as_edit(replace(found.followed, form=both, beside=None), found.reading, found.metadata)
    return told_instead(found, both)


def form_shown(found: Understood) -> Form | None:
    """What a turn was understood to show."""
    form = found.followed.form if found.followed is not None else found.form
    return form or (form_of_plan(found.plan, found.metadata) if found.plan is not None else None)


def told_instead(found: Understood, form: Form) -> Understood:
    """What was understood, with another form in the place of its own: as a plan where one says it."""
    plan = plan_of(form, found.metadata)
    statement = write_sql(plan, found.metadata) if plan is not None else None
    return replace(found, plan=plan, statement=statement, form=form if plan is None else None, options=())


def form_of_plan(plan: Plan, metadata: Metadata) -> Form | None:
    """What a plan asks, in no order that nobody asked for."""
    form = form_of(write_sql(plan, metadata).sql, metadata)
    return unsorted(form) if form is not None else None


def form_of(sql: str, metadata: Metadata) -> Form | None:
    """What SQL over the model asks, where that is one form."""
    form = read_back(sql, metadata)
    return form if isinstance(form, Form) else None
