"""Somebody at a browser: opens the address that was printed, runs cells with Shift+Enter, types, clicks, drops files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from .road import Road

__all__ = ["Visitor"]

_SEEN = """(cell) => JSON.stringify({
    cell: cell.textContent.trim().slice(0, 120),
    connected: cell.isConnected,
    classes: cell.className,
    focus: document.activeElement.outerHTML.slice(0, 200),
    page: document.visibilityState,
    dialog: document.querySelector(".jp-Dialog")?.textContent,
    kernel: document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status,
})"""
SHOTS = os.environ.get("SVC_SHOTS")


class Visitor:
    """Uses JupyterLab by keyboard and mouse only; nothing of the page's inside is called."""

    def __init__(self, page: Any, road: Road, address: str) -> None:
        self.page, self._road = page, road
        page.set_default_timeout(120_000)
        page.goto(address, wait_until="domcontentloaded")
        self.cells = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell")
        self._ready()

    def _ready(self) -> None:
        """The notebook is shown and its kernel waits for work."""
        self.cells.first.wait_for()
        self.page.locator(
            ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook-ExecutionIndicator[data-status=idle]"
        ).wait_for()

    def look(self, name: str) -> None:
        """Keep a picture when ``SVC_SHOTS`` names a folder."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))

    @property
    def active(self) -> Any:
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell.jp-mod-active")

    def begin(self) -> None:
        """Clear what is stored, so that all that is seen is new, and click beside the first cell for the keyboard.

        JupyterLab offers a notebook's commands once it is the current one, which a page that is still busy may not
        have come to: who sees nothing happen clicks into the notebook and chooses again.
        """
        for _ in range(5):
            self.cells.first.locator(".jp-InputPrompt").first.click()
            self.page.locator(".lm-MenuBar-item").filter(has_text="Edit").click()
            self.page.locator(".lm-Menu-item").filter(has_text="Clear Outputs of All Cells").click()
            if self._cleared(within=20_000):
                break
            self.page.keyboard.press("Escape")
        else:
            raise AssertionError(f"outputs are not cleared: {self._seen(self.cells.first.element_handle())}")
        self.cells.first.locator(".jp-InputPrompt").first.click()

    def _cleared(self, *, within: int) -> bool:
        """Whether no output is shown any more, in so many milliseconds."""
        from playwright.sync_api import TimeoutError as Late

        try:
            self.cells.locator(".jp-OutputArea-output").first.wait_for(state="detached", timeout=within)
        except Late:
            return False
        return True

    def run_cell(self) -> str:
        """Shift+Enter; the text of the cell's output once it has run, empty for a cell of prose."""
        cell = self.active.element_handle()
        code = "jp-CodeCell" in cell.get_attribute("class")
        self.page.keyboard.press("Shift+Enter")
        if not self._left(cell, within=20_000):  # the keys went elsewhere: who sees that clicks beside the cell again
            cell.query_selector(".jp-InputPrompt").click()
            self.page.keyboard.press("Shift+Enter")
            assert self._left(cell, within=60_000), f"Shift+Enter does nothing: {self._seen(cell)}"
        if not code:
            return ""
        ended = r"(cell) => /^\[\d+\]:$/.test(cell.querySelector('.jp-InputPrompt')?.textContent.trim())"
        assert self._comes(ended, cell, within=120_000), f"the cell does not end: {self._seen(cell)}"
        output = cell.query_selector(".jp-Cell-outputArea")
        return str(output.inner_text()) if output else ""

    def _left(self, cell: Any, *, within: int) -> bool:
        """Whether another cell has become the active one, in so many milliseconds."""
        left = "(cell) => !cell.isConnected || !cell.classList.contains('jp-mod-active')"
        return self._comes(left, cell, within=within)

    def _comes(self, condition: str, cell: Any, *, within: int) -> bool:
        from playwright.sync_api import TimeoutError as Late

        try:
            self.page.wait_for_function(condition, arg=cell, polling=100, timeout=within)  # drawn or not
        except Late:
            return False
        return True

    def _seen(self, cell: Any) -> str:
        """What somebody would tell who asks for help: the cell, where the keys go, dialogs, what the kernel does."""
        self.look("stuck")
        return f"{self.page.evaluate(_SEEN, cell)}\n{self._road.stuck()}"

    def ask(self, question: str, *, stop_at: str | None = None) -> str:
        """Type a question into the last widget and press Enter; click Stop once ``stop_at`` is read. How the turn ended."""
        turns = self.page.locator(".svc-turn")
        before = turns.count()
        box = self.page.get_by_label("Question", exact=True).last
        box.fill(question)
        box.press("Enter")
        if stop_at:
            turns.last.filter(has_text=stop_at).wait_for()
            self.page.get_by_role("button", name="Stop", exact=True).last.click()
        self.page.wait_for_function(
            """(before) => { const turns = document.querySelectorAll(".svc-turn");
                return turns.length > before && turns[turns.length - 1].dataset.status !== "running"; }""",
            arg=before,
        )
        return str(turns.last.get_attribute("data-status"))

    def write_cell(self, source: str) -> str:
        """Type into the empty cell that Shift+Enter has opened at the end, and run it."""
        self.cells.last.locator(".cm-content").click()
        self.page.keyboard.insert_text(source)
        return self.run_cell()

    def last_turn(self) -> str:
        """What the last turn in the widget shows."""
        return str(self.page.locator(".svc-turn").last.inner_text())

    def rewrite(self, old: str, new: str) -> None:
        """Edit the cell that holds ``old``: the whole cell is selected and typed anew."""
        editor = self.cells.locator(".cm-content").filter(has_text=old).first
        editor.click()
        lines = [line.rstrip("\n") for line in editor.locator(".cm-line").all_inner_texts()]
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text("\n".join(lines).replace(old, new))
        self.page.keyboard.press("Escape")

    def upload(self, file: Path) -> None:
        """The upload button over the file list on the left."""
        with self.page.expect_file_chooser() as chooser:
            self.page.locator(".jp-FileBrowser").get_by_title(re.compile("Upload")).first.click()
        chooser.value.set_files(file)
        self.page.locator(".jp-DirListing-item").filter(has_text=file.name).wait_for()

    def open(self, name: str) -> None:
        """A double click on a file in the list."""
        self.page.locator(".jp-DirListing-item").filter(has_text=name).dblclick()
        self.page.locator(".lm-TabBar-tab.jp-mod-current").filter(has_text=name).wait_for()
        self._ready()
