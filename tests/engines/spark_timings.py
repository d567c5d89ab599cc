"""What Spark takes for the demo's questions, beside SQL written by hand in the same session; how soon a stop ends work.

python -m tests.engines.spark_timings --millions 20 --workers 2
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

import svc_notebook as svc
from svc_notebook.cancellation import CancellationToken, Cancelled
from svc_notebook.demo import data_files, model_folder, service_file
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.limits import EngineLimits
from svc_notebook.semantic.engine.spark import SparkEngine

from .spark_server import missing, server

DELTA = SecurityContext("dana", frozenset({"airlines"}), {"carrier": ["DL"]})
DANA = {"external_id": "dana", "groups": ["airlines"], "user_attributes": {"carrier": ["DL"]}}
PAIRS = {
    "flights by origin": (
        "SELECT origin, COUNT(*) AS n FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 1000",
        "SELECT origin, count(*) AS n FROM {flights} GROUP BY 1 ORDER BY 2 DESC LIMIT 1000",
    ),
    "mean delay by month and origin": (
        """SELECT date_trunc('month', scheduled_departure) AS m, origin, AVG(departure_delay) AS d FROM flights
        GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 1000""",
        """SELECT date_trunc('month', scheduled_departure) AS m, origin, avg(departure_delay) AS d FROM {flights}
        GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 1000""",
    ),
    "miles by airline in March": (
        """SELECT airline, SUM(distance) AS s FROM flights WHERE scheduled_departure >= '2013-03-01'
        AND scheduled_departure < '2013-04-01' GROUP BY 1 ORDER BY 2 DESC LIMIT 1000""",
        """SELECT a.name AS airline, sum(f.distance) AS s FROM {flights} f LEFT JOIN {airlines} a ON f.carrier = a.carrier
        WHERE f.scheduled_departure >= TIMESTAMP_NTZ'2013-03-01 00:00:00'
        AND f.scheduled_departure < TIMESTAMP_NTZ'2013-04-01 00:00:00' GROUP BY 1 ORDER BY 2 DESC LIMIT 1000""",
    ),
}
QUESTIONS = [
    "how many flights were there", "flights per month by origin", "average arrival delay by airline",
    "top 10 destinations by number of flights", "share of cancelled flights by month",
]  # fmt: skip
LIMITS = EngineLimits(timeout=600)
_LONG = "SELECT count(*) AS n FROM range(100000000000) WHERE pmod(id * 31, 7) = 3"


def lake(folder: Path, millions: float) -> dict[str, str]:
    """The demo's tables, its flights as often as it takes."""
    places = {}
    with duckdb.connect() as connection:
        for name, file in data_files().items():
            places[name] = str(folder / name)
            (folder / name).mkdir()
            connection.execute(f"COPY (FROM '{file}') TO '{folder / name / 'part-0.parquet'}'")
        file, copies = data_files()["flights"], round(millions * 1_000_000 / 336_776)
        for part, first in enumerate(range(0, copies, 10)):
            again = f"SELECT f.* REPLACE (f.flight_id + 336776 * r.range AS flight_id) FROM '{file}' f, range({first}, {min(first + 10, copies)}) r"
            connection.execute(
                f"COPY ({again}) TO '{folder / 'flights' / f'part-{part}.parquet'}' (ROW_GROUP_SIZE 500000)"
            )
    return places


def seconds(work: Callable[[], Any]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


WARMING = 8  # Spark's virtual machine still compiles what it runs for the first few times, whoever asks


def beside(ours: Callable[[], Any], by_hand: Callable[[], Any], times: int) -> str:
    """Both in turn, each first every other time, once both are warm."""
    for _ in range(WARMING):
        ours(), by_hand()
    pairs = []
    for place in range(times):
        if place % 2:
            other, one = seconds(by_hand), seconds(ours)
        else:
            one, other = seconds(ours), seconds(by_hand)
        pairs.append((one, other))
    one, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    return f"{one:.2f} s, by hand {other:.2f} s, ratio {statistics.median(a / b for a, b in pairs):.2f}"


def answered(client: Any, question: str, **who: Any) -> str:
    """How long it took, of which the first part is what the analyst has to know, and how the answer begins."""
    started = time.monotonic()
    answer = client.chat(**who).ask(question)
    return f"{time.monotonic() - started:.2f} s ({answer.status}: {' '.join(answer.text.split())[:60]})"


def stop(engine: SparkEngine) -> float:
    """From the stop to the moment at which the work's core answers something else."""
    token, begun = CancellationToken(), threading.Event()

    def run() -> None:
        begun.set()
        try:
            engine.execute(_LONG, {}, cancel=token, timeout=600)
        except Cancelled:
            return

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    thread.join(5)  # so long it computes
    started = time.monotonic()
    token.cancel("enough")
    thread.join()
    return time.monotonic() - started


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, default=20, help="rows of flights (default: 20)")
    parser.add_argument("--workers", type=int, default=2, help="of a standalone master; 0 for one process (default: 2)")
    parser.add_argument("--times", type=int, default=9, help="how often each is asked (default: 9)")
    options = parser.parse_args(arguments)
    if reason := missing():
        print(reason)
        return 2
    with ExitStack() as stack:
        places = lake(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="svc-lake-"))), options.millions)
        url = stack.enter_context(server(workers=options.workers)).url
        client = stack.enter_context(
            svc.embedded(model_folder(), database=url, data=places, config=service_file(), limits=LIMITS)
        )
        layer = client.service.layer
        engine: Any = layer.engine
        for question in QUESTIONS:
            print(
                f"“{question}”: {answered(client, question)}, as Delta {answered(client, question, **DANA)}", flush=True
            )
        for name, (asked, by_hand) in PAIRS.items():
            text = by_hand.format(**engine._session.views)
            ours = partial(layer.query, SecurityContext.operator(), asked)
            print(f"{name}: {beside(ours, partial(engine.execute, text, {}), options.times)}", end="; ")
            print(f"under a policy {seconds(partial(layer.query, DELTA, asked)):.2f} s", flush=True)
        print("a stop ends the work after", ", ".join(f"{stop(engine):.2f}" for _ in range(3)), "s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
