"""Certified queries: SQL an operator has checked, served when a question matches it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..protocol.tools import SQL_TOOL, SqlInput, ToolError, dump
from ..records import dataclass
from .base import Analyst, AnswerDelta, AnswerDone, Event, Thinking, ToolFinished, ToolStarted, Turn
from .errors import AnalystUnavailable

if TYPE_CHECKING:
    from ..cancellation import CancellationToken
    from ..protocol.tools import SqlResult
    from .toolbox import Toolbox

__all__ = ["CertifiedAnalyst", "CertifiedQuery", "content_words"]

_FILLER = frozenset(
    "a an and are can could do does give i in is it many me much of please show tell the there to us was we were "
    "what which".split()
)


@dataclass(frozen=True, slots=True)
class CertifiedQuery:
    """A question, other ways to ask it, and the SQL over the data model that answers it."""

    question: str
    sql: str
    title: str = ""
    vega_spec: str | None = None
    also: tuple[str, ...] = ()

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> CertifiedQuery:
        unknown = set(entry) - {"question", "sql", "title", "vega_spec", "also"}
        if unknown or not isinstance(entry.get("question"), str) or not isinstance(entry.get("sql"), str):
            raise AnalystUnavailable(
                f"a certified query has `question` and `sql` (and `title`, `vega_spec`, `also`); got {sorted(entry)}"
            )
        return cls(**{**entry, "also": tuple(entry.get("also") or ())})

    def matches(self, question: str) -> bool:
        """Whether ``question`` says the same words, whatever their order, case, punctuation and filler."""
        return content_words(question) in {content_words(text) for text in (self.question, *self.also)}


class CertifiedAnalyst:
    """Serves certified queries and leaves every other question to ``inner``."""

    def __init__(self, inner: Analyst, queries: Sequence[CertifiedQuery]) -> None:
        self._inner = inner
        self._queries = tuple(queries)
        self.name = inner.name

    async def aclose(self) -> None:
        """Close what the inner analyst holds open."""
        if (close := getattr(self._inner, "aclose", None)) is not None:
            await close()

    async def warm(self, toolbox: Toolbox) -> None:
        """Let the inner analyst prepare itself."""
        if (warm := getattr(self._inner, "warm", None)) is not None:
            await warm(toolbox)

    async def suggestions(self, toolbox: Toolbox, limit: int = 4) -> list[str]:
        own = [query.question for query in self._queries][:limit]
        more = await self._inner.suggestions(toolbox, limit)
        return list(dict.fromkeys([*own, *more]))[:limit]

    async def draft(self, turn: Turn, toolbox: Toolbox) -> Any:
        inner = getattr(self._inner, "draft", None)
        return None if inner is None else await inner(turn, toolbox)

    async def answer(self, turn: Turn, toolbox: Toolbox, cancel: CancellationToken) -> AsyncIterator[Event]:
        query = next((query for query in self._queries if query.matches(turn.question)), None)
        if query is None:
            async for event in self._inner.answer(turn, toolbox, cancel):
                yield event
            return
        yield Thinking(f"A certified query answers this: {query.question}")
        request = SqlInput(sql_query=query.sql, query_title=query.title or query.question, user_request=turn.question)
        if query.vega_spec:
            request = SqlInput(
                sql_query=query.sql,
                query_title=query.title or query.question,
                user_request=turn.question,
                vega_spec=query.vega_spec,
            )
        yield ToolStarted("certified", SQL_TOOL, dump(request))
        result = await toolbox.sql_api(request)
        yield ToolFinished("certified", SQL_TOOL, dump(request), dump(result))
        text = _words_of(query, result)
        yield AnswerDelta(text)
        yield AnswerDone(text, tuple(await self._inner.suggestions(toolbox, 3)))


def content_words(text: str) -> frozenset[str]:
    """The words of a question that say what is asked."""
    return frozenset(re.findall(r"\w+", text.casefold())) - _FILLER


def _words_of(query: CertifiedQuery, result: SqlResult | ToolError) -> str:
    if isinstance(result, ToolError):
        return f"The certified query for this question could not run: {result.error}"
    notes = "" if not isinstance(result.notes, list) else " " + " ".join(result.notes)
    names = [column.title or column.name for column in result.schema]
    title = query.title or query.question
    count = f"{result.total_rows:,}" if isinstance(result.total_rows, int) else f"more than {result.row_limit:,}"
    said = f"{count} rows of {', '.join(names)}"
    if result.total_rows == 1:
        values = ("no value" if value is None else value for value in result.data[0])
        said = ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
    return f"{title}: {said}. This comes from a certified query.{notes}"
