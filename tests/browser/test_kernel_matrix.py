"""The stop contract over kernels: half a second with nothing running, a computing cell, an awaiting cell.

Each version is installed beside the environment's own (alone, into a folder); without a package index the test is
skipped, or takes what ``SVC_KERNELS`` (a folder with one folder per version) holds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import pytest

from .lab import ROOT, Lab, Notebook, StopWatch, patience, stop_limit
from .test_jupyterlab import LONG, ask

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.network]

HEARS = {"6.31.0": False, "7.4.0": True, "newest": True}  # 7.0 to 7.3 lose replies by themselves
BUSY = {
    "computing": "import time\nprint('on')\nfor _ in range(250): time.sleep(0.02)",
    "awaiting": "import asyncio\nprint('on')\nfor _ in range(250): await asyncio.sleep(0.02)",
}


def kernel(lab: Lab, version: str, folder: Path) -> str:
    """Name of a kernel that runs this ipykernel."""
    if version == "newest":
        return "python3"
    kept = os.environ.get("SVC_KERNELS")
    place = Path(kept) / version if kept else folder / version
    if not place.is_dir():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--target",
            str(place),
            f"ipykernel=={version}",
        ]
        if subprocess.run(command, capture_output=True, check=False, timeout=300).returncode:
            pytest.skip(f"ipykernel {version} cannot be installed here")
    name = f"ipykernel-{version}"
    spec = lab.folder / "data" / "kernels" / name
    spec.mkdir(parents=True)
    path = os.pathsep.join([str(place), str(ROOT / "src"), str(ROOT)])
    settings = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": name,
        "language": "python",
        "env": {"PYTHONPATH": path},
        "metadata": {"debugger": False, "supported_features": ["kernel subshells"] if HEARS[version] else []},
    }
    (spec / "kernel.json").write_text(json.dumps(settings))
    return name


@pytest.mark.parametrize("version", HEARS)
def test_stop_is_heard_or_the_way_out_is_named(
    lab: Lab, page: Any, tmp_path: Path, version: str, record_testsuite_property: Callable[[str, object], None]
) -> None:
    name = kernel(lab, version, tmp_path)
    spent = drive(lab, page, version, name, f"{name}.ipynb")
    for doing, seconds in spent.items():
        record_testsuite_property(f"stop {version} {doing}", round(seconds, 3))


def drive(lab: Lab, page: Any, version: str, name: str, file: str) -> dict[str, float]:
    """Stop an answer while nothing runs, while a cell computes, while one awaits; seconds of each stop."""
    cells = [LONG, "import ipykernel; print(ipykernel.__version__)", *BUSY.values()]
    nb = Notebook(lab, page, file, cells, kernel=name)
    nb.run(0)
    nb.run(1)
    nb.expect(1, installed("ipykernel") if version == "newest" else version)
    page.wait_for_selector(".svc-chat textarea")
    limit = stop_limit(page)
    begin(page)
    watch = StopWatch(page)
    page.keyboard.press("Escape")
    spent = {"idle": watch.seconds()}
    assert spent["idle"] < limit
    for cell, doing in enumerate(BUSY, 2):
        begin(page)
        nb.run(cell, wait=False)
        nb.wait_output(cell)
        watch = StopWatch(page)
        page.locator(".svc-chat").get_by_role("button", name="Stop").click()
        if HEARS[version]:
            spent[doing] = watch.seconds()
            assert spent[doing] < limit
            nb.command("notebook:interrupt-kernel")  # the cell has served
        else:
            page.wait_for_function("document.querySelector('.svc-status').innerText.includes('■')")
            nb.command("notebook:interrupt-kernel")
            assert watch.seconds() < 4 * patience(), "the click is heard as soon as the cell has been interrupted"
        nb.wait_idle(cell)
    ask(page, "short")
    page.wait_for_function("document.querySelectorAll('.svc-turn[data-status=complete]').length === 1")
    nb.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    return spent


def begin(page: Any) -> None:
    """A long answer, well under way."""
    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
