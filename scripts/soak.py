"""A served process in fast motion, and whether it ends with the memory, threads and descriptors it began with.

    python scripts/soak.py                  an hour
    python scripts/soak.py --minutes 5 --postgres

Askers chat, leave in the midst, stop answers, mint sessions and read rows, all the time. Beside them the data model is
rewritten every few seconds (every third time into one that does not hold), the store is locked (with `--postgres`: its
server is down, or frozen) for a moment, and a kernel with a service of its own is started, asked and shut down. A tenth
of the time goes into warming up; then memory, threads and descriptors are read, and at the end, when all is quiet
again, once more. Whatever was asked is counted by how it was answered: 200, a refusal that says when to come back, or
something else, which fails the run.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
ASKERS = 4
POOLS = ("svc-", "asyncio", "AnyIO")
"""Pools of so many places each: what fills one while the run goes on is no leak, and is told by its name."""
PLACES = 16
"""More than the largest of them has; one thread for each generation or asker would be more by far."""
MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
    measures: [{name: number, type: count}]
    access_policy: [{group: "*", row_level: {filters: [{member: region, operator: equals, values: [EMEA, APAC]}]}}]
"""
CONFIG = """
account: acme
api_keys: [{name: backend, key_env: ACME_KEY, admin: true}]
reload_interval: 0.5
reader_grace: 1
ephemeral_ttl: 60
kept_memory: 500000
kept_disk: 0
"""
"""Little room for results, so that it is filled before the first reading."""
CHAT = "/api/v1/public/acme/agents/data-analyst/chat/stream-chat-state"
QUESTIONS = ["how many orders", "orders by region", "top 3 regions by orders", "share of orders by region", "hello"]
CELL = (
    "import pandas as pd, svc_notebook as svc\n"
    "asked = svc.embedded(data={'orders': pd.DataFrame({'id': [1, 2], 'region': ['a', 'b']})})\n"
    "assert asked.chat().ask('how many orders').status == 'complete'"
)


WATCHED = """
import ctypes, gc, json, os, signal, sys, threading
from collections import Counter
from pathlib import Path

class Heap(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

def heap():
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        return {}
    libc.mallinfo2.restype = Heap
    now = libc.mallinfo2()
    taken, free = now.uordblks + now.hblkhd, now.fordblks
    return {"taken from malloc, MB": taken / 2**20, "free within malloc, MB": free / 2**20}

def told(*_):
    gc.collect()
    names = Counter(thread.name.rstrip("0123456789").rstrip("_-") for thread in threading.enumerate())
    objects = gc.get_objects()
    kinds = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in objects)
    del objects
    held = {"objects that can hold others": sum(kinds.values()), "blocks of Python": sys.getallocatedblocks(), **heap()}
    if "pyarrow" in sys.modules:
        held["taken by Arrow, MB"] = sys.modules["pyarrow"].total_allocated_bytes() / 2**20
    told = {"threads": names, "held": held, "kinds": kinds}
    Path("told.part").write_text(json.dumps(told))
    os.replace("told.part", "told")

signal.signal(signal.SIGUSR1, told)
from svc_notebook.cli import main
sys.exit(main(sys.argv[1:]))
"""


