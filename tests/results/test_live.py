"""What a cell shows while it waits, and that nothing else shows or loads anything."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.results.live import LiveView, live_view


class Cell:
    """An output with a display id, which remembers what was put into it."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Any]] = []

    def update(self, bundle: dict[str, Any], *, raw: bool) -> None:
        assert raw
        self.shown.append(bundle)


@pytest.fixture(scope="module")
def answer() -> svc.Answer:
    with svc.demo() as client:
        return client.chat().ask("how many flights are there?")


def test_a_script_shows_nothing_and_need_not_load_ipython(monkeypatch: pytest.MonkeyPatch, answer: svc.Answer) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    with live_view("how many") as view:
        view.tick(answer)
    assert "IPython" not in sys.modules


def test_it_grows_and_leaves_an_empty_element_behind(answer: svc.Answer) -> None:
    cell = Cell()
    with LiveView("how many", cell, streaming=True) as view:
        view.tick(answer)
        view.tick(answer)  # too soon for another
    shown, left = cell.shown
    assert answer.text in shown["text/html"] and shown["text/plain"] == answer.text
    assert "answering" in shown["text/html"]
    assert left == {"text/html": '<div class="svc-live" style="display:none"></div>', "text/plain": ""}


def test_where_nobody_listens_nothing_is_sent(answer: svc.Answer) -> None:
    cell = Cell()
    with LiveView("how many", cell, streaming=False) as view:
        view.tick(answer)
    assert cell.shown == []
