"""What providers do, and how a turn has ended then: each told to a stand-in of either dialect, and asserted on every surface."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import svc_notebook as svc
from svc_notebook.analyst.base import Event, Turn
from svc_notebook.analyst.offline import OfflineAnalyst
from svc_notebook.analyst.registry import make_analyst

from .conftest import MODEL, ORDERS
from .provider import Call, Cut, Ends, Part, Provider, Raw, Status, Text, Thought

COUNT = {"sqlQuery": "SELECT MEASURE(count) AS orders FROM orders", "queryTitle": "Orders"}
BY_STATUS = {"sqlQuery": "SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1", "queryTitle": "By status"}
WRONG = {"sqlQuery": "SELECT MEASURE(cont) FROM orders", "queryTitle": "t"}
PAID = "SELECT MEASURE(revenue) AS revenue FROM orders WHERE status = 'paid'"
CHOICES = Call("svcChoices", {"queries": [PAID, "SELECT MEASURE(revenue) AS revenue FROM orders"]}, "c")
META = Call("svcMeta", {"searchQuery": "orders"}, "m")
QUERY = Call("svcSqlApi", COUNT, "q")
FOUR = [Text("There are 4 orders.")]
WORDS = "I will not help with that."
SLOW = (("retry-after-ms", "5"),)
SAID = "There are 4 orders."


@dataclass(frozen=True)
class Scenario:
    """Replies, one for each request (the last repeats), and what is to come of them."""

    replies: Sequence[Sequence[Part]]
    outcome: str = "complete"
    detail: str = ""
    text: str = SAID
    options: Mapping[str, Any] = field(default_factory=dict)
    otherwise: tuple[str, str] | None = None
    """Outcome and detail in Anthropic's dialect, where that has no word for it."""

    def expected(self, dialect: str) -> tuple[str, str]:
        return self.otherwise if self.otherwise and dialect == "anthropic" else (self.outcome, self.detail)


def _failed(*first: Part, detail: str = "", retries: int = 0) -> Scenario:
    return Scenario([list(first)], "provider_failed", detail, "offline analyst", {"retries": retries})


def _capped(replies: Sequence[Sequence[Part]], detail: str, **caps: Any) -> Scenario:
    return Scenario(replies, "capped", detail, "I stopped here", {"caps": caps})


def _cut(*replies: Sequence[Part], text: str) -> Scenario:
    return Scenario(replies, "cut", "output limit", text)


def _refused(*replies: Sequence[Part], text: str = WORDS) -> Scenario:
    return Scenario(replies, "refused", "the model refused", text)


def _asked_back(*replies: Sequence[Part]) -> Scenario:
    return Scenario(replies, "asked_back", "2 ways", "This can be read in two ways:")


def _held(*replies: Sequence[Part], text: str = "") -> Scenario:
    return Scenario(replies, "filtered", "filter held", text, otherwise=("refused", "the model refused"))


