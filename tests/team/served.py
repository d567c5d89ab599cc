"""`svc-notebook serve` as a process, and clients that stay with one of its workers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

__all__ = ["Served", "Worker", "eventually", "served"]

PATIENCE = 240.0
"""Seconds: for a machine that has much else to do."""
CHAT = "/api/v1/public/acme/agents/data-analyst/chat/stream-chat-state"
QUICK, SLOW = "how many orders", "total of weight of stones"
MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
    measures: [{name: number, type: count}]
    access_policy:
      - {group: "*", row_level: {filters: [{member: region, operator: equals, values: ["{ userAttributes.region }"]}]}}
  - name: stones
    sql: SELECT a.range AS id, hash(a.range * b.range) AS weight FROM range(10000000) a, range(1000000) b
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: weight, sql: weight, type: sum}]
"""
CONFIG = """
account: acme
attributes: {region: string_array}
api_keys: [{name: backend, key_env: ACME_KEY, admin: true}, {name: partner, key_env: PARTNER_KEY}]
metrics: open
"""


@dataclass(frozen=True)
class Worker:
    """One of the workers: its number, its process, and two clients of one connection each, which it has.

    Of two, since a connection whose answer still comes cannot be asked.
    """

    number: int
    process: int
    http: httpx.Client
    lines: httpx.Client

    @contextmanager
    def streaming(self, user: str, **body: Any) -> Iterator[Iterator[dict[str, Any]]]:
        """The lines of a question, or of a thread that is read again, while they come."""
        with self.lines.stream("POST", CHAT, json={**body, "sessionSettings": settings(user)}) as response:
            response.raise_for_status()
            yield (json.loads(line) for line in _lines(response))

    def ask(self, user: str, question: str = QUICK, **body: Any) -> list[dict[str, Any]]:
        """All lines of an answer."""
        with self.streaming(user, input=question, **body) as lines:
            return list(lines)

    def read(self, user: str, chat_id: str) -> list[dict[str, Any]]:
        """All lines of a thread as it is now."""
        with self.streaming(user, chatId=chat_id) as lines:
            return list(lines)

    def abort(self, user: str, chat_id: str) -> int:
        body = {"chatId": chat_id, "sessionSettings": {"externalId": user}}
        return self.http.post(f"{CHAT}/abort", json=body).status_code

    def figure(self, name: str) -> float:
        found = re.search(rf"^{re.escape(name)} (\S+)", self.http.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0


class Served:
    """The running server."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self.log = process, log
        self.said("running on")
        address = re.search(r"running on (http://[\d.:]+)", log.read_text("utf-8"))
        assert address is not None
        self.address = address[1]

    def said(self, words: str) -> None:
        """Wait until its log has those words."""
        eventually(lambda: words in self.log.read_text("utf-8"), self.alive)

    def alive(self) -> None:
        assert self.process.poll() is None, self.log.read_text("utf-8")

    def client(self, key: str = "of-acme", **more: Any) -> httpx.Client:
        headers = {"Authorization": f"Api-Key {key}"}
        return httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE, **more)

    def process_of(self, number: int) -> int:
        found = re.findall(rf"worker {number} is process (\d+)", self.log.read_text("utf-8"))
        return int(found[-1])

    @contextmanager
    def workers(self) -> Iterator[tuple[Worker, Worker]]:
        """Both, each with a client of its own."""
        with ExitStack() as stack:
            found: dict[int, list[httpx.Client]] = {1: [], 2: []}
            until = time.monotonic() + PATIENCE
            while min(map(len, found.values())) < 2:
                assert time.monotonic() < until, "one of the workers takes no connection"
                client = stack.enter_context(self.client(limits=httpx.Limits(max_connections=1)))
                found[client.get("/livez").json()["worker"]].append(client)
            one, two = (Worker(number, self.process_of(number), *found[number][:2]) for number in found)
            yield one, two


@contextmanager
def served(folder: Path, *words: str, model: str = MODEL, rows: int = 30) -> Iterator[Served]:
    """`serve` over a small model, in a process of its own."""
    (folder / "model").mkdir(exist_ok=True)
    (folder / "model" / "orders.yml").write_text(model)
    (folder / "service.yml").write_text(CONFIG)
    (folder / "partner.key").write_text("of-partner\n")
    lines = ["id,region", *(f"{n},{('EMEA', 'APAC', 'LATAM')[n % 3]}" for n in range(rows))]
    (folder / "orders.csv").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "svc_notebook.cli", "serve", "--model", "model", "--data", "orders=orders.csv"]
    (folder / "uvloop.py").write_text("raise AssertionError('its listening keeps connections waiting')")
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--config", "service.yml", "--port", "0", *words], cwd=folder, stdout=out, stderr=out,
            env=os.environ | {"ACME_KEY": "of-acme", "PARTNER_KEY_FILE": "partner.key"},
        )  # fmt: skip
    try:
        yield Served(process, log)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def settings(user: str) -> dict[str, Any]:
    return {"externalId": user, "userAttributes": [{"name": "region", "value": ["EMEA"]}]}


def eventually(condition: Callable[[], object], check: Callable[[], None] = lambda: None) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        check()
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.02)


def _lines(response: httpx.Response) -> Iterator[bytes]:
    rest = b""
    for piece in response.iter_raw():
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
