"""Wheel and sdist, built and installed alone: what a user gets is the whole package and nothing but the package."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.slow]


def run(*command: str | Path, cwd: Path, **options) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root, cwd=folder, timeout=300)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment in which only the wheel and its own requirements are installed."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = subprocess.run(
        [python, "-m", "pip", "install", "-qq", next(built.glob("*.whl"))],
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    if "Could not find a version" in done.stderr or "connection" in done.stderr.lower():
        pytest.skip(f"no package index to install the requirements from: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    return python


def test_the_wheel_holds_data_model_static_files_and_notebooks(built: Path, root: Path):
    names = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    source = root / "src"
    expected = {
        path.relative_to(source).as_posix()
        for path in (source / "svc_notebook").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected <= names
    assert "svc_notebook/notebooks/01_ask_a_question.ipynb" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_wheel_is_small_enough_to_download_without_thinking(built: Path):
    assert next(built.glob("*.whl")).stat().st_size < 8_000_000


def test_the_sdist_holds_what_the_tests_need(built: Path):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "Makefile", "tests/conftest.py", "scripts/make_venv.sh"} <= names


@pytest.mark.network
def test_the_wheel_alone_answers_a_question(installed: Path, tmp_path: Path):
    code = (
        "import svc_notebook as svc\n"
        "with svc.demo() as client:\n"
        "    answer = client.chat().ask('how many flights were there')\n"
        "    print(answer.status, int(answer.df.iloc[0, 0]))\n"
    )
    assert run(installed, "-c", code, cwd=tmp_path, timeout=120).split() == ["complete", "336776"]


@pytest.mark.network
def test_the_command_line_of_the_wheel_alone(installed: Path, tmp_path: Path):
    command = installed.with_name("svc-notebook")
    assert "svc-notebook[lab]" in run(command, "doctor", cwd=tmp_path, timeout=120)
    assert "336776" in run(command, "sql", "SELECT MEASURE(count) AS flights FROM flights", cwd=tmp_path, timeout=120)
