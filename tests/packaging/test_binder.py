"""Binder: the same environment from the same files, and every notebook in it, as a visitor would run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import interpreter

pytestmark = [pytest.mark.packaging, pytest.mark.slow]
BINDER = ("lab", "server", "images", "llm")
"""The extras that the notebooks need."""


def wanted(root: Path) -> str:
    return (root / "binder/runtime.txt").read_text("utf-8").strip().removeprefix("python-")


def test_every_requirement_is_pinned_and_the_project_itself_is_there(root: Path):
    lines = [line for line in (root / "binder/requirements.txt").read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0] == "."
    assert [line for line in lines[1:] if not re.fullmatch(r"[\w.\[\]-]+==[\w.]+( ; .+)?", line)] == []


def test_the_kernel_hears_clicks_while_a_cell_runs(root: Path):
    pinned = re.search(r"^ipykernel==(\d+)\.(\d+)", (root / "binder/requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert pinned is not None
    assert (int(pinned[1]), int(pinned[2])) >= (7, 4)


def test_the_pins_satisfy_the_project_file(root: Path):
    import tomllib

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (root / "binder/requirements.txt").read_text("utf-8").splitlines()
    pins = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    for line in [
        *project["dependencies"],
        *(line for extra in BINDER for line in project["optional-dependencies"][extra]),
    ]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), line


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_scripts_can_be_run(root: Path, name: str):
    assert os.access(root / "binder" / name, os.X_OK)
    subprocess.run(["bash", "-n", root / "binder" / name], check=True)


def test_start_opens_the_first_notebook_and_hands_over(root: Path):
    start = root / "binder/start"
    told = subprocess.run([start, "echo", "other"], capture_output=True, text=True, check=True).stdout
    assert told == "other\n"
    assert "notebooks/01_ask_a_question.ipynb" in start.read_text("utf-8")
    assert (root / "notebooks/01_ask_a_question.ipynb").is_file()


@pytest.mark.network
@pytest.mark.newcomer
def test_the_environment_builds_and_runs_every_notebook(root: Path, tmp_path: Path):
    python = interpreter(wanted(root))
    if python is None:
        pytest.skip(
            f"Binder's files were built and none of the notebooks was run: there is no Python {wanted(root)} here"
        )
    repository = tmp_path / "repo"
    ignore = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "node_modules", "dist", ".hypothesis")
    shutil.copytree(root, repository, ignore=ignore)
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    environment = {**os.environ, "PATH": f"{tmp_path}/venv/bin:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)

    def run(*command: str, timeout: int) -> None:
        done = subprocess.run(
            command, cwd=repository, env=environment, capture_output=True, text=True, check=False, timeout=timeout
        )
        if "No matching distribution" in done.stderr or "Failed to establish" in done.stderr:
            pytest.skip(f"the package index does not have all pins: {done.stderr[-300:]}")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]

    run("python", "-m", "pip", "install", "-qq", "--no-compile", "-r", "binder/requirements.txt", timeout=900)
    run("binder/postBuild", timeout=300)
    version = subprocess.run(["python", "--version"], env=environment, capture_output=True, text=True, check=True)
    assert version.stdout.split()[1].startswith(f"{wanted(root)}.")
    for notebook in sorted((repository / "notebooks").glob("*.ipynb")):
        run("jupyter", "execute", "--timeout=300", f"notebooks/{notebook.name}", timeout=600)
