"""What a model can ask besides metadata and SQL: an earlier result, the values of a member, how a question is read.

All of it runs under the asker's rights, and takes nothing of the model's that names somebody else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...protocol.tools import ToolError
from ...records import dataclass
from ...semantic.errors import SemanticError
from .disclosure import literals_said

if TYPE_CHECKING:
    import pyarrow as pa

    from ..base import PastTurn, Turn
    from ..offline.agent import PlanDraft
    from ..toolbox import Toolbox

__all__ = ["AIDS", "DRAFT_TOOL", "RESULT_TOOL", "VALUES_TOOL", "Aids", "EarlierResult"]

RESULT_TOOL, VALUES_TOOL, DRAFT_TOOL = "svcResult", "svcValues", "svcDraft"
_VALUES = 40
_LOOKED_THROUGH = 1000


def _schema(required: str, **properties: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
        "required": [required],
        "additionalProperties": False,
    }


AIDS: dict[str, tuple[str, dict[str, Any]]] = {
    RESULT_TOOL: (
        "The rows of an earlier result of this conversation, as they were.",
        _schema("uuid", uuid="The uuid that stands behind an earlier query"),
    ),
    VALUES_TOOL: (
        "The values of a dimension, most frequent first: look here how a name is written before you filter by it.",
        _schema("member", member="A dimension, as view.member", search="Only values that hold this text"),
    ),
    DRAFT_TOOL: (
        "How the rule-based reader reads a question, as SQL to check; nothing is run.",
        _schema("question", question="A question in plain words, in English"),
    ),
}
"""Each tool with what it is for, and what it takes."""


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """A result of an earlier turn, whole."""

    table: pa.Table
    shown: dict[str, Any]
    """The columns and what is said of them."""


class Aids:
    """The further tools of one turn.

    Parameters
    ----------
    read
        Makes a draft of a question as it would follow this turn's thread.
    names_only
        Nothing of the data goes to the model: neither rows nor values, and drafts only as far as the asker said them.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        turn: Turn,
        read: Callable[[Turn, Toolbox], Awaitable[PlanDraft | None]] | None,
        *,
        names_only: bool,
    ) -> None:
        self._toolbox, self._turn, self._read, self._names_only = toolbox, turn, read, names_only
        self._queries = _queries_of(turn.history)

    @property
    def names(self) -> list[str]:
        """Which of the tools there are in this turn."""
        there = ((RESULT_TOOL, self._queries), (VALUES_TOOL, not self._names_only), (DRAFT_TOOL, self._read))
        return [name for name, is_there in there if is_there]

    async def result(self, uuid: Any) -> EarlierResult | ToolError:
        """An earlier result of this thread, if it is kept and the asker still may have it."""
        sql = self._queries.get(str(uuid))
        if sql is None:
            return ToolError(f"no result of this conversation has that uuid; there are: {', '.join(self._queries)}")
        told = sql if self._tellable(sql) else ""
        try:
            found = await self._toolbox.earlier(str(uuid), sql)
        except SemanticError as error:
            return ToolError(f"that result cannot be had any more: {error}")
        if found is None:
            return ToolError("that result is gone" + (f"; ask anew with svcSqlApi: {told}" if told else ""))
        shown = {"columns": found.table.column_names, "sqlQuery": told, "asOf": found.as_of}
        return EarlierResult(found.table, {name: value for name, value in shown.items() if value})

    async def values(self, member: Any, search: Any = "") -> list[Any] | ToolError:
        """Values of a member that the asker may see."""
        relation, _, name = str(member).partition(".")
        known = self._toolbox.catalog.relations.get(relation)
        found = known.members.get(name) if known is not None else None
        if found is None or found.kind != "dimension":
            return ToolError(f"{str(member)[:80]!r} is no dimension: write view.member as svcMeta shows it")
        try:
            values = await self._toolbox.values(f"{relation}.{name}", _LOOKED_THROUGH)
        except SemanticError as error:
            return ToolError(str(error))
        wanted = str(search or "").casefold()
        return [value for value in values if wanted in str(value).casefold()][:_VALUES]

    async def draft(self, question: Any) -> dict[str, Any] | ToolError:
        """How the offline reader reads a question."""
        assert self._read is not None
        if not isinstance(question, str) or not question.strip():
            return ToolError('svcDraft takes {"question": "words"}')
        found = await self._read(replace(self._turn, question=question, typed=""), self._toolbox)
        if found is None or not self._tellable(found.sql) or (self._names_only and not found.sql):
            return ToolError("the reader does not understand that question: search with svcMeta and write the query")
        if not found.sql:
            return {"near": [option.question for option in found.options]}
        return {"reading": found.words, "confidence": round(found.confidence, 2), "sqlQuery": found.sql}

    def _tellable(self, sql: str) -> bool:
        """Whether a query may go to the model: without rows, only what quotes nothing but the asker."""
        said = [self._turn.question, *(past.question for past in self._turn.history)]
        return not self._names_only or literals_said(sql, said)


def _queries_of(history: Sequence[PastTurn]) -> dict[str, str]:
    """SQL by the uuid of its result, of every result of the thread."""
    results = [result for turn in history for result in turn.results]
    return {str(result["uuid"]): str(result["sqlQuery"]) for result in results if result.get("uuid")}