CHART = {"mark": "bar", "encoding": {"x": {"field": "status"}, "y": {"field": "n", "type": "quantitative"}}}
SCENARIOS: dict[str, Scenario] = {
    # answers
    "a query and an answer": Scenario([[QUERY], FOUR]),
    "a search, a query and an answer": Scenario([[META], [QUERY], FOUR]),
    "both tools in one reply": Scenario([[META, QUERY], FOUR]),
    "two queries in one reply": Scenario([[QUERY, Call("svcSqlApi", BY_STATUS, "q2")], FOUR]),
    "no query at all": Scenario([[Text("Hello, ask me about orders.")]], text="Hello, ask me about orders."),
    "thoughts before an answer": Scenario([[Thought("Let me see."), QUERY], [Thought("So."), *FOUR]]),
    "words before a query": Scenario([[Text("Let me look."), QUERY], FOUR]),
    "text that was not the answer": Scenario([[QUERY], [Text("One more look."), QUERY], FOUR]),
    "one long piece": Scenario([[QUERY], [Text(SAID + " " + "word " * 4_000, 1)]]),
    "very many pieces": Scenario([[QUERY], [Text(SAID + " word" * 200, 600)]]),
    "markdown and marks": Scenario([[QUERY], [Text("**There are 4 orders.** <b>x</b> & `y`")]], text="There are 4 orders."),
    "another script": Scenario([[QUERY], [Text("有 4 个订单。 🛫")]], text="🛫"),
    "a chart that fits": Scenario([[Call("svcSqlApi", {**BY_STATUS, "vegaSpec": json.dumps(CHART)})], FOUR]),
    "a chart that does not fit": Scenario([[Call("svcSqlApi", {**COUNT, "vegaSpec": json.dumps(CHART)})], FOUR]),
    "a chart that is no JSON": Scenario([[Call("svcSqlApi", {**COUNT, "vegaSpec": "{no"})], FOUR]),
    "unknown arguments": Scenario([[Call("svcSqlApi", {**COUNT, "colour": "red"})], FOUR]),
    "calls that share an id": Scenario([[Call("svcSqlApi", COUNT, "0")], [Call("svcSqlApi", BY_STATUS, "0")], FOUR]),
    # mended on the way
    "a refused query, mended": Scenario([[Call("svcSqlApi", WRONG)], [QUERY], FOUR]),
    "three refused queries": Scenario([[Call("svcSqlApi", WRONG)]] * 3 + [[Text("I could not.")]], text="I could not."),
    "a table that is not there": Scenario([[Call("svcSqlApi", {**COUNT, "sqlQuery": "SELECT 1 FROM no"})], [QUERY], FOUR]),
    "arguments cut in half": Scenario([[Call("svcSqlApi", '{"sqlQuery": "SELECT MEASURE(co')], [QUERY], FOUR]),
    "arguments that are a list": Scenario([[Call("svcSqlApi", "[1, 2]")], [QUERY], FOUR]),
    "arguments that are a text": Scenario([[Call("svcSqlApi", '"SELECT 1"')], [QUERY], FOUR]),
    "arguments of another type": Scenario([[Call("svcSqlApi", {**COUNT, "sqlQuery": 17})], [QUERY], FOUR]),
    "no arguments": Scenario([[Call("svcSqlApi", {})], [QUERY], FOUR]),
    "a search for nothing": Scenario([[Call("svcMeta", {})], [QUERY], FOUR]),
    "a tool that is not there": Scenario([[Call("dropTables", {"all": True})], [QUERY], FOUR]),
    "empty, then an answer": Scenario([[QUERY], [Text("")], FOUR]),
    "a figure found nowhere, mended": Scenario([[QUERY], [Text("There are 48,210 orders.")], FOUR]),
    "a figure found nowhere, kept": Scenario([[QUERY], [Text("There are 48,210 orders.")]], text="Not found in the results: 48,210"),
    # asked back
    "asked which reading is meant": _asked_back([CHOICES]),
    "asked after a query and words": _asked_back([Text("Let me look."), QUERY], [Text("Hm."), CHOICES]),
    "asked with one reading, mended": _asked_back([Call("svcChoices", {"queries": [PAID, PAID]})], [CHOICES]),
    "asked with what is refused": Scenario([[Call("svcChoices", {"queries": [PAID, "SELECT x FROM no"]})], [QUERY], FOUR]),
    # asked to wait
    "too many requests": Scenario([[Status(429, SLOW)], [QUERY], FOUR]),
    "overloaded for a moment": Scenario([[Status(529, SLOW)], [QUERY], FOUR]),
    "unavailable for a moment": Scenario([[Status(503, SLOW)], [QUERY], FOUR]),
    "asked to wait twice": Scenario([[Status(429, SLOW)], [Status(529, SLOW)], [QUERY], FOUR]),
    "asked to wait after a query": Scenario([[QUERY], [Status(429, SLOW)], FOUR]),
    # ended by the model
    "cut in its text": _cut([QUERY], [Text("There are"), Ends("length")], text="There are"),
    "cut before a query": _cut([Text("Well,"), Ends("length")], text="Well,"),
    "cut before any text": _cut([Ends("length")], text="before it had written an answer"),
    "cut in a call": _cut([Call("svcSqlApi", '{"sqlQuery": "SELECT'), Ends("length")], text="before it had written an answer"),
    "cut after thoughts": _cut([Thought("Let me see."), Ends("length")], text="before it had written an answer"),
    "refused in words": _refused([Ends("refusal", WORDS)]),
    "refused after a query": _refused([QUERY], [Ends("refusal", WORDS)]),
    "refused after thoughts": _refused([Thought("No."), Ends("refusal", WORDS)]),
    "held back": _held([Ends("filter")]),
    "held back in its text": _held([QUERY], [Text("There are"), Ends("filter")], text="There are"),
    "held back after a query": _held([QUERY], [Ends("filter")]),
    # ended by a limit
    "too many calls of the model": _capped([[QUERY]], "3 model calls", requests=3),
    "too many tools": _capped([[QUERY]], "2 tool calls", tool_calls=2),
    "too many tokens": _capped([[QUERY]], "40 tokens", tokens=40),
    "too long": _capped([[QUERY]], "time limit of 0 seconds", seconds=0.0),
    # ended by the provider
    "the key is refused": _failed(Status(401), detail="refused the key"),
    "no such model": _failed(Status(404), detail="model"),
    "out of order": _failed(Status(500)),
    "overloaded for good": _failed(Status(529, SLOW), retries=1),
    "too many requests for good": _failed(Status(429, SLOW), detail="rate limit", retries=1),
    "broken off in its text": _failed(Text("Let me"), Cut()),
    "broken off in a call": _failed(Call("svcSqlApi", COUNT), Cut()),
    "broken off at once": _failed(Cut()),
    "no JSON": _failed(Raw(b"data: {not json\n\n")),
    "bytes that are no text": _failed(Raw(b'data: {"id": "\xff\xfe", not json\n\n')),
    "empty for good": _failed(Text(""), detail="empty"),
}  # fmt: skip


