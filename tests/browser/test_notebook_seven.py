"""The widget in Notebook 7: answers, draws, and its evidence reads as it does in JupyterLab."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .accessibility import violations
from .conftest import shot
from .evidence_labels import check_labels
from .lab import Lab, write_notebook
from .test_jupyterlab import ask

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELL = "import svc_notebook as svc\nsvc.ChatWidget(svc.demo())"

_LOOSE = """(turns) => turns.flatMap((turn) => [...turn.childNodes]).filter((node) => node.nodeType === 3)
    .map((node) => node.textContent)"""  # words between the parts of an answer, such as a stray 0


def test_chat_in_notebook_seven(tmp_path: Path, page: Any) -> None:
    pytest.importorskip("notebook")
    (tmp_path / "notebooks").mkdir()
    write_notebook(tmp_path / "notebooks" / "app.ipynb", [CELL])
    server = Lab(tmp_path, "notebook")
    try:
        page.goto(f"{server.url}/notebooks/app.ipynb", wait_until="domcontentloaded")
        page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
        page.locator('[data-jupyter-kernel-status="idle"], [data-status="idle"]').first.wait_for(timeout=60_000)
        page.keyboard.press("Shift+Enter")
        page.wait_for_selector(".svc-chat textarea", timeout=120_000)
        ask(page, "average arrival delay by carrier")
        page.wait_for_selector(".svc-turn[data-status=complete]")
        page.wait_for_selector('.svc-chart[data-drawn="true"] svg')
        page.locator(".svc-evidence summary").first.click()
        check_labels(page.locator(".svc-evidence").first)
        assert page.locator(".svc-turn").evaluate_all(_LOOSE) == []
        assert violations(page, ".svc-chat") == []
        shot(page, "notebook-seven")
    finally:
        server.close()
