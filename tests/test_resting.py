"""Threads for linear algebra that are made as numpy is imported do not spin, and what is set for it is gone again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SEEN = """
import os, sys
from importlib.abc import MetaPathFinder

seen = []

class Watch(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            seen.append(os.environ.get("OPENBLAS_THREAD_TIMEOUT"))

sys.meta_path.insert(0, Watch())
{before}
import svc_notebook as svc
svc.Client
assert "numpy" in sys.modules
print(seen, os.environ.get("OPENBLAS_THREAD_TIMEOUT"))
"""


def told(before: str = "", **given: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_THREAD_TIMEOUT"}
    done = subprocess.run(
        [sys.executable, "-c", SEEN.format(before=before)],
        capture_output=True, text=True, check=True, env={**kept, **given},
    )  # fmt: skip
    return done.stdout.strip()


def test_threads_rest_soon_and_the_environment_is_as_it_was() -> None:
    assert told() == "['20'] None"


@pytest.mark.parametrize("own", ["4", "26"])
def test_how_somebody_wants_them_stays_so(own: str) -> None:
    assert told(OPENBLAS_THREAD_TIMEOUT=own) == f"['{own}'] {own}"


def test_nothing_is_set_where_they_have_been_made_before() -> None:
    assert told("import numpy") == "[None] None"
