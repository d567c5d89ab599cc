"""A turn answers from one generation, whatever comes meanwhile; what nobody holds any more is closed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, Event, ToolFinished, ToolStarted
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump

from .files import table, write
from .test_each_kind import ASKED, MODEL, NEVER, eventually


class Twice:
    """Asks the same twice, and between waits to be let go on."""

    name = "twice"

    def __init__(self) -> None:
        self.halfway, self.go_on = threading.Event(), threading.Event()

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        said = []
        for _ in range(2):
            request = SqlInput(sql_query=ASKED)
            yield ToolStarted(name := f"call-{len(said)}", SQL_TOOL, dump(request))
            result = await toolbox.sql_api(request)
            yield ToolFinished(name, SQL_TOOL, dump(request), dump(result))
            said.append([*result.data[0], result.as_of])
            self.halfway.set()
            await asyncio.to_thread(self.go_on.wait, 30)
        yield AnswerDone(json.dumps(said))

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "orders.yml").write_text(MODEL)
    write(tmp_path / "orders.csv", table(0, 10))
    return tmp_path


@pytest.fixture
def client(files: Path) -> Iterator[EmbeddedClient]:
    with svc.embedded(files / "model", data={"orders": files / "orders.csv"}, analyst=Twice(), config=NEVER) as client:
        yield client


def test_a_turn_ends_by_what_it_began_with_and_then_that_is_closed(client: EmbeddedClient, files: Path) -> None:
    analyst = client.service.config.tenants[0].agents[0].analyst
    before = client.service.layer.engine
    answers: list[Any] = []
    asking = threading.Thread(target=lambda: answers.append(client.chat().ask("how many")))
    asking.start()
    assert analyst.halfway.wait(30)
    write(files / "orders.csv", table(100, 3))
    client.reload()
    assert int(client.sql(ASKED).n[0]) == 3
    assert before.describe()  # the turn still asks it
    analyst.go_on.set()
    asking.join(30)
    first, second = json.loads(answers[0].text)
    assert first == second and first[:2] == [10, 45]
    assert answers[0].result.as_of == first[2]
    assert eventually(lambda: before._closed)
    assert json.loads(client.chat().ask("how many").text)[0][:2] == [3, 303]


def test_many_reloads_leave_one_engine_open(client: EmbeddedClient, files: Path) -> None:
    engines = []
    for number in range(5):
        write(files / "orders.csv", table(0, number + 1))
        client.reload()
        engines.append(client.service.layer.engine)
        assert int(client.sql(ASKED).n[0]) == number + 1
    assert eventually(lambda: [engine._closed for engine in engines] == [True] * 4 + [False])


def test_a_model_alone_is_swapped_over_the_same_data(client: EmbeddedClient, files: Path) -> None:
    before = client.service.layer.engine
    (files / "model" / "orders.yml").write_text(MODEL.replace("highest", "largest"))
    assert client.reload().generation == 2
    assert client.service.layer.engine is before and not before._closed
    assert "largest" in client.service.layer.model.cubes["orders"].measures[1].name


def test_after_a_restart_the_last_generation_answers(client: EmbeddedClient, files: Path) -> None:
    write(files / "orders.csv", table(0, 2))
    client.reload()
    client.restart()
    assert int(client.sql(ASKED).n[0]) == 2
    client.service.stop()
    write(files / "orders.csv", table(0, 4))
    client.reload()
    client.service.start()
    assert int(client.sql(ASKED).n[0]) == 4
