"""Models of one's own: the dialects of Ollama, llama.cpp and vLLM, and what small models get wrong in a call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from svc_notebook.analyst.base import Event, Thinking, ToolFinished, Usage
from svc_notebook.analyst.registry import make_analyst
from svc_notebook.analyst.toolbox import Toolbox

from ..loops import run
from .provider import Call, Cut, Ends, Part, Provider, Status, Text, Thought
from .test_language_model import COUNT_SQL, META, QUERY, assert_calls_closed, collect, done, folded, replies

pytest.importorskip("pydantic_ai")

DIALECTS = ["ollama", "llama.cpp", "vllm"]
ASKED = [[Thought("Let me see."), META], [QUERY], [Text("There are 4 orders.")]]
WRITTEN = json.dumps({"name": "svcSqlApi", "arguments": COUNT_SQL})
SQL = COUNT_SQL["sqlQuery"]


def told(
    dialect: str, script: list[list[Part]], toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Event], Provider]:
    """The events of a turn with a model of one's own, named as the documentation names it."""
    with Provider(replies(script), dialect=dialect) as provider:
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{provider.url}/v1")
        spec = "ollama:qwen3" if dialect == "ollama" else f"{provider.url}/v1#qwen3"
        return run(collect(make_analyst(spec, options={"retries": 0}), toolbox)), provider


def results(events: list[Event]) -> list[Any]:
    return [json.loads(event.result) for event in events if isinstance(event, ToolFinished)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_is_spoken(dialect: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    events, provider = told(dialect, ASKED, toolbox, monkeypatch)
    assert done(events).text == folded(events) == "There are 4 orders." and done(events).outcome == ""
    assert results(events)[1]["data"] == [[4]]
    assert any(isinstance(event, Thinking) for event in events)
    assert all(request["model"] == "qwen3" and request["stream"] for request in provider.requests)
    steps = [event.usage for event in events if isinstance(event, Usage)]
    assert sum(step.get("totalTokens", 0) for step in steps) == 54 and not any("cost" in step for step in steps)
    assert_calls_closed(events)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ([Text("There"), Ends("length")], "cut"),
        ([Text("There"), Cut()], "provider_failed"),
        ([Status(503, message="Loading model")], "provider_failed"),
        ([Status(404, message='model "qwen3" not found, try pulling it first')], "provider_failed"),
    ],
    ids=["cut", "broken", "loading", "not pulled"],
)
def test_each_dialect_ends_as_it_ends(
    dialect: str, reply: list[Part], outcome: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, _ = told(dialect, [reply], toolbox, monkeypatch)
    assert done(events).outcome == outcome


def test_a_server_without_tool_calls_is_told_what_it_lacks(toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    said = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    events, _ = told("vllm", [[Status(400, message=said)]], toolbox, monkeypatch)
    assert "--tool-call-parser" in done(events).detail


MENDED = {
    "in a fence": "```json\n" + json.dumps(COUNT_SQL) + "\n```",
    "as a text in a text": json.dumps(json.dumps(COUNT_SQL)),
    "with a comma too many": json.dumps(COUNT_SQL)[:-1] + ",}",
    "as a Python literal": str(COUNT_SQL),
    "wrapped": json.dumps({"arguments": COUNT_SQL}),
    "wrapped with its name": json.dumps({"name": "svcSqlApi", "parameters": COUNT_SQL}),
    "under another name": json.dumps({"sql": SQL, "title": "Orders"}),
    "in other letters": json.dumps({"sql_query": SQL, "QUERYTITLE": "Orders"}),
}


@pytest.mark.parametrize("name", MENDED)
def test_arguments_that_are_nearly_right_are_mended(
    name: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, provider = told("llama.cpp", [[Call("svcSqlApi", MENDED[name])], [Text("4")]], toolbox, monkeypatch)
    assert results(events)[0]["data"] == [[4]] and len(provider.requests) == 2
    assert_calls_closed(events)


CALLED = {
    "tagged": f"<tool_call>\n{WRITTEN}\n</tool_call>",
    "after words": f"I will ask.\n<tool_call>{WRITTEN}</tool_call>",
    "bare": WRITTEN,
    "fenced": f"```json\n{WRITTEN}\n```",
    "a Python tag": f"<|python_tag|>{WRITTEN}",
    "a list": f"[TOOL_CALLS][{WRITTEN}]",
    "with a prefix": WRITTEN.replace("svcSqlApi", "functions.svcsqlapi"),
    "as parameters": f"<function=svcSqlApi><parameter=sqlQuery>\n{SQL}\n</parameter></function>",
    "arguments as a text": json.dumps({"function": "svcSqlApi", "arguments": json.dumps(COUNT_SQL)}),
}


@pytest.mark.parametrize("name", CALLED)
def test_a_call_that_is_only_written_is_made(name: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    events, provider = told("vllm", [[Text(CALLED[name])], [Text("There are 4 orders.")]], toolbox, monkeypatch)
    assert results(events)[0]["data"] == [[4]]
    assert done(events).text == folded(events) == "There are 4 orders."
    assert "It was made" in json.dumps(provider.requests[1]["messages"][-1])
    assert_calls_closed(events)


@pytest.mark.parametrize(
    "text",
    ["The call is svcSqlApi.", '{"a": 1}', '{"name": "dropTables", "arguments": {}}', f"Write {WRITTEN} to ask."],
)
def test_a_text_that_speaks_of_calls_is_a_text(text: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch) -> None:
    events, provider = told("vllm", [[Text(text)]], toolbox, monkeypatch)
    assert done(events).text == text and len(provider.requests) == 1


@pytest.mark.parametrize(
    "broken", ['{"sqlQuery": "SELECT MEASURE(co', "SELECT 1", "[1]", "17", "{'sqlQuery': open('x')}"]
)
def test_what_cannot_be_mended_does_not_run_and_is_told(
    broken: str, toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [[Call("svcSqlApi", broken, "broken")], [QUERY], [Text("4")]]
    events, provider = told("ollama", script, toolbox, monkeypatch)
    assert "error" in results(events)[0] and results(events)[1]["data"] == [[4]]
    assert len(provider.requests) == 3
