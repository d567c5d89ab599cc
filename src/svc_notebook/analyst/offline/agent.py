"""The offline analyst: from a turn to events, without a language model, the same bytes for the same question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from ...cancellation import CancellationToken
from ...protocol.tools import META_TOOL, MetaInput, dump
from ..base import Event, Thinking, ToolFinished, ToolStarted, Turn
from .answering import ask_back, find, refuse, stream, tell_analysis, tell_form, tell_plan, tell_why
from .asking import given, is_quick
from .budget import Budget, ReadingTooLong, with_short_gaps
from .calendar.fiscal import month_number
from .dialogue import Option
from .in_language import helped
from .languages import in_english, periods_in
from .plans.in_their_order import form_in_order, plan_in_order
from .plans.phrases import describe
from .plans.plan import Plan
from .ranking.outcome import UNKNOWN
from .ranking.outcome import Outcome as Given
from .reading.reading import Reading
from .schema.knowledge import load_metadata
from .suggestions import starting_questions
from .telling import Formed
from .understanding import understand
from .understood import Understood

if TYPE_CHECKING:
    from ..toolbox import Toolbox

__all__ = ["OfflineAnalyst", "PlanDraft"]


class PlanDraft(Struct, frozen=True):
    """A reading without its result: in words, how sure it is, and its SQL; ``plan`` is None where no plan says it.

    ``options``: the readings there are, where more than one is near; alone (no ``sql``) where none is sure enough.
    """

    plan: Plan | None
    words: str
    confidence: float
    sql: str
    options: tuple[Option, ...] = ()


class OfflineAnalyst:
    """Answers data questions from the model's metadata and values alone.

    Parameters
    ----------
    least_confidence
        Readings below this (0 to 1) are not answered: the analyst says what it did not understand. Where it is not
        given, what was measured on questions like people's own decides.
    fiscal_year_start
        The month a fiscal year begins in (number or name) where the model's ``meta.fiscal_year_start`` does not say.
    """

    name = "offline"

    def __init__(self, *, least_confidence: float | None = None, fiscal_year_start: int | str = 1) -> None:
        fiscal = month_number(fiscal_year_start)
        if fiscal is None:
            raise ValueError(f"fiscal_year_start is {fiscal_year_start!r}: give a month as 1 to 12 or by name")
        self._least = least_confidence
        self._fiscal = fiscal

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        """The events of one turn."""
        yield Thinking("Looking for the measures, groups and values this question names.")
        search = MetaInput(search_query=turn.question[:400])
        yield ToolStarted("meta", META_TOOL, dump(search))
        await asyncio.sleep(0)
        found = await toolbox.meta(search)
        yield ToolFinished("meta", META_TOOL, dump(search), dump(found))
        cancel.raise_if_cancelled()
        seen = await toolbox.prepare(self._understand, turn, toolbox, cancel)
        turn = seen.turn or turn
        cancel.raise_if_cancelled()
        if seen.analysis is not None:
            found_out, asked = await find(toolbox, seen.analysis)
            if found_out is not None or seen.analysis.recipe is None:
                async for event in tell_analysis(turn, toolbox, seen, seen.analysis, found_out, asked):
                    yield event
                return
            seen = await toolbox.prepare(self._understand, turn, toolbox, cancel, analyses=False)
        if seen.told is not None:
            kept = {"reset": True} if seen.told.reset else {"told": True}
            async for event in stream(*await toolbox.think(helped, seen, seen.told), kept):
                yield event
            return
        if seen.options and seen.plan is None and seen.form is None and not seen.left:
            async for event in ask_back(seen):
                yield event
            return
        if seen.form is not None and seen.plan is None:
            async for event in tell_form(turn, toolbox, seen, seen.form):
                yield event
            return
        if seen.plan is None or seen.statement is None:
            async for event in refuse(turn, toolbox, seen):
                yield event
            return
        if seen.group is not None and seen.before is not None:
            async for event in tell_why(turn, toolbox, seen, seen.before, seen.group):
                yield event
            return
        async for event in tell_plan(turn, toolbox, seen, seen.plan, seen.statement):
            yield event

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        """Questions this asker could start with."""
        metadata = await toolbox.prepare(load_metadata, toolbox)
        return await toolbox.prepare(starting_questions, metadata, limit)

    async def warm(self, toolbox: Toolbox) -> None:
        """Prepare the metadata of this asker ahead of the first question."""
        await toolbox.prepare(load_metadata, toolbox)

    async def draft(self, turn: Turn, toolbox: Toolbox) -> PlanDraft | None:
        """The reading of a question without running it, or None when it cannot be read."""
        seen = await toolbox.prepare(self._understand, turn, toolbox)
        if seen.plan is None and seen.form is not None:
            formed = Formed(seen.form, seen.metadata.catalog)
            return PlanDraft(None, formed.words, seen.sure, form_in_order(seen.form, formed.sql, seen.metadata))
        if seen.plan is None or seen.statement is None:
            return PlanDraft(None, "", 0.0, "", seen.options) if seen.options else None
        words, sure = describe(seen.plan, seen.metadata), 1.0 if seen.taken is not None else seen.plan.confidence
        sql = plan_in_order(seen.plan, seen.statement, seen.metadata)
        return PlanDraft(seen.plan, words, sure, sql, seen.options)

    def _understand(
        self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken | None = None, *, analyses: bool = True
    ) -> Understood:
        metadata = load_metadata(toolbox)
        budget = Budget(cancel=cancel)
        turn, heard = replace(turn, question=with_short_gaps(turn.question)), None
        try:
            budget.admit_text(turn.question)
            turn, heard = in_english(turn, metadata)
            rows_of = cache(partial(given, toolbox)) if is_quick(metadata) else _not_run
            called = partial(periods_in, heard.language.code, metadata=metadata) if heard is not None else str
            understood = understand(
                turn, metadata, budget, rows_of, least=self._least, fiscal_start=self._fiscal, analyses=analyses,
                called=called,
            )  # fmt: skip
            return replace(understood, turn=understood.turn or turn, heard=heard)
        except ReadingTooLong as long:
            nothing = Reading(turn.question, (), (), None, None, ())
            return Understood(metadata, nothing, None, False, too_long=str(long), turn=turn, heard=heard)


def _not_run(_sql: str) -> Given:
    return UNKNOWN
