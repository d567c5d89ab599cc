"""Many chats at once, and whether each was told all of its own and nothing else.

    python -m benchmarks.load                                     500 chats, embedded and over HTTP with two workers
    python -m benchmarks.load --store postgresql+psycopg://svc@127.0.0.1/svc --rounds 10
    python -m benchmarks.load --url http://127.0.0.1:8080 --key KEY --account acme --agent data-analyst

A chat is two questions, one after the other in one thread, of a user who may see one city of a table; each is one
query under that policy, and none is kept from before. Where the service sends what a question was read as (`reading`),
that is given with the question: what is measured is serving, not reading. Every line is looked at once all have come:
answers that failed, that lack their end or their rows, lines that came twice or out of order, cities of others. Any
service that speaks the protocol can stand in the place of ours; it needs the table (`--keep FOLDER` leaves it there).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

__all__ = [
    "Embedded",
    "Load",
    "Network",
    "Way",
    "bare",
    "main",
    "quantile",
    "readings_of",
    "run_load",
    "served",
    "table",
    "told",
    "world",
]

ROWS = 200_000
FAULTS = ("errors", "lost", "doubled", "reordered", "foreign")
QUESTIONS = ("revenue by city", "orders by city")
QUERIES = (
    "SELECT city, SUM(amount) AS revenue FROM orders WHERE city IN (?) GROUP BY 1 ORDER BY 1",
    "SELECT city, COUNT(*) AS number FROM orders WHERE city IN (?) GROUP BY 1 ORDER BY 1",
)
MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures: [{name: count, type: count}, {name: revenue, sql: amount, type: sum}]
    access_policy:
      - {group: "*", row_level: {filters: [{member: city, operator: equals, values: ["{ userAttributes.city }"]}]}}
"""
CONFIG = """
account: acme
attributes: {city: string_array}
api_keys: [{name: backend, key: of-acme, admin: true}]
kept_memory: 0
kept_disk: 0
reload_interval: 0
ephemeral_ttl: 600
"""


@dataclass
class Answer:
    """One answer as it came."""

    city: str
    began: float
    status: int = 0
    first: float = 0.0
    ended: float = 0.0
    body: bytes = b""

    @property
    def chat_id(self) -> str:
        line = json.loads(self.body.partition(b"\n")[0] or b"{}")
        return str((line.get("state") or {}).get("chatId") or line.get("chatId") or "")


@dataclass
class Load:
    """What came of a round of chats."""

    answers: list[Answer] = field(default_factory=list)
    wall: float = 0.0
    cpu: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)

    def first(self, part: float) -> float:
        """Seconds until the first line, for that part of all answers."""
        return quantile([each.first - each.began for each in self.answers], part)

    def whole(self, part: float) -> float:
        return quantile([each.ended - each.began for each in self.answers], part)


class Way(Protocol):
    """How a service is reached, and what it spends."""

    async def post(self, path: str, body: dict[str, Any]) -> AsyncIterator[tuple[int, bytes]]:
        """Status and pieces of an answer, as they come."""
        yield 0, b""

    def cpu(self) -> float:
        """Seconds that the service has computed."""
        ...

    def memory(self) -> float:
        """Megabytes it holds now."""
        ...


async def run_load(way: Way, path: str, chats: int, readings: dict[str, Any], *, begin: int = 0) -> Load:
    """So many chats at once, of users who have not asked before."""
    load = Load()
    wall, cpu = time.perf_counter(), way.cpu()
    await asyncio.gather(*(_chat(way, path, number, begin + number, readings, load) for number in range(chats)))
    load.wall, load.cpu = time.perf_counter() - wall, way.cpu() - cpu
    for answer in load.answers:
        load.faults.update(told(answer.body, answer.city) if answer.status == 200 else ["errors"])
    load.faults["lost"] += 2 * chats - len(load.answers)
    return load


