"""A turn that is to be understood, and what is known of it: each thing is worked out where it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import Any

from msgspec import Struct

from ...base import Turn
from ..budget import Budget, ReadingTooLong
from ..dialogue import Anew, earlier, hear, is_list_of_its_own, of_others
from ..dialogue.hearing import Heard
from ..forms import Form
from ..plans.plan import Plan
from ..reader import Decision, choose
from ..reading.followups import has_subject
from ..reading.reading import ENOUGH, Reading, read
from ..schema.metadata import Metadata
from ..understood import Understood
from .before import plan_before
from .forming import form_of_plan, query_of

__all__ = ["Alone", "AskedTurn", "Means", "data_year"]

_DATA_YEAR_TRIES = 3


class Means(Struct, frozen=True):
    """What turns are read with; :func:`~svc_notebook.analyst.offline.understanding.understand` says what each is."""

    metadata: Metadata
    budget: Budget
    rows_of: Callable[[str], Hashable | None]
    least: float | None
    fiscal_start: int
    analyses: bool
    called: Callable[[str], str]


class AskedTurn:
    """A turn with what it is read with; ``anew`` understands another one instead of it."""

    def __init__(self, turn: Turn, means: Means, anew: Callable[[Turn], Understood]) -> None:
        self.turn, self.means, self.anew = turn, means, anew
        self.metadata, self.rows_of = means.metadata, means.rows_of
        self.now = _naive(turn.now)
        self.year = data_year(means.metadata, self.now)
        self.fiscal = means.metadata.fiscal_start or means.fiscal_start or 1
        self.others = ""

    @property
    def question(self) -> str:
        """What is asked."""
        return self.turn.question

    def turn_to_others(self) -> None:
        """Ask of the rows beside those that were shown, where that is what a turn wants."""
        self.others = of_others(self.question) if earlier(self.turn, self.metadata.catalog) else ""
        self.turn = replace(self.turn, question=self.others or self.question)

    @cached_property
    def reading(self) -> Reading:
        """The question by itself; what reads it with words or rows of before sets another in its place."""
        return self.read(self.question)

    @cached_property
    def heard(self) -> Heard:
        """What it does in a conversation."""
        return hear(self.question)

    @cached_property
    def is_own(self) -> bool:
        """Whether it says all that a question says."""
        own = has_subject(self.question, self.reading) or is_list_of_its_own(self.question, self.reading)
        return own and not (self.heard.leans or self.reading.missed)

    @cached_property
    def before(self) -> Plan | None:
        """The plan of the last turn that was answered."""
        return plan_before(self.turn, self.metadata)

    @cached_property
    def alone(self) -> Alone:
        """What it asks where no turn before it is heeded."""
        return Alone(self._decided, self.metadata)

    def _decided(self) -> Decision:
        means = self.means
        return choose(
            self.question, means.metadata, self.now, self.year, self.fiscal, self.reading, means.budget, means.rows_of
        )

    def read(
        self, words: str, prefer: Sequence[str] = (), *, nearby: bool = True, budget: Budget | None = None
    ) -> Reading:
        """The reading of these words; ``budget``: another than the turn's, for what is only tried."""
        fiscal, budget = self.means.fiscal_start, budget or self.means.budget
        return read(words, self.metadata, self.now, prefer, self.year, nearby, fiscal, budget)

    def read_one(self, words: str, prefer: Sequence[str] = ()) -> Reading:
        """The reading of these words without others that are about as near."""
        return self.read(words, prefer, nearby=False)

    def read_or_none(self, words: str, budget: Budget | None = None) -> Reading | None:
        """The reading of words that need not be read, or None where they are too many."""
        try:
            return self.read(words, budget=budget)
        except ReadingTooLong:
            return None

    def whole_plan(self, words: str, budget: Budget | None = None) -> Plan | None:
        """The plan of words that are read for sure and wholly, else None."""
        reading = self.read_or_none(words, budget)
        plan = reading.plan if reading is not None else None
        sure = plan is not None and plan.confidence >= ENOUGH and not plan.unread
        return plan if sure and reading is not None and not reading.missed and not reading.lost else None

    def given_by(self, form: Form) -> Hashable | None:
        """What a form gives when it is answered, as something to compare."""
        query = query_of(form, self.metadata)
        return self.rows_of(query) if query is not None else None

    def nothing(self, **more: Any) -> Understood:
        """No plan; ``more`` says what there is instead."""
        return Understood(self.metadata, self.reading, None, False, **more)


class Alone:
    """A turn as a question of its own, decided once and only where it is asked for."""

    def __init__(self, decide: Callable[[], Decision], metadata: Metadata) -> None:
        self._decide, self._metadata = decide, metadata

    @cached_property
    def decision(self) -> Decision:
        """What was decided."""
        return self._decide()

    def as_reading(self) -> Anew:
        """How sure it is; not at all where it is not answered."""
        decided = self.decision
        if decided.plan is None and decided.form is None:
            return Anew(0.0)
        return Anew(decided.sure, len(decided.unread))

    @property
    def form(self) -> Form | None:
        """What it asks, as a form."""
        decided = self.decision
        if isinstance(decided.form, Form):
            return decided.form
        return form_of_plan(decided.plan, self._metadata) if decided.plan is not None else None


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
