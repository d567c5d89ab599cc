"""The widget in Voilà: streams, draws, stops; one thread there, so nothing may block it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import shot
from .evidence_labels import check_labels
from .lab import Lab, StopWatch, stop_limit, write_notebook
from .test_jupyterlab import ask

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    "import svc_notebook as svc\nfrom tests.browser.slow_analyst import SlowAnalyst\nsvc.ChatWidget(svc.demo())",
    "client = svc.demo(analyst=SlowAnalyst())\nsvc.ChatWidget(client)",
    "svc.demo().chat().ask('average arrival delay by carrier')",
]


def test_chat_in_voila(tmp_path: Path, page: Any) -> None:
    pytest.importorskip("voila")
    (tmp_path / "notebooks").mkdir()
    write_notebook(tmp_path / "notebooks" / "app.ipynb", CELLS)
    server = Lab(tmp_path, "jupyter_server")
    try:
        page.goto(f"{server.url}/voila/render/app.ipynb", timeout=120_000)
        page.wait_for_selector(".svc-chat textarea", timeout=120_000)
        page.wait_for_selector(".svc-idea")
        ask(page, "average arrival delay by carrier")
        page.wait_for_selector(".svc-turn[data-status=complete]")
        page.wait_for_selector('.svc-chart[data-drawn="true"] svg')
        page.locator(".svc-evidence summary").first.click()
        check_labels(page.locator(".svc-evidence").first)
        ask(page, "long", at=1)
        page.wait_for_function("document.querySelector('.svc-live .svc-plain')?.innerText.includes('piece 3')")
        limit = stop_limit(page)
        watch = StopWatch(page)
        page.get_by_role("button", name="Stop", exact=True).click()
        assert watch.seconds() < limit
        shot(page, "voila")
        text = page.locator("body").inner_text()
        assert "setData" not in text
        assert "first 16" not in text
        assert page.locator("table.svc-table:visible").count() >= 1
    finally:
        server.close()
