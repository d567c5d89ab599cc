"""From nothing to the first answer: computed seconds of a fresh process, beside importing the libraries it is made of.

The package is compiled to bytecode before, as it is where it was installed.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial

from .report import Measurement

LIBRARIES = (
    "import pandas, duckdb, pyarrow, sqlglot, sqlalchemy, starlette, httpx, msgspec, IPython.core.interactiveshell"
)
DEMO = """
import json, time
import svc_notebook as svc
imported = time.process_time()
client = svc.demo()
made = time.process_time()
client.chat().ask("flights by carrier")
print(json.dumps([imported, made - imported, time.process_time() - made, time.process_time()]))
"""
AIMS = {100: 1, 1_000: 5}
FLOOR = f"import json, time\n{LIBRARIES}\nprint(json.dumps([time.process_time()]))"
MODEL = """
import json, time
from benchmarks.bench_compile import cube
import pandas as pd
import svc_notebook as svc
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.toolbox import Toolbox
from benchmarks.bench_compile import ANA, layer_of
with layer_of({cubes}) as layer:
    began = time.process_time()
    load_metadata(Toolbox(layer, ANA))
    print(json.dumps([time.process_time() - began]))
"""

QUESTIONS = """
import json, time
from benchmarks.bench_compile import DATA, cube
import svc_notebook as svc
client = svc.embedded(model={{"cubes": [cube(n) for n in range({cubes})]}}, data={{"t": DATA}})
spent = []
for question in ("how many cube3", "how many cube5", "how many cube7"):
    began = time.process_time()
    assert client.chat().ask(question).results
    spent.append(time.process_time() - began)
print(json.dumps([spent[0], min(spent[1:])]))
"""


def fresh(script: str, rounds: int, bytecode: str) -> list[float]:
    """Median of each figure that a script prints, each time in a new process; the first one leaves ``bytecode``."""
    found = []
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(1 + rounds):
        said = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={**kept, "PYTHONPYCACHEPREFIX": bytecode},
        ).stdout  # fmt: skip
        found.append(json.loads(said.splitlines()[-1]))
    return [statistics.median(each) for each in zip(*found[1:], strict=True)]


def run(*, quick: bool = False) -> list[Measurement]:
    with tempfile.TemporaryDirectory() as folder:
        return measured(partial(fresh, bytecode=folder), quick=quick)


def measured(fresh: Callable[[str, int], list[float]], *, quick: bool) -> list[Measurement]:
    rounds = 1 if quick else 5
    (floor,) = fresh(FLOOR, rounds)
    imported, made, answered, whole = fresh(DEMO, rounds)
    note = f"aim 1 s; import {imported:.2f}, demo() {made:.2f}, answer {answered:.2f}"
    found = [Measurement("svc.demo() to the first answer", whole, "s", floor, "importing its libraries", note=note)]
    for cubes in (100,) if quick else (100, 1_000):
        (learnt,) = fresh(MODEL.format(cubes=cubes), 1)
        first, next_ = fresh(QUESTIONS.format(cubes=cubes), 1)
        found += [
            Measurement(f"what an asker sees of {cubes:,} cubes, learnt", learnt, "s"),
            Measurement(f"the first question in words over {cubes:,} cubes", first, "s", note=f"aim {AIMS[cubes]} s"),
            Measurement(f"the next one over {cubes:,} cubes", next_, "s", first, "the first"),
        ]
    return found
