"""A turn as a question that stands alone, or with the words of refused turns right before it."""

from __future__ import annotations

from .... import patterns as re
from ..checks.refuted import is_refuted
from ..dialogue import UNANSWERED, Unmet
from ..dialogue.expressing import is_named
from ..forms import Form, Member
from ..plans.forms_as_plans import plan_of
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..reader import Decision, is_writable
from ..reading.followups import has_subject
from ..reading.of_the_top import of_the_top
from ..reading.reading import ENOUGH, Reading
from ..schema.member_kinds import kind_of
from ..understood import Understood
from ..words.text import tokenize
from .asked import AskedTurn
from .before import is_read_alone, pending_words
from .offering import beside_plan, beside_unsure, sole_question, taken_before, to_choose

__all__ = ["answered"]

_WHICH = re.compile(r"^\W*(?:which|what)\s+(?P<kind>\w+)\b", re.IGNORECASE)
_ABOUT_AS_SURE = 0.1
_LIKELY = 0.4  # what near readings ask that are one question


def answered(asked: AskedTurn) -> Understood:
    """The plan or form that is sure enough, else what it may have meant."""
    least = asked.means.least
    pending = pending_words(asked.turn)
    if pending and not _is_whole(asked):
        words = f"{pending}. {asked.question}"
        joined = _joined(asked, words) if not is_read_alone(asked.reading) else None
        if joined is not None:
            asked.reading = joined
            return _by_plan(asked, Decision(None, 1.0), joined.plan, ENOUGH if least is None else least, words)
        if asked.heard.leans:
            return asked.nothing(unmet=Unmet(UNANSWERED))
    decided = asked.alone.decision
    if decided.plan is None and isinstance(decided.form, Form) and decided.sure >= (least or 0.0):
        return _by_form(asked, decided, decided.form)
    return _by_plan(asked, decided, decided.plan, least or 0.0)


def _is_whole(asked: AskedTurn) -> bool:
    draft = asked.reading.draft
    return has_subject(asked.question, asked.reading) and not (draft is not None and draft.axes)


def _joined(asked: AskedTurn, words: str) -> Reading | None:
    """Words said before and what is said now, read as one question, where that is about as sure and leaves out none."""
    joined, plan = asked.read_or_none(words), asked.reading.plan
    if joined is None or joined.plan is None or joined.missed or _leaves_out(joined, asked.question):
        return None
    return joined if plan is None or joined.plan.confidence >= plan.confidence - _ABOUT_AS_SURE else None


def _by_form(asked: AskedTurn, decided: Decision, form: Form) -> Understood:
    """A form that no plan can say."""
    options = beside_unsure(asked, decided)
    return taken_before(asked, options) or asked.nothing(
        form=form, sure=decided.sure, unread=decided.unread, options=options
    )


def _of_kinds(plan: Plan, asked: AskedTurn) -> Plan:
    """``which destinations are closer than 100 miles``: each of them once, and not once for each row that is so."""
    named, path = _WHICH.match(asked.question), plan.columns[0] if len(plan.columns) == 1 else None
    if named is None or path is None or plan.shape != "rows" or plan.limit is not None or plan.order:
        return plan
    if kind_of(asked.metadata, path) != "text" or asked.metadata.profile(path).unique:
        return plan
    return plan.with_(shape="distinct") if is_named(Member(path), named["kind"], asked.metadata) else plan


def _by_plan(asked: AskedTurn, decided: Decision, plan: Plan | None, least: float, fragments: str = "") -> Understood:
    """A plan that is at least so sure; ``fragments`` are the words that it was put together from."""
    if plan is None or plan.confidence < least:
        return _not_sure(asked, decided)
    plan = _of_kinds(plan, asked)
    divided = of_the_top(plan, asked.metadata)
    if divided is not None and is_writable(divided):
        return asked.nothing(form=divided, sure=plan.confidence)
    options = beside_unsure(asked, decided) or beside_plan(asked, plan)
    statement = write_sql(plan, asked.metadata)
    return taken_before(asked, options) or Understood(
        asked.metadata, asked.reading, plan, False, statement, fragments=fragments, options=options
    )


def _not_sure(asked: AskedTurn, decided: Decision) -> Understood:
    options, left = to_choose(asked, decided)
    likely = len(options) == 1 and not left and decided.sure >= _LIKELY
    if likely and (form := sole_question(asked, decided)) is not None:
        plan, draft = plan_of(form, asked.metadata), asked.reading.draft
        if plan is None:
            return asked.nothing(form=form, sure=decided.sure)
        if draft is None or not is_refuted(plan, draft):
            return Understood(asked.metadata, asked.reading, plan, False, write_sql(plan, asked.metadata))
    taken = taken_before(asked, options) if not left else None
    return taken or asked.nothing(lost=asked.reading.lost, options=options, left=left)


def _leaves_out(joined: Reading, question: str) -> bool:
    """Whether words said before are read at the cost of what is said now."""
    said = {token.text for token in tokenize(question)}
    return bool(said & set(joined.unread))
