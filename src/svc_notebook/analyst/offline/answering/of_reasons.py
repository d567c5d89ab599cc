"""Why one group differs: the dimension that explains most, its breakdown, what differs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET

from ....protocol.tools import SQL_TOOL, SqlInput, SqlResult, dump
from ...base import AnswerDelta, AnswerDone, Event, ToolFinished, ToolStarted, Turn, Working
from ...charts import headed
from ..asking import asked
from ..plans.phrases import condition_words, describe, title_of
from ..plans.picture import chart_columns, draw
from ..plans.plan import Condition, Plan, to_memory
from ..plans.sql import write_sql
from ..suggestions import next_questions, starting_questions
from ..understood import Understood
from ..why import explain
from .piecewise import stream

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["tell_why"]


async def tell_why(
    turn: Turn, toolbox: Toolbox, seen: Understood, before: Plan, group: Condition
) -> AsyncIterator[Event]:
    """Look for the dimension that explains most, show its breakdown, say what differs."""
    metadata = seen.metadata
    yield Working(f"Comparing {condition_words(group, metadata)} with the other groups, dimension by dimension.")
    await asyncio.sleep(0)

    found = await toolbox.prepare(explain, before, group, metadata, partial(asked, toolbox))
    if found is None:
        text = "No dimension with few enough values is left to explain the difference by."
        yield AnswerDelta(text)
        yield AnswerDone(
            text,
            tuple(starting_questions(metadata, 3)),
            {"plan": to_memory(before), "reading": write_sql(before, metadata).sql},
        )
        return
    statement = write_sql(found.plan, metadata)
    title = title_of(found.plan, metadata)
    spec = draw(found.plan, chart_columns(found.plan, statement, metadata), title, f"{title}.")
    request = SqlInput(sql_query=statement.sql, query_title=title, description=describe(found.plan, metadata) + ".",
                       user_request=turn.asked, vega_spec=dump(spec) if spec is not None else UNSET)  # fmt: skip
    yield ToolStarted("sql", SQL_TOOL, dump(request))
    await asyncio.sleep(0)
    result = await toolbox.sql_api(request)
    if isinstance(result, SqlResult):
        result = headed(result, chart_columns(found.plan, statement, metadata))
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    offers = next_questions(found.plan, metadata)
    async for event in stream(list(found.sentences), offers, {"plan": to_memory(found.plan), "reading": statement.sql}):
        yield event