async def _chat(way: Way, path: str, place: int, user: int, readings: dict[str, Any], load: Load) -> None:
    city = _city(place)
    settings = {"externalId": f"user{user}", "userAttributes": [{"name": "city", "value": [city]}]}
    chat: dict[str, Any] = {}
    for question in QUESTIONS:
        reading = {"reading": readings[question]} if readings.get(question) else {}
        answer = await _asked(way, path, {"input": question, "sessionSettings": settings, **chat, **reading}, city)
        load.answers.append(answer)
        chat = {"chatId": answer.chat_id}


async def _asked(way: Way, path: str, body: dict[str, Any], city: str) -> Answer:
    answer = Answer(city, time.perf_counter())
    pieces: list[bytes] = []
    async for answer.status, piece in way.post(path, body):
        if not pieces:
            answer.first = time.perf_counter()
        pieces.append(piece)
    answer.ended, answer.body = time.perf_counter(), b"".join(pieces)
    answer.first = answer.first or answer.ended
    return answer


async def readings_of(way: Way, path: str) -> dict[str, Any]:
    """What the service says that each question was read as, where it says so."""
    found: dict[str, Any] = {}
    settings = {"externalId": "reader", "userAttributes": [{"name": "city", "value": [_city(0)]}]}
    for question in QUESTIONS:
        answer = await _asked(way, path, {"input": question, "sessionSettings": settings}, _city(0))
        for line in map(json.loads, answer.body.splitlines()):
            call = line.get("toolCall") or {}
            if call.get("result") and "reading" in (asked := _parsed(call.get("input"))):
                found[question] = asked["reading"]
    return found


def told(body: bytes, city: str) -> Iterator[str]:
    """What is wrong with an answer's lines, one word for each."""
    lines = [json.loads(line) for line in body.splitlines()]
    ids = [line.get("id") for line in lines]
    if any("error" in line for line in lines):
        yield "errors"
    if "__state__" not in ids or not any(city in json.dumps(line.get("toolCall") or {}) for line in lines):
        yield "lost"
    sorts = [line["sort"] for line in lines if isinstance(line.get("sort"), int) and line.get("id") != "__cutoff__"]
    if len(set(sorts)) < len(sorts) or len([each for each in ids if each == "__state__"]) > 1:
        yield "doubled"
    if sorts != sorted(sorts):
        yield "reordered"
    if set(re.findall(rb"town\d{5}", body)) - {city.encode()}:
        yield "foreign"


def _city(number: int) -> str:
    return f"town{number:05d}"


def _parsed(text: Any) -> dict[str, Any]:
    return json.loads(text) if isinstance(text, str) else dict(text or {})


def quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


# --- the ways --------------------------------------------------------------------------------------------------------


class Network:
    """A service on a port; a connection for each chat's answer, HTTP/1.1, nothing but the standard library."""

    def __init__(self, url: str, key: str, processes: Callable[[], list[int]] = list) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._key, self._processes = key, processes

    async def post(self, path: str, body: dict[str, Any]) -> AsyncIterator[tuple[int, bytes]]:
        reader, writer = await asyncio.open_connection(self._host, self._port, limit=2**20)
        try:
            content = json.dumps(body).encode()
            head = (
                f"POST {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nAuthorization: Api-Key {self._key}\r\n"
                f"Content-Type: application/json\r\nConnection: close\r\nContent-Length: {len(content)}\r\n\r\n"
            )
            writer.write(head.encode() + content)
            answered = await reader.readuntil(b"\r\n\r\n")
            status = int(answered.split(b" ", 2)[1])
            chunked = b"transfer-encoding: chunked" in answered.lower()
            while piece := await (_chunk(reader) if chunked else reader.read(65_536)):
                yield status, piece
        finally:
            writer.close()

    def cpu(self) -> float:
        return sum(map(_spent, self._processes()))

    def memory(self) -> float:
        return sum(map(_held, self._processes()))


async def _chunk(reader: asyncio.StreamReader) -> bytes:
    size = int(await reader.readline() or b"0", 16)
    return (await reader.readexactly(size + 2))[:-2]


