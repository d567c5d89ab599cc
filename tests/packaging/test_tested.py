"""`make test` runs once more, alone, what failed: failing twice it has failed, passing it is named as unstable."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HARMED_ONCE = """
from pathlib import Path
def test_sound(): pass
def test_unstable():
    seen = Path(__file__).with_name("seen")
    before, _ = seen.exists(), seen.touch()
    assert before
"""
BROKEN = "def test_broken(): assert False\n"


ALONE = """
import fcntl, os
def test_alone():
    with open(os.environ["TURNS"]) as turns:
        try:
            fcntl.flock(turns, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    raise AssertionError("others may run beside")
"""


def ended(folder: Path, root: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    left_out = ("PYTEST", "TURNS")  # of the run that this one is a part of
    told = {name: value for name, value in os.environ.items() if not name.startswith(left_out)} | environment
    told["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what is run here needs none, and loading all takes seconds
    command = [root / "scripts" / "tested.sh", "", sys.executable, "-m", "pytest", "-q", *options]
    return subprocess.run(command, cwd=folder, env=told, capture_output=True, text=True, timeout=120, check=False)


def test_what_passes_alone_is_named_and_refuses_nothing(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_it.py").write_text(HARMED_ONCE)
    done = ended(tmp_path, root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "UNSTABLE" in done.stdout and "test_unstable" in done.stdout


@pytest.mark.skipif(shutil.which("flock") is None, reason="no flock on this system: alone is beside what still runs")
def test_alone_is_when_nothing_runs_beside_it(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_it.py").write_text(ALONE)
    done = ended(tmp_path, root, TURNS=str(tmp_path / "turns"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "UNSTABLE" in done.stdout


def test_what_fails_twice_has_failed(tmp_path: Path, root: Path) -> None:
    (tmp_path / "test_it.py").write_text(HARMED_ONCE + BROKEN)
    done = ended(tmp_path, root)
    assert done.returncode == 1
    assert "UNSTABLE" not in done.stdout


def test_many_failures_are_no_bad_luck(tmp_path: Path, root: Path) -> None:
    unstable = HARMED_ONCE.replace('"seen"', '"seen_{0}"').replace("test_unstable", "test_unstable_{0}")
    (tmp_path / "test_it.py").write_text("".join(unstable.format(number) for number in range(6)))
    done = ended(tmp_path, root)
    assert done.returncode == 1
    assert "Once more" not in done.stdout


@pytest.mark.parametrize(("options", "status"), [(("-k", "sound"), 0), (("-k", "nothing"), 5)])
def test_any_other_end_is_the_run_s_own(tmp_path: Path, root: Path, options: tuple[str, ...], status: int) -> None:
    (tmp_path / "test_it.py").write_text(HARMED_ONCE)
    assert ended(tmp_path, root, *options).returncode == status


def test_each_test_runs_in_one_part(root: Path) -> None:
    makefile = (root / "Makefile").read_text("utf-8")
    asked = re.search(r"^ASKED *:= *(.+)$", makefile, re.MULTILINE)
    recipe = re.search(r"^test:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert asked and recipe
    parts = [part.replace("$(ASKED)", asked[1]) for part in re.findall(r'-m "([^"]+)"', recipe[1])]
    markers = ["browser", "served", "soak", "newcomer"]
    assert {word for part in parts for word in re.findall(r"\w+", part)} == {*markers, "not", "and"}
    for marked in itertools.product([False, True], repeat=len(markers)):
        has = dict(zip(markers, marked, strict=True))
        wanted = not has["soak"] and not has["newcomer"]
        assert sum(eval(part, {}, has) for part in parts) == wanted, has


LOST = """
import pytest

class Ring:
    def __init__(self, left):
        self.left, self.me = left, self
    def __del__(self):
        if self.left:
            Ring(self.left - 1)
        raise ValueError("lost")

kept = []

@pytest.fixture(scope="session", autouse=True)
def until_the_end():
    yield
    kept.clear()

def test_it(): kept.append(Ring(2))
"""


def test_what_is_lost_in_a_finaliser_at_the_end_is_told(tmp_path: Path, root: Path) -> None:
    (tmp_path / "conftest.py").write_text((root / "tests" / "conftest.py").read_text("utf-8"))
    (tmp_path / "test_it.py").write_text(LOST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error::pytest.PytestUnraisableExceptionWarning"],
        cwd=tmp_path, env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert len(re.findall(r"PytestUnraisableExceptionWarning: Exception ignored", done.stdout + done.stderr)) == 3


NOTED = """
import os, pathlib, pytest

@pytest.mark.parametrize("number", range(10))
def test_it(number):
    with open({0!r}, "a") as noted:
        noted.write(f"{{pathlib.Path(__file__).stem}} {{os.environ['PYTEST_XDIST_WORKER']}}\\n")
"""


PAGES = """
import pytest

@pytest.fixture
def page(): return "one of a browser"

@pytest.mark.parametrize("page", ["docs/sql.md"])
def test_of_the_docs(page): pass

def test_in_a_browser(page): pass
"""


def test_what_drives_a_browser_is_told_by_fixtures_and_not_by_names(tmp_path: Path, root: Path) -> None:
    (tmp_path / "conftest.py").write_text((root / "tests" / "conftest.py").read_text("utf-8"))
    (tmp_path / "test_it.py").write_text(PAGES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "browser", "-p", "no:cacheprovider"],
        cwd=tmp_path, env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert re.findall(r"::(\w+)", done.stdout) == ["test_in_a_browser"]


def test_each_file_is_of_one_worker(tmp_path: Path, root: Path) -> None:
    tests, noted = tmp_path / "tests", tmp_path / "noted"
    tests.mkdir()
    (tests / "conftest.py").write_text((root / "tests" / "conftest.py").read_text("utf-8"))
    for name in ("test_one", "test_two", "test_three"):
        (tests / f"{name}.py").write_text(NOTED.format(str(noted)))
    spread = re.search(r"^SPREAD *:= *(.+)$", (root / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert spread
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-n", "2", *spread[1].split(), "tests"],
        cwd=tmp_path, env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    pairs = noted.read_text().splitlines()
    assert len(pairs) == 30
    assert len(set(pairs)) == 3, "a file was spread over several workers"
