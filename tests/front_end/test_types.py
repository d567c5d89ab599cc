"""The front end's modules hold to the types they say: checked by TypeScript, pinned in the lock file beside this."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from svc_notebook.front.modules import STATIC

HERE = Path(__file__).parent
MODULES = sorted((STATIC / "chat").glob("*.js"))


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TypeScript as the lock file names it, installed once per version of that file."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not installed: the types of the front end are not checked here")
    lock = (HERE / "package-lock.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = cache / "svc-notebook-types" / hashlib.sha256(lock).hexdigest()[:16]
    found = place / "node_modules" / "typescript" / "bin" / "tsc"
    if not found.exists():
        fresh = tmp_path_factory.mktemp("types")
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, fresh)
        done = subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund"], cwd=fresh, capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            pytest.skip(f"TypeScript cannot be installed here (no npm registry?): {done.stderr.strip()[-200:]}")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(fresh, place, dirs_exist_ok=True)
    return found


def problems(checker: Path, *options: str) -> str:
    done = subprocess.run(
        ["node", str(checker), "--pretty", "false", *options], capture_output=True, text=True, timeout=300
    )
    return done.stdout + done.stderr


def test_every_module_holds_to_its_types(checker: Path) -> None:
    assert problems(checker, "-p", str(HERE / "tsconfig.json")) == ""


def test_a_slip_would_be_found(checker: Path, tmp_path: Path) -> None:
    for path in (*MODULES, STATIC / "chat" / "types.d.ts"):
        shutil.copy(path, tmp_path)
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    config = (tmp_path / "tsconfig.json").read_text().replace("../../src/svc_notebook/front/static/chat/", "./")
    (tmp_path / "tsconfig.json").write_text(config)
    result = tmp_path / "result.js"
    result.write_text(result.read_text().replace("found.whom", "found.who", 1))
    assert "Property 'who' does not exist on type 'Evidence'" in problems(checker, "-p", str(tmp_path))


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_a_module_says_what_it_is(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("// ")