class Embedded:
    """The service in this process, asked as an embedded client asks it."""

    def __init__(self, app: Any, key: str) -> None:
        self._app, self._key = app, key

    async def post(self, path: str, body: dict[str, Any]) -> AsyncIterator[tuple[int, bytes]]:
        said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        content = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
        gone = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if content:
                return content.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        headers = [(b"authorization", f"Api-Key {self._key}".encode()), (b"content-type", b"application/json")]
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers,
            "root_path": "", "client": None, "server": ("svc.local", 80),
        }  # fmt: skip
        running = asyncio.create_task(self._app(scope, receive, said.put))
        running.add_done_callback(lambda _: said.put_nowait(None))
        status = 0
        while (message := await said.get()) is not None:
            status = message.get("status", status)
            if message.get("body"):
                yield status, message["body"]
        gone.set()
        await running

    def cpu(self) -> float:
        return time.process_time()

    def memory(self) -> float:
        return _held(os.getpid())


def _spent(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _held(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text("ascii"))
    return int(found[1]) / 1024 if found else 0.0


# --- what is asked, and what it costs without a service --------------------------------------------------------------


def world(folder: Path, cities: int, rows: int = ROWS) -> None:
    """Data, model and configuration, in a folder."""
    import duckdb

    (folder / "model").mkdir(exist_ok=True)
    (folder / "model" / "orders.yml").write_text(MODEL)
    (folder / "service.yml").write_text(CONFIG)
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(table(cities, rows))


def table(cities: int, rows: int = ROWS) -> str:
    """The SQL that makes the table."""
    return (
        f"CREATE TABLE orders AS SELECT range AS id, format('town{{:05d}}', range % {cities}) AS city, "
        f"(range % 97)::DOUBLE AS amount FROM range({rows})"
    )


def bare(folder: Path, chats: int) -> float:
    """Seconds computed for the same queries by DuckDB alone, each of them prepared anew."""
    import duckdb

    with duckdb.connect(str(folder / "shop.duckdb"), read_only=True) as connection:
        for query in QUERIES:
            connection.cursor().execute(query, [_city(0)]).fetchall()
        began = time.process_time()
        for number in range(chats):
            for query in QUERIES:
                connection.cursor().execute(query, [_city(number)]).fetchall()
        return time.process_time() - began


@contextmanager
def embedded(folder: Path, store: str) -> Iterator[tuple[Embedded, Callable[[Any], Any]]]:
    """The service in this process, and what runs a coroutine beside it."""
    from svc_notebook.client.engine.lifespan import Lifespan
    from svc_notebook.client.engine.portal import engine
    from svc_notebook.semantic.engine import DuckDBEngine
    from svc_notebook.semantic.layer import SemanticLayer
    from svc_notebook.semantic.loader import load_model
    from svc_notebook.service.app import create_app
    from svc_notebook.service.config import load_config
    from svc_notebook.service.deployments.sites import Site
    from svc_notebook.service.runtime import Service

    layer = SemanticLayer(load_model(folder / "model"), DuckDBEngine.open(folder / "shop.duckdb"))
    config = load_config(folder / "service.yml")
    app = create_app(Service(config, {Site("acme", 1): {"main": layer}}, store))
    lifespan = Lifespan(app)
    engine().run(lifespan.start())
    try:
        yield Embedded(app, "of-acme"), engine().run
    finally:
        engine().run(lifespan.stop())
        layer.close()


@contextmanager
def served(folder: Path, store: str, workers: int) -> Iterator[Network]:
    """The service with so many workers, in processes of its own."""
    log = folder / "log"
    command = [sys.executable, "-m", "svc_notebook.cli", "serve", "--model", "model", "--database", "shop.duckdb"]
    words = ["--config", "service.yml", "--store", store, "--workers", str(workers), "--port", "0"]
    with log.open("wb") as out:
        process = subprocess.Popen([*command, *words], cwd=folder, stdout=out, stderr=out)
    try:
        while not (found := re.search(r"running on (http://[\d.:]+)", log.read_text("utf-8"))):
            if process.poll() is not None:
                raise SystemExit(log.read_text("utf-8"))
            time.sleep(0.05)
        children = [int(each) for each in re.findall(r"is process (\d+)", log.read_text("utf-8"))]
        yield Network(found[1], "of-acme", lambda: children or [process.pid])
    finally:
        process.terminate()
        process.wait(60)


def report(name: str, load: Load, floor: float) -> dict[str, Any]:
    """The figures of a round, printed as a line."""
    count = len(load.answers)
    faults = ", ".join(f"{load.faults[each]} {each}" for each in FAULTS)
    cpu = (
        f"{count / load.cpu:.0f} a CPU second, {load.cpu / floor:.2f} times bare DuckDB ({floor:.2f} s)"
        if load.cpu
        else "CPU unknown"
    )
    print(
        f"{name}: {count} answers in {load.wall:.1f} s, {count / load.wall:.0f} a second, {cpu}\n"
        f"  first line p50 {load.first(0.5):.3f} s, p99 {load.first(0.99):.3f} s; "
        f"whole p50 {load.whole(0.5):.3f} s, p99 {load.whole(0.99):.3f} s\n  {faults}",
        flush=True,
    )
    return {
        "name": name, "answers": count, "wall": load.wall, "cpu": load.cpu, "bare": floor, **{fault: load.faults[fault] for fault in FAULTS},
        "first": [load.first(0.5), load.first(0.99)], "whole": [load.whole(0.5), load.whole(0.99)],
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--chats", type=int, default=500, help="at once")
    parser.add_argument("--rounds", type=int, default=1, help="one after the other, with users of their own")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--way", choices=["embedded", "http", "both"], default="both")
    parser.add_argument("--store", default="state.sqlite", help="a file in the folder, or a URL")
    parser.add_argument("--url", help="a service that is there already, in the place of ours")
    parser.add_argument("--key", default="of-acme")
    parser.add_argument("--account", default="acme")
    parser.add_argument("--agent", default="data-analyst")
    parser.add_argument("--keep", type=Path, help="the folder for the data, left there")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    path = f"/api/v1/public/{options.account}/agents/{options.agent}/chat/stream-chat-state"
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-load-")))
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "shop.duckdb").exists():
            world(folder, options.chats)
        apart = stack.enter_context(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        floor = partial(_bare_apart, apart, folder, options.chats)
        found = []
        if options.url:
            found += _rounds("given", Network(options.url, options.key), asyncio.run, path, options, floor)
        if options.way != "http" and not options.url:
            with embedded(folder, _placed(options.store, folder)) as (way, run):
                found += _rounds("embedded", way, run, path, options, floor)
        if options.way != "embedded" and not options.url:
            with served(folder, options.store, options.workers) as way:
                found += _rounds(f"HTTP, {options.workers} workers", way, asyncio.run, path, options, floor)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    return int(any(each[fault] for each in found for fault in FAULTS))


def _placed(store: str, folder: Path) -> str:
    return store if "://" in store or store == "memory" else str(folder / f"embedded-{store}")


def _bare_apart(apart: ProcessPoolExecutor, folder: Path, chats: int) -> float:
    """:func:`bare` in a process of its own: before and after each round, since a machine is not as fast all the time."""
    return apart.submit(bare, folder, chats).result()


def _rounds(
    name: str, way: Way, run: Callable[[Any], Any], path: str, options: Any, floor: Callable[[], float]
) -> list[Any]:
    async def prepared() -> dict[str, Any]:
        readings = await readings_of(way, path)
        await run_load(way, path, min(100, options.chats), readings, begin=10**6)
        return readings

    readings = run(prepared())
    found, held, before = [], [], floor()
    for number in range(options.rounds):
        load = run(run_load(way, path, options.chats, readings, begin=number * options.chats))
        after = floor()
        found.append(report(name, load, (before + after) / 2))
        before = after
        held.append(way.memory())
        print(f"  memory {held[-1]:.0f} MB", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
