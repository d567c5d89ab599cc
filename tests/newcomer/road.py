"""The road from a folder to JupyterLab: a copy or clone of the project, the server as the README starts it, a clock."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["Road", "Stopwatch", "copy_of"]

PRINTED = re.compile(r"http://(?:localhost|127\.0\.0\.1):\d+/lab\S*token=\w+")


STACKS = """
import faulthandler, os, pathlib, signal
folder = pathlib.Path({folder!r})
folder.mkdir(parents=True, exist_ok=True)
faulthandler.register(signal.SIGUSR1, file=(folder / str(os.getpid())).open("w"))
"""


def _written(file: Path, within: float = 5.0) -> str:
    end = time.monotonic() + within
    while not file.stat().st_size and time.monotonic() < end:
        time.sleep(0.05)
    return file.read_text("utf-8")


class Stopwatch:
    """Seconds since it was made, at named moments."""

    def __init__(self) -> None:
        self._begin = self._last = time.monotonic()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.laps[name] = now - self._last
        self._last = now

    @property
    def total(self) -> float:
        return self._last - self._begin

    def __str__(self) -> str:
        return "  ".join(f"{name} {seconds:.1f} s" for name, seconds in self.laps.items()) + f"  = {self.total:.1f} s"


def copy_of(root: Path, target: Path) -> Path:
    """The working tree's package, notebooks and tests, where nothing that is done to them does harm."""
    ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in ("src", "notebooks", "tests"):
        shutil.copytree(root / folder, target / folder, ignore=ignore)
    return target


class Road:
    """A JupyterLab server started by a command, in a folder, for a user without any settings; ends with its kernels."""

    def __init__(self, command: Sequence[str], folder: Path, home: Path, **environment: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "VIRTUAL_ENV"))}
        own = {
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
            "IPYTHONDIR": str(home / "ipython"),
        }
        self._kernels = home / "kernels"
        begins = home / "ipython" / "profile_default" / "startup" / "stacks.py"
        begins.parent.mkdir(parents=True)
        begins.write_text(STACKS.format(folder=str(self._kernels)))
        self.log = home / "said"
        self._file = self.log.open("w")
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**kept, **own, **environment},
            stdout=self._file,
            stderr=self._file,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def address(self, within: float) -> str:
        """The address that the server prints once it is ready."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            said = self.log.read_text("utf-8")
            if found := PRINTED.search(said):
                return found[0]
            assert self.process.poll() is None, said
            time.sleep(0.1)
        raise AssertionError(f"no address was printed within {within} s:\n{said}")

    def stuck(self) -> str:
        """Where every thread of every kernel stands, and what the server said last."""
        stacks = []
        for kernel in self._kernels.glob("*"):
            with suppress(ProcessLookupError):
                os.kill(int(kernel.name), signal.SIGUSR1)
            stacks.append(_written(kernel))
        return "\n".join([*stacks, self.log.read_text("utf-8")[-3000:]])

    def close(self) -> None:
        """Ctrl-C and its confirmation, as at a terminal: the server ends and its kernels with it."""
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)
        self._file.close()
