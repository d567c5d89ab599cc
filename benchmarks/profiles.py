"""The ten largest costs of what users wait for: where the computing of all threads goes.

``python -m benchmarks.profiles ask`` prints them as JSON; each is profiled in a process of its own.
"""

from __future__ import annotations

import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["SUBJECTS", "Cost", "largest"]

_WAITING = ("acquire", "SimpleQueue", "select", "poll", "wait")
_LARGEST = 10


@dataclass(frozen=True, slots=True)
class Cost:
    """A function, its own computing as a share of the whole, and how often it was called."""

    where: str
    share: float
    calls: int


class Profiler:
    """Profiles every thread that begins while it is on."""

    def __init__(self) -> None:
        self._profiles: list[cProfile.Profile] = []

    def on(self) -> None:
        self._add()
        threading.setprofile(self._begun)

    def _begun(self, *_: Any) -> None:
        sys.setprofile(None)
        self._add()

    def _add(self) -> None:
        profile = cProfile.Profile(time.thread_time)
        self._profiles.append(profile)
        profile.enable()

    def forget(self) -> None:
        """What came before was done once, for all that comes."""
        for profile in self._profiles:
            profile.clear()

    def costs(self) -> list[Cost]:
        """The largest, waiting left out."""
        threading.setprofile(None)
        own: dict[tuple[str, int, str], list[float]] = {}
        for profile in self._profiles:
            profile.create_stats()
            if not profile.stats:  # type: ignore[attr-defined]
                continue
            for function, (_, calls, spent, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
                known = own.setdefault(function, [0.0, 0])
                known[0] += spent
                known[1] += calls
        working = {f: each for f, each in own.items() if not any(word in f[2] for word in _WAITING)}
        whole = sum(spent for spent, _ in working.values())
        first = sorted(working.items(), key=lambda item: -item[1][0])[:_LARGEST]
        return [Cost(_place(function), spent / whole, int(calls)) for function, (spent, calls) in first]


def _place(function: tuple[str, int, str]) -> str:
    """A function as ``package/module.py: name``, without the machine's folders."""
    file, _, name = function
    parts = Path(file).parts
    for root in ("src", "site-packages"):
        if root in parts:
            return f"{'/'.join(parts[parts.index(root) + 1 :])}: {name}"
    return name if file == "~" else f"{Path(file).name}: {name}"


def ask(profiler: Profiler) -> None:
    """Turns that ask a reading, in memory."""
    import svc_notebook as svc

    from .bench_lanes import QUESTION, orders

    profiler.on()
    with svc.embedded(data={"orders": orders(2_000)}) as client:
        reading = client.chat(external_id="ana").ask(QUESTION).reading
        assert reading is not None
        profiler.forget()
        for _ in range(300):
            client.chat(external_id="ana").ask(reading=reading)


def chats(profiler: Profiler) -> None:
    """Five hundred users' chats at once."""
    import svc_notebook as svc

    from .bench_lanes import QUESTION, at_once, orders

    profiler.on()
    with svc.embedded(data={"orders": orders(2_000)}) as client:
        client.chat(external_id="bob").ask(QUESTION)
        profiler.forget()
        at_once(client, 500)


def cold(profiler: Profiler) -> None:
    """From importing the package to the first answer of the demo."""
    profiler.on()
    import svc_notebook as svc

    svc.demo().chat().ask("flights by carrier")


SUBJECTS: dict[str, Callable[[Profiler], None]] = {"ask": ask, "500 chats": chats, "cold start": cold}


def largest(subject: str) -> list[Cost]:
    """The largest costs of a subject, found in a new process, which has bytecode as where the package was installed."""
    command = [sys.executable, "-m", "benchmarks.profiles"]
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        kept["PYTHONPYCACHEPREFIX"] = folder
        for each in ("cold start", subject):
            said = subprocess.run([*command, each], capture_output=True, text=True, check=True, env=kept).stdout
    return [Cost(**each) for each in json.loads(said.splitlines()[-1])]


if __name__ == "__main__":
    made = Profiler()
    SUBJECTS[sys.argv[1]](made)
    print(json.dumps([asdict(cost) for cost in made.costs()]))
