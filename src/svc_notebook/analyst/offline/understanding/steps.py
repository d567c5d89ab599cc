"""The ways a turn is understood, in order: the first that finds something in it says what it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace

from .... import patterns as re
from ...base import Turn
from ..analyses import analysis_of
from ..banding import as_bands
from ..budget import Budget
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
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..reader import is_writable
from ..reading.ahead import booked_ahead
from ..reading.by_verb import by_verb
from ..reading.differences import difference
from ..reading.followups import leans_back, that_one
from ..reading.foreign import is_statement
from ..reading.heads_last import heads_first
from ..reading.how_old import how_old
from ..reading.is_it_so import is_it_so
from ..reading.loosely import in_model_words
from ..reading.never_came import never_came
from ..reading.of_staff import of_staff
from ..reading.of_the_top import of_the_few
from ..reading.of_told import of_told
from ..reading.part_of_total import part_of_total
from ..reading.per_unit import per_unit
from ..reading.reading import MOST_WORDS
from ..reading.reasons import reasons_of
from ..reading.several import several_numbers
from ..reading.some_counted_of_all import some_counted_of_all
from ..reading.some_of_all import is_of_rows, some_of_all
from ..reading.telegrams import written_out
from ..reading.than_average import than_average
from ..reading.which_of_them import which_of_them
from ..schema.metadata import Metadata
from ..turning import in_plain_frame
from ..understood import Understood
from .alone import answered
from .asked import AskedTurn, Means
from .before import asks_why, group_asked_for, redrawn, why_that
from .beside import set_beside, why_beside
from .edited import edited
from .forming import as_taken, with_its_share
from .in_unit import in_its_unit
from .of_those import of_those
from .rescaled import rescaled
from .with_columns import with_columns

__all__ = ["understand"]

_OF_IT = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then)\W+)*"
    r"(?:is|was|are|were|has|have|does|did|do|how (?:has|have|does|did|is|was))\s+"
    r"(?:it|that|this|they)\s+(?:(?:also|much|still|really|even)\s+)?(?:\w+er\b|more\b|less\b|worse\b|better\b|changed?\b"
    r"|change\b|differ\b|vary\b|depend\b|gone\b|go\b|risen\b|fallen\b|grown?\b|increased?\b|decreased?\b|improved?\b)",
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
    return in_its_unit(asked, found or answered(asked))


def _as_meant(turn: Turn, metadata: Metadata) -> Turn:
    """The turn without what people say around a question, and without turns before it that it does not go on from."""
    turn = replace(turn, typed=turn.asked, history=() if begins_anew(turn.question) else turn.history)
    question = meant_first(unled(turn.question), in_thread=bool(turn.history))
    question = plainly(question) if turn.history else question
    question = in_plain_frame(in_model_words(written_out(without_asides(question, metadata), metadata), metadata))
    core = core_of(question, metadata, in_thread=bool(turn.history))
    core = in_plain_frame(plainly(core) if turn.history else core)
    core = which_of_them(by_verb(never_came(of_staff(core, metadata), metadata), metadata), metadata)
    core = of_told(core, turn.history, metadata)
    return replace(turn, question=core if turn.history else heads_first(core, metadata))


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


def _claim(asked: AskedTurn) -> Understood | None:
    return as_claim(asked.turn, asked.anew)


def _of_refused(asked: AskedTurn) -> Understood | None:
    """What is asked of *it* where that was not answered: nothing older is meant, and no number of its own."""
    return asked.nothing(unmet=Unmet(UNANSWERED)) if _OF_IT.match(asked.question) and turned_away(asked.turn) else None


def _bands(asked: AskedTurn) -> Understood | None:
    return as_bands(asked.turn, asked.metadata, asked.anew)


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
    found = analysis_of(
        asked.question, asked.metadata, asked.now, asked.year, asked.fiscal, asked.whole_plan, asked.before,
        asked.means.called,
    )  # fmt: skip
    return _planned(asked, found.plan, analysis=found) if found is not None else None


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
    return asked.nothing(form=form) if form is not None and is_writable(form) else None


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
    bound = asked.before is None and not passed_over(asked.turn) or binds_itself(asked.question, asked.reading)
    leaning = that_one(asked.question) if bound else leans_back(asked.question, asked.reading)
    return asked.nothing(lost=(leaning,)) if leaning else None


_OF_PARTS: Sequence[_Step] = (_of_refused, _in_percent_too, with_columns, _bands, _claim, _both_ends, rescaled)
"""Questions that are made of others."""

_STEPS: Sequence[_Step] = (
    _told, _chosen, set_beside, _analysis, why_beside, _completed, _why, _redrawn, _formed, of_those,
    edited, _leaning,
)  # fmt: skip
