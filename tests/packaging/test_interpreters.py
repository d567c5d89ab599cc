"""Every Python that the project file names and this machine has: the wheel installs there, and answers a question."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from .conftest import install, interpreter, run

pytestmark = [pytest.mark.packaging, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
CHECKED = ["3.11", "3.12", "3.13", "3.14"]
ASK = """
import warnings
warnings.simplefilter("error", DeprecationWarning)  # of ours; what others import is theirs
warnings.filterwarnings("default", category=DeprecationWarning, module=r"(?!svc_notebook)")
import svc_notebook as svc
for name in svc.__all__:
    getattr(svc, name)
with svc.demo() as client:
    answer = client.chat().ask("flights by origin")
    print(answer.status, *answer.df["count"])
"""


def named(root: Path) -> list[str]:
    """The versions that the classifiers promise."""
    classifiers = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    return re.findall(r"Python :: (3\.\d+)$", "\n".join(classifiers), re.MULTILINE)


def test_what_is_promised_is_checked_here(root: Path):
    assert set(named(root)) <= set(CHECKED)
    assert HERE in CHECKED


@pytest.mark.network
@pytest.mark.newcomer
@pytest.mark.parametrize("version", [version for version in CHECKED if version != HERE])  # this one: test_distributions
def test_the_wheel_answers_in_another_python(version: str, built: Path, tmp_path: Path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    own = install(python, next(built.glob("*.whl")), tmp_path / "venv")
    assert run(own, "-c", ASK, cwd=tmp_path, timeout=180).split() == ["complete", "120835", "111279", "104662"]