class Soaked:
    """The served process and its folder."""

    def __init__(self, folder: Path, cluster: Any = None) -> None:
        self.folder, self.log, self.cluster = folder, folder / "log", cluster
        self.model = folder / "model" / "orders.yml"
        store = "state.sqlite" if cluster is None else cluster.database()
        self.model.parent.mkdir()
        self.model.write_text(MODEL)
        (folder / "service.yml").write_text(CONFIG)
        with (folder / "orders.csv").open("w") as file:
            rows = [[number, ("EMEA", "APAC", "LATAM")[number % 3]] for number in range(5_000)]
            csv.writer(file).writerows([["id", "region"], *rows])
        words = f"--model model --data orders=orders.csv --config service.yml --store {store} --port 0 --log-level info"
        with self.log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", WATCHED, "serve", *words.split()],
                cwd=folder, stdout=out, stderr=out, env=os.environ | {"ACME_KEY": "of-acme"},
            )  # fmt: skip
        while not (found := re.search(r"running on (http://[\d.:]+)", self.log.read_text("utf-8"))):
            if self.process.poll() is not None:
                raise SystemExit(self.log.read_text("utf-8"))
            time.sleep(0.05)
        self.address = found[1]

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers={"Authorization": "Api-Key of-acme"}, timeout=120)

    def figures(self) -> dict[str, float]:
        """What the process holds now."""
        place = Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        return {
            "memory, MB": int(status["VmRSS"].split()[0]) / 1024, "threads": int(status["Threads"]),
            "descriptors": len(list((place / "fd").iterdir())),
        }  # fmt: skip

    def inside(self) -> dict[str, Counter[str]]:
        """What the process tells of itself: threads of Python and objects by kind, and what its memory is taken by."""
        place = self.folder / "told"
        place.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + 60
        while not place.exists() and time.monotonic() < until:
            time.sleep(0.05)
        return {name: Counter(found) for name, found in json.loads(place.read_text("utf-8")).items()}


