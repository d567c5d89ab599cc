"""Results told with their reading: whatever analyst wrote the SQL, it is read back into clauses."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ...protocol.reading import Reading
from ...protocol.tools import is_sql_tool
from ...semantic.catalog import Catalog
from ...semantic.results.cache import Cache
from ..base import Event, ToolFinished, Turn
from ..offline.forms import Form, NoForm, SetOf, from_sql
from ..offline.forms.wire.sending import kept_from, reading_of
from ..offline.languages import LANGUAGES, reading_in
from ..offline.schema.knowledge import load_metadata
from .anchoring import anchored
from .pictures import chart_is_said

if TYPE_CHECKING:
    from ...semantic.sight import Sight
    from ..toolbox import Toolbox

__all__ = ["told"]

_LONGEST = 20_000
_SHORT = 2_000
"""Characters of a query that is read where it was compiled, and told on the loop."""
_ROOM = 4_194_304
_kept: weakref.WeakKeyDictionary[Any, Cache[_Read]] = weakref.WeakKeyDictionary()
_said: weakref.WeakKeyDictionary[Any, Cache[_Told]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


async def told(
    events: AsyncIterator[Event], turn: Turn, toolbox: Toolbox, *, edited: Reading | None = None
) -> AsyncIterator[Event]:
    """The events of an analyst, the finished calls of svcSqlApi with their ``reading``.

    What an analyst wrote there itself is not passed on: the reading is what was run, not what a model says it is.
    ``edited`` is the reading that somebody changed and asked, where it was that.
    """
    toolbox.compiled = partial(_read_soon, toolbox.sight)
    async with aclosing(events) as stream:  # type: ignore[type-var]  # analysts are generators
        async for event in stream:
            if isinstance(event, ToolFinished) and is_sql_tool(event.name):
                given = _given(event.input)
                if given is not None:
                    known = _is_known(given, turn, toolbox.sight)  # then it takes less than the way to a thread
                    work = partial(_with_reading, event, given, turn, toolbox, edited)
                    event = work() if known else await toolbox.think(work)
            yield event


def _given(text: str) -> dict[str, Any] | None:
    """What a tool was given, where that is an object."""
    try:
        given = json.loads(text)
    except ValueError:
        return None
    return given if isinstance(given, dict) else None


def _is_known(given: dict[str, Any], turn: Turn, sight: Sight) -> bool:
    """Whether no query has to be read back for a reading, and none to be put into another language."""
    outlook, forms = sight.outlook, _forms(sight)
    asked = [sql for sql in (given.get("sqlQuery"), _earlier(turn)) if isinstance(sql, str) and len(sql) <= _LONGEST]
    return given.get("language") not in LANGUAGES and all(forms.find((outlook, sql)) is not None for sql in asked)


def _earlier(turn: Turn) -> Any:
    """The query of the turn before."""
    before = turn.history[-1] if turn.history else None
    return before.results[-1].get("sqlQuery") if before is not None and before.results else None


def _with_reading(
    event: ToolFinished, given: dict[str, Any], turn: Turn, toolbox: Toolbox, edited: Reading | None
) -> ToolFinished:
    stated, language = given.pop("reading", None), given.get("language")
    sql = given.get("sqlQuery")
    found = _form(sql, toolbox.sight) if isinstance(sql, str) else None
    if found is None:
        return event if stated is None else ToolFinished(event.call, event.name, _dump(given), event.result)
    reading = _reading(sql, found, turn, toolbox.sight, _mark(given), edited=edited)
    if language in LANGUAGES and isinstance(found, Form):
        reading = reading_in(language, reading, found, load_metadata(toolbox))
    given["reading"] = reading
    return ToolFinished(event.call, event.name, _dump(given), event.result)


def _reading(
    sql: Any, form: Form | SetOf, turn: Turn, sight: Sight, mark: str | None, *, edited: Reading | None
) -> Reading:
    """The reading of a query; what others were told who may see the same and asked the same is not said anew."""
    with _lock:
        said = _said.setdefault(sight.model, Cache(_ROOM, lambda told: 64 * len(told.sql)))
    by_words = turn.question if edited is None else ""
    key = (sight.outlook, sql, _earlier(turn), by_words, edited is not None, mark)
    told = said.find(key)
    if told is None:
        shown = _anchored(form, turn, sight, edited=edited is not None)
        told = said.put(key, _Told(sql, reading_of(shown, sight.catalog, chart=mark)))
    reading = told.reading
    if mark is not None and _asked_for(mark, turn, edited):
        reading = msgspec.structs.replace(reading, chart_origin="said")
    return kept_from(reading, turn.history[-1].message) if turn.history else reading


def _asked_for(mark: str, turn: Turn, edited: Reading | None) -> bool:
    """Whether the chart is one that somebody asked for, by words or by an edit."""
    if edited is None:
        return chart_is_said(turn.question, mark)
    return edited.chart == mark and edited.chart_origin == "said"


class _Told(Struct, frozen=True):
    """A query and its reading, where what was kept is of no turn yet."""

    sql: str
    reading: Reading


def _anchored(form: Form | SetOf, turn: Turn, sight: Sight, *, edited: bool) -> Form | SetOf:
    """The form of a query of this turn, its parts anchored in what was said and in the turn before."""
    if not isinstance(form, Form):
        return form
    earlier = _earlier(turn)
    known = _form(earlier, sight) if isinstance(earlier, str) else None
    return anchored(form, turn.question, sight.catalog, known if isinstance(known, Form) else None, edited=edited)


def _form(sql: str, sight: Sight) -> Form | SetOf | None:
    """The form of a query; what was asked before, in this thread or another, is not read again."""
    if len(sql) > _LONGEST:
        return None
    return _forms(sight).get((sight.outlook, sql), lambda: _Read(sql, _read(sql, sight.catalog))).form


def _read_soon(sight: Sight, sql: str) -> None:
    """Read a query that is told of next, where its parsed text is still at hand."""
    if len(sql) <= _SHORT:
        _form(sql, sight)


def _forms(sight: Sight) -> Cache[_Read]:
    with _lock:
        return _kept.setdefault(sight.model, Cache(_ROOM, lambda read: 16 * len(read.sql)))


class _Read(Struct, frozen=True):
    """A query and its form, where some form says it."""

    sql: str
    form: Form | SetOf | None


def _read(sql: str, catalog: Catalog) -> Form | SetOf | None:
    try:
        return from_sql(sql, catalog)
    except NoForm:
        return None


def _mark(given: dict[str, Any]) -> str | None:
    spec = given.get("vegaSpec")
    if not isinstance(spec, str):
        return None
    try:
        drawn = json.loads(spec)
        mark = drawn.get("mark") or next((part.get("mark") for part in drawn.get("layer", ())), None)
    except (ValueError, AttributeError):
        return None
    name = mark.get("type") if isinstance(mark, dict) else mark
    return name if isinstance(name, str) else None


def _dump(value: Any) -> str:
    return msgspec.json.encode(value).decode()
