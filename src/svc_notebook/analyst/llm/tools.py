"""svcMeta and svcSqlApi as the model calls them: bound to the asker, short errors, results cut to size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import UNSET

from ...protocol.rows import json_rows
from ...protocol.tools import META_TOOL, SQL_TOOL, MetaInput, SqlInput, SqlResult, ToolError, dump
from ...semantic.errors import SemanticError
from ..base import ToolFinished, ToolStarted
from .aids import AIDS, DRAFT_TOOL, RESULT_TOOL, VALUES_TOOL, Aids
from .checking import ROWS, Evidence, unfounded
from .choices import CHOICES_SCHEMA, CHOICES_TOOL, CHOICES_WHAT, offered
from .disclosure import rows_sent
from .vega import vega_problems

if TYPE_CHECKING:
    import pyarrow as pa
    from pydantic_ai import RunContext, Tool

    from ..base import PastTurn
    from ..offline.dialogue import Option
    from ..toolbox import Toolbox
    from .limits import Caps

__all__ = ["TurnTools"]

_REMEMBERED = 4
_FAILED = "the query was accepted and could not be computed over the rows: write it in another way"

_META_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"searchQuery": {"type": "string", "description": "Words to find in names and descriptions"}},
    "required": ["searchQuery"],
    "additionalProperties": False,
}
_SQL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "sqlQuery": {"type": "string", "description": "One SELECT over the relations and members that svcMeta shows"},
        "queryTitle": {"type": "string", "description": "A short title for a person"},
        "description": {"type": "string", "description": "What the query does, in a sentence"},
        "userRequest": {"type": "string", "description": "The question as it was asked"},
        "memoryId": {"type": "string", "description": "The earlier result this builds on, by its uuid"},
        "vegaSpec": {"type": "string", "description": "A Vega-Lite v5 specification as a JSON string, without data"},
    },
    "required": ["sqlQuery", "queryTitle"],
    "additionalProperties": True,
}


class TurnTools:
    """The tools of one turn; keeps the whole result of every call under the call's id for the stream."""

    def __init__(
        self,
        toolbox: Toolbox,
        caps: Caps,
        question: str,
        history: Sequence[PastTurn] = (),
        sends: str = "rows",
        aids: Aids | None = None,
    ) -> None:
        self._toolbox = toolbox
        self._aids = aids
        self._caps = caps
        self._sends = sends
        self._rows, self._chars = rows_sent(sends, caps)
        self.beside = ""
        """What the last result holds, in our own words, for an answer whose model saw none of it."""
        self._question = question
        self._refused = self._written_calls = 0
        self.results: dict[str, str] = {}
        self.queries: list[str] = []  # that ran
        self.answered = 0
        self.doubted: list[str] = []
        self.choices: tuple[Option, ...] = ()
        """Readings that the asker is to choose from: the turn ends with them."""
        self._evidence = [Evidence.of(result) for turn in history[-_REMEMBERED:] for result in turn.results]
        self._known = [question, *(text for turn in history for text in (turn.question, turn.answer))]

    def unfounded(self, text: str) -> list[str]:
        """The figures and names in an answer that no result of the thread bears out; none where there is no result."""
        return unfounded(text, self._evidence, "\n".join([*self._known, *self.queries])) if self._evidence else []

    def tools(self) -> list[Tool[None]]:
        from pydantic_ai import Tool

        from .repairs import ForgivingArguments

        tools: list[Tool[None]] = []
        for name, (run, what, schema) in self._all().items():
            tool: Tool[None] = Tool.from_schema(run, name, what, schema, takes_ctx=True, sequential=name == SQL_TOOL)
            # Made from a schema, a tool takes any JSON: only an object can be keyword arguments.
            tool.function_schema.validator = cast(Any, ForgivingArguments(tuple(schema["properties"])))
            tools.append(tool)
        return tools

    def _all(self) -> dict[str, tuple[Callable[..., Awaitable[str]], str, dict[str, Any]]]:
        """Every tool of this turn: what runs it, what it is for, what it takes."""
        aids = {RESULT_TOOL: self._result, VALUES_TOOL: self._values, DRAFT_TOOL: self._read}
        return {
            META_TOOL: (self._meta, "Search the data model's metadata.", _META_SCHEMA),
            SQL_TOOL: (self._sql, "Run SQL over the data model.", _SQL_SCHEMA),
            **{name: (aids[name], *AIDS[name]) for name in (self._aids.names if self._aids is not None else ())},
            **({CHOICES_TOOL: (self._choose, CHOICES_WHAT, CHOICES_SCHEMA)} if self._aids is not None else {}),
        }

    async def called_in_text(self, text: str) -> tuple[ToolStarted, ToolFinished, str] | None:
        """Make the call that a reply only writes down: what is told of it, and what the model gets; None for a text."""
        from .repairs import called_in_text, mended

        tools = self._all()
        found = called_in_text(text, tuple(tools))
        if found is None:
            return None
        name, given = found
        run, _, schema = tools[name]
        self._written_calls += 1
        call = f"text {self._written_calls}"
        arguments = mended(given, tuple(schema["properties"]))
        told = await run(cast("RunContext[None]", SimpleNamespace(tool_call_id=call)), **arguments)
        result = self.results.pop(call)
        return ToolStarted(call, name, dump(arguments)), ToolFinished(call, name, dump(arguments), result), told

    async def _meta(self, ctx: RunContext[None], **arguments: Any) -> str:
        query = arguments.get("searchQuery")
        if not isinstance(query, str):
            return self._keep(ctx, ToolError('svcMeta takes {"searchQuery": "words"}'))
        text = self._keep(ctx, await self._toolbox.meta(MetaInput(query)))
        return _cut(text, self._caps.shown_chars)

    async def _sql(self, ctx: RunContext[None], **arguments: Any) -> str:
        if self._refused >= self._caps.repairs:
            return self._keep(ctx, ToolError("too many refused queries: answer with what you have"))
        arguments.pop("reading", None)  # it is read back from what is run
        try:
            request = msgspec.convert({"userRequest": self._question, **arguments}, SqlInput)
        except msgspec.ValidationError as error:
            return self._keep(ctx, ToolError(f"svcSqlApi: {error}; every argument is a string"))
        answer = await self._toolbox.sql_api(request)
        if isinstance(answer, ToolError):
            self._refused += 1
            told = self._keep(ctx, answer)
            return told if await self._tellable(request.sql_query) else dump(ToolError(_FAILED))
        self._refused = 0
        self.answered += 1
        self.queries.append(request.sql_query)
        table = self._toolbox.table(answer.uuid)
        self._evidence.append(Evidence(table.column_names, json_rows(table, ROWS)))
        names = [column.name for column in answer.schema]
        problems = [] if request.vega_spec is UNSET else vega_problems(request.vega_spec, names)
        if problems:
            answer = msgspec.structs.replace(answer, vega_spec=UNSET)
        self._keep(ctx, answer)
        self.beside = _in_words(answer)
        return _cut(dump(self._for_model(answer, table, problems)), self._chars)

    async def _result(self, ctx: RunContext[None], **arguments: Any) -> str:
        assert self._aids is not None
        found = await self._aids.result(arguments.get("uuid"))
        if isinstance(found, ToolError):
            return self._keep(ctx, found)
        self._evidence.append(Evidence(found.table.column_names, json_rows(found.table, ROWS)))
        self.answered += 1
        rows = found.table.num_rows
        if self._sends == "names":
            told = {**found.shown, "rows": "kept on the asker's machine"}
        else:
            told = {**found.shown, "data": json_rows(found.table, self._rows), "totalRows": rows}
        self._keep(ctx, {**found.shown, "totalRows": rows})
        return _cut(dump(told), self._chars)

    async def _values(self, ctx: RunContext[None], **arguments: Any) -> str:
        assert self._aids is not None
        found = await self._aids.values(arguments.get("member"), arguments.get("search"))
        if isinstance(found, ToolError):
            return self._keep(ctx, found)
        told = {"values": [str(value) for value in found]}
        self._known.append("\n".join(told["values"]))
        return _cut(self._keep(ctx, told), self._chars)

    async def _read(self, ctx: RunContext[None], **arguments: Any) -> str:
        assert self._aids is not None
        return self._keep(ctx, await self._aids.draft(arguments.get("question")))

    async def _choose(self, ctx: RunContext[None], **arguments: Any) -> str:
        found = await offered(arguments, self._toolbox)
        if isinstance(found, ToolError):
            return self._keep(ctx, found)
        self.choices = found
        return self._keep(ctx, {"shown": [option.question for option in found]})

    async def _tellable(self, sql: str) -> bool:
        """Whether a refusal is of names alone: what fails only over rows may quote them."""
        if self._sends != "names":
            return True
        sight = self._toolbox.sight
        try:
            await self._toolbox.think(sight.compile, sql, timezone=self._toolbox.timezone)
        except SemanticError:
            return True
        return False

    def _for_model(self, answer: SqlResult, table: pa.Table, problems: list[str]) -> dict[str, Any]:
        shown: dict[str, Any] = {"schema": answer.schema}
        if self._sends == "names":
            shown["rows"] = "kept on the asker's machine"
        else:
            shown["data"] = (
                answer.data[: self._rows] if self._rows <= len(answer.data) else json_rows(table, self._rows)
            )
            shown["totalRows"] = answer.total_rows if answer.row_limit is UNSET else f"more than {answer.row_limit:,}"
            if answer.notes is not UNSET:
                shown["notes"] = answer.notes
        if problems:
            shown["vegaSpecProblems"] = [
                *problems,
                "The query ran; call again with a mended vegaSpec if a chart matters",
            ]
        return shown

    def _keep(self, ctx: RunContext[None], value: Any) -> str:
        text = dump(value)
        self.results[ctx.tool_call_id or ""] = text
        return text


def _in_words(answer: SqlResult) -> str:
    names = [column.title or column.name for column in answer.schema]
    if answer.total_rows == 1:
        values = ("no value" if value is None else value for value in answer.data[0])
        return ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
    count = f"{answer.total_rows:,}" if isinstance(answer.total_rows, int) else f"more than {answer.row_limit:,}"
    return f"The result has {count} rows of {', '.join(names)}."


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + f"… (cut at {limit:,} characters; ask for less)"
