"""How a turn ended is told as it was: cut, held back, refused, capped, left by the provider; never as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone
from svc_notebook.analyst.toolbox import Toolbox

from .provider import Call, Cut, Ends, Part, Raw, Status, Text
from .test_language_model import COUNT_SQL, QUERY, ask, assert_calls_closed, done, folded, protocols, replies

WORDS = "I will not help with that."
SCENARIOS: dict[str, tuple[list[list[Part]], dict[str, Any], str, str, str]] = {
    # replies, options, outcome, detail, text
    "an answer": ([[QUERY], [Text("There are 4.")]], {}, "", "", "There are 4."),
    "an answer without a query": ([[Text("Hello.")]], {}, "", "", "Hello."),
    "cut in its text": ([[QUERY], [Text("There are"), Ends("length")]], {}, "cut", "output limit", "There are"),
    "cut before a query": ([[Text("Well,"), Ends("length")]], {}, "cut", "output limit", "Well,"),
    "cut before any text": ([[Ends("length")]], {}, "cut", "output limit", "before it had written an answer"),
    "cut in a call": (
        [[Call("svcSqlApi", '{"sqlQuery": "SELECT'), Ends("length")]], {}, "cut", "output limit", "before it had",
    ),
    "refused in words": ([[Ends("refusal", WORDS)]], {}, "refused", "the model refused", WORDS),
    "refused after a query": ([[QUERY], [Ends("refusal", WORDS)]], {}, "refused", "the model refused", WORDS),
    "too many calls of the model": ([[QUERY]], {"caps": {"requests": 3}}, "capped", "3 model calls", "I stopped here"),
    "too many tools": ([[QUERY]], {"caps": {"tool_calls": 2}}, "capped", "2 tool calls", "I stopped here"),
    "too many tokens": ([[QUERY]], {"caps": {"tokens": 40}}, "capped", "40 tokens", "I stopped here"),
    "too long": ([[QUERY]], {"caps": {"seconds": 0.0}}, "capped", "time limit of 0 seconds", "I stopped here"),
    "the key is refused": ([[Status(401)]], {"retries": 0}, "provider_failed", "refused the key", "offline analyst"),
    "out of order": ([[Status(500)]], {"retries": 0}, "provider_failed", "", "offline analyst"),
    "overloaded": ([[Status(529)]], {"retries": 0}, "provider_failed", "", "offline analyst"),
    "broken off": ([[Text("Let me"), Cut()]], {"retries": 0}, "provider_failed", "", "offline analyst"),
    "unreadable": ([[Raw(b"data: {not json\n\n")]], {"retries": 0}, "provider_failed", "", "offline analyst"),
    "empty": ([[Text("")]], {"retries": 0}, "provider_failed", "empty", "offline analyst"),
}  # fmt: skip


@protocols
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_turn_says_how_it_ended(protocol: str, name: str, toolbox: Toolbox) -> None:
    script, options, outcome, detail, text = SCENARIOS[name]
    events, _ = ask(replies(script), protocol, toolbox, **options)
    end = done(events)
    assert (end.outcome, detail in end.detail, text in end.text) == (outcome, True, True), end
    assert bool(end.detail) is bool(outcome)
    assert folded(events) == end.text
    assert_calls_closed(events)


@protocols
def test_what_a_filter_held_back_is_no_refusal(protocol: str, toolbox: Toolbox) -> None:
    """One protocol knows filters; in the other a reply that ends so without words is a refusal."""
    for script in ([[QUERY], [Text("There are"), Ends("filter")]], [[Ends("filter")]]):
        events, _ = ask(replies(script), protocol, toolbox)
        assert done(events).outcome == ("filtered" if protocol == "openai" else "refused")
        assert "offline analyst" not in done(events).text, "nobody else answers what the model would not"


@protocols
def test_the_offline_analyst_answers_nothing_that_the_model_refused(protocol: str, toolbox: Toolbox) -> None:
    events, _ = ask(replies([[Ends("refusal", WORDS)]]), protocol, toolbox)
    assert done(events).text == WORDS


def test_tokens_are_capped_where_a_provider_counts_none(toolbox: Toolbox) -> None:
    def script(index: int, _: dict[str, Any]) -> Sequence[Part]:
        call = {"index": 0, "id": f"c{index}", "type": "function", "function": {"name": "svcSqlApi", "arguments": ""}}
        call["function"] = {"name": "svcSqlApi", "arguments": str(COUNT_SQL).replace("'", '"')}
        return [Raw(_event({"tool_calls": [call]})), Raw(_event({}, "tool_calls") + b"data: [DONE]\n\n"), Cut()]

    events, _ = ask(script, "openai", toolbox, caps={"tokens": 60, "requests": 50, "tool_calls": 50}, retries=0)
    assert (done(events).outcome, "60 tokens" in done(events).detail) == ("capped", True)


def _event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    from .provider import openai_event

    return openai_event(delta, finish)


@pytest.mark.parametrize("count", [4_000])
def test_a_long_answer_costs_the_same_for_each_piece(count: int, toolbox: Toolbox) -> None:
    import asyncio
    import time

    from .provider import Provider
    from .test_language_model import analyst_for, collect

    def seconds(pieces: int) -> float:
        with Provider(replies([[Text("word " * pieces, pieces)]])) as provider:
            began = time.thread_time()
            events = asyncio.run(collect(analyst_for(provider, "openai"), toolbox))
            assert isinstance(events[-1], AnswerDone)
            return time.thread_time() - began

    seconds(100)
    short, long = seconds(count // 8) / (count // 8), seconds(count) / count
    assert long < 2 * short, "linear: a piece of a long answer costs what one of a short one does"
