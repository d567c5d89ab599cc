"""Settings reach the provider; what a turn took is told, costed and capped, also where a provider counts nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDone, Event, Thinking, Usage
from svc_notebook.analyst.errors import AnalystUnavailable
from svc_notebook.analyst.registry import make_analyst
from svc_notebook.analyst.toolbox import Toolbox

from ..loops import run
from .provider import Call, Part, Provider, Status, Text, Uses
from .test_language_model import COUNT_SQL, QUERY, ask, collect, done, protocols, replies

pytest.importorskip("pydantic_ai")

ANSWER = [[QUERY], [Text("There are 4.")]]
PRICED = {"openai": "openai:gpt-5", "anthropic": "anthropic:claude-sonnet-5"}


def asked(
    script: Sequence[Sequence[Part]], spec: str, toolbox: Toolbox, **options: Any
) -> tuple[list[Event], Provider]:
    """A named model of a provider, at the stand-in's address."""
    with Provider(replies(script)) as provider:
        url = f"{provider.url}/v1" if spec.startswith("openai") else provider.url
        analyst = make_analyst(spec, options={"api_key": "sk-x", "base_url": url, "retries": 0, **options})
        return run(collect(analyst, toolbox)), provider


def total(events: list[Event], name: str) -> float:
    return sum(event.usage.get(name, 0) for event in events if isinstance(event, Usage))


def test_settings_reach_openai(toolbox: Toolbox) -> None:
    settings = {"thinking": "low", "max_tokens": 700, "seed": 5, "extra_body": {"num_ctx": 8192}}
    _, provider = asked(ANSWER, "openai:gpt-5", toolbox, settings=settings)
    sent = provider.requests[0]
    assert (sent["reasoning_effort"], sent["max_completion_tokens"], sent["seed"]) == ("low", 700, 5)
    assert sent["num_ctx"] == 8192


def test_settings_reach_anthropic(toolbox: Toolbox) -> None:
    settings = {"thinking": True, "max_tokens": 9_000, "cache": True}
    _, provider = asked(ANSWER, PRICED["anthropic"], toolbox, settings=settings)
    sent = provider.requests[0]
    assert sent["max_tokens"] == 9_000 and sent["thinking"]["type"] in {"enabled", "adaptive"}
    assert "cache_control" in json.dumps(sent)


@protocols
def test_temperature_reaches_either(protocol: str, toolbox: Toolbox) -> None:
    _, provider = ask(replies(ANSWER), protocol, toolbox, settings={"temperature": 0.25})
    assert [request["temperature"] for request in provider.requests] == [0.25, 0.25]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"settings": {"temprature": 0.1}}, "has no 'temprature': it takes thinking, temperature"),
        ({"settings": {"temperature": "hot"}}, "settings.temperature is 'hot': write a number from 0 to 2"),
        ({"settings": {"thinking": "enormous"}}, "write true, false or one of minimal"),
        ({"settings": {"max_tokens": 0}}, "1 or more"),
        ({"caps": {"request": 4}}, "caps has no 'request': it takes requests, tool_calls"),
        ({"colour": "red"}, "options has no 'colour': it takes caps"),
        ({"sends": "all"}, "write 'full', 'rows' or 'names'"),
        ({"prices": {"input": -1, "output": 2}}, "prices.input is -1"),
        ({"caps": {"cost": 0.2}}, "no prices are known of 'm'. Write prices"),
    ],
)
def test_a_slip_in_the_options_is_named_at_once(options: dict[str, Any], words: str) -> None:
    with pytest.raises(AnalystUnavailable, match=words.replace(".", r"\.")):
        make_analyst("http://127.0.0.1:9/v1#m", options=options)


@pytest.mark.parametrize("spec", PRICED.values(), ids=PRICED)
def test_cost_is_told_where_prices_are_known(spec: str, toolbox: Toolbox) -> None:
    script = [[QUERY, Uses((1_000, 100))], [Text("There are 4."), Uses((2_000, 200))]]
    events, _ = asked(script, spec, toolbox)
    assert (total(events, "inputTokens"), total(events, "outputTokens")) == (3_000, 300)
    assert 0.001 < total(events, "cost") < 0.1


@protocols
def test_ones_own_prices_count(protocol: str, toolbox: Toolbox) -> None:
    script = [[QUERY, Uses((1_000, 100))], [Text("There are 4."), Uses((2_000, 200))]]
    events, _ = ask(replies(script), protocol, toolbox, prices={"input": 10, "output": 100})
    assert total(events, "cost") == pytest.approx((3_000 * 10 + 300 * 100) / 1e6)


