"""A reading that somebody changed, asked again: without going through language, under the asker's rights."""

from __future__ import annotations

import threading
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace as struct_replace

from ...cancellation import CancellationToken
from ...protocol.reading import Reading
from ...protocol.tools import SQL_TOOL, SqlInput, SqlResult, dump
from ...semantic.errors import SemanticError
from ...semantic.results.cache import Cache
from ..base import AnswerDelta, AnswerDone, Event, ToolFinished, ToolStarted, Turn, Working
from ..charts import drawn, headed
from ..offline.forms import Aggregate, CannotWrite, Clause, Form, Role, to_sql
from ..offline.forms.wire.receiving import BadReading, form_of
from ..offline.languages import LANGUAGES, Abroad, Phrases, axes_in, phrases_of, told_in
from ..offline.plans.in_their_order import form_in_order
from ..offline.schema.knowledge import known_metadata, load_metadata
from ..offline.telling import Formed, moment

if TYPE_CHECKING:
    import pyarrow as pa

    from ...semantic.catalog import Catalog
    from ...semantic.sight import Sight
    from ..toolbox import Toolbox

__all__ = ["answer_reading", "check_reading"]

_ROOM = 8_388_608
_FEW = 20
"""Rows whose telling takes less than the way to a thread."""
_json = msgspec.json.Encoder()
_kept: weakref.WeakKeyDictionary[Any, Cache[Formed]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def check_reading(reading: Reading, sight: Sight) -> Formed:
    """The reading as it is asked, its SQL written; what others asked who may see the same is not written again.

    Raises
    ------
    BadReading
        If it cannot be asked by whom the sight belongs to.
    """
    with _lock:
        kept = _kept.setdefault(sight.model, Cache(_ROOM, lambda formed: 64 * len(formed.sql)))
    key, catalog = (sight.outlook, _json.encode(reading)), sight.catalog
    formed = kept.find(key)
    if formed is None or formed.catalog is not catalog:
        formed = kept.put(key, _checked(reading, catalog))
    return formed.apart()


def _checked(reading: Reading, catalog: Catalog) -> Formed:
    formed = Formed(form_of(reading, catalog), catalog)
    try:
        formed.said_once()  # now, where it may fail
    except CannotWrite as error:
        raise BadReading(f"The reading cannot be asked: {error}") from None
    return formed


async def answer_reading(
    reading: Reading, turn: Turn, toolbox: Toolbox, cancel: CancellationToken, checked: Formed | None = None
) -> AsyncIterator[Event]:
    """The events of a turn whose question is a reading; ``checked`` is what came of :func:`check_reading`."""
    catalog = toolbox.catalog
    if checked is None or checked.catalog is not catalog:
        checked = await toolbox.think(check_reading, reading, toolbox.sight)
    formed, words = checked, checked.words
    yield Working(f"Asked as edited: {words}.")
    request = SqlInput(
        sql_query=_in_order(formed, toolbox), query_title=formed.title, description=f"{words}.",
        user_request=turn.question,
    )  # fmt: skip
    yield ToolStarted("sql", SQL_TOOL, dump(request))
    cancel.raise_if_cancelled()
    result = await toolbox.sql_api(request)
    if isinstance(result, SqlResult):
        formed = await _extended(formed, toolbox)
        table = toolbox.table(result.uuid)
        elsewhere = reading.language in LANGUAGES
        abroad = await toolbox.think(_abroad, reading, formed, table, toolbox) if elsewhere else None
        if abroad is not None:
            told = await toolbox.think(_told_abroad, abroad, reading, formed, request, result, table)
            request, shown, spec, text = told
        else:
            shown = headed(result, formed.columns)
            told_now = partial(_told, formed, shown, table, reading.chart)
            spec, text = told_now() if table.num_rows <= _FEW else await toolbox.think(told_now)
        request, result = drawn(request, shown, spec)
    else:
        text = f"The query could not be run: {result.error}"
    yield ToolFinished("sql", SQL_TOOL, dump(request), dump(result))
    yield AnswerDelta(text)
    yield AnswerDone(text, memory={"reading": formed.sql})


def _in_order(formed: Formed, toolbox: Toolbox) -> str:
    """The query, sorted as its groups are where that is known: to find it out would cost more than the turn."""
    metadata = known_metadata(toolbox)
    return form_in_order(formed.form, formed.sql, metadata) if metadata is not None else formed.sql


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


def _abroad(reading: Reading, formed: Formed, table: pa.Table, toolbox: Toolbox) -> Abroad | None:
    """What a result says in the language of its reading; None where that is English or has no phrase for it."""
    if reading.language not in LANGUAGES:
        return None
    return told_in(reading.language, formed.form, formed.outcome(table), load_metadata(toolbox))


def _told_abroad(
    abroad: Abroad, reading: Reading, formed: Formed, request: SqlInput, result: SqlResult, table: pa.Table
) -> tuple[SqlInput, SqlResult, dict[str, Any] | None, str]:
    """A call, its result, chart and sentences in the language of its reading."""
    words = phrases_of(reading.language or "en")
    said = {"query_title": abroad.title, "description": f"{abroad.title}."}
    request = struct_replace(request, **said, language=reading.language or UNSET)
    result = struct_replace(headed(result, abroad.columns, reading.language), **said)
    formed = formed.said_as(table, abroad.telling, abroad.columns, abroad.subtitle)
    sentences = [f"{abroad.title}.", *abroad.telling.sentences, *_beside(result, table, words)]
    return request, result, axes_in(formed.picture(table, reading.chart), words), " ".join(sentences)


def _told(formed: Formed, result: SqlResult, table: pa.Table, mark: str | None) -> tuple[dict[str, Any] | None, str]:
    """The chart and the sentences of a result."""
    return formed.picture(table, mark), _sentences(formed, result, table)


def _sentences(formed: Formed, result: SqlResult, table: pa.Table) -> str:
    return " ".join([f"{formed.words}.", *formed.told(table).sentences, *_beside(result, table, phrases_of("en"))])


def _beside(result: SqlResult, table: pa.Table, words: Phrases) -> list[str]:
    """What has to be known of the rows: which are hidden, what the service remarks, how many are shown."""
    said = []
    notes = result.notes if isinstance(result.notes, list) else []
    filters = result.row_filters if isinstance(result.row_filters, list) else []
    if table.num_rows and not any("not set" in note for note in notes):
        said += [words.say("policy", rows=row.filter) for row in filters]
    said += [note if note.endswith(".") else f"{note}." for note in notes]
    if table.num_rows > len(result.data):
        counts = {"shown": f"{len(result.data):,}", "rows": f"{table.num_rows:,}"}
        said.append(words.say("first_rows", **{k: words.locale.digits(v) for k, v in counts.items()}))
    return said
