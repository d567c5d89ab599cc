"""Every notebook, run from top to bottom in a real kernel, every stored output compared (pytest --nbval, strict)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p pytest_timeout"}  # loading all takes seconds


def test_there_is_a_first_notebook():
    assert (FOLDER / "01_ask_a_question.ipynb") in NOTEBOOKS


@pytest.mark.kernel
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_output_is_what_is_stored(notebook: Path):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "nbval.plugin", "--nbval", "-q", "-p", "no:cacheprovider", str(notebook)],
        cwd=FOLDER.parent, capture_output=True, text=True, check=False, timeout=600, env=os.environ | ALONE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_for_readers(notebook: Path):
    """Outputs are there, nothing of this machine is in them, and a saved notebook needs no widget state to be read."""
    content = json.loads(notebook.read_text("utf-8"))
    assert "widgets" not in content["metadata"]
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in code)
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for output in (output for cell in code for output in cell["outputs"]):
        output.get("data", {}).pop("image/png", None)
    outputs = json.dumps([cell["outputs"] for cell in code])
    assert not re.search(r"0x[0-9a-f]{6,}|/home/|/root/|/tmp/|Traceback", outputs)
    assert notebook.stat().st_size < 1_500_000


def test_every_public_name_is_met_in_the_course_or_the_readme():
    import svc_notebook as svc

    told = (FOLDER.parent / "README.md").read_text("utf-8")
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        told += "\n".join("".join(cell["source"]) for cell in cells)
    assert [name for name in svc.__all__ if not re.search(rf"\b{name}\b", told)] == []


def test_the_course_is_one_way_from_the_first_to_the_last():
    """Each notebook ends with the way back and the way on, and the titles are those of the notebooks they lead to."""
    titles = {}
    for notebook in NOTEBOOKS:
        first = "".join(json.loads(notebook.read_text("utf-8"))["cells"][0]["source"])
        titles[notebook.name] = first.splitlines()[0].removeprefix("# ")
    names = [notebook.name for notebook in NOTEBOOKS]
    for number, notebook in enumerate(NOTEBOOKS):
        last = "".join(json.loads(notebook.read_text("utf-8"))["cells"][-1]["source"])
        links = re.findall(r"\[(.+?)\]\((.+?)\)", last)
        assert [target for _, target in links] == names[max(number - 1, 0) : number] + names[number + 1 : number + 2]
        assert all(titles[target] == text for text, target in links)
        assert titles[notebook.name].startswith(f"{number + 1:02d} · ")
