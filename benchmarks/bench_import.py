"""What ``import svc_notebook`` costs, against a bare start of the interpreter."""

from __future__ import annotations

import subprocess
import sys

from .report import Measurement, timed


def start(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def run(*, quick: bool = False) -> list[Measurement]:
    rounds = 5 if quick else 15
    bare = timed(lambda: start("pass"), rounds=rounds)
    ours = timed(lambda: start("import svc_notebook"), rounds=rounds)
    client = timed(lambda: start("import svc_notebook as s; s.Client"), rounds=rounds)
    return [
        Measurement("import svc_notebook", ours * 1e3, "ms", bare * 1e3, "a bare interpreter", limit=1.5),
        Measurement("… and the client of a remote service", client * 1e3, "ms", bare * 1e3, "a bare interpreter"),
    ]
