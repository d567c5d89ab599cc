"""What the browser is told about a turn: plain data, every text either sanitised HTML or shown as text."""

from __future__ import annotations

import json
from typing import Any

from ..locales import locale_of
from ..results.answer import Answer
from ..results.charts import render_result
from ..results.counts import MoreThan
from ..results.endings import added_usage, ended_text, spent_text
from ..results.evidence import evidence
from ..results.feedback import Feedback
from ..results.markdown import MAX_CHARS, plain_text, render_markdown
from ..results.result import Result
from ..results.tables import COMPARED, rows_said, table_payload
from ..results.tool_calls import ToolCall
from ..results.values import written

__all__ = ["chart_payload", "feedback_payload", "result_payload", "tool_payload", "turn_payload"]

# More than anybody reads in a fold; a notebook saves what is sent.
_MAX_THINKING = 20_000
_MAX_SQL = 20_000


def turn_payload(n: int, answer: Answer, *, thinking: bool = True, paged: bool = False) -> dict[str, Any]:
    """A finished turn (an ``Answer``) under its number, with the analyst's thinking or without.

    ``paged`` says that a page may ask for the rows that are not sent, see :mod:`.table_looks`.
    """
    text = plain_text(answer.text or "")
    elapsed = {result.uuid: result for result in answer.results}
    times = {
        (call.result or {}).get("uuid"): call.elapsed_ms for call in answer.tool_calls if isinstance(call.result, dict)
    }
    return {
        "n": n,
        "turn": answer.turn,
        "after": answer.after,
        "feedback": feedback_payload(answer.feedback),
        "question": plain_text(answer.question or ""),
        "status": answer.status,
        "html": render_markdown(text),
        "text": text[:MAX_CHARS],
        "thinking": plain_text(answer.thinking or "")[:_MAX_THINKING] if thinking else "",
        "error": plain_text(str(answer.error)) if answer.error else "",
        "ended": _ended(answer),
        "spent": _spent(answer),
        "reading": (reading := _reading(answer)),
        "tools": [tool_payload(call, (reading or {}).get("language")) for call in answer.tool_calls],
        "readingWords": locale_of(reading.get("language")).reading or None if reading else None,
        "choices": _choices(answer),
        "results": [result_payload(result, times.get(uuid), paged=paged) for uuid, result in elapsed.items()],
        "suggestions": [plain_text(idea)[:200] for idea in (answer.suggestions or ())][:6],
    }


def _ended(answer: Answer) -> dict[str, str] | None:
    """How the turn ended, where not with an answer."""
    said = ended_text(answer)
    return {"outcome": answer.outcome, "said": said} if said else None


def _spent(answer: Answer) -> dict[str, Any] | None:
    """What a language model took."""
    usage = answer.usage
    if not (said := spent_text(usage)):
        return None
    total = added_usage([usage])
    return {"said": said, "calls": total["llmCalls"], "tokens": total["totalTokens"], "cost": total.get("cost")}


def _reading(answer: Answer) -> dict[str, Any] | None:
    """What was read, for the chips over the answer."""
    return answer.reading.to_dict() if answer.reading is not None else None


def _choices(answer: Answer) -> list[dict[str, Any]]:
    """The readings that are offered, to click on."""
    return [{"question": plain_text(one.question)[:400], "reading": one.reading.to_dict()} for one in answer.choices][
        :3
    ]


def feedback_payload(feedback: Feedback | None) -> dict[str, str] | None:
    """What the asker thought of an answer."""
    return {"verdict": feedback.verdict, "why": plain_text(feedback.why)} if feedback is not None else None


_TOOL = {
    "searched": "Searched the data model for “{query}”", "tool_row": "1 row", "tool_rows": "{n} rows",
    "tool_members": "{n} members",
}  # fmt: skip


def tool_payload(call: ToolCall, language: str | None = None) -> dict[str, Any]:
    """A tool call as its card shows it, in the language of the answer where that is known."""
    locale = locale_of(language)
    say = {**_TOOL, **{name: locale.reading[name] for name in _TOOL if name in locale.reading}}
    given = call.input
    result = call.result if isinstance(call.result, dict) else {}
    sql = result.get("sqlQuery") or given.get("sqlQuery") or given.get("query") or ""
    query = given.get("searchQuery")
    label = given.get("queryTitle") or (say["searched"].format(query=query) if query is not None else "")
    known = {"queryTitle", "sqlQuery", "query", "searchQuery", "vegaSpec", "userRequest", "memoryId", "reading"}
    rest = {key: value for key, value in given.items() if key not in known}
    detail = given.get("description") or (json.dumps(rest, ensure_ascii=False) if rest else "")
    return {
        "id": str(call.id),
        "name": _short(call.name, 80),
        "label": _short(label, 160),
        "sql": plain_text(str(sql))[:_MAX_SQL],
        "detail": _short(detail, 600),
        "state": call.state,
        "rows": locale.digits(_counted(result, say)),
        "ms": call.elapsed_ms,
        "progress": call.progress,
        "error": _short(call.error or "", 600),
    }


def _short(value: Any, limit: int) -> str:
    text = plain_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _counted(result: dict[str, Any], say: dict[str, str]) -> str:
    if isinstance(total := result.get("totalRows"), int):
        return say["tool_row"] if total == 1 else say["tool_rows"].format(n=f"{total:,}")
    if isinstance(cubes := result.get("cubes"), list):
        members = sum(len(cube.get("members") or ()) for cube in cubes if isinstance(cube, dict))
        return say["tool_members"].format(n=members)
    return ""


def result_payload(result: Result, elapsed_ms: int | None = None, *, paged: bool = False) -> dict[str, Any]:
    """A result with its table, its chart and its evidence."""
    title = plain_text(result.title or "")
    language = next((column.language for column in result.schema if getattr(column, "language", None)), None)
    table, known = _table(result, paged), evidence(result)
    if table.get("far"):
        known |= {"rows": table["said"], "partial": table["partial"]}
    return {
        "title": title,
        **({"language": language, "words": locale_of(language).reading} if language else {}),
        "table": table,
        "chart": chart_payload(result) if result.vega_spec else None,
        "evidence": known,
        "ms": elapsed_ms if elapsed_ms is not None else result.elapsed_ms,
    }


def _table(result: Result, paged: bool) -> dict[str, Any]:
    """The first rows; where a page may ask for the others, with the count of all."""
    everything = max(result.total_rows, len(result))
    table = table_payload(result.schema, result.first(COMPARED), total_rows=everything)
    here = len(table["rows"])
    if paged and here < everything and (len(result) > here or result.can_load):
        table["far"] = int(everything)
        if not isinstance(everything, MoreThan):
            locale = written(result.schema[0]) if result.schema else locale_of(None)
            table |= {"said": rows_said(everything, everything, everything, locale), "partial": False}
    return table


def chart_payload(result: Result) -> dict[str, Any]:
    """A chart as the widget draws it; without a spec when it cannot be drawn, with the reason as note."""
    chart = render_result(result)
    spec = chart.to_dict() if chart else None
    return {"spec": spec, "said": chart.description, "note": chart.problem_or_notes, "fit": spec is not None}
