"""What `make` says where something is missing: what it is, and what to do. In a folder with a space and an umlaut."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")

Make = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(root: Path, tmp_path: Path) -> Path:
    """As much of a checkout as setting up needs."""
    folder = tmp_path / "Mein Ordner für Python"
    (folder / "binder").mkdir(parents=True)
    shutil.copytree(root / "scripts", folder / "scripts")
    for name in ("Makefile", "pyproject.toml", "binder/overrides.json"):
        shutil.copy(root / name, folder / name)
    return folder


@pytest.fixture
def make(place: Path) -> Make:
    def run(*words: str, path: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "MAKE", "VIRTUAL"))}
        if path is not None:
            kept["PATH"] = f"{path}:/usr/bin:/bin"
        return subprocess.run(
            ["make", *words], cwd=place, env=kept | variables, capture_output=True, text=True, check=False, timeout=120
        )

    return run


def program(folder: Path, name: str, script: str) -> Path:
    """A stand-in for a program of the system."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    return folder / name


def test_help_comes_without_setting_anything_up(make: Make, place: Path) -> None:
    done = make()
    assert done.returncode == 0
    assert {"make lab", "make test", "make newcomer"} <= {
        " ".join(line.split()[:2]) for line in done.stdout.splitlines()
    }
    assert not (place / ".venv").exists()


def test_a_python_that_is_too_old(make: Make, place: Path, tmp_path: Path) -> None:
    old = program(tmp_path / "old", "python3", 'case "$1" in --version) echo Python 3.10.13;; *) exit 1;; esac')
    done = make("lab", f"PYTHON={old}", path=old.parent)
    assert done.returncode == 2
    assert "Python 3.11 or newer is needed; found Python 3.10.13" in done.stderr
    assert "make PYTHON=" in done.stderr
    assert not (place / ".venv").exists()


def test_a_python_that_makes_no_environments(make: Make, place: Path, tmp_path: Path) -> None:
    bare = program(
        tmp_path / "bare", "python3", f'case "$*" in *venv*) exit 1;; *) exec "{sys.executable}" "$@";; esac'
    )
    done = make("lab", f"PYTHON={bare}")
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr
    assert not (place / ".venv").exists()


def test_a_folder_that_cannot_be_written_to(make: Make) -> None:
    done = make("lab", f"PYTHON={sys.executable}", "VENV=/dev/null/venv")
    assert done.returncode == 2
    assert "cannot be written to" in done.stderr
    assert "make VENV=" in done.stderr


def test_no_network_and_then_the_same_again(make: Make, place: Path) -> None:
    """The environment stays, what is missing is said, and the second run goes on from there."""
    for _ in range(2):
        done = make("lab", f"PYTHON={sys.executable}", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull, PIP_FIND_LINKS="")
        assert done.returncode == 2
        assert "a network is needed now" in done.stderr
        assert (place / ".venv" / "bin" / "python").exists()
        assert not (place / ".venv" / ".lab").exists()


def test_an_environment_that_was_cut_short(make: Make, place: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / ".venv"], check=True)
    done = make("lab")
    assert done.returncode == 2
    assert "make clean" in done.stderr


def test_a_folder_that_was_moved(make: Make, place: Path) -> None:
    (place / ".venv").mkdir()
    (place / ".venv" / ".place").write_text("/somewhere/else\n")
    (place / ".venv" / "old").write_text("")
    done = make()
    assert "This folder was moved" in done.stdout
    assert not (place / ".venv").exists()


def test_a_folder_that_stayed_keeps_its_environment(make: Make, place: Path) -> None:
    (place / ".venv").mkdir()
    (place / ".venv" / ".place").write_text(f"{place}\n")
    assert "moved" not in make().stdout
    assert (place / ".venv" / ".place").exists()


def test_no_browser_is_no_reason_to_stop(root: Path, tmp_path: Path) -> None:
    """The browser tests are skipped then, and a note says what to install."""
    home = tmp_path / "home"
    home.mkdir()
    failing = program(tmp_path / "bin", "python", "exit 1")
    for name in ("id", "ls", "sh", "cat"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    done = subprocess.run(
        ["/bin/sh", root / "scripts/find_browser.sh", failing],
        env={"PATH": str(tmp_path / "bin"), "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "the browser tests will be skipped" in done.stderr
    assert "SVC_CHROMIUM" in done.stderr
