"""Distributions built once for all tests here, and the interpreters of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def run(*command: str | Path, cwd: Path, **options) -> str:
    """Run a command away from the checkout; its output, or a failure that shows all it said."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def interpreter(version: str) -> str | None:
    """A Python of that version, wherever one is usually found."""
    candidates = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    for candidate in filter(None, candidates):
        ask = [str(candidate), "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip() == version:
            return str(candidate)
    return None


@pytest.fixture(scope="session")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheel and sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root, cwd=folder, timeout=300)
    return folder


def install(python: str | Path, wheel: Path, folder: Path) -> Path:
    """Python of a fresh environment with the wheel and its own requirements only; skips where there is no index."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    own = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = subprocess.run(
        [own, "-m", "pip", "install", "-qq", "--no-compile", "--disable-pip-version-check", wheel],
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    if "Could not find a version" in done.stderr or "connection" in done.stderr.lower():
        pytest.skip(f"no package index to install the requirements from: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    return own
