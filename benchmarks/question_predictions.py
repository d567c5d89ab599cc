"""One question, or one conversation, asked of an analyst: a line of predictions for each turn.

The fields are those of the scorer that lies beside the cases: ``sql``, ``columns``, ``rows``, ``spec``, ``members``,
``text``, ``choices``, ``unread``, ``abstained`` and ``error``; ``seconds`` is added.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa

from svc_notebook.analyst.base import Analyst, AnswerDone, PastTurn, ToolFinished, Turn
from svc_notebook.analyst.offline.plans.plan import Plan, from_memory
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.protocol.tools import SQL_TOOL
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import SemanticError
from svc_notebook.semantic.layer import SemanticLayer

__all__ = ["Conversations"]

_AGGREGATES = {"avg": "mean", "count_values": "count", "count_distinct": "distinct"}
_CLOCK = "2025-06-18"
_CHOICES = 3


class Conversations:
    """Asks the cases of one database; turns that several cases share (a dialogue's earlier ones) are asked once."""

    def __init__(self, layer: SemanticLayer, analyst: Analyst) -> None:
        self._layer, self._analyst = layer, analyst
        self._asked: dict[tuple[str, ...], tuple[dict[str, Any], tuple[PastTurn, ...]]] = {}

    async def predict(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """The last turn of a case as a line of predictions."""
        clock = str(case.get("as_of") or _CLOCK)
        now = datetime.fromisoformat(clock).replace(tzinfo=UTC)
        prediction: dict[str, Any] = {}
        said: tuple[str, ...] = (clock,)
        history: tuple[PastTurn, ...] = ()
        for question in case.get("turns") or [case["utterance"]]:
            said = (*said, question)
            if said not in self._asked:
                self._asked[said] = await self._turn(question, history, now)
            prediction, history = self._asked[said]
        return {"id": case["id"], **prediction}

    async def _turn(
        self, question: str, history: tuple[PastTurn, ...], now: datetime
    ) -> tuple[dict[str, Any], tuple[PastTurn, ...]]:
        started = time.perf_counter()
        prediction, done = await self._ask(Turn(question, history, now=now))
        prediction["seconds"] = time.perf_counter() - started
        offered = list((done.memory.get("plan") or {}).get("near", ())) if done is not None else []
        prediction["choices"] = [await self._choice(words, now) for words in offered[:_CHOICES]]
        if done is not None and done.memory.get("choices"):
            prediction["choices"] = [self._offered(kept) for kept in done.memory["choices"]]
        prediction.setdefault("abstained", "sql" not in prediction)
        prediction["unread"] = [*prediction.get("unread", []), *_left_out(prediction.get("text", ""))]
        past = PastTurn(question, done.text, memory=done.memory) if done is not None else PastTurn(question)
        return prediction, (*history, past)

    async def _choice(self, question: str, now: datetime) -> dict[str, Any]:
        """A reading that is offered beside the answer, and what it gives."""
        asked, _ = await self._ask(Turn(question, now=now))
        return {"question": question, "columns": asked.get("columns"), "rows": asked.get("rows")}

    def _offered(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """A reading that the analyst asks back with or shows beside its answer, and what it gives."""
        try:
            table = self._layer.query(SecurityContext.operator(), str(kept["sql"])).table
        except SemanticError as failure:
            return {"question": kept["question"], "error": str(failure)}
        return {"question": kept["question"], "columns": table.column_names, "rows": _rows(table)}

    async def _ask(self, turn: Turn) -> tuple[dict[str, Any], AnswerDone | None]:
        toolbox = Toolbox(self._layer, SecurityContext.operator())
        prediction: dict[str, Any] = {}
        done = None
        try:
            async for event in self._analyst.answer(turn, toolbox, toolbox.cancel):
                if isinstance(event, ToolFinished) and event.name == SQL_TOOL:
                    prediction.update(_result(toolbox, event))
                if isinstance(event, AnswerDone):
                    done = event
                    prediction["text"] = event.text
                    prediction.update(_members(toolbox, event))
        except Exception as failure:  # noqa: BLE001  a question that breaks the analyst is one that it got wrong
            prediction["error"] = f"{type(failure).__name__}: {failure}"
        return prediction, done


def _result(toolbox: Toolbox, event: ToolFinished) -> dict[str, Any]:
    asked, told = json.loads(event.input), json.loads(event.result)
    if "error" in told:
        return {"sql": asked["sqlQuery"], "error": told["error"]}
    table = toolbox.table(told["uuid"])
    return {
        "sql": asked["sqlQuery"], "columns": table.column_names, "rows": _rows(table), "spec": asked.get("vegaSpec"),
    }  # fmt: skip


def _rows(table: pa.Table) -> list[list[Any]]:
    columns = [column.to_pylist() for column in table.columns]
    return [[_plain(value) for value in row] for row in zip(*columns, strict=True)]


def _members(toolbox: Toolbox, event: AnswerDone) -> dict[str, Any]:
    if "plan" not in event.memory:
        return {"unread": []}
    plan: Plan = from_memory(event.memory["plan"])
    metadata = load_metadata(toolbox)
    found = {}
    for column in write_sql(plan, metadata).columns:
        field = column.member.split(".", 1)[1] if column.member else None
        aggregate: str | None = None
        if column.role == "measure":
            measure = plan.measures[column.place]
            aggregate = _AGGREGATES.get(measure.aggregate, measure.aggregate)
            if measure.aggregate == "measure" and column.member is not None:
                kind = metadata.member(column.member).agg_type or ""
                aggregate, field = _AGGREGATES.get(kind, kind), _base(field or "")
        found[column.name] = {"field": field, "agg": aggregate}
    return {"members": found, "confidence": plan.confidence, "unread": list(plan.unread)}


def _base(name: str) -> str | None:
    """The column a generated measure is made of (``avg_weight`` → ``weight``)."""
    head, _, rest = name.partition("_")
    return rest if head in ("avg", "total", "min", "max", "distinct") else None


def _left_out(text: str) -> list[str]:
    """What an answer says that it does not build upon: earlier questions, and words that an earlier one left out."""
    told = re.findall(r"It (?:builds upon the last answer:|still leaves out) (“.+?”(?: and “.+?”)?)[ ,]", text)
    return [said for found in told for said in re.findall(r"“(.+?)”", found)]


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def median_ms(predictions: Sequence[Mapping[str, Any]]) -> float:
    """The time of the middle prediction, in milliseconds."""
    taken = sorted(p["seconds"] for p in predictions)
    return 1000 * taken[len(taken) // 2] if taken else 0.0
