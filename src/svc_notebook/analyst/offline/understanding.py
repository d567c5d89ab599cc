"""A turn understood: read as a question of its own, as an edit of an earlier form, a choice, or talk about the data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property, partial
from typing import Any

from ..base import Turn
from .analyses import analysis_of
from .budget import Budget, ReadingTooLong
from .checks.coverage import left_out
from .claiming import as_claim
from .completing import completed
from .dialogue import (
    NOT_SURE,
    NOT_TOLD,
    UNANSWERED,
    Anew,
    Between,
    Followed,
    Option,
    Unfit,
    Unmet,
    asked_back,
    asks_of_them,
    begins_anew,
    binds_itself,
    chart_of,
    chosen,
    earlier,
    explained,
    follow,
    hear,
    help_for,
    in_percent_too,
    is_list_of_its_own,
    is_taken,
    meant_first,
    of_others,
    options_of,
    outstanding,
    passed_over,
    still_asked,
    unled,
    unsorted,
    with_share,
)
from .edits_given import agreed, with_rows
from .ends_together import as_both_ends
from .forms import Aggregate, Form, to_sql
from .forms.walking import parts
from .linking import link
from .lists import asked_plainly
from .plans.forms_as_plans import plan_of
from .plans.plan import ChartWish, Condition, Plan, from_memory
from .plans.sql import write_sql
from .ranking.apart import NEAR, alike, apart, elsewhere
from .ranking.outcome import FAILED, UNKNOWN
from .ranking.standing import Standing
from .reader import Decision, assumes, choose, is_weak, is_writable
from .reading.asides import without_asides
from .reading.differences import difference
from .reading.followups import has_subject, is_refinement, leans_back, refine, that_one
from .reading.foreign import is_statement
from .reading.how_old import how_old
from .reading.is_it_so import is_it_so
from .reading.of_the_top import of_the_few, of_the_top
from .reading.read_back import read_back
from .reading.reading import ENOUGH, MOST_WORDS, Reading, read
from .reading.reasons import reasons_of
from .reading.several import several_numbers
from .reading.some_of_all import is_of_rows, some_of_all
from .reading.than_average import than_average
from .schema.metadata import Metadata
from .understood import Understood
from .why import asked_group
from .words.text import stem, tokenize

__all__ = ["Understood", "data_year", "form_of", "understand"]

_DATA_YEAR_TRIES = 3
_SURE = 0.7  # from here on an answer stands without others beside it
_OFFERED = 0.15  # the least likely reading that is asked back with
_BESIDE_EDIT = 4  # readings beside an edit that are run
_WHY = re.compile(r"\s*why\b", re.IGNORECASE)


def understand(
    turn: Turn,
    metadata: Metadata,
    budget: Budget,
    rows_of: Callable[[str], Hashable | None],
    *,
    least: float | None,
    fiscal_start: int,
    analyses: bool = True,
    called: Callable[[str], str] = str,
) -> Understood:
    """What a turn asks in its thread.

    Parameters
    ----------
    rows_of
        What a query gives, as something to compare; None for nothing.
    least
        Readings less sure than this are not answered; None: as the ranking was measured.
    fiscal_start
        The month a fiscal year begins in where the model does not say.
    analyses
        Whether a question may ask for an analysis of more than one query.
    called
        What periods are called in the language that is answered in.
    """
    turn = replace(turn, typed=turn.asked, history=() if begins_anew(turn.question) else turn.history)
    question = meant_first(unled(turn.question), in_thread=bool(turn.history))
    question = question if turn.history else asked_plainly(question)  # "can I also see …" adds to what was shown
    turn = replace(turn, question=without_asides(question, metadata))
    now = _naive(turn.now)
    year = data_year(metadata, now)
    fiscal = metadata.fiscal_start or fiscal_start or 1
    anew = partial(
        understand, metadata=metadata, budget=budget, rows_of=rows_of, least=least, fiscal_start=fiscal_start,
        analyses=analyses, called=called,
    )  # fmt: skip
    if head := in_percent_too(turn.question):
        said = anew(replace(turn, question=head))
        both = _with_share(said)
        if both is not None or said.plan is None and said.form is None:
            return both or said
        if leans_back(turn.question, said.reading):
            return Understood(metadata, said.reading, None, False, lost=("in percent",))
    if (one_read := as_claim(turn, anew) or as_both_ends(turn, anew)) is not None:
        return one_read
    others = of_others(turn.question) if earlier(turn, metadata.catalog) else ""
    turn = replace(turn, question=others or turn.question)
    reading = read(turn.question, metadata, now, (), year, fiscal=fiscal_start, budget=budget)
    if is_statement(turn.question):
        return Understood(metadata, reading, None, False)
    heard = hear(turn.question)
    told = help_for(heard, metadata, lambda text: link(text, metadata, now, year, fiscal, budget))
    told = told or explained(heard, turn, metadata)
    if told is not None and not is_taken(turn):
        return Understood(metadata, reading, None, False, told=told)
    own = has_subject(turn.question, reading) or is_list_of_its_own(turn.question, reading)
    own = own and not (heard.leans or reading.missed)
    taken = chosen(heard, turn, metadata.catalog, whole=own)
    if taken is not None and (asked := _asked_as(taken, reading, metadata, chart=chart_of(turn))) is not None:
        return asked
    read_whole = partial(_whole, metadata=metadata, now=now, year=year, budget=budget, fiscal=fiscal_start)
    if analyses:
        found = analysis_of(turn.question, metadata, now, year, fiscal, read_whole, _last_plan(turn, metadata), called)
        if found is not None:
            return Understood(metadata, reading, found.plan, False, write_sql(found.plan, metadata), analysis=found)
    if (made_whole := completed(heard, turn, reading, anew)) is not None:
        return made_whole
    before = _last_plan(turn, metadata)
    if before is not None and heard.wants == "why":
        return _why_that(turn, reading, before, metadata)
    if before is not None and _WHY.match(turn.question) and reading.plan is None:  # "july" is of the time before
        reading = read(turn.question, metadata, now, before.scope, year, fiscal=fiscal_start, budget=budget)
    if before is not None and (why := _asked_why(turn.question, reading, before)):
        return Understood(metadata, reading, before, True, write_sql(before, metadata), before, why)
    split = "split" in heard.acts  # by what is a group more, and no channel alone
    if before is not None and not split and (drawn := _redrawn(turn.question, reading, before, metadata)) is not None:
        return Understood(metadata, reading, drawn, True, write_sql(drawn, metadata))
    few = of_the_few(turn.question, metadata, read_whole) if own or not turn.history else None
    if few is None and len(reading.tokens) <= MOST_WORDS and (own or not turn.history):
        read_one = partial(
            read, metadata=metadata, now=now, default_year=year, nearby=False, fiscal=fiscal_start, budget=budget
        )
        few = than_average(turn.question, metadata, read_whole)
        few = few or how_old(turn.question, metadata, now) or is_it_so(turn.question, metadata)
        few = few or difference(turn.question, metadata, read_one) or reasons_of(turn.question, metadata, read_one)
        few = few or several_numbers(turn.question, metadata, read_one)
        share = some_of_all(turn.question, metadata, read_one) if few is None else None
        few = few or (share if share is not None and not (_tells_share(reading.plan) and is_of_rows(share)) else None)
    if few is not None and is_writable(few):
        return Understood(metadata, reading, None, False, form=few)
    alone = _Alone(lambda: choose(turn.question, metadata, now, year, fiscal, reading, budget, rows_of), metadata)
    followed = still_asked(turn, metadata.catalog) or follow(
        turn, metadata, reading, now, year, fiscal, budget, alone.as_reading, bool(others)
    )
    if isinstance(followed, Between):
        return _asked_between(followed, turn, reading, metadata, alone, rows_of)
    if isinstance(followed, Unmet):
        return Understood(metadata, reading, None, False, unmet=followed)
    if followed is not None:
        followed = with_rows(followed, rows_of)
        beside = _beside_edit(followed, metadata, alone, rows_of) if followed.beside is not None else ()
        return replace(_followed(followed, reading, metadata), options=beside)
    if others:
        return Understood(metadata, reading, None, False, lost=("the others",))
    plan, lost = reading.plan, reading.lost
    if before is None and asks_of_them(turn.question):
        return Understood(metadata, reading, None, False, lost=("they",))
    bound = before is None and not passed_over(turn) or binds_itself(turn.question, reading)
    if leaning := that_one(turn.question) if bound else leans_back(turn.question, reading):
        return Understood(metadata, reading, None, False, lost=(leaning,))
    pending = _pending(turn)
    fragments = ""
    decided = Decision(None, 1.0)
    whole = has_subject(turn.question, reading) and not (reading.draft is not None and reading.draft.axes)
    if pending and not whole and not refined_alone(reading):
        joined = _read_or_none(f"{pending}. {turn.question}", metadata, now, year, budget, fiscal_start)
        if joined is not None and (joined.missed or _leaves_out(joined, turn.question)):
            joined = None
        if (
            joined is not None
            and joined.plan is not None
            and (plan is None or joined.plan.confidence >= plan.confidence - 0.1)
        ):
            lost = joined.lost
            reading, plan, fragments = joined, joined.plan, f"{pending}. {turn.question}"
    if not fragments and pending and heard.leans and not whole:
        return Understood(metadata, reading, None, False, unmet=Unmet(UNANSWERED))
    if not fragments:
        decided = alone.decision
        plan = decided.plan
        if plan is None and isinstance(decided.form, Form) and decided.sure >= (least or 0.0):
            return _told_by_form(decided, decided.form, turn, reading, rows_of, metadata)
    if plan is None or plan.confidence < ((ENOUGH if fragments else 0.0) if least is None else least):
        options, left = _to_choose(decided, reading, rows_of, metadata)
        again = asked_back(turn, options, metadata.catalog) if not left else None
        nothing = Understood(metadata, reading, None, False, lost=lost, options=options, left=left)
        return _taken(again, reading, metadata) or nothing
    if (divided := of_the_top(plan, metadata)) is not None and is_writable(divided):
        return Understood(metadata, reading, None, False, form=divided, sure=plan.confidence)
    options = _beside_unsure(decided, rows_of, metadata)
    options = options or _beside(plan, metadata, now, year, fiscal_start, budget)
    taken_again = _taken(asked_back(turn, options, metadata.catalog), reading, metadata)
    if taken_again is not None:
        return taken_again
    statement = write_sql(plan, metadata)
    return Understood(metadata, reading, plan, False, statement, fragments=fragments, options=options)


def _tells_share(plan: Plan | None) -> bool:
    return plan is not None and any(measure.aggregate == "share_true" for measure in plan.measures)


def _with_share(found: Understood) -> Understood | None:
    """What was asked with how much of all that is beside it, where it is rows or sums of which that can be said."""
    metadata = found.metadata
    form = found.followed.form if found.followed is not None else found.form
    form = form or (_form_of(found.plan, metadata) if found.plan is not None else None)
    try:
        both = with_share(form, metadata) if form is not None else None
    except Unfit:
        return None
    if both is None or not is_writable(both):
        return None
    if found.followed is not None:
        return _followed(replace(found.followed, form=both, beside=None), found.reading, metadata)
    plan = plan_of(both, metadata)
    if plan is not None:
        return replace(found, plan=plan, statement=write_sql(plan, metadata), form=None, options=())
    return replace(found, plan=None, statement=None, form=both, options=())


class _Alone:
    """A turn as a question of its own, decided once and only where it is asked for."""

    def __init__(self, decide: Callable[[], Decision], metadata: Metadata) -> None:
        self._decide, self._metadata = decide, metadata

    @cached_property
    def decision(self) -> Decision:
        return self._decide()

    def as_reading(self) -> Anew:
        """How sure it is; not at all where it is not answered."""
        decided = self.decision
        if decided.plan is None and decided.form is None:
            return Anew(0.0)
        return Anew(decided.sure, len(decided.unread))

    @property
    def form(self) -> Form | None:
        decided = self.decision
        if isinstance(decided.form, Form):
            return decided.form
        return _form_of(decided.plan, self._metadata) if decided.plan is not None else None


def _asked_between(
    between: Between, turn: Turn, reading: Reading, metadata: Metadata, alone: _Alone,
    rows_of: Callable[[str], Hashable | None],
) -> Understood:  # fmt: skip
    """A question back: is it about what was shown, or anew; unless the thread has chosen so before."""
    others = [alone.form] if between.anew and alone.form is not None else []
    if not others and between.of is not None and (form := agreed(between, rows_of)) is not None:
        return _followed(Followed(form, between.of, between.chart, sure=_SURE), reading, metadata)
    forms = [*between.forms[: 2 if between.anew else 3], *others]
    sayable = [form for form in forms if _is_sayable(form, metadata)]
    options = options_of(sayable, metadata.catalog, 1)
    if not options:
        return Understood(metadata, reading, None, False, unmet=Unmet(NOT_SURE))
    again = asked_back(turn, options, metadata.catalog) if not between.left else None
    asked = Understood(metadata, reading, None, False, options=options, between=between)
    return _taken(again, reading, metadata) or asked


def _beside_edit(
    followed: Followed, metadata: Metadata, alone: _Alone, rows_of: Callable[[str], Hashable | None]
) -> tuple[Option, ...]:
    """An edit that is not sure, and what else the turn may be that gives something else."""
    between = followed.beside
    if between is None or not is_writable(followed.form):
        return ()
    others = [*between.forms[1:], *([alone.form] if between.anew and alone.form is not None else [])]
    seen, kept = [rows_of(to_sql(followed.form))], [followed.form]
    for form in others[:_BESIDE_EDIT]:
        given = rows_of(to_sql(form)) if is_writable(form) else None
        if given not in (None, UNKNOWN, FAILED) and not any(alike(given, other) for other in seen):
            seen.append(given)
            kept.append(form)
    return options_of(kept, metadata.catalog)


def _taken(again: tuple[Form, str] | None, reading: Reading, metadata: Metadata) -> Understood | None:
    """A reading that need not be asked for."""
    return _asked_as(again[0], reading, metadata, again[1]) if again is not None else None


def _asked_as(form: Form, reading: Reading, metadata: Metadata, again: str = "", chart: str = "") -> Understood | None:
    """A form that was chosen: as a plan where one says it, else straight from the form."""
    plan = plan_of(form, metadata)
    if plan is not None:
        plan = plan.with_(chart=ChartWish.of_words(chart)) if chart else plan
        return Understood(metadata, reading, plan, False, write_sql(plan, metadata), taken=form, again=again)
    if not is_writable(form):
        return None
    return Understood(metadata, reading, None, False, form=form, taken=form, again=again)


def _is_sayable(form: Form, metadata: Metadata) -> bool:
    return plan_of(form, metadata) is not None or is_writable(form)


def _told_by_form(
    decided: Decision,
    form: Form,
    turn: Turn,
    reading: Reading,
    rows_of: Callable[[str], Hashable | None],
    metadata: Metadata,
) -> Understood:
    """A form that no plan can say."""
    options = _beside_unsure(decided, rows_of, metadata)
    taken = _taken(asked_back(turn, options, metadata.catalog), reading, metadata)
    return taken or Understood(
        metadata, reading, None, False, form=form, sure=decided.sure, unread=decided.unread, options=options
    )


def _to_choose(
    decided: Decision, reading: Reading, rows_of: Callable[[str], Hashable | None], metadata: Metadata
) -> tuple[tuple[Option, ...], tuple[str, ...]]:
    """What is asked back with where nothing is sure enough, and the words that it leaves out: whole readings; where
    there is none, those that leave out what the likeliest does, or less. Never what words that nobody knows are like.
    """
    near = [s for s in decided.ranked if not assumes(s) and not (is_weak(s) and (reading.missed or reading.unread))]
    if not near or decided.sure < _OFFERED:
        return (), ()
    whole = [s for s in near if not s.unread]
    left = () if whole else near[0].unread
    return _options(whole or [s for s in near if {*s.unread} <= {*left}], rows_of, metadata, answered=False), left


def _beside_unsure(
    decided: Decision, rows_of: Callable[[str], Hashable | None], metadata: Metadata
) -> tuple[Option, ...]:
    """What is shown beside an answer that is not sure, or whose names other columns hold as well."""
    if decided.sure < _SURE:
        return _options(decided.ranked, rows_of, metadata, answered=True)
    return _options(elsewhere(decided.ranked), rows_of, metadata, answered=True, near=math.inf)


def _options(
    ranked: Sequence[Standing], rows_of: Callable[[str], Hashable | None], metadata: Metadata, *, answered: bool,
    near: float = NEAR,
) -> tuple[Option, ...]:  # fmt: skip
    """The likeliest readings of a question, where their results differ: beside the first, if answered, or alone."""
    if answered and not (ranked and isinstance(ranked[0].form, Form) and is_writable(ranked[0].form)):
        return ()

    def result_of(form: Form) -> Hashable | None:
        return rows_of(to_sql(form)) if is_writable(form) else None

    forms = [unsorted(form) for form in apart(ranked, result_of, answered=answered, near=near)]
    return options_of(forms, metadata.catalog, 2 if answered else 1)


def _beside(
    plan: Plan, metadata: Metadata, now: datetime, year: int | None, fiscal: int | None, budget: Budget
) -> tuple[Option, ...]:
    """The reading that is answered, and those about as near."""
    others = [_read_or_none(words, metadata, now, year, budget, fiscal) for words in plan.near[:2]]
    plans = [plan, *(other.plan for other in others if other is not None and other.plan is not None)]
    forms = [_form_of(each, metadata) for each in plans]
    if len(forms) < 2 or forms[0] is None:
        return ()
    return options_of([form for form in forms if form is not None], metadata.catalog)


def _form_of(plan: Plan, metadata: Metadata) -> Form | None:
    form = form_of(write_sql(plan, metadata).sql, metadata)
    return unsorted(form) if form is not None else None


def form_of(sql: str, metadata: Metadata) -> Form | None:
    """What SQL over the model asks, where that is one form."""
    form = read_back(sql, metadata)
    return form if isinstance(form, Form) else None


def _followed(followed: Followed, reading: Reading, metadata: Metadata) -> Understood:
    """What an edit of an earlier form asks."""
    plan, sure = plan_of(followed.form, metadata), round(followed.sure, 3)
    if plan is None:
        form = followed.form
        if not is_writable(form) or _measures_joined(form):
            return Understood(metadata, reading, None, False, unmet=Unmet(NOT_TOLD))
        return Understood(metadata, reading, None, True, followed=followed, form=form, sure=sure)
    plan = plan.with_(confidence=sure, claim=followed.claim or plan.claim)
    if followed.chart:
        plan = plan.with_(chart=ChartWish.of_words(followed.chart))
    return Understood(metadata, reading, plan, True, write_sql(plan, metadata), followed=followed)


def _measures_joined(form: Form) -> bool:
    """Whether numbers of the model are asked of rows that are joined by columns, over which the model tells none."""
    shown = (form.groups, form.measures, form.columns, form.where, form.having, form.order)
    joined = parts(shown, inner=False) if any(join.on for join in form.joins) else ()
    return any(isinstance(part, Aggregate) and part.function == "measure" for part in joined)


def _redrawn(question: str, reading: Reading, before: Plan, metadata: Metadata) -> Plan | None:
    """A picture whose channels are spoken of, drawn otherwise."""
    new = reading.plan.chart.channels if reading.plan is not None else ()
    if not (before.chart.channels or new) or reading.missed or not is_refinement(question, reading, before):
        return None
    changed = refine(question, reading, before, metadata)
    if changed is None or reading.draft is not None and not changed.parts and left_out(reading.draft, changed):
        return None
    return changed


def _asked_why(question: str, reading: Reading, before: Plan) -> Condition | None:
    """The group of the plan before whose number is to be explained."""
    if not before.measures or reading.plan is None or not _WHY.match(question):
        return None
    if not _names_number(reading, before):
        return None  # "why was revenue lower in May" is not about the orders that were shown
    return asked_group(reading.plan.conditions, before)


def _names_number(reading: Reading, before: Plan) -> bool:
    """Whether what a question measures, if it names anything, was measured before: by a word of its name."""
    named = [m.member for m in reading.draft.measures if m.member is not None] if reading.draft is not None else []
    shown = {word for m in before.measures for word in _stems_of(m.member or m.entity)}
    return not named or any(shown.intersection(_stems_of(path)) for path in named)


def _stems_of(path: str | None) -> set[str]:
    """The words of what a number is called; rows are called what their relation is."""
    relation, _, name = (path or "").partition(".")
    return {stem(word) for word in (relation if name in ("", "count") else name).split("_")}


def _why_that(turn: Turn, reading: Reading, before: Plan, metadata: Metadata) -> Understood:
    """``why is that?``: of the group that stood out."""
    group = outstanding(earlier(turn, metadata.catalog)[0].turn.memory, before)
    if group is None:
        reason = Unmet("it shows no groups of which one stands out; ask for the number by something first")
        return Understood(metadata, reading, None, False, unmet=reason)
    return Understood(metadata, reading, before, True, write_sql(before, metadata), before, group)


def _last_plan(turn: Turn, metadata: Metadata) -> Plan | None:
    """The plan of the last turn that was answered, when all its members are still there for this asker."""
    forms = earlier(turn, metadata.catalog)
    kept = forms[0].turn.memory.get("plan") if forms else None
    if kept is None:
        return plan_of(forms[0].form, metadata) if forms else None
    plan = from_memory(kept)
    members = [d.member for d in plan.dimensions] + [m.member for m in plan.measures if m.member] + list(plan.columns)
    members += [c.member for c in plan.conditions]
    known = all(member in metadata.members for member in members) and all(
        r in metadata.catalog.relations for r in plan.scope
    )
    return plan if known else None


def refined_alone(reading: Reading) -> bool:
    """Whether a question stands on its own, so that words said before it are not needed to read it."""
    draft = reading.draft
    return draft is not None and bool(
        draft.measures or draft.counted_entities or len(draft.mentions) + len(draft.dimensions) > 1
    )


def _pending(turn: Turn) -> str:
    """Words of refused turns right before this one: said piece by piece, they may make a question together."""
    if turn.history and turn.history[-1].memory.get("fragments"):
        return str(turn.history[-1].memory["fragments"])
    words: list[str] = []
    for past in reversed(turn.history):
        pending = past.memory.get("pending")
        if past.memory.get("topic") or past.memory.get("choices"):
            return ""  # a question that was whole is not made whole by what is said next, and that hung on it
        if not pending or is_statement(str(pending)):
            break
        words.insert(0, str(pending))
    return ". ".join(words)


def _read_or_none(
    question: str, metadata: Metadata, now: datetime, year: int | None, budget: Budget, fiscal: int | None = None
) -> Reading | None:
    """The reading of words said before, or None where they are too many."""
    try:
        return read(question, metadata, now, (), year, fiscal=fiscal, budget=budget)
    except ReadingTooLong:
        return None


def _whole(
    words: str, metadata: Metadata, now: datetime, year: int | None, budget: Budget, fiscal: int | None
) -> Plan | None:
    """The plan of words that are read for sure and wholly, else None."""
    reading = _read_or_none(words, metadata, now, year, budget, fiscal)
    plan = reading.plan if reading is not None else None
    sure = plan is not None and plan.confidence >= ENOUGH and not plan.unread
    return plan if sure and reading is not None and not reading.missed and not reading.lost else None


def _leaves_out(joined: Reading, question: str) -> bool:
    """Whether words said before are read at the cost of what is said now."""
    said = {token.text for token in tokenize(question)}
    return bool(said & set(joined.unread))


def data_year(metadata: Metadata, now: datetime) -> int | None:
    """The year of a month that is said without one: the last the data speak of, where it lies before ``now``; this one,
    where they reach beyond; None where it is the last that has begun.
    """
    facts = metadata.main_facts()
    timed = [time for name in ([facts] if facts is not None else []) for time in metadata.times([name])[:1]]
    if not timed:  # births and hirings are dated too: the latest is what happens
        timed = [time for name in metadata.catalog.relations for time in metadata.times([name])[:1]][:_DATA_YEAR_TRIES]
    highs = [high for time in timed if isinstance(high := metadata.profile(time).high, date)]
    if any((high.year, high.month) > (now.year, now.month) for high in highs):
        return now.year  # what is planned lies ahead: "in December" is the next one
    return max(high.year for high in highs) if highs and max(high.year for high in highs) < now.year else None


def _naive(now: Any) -> datetime:
    if isinstance(now, datetime):
        return now.replace(tzinfo=None)
    return datetime(2000, 1, 1)
