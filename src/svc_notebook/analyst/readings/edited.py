"""A reading that somebody changed, asked again: without going through language, under the asker's rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...cancellation import CancellationToken
from ...protocol.reading import Reading
from ...protocol.tools import SQL_TOOL, SqlInput, SqlResult, dump
from ...semantic.errors import SemanticError
from ..base import AnswerDelta, AnswerDone, Event, ToolFinished, ToolStarted, Turn, Working
from ..charts import drawn, headed
from ..offline.forms import Aggregate, CannotWrite, Clause, Form, Role, to_sql
from ..offline.forms.wire.receiving import BadReading, form_of
from ..offline.telling import Formed, moment

if TYPE_CHECKING:
    import pyarrow as pa

    from ...semantic.catalog import Catalog
    from ..toolbox import Toolbox

__all__ = ["answer_reading", "check_reading"]


def check_reading(reading: Reading, catalog: Catalog) -> Formed:
    """The reading as it is asked, its SQL written.

    Raises
    ------
    BadReading
        If it cannot be asked by whom the catalog belongs to.
    """
    formed = Formed(form_of(reading, catalog), catalog)
    try:
        formed.sql  # noqa: B018 (written now, where it may fail)
    except CannotWrite as error:
        raise BadReading(f"The reading cannot be asked: {error}") from None
    return formed


async def answer_reading(
    reading: Reading, turn: Turn, toolbox: Toolbox, cancel: CancellationToken, checked: Formed | None = None
) -> AsyncIterator[Event]:
    """The events of a turn whose question is a reading; ``checked`` is what came of :func:`check_reading`."""
    catalog = toolbox.catalog
    if checked is None or checked.catalog is not catalog:
        checked = await toolbox.think(check_reading, reading, catalog)
    formed, words = checked, checked.words
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
        result, formed = headed(result, formed.columns), await _extended(formed, toolbox)
        spec, text = await toolbox.think(_told, formed, result, toolbox.table(result.uuid), reading.chart)
        request, result = drawn(request, result, spec)
    else:
        text = f"The query could not be run: {result.error}"
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    yield AnswerDelta(text)
    await asyncio.sleep(0)
    yield AnswerDone(text, memory={"reading": request.sql_query})


async def _extended(formed: Formed, toolbox: Toolbox) -> Formed:
    """The reading with the time that the data cover, by one query where its periods may be cut off by it."""
    root = formed.form.root
    if formed.time is None or not isinstance(root, Role):
        return formed
    ends = (Clause(Aggregate("min", formed.time)), Clause(Aggregate("max", formed.time)))
    try:
        table = await toolbox.ask(to_sql(Form(root, formed.form.joins, measures=ends)))
    except SemanticError:  # it is said what is known
        return formed
    first, last = map(moment, table.to_pylist()[0].values())
    return replace(formed, extent=(first, last))


def _told(formed: Formed, result: SqlResult, table: pa.Table, mark: str | None) -> tuple[dict[str, Any] | None, str]:
    """The chart and the sentences of a result."""
    return formed.picture(table, mark), _sentences(formed, result, table)


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
