"""Faults of a turn rather than of a store, over each store: they end told, and what was told is what is kept."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import select

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, ToolFinished, ToolStarted
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, ToolError, dump
from svc_notebook.semantic.engine import DuckDBEngine, EngineLimits
from svc_notebook.semantic.errors import ModelError
from svc_notebook.service.store.schema import turns

from ..generations.files import table, write
from ..generations.test_each_kind import ASKED, MODEL, NEVER
from ..generations.test_turns import Twice
from ..llm.provider import Call, Cut, Hang, Part, Provider, Raw, Status, Text

Open = Callable[..., EmbeddedClient]
ORDERS = pd.DataFrame({"id": range(4), "city": ["Rome", "Oslo", "Rome", "Bonn"]})
COUNT = {"sqlQuery": ASKED, "queryTitle": "Orders"}
FAULTS: dict[str, list[Part]] = {
    "silence": [Text("let me"), Hang()], "half a call": [Call("svcSqlApi", '{"sqlQuery": "SEL')],
    "cut in a call": [Call("svcSqlApi", '{"sqlQuery": "SEL'), Cut()], "a tool that raises": [Call("svcSqlApi", COUNT)],
    "no such tool": [Call("dropTables", {})], "a huge piece": [Text("x" * 1_000_000, 1)],
    "no text": [Raw(b"\xff\xfe data: \xc3\n\n")], "no JSON": [Raw(b"data: {not json\n\n")], "broken off": [Cut()],
    "out of order": [Status(500)], "an answer": [Text("There are 4.")], "a query that is refused": [
        Call("svcSqlApi", {"sqlQuery": "SELECT nothing FROM nowhere", "queryTitle": "t"})],
}  # fmt: skip


@pytest.fixture
def opened(durable_url: str) -> Iterator[Open]:
    """Open services over the store, one after the other or beside each other."""
    with ExitStack() as stack:
        yield lambda **given: stack.enter_context(svc.embedded(store=durable_url, **given))


@pytest.fixture
def sick_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second query over the data breaks in a way that nobody foresaw."""
    run, asked = DuckDBEngine._run, iter(range(10**6))

    def raising(engine: Any, sql: str, *others: Any) -> Any:
        if "orders" in sql and next(asked) % 2:
            raise RuntimeError("the tool broke")
        return run(engine, sql, *others)

    monkeypatch.setattr(DuckDBEngine, "_run", raising)


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 108), marks=pytest.mark.soak)], ids=["few", "100"])
@pytest.mark.usefixtures("sick_tool")
def test_whatever_a_provider_does_a_turn_ends_and_is_kept_as_it_was_told(seeds: range, opened: Open) -> None:
    pytest.importorskip("pydantic_ai")
    from svc_notebook.analyst.registry import make_analyst

    replied: Counter[str] = Counter()

    def reply(_: int, request: dict[str, Any]) -> list[Part]:
        seed = re.findall(r"seed \d+", str(request["messages"]))[-1]
        replied[seed] += 1  # a chat asks one request at a time
        return FAULTS[random.Random(f"{seed}, {replied[seed]}").choice(sorted(FAULTS))]

    with Provider(reply) as provider:
        options = {"api_key": "k", "retries": 0, "caps": {"requests": 5, "seconds": 2.0}}
        analyst = make_analyst(f"{provider.url}/v1#m", options=options)
        client = opened(model=_model(), data={"orders": ORDERS}, analyst=analyst)
        chats = {seed: client.chat(external_id=f"user-{seed}", is_ephemeral=False) for seed in seeds}

        def ask(seed: int) -> tuple[str, ...]:
            frames = list(stream := chats[seed].stream(f"seed {seed}"))
            assert {"__state__", "__usage__"} <= {frame.id for frame in frames} or stream.answer.error, seed
            assert all(call.state != "running" for call in stream.answer.tool_calls), seed
            return _kept(stream.answer)

        with ThreadPoolExecutor(4) as pool:
            told = dict(zip(seeds, pool.map(ask, seeds), strict=True))
        running = select(turns.c.number).where(turns.c.status == "running")
        assert client.service.store.read(lambda connection: connection.execute(running).all()) == []
        client.restart()
        assert {seed: _kept(chats[seed].history()[-1]) for seed in seeds} == told


