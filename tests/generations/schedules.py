"""Files and a model that change under chats: what each state of the data would answer, and who may answer when."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, Event, ToolFinished, ToolStarted
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump

from .files import KINDS, table, write
from .test_each_kind import MODEL

OPS = ("replace", "append", "truncate", "empty", "remove", "retype", "edit", "break", "mend", "reload")
ASKED = "SELECT MEASURE(number) AS n, MEASURE(total) AS s FROM orders"


@dataclass
class World:
    """The files, and every state that might be answered from: its rows and sum, since when, until when."""

    folder: Path
    kind: str
    rng: random.Random
    states: list[list[Any]] = field(default_factory=list)
    content: pa.Table = field(default_factory=lambda: table(0, 5))
    edits: int = 0

    @property
    def path(self) -> Path:
        return self.folder / f"orders.{self.kind}"

    @property
    def model(self) -> Path:
        return self.folder / "model" / "orders.yml"

    def begin(self) -> None:
        self.model.parent.mkdir()
        self.model.write_text(MODEL)
        self._put(self.content)

    def do(self, op: str, client: Any) -> None:
        first, count = self.rng.randrange(10_000), self.rng.randint(1, 30)
        if op == "replace":
            self._put(table(first, count))
        elif op == "append":
            self._put(pa.concat_tables([self.content, table(first, count)]))
        elif op == "truncate":
            self._put(self.content.slice(0, max(1, self.content.num_rows // 2)))
        elif op in ("empty", "remove", "retype"):
            self._spoil(op)
        elif op == "edit":
            self.edits += 1
            self._model(MODEL.replace("highest", f"highest_{self.edits}"))
        elif op == "break":
            self._model(MODEL + "\n  - {name: orders, nonsense: true}\n")
        elif op == "mend":
            self._model(MODEL)
        else:
            try:
                client.reload()
            except Exception:  # noqa: BLE001 - what cannot be used is the point; it is told, and chats go on
                pass

    def _put(self, content: pa.Table) -> None:
        now = time.time()
        self._close(now)
        write(self.path, content)
        self.content = content
        self.states.append([[content.num_rows, sum(content["id"].to_pylist())], now, None])

    def _spoil(self, op: str) -> None:
        self._close(time.time())
        if op == "remove":
            self.path.unlink(missing_ok=True)
        elif op == "empty":
            self.path.write_bytes(b"")
        else:
            write(self.path, pa.table({"id": ["a", "b"], "city": ["x", "y"]}))

    def _close(self, now: float) -> None:
        if self.states and self.states[-1][2] is None:
            self.states[-1][2] = now

    def _model(self, text: str) -> None:
        fresh = self.model.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(self.model)

    def fault(self, seen: list[Any], as_of: str) -> str | None:
        """What is wrong with an answer of these figures with this "as of"; None if nothing."""
        moment = datetime.fromisoformat(as_of).timestamp()
        fitting = [state for state in self.states if state[0] == seen]
        if not fitting:
            return f"{seen} is no state the data were ever in"
        for _, since, until in fitting:  # "as of" is told in whole seconds
            if int(since) <= moment and (until is None or moment <= until + _PUT_SECONDS):
                return None
        return f"{seen} was not the state at {as_of}"


_PUT_SECONDS = 5.0  # between closing a state and the file being there


class Thrice:
    """Asks the same three times, a little apart."""

    name = "thrice"

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Event]:
        import asyncio

        said = []
        for number, pause in enumerate(self._pauses):
            request = SqlInput(sql_query=ASKED)
            yield ToolStarted(name := f"call-{number}", SQL_TOOL, dump(request))
            result = await toolbox.sql_api(request)
            yield ToolFinished(name, SQL_TOOL, dump(request), dump(result))
            said.append([result.data[0], result.as_of])
            await asyncio.sleep(pause)
        yield AnswerDone(json.dumps(said))

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


def run_schedule(folder: Path, kind: str, seed: int, ops: list[str], chats: int) -> tuple[int, list[str]]:
    """Run a schedule under so many chats; how many turns were answered, and what was wrong with which."""
    rng = random.Random(seed)
    world = World(folder, kind, rng)
    world.begin()
    source = {"database": world.path} if kind == "duckdb" else {"data": {"orders": world.path}}
    analyst = Thrice([rng.random() * 0.1 for _ in range(3)])
    faults: list[str] = []
    answered = [0]
    over = threading.Event()
    with svc.embedded(folder / "model", **source, analyst=analyst, config={"reload_interval": 0.03}) as client:

        def ask() -> None:
            chat = client.chat()
            while not over.is_set():
                answer = chat.ask("how many")
                if answer.status != "complete":
                    faults.append(f"a turn ended as {answer.status}: {answer.error}")
                    continue
                found = json.loads(answer.text)
                if any(each != found[0] for each in found):
                    faults.append(f"one turn, several generations: {found}")
                elif fault := world.fault(*found[0]):
                    faults.append(fault)
                answered[0] += 1

        threads = [threading.Thread(target=ask) for _ in range(chats)]
        for thread in threads:
            thread.start()
        try:
            for op in ops:
                world.do(op, client)
                time.sleep(rng.random() * 0.25)
        finally:
            over.set()
            for thread in threads:
                thread.join(60)
        world.do("mend", client)
        world.do("replace", client)
        client.reload()
        last = client.sql(ASKED)
        if [int(last.n[0]), int(last.s[0])] != world.states[-1][0]:
            faults.append(f"the last state is not answered from: {last.to_dict()}")
    return answered[0], faults


def schedule(rng: random.Random, length: int) -> tuple[str, list[str]]:
    """A kind of file, and what happens to it and to the model."""
    return rng.choice(KINDS), [rng.choice(OPS) for _ in range(length)]