def test_a_model_of_ones_own_has_no_public_price(toolbox: Toolbox) -> None:
    with Provider(replies(ANSWER)) as provider:
        events = run(collect(make_analyst(f"{provider.url}/v1#gpt-5"), toolbox))
    assert not any("cost" in event.usage for event in events if isinstance(event, Usage))


@protocols
def test_what_was_read_from_the_cache_is_told(protocol: str, toolbox: Toolbox) -> None:
    script = [[QUERY, Uses((1_000, 10))], [Text("There are 4."), Uses((1_100, 10), read=900)]]
    events, _ = ask(replies(script), protocol, toolbox)
    assert (total(events, "cacheReadTokens"), total(events, "inputTokens")) == (900, 2_100)


def endless(uses: Uses) -> Any:
    return lambda index, _: [Call("svcSqlApi", COUNT_SQL, f"c{index}"), uses]


CAPS: dict[str, tuple[dict[str, Any], str]] = {
    "tokens": ({"caps": {"tokens": 6_000}}, "the limit of 6,000 tokens for one question was reached"),
    "cost": (
        {"caps": {"cost": 0.01}, "prices": {"input": 2, "output": 10}},
        "the limit of 0.01 US dollars for one question was reached",
    ),
    "requests": ({"caps": {"requests": 4}}, "the limit of 4 model calls for one question was reached"),
    "tool_calls": ({"caps": {"tool_calls": 3}}, "the limit of 3 tool calls for one question was reached"),
    "seconds": ({"caps": {"seconds": 0.3}}, "the time limit of 0.3 seconds was reached"),
}


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("uses", [Uses((900, 100)), Uses(None)], ids=["counted", "counts nothing"])
def test_every_cap_holds_and_is_named(cap: str, uses: Uses, toolbox: Toolbox) -> None:
    options, said = CAPS[cap]
    wide = {"requests": 200, "tool_calls": 200, "seconds": 120.0, **options["caps"]}
    events, provider = ask(endless(uses), "openai", toolbox, **{**options, "caps": wide})
    assert (done(events).outcome, done(events).detail) == ("capped", said)
    assert len(provider.requests) < 60
    if uses.tokens is None:
        assert total(events, "estimatedTokens") == total(events, "totalTokens") > 0


@protocols
def test_a_reply_without_end_is_stopped_in_its_course(protocol: str, toolbox: Toolbox) -> None:
    events, _ = ask(replies([[QUERY], [Text("word " * 40_000, 400)]]), protocol, toolbox, caps={"tokens": 5_000})
    assert done(events).outcome == "capped" and "5,000 tokens" in done(events).detail


@protocols
@pytest.mark.parametrize(
    ("status", "header", "said"),
    [
        (429, ("retry-after-ms", "20"), "rate limit was reached (429): trying again in 0.02 s"),
        (529, ("retry-after", "1"), "overloaded (529): trying again in 1 s"),
    ],
)
def test_a_wait_is_seen_in_the_stream(
    protocol: str, status: int, header: tuple[str, str], said: str, toolbox: Toolbox
) -> None:
    script = [[Status(status, (header,))], *ANSWER]
    events, provider = ask(replies(script), protocol, toolbox, retries=2)
    (wait,) = [event.text for event in events if isinstance(event, Thinking)]
    assert said in wait
    assert done(events).text == "There are 4." and len(provider.requests) == 3


@protocols
def test_a_wait_that_is_too_long_is_a_failure(protocol: str, toolbox: Toolbox) -> None:
    events, provider = ask(replies([[Status(429, (("retry-after", "7200"),))]]), protocol, toolbox, retries=2)
    assert done(events).outcome == "provider_failed" and "7,200 seconds" in done(events).detail
    assert len(provider.requests) == 1


@protocols
def test_what_a_provider_did_not_accept_is_asked_no_more_often_than_said(protocol: str, toolbox: Toolbox) -> None:
    events, provider = ask(replies([[Status(503, (("retry-after-ms", "1"),))]]), protocol, toolbox, retries=3)
    assert len(provider.requests) == 4 and isinstance(events[-1], AnswerDone)


@protocols
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_change_is_not_asked_again(protocol: str, status: int, toolbox: Toolbox) -> None:
    _, provider = ask(replies([[Status(status)]]), protocol, toolbox, retries=3)
    assert len(provider.requests) == 1
