"""What a turn computes above its query, with the store in memory and in a file, and in a thread that has grown long."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient
from svc_notebook.semantic.context import SecurityContext

from .bench_lanes import QUESTION, orders
from .report import Measurement


class Turns(NamedTuple):
    """Milliseconds of the query alone, of a turn in a new thread, and of one in a long thread."""

    query: float
    fresh: float
    late: float


def in_turns(ways: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Median milliseconds this process computes for one call of each; a busy moment slows them alike."""
    spent: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for found, work in zip(spent, ways, strict=True):
            began = time.process_time()
            work()
            found.append(time.process_time() - began)
    return [statistics.median(found) * 1e3 for found in spent]


def turns(client: EmbeddedClient, rounds: int, grown: int) -> Turns:
    """Turns that ask a reading, so that what reading costs is apart."""
    first = client.chat(external_id="ana").ask(QUESTION)
    reading, sql, ana = first.reading, str(first.sql), SecurityContext(user="ana")
    assert reading is not None
    chat = client.chat(external_id="ana")
    for _ in range(grown):
        chat.ask(reading=reading)
    ways = (
        lambda: client.service.layer.query(ana, sql),
        lambda: client.chat(external_id="ana").ask(reading=reading),
        lambda: chat.ask(reading=reading),
    )
    return Turns(*in_turns(ways, rounds))


def run(*, quick: bool = False) -> list[Measurement]:
    rounds, grown = (15, 30) if quick else (60, 300)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, store, aim in (("memory", "memory", 5), ("a file", f"{folder}/state.sqlite", 8)):
            with svc.embedded(data={"orders": orders(2_000)}, store=store) as client:
                spent = turns(client, rounds, grown)
            note = f"query {spent.query:.1f} ms; aim {aim} ms"
            found += [
                Measurement(f"a turn above its query, store in {name}", spent.fresh - spent.query, "ms", note=note),
                Measurement(
                    f"a turn after {grown} others, store in {name}", spent.late, "ms", spent.fresh, "the first", 1.25
                ),
            ]
    return found
