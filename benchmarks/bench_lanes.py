"""Who waits for whom: one user's slow queries beside another's work, and many chats at once."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import pandas as pd

import svc_notebook as svc
from svc_notebook.client.errors import BadRequest
from svc_notebook.client.turn import StreamHandle
from svc_notebook.embedded import EmbeddedClient

from .report import Measurement

QUESTION = "orders by region"
SLOW = "SELECT COUNT(*) AS n FROM orders AS a JOIN orders AS b ON a.k = b.k WHERE a.amount + b.amount > 100"


def orders(rows: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "id": range(rows),
            "k": [n % 7 for n in range(rows)],
            "region": ["EMEA", "APAC"] * (rows // 2),
            "amount": [float(n % 97) for n in range(rows)],
        }
    )


def work_of_another(client: EmbeddedClient) -> float:
    """Seconds until metadata, a query and a chat's first line have come, one after the other."""
    began = time.perf_counter()
    client.meta(external_id="bob")
    client.query("SELECT COUNT(*) AS n FROM orders", external_id="bob")
    with client.chat(external_id="bob").stream(QUESTION) as stream:
        next(stream)
        spent = time.perf_counter() - began
        for _ in stream:
            pass
    return spent


def beside_slow_queries(client: EmbeddedClient, measure: Callable[[], float]) -> tuple[float, float]:
    """What ``measure`` gives while ten slow queries of one user run, and how long those took."""

    def ask() -> None:
        with suppress(BadRequest):  # on a busy machine one may be stopped by its limit: it was slow as well
            client.query(SLOW, external_id="ana")

    began = time.perf_counter()
    users = [threading.Thread(target=ask) for _ in range(10)]
    for user in users:
        user.start()
    time.sleep(0.5)
    found = measure()
    for user in users:
        user.join()
    return found, time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and computed by this process."""

    wall: float
    cpu: float


def at_once(client: EmbeddedClient, chats: int) -> tuple[Spent, Spent, int]:
    """Until the last first line, and until the last answer, of so many users' chats; how many failed."""
    firsts: list[Spent] = []
    wall, cpu = time.perf_counter(), time.process_time()

    def spent() -> Spent:
        return Spent(time.perf_counter() - wall, time.process_time() - cpu)

    def asked(number: int) -> StreamHandle:
        seen = threading.Event()

        def on_frame(_message: object, _answer: object) -> None:
            if not seen.is_set():
                seen.set()
                firsts.append(spent())

        return client.chat(external_id=f"user-{number}").submit(QUESTION, on_frame=on_frame)

    handles = [asked(number) for number in range(chats)]
    failed = sum(handle.wait().status != "complete" for handle in handles)
    return firsts[-1], spent(), failed


def run(*, quick: bool = False) -> list[Measurement]:
    chats = 100 if quick else 500
    with svc.embedded(data={"orders": orders(20_000 if quick else 60_000)}) as client:
        client.chat(external_id="bob").ask(QUESTION)
        alone = statistics.median(work_of_another(client) for _ in range(5))
        beside, slow = beside_slow_queries(client, lambda: work_of_another(client))
        first, whole, failed = at_once(client, chats)
    note = f"alone {alone * 1e3:.0f} ms"
    return [
        Measurement("metadata, SQL and a first line beside ten slow queries", beside, "s", slow, "those", 1, note=note),
        Measurement(
            f"the last first line of {chats} chats at once",
            first.wall,
            "s",
            whole.wall,
            "all of it",
            note=f"{failed} failed",
        ),
        Measurement(  # what the machine gives to others does not count
            "the same, computing alone", first.cpu, "s", whole.cpu, "all of it", 0.1
        ),
    ]
