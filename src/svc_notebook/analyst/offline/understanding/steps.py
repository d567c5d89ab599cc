"""The ways a turn is understood, in order: the first that finds something in it says what it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace

from .... import patterns as re
from ...base import Turn
from ..analyses import Analysis, analysis_of
from ..assembly.namesakes import of_those_there_are
from ..banding import as_bands
from ..budget import Budget
from ..checks.groups_unasked import has_groups_unasked
from ..claiming import as_claim
from ..completing import completed
from ..dialogue import (
    UNANSWERED,
    Unmet,
    asks_of_them,
    begins_anew,
    binds_itself,
    chart_of,
    chosen,
    explained,
    help_for,
    in_percent_too,
    in_the_same_unit,
    is_taken,
    meant_first,
    passed_over,
    plainly,
    turned_away,
    unled,
)
from ..ends_together import as_both_ends
from ..forms import Form
from ..framing import core_of, without_asides
from ..linking import Lattice, link
from ..plans.outline import outline
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..reader import is_writable
from ..reading.ahead import booked_ahead
from ..reading.amounts_counted import amounts_counted
from ..reading.by_headline import by_headline
from ..reading.by_now import before_or_after_now, in_the_month_ahead
from ..reading.by_number import by_number
from ..reading.by_the_most import by_the_most
from ..reading.by_verb import by_verb
from ..reading.counted_per import counted_per
from ..reading.current_labels import labelled_by_name
from ..reading.daily import daily
from ..reading.differences import difference
from ..reading.done_to_most import done_to_most
from ..reading.each_counted import each_counted
from ..reading.each_month import summed_each
from ..reading.followups import leans_back, that_one
from ..reading.foreign import is_statement
from ..reading.given import given
from ..reading.heads_last import heads_first
from ..reading.how_fast import how_fast
from ..reading.how_old import how_old
from ..reading.in_none import in_none, sizes_of
from ..reading.is_it_so import is_it_so
from ..reading.kinds_by_rows import kinds_by_rows
from ..reading.loosely import in_model_words
from ..reading.never_came import never_came
from ..reading.nights import nights_as_days, stayed_then
from ..reading.numbers_said import as_numbers
from ..reading.of_staff import of_staff
from ..reading.of_the_top import of_the_few
from ..reading.of_told import of_told
from ..reading.own_limits_said import in_own_columns
from ..reading.own_modifier import rows_by_their_modifier
from ..reading.owners import without_owners
from ..reading.paid_in_all import paid_in_all
from ..reading.part_of_total import part_of_total
from ..reading.per_unit import per_unit
from ..reading.put_plainly import put_plainly
from ..reading.ranked_kinds import best_rated, kinds_as_rows
from ..reading.rates_said import as_rates
from ..reading.reading import MOST_WORDS
from ..reading.reasons import reasons_of
from ..reading.several import several_numbers
from ..reading.some_counted_of_all import some_counted_of_all
from ..reading.some_of_all import is_of_rows, some_of_all
from ..reading.stranded_ends import stranded_ends
from ..reading.telegrams import written_out
from ..reading.than_average import than_average
from ..reading.things_of_each import things_of_each
from ..reading.time_of_deed import time_of_deed
from ..reading.time_taken import time_taken
from ..reading.units_of import units_of
from ..reading.weather_said import as_measured
from ..reading.which_of_them import which_of_them
from ..reading.whose_share import share_of_whose
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..turning import in_plain_frame
from ..turning.chances import chance_as_share
from ..understood import Understood
from ..words.leads import LEAD, lead
from ..words.text import singular
from .alone import answered
from .asked import AskedTurn, Means
from .asked_and_told import asked_and_told
from .before import asks_why, group_asked_for, redrawn, why_that
from .beside import set_beside, why_beside
from .bounded_groups import groups_bounded
from .columns_alone import columns_alone
from .count_behind import count_behind
from .counts_beside import counts_beside
from .each_analysed import each_analysed, without_each
from .each_of_kind import counted_of_each, each_of_kind
from .each_of_those import each_of_those
from .each_time import each_time
from .edited import edited
from .effects import effects
from .extreme_of_number import extreme_of_number
from .extreme_of_shown import extreme_of_shown
from .forming import as_taken, with_its_share
from .in_context import in_context
from .in_force import in_force
from .in_total import in_total
from .in_unit import in_its_unit
from .kind_of_head import kind_of_head
from .list_of_group import list_of_group
from .most_of_shown import most_of_shown
from .nth_of_order import nth_of_order
from .number_alone import number_alone
from .of_both import of_both
from .of_counted import of_counted
from .of_things import of_things
from .of_those import of_those
from .ranked_again import ranked_again
from .ranked_by_another import ranked_by_another
from .ranked_shown import ranked_shown
from .rescaled import rescaled
from .row_of_extreme import row_of_extreme
from .said_there import said_there
from .second_asked import second_asked, unless_first_alone
from .share_of_one import share_of_one
from .share_of_said import share_of_said
from .shares_asked import shares_asked
from .shares_held import shares_held
from .sorted_by_shown import sorted_by_shown
from .which_kinds import which_kinds
from .which_of_two import which_of_two
from .who_of_shown import who_of_shown
from .with_columns import with_columns
from .within_average import within_average

__all__ = ["understand"]

_OF_IT = re.compile(
    LEAD + r"(?:is|was|are|were|has|have|does|did|do|how (?:has|have|does|did|is|was))\s+"
    r"(?:it|that|this|they)\s+(?:(?:also|much|still|really|even)\s+)?(?:\w+er\b|more\b|less\b|worse\b|better\b|changed?\b"
    r"|change\b|differ\b|vary\b|depend\b|gone\b|go\b|risen\b|fallen\b|grown?\b|increased?\b|decreased?\b|improved?\b"
    r"|going\b|rising\b|falling\b|growing\b|increasing\b|decreasing\b|dropping\b|improving\b|trending\b)",
    re.IGNORECASE,
)

_IN_WHICH = re.compile(
    LEAD + r"(?:against|with|without|for|from|in|at|on|by|to|of|during|under)\s+"
    r"(?:which|what|whom|whose)(?:\s+\w+){0,2}\W*$",
    re.IGNORECASE,
)
_HAD_ONE = re.compile(
    r"\b(?:had|has|have|having|got|gets?|without|needs?|needed|wants?|wanted|made|took|takes?|uses?|used)\s+"
    r"(?P<one>one|any|none)\W*$",
    re.IGNORECASE,
)

_COMPARE = re.compile(
    lead("please") + r"compare (?:all )?(?:of )?(?:the |our )?"
    r"(?!(?:those|these|them|with|to)\b)(?P<kind>(?:[a-z]+ )?[a-z]+s)\W*$",
    re.IGNORECASE,
)

_Step = Callable[[AskedTurn], Understood | None]


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
    return _understood(turn, Means(metadata, budget, rows_of, least, fiscal_start, analyses, called))


def _understood(turn: Turn, means: Means) -> Understood:
    turn = _as_meant(turn, means.metadata)
    asked = AskedTurn(turn, means, lambda other: _understood(other, means))
    found = _first(_OF_PARTS, asked)
    if found is None:
        asked.turn_to_others()
        found = _first(_STEPS, asked)
    found = shares_held(asked, found or answered(asked))
    found = of_both(asked, found)
    found = in_force(asked, each_time(asked, in_its_unit(asked, asked_and_told(asked, found))))
    return unless_first_alone(asked, found)


def _as_meant(turn: Turn, metadata: Metadata) -> Turn:
    """The turn without what people say around a question, and without turns before it that it does not go on from."""
    turn = replace(turn, typed=turn.asked, history=() if begins_anew(turn.question) else turn.history)
    question = chance_as_share(meant_first(unled(turn.question), in_thread=bool(turn.history)))
    question = in_the_same_unit(plainly(question), turn.history) if turn.history else question
    question = by_the_most(without_asides(question, metadata), metadata)
    question = in_plain_frame(_in_model_words(question, metadata))
    core = core_of(question, metadata, in_thread=bool(turn.history))
    core = in_plain_frame(plainly(core) if turn.history else core)
    core = by_verb(never_came(of_staff(core, metadata), metadata), metadata)
    core = which_of_them(stranded_ends(core, metadata), metadata)
    core = counted_per(by_number(without_owners(core, metadata), metadata), metadata)
    core = in_the_month_ahead(before_or_after_now(core, metadata, turn.now), metadata, turn.now)
    core = stayed_then(core, metadata, turn.now)
    core = of_told(core, turn.history, metadata)
    return replace(turn, question=core if turn.history else heads_first(core, metadata))


def _in_model_words(question: str, metadata: Metadata) -> str:
    question = in_own_columns(amounts_counted(question, metadata), metadata)
    question = sizes_of(in_none(rows_by_their_modifier(question, metadata), metadata), metadata)
    question = done_to_most(paid_in_all(summed_each(question, metadata), metadata), metadata)
    question = best_rated(kinds_as_rows(labelled_by_name(question, metadata), metadata), metadata)
    question = as_numbers(as_rates(put_plainly(_in_times(question, metadata), metadata), metadata), metadata)
    question = things_of_each(share_of_whose(written_out(question, metadata), metadata), metadata)
    question = given(units_of(as_measured(question, metadata), metadata), metadata)
    question = by_headline(question, metadata)
    return daily(in_model_words(question, metadata), metadata)


def _in_times(question: str, metadata: Metadata) -> str:
    return how_fast(time_of_deed(time_taken(nights_as_days(question, metadata), metadata), metadata), metadata)


def _first(steps: Sequence[_Step], asked: AskedTurn) -> Understood | None:
    return next((found for step in steps if (found := step(asked)) is not None), None)


def _in_percent_too(asked: AskedTurn) -> Understood | None:
    head = in_percent_too(asked.question)
    if not head:
        return None
    said = asked.anew(replace(asked.turn, question=head))
    both = with_its_share(said)
    if both is not None or said.plan is None and said.form is None:
        return both or said
    if leans_back(asked.question, said.reading):
        return Understood(asked.metadata, said.reading, None, False, lost=("in percent",))
    return None


def _compared(asked: AskedTurn) -> Understood | None:
    """``compare all the drivers``: by the number that was shown, while their names alone compare nothing."""
    said = _COMPARE.match(asked.turn.asked)
    if said is None:
        return None
    facts = asked.metadata.only_events()
    if not asked.turn.history and facts is not None:  # by how many rows each has, where nothing else happens
        rows = plural(" ".join(asked.metadata.words_of(facts)))
        of_each = asked.anew(replace(asked.turn, question=f"number of {rows} by {singular(said['kind'])}", typed=""))
        if of_each.plan is not None and of_each.plan.dimensions:
            return of_each
    if asked.reading.plan is not None and asked.reading.plan.measures:
        return None
    if asked.before is None or not asked.before.measures or passed_over(asked.turn):
        return asked.nothing(lost=("compare",))
    return asked.anew(replace(asked.turn, question=f"by {singular(said['kind'].lower())}", typed=""))


def _claim(asked: AskedTurn) -> Understood | None:
    return as_claim(asked.turn, asked.anew)


def _of_refused(asked: AskedTurn) -> Understood | None:
    """What is asked of *it* where that was not answered: nothing older is meant, and no number of its own."""
    hangs = any(said.search(asked.question) for said in (_OF_IT, _IN_WHICH, _HAD_ONE))
    return asked.nothing(unmet=Unmet(UNANSWERED)) if hangs and turned_away(asked.turn) else None


def _bands(asked: AskedTurn) -> Understood | None:
    return as_bands(asked.turn, asked.metadata, asked.anew)


def _kinds_by_rows(asked: AskedTurn) -> Understood | None:
    """Kinds that have rows of one sort and none of another."""

    def answered_whole(text: str) -> Plan | None:
        seen = asked.anew(replace(asked.turn, question=text, history=()))
        plan = seen.plan if seen.form is None and seen.analysis is None else None
        return plan if plan is not None and not (plan.unread or seen.unread or seen.lost) else None

    if asked.turn.history and not asked.is_own:
        return None
    plan = kinds_by_rows(asked.question, asked.metadata, answered_whole)
    return _planned(asked, of_those_there_are(plan, asked.metadata)) if plan is not None else None


def _both_ends(asked: AskedTurn) -> Understood | None:
    return as_both_ends(asked.turn, asked.anew)


def _told(asked: AskedTurn) -> Understood | None:
    """What is said without a query; of a sentence that asks nothing, nothing."""
    if is_statement(asked.question):
        return asked.nothing()

    def linked(text: str) -> Lattice:
        return link(text, asked.metadata, asked.now, asked.year, asked.fiscal, asked.means.budget)

    told = help_for(asked.heard, asked.metadata, linked) or explained(asked.heard, asked.turn, asked.metadata)
    return asked.nothing(told=told) if told is not None and not is_taken(asked.turn) else None


def _chosen(asked: AskedTurn) -> Understood | None:
    """One of the readings that were asked back with."""
    taken = chosen(asked.heard, asked.turn, asked.metadata.catalog, whole=asked.is_own)
    return as_taken(taken, asked.reading, asked.metadata, chart=chart_of(asked.turn)) if taken is not None else None


def _analysis(asked: AskedTurn) -> Understood | None:
    if not asked.means.analyses:
        return None
    found = _analysis_in(asked, asked.question)
    if found is not None:
        return each_analysed(asked, found) or _planned(asked, found.plan, analysis=found)
    of_all = _analysis_in(asked, rest) if (rest := without_each(asked.question)) else None
    told = each_analysed(asked, of_all) if of_all is not None else None
    return told if told is not None and not told.lost else None


def _analysis_in(asked: AskedTurn, question: str) -> Analysis | None:
    return analysis_of(
        question, asked.metadata, asked.now, asked.year, asked.fiscal, asked.whole_plan, asked.before,
        asked.means.called,
    )  # fmt: skip


def _completed(asked: AskedTurn) -> Understood | None:
    return completed(asked.heard, asked.turn, asked.reading, asked.anew)


def _why(asked: AskedTurn) -> Understood | None:
    """Why a number is what the turn before showed."""
    before = asked.before
    if before is None:
        return None
    if asked.heard.wants == "why":
        return why_that(asked.turn, asked.reading, before, asked.metadata)
    if asks_why(asked.question) and asked.reading.plan is None:  # "july" is of the time before
        asked.reading = asked.read(asked.question, before.scope)
    group = group_asked_for(asked.question, asked.reading, before)
    return _planned(asked, before, refined=True, before=before, group=group) if group else None


def _redrawn(asked: AskedTurn) -> Understood | None:
    """The picture of the turn before, drawn otherwise."""
    if asked.before is None or "split" in asked.heard.acts:  # by what is a group more, and no channel alone
        return None
    drawn = redrawn(asked.question, asked.reading, asked.before, asked.metadata)
    return _planned(asked, drawn, refined=True) if drawn is not None else None


def _planned(asked: AskedTurn, plan: Plan, *, refined: bool = False, **more: object) -> Understood:
    statement = write_sql(plan, asked.metadata)
    return Understood(asked.metadata, asked.reading, plan, refined, statement, **more)  # type: ignore[arg-type]


def _formed(asked: AskedTurn) -> Understood | None:
    """A whole question of a shape that plans do not have."""
    if asked.turn.history and not asked.is_own:
        return None
    form = of_the_few(asked.question, asked.metadata, asked.whole_plan)
    if form is None and len(asked.reading.tokens) <= MOST_WORDS:
        form = next((found for found in _shapes(asked) if found is not None), None)
    draft = asked.reading.draft
    if form is None or form.groups and draft is not None and has_groups_unasked(outline(form, asked.metadata), draft):
        return None
    return asked.nothing(form=form) if is_writable(form) else None


def _shapes(asked: AskedTurn) -> Iterator[Form | None]:
    said, metadata = asked.question, asked.metadata
    yield than_average(said, metadata, asked.whole_plan)
    yield how_old(said, metadata, asked.now)
    yield is_it_so(said, metadata)
    yield difference(said, metadata, asked.read_one)
    yield reasons_of(said, metadata, asked.read_one)
    yield some_counted_of_all(said, metadata, asked.read_one)
    yield part_of_total(said, metadata, asked.read_one)
    yield per_unit(said, metadata, asked.read_one)
    yield booked_ahead(said, metadata)
    yield each_counted(said, metadata, asked.read_one)
    yield several_numbers(said, metadata, asked.read_one)
    yield _share(asked)


def _share(asked: AskedTurn) -> Form | None:
    share, plan = some_of_all(asked.question, asked.metadata, asked.read_one), asked.reading.plan
    is_told = plan is not None and any(measure.aggregate == "share_true" for measure in plan.measures)
    return None if share is not None and is_told and is_of_rows(share) else share


def _leaning(asked: AskedTurn) -> Understood | None:
    """What leans on turns that do not hold what it speaks of."""
    if asked.others:
        return asked.nothing(lost=("the others",))
    if asked.before is None and asks_of_them(asked.question):
        return asked.nothing(lost=("they",))
    if asked.before is None and (said := _HAD_ONE.search(asked.question)) is not None:
        return asked.nothing(lost=(said["one"],))
    bound = asked.before is None and not passed_over(asked.turn) or binds_itself(asked.question, asked.reading)
    leaning = that_one(asked.question) if bound else leans_back(asked.question, asked.reading)
    return asked.nothing(lost=(leaning,)) if leaning else None


_OF_PARTS: Sequence[_Step] = (
    _of_refused, _compared, which_kinds, nth_of_order,
    of_counted, in_context, kind_of_head, groups_bounded, shares_asked, _in_percent_too,
    with_columns, _bands, _claim, _kinds_by_rows, _both_ends, rescaled, second_asked,
)  # fmt: skip
"""Questions that are made of others."""

_STEPS: Sequence[_Step] = (
    _told, _chosen, which_of_two, share_of_said, share_of_one, set_beside, _analysis, effects, why_beside,
    _completed, _why, _redrawn,
    columns_alone, each_of_kind, counted_of_each, count_behind, counts_beside, list_of_group, ranked_by_another,
    most_of_shown, sorted_by_shown, ranked_again, ranked_shown, who_of_shown, extreme_of_shown,
    extreme_of_number, row_of_extreme, in_total, said_there, each_of_those,
    within_average, _formed, number_alone, of_things, of_those, edited, _leaning,
)  # fmt: skip
