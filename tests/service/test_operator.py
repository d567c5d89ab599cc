"""Five faults, seeded in a served process: the row of `docs/service.md` for what is seen leads to the cause of each.

Nothing is looked at but what the row names: figures of `/metrics`, lines of the log, and what a command says.
"""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest

from svc_notebook.cli.examination import surroundings

from . import service_world

pytestmark = pytest.mark.slow
eventually = partial(service_world.eventually, timeout=600)
ROOT = Path(__file__).parents[2]
MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: number, type: count}]
  - name: pairs
    sql: SELECT a.id AS id FROM orders a, orders b, orders c WHERE a.id + b.id + c.id > 3
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: number, type: count}]
"""
CONFIG = """
account: acme
api_keys: [{name: backend, key_env: ACME_KEY, admin: true}]
reload_interval: 0.2
slow_query: 0.05
reader_grace: 0.01
audit_log: %s
"""
KEYS = {"Authorization": "Api-Key of-acme"}
HOLD = (
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
    "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
)


@dataclass(frozen=True)
class Row:
    """What the page says to look at for something that is seen."""

    figures: tuple[str, ...]
    log: tuple[str, ...]
    command: str
    cause: str


def row(seen: str) -> Row:
    page = (ROOT / "docs" / "service.md").read_text("utf-8").partition("### From a symptom to its cause")[2]
    cells = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("|")]
    (found,) = [each for each in cells if each[0].strip() == seen]
    figures, log, command = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in found[1:4])
    return Row(figures, log, command[0] if command else "", found[4].strip())


class Served:
    """A served process, and what an operator can see of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log_file = folder / "log"
        self.store = folder / "state.sqlite"
        (folder / "model").mkdir()
        (folder / "model" / "orders.yml").write_text(MODEL)
        (folder / "service.yml").write_text(CONFIG % (folder / "audit"))
        with (folder / "orders.csv").open("w") as file:
            csv.writer(file).writerows([["id"], *([number] for number in range(1, 501))])
        words = [
            "--model",
            "model",
            "--data",
            "orders=orders.csv",
            "--config",
            "service.yml",
            "--store",
            "state.sqlite",
        ]
        options = ["--port", "0", "--log-level", "info", "--log-format", "json"]
        with self.log_file.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "svc_notebook.cli", "serve", *words, *options],
                cwd=folder, stdout=out, stderr=out, env=ENVIRONMENT,
            )  # fmt: skip
        eventually(lambda: self.process.poll() is not None or "Application startup complete" in self.told())
        eventually(lambda: self.process.poll() is not None or "running on http://" in self.told())
        address = re.search(r"running on (http://[\d.:]+)", self.told())
        assert address is not None, self.told()
        self.http = httpx.Client(base_url=address[1], headers=KEYS, timeout=600)

    def told(self) -> str:
        return self.log_file.read_text("utf-8")

    def figure(self, name: str) -> float:
        text = self.http.get("/metrics", headers={"Authorization": "Bearer of-the-scraper"}).text
        return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name + " "))

    def sql(self, text: str) -> int:
        return self.http.post("/svc-api/v1/sql", json={"query": text}).status_code

    def session(self) -> int:
        body = {"deploymentId": 1, "externalId": "ana"}
        return self.http.post("/api/v1/embed/generate-session", json=body).status_code

    def said_by(self, command: str) -> str:
        """What the options of `doctor` find (its other checks are of the environment, and tests/cli has them)."""
        words = command.split()
        assert words[:2] == ["svc-notebook", "doctor"]
        look = {"--store": surroundings.store, "--model": lambda url: surroundings.model(Path(url))}[words[2]]
        return "\n".join(f"{finding.level} {finding.what}" for finding in look(str(self.folder / words[3])))

    @contextmanager
    def looked_at(self, seen: str) -> Iterator[Row]:
        """While the block makes the fault: every figure and every word of the log that the row names comes up."""
        steps = row(seen)
        assert steps.figures
        assert steps.log
        before = {name: self.figure(name) for name in steps.figures}
        known, risen, over = len(self.told()), set[str](), threading.Event()

        def look() -> None:
            while not over.wait(0.02):
                risen.update(name for name in steps.figures if self.figure(name) > before[name])

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield steps
            eventually(lambda: risen == set(steps.figures))
            eventually(lambda: all(words in self.told()[known:] for words in steps.log))
        finally:
            over.set()
            looking.join()


ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(ROOT / "src"), "ACME_KEY": "of-acme", "SVC_METRICS_KEY": "of-the-scraper",
}  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("served"))
    try:
        yield running
    finally:
        running.http.close()
        running.process.send_signal(signal.SIGINT)
        running.process.wait(60)


def test_a_locked_store(served: Served) -> None:
    assert served.session() == 200
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(served.store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with served.looked_at("sessions and new questions are 503, metadata is not") as steps:
            assert served.session() == 503
        assert f"process {other.pid}" in served.told()
        assert f"process {other.pid}" in served.said_by(steps.command)
        assert other.stdin is not None
        other.stdin.close()
    assert served.session() == 200


def test_a_model_that_does_not_hold(served: Served) -> None:
    file = served.folder / "model" / "orders.yml"
    with served.looked_at("answers are older than the data") as steps:
        file.write_text(MODEL.replace("type: count", "type: cuont", 1))
    assert served.sql("SELECT MEASURE(number) FROM orders") == 200, "the last good one still answers"
    assert "cuont" in served.told()
    assert "cuont" in served.said_by(steps.command)
    file.write_text(MODEL)
    eventually(lambda: served.figure("svc_generation_held_back") == 0)


def test_queries_that_hold_every_place(served: Served) -> None:
    with ThreadPoolExecutor(12) as threads:
        with served.looked_at("questions wait"):
            asked = [threads.submit(served.sql, f"SELECT MEASURE(number) + {n} FROM pairs") for n in range(12)]
        assert {one.result() for one in asked} <= {200, 400, 503}
    (slow, *_) = [
        json.loads(line) for line in served.told().splitlines() if '"svc_notebook.slow"' in line and "pairs" in line
    ]
    request = slow["message"].split("request ")[1].split(":")[0]
    eventually(lambda: any(request in path.read_text("utf-8") for path in (served.folder / "audit").iterdir()))


def test_a_proxy_that_cuts_streams(served: Served) -> None:
    with served.looked_at("answers end early"):
        for _ in range(2):
            cut(served, "number of pairs")


def cut(served: Served, question: str) -> None:
    """A reader whose connection ends after the first line, as a proxy's timeout does it."""
    url = served.http.base_url
    body = json.dumps({"input": question, "sessionSettings": {"externalId": "ana"}})
    with socket.create_connection((url.host, url.port)) as connection:
        connection.sendall(
            f"POST /api/v1/public/acme/agents/data-analyst/chat/stream-chat-state HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Api-Key of-acme\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


def test_a_store_that_was_moved(served: Served) -> None:
    """The last: only a restart, or the file in its place again, mends it."""
    with served.looked_at("everything is 503") as steps:
        served.store.rename(served.folder / "elsewhere.sqlite")
        assert served.session() == 503
    assert str(served.store) in served.told()
    assert served.http.get("/readyz").json()["checks"]["store"] != "ok"
    assert "there is no state store" in served.said_by(steps.command)
    assert not served.store.exists(), "looking changes nothing"
