"""The stop contract on older kernels. The newest is what the other tests run on.

Each version is installed beside the environment's own (alone, into a folder); without a package index the test is
skipped, or takes what ``SVC_KERNELS`` (a folder with one folder per version) holds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .lab import ROOT, Lab, Notebook, StopWatch, patience
from .test_jupyterlab import LONG, ask

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.network]

HEARS = {"6.31.0": False, "7.1.0": True, "7.3.0": True}


def kernel(lab: Lab, version: str, folder: Path) -> str:
    """Name of a kernel that runs this ipykernel."""
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
        if subprocess.run(command, capture_output=True, check=False, timeout=120).returncode:
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
def test_stop_is_heard_or_the_way_out_is_named(lab: Lab, page: Any, tmp_path: Path, version: str) -> None:
    name = kernel(lab, version, tmp_path)
    busy = "import time\nfor _ in range(250): time.sleep(0.02)"
    nb = Notebook(
        lab, page, f"{name}.ipynb", [LONG, "import ipykernel; print(ipykernel.__version__)", busy], kernel=name
    )
    nb.run(0)
    nb.run(1)
    nb.expect(1, version)
    page.wait_for_selector(".svc-chat textarea")
    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
    watch = StopWatch(page)
    page.keyboard.press("Escape")
    assert watch.seconds() < patience()

    ask(page, "long")
    page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
    nb.run(2, wait=False)
    page.wait_for_timeout(400)
    watch = StopWatch(page)
    page.locator(".svc-chat").get_by_role("button", name="Stop").click()
    if HEARS[version]:
        assert watch.seconds() < patience()
    else:
        page.wait_for_function("document.querySelector('.svc-status').innerText.includes('■')")
        nb.command("notebook:interrupt-kernel")
        assert watch.seconds() < 4 * patience(), "the click is heard as soon as the cell has been interrupted"
    nb.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
