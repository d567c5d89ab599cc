"""What a visitor of the demo takes of a small machine: server, kernel and two open chats, after several questions each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ..browser.conftest import page, requests_elsewhere  # noqa: F401
from ..browser.lab import Lab, Notebook

pytestmark = [
    pytest.mark.browser,
    pytest.mark.kernel,
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]

LIMIT = 1_000
"""Megabytes that a visitor of Binder may count on."""
MARGIN = 0.4
"""Share of them that is kept free, for notebooks and data of the visitor's own."""

CHATS = """\
import svc_notebook as svc
client = svc.demo()
dana = client.chat(external_id="dana", user_attributes={"carrier": ["DL"]})
import ipywidgets
ipywidgets.VBox([svc.ChatWidget(client), svc.ChatWidget(dana)])"""
WORK = 'answer = client.chat().ask("flights per month by origin")\nanswer.chart\nlen(answer.result.load_all())'
QUESTIONS = ["flights per month by origin", "average arrival delay by airline", "share of cancelled flights by week"]


def family(process: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield process
    children: list[str] = []
    with suppress(ProcessLookupError, FileNotFoundError):
        for task in Path(f"/proc/{process}/task").iterdir():
            children += (task / "children").read_text().split()
    for child in children:
        yield from family(int(child))


def megabytes(process: int) -> float:
    """The memory of a process and its children, what they share counted once (PSS)."""
    total = 0
    for each in family(process):
        with suppress(ProcessLookupError, FileNotFoundError):  # one that has just ended holds nothing
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.close()


def test_server_kernel_and_two_chats_fit_in_a_gigabyte(server: Lab, page: Any) -> None:  # noqa: F811
    alone = megabytes(server.process.pid)
    notebook = Notebook(server, page, "visit.ipynb", [CHATS, WORK])
    notebook.run(0)
    notebook.run(1)
    boxes = page.get_by_label("Question", exact=True)
    boxes.nth(1).wait_for()
    for number, question in enumerate(QUESTIONS, 1):
        for chat in (0, 1):
            boxes.nth(chat).fill(question)
            boxes.nth(chat).press("Enter")
            page.wait_for_function(
                """([chat, n]) => document.querySelectorAll('.svc-chat')[chat]
                    .querySelectorAll('.svc-turn[data-status=complete]').length >= n""",
                arg=[chat, number],
            )
    whole = megabytes(server.process.pid)
    print(f"server {alone:.0f} MB, with kernel and two chats {whole:.0f} MB")
    assert whole < (1 - MARGIN) * LIMIT
