"""An answer straight from a form that no plan can say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....protocol.tools import SQL_TOOL, SqlInput, SqlResult, ToolError, dump
from ...base import Event, ToolFinished, ToolStarted, Turn, Working
from ...charts import drawn, headed
from ..asking import holds_nothing
from ..dialogue import also_read, choices_of, kept_options
from ..forms import Form
from ..in_language import also_in, form_abroad, options_in, spoken, titled
from ..languages import Abroad, as_typed, axes_in, offers_in, read_as, voice
from ..open_ends import open_ends
from ..plans.in_their_order import form_in_order
from ..reader import relations_of
from ..remembering import left_over, shown_few, sure_of
from ..suggestions import questions_near
from ..telling import Formed, extent_of
from ..understood import Understood
from .minutes import taken_for_minutes
from .piecewise import stream
from .remarks import announced, caveats_of, denied, level, of_no_pie, of_own_nouns, said_of_before

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["tell_form"]


async def tell_form(turn: Turn, toolbox: Toolbox, seen: Understood, form: Form) -> AsyncIterator[Event]:
    """An answer straight from a form that no plan can say."""
    formed = Formed(form, seen.metadata.catalog, claim=seen.claim)
    if formed.time is not None:
        formed = replace(formed, extent=extent_of(formed.time.path, seen.metadata))
    yield Working(f"{announced(turn, seen)}{formed.words[:1].lower()}{formed.words[1:]}.")
    await asyncio.sleep(0)
    chart = seen.followed.chart if seen.followed is not None else None
    request = SqlInput(
        sql_query=form_in_order(form, formed.sql, seen.metadata), query_title=formed.title,
        description=f"{formed.words}.", user_request=turn.asked,
    )  # fmt: skip
    yield ToolStarted("sql", SQL_TOOL, dump(request))
    await asyncio.sleep(0)
    result = await toolbox.sql_api(request)
    abroad: Abroad | None = None
    spec: dict[str, Any] | None = None
    if isinstance(result, SqlResult):
        table = toolbox.table(result.uuid)
        outcome = formed.outcome(table) if seen.heard is not None else None
        abroad = form_abroad(seen, form, outcome, result) if outcome is not None else None
        formed = formed.said_as(table, abroad.telling, abroad.columns, abroad.subtitle) if abroad else formed
        spec = await toolbox.think(formed.picture, table, chart or None)
        spec = axes_in(spec, voice(seen.heard)) if abroad else spec
        columns = abroad.columns if abroad else formed.columns
        request, result = drawn(*titled(request, headed(result, columns, spoken(seen, abroad)), seen, abroad), spec)
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    if isinstance(result, ToolError):
        sentences = [f"The query could not be run: {result.error}"]
        memory: dict[str, Any] = {"failed": turn.question}
    else:
        table = toolbox.table(result.uuid)
        sentences = denied(result) if holds_nothing(table) else []
        sentences = sentences or list((await toolbox.think(formed.told, table)).sentences)
        words = voice(seen.heard if abroad else None)
        sentences.extend(caveats_of(result, table.num_rows, as_typed(seen.heard, seen.unread), words))
        sentences.extend(also_in(seen, abroad, open_ends(form, seen.metadata)))
        sentences.extend(await level(form, toolbox, seen, words))
        sentences.extend(of_own_nouns(turn.question, seen.metadata, words))
        sentences.extend(taken_for_minutes(form, turn.question, seen.metadata, words))
        sentences.extend(of_no_pie(chart, spec, words))
        sentences.extend(said_of_before(turn, seen, words))
        sentences.extend(read_as(seen.heard, abroad.title if abroad else ""))
        memory = {
            "reading": formed.sql,
            "version": seen.metadata.catalog.version,
            **sure_of(seen.followed, seen.sure),
        }
        memory |= left_over(turn, seen, seen.unread)
        memory |= shown_few(formed.form, table)
        if seen.followed is not None and seen.followed.undo:
            memory["undo"] = True
        if seen.taken is not None and not seen.again:
            memory["took"] = True
        if seen.options:
            options = options_in(seen.options, words, seen, told=abroad.title) if abroad else seen.options
            sentences.append(also_read(options, words))
            memory["choices"] = kept_options(seen.options)
    offers = await toolbox.prepare(questions_near, seen.metadata, relations_of(formed.form), 3)
    offers = offers_in(seen.heard, offers, seen.metadata) if abroad else offers
    choices = choices_of(seen.options, seen.metadata.catalog)
    async for event in stream(sentences, offers, memory, choices=choices):
        yield event
