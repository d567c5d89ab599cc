"""What an analysis found: its sentences, its results, what was run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from ....protocol.tools import SQL_TOOL, SqlInput, SqlResult, dump
from ....semantic.errors import SemanticError
from ...base import Event, ToolFinished, ToolStarted, Turn, Working
from ...charts import drawn, headed
from ..analyses import Analysis, Found, answered
from ..in_language import found_abroad, spoken
from ..languages import heading_in, offers_in, read_as, sentences_in, voice
from ..plans.plan import to_memory
from ..plans.sql import write_sql
from ..schema.nouns import lowered
from ..suggestions import next_questions
from ..understood import Understood
from .piecewise import stream
from .remarks import caveats_of, denied

if TYPE_CHECKING:
    from ...toolbox import Toolbox

__all__ = ["find", "tell_analysis"]


async def find(toolbox: Toolbox, analysis: Analysis) -> tuple[Found | None, int]:
    """What an analysis found; None where the rows it is about cannot be asked so."""
    if analysis.recipe is None:
        return None, 0
    try:
        return await answered(analysis.recipe, toolbox)
    except SemanticError:
        return None, 0


async def tell_analysis(
    turn: Turn, toolbox: Toolbox, seen: Understood, analysis: Analysis, found: Found | None, asked: int
) -> AsyncIterator[Event]:
    """Show what an analysis found, and say what was run."""
    metadata = seen.metadata
    code = spoken(seen, told=True)
    words = (heading_in(code, analysis.words, metadata) if code else "") or analysis.words
    if found is None:
        offers = await toolbox.prepare(next_questions, analysis.plan, metadata)
        refusal = [analysis.refusal]
        if code and (said := sentences_in(code, refusal, metadata)) is not None:
            refusal, offers = said, offers_in(seen.heard, offers, metadata)
        yield Working(voice(seen.heard).say("reading", words=words))
        async for event in stream(refusal, offers, {"pending": turn.question}, "refused"):
            yield event
        return
    yield Working(voice(seen.heard).say("analysing", words=words, asked=asked))
    offers = list(found.offers)
    abroad = await toolbox.think(found_abroad, seen, analysis, found)
    if abroad is not None:
        found, offers = abroad, offers_in(seen.heard, offers, metadata)
    caveats: list[str] = []
    empty: list[str] = []
    for place, shown in enumerate(reversed(found.shown)):  # what is asked for last: it is the answer's result
        request = SqlInput(
            sql_query=shown.sql, query_title=shown.title, description=f"{shown.title}.", user_request=turn.asked,
            language=spoken(seen, abroad) or UNSET,
        )  # fmt: skip
        call = "sql" if place == 0 else f"sql{place + 1}"
        yield ToolStarted(call, SQL_TOOL, dump(request))
        # Another task may run between what is told: a stop is heard there.
        await asyncio.sleep(0)
        result = await toolbox.sql_api(request)
        if isinstance(result, SqlResult):
            result = headed(result, shown.columns, spoken(seen, abroad))
            request, result = drawn(request, result, shown.spec)
            empty = [] if result.data else denied(result)
            noted = caveats_of(result, len(result.data), (), voice(seen.heard if abroad else None))
            caveats += [text for text in noted if text not in caveats]
        yield ToolFinished(call, SQL_TOOL, dump(request), dump(result))
    memory = {
        "plan": to_memory(analysis.kept),
        "reading": write_sql(analysis.kept, metadata).sql,
        "version": metadata.catalog.version,
    }
    # Of rows that an asker may not see nothing is found: the reason stands in its place.
    sentences = empty or list(found.sentences)
    if not empty and analysis.where and abroad is None:
        sentences[0] = f"Where {analysis.where}: {_inside(sentences[0])}"
    told_as = words if abroad is not None else ""
    async for event in stream([*sentences, *caveats, *read_as(seen.heard, told_as)], offers, memory):
        yield event


def _inside(sentence: str) -> str:
    """A sentence behind a colon."""
    word, space, rest = sentence.partition(" ")
    return f"{lowered(word)}{space}{rest}"