class Soak:
    """Everything that goes on, until it is told to stop."""

    def __init__(self, served: Soaked, seed: int) -> None:
        self.served, self.seed = served, seed
        self.over = threading.Event()
        self.counted: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self, seconds: float) -> None:
        works: list[Callable[[random.Random], None]] = [self.ask] * ASKERS
        works += [self.rewrite, self.outage, self.restart]
        threads = [
            threading.Thread(target=self._again, args=(work, random.Random(self.seed + number)))
            for number, work in enumerate(works)
        ]
        self.over.clear()
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.over.set()
        for thread in threads:
            thread.join()

    def _again(self, work: Callable[[random.Random], None], chance: random.Random) -> None:
        while not self.over.is_set():
            try:
                work(chance)
            except Exception as error:  # noqa: BLE001  # told at the end, with all others
                self.wrong.append(f"{work.__name__}: {type(error).__name__}: {error}")

    def ask(self, chance: random.Random) -> None:
        user = f"user-{chance.randrange(50)}"
        with self.served.client() as http:
            body = {"deploymentId": 1, "externalId": user}
            self._count("session", http.post("/api/v1/embed/generate-session", json=body))
            rows = {"query": "SELECT region, MEASURE(number) AS n FROM orders GROUP BY 1"}
            self._count("rows", http.post("/svc-api/v1/sql", json=rows))
            asked = {"input": chance.choice(QUESTIONS), "sessionSettings": {"externalId": user}}
            with http.stream("POST", CHAT, json=asked) as reply:
                if reply.status_code != 200:
                    self._count("chat", reply)
                    return
                lines = reply.iter_lines()
                chat_id = json.loads(next(lines))["state"]["chatId"]
                what = chance.random()
                if what < 0.2:
                    self.counted["chat left"] += 1
                    return
                if what < 0.4:
                    stop = {"sessionSettings": {"externalId": user}, "chatId": chat_id}
                    self._count("abort", http.post(f"{CHAT}/abort", json=stop))
                ended = [json.loads(line) for line in lines if line][-1]
                self.counted["chat ended" if ended.get("id") == "__usage__" else "chat torn"] += 1

    def rewrite(self, chance: random.Random) -> None:
        self.over.wait(chance.uniform(1, 3))
        number = self.counted["model rewritten"] = self.counted["model rewritten"] + 1
        self.served.model.write_text(
            MODEL.replace("type: count", "type: cuont") if number % 3 == 0 else MODEL + f"# {number}\n"
        )

    def outage(self, chance: random.Random) -> None:
        self.over.wait(chance.uniform(2, 6))
        seconds = chance.uniform(0.2, 1.5)
        if self.served.cluster is None:
            with closing(sqlite3.connect(self.served.folder / "state.sqlite", isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                self.counted["store locked"] += 1
                time.sleep(seconds)
            return
        how = chance.choice(["down", "frozen"])
        with getattr(self.served.cluster, how)():
            self.counted[f"store {how}"] += 1
            time.sleep(seconds)

    def restart(self, chance: random.Random) -> None:
        from jupyter_client.manager import KernelManager

        manager = KernelManager(kernel_name="python3")
        manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        talk = manager.client()
        talk.start_channels()
        try:
            talk.wait_for_ready(timeout=120)
            reply = talk.execute_interactive(CELL, timeout=120, output_hook=lambda message: None)
            self.counted[f"kernel {reply['content']['status']}"] += 1
        finally:
            talk.stop_channels()
            manager.shutdown_kernel()
        self.over.wait(chance.uniform(2, 6))

    def _count(self, what: str, reply: httpx.Response) -> None:
        code = reply.status_code
        if code in (429, 503) and reply.headers.get("retry-after"):
            self.counted[f"{what}: come back"] += 1
        else:
            self.counted[f"{what}: {code}"] += 1
            if code >= 500 or code in (401, 403):
                self.wrong.append(f"{what}: {code} {reply.read()[:200]!r}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A served process in fast motion.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--postgres", action="store_true", help="over a PostgreSQL server of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--kinds", type=int, default=10, help="kinds of objects there are more of at the end (default: 10)"
    )
    options = parser.parse_args(arguments)
    with ExitStack() as around, tempfile.TemporaryDirectory(prefix="svc-soak-") as folder:
        served = Soaked(Path(folder), around.enter_context(cluster()) if options.postgres else None)
        soak = Soak(served, options.seed)
        try:
            soak.run(options.minutes * 6)
            begin, began = quiet(served), served.inside()
            soak.run(options.minutes * 54)
            end, ended = quiet(served), served.inside()
        finally:
            served.process.send_signal(signal.SIGINT)
            served.process.wait(60)
        told = served.log.read_text("utf-8")
    for what, number in sorted(soak.counted.items()):
        print(f"{what:28} {number:8}")
    for name in begin:
        print(f"{name:28} {begin[name]:8.0f} {end[name]:8.0f}")
    for name in sorted(ended["threads"]):
        print(f"threads {name:20} {began['threads'][name]:8} {ended['threads'][name]:8}")
    for name in ended["held"]:
        print(f"{name:28} {began['held'][name]:8.0f} {ended['held'][name]:8.0f}")
    for name, more in (ended["kinds"] - began["kinds"]).most_common(options.kinds):
        print(f"more of {name:60} {more:8} {ended['kinds'][name]:8}")
    tracebacks = told.count("Traceback")
    print(f"{'tracebacks in the log':28} {tracebacks:8}")
    for line in soak.wrong[:20]:
        print(line)
    grown = end["memory, MB"] > begin["memory, MB"] * 1.15 + 20
    now, then = ended["threads"], began["threads"]
    pools = sum(max(0, now[name] - then[name]) for name in now if name.startswith(POOLS) and now[name] <= PLACES)
    more = end["threads"] > begin["threads"] + pools + 2 or end["descriptors"] > begin["descriptors"] + 5
    return 1 if soak.wrong or tracebacks or grown or more or soak.counted["chat torn"] else 0


def cluster() -> Any:
    """A PostgreSQL server that can be stopped and frozen."""
    sys.path.insert(0, str(ROOT))
    from tests.service.postgres_server import find_programs, server

    programs = find_programs()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed here")
    return server(programs)


def quiet(served: Soaked) -> dict[str, float]:
    """What the process holds once nothing goes on: the least of some seconds."""
    seen = []
    for _ in range(8):
        time.sleep(1)
        seen.append(served.figures())
    return {name: min(each[name] for each in seen) for name in seen[0]}


if __name__ == "__main__":
    sys.exit(main())
