"""An answer by a plan: its reading, its query, what its rows say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ....protocol.tools import SQL_TOOL, SqlInput, SqlResult, ToolError, dump
from ...base import AnswerDelta, AnswerDone, Event, ToolFinished, ToolStarted, Turn, Working
from ...charts import drawn, headed
from ..asking import holds_nothing
from ..dialogue import also_read, choices_of
from ..forms import in_words
from ..in_language import also_in, options_in, spoken, titled, told_of
from ..languages import Abroad, as_typed, offers_in, read_as, voice
from ..one_role import one_role
from ..open_ends import open_ends
from ..plans.in_several import told_of_several
from ..plans.in_their_order import plan_in_order
from ..plans.phrases import describe, title_of
from ..plans.picture import chart_columns
from ..plans.plan import Plan, to_memory
from ..plans.statement import Statement
from ..remembering import left_over, remembered
from ..suggestions import next_questions, starting_questions
from ..telling import Telling
from ..understood import Understood
from .minutes import taken_for_minutes
from .piecewise import stream
from .remarks import announced, caveats_of, denied, level, of_no_pie, of_own_nouns, said_of_before

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["tell_plan"]


async def tell_plan(
    turn: Turn, toolbox: Toolbox, seen: Understood, plan: Plan, statement: Statement
) -> AsyncIterator[Event]:
    """Run a plan's statement and tell its rows."""
    words = _words(seen, plan)
    yield Working(f"{announced(turn, seen)}{words}.")
    await asyncio.sleep(0)
    request = SqlInput(
        sql_query=plan_in_order(plan, statement, seen.metadata), query_title=title_of(plan, seen.metadata),
        description=words[:1].upper() + words[1:] + ".", user_request=turn.asked,
    )  # fmt: skip
    yield ToolStarted("sql", SQL_TOOL, dump(request))
    await asyncio.sleep(0)
    result = await toolbox.sql_api(request)
    told: Telling | None = None
    abroad: Abroad | None = None
    spec: dict[str, Any] | None = None
    if isinstance(result, SqlResult):
        table = toolbox.table(result.uuid)
        told, spec, abroad = await toolbox.prepare(told_of, seen, plan, statement, result, table, toolbox)
        columns = abroad.columns if abroad else chart_columns(plan, statement, seen.metadata)
        request, result = drawn(*titled(request, headed(result, columns, spoken(seen, abroad)), seen, abroad), spec)
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    async for event in _told(turn, toolbox, seen, plan, statement, result, told, abroad, spec):
        yield event


async def _told(
    turn: Turn,
    toolbox: Toolbox,
    seen: Understood,
    plan: Plan,
    statement: Statement,
    result: SqlResult | ToolError,
    told: Telling | None,
    abroad: Abroad | None,
    spec: dict[str, Any] | None,
) -> AsyncIterator[Event]:
    if isinstance(result, ToolError) or told is None:
        text = f"The query could not be run: {result.error if isinstance(result, ToolError) else 'no rows came back'}"
        yield AnswerDelta(text)
        await asyncio.sleep(0)
        yield AnswerDone(text, tuple(starting_questions(seen.metadata, 3)), {"failed": turn.question})
        return
    table = toolbox.table(result.uuid)
    sentences = denied(result) if holds_nothing(table) else []
    sentences = sentences or list((abroad.telling if abroad else told).sentences)
    words = voice(seen.heard if abroad else None)
    sentences.extend(caveats_of(result, table.num_rows, as_typed(seen.heard, plan.unread), words))
    sentences.extend(
        also_in(seen, abroad, [*plan.notes, *open_ends(plan, seen.metadata), *told_of_several(plan, seen.metadata)])
    )
    sentences.extend(one_role(plan.scope, turn.question, seen.metadata))
    sentences.extend(await level(plan, toolbox, seen, words))
    sentences.extend(of_own_nouns(turn.question, seen.metadata, words))
    sentences.extend(taken_for_minutes(plan, turn.question, seen.metadata, words))
    sentences.extend(of_no_pie(plan.chart.mark, spec, words))
    sentences.extend(read_as(seen.heard, abroad.title if abroad else ""))
    sentences.extend(said_of_before(turn, seen, words))
    options = options_in(seen.options, words, seen, told=abroad.title) if abroad else seen.options
    if options:
        sentences.append(also_read(options, words))
    near = [f"{words[:1].upper()}{words[1:]}" for words in plan.near if not seen.options]
    offers = await toolbox.prepare(next_questions, plan, seen.metadata, near)
    offers = offers_in(seen.heard, offers, seen.metadata) if abroad else offers
    memory = {
        "plan": to_memory(plan),
        "version": seen.metadata.catalog.version,
        **remembered(seen, statement, table),
        **left_over(turn, seen, plan.unread),
    }
    if seen.fragments:
        memory["fragments"] = seen.fragments
    choices = choices_of(options, seen.metadata.catalog)
    async for event in stream(sentences, offers, memory, choices=choices):
        yield event


def _words(seen: Understood, plan: Plan) -> str:
    if seen.followed is not None and (plan.calculations or plan.hidden):
        return in_words(seen.followed.form, seen.metadata.catalog)
    return describe(plan, seen.metadata)
