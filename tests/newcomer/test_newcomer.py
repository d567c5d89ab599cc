"""A newcomer's run: README, JupyterLab, notebook 01 from its first cell to a stopped answer, then 05 with a CSV they bring.

The short form, part of ``make test``, starts JupyterLab from this environment over a copy of the notebooks. The whole form
(``make newcomer``) begins with a fresh clone and types what the README says, and nothing else; with
``NEWCOMER_TESTS=1`` it ends with ``make test`` there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..browser.conftest import page, requests_elsewhere  # noqa: F401  the page that reaches this machine only
from .readme import commands
from .road import Road, Stopwatch, copy_of
from .visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.kernel, pytest.mark.slow]

SALES = """\
day,shop,product,price
2025-03-01,Lisbon,tea,4.50
2025-03-01,Lisbon,coffee,3.20
2025-03-02,Porto,tea,4.50
2025-04-05,Porto,cake,2.80
2025-04-06,Lisbon,cake,2.80
2025-05-07,Faro,tea,5.00
"""
SLOWLY = """\
import sys
sys.path.append("..")
from tests.browser.slow_analyst import SlowAnalyst
svc.ChatWidget(svc.demo(analyst=SlowAnalyst()))"""


def cells_of(folder: Path, name: str) -> int:
    return len(json.loads((folder / "notebooks" / name).read_text("utf-8"))["cells"])


def first_notebook(visitor: Visitor, folder: Path, watch: Stopwatch) -> None:
    """01 from the first cell to the last; the widget answers a question of the visitor's own, and stops another."""
    visitor.begin()
    count = cells_of(folder, "01_ask_a_question.ipynb")
    outputs = []
    for _ in range(count):
        outputs.append(visitor.run_cell())
        if "336,776" in outputs[-1] and "first answer" not in watch.laps:
            watch.lap("first answer")
    watch.lap("rest of 01")
    visitor.look("01-run")
    assert "first answer" in watch.laps
    assert any("'aborted'" in output for output in outputs)  # the cell that stops a stream
    assert not [output for output in outputs if "Traceback" in output]
    assert visitor.ask("which airline has the highest average distance") == "complete"
    visitor.look("01-widget")
    assert "Hawaiian" in visitor.last_turn()
    visitor.write_cell(SLOWLY)  # the demo's own analyst answers in milliseconds: nobody stops that by hand
    assert visitor.ask("long", stop_at="piece 3") == "aborted"
    visitor.look("01-stopped")
    assert "Stopped. What came until then is kept." in visitor.last_turn()
    assert "piece 3" in visitor.last_turn()
    assert visitor.ask("short") == "complete"  # and on it goes


def own_data(visitor: Visitor, folder: Path, file: Path) -> None:
    """05 with a file of the visitor's: uploaded beside the notebook, named where the notebook says so."""
    visitor.upload(file)
    visitor.open("05_your_own_data.ipynb")
    visitor.rewrite('{"orders": "orders.csv", "customers": "customers.csv"}', f'{{"{file.stem}": "{file.name}"}}')
    visitor.rewrite("total amount by city", "average price by product")
    visitor.begin()
    outputs = []
    for _ in range(cells_of(folder, "05_your_own_data.ipynb")):
        outputs.append(visitor.run_cell())
        if "cake" in outputs[-1]:
            visitor.look("05-own-data")
    visitor.look("05-run")
    assert any("cake" in output and "2.8" in output for output in outputs)  # the answer over the file that was brought
    assert any("model/cubes/sales.yml" in output for output in outputs)  # and its model
    assert not [output for output in outputs if "Traceback" in output]


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    file = tmp_path / "sales.csv"
    file.write_text(SALES)
    return file


@pytest.fixture
def starting(tmp_path: Path) -> Iterator[Any]:
    """Start a command that opens JupyterLab; it is ended with the test."""
    roads = []

    def start(*command: str, folder: Path, **environment: str) -> Road:
        roads.append(Road(command, folder, tmp_path / "home", **environment))
        return roads[-1]

    yield start
    for road in roads:
        road.close()


def test_the_readme_starts_with_make_lab_and_make_test(root: Path) -> None:
    typed = commands(root / "README.md", "Two commands")
    assert typed[-2:] == ["make lab", "make test"]
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"lab", "test"} <= targets


def test_first_and_own_notebook_in_this_environment(
    root: Path,
    tmp_path: Path,
    starting: Any,
    page: Any,  # noqa: F811
    sales: Path,
    requests_elsewhere: list[str],  # noqa: F811
) -> None:
    folder = copy_of(root, tmp_path / "project")
    elsewhere = tmp_path / "my files"
    elsewhere.mkdir()
    (elsewhere / "json.py").write_text("raise SystemExit('a file of my own, which JupyterLab should not meet')")
    watch = Stopwatch()
    start = "import sys; from svc_notebook.cli import main; sys.exit(main())"  # what the installed script does
    command = [sys.executable, "-P", "-c", start, "lab", "--no-browser", "--port", "0"]
    road = starting(*command, folder=elsewhere, PYTHONPATH=str(folder / "src"))
    visitor = Visitor(page, road, road.address(within=120))
    first_notebook(visitor, folder, watch)
    own_data(visitor, folder, sales)
    assert requests_elsewhere == []


@pytest.mark.newcomer
@pytest.mark.network
def test_from_a_fresh_clone(
    root: Path,
    tmp_path: Path,
    starting: Any,
    page: Any,  # noqa: F811
    sales: Path,
    requests_elsewhere: list[str],  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Everything from the beginning, on the clock. ``PIP_NO_CACHE_DIR=1`` measures a first installation."""
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("not a git repository: there is nothing to clone")
    watch = Stopwatch()
    folder = tmp_path / "Erste Schritte, ü" / "svc-notebook"  # a place such as people have
    subprocess.run(["git", "clone", "-q", str(root), str(folder)], check=True)
    watch.lap("clone")
    typed = commands(folder / "README.md", "Two commands")
    *before, lab, test = typed
    for line in before:
        subprocess.run(line, cwd=folder, shell=True, check=True)
    # A browser of our own instead of one the server would open, by the variable that `make help` shows for this.
    road = starting(*lab.split(), "LAB=--no-browser --port 0", folder=folder, PYTHONPATH="")
    address = road.address(within=1800)
    watch.lap("environment and server")
    visitor = Visitor(page, road, address)
    watch.lap("page")
    first_notebook(visitor, folder, watch)
    own_data(visitor, folder, sales)
    watch.lap("05")
    assert requests_elsewhere == []
    until_answer = sum(list(watch.laps.values())[: list(watch.laps).index("first answer") + 1])
    with capsys.disabled():
        print(f"\nclone to first answer: {until_answer:.0f} s\n{watch}")
    if os.environ.get("NEWCOMER_TESTS"):
        subprocess.run(test.split(), cwd=folder, check=True)