def _kept(answer: Any) -> tuple[str, ...]:
    return (answer.status, answer.outcome, answer.text, *(call.state for call in answer.tool_calls))


def _model() -> dict[str, Any]:
    import yaml

    model: dict[str, Any] = yaml.safe_load(MODEL.replace("primary_key: true", "primary_key: true, public: true"))
    return model


class Needing:
    """Asks for a query whose rows are kept to the last: as many as the question says."""

    name = "needing"

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> Any:
        request = SqlInput(sql_query=needing(int(turn.question)))
        yield ToolStarted("call", SQL_TOOL, dump(request))
        result = await toolbox.sql_api(request)
        yield ToolFinished("call", SQL_TOOL, dump(request), dump(result))
        yield AnswerDone(result.error if isinstance(result, ToolError) else f"{result.data[0][0]:,}")

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


def needing(times: int) -> str:
    return (
        "SELECT length(string_agg('xxxxxxxxxxxxxxxxxxxx', ',')) AS n FROM orders a "
        f"CROSS JOIN (SELECT id AS i FROM orders WHERE id < {times}) c"
    )


def test_queries_without_memory_end_alone(opened: Open) -> None:
    """Ten that do not fit beside ten that do: each is told as it was, and the process takes no more than its limit."""
    orders = pd.DataFrame({"id": range(1_000), "city": ["Rome", "Oslo"] * 500})
    limits = EngineLimits(memory="64MB", temp="1MB", threads=2)
    client = opened(model=_model(), data={"orders": orders}, analyst=Needing(), limits=limits)
    chats = [client.chat(external_id=f"user-{number}", is_ephemeral=False) for number in range(20)]
    chats[0].ask("1")  # what is made with the first question is no query's
    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the highest is counted from here
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda number: chats[number].ask(str(1_000 if number % 2 else 1)), range(20)))
    assert {answer.text for answer in answers[::2]} == {"20,999"}
    assert all("more memory than it may use" in answer.text for answer in answers[1::2])
    assert _memory("VmHWM") - before < 64 + 200
    client.restart()
    assert [chat.history()[-1].text for chat in chats] == [answer.text for answer in answers]
    assert client.sql(ASKED).n[0] == 1_000


def _memory(name: str) -> float:
    """In MB."""
    return int(re.findall(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text("utf-8"))[0]) / 1024


def test_a_model_that_changes_meanwhile_is_one_model_for_each_turn(opened: Open, tmp_path: Path) -> None:
    """One that does not hold leaves the last good one, over a restart too, and the thread says what it said."""
    (tmp_path / "model").mkdir()
    file = tmp_path / "model" / "orders.yml"
    file.write_text(MODEL)
    write(tmp_path / "orders.csv", table(0, 10))
    twice = Twice()
    client = opened(model=tmp_path / "model", data={"orders": tmp_path / "orders.csv"}, analyst=twice, config=NEVER)
    chat, answers = client.chat(external_id="ana", is_ephemeral=False), list[Any]()
    asking = threading.Thread(target=lambda: answers.append(chat.ask("how many")))
    asking.start()
    assert twice.halfway.wait(60)
    file.write_text(MODEL.replace("type: count", "type: cuont"))
    with pytest.raises(ModelError, match="cuont"):
        client.reload()
    file.write_text(MODEL.replace("sql: id, type: sum", "sql: id + 1, type: sum"))
    assert client.reload().generation == 2
    assert int(client.sql(ASKED).s[0]) == 55
    twice.go_on.set()
    asking.join(60)
    assert answers[0].text.count("[10, 45") == 2, "a turn ends by the model it began with"
    file.write_text("cubes: [")
    with pytest.raises(ModelError):
        client.reload()
    client.restart()
    assert chat.history()[-1].text == answers[0].text
    assert chat.ask("how many").text.count("[10, 55") == 2
