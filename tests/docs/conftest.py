"""The site, built once, with every warning an error and no network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OFFLINE = """
import socket, sys

def refuse(*_):
    raise OSError("the site is built without a network")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
from sphinx.cmd.build import main
sys.exit(main(sys.argv[1:]))
"""


def _without_network() -> list[str]:
    """A prefix that takes the network away from a command, where this machine allows it."""
    unshare = shutil.which("unshare")
    alone = [unshare, "--map-root-user", "--net"] if unshare else []
    works = alone and subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0
    return alone if works else []


@pytest.fixture(scope="session")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of built pages."""
    pytest.importorskip("sphinx", reason="the site is built with the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    built = folder / "html"
    options = ["-W", "--keep-going", "-q", "-c", str(root / "docs"), "-d", str(folder / "doctrees")]
    command = [*_without_network(), sys.executable, "-c", OFFLINE, *options, str(root), str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    return built
