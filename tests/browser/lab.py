"""JupyterLab for the tests: a server of our own on this machine, driven through a real browser."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["ROOT", "Lab", "Notebook", "StopWatch", "patience", "round_trip", "stop_limit", "write_notebook"]

ROOT = Path(__file__).parents[2]


def write_notebook(path: Path, cells: Sequence[str], kernel: str = "python3") -> Path:
    """A notebook of code cells."""
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "id": f"c{i}",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": source,
            }
            for i, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook))
    return path


class Lab:
    """A JupyterLab server in a folder; ends with everything it started."""

    def __init__(self, folder: Path, module: str = "jupyterlab", extra: Sequence[str] = ()) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir(parents=True, exist_ok=True)
        env = {
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
            "IPYTHONDIR": str(folder / "ipython"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        self.setting("@jupyterlab/apputils-extension:notification", "fetchNews", "false")
        self._log = (folder / "server.log").open("w+")
        lab_only = ["--LabApp.expose_app_in_browser=True"] if module == "jupyterlab" else []
        command = [
            sys.executable, "-m", module, "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root",
            "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={self.notebooks}",
            *lab_only, *extra,
        ]  # fmt: skip
        self.process = subprocess.Popen(command, env=env, stdout=self._log, stderr=self._log, start_new_session=True)
        self.url = self._wait_for_url()

    def _wait_for_url(self) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            text = Path(self._log.name).read_text()
            if match := re.search(r"http://127\.0\.0\.1:\d+", text):
                try:
                    urllib.request.urlopen(f"{match[0]}/api", timeout=5)
                except OSError:
                    pass
                else:
                    return match[0]
            time.sleep(0.1)
        raise AssertionError(f"the server did not start: {Path(self._log.name).read_text()[-2000:]}")

    def setting(self, plugin: str, name: str, value: Any) -> None:
        """Write a user setting, as Lab would."""
        package, schema = plugin.split(":")
        path = self.folder / "settings" / package / f"{schema}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({name: value}))

    def end_kernels(self) -> None:
        """End every kernel of the server."""
        with urllib.request.urlopen(f"{self.url}/api/sessions", timeout=20) as reply:
            sessions = json.load(reply)
        for session in sessions:
            request = urllib.request.Request(f"{self.url}/api/sessions/{session['id']}", method="DELETE")
            try:
                urllib.request.urlopen(request, timeout=30).close()
            except OSError:
                pass  # it ended by itself meanwhile

    def close(self) -> None:
        """End the server; it ends its kernels."""
        self.process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
        self._log.close()


class Notebook:
    """A notebook open in a page."""

    def __init__(self, lab: Lab, page: Any, name: str, cells: Sequence[str], kernel: str = "python3") -> None:
        self.lab, self.page = lab, page
        self.path = write_notebook(lab.notebooks / name, cells, kernel)
        self.open()

    def open(self) -> None:
        """Load the page (again) and wait for the kernel."""
        self.page.goto(f"{self.lab.url}/lab/tree/{self.path.name}?reset", wait_until="domcontentloaded")
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        self.page.wait_for_function(
            """() => { const p = window.jupyterapp?.shell.currentWidget; return p?.sessionContext?.isReady
                && p.sessionContext.session?.kernel?.connectionStatus === "connected"; }""",
            timeout=60_000,
        )

    def command(self, name: str) -> None:
        self.page.evaluate("(name) => { window.jupyterapp.commands.execute(name); }", name)

    def run(self, index: int, wait: bool = True) -> None:
        """Run one cell; with ``wait`` until it has ended."""
        self.page.evaluate(
            """(i) => { const nb = window.jupyterapp.shell.currentWidget.content; nb.activeCellIndex = i;
                        nb.deselectAll(); window.jupyterapp.commands.execute("notebook:run-cell"); }""",
            index,
        )
        if wait:
            self.wait_idle(index)

    def wait_idle(self, index: int, timeout: float = 60_000) -> None:
        self.page.wait_for_function(
            """(i) => { const m = window.jupyterapp.shell.currentWidget.content.widgets[i].model;
                        return m.executionCount !== null && m.executionState !== "running"; }""",
            arg=index,
            timeout=timeout,
        )

    def wait_output(self, index: int) -> None:
        """Wait until a running cell has written something, so that it surely runs."""
        self.page.wait_for_function(
            "(i) => window.jupyterapp.shell.currentWidget.content.widgets[i].model.outputs.length", arg=index
        )

    def save(self) -> dict[str, Any]:
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
        return dict(json.loads(self.path.read_text()))

    def expect(self, index: int, text: str) -> str:
        """Wait until the output of a cell holds ``text``; returns the whole output."""
        self.page.evaluate("(i) => window.jupyterapp.shell.currentWidget.content.scrollToItem(i)", index)
        area = self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea")
        area.filter(has_text=text).wait_for()
        return self.output(index)

    def output(self, index: int) -> str:
        return str(self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea").inner_text())


def patience() -> float:
    """1 on a machine that keeps up; more where more runs than it has processors (tests beside this one)."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1) / 2)


STOP_SECONDS = 0.5
"""Within this a stop has to be seen to be done, on a machine that keeps up."""

_STOP_PER_ROUND_TRIP = 25


def round_trip(page: Any) -> float:
    """Seconds of one message to the kernel's worker and back into the page, now: the median of seven."""
    return float(
        page.evaluate("""async () => {
            const chat = [...globalThis.__svc_notebook.chats.values()][0];
            const spent = [];
            for (let i = 0; i < 7; i++) {
                const from = performance.now();
                await new Promise((done) => {
                    const id = ++chat.sent; chat.cells.set(id, done); chat.model.send({t: "cell", sql: "", id});
                });
                spent.push(performance.now() - from);
            }
            return spent.sort((a, b) => a - b)[3] / 1000;
        }""")
    )


def stop_limit(page: Any) -> float:
    """Seconds a stop may take here: half a second, or as many round trips where these alone are slow."""
    return max(STOP_SECONDS, _STOP_PER_ROUND_TRIP * round_trip(page))


class StopWatch:
    """Seconds from a click or Esc to the moment the page shows a turn as stopped, measured in the page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate("""() => {
            window.stopWatch?.end();
            const count = () => document.querySelectorAll('.svc-turn[data-status=aborted]').length;
            const before = count();
            const own = window.stopWatch = {};
            const begin = (event) => { if (event.type !== 'keydown' || event.key === 'Escape') own.from ??= performance.now(); };
            addEventListener('pointerdown', begin, {capture: true});
            addEventListener('keydown', begin, {capture: true});
            const seen = new MutationObserver(() => { if (own.from && count() > before) own.to ??= performance.now(); });
            seen.observe(document.body, {subtree: true, childList: true, attributes: true});
            own.end = () => { seen.disconnect(); removeEventListener('pointerdown', begin, {capture: true});
                removeEventListener('keydown', begin, {capture: true}); };
        }""")

    def seconds(self) -> float:
        self.page.wait_for_function("window.stopWatch.to")
        return float(self.page.evaluate("(window.stopWatch.to - window.stopWatch.from) / 1000"))
