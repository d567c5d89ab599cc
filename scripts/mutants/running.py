"""Tests over a copy of the tree, in a child that has the libraries loaded already."""

from __future__ import annotations

import builtins
import io
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from .breaks import ROOT
from .watching import RUN, WEIGHED

__all__ = ["KILLER", "Reached", "Watch", "copied", "forget", "outcome", "reached", "run_pytest"]

SECONDS = 300
KILLER = "killer.txt"
_REACHED = "reached.json"

Reached = dict[str, list[str]]
"""Tests by the breaks that make a difference to them, the quickest first."""


def copied(into: Path) -> Path:
    """The tree that mutants are made in; the real one is never touched."""
    sys.dont_write_bytecode = False  # whatever the environment says: hundreds of children load the same modules
    for name in ("src", "tests", "benchmarks", "docs", "scripts", "pyproject.toml", "README.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules", ".git"))
        elif source.exists():
            shutil.copy(source, into / name)
    (into / KILLER).touch()
    return into


def outcome(tree: Path, tests: Sequence[str], seconds: float = SECONDS) -> str:
    """``killed``, ``survived`` or ``endless``: of the tests over the tree as it is now, in a child of this process."""
    (tree / KILLER).write_text("")
    sys.dont_write_bytecode = True  # what was compiled of the whole tree is read, what is broken is compiled alone
    code = _in_child(lambda: _tested(tree, "-x", *tests), seconds)
    if code is None:
        return "endless"
    if code in {4, 5} and not (tree / KILLER).read_text("utf-8"):
        raise SystemExit(f"none of these tests is there: {' '.join(tests)}")
    return "survived" if code == 0 else "killed"


def _in_child(work: Callable[[], int], seconds: float) -> int | None:
    """The exit code of work done in a fork of this process; None where it took too long and was ended."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = work()
        finally:  # whatever breaks here, nothing of the parent's is tidied up by its child
            os._exit(code)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _tested(tree: Path, *words: str, plugins: Sequence[object] = ()) -> int:
    """Exit code of the tests over the tree as it is; libraries stay loaded, our own modules are read again."""
    os.setsid()
    forget(tree)
    return run_pytest(tree, *words, plugins=plugins)


def forget(tree: Path) -> None:
    """What was loaded of the tree is read again: our own modules, and tests with what they share, which hold them."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.split(".")[0] in {"svc_notebook", "tests"} or Path(file).is_relative_to(tree):
            del sys.modules[name]


class _Killer:
    """Writes down which test failed first (a file that cannot be read: its name)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._failed(report)

    def pytest_collectreport(self, report: Any) -> None:
        self._failed(report)

    def _failed(self, report: Any) -> None:
        if report.failed and not self._path.read_text("utf-8"):
            self._path.write_text(report.nodeid, "utf-8")


def run_pytest(tree: Path, *words: str, plugins: Sequence[object] = ()) -> int:
    """Pytest's exit code: 0 if every test passed."""
    os.chdir(tree)
    sys.path[:0] = [str(tree / "src"), str(tree)]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return int(
            pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", *words], plugins=[_Killer(tree / KILLER), *plugins])
        )


# --- which tests a break makes a difference to ----------------------------------------------------------------------


class Watch:
    """In which test a break would have made a difference, and how long the test took with all that it sets up."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self._test = ""
        self._weighing = False
        builtins.__dict__[RUN] = self._run
        builtins.__dict__[WEIGHED] = self._weighed

    def _run(self, name: str) -> None:
        if not self._weighing:
            self.seen.setdefault(name, set()).add(self._test)

    def _weighed(self, name: str, was: object, instead: Callable[[], object], truth: bool) -> object:
        seen = self.seen.setdefault(name, set())
        if not self._weighing and self._test not in seen:
            self._weighing = True  # what is worked out only to be compared is no run of anything
            try:
                if _differ(was, instead(), truth):
                    seen.add(self._test)
            except Exception:  # noqa: BLE001  # whatever it is, the broken line would fail here
                seen.add(self._test)
            finally:
                self._weighing = False
        return was

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._test = nodeid

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        """What is set up for a whole file runs under all of its tests."""
        test = self._test
        if fixturedef.scope != "function":
            self._test = test.partition("::")[0]
        result = yield
        self._test = test
        return result

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def told(self) -> Reached:
        """The tests that pass of each name, the quickest first; all of them where it runs before any test."""
        passed = self.seconds.keys() - self.failed
        return {
            name: sorted(
                (test for test in passed if tests & {"", test, test.partition("::")[0]}),
                key=lambda test: self.seconds[test],
            )
            for name, tests in self.seen.items()
        }


def _differ(was: object, broken: object, truth: bool) -> bool:
    if truth:
        return bool(was) != bool(broken)
    return was is not broken and (type(was) is not type(broken) or bool(was != broken))


def reached(tree: Path, tests: Sequence[str]) -> tuple[Reached, dict[str, float], list[str]]:
    """To which tests what is watched in the tree makes a difference, how many seconds each takes, and which fail."""

    def work() -> int:
        watch = Watch()
        _tested(tree, "-m", "not browser and not kernel and not soak and not newcomer", *tests, plugins=[watch])
        (tree / _REACHED).write_text(json.dumps([watch.told(), watch.seconds, sorted(watch.failed)]), "utf-8")
        return 0

    if _in_child(work, 60 * SECONDS) != 0:
        raise SystemExit(f"the tests could not be run: {' '.join(tests)}")
    found, seconds, failed = json.loads((tree / _REACHED).read_text("utf-8"))
    return found, {test: seconds[test] for test in seconds if test not in failed}, failed