class ScenarioAnalyst:
    """Answers a question ``"<dialect>: <scenario>"`` with a language model whose provider does what the scenario says."""

    name = "scenarios"

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._providers = {
            dialect: self._stack.enter_context(Provider(self._reply)) for dialect in ("openai", "anthropic")
        }

    def close(self) -> None:
        self._stack.close()

    def _reply(self, index: int, request: dict[str, Any]) -> Sequence[Part]:
        question = next(text for text in _questions(request) if text in QUESTIONS)
        scenario = SCENARIOS[question.partition(": ")[2]]
        with self._lock:
            place = self._asked[question]
            self._asked[question] += 1
        return scenario.replies[min(place, len(scenario.replies) - 1)]

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []

    async def answer(self, turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        dialect, _, name = turn.question.partition(": ")
        self._asked[turn.question] = 0
        options = {"api_key": "sk-test-key", "retries": 2, **SCENARIOS[name].options, "fallback": Fallback()}
        url = self._providers[dialect].url
        spec = {"openai": f"{url}/v1#m", "anthropic": "anthropic:m"}[dialect]
        if dialect == "anthropic":
            options["base_url"] = url
        analyst: Any = make_analyst(spec, options=options)
        try:
            async with aclosing(analyst.answer(turn, toolbox, cancel)) as events:
                async for event in events:
                    yield event
        finally:
            await analyst.aclose()


class Fallback(OfflineAnalyst):
    """Answers what can be read in any scenario's name."""

    async def answer(self, turn: Turn, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        async with aclosing(super().answer(Turn("how many orders"), toolbox, cancel)) as events:  # type: ignore[type-var]
            async for event in events:
                yield event

    async def draft(self, turn: Turn, toolbox: Any) -> None:
        return None


QUESTIONS = {f"{dialect}: {name}": (dialect, name) for dialect in ("openai", "anthropic") for name in SCENARIOS}


@contextmanager
def scenario_service() -> Iterator[Any]:
    """A client of a service whose analyst acts the scenarios."""
    analyst = ScenarioAnalyst()
    config = {"attributes": {"region": {"type": "string_array"}}}
    try:
        with svc.embedded(model=MODEL, data={"orders": ORDERS}, config=config, analyst=analyst) as client:
            yield client
    finally:
        analyst.close()


def chat_of(client: Any) -> Any:
    """A new thread of somebody who may see the orders of EMEA."""
    return client.chat(external_id="ana", user_attributes={"region": ["EMEA"]})


def _questions(request: dict[str, Any]) -> Iterator[str]:
    for message in reversed(request["messages"]):
        content = message.get("content") or ""
        for block in [{"text": content}] if isinstance(content, str) else content:
            yield str(block.get("text"))
