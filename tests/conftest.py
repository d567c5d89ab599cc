"""What every folder of tests may use: where the public cases lie, which browser to drive, how work is spread."""

from __future__ import annotations

import gc
import logging
import os
import re
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-quic", "--no-first-run",
]  # fmt: skip
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SERVED = ("cli", "service", "team")
"""Folders whose tests wait for servers and processes more than they compute."""

# The same examples for the same tests: a change is judged by what it changes, not by luck. `long` draws anew each time.
settings.register_profile(
    "default", deadline=None, print_blob=True, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("default"), max_examples=10_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", help="folder of public cases (default: $SVC_CASES, then ../shared/cases)")


def pytest_configure() -> None:
    """A shell starts what runs in its background deaf to interrupts, and children inherit it; these tests send some.

    What is collected stays until the end: the garbage collector looks through none of it, neither meanwhile (a third of
    the collection's time) nor in each of the tests after it (a third of theirs).
    """
    gc.disable()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run of one part reads no file that is none of it: to import them all takes longer than many tests."""
    part = str(config.option.markexpr).partition(" ")[0]
    if collection_path.suffix != ".py" or part not in PARTS:
        return None
    return None if PARTS[part](collection_path) else True


def _speaks_of_browsers(path: Path) -> bool:
    shared = (folder / "conftest.py" for folder in path.parents if folder.is_relative_to(HERE) and folder != HERE)
    texts = (file.read_text("utf-8") for file in (path, *shared) if file.exists())
    return any(re.search("browser|page|chromium", text) for text in texts)


def _is_served(path: Path) -> bool:
    return any(path.is_relative_to(HERE / folder) for folder in SERVED)


PARTS: dict[str, Callable[[Path], bool]] = {"browser": _speaks_of_browsers, "served": _is_served}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that are `slow` are handed out first. What is in folders of servers is marked so.

    Whatever drives a browser is marked so: Playwright leaves an event loop in its thread, which no other test wants.
    """
    for item in items:
        given = getattr(getattr(item, "callspec", None), "params", ())  # a page of the docs is none of a browser
        if {"browser", "page", "chromium"} & set(getattr(item, "fixturenames", ())).difference(given):
            item.add_marker("browser")
        if item.get_closest_marker("browser") and not _speaks_of_browsers(item.path):
            raise pytest.UsageError(f"{item.nodeid} drives a browser, and nothing in its file or folder says so")
        if _is_served(item.path):
            item.add_marker("served")
        if item.get_closest_marker("soak") or item.get_closest_marker("newcomer"):
            item.add_marker(pytest.mark.timeout(0))  # they may take as long as they take
    slow = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("packaging")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """What is left of a file is what later tests keep as well (caches, models): it is looked through once."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path != item.path:
            gc.collect()
            gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A service that fails tells its log alone why: the summary of a run shows the last line of it behind the failure."""
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None and "HTTP 500" in crash.message and report.caplog:
        crash.message += f" Its log: {report.caplog.splitlines()[-1]}"
    return report


def pytest_sessionfinish() -> None:
    """All that is left is looked through once: pytest does so five times, for what finalisers leave in their turn."""
    gc.enable()  # where the collection came to no end
    gc.unfreeze()
    gc.collect()
    for _ in range(4):
        gc.collect(1)  # what finalisers have left is young
    gc.freeze()


@pytest.fixture
def logging_as_it_was() -> Iterator[None]:
    """A command that serves sets up the log of its whole process, which here is that of all tests after it."""
    loggers = [logging.getLogger(name) for name in ("", "svc_notebook", "uvicorn", "uvicorn.error", "uvicorn.access")]
    before = [(each, each.handlers[:], each.level, each.propagate) for each in loggers]
    yield
    for each, handlers, level, propagate in before:
        each.handlers[:], each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root."""
    return ROOT


@pytest.fixture(scope="session")
def cases(request: pytest.FixtureRequest) -> Path:
    """The folder of public cases; a test that asks for it is skipped where it is absent."""
    named = request.config.getoption("--cases") or os.environ.get("SVC_CASES")
    folder = Path(named) if named else ROOT.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip(f"no public cases at {folder} (set SVC_CASES)")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium or Chrome; a test that asks for it is skipped, with the remedy, where there is none."""
    if named := os.environ.get("SVC_CHROMIUM"):
        return named
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if found := shutil.which(name):
            return found
    for cache in (Path.home() / ".cache" / "ms-playwright", Path.home() / "Library" / "Caches" / "ms-playwright"):
        for found in sorted(cache.glob("chromium-*/chrome-*/chrome")):
            return str(found)
    pytest.skip("no Chromium: install `chromium`, or set SVC_CHROMIUM to its path")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """One Chromium for all browser tests (Playwright allows one in a process); skipped where none is installed."""
    playwright_api = pytest.importorskip("playwright.sync_api")
    with playwright_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
        yield started
        started.close()
