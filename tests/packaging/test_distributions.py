"""Wheel and sdist, built and installed alone: what a user gets is the whole package and nothing but the package."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from .conftest import install, run

pytestmark = [pytest.mark.packaging, pytest.mark.slow]


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment in which only the wheel and its own requirements are installed."""
    return install(sys.executable, next(built.glob("*.whl")), tmp_path_factory.mktemp("alone") / "venv")


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
