"""The same questions asked of other semantic layers, on the same data and machine, each in an environment of its own.

Peers are not dependencies of this project. Make an environment for them and name it::

    python -m venv /tmp/peers && /tmp/peers/bin/pip install boring-semantic-layer "ibis-framework[duckdb]" sidemantic
    SVC_PEERS=/tmp/peers python -m benchmarks --only semantic_peers

and for MetricFlow, which wants an older DuckDB, a second one with ``dbt-metricflow[dbt-duckdb] dbt-core<1.12 duckdb<2``,
named by ``SVC_PEERS_METRICFLOW``. What is not there is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .bench_semantic import pair
from .report import Measurement
from .semantic_data import QUESTIONS, build, model, qualified

SCRIPTS = Path(__file__).parent / "peers"
PEERS = {
    "boring-semantic-layer": ("SVC_PEERS", "bsl_peer.py"),
    "sidemantic": ("SVC_PEERS", "sidemantic_peer.py"),
    "MetricFlow": ("SVC_PEERS_METRICFLOW", "metricflow_peer.py"),
}
ASKED = ("revenue by region", "filtered, by category", "by month and status", "fan-out: revenue and freight by status")
OPERATOR = SecurityContext.operator()


def run(quick: bool = False) -> list[Measurement]:
    rows = 1_000_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as name:
        path = build(Path(name), rows)
        floors, answers, found = _ours(path)
        for peer, (variable, script) in PEERS.items():
            home = os.environ.get(variable)
            if not home:
                print(f"  {peer}: left out, {variable} names no environment")
                continue
            patience = 60 if quick else 240  # seconds a peer may take for all questions
            found += _peer(
                peer, [str(Path(home) / "bin" / "python"), script, str(path), "5"], patience, floors, answers
            )
    return found


def _ours(path: Path) -> tuple[dict[str, float], dict[str, list[list[str]]], list[Measurement]]:
    engine = DuckDBEngine.open(path)
    try:
        layer = SemanticLayer(load_model(model()), engine)
        floors, answers, found = {}, {}, []
        for name in ASKED:
            asked, written = QUESTIONS[name][0], qualified(QUESTIONS[name][1])
            began = time.perf_counter()
            layer.compile(OPERATOR, asked)
            compiled = (time.perf_counter() - began) * 1000
            mine, floor = pair(lambda a=asked: layer.query(OPERATOR, a), lambda w=written: engine.execute(w, {}))
            floors[name] = floor * 1000
            columns = [column.to_pylist() for column in layer.query(OPERATOR, asked).table.columns]
            answers[name] = comparable(zip(*columns, strict=True))
            note = f"first compile {compiled:.1f} ms, then kept"
            found.append(
                Measurement(f"svc_notebook: {name}", mine * 1000, "ms", floors[name], "hand-written SQL", note=note)
            )
        return floors, answers, found
    finally:
        engine.close()


def comparable(rows: Iterable[Iterable[Any]]) -> list[list[str]]:
    """Rows in one order, numbers to six digits, days without their midnight, columns in any order."""

    def cell(value: Any) -> str:
        text = "" if value is None else str(value)
        try:
            return f"{float(text):.6g}"
        except ValueError:
            return text[:10] if text.endswith("00:00:00") else text

    return sorted(sorted(map(cell, row)) for row in rows)


def _peer(
    peer: str, command: list[str], patience: float, floors: dict[str, float], answers: dict[str, list[list[str]]]
) -> Iterator[Measurement]:
    process = subprocess.Popen(command, cwd=SCRIPTS, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    watchdog = threading.Timer(patience, process.kill)
    watchdog.start()
    assert process.stdout is not None
    answered = 0
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        answer: dict[str, Any] = json.loads(line)
        name = answer["question"]
        answered += 1
        if "error" in answer:
            print(f"  {peer}: {name}: {answer['error'][:160]}")
            continue
        note = f"compile {answer['compile_ms']:.1f} ms of it"
        if comparable(answer["rows"]) != answers[name]:
            note += "; its rows are other ones"
        yield Measurement(f"{peer}: {name}", answer["execute_ms"], "ms", floors[name], "hand-written SQL", note=note)
    watchdog.cancel()
    process.wait()
    if answered < len(ASKED):
        print(
            f"  {peer}: {', '.join(ASKED[answered:])}: no answer (ended with {process.returncode}, or after {patience} s)"
        )
