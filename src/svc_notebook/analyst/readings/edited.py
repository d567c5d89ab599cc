"""A reading that somebody changed, asked again: without going through language, under the asker's rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from ...cancellation import CancellationToken
from ...protocol.reading import Reading
from ...protocol.tools import SQL_TOOL, SqlInput, SqlResult, ToolError, dump
from ..base import AnswerDelta, AnswerDone, Event, ToolFinished, ToolStarted, Turn, Working
from ..charts import drawn, headed
from ..offline.forms import CannotWrite, to_sql
from ..offline.forms.wire.receiving import BadReading, form_of
from ..offline.telling import Formed, extended

if TYPE_CHECKING:
    import pyarrow as pa

    from ...semantic.catalog import Catalog
    from ..toolbox import Toolbox

__all__ = ["answer_reading", "check_reading"]


def check_reading(reading: Reading, catalog: Catalog) -> None:
    """
    Raises
    ------
    BadReading
        If it cannot be asked by whom the catalog belongs to.
    """
    try:
        to_sql(form_of(reading, catalog))
    except CannotWrite as error:
        raise BadReading(f"The reading cannot be asked: {error}") from None


async def answer_reading(
    reading: Reading, turn: Turn, toolbox: Toolbox, cancel: CancellationToken
) -> AsyncIterator[Event]:
    """The events of a turn whose question is a reading."""
    catalog = toolbox.catalog
    form = await toolbox.think(form_of, reading, catalog)
    formed = Formed(form, catalog)
    words = formed.words
    yield Working(f"Asked as edited: {words}.")
    await asyncio.sleep(0)
    request = SqlInput(
        sql_query=formed.sql, query_title=formed.title, description=f"{words}.", user_request=turn.question
    )
    yield ToolStarted("sql", SQL_TOOL, dump(request))
    await asyncio.sleep(0)
    cancel.raise_if_cancelled()
    result = await toolbox.sql_api(request)
    if isinstance(result, SqlResult):
        result, formed = headed(result, formed.columns), await extended(formed, toolbox)
        spec = await toolbox.think(formed.picture, toolbox.table(result.uuid), reading.chart)
        request, result = drawn(request, result, spec)
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    if isinstance(result, ToolError):
        text = f"The query could not be run: {result.error}"
    else:
        text = await toolbox.think(_sentences, formed, result, toolbox.table(result.uuid))
    yield AnswerDelta(text)
    await asyncio.sleep(0)
    yield AnswerDone(text, memory={"reading": request.sql_query})


def _sentences(formed: Formed, result: SqlResult, table: pa.Table) -> str:
    said = [f"{formed.words}.", *formed.told(table).sentences]
    notes = result.notes if isinstance(result.notes, list) else []
    filters = result.row_filters if isinstance(result.row_filters, list) else []
    if table.num_rows and not any("not set" in note for note in notes):
        said += [f"Only rows you may see are counted: {row.filter}." for row in filters]
    said += [note if note.endswith(".") else f"{note}." for note in notes]
    if table.num_rows > len(result.data):
        said.append(f"The table shows the first {len(result.data):,} of {table.num_rows:,} rows.")
    return " ".join(said)
