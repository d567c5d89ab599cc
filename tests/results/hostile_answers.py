"""The public cases of hostile content as answers that carry them where each case says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from svc_notebook.protocol.tools import Column

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedCall

__all__ = ["COLUMNS", "hostile_answer", "payload_of", "read_cases"]

COLUMNS = [Column("status", "String"), Column("total_amount", "Double")]


def read_cases(cases: Path) -> list[dict[str, Any]]:
    lines = (cases / "xss" / "dev.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def payload_of(case: dict[str, Any]) -> Any:
    if case.get("payload") is not None:
        return case["payload"]
    return "".join(text * count for text, count in case["payload_gen"])


def hostile_answer(case: dict[str, Any]) -> ActedAnswer:
    """An answer that carries the payload where the case says."""
    channel, payload = case["channel"], payload_of(case)
    text = (
        "".join(payload) if isinstance(payload, list) else payload if isinstance(payload, str) else json.dumps(payload)
    )
    result = replace(CARRIERS, vega_spec=None)
    call = ActedCall("c-1", "svcSqlApi", {"queryTitle": "t"}, {"totalRows": 1}, state="complete")
    answer = ActedAnswer(question="q", text="fine", status="complete", tool_calls=[call], results=[result])
    if channel == "column_name":
        columns = [Column(text, "String"), *CARRIERS.schema[1:]]
        return replace(answer, results=[replace(result, schema=columns, title=text)])
    if channel == "cell":
        return replace(answer, results=[replace(result, rows=[[text, 1, 2.0]])])
    if channel == "vegaSpec":
        spec = dict(payload) if isinstance(payload, dict) else payload
        cell = spec.pop("__data_cell__", "open") if isinstance(spec, dict) else "open"
        return replace(answer, results=[replace(result, schema=COLUMNS, rows=[[cell, 3.0]], vega_spec=spec)])
    if channel == "queryTitle":
        return replace(answer, results=[replace(result, title=text)])
    if channel == "error":
        return replace(answer, status="failed", error=text)
    if channel == "toolCall.input":
        return replace(answer, tool_calls=[replace(call, input=json.loads(text))])
    if channel.startswith("content"):
        return replace(answer, text=text)
    return replace(
        answer,
        question=text,
        thinking=text,
        tool_calls=[replace(call, name=text)],
        results=[replace(result, whoami=text)],
    )
