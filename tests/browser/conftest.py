"""A browser for the tests: the system's Chromium through Playwright, with every host but this one cut off."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .lab import Lab

SHOTS = Path(os.environ.get("SVC_SHOTS", "")) if os.environ.get("SVC_SHOTS") else None


@pytest.fixture
def requests_elsewhere() -> list[str]:
    """Addresses of other hosts that a page asked for; a test ends with this list empty."""
    return []


@pytest.fixture
def page(browser: object, requests_elsewhere: list[str]) -> Iterator[object]:
    """A fresh page that can reach this machine only."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()

    def gate(route: object) -> None:
        url = route.request.url
        if url.startswith(("http://127.0.0.1", "http://localhost", "blob:", "data:")):
            route.fallback()
        else:
            requests_elsewhere.append(url)
            route.abort()

    page.route("**/*", gate)
    page.set_default_timeout(60_000)
    yield page
    context.close()


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One JupyterLab server for all tests of a worker."""
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture
def lab(lab_server: Lab) -> Iterator[Lab]:
    """The server; kernels that a test leaves behind are ended."""
    yield lab_server
    lab_server.end_kernels()


def settled(page: object) -> None:
    """Wait until no transition or animation runs and the page has been painted."""
    page.evaluate("""async () => {
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        await frame();
        await frame();
        const moving = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
        await Promise.allSettled(moving.map((each) => each.finished));
        await frame();
    }""")


def shot(page: object, name: str) -> None:
    """Keep a picture when ``SVC_SHOTS`` names a folder."""
    if SHOTS is not None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(SHOTS / f"{name}.png"), full_page=True)
