"""A long answer in a real page: the widget's own module, and the whole text set anew for every piece, on the same pieces.

Counted in the page: frames that were drawn, the longest task, and how long the page was held by tasks of more than 50 ms.
"""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from typing import Any

from svc_notebook.results.markdown import render_markdown
from tests.browser.stage import Stage
from tests.widgets.acted_chat import ActedAnswer, ActedChat

__all__ = ["measure"]

WORDS = ("The **mean** delay of _carriers_ grows with the hour of the day, and so it went on.\n\n").split(" ")
_WATCH = """() => { window.seen = {frames: 0, longest: 0, held: 0};
    new PerformanceObserver((list) => { for (const task of list.getEntries()) {
        window.seen.longest = Math.max(window.seen.longest, task.duration); window.seen.held += task.duration; } })
        .observe({entryTypes: ["longtask"]});
    const tick = () => { window.seen.frames++; requestAnimationFrame(tick); }; requestAnimationFrame(tick); }"""


def pieces(tokens: int) -> list[str]:
    """That many tokens of Markdown, a few to a word."""
    return [WORDS[i % len(WORDS)] + ("" if WORDS[i % len(WORDS)].endswith("\n") else " ") for i in range(tokens)]


def measure(tokens: int, seconds: float) -> dict[str, dict[str, float]] | None:
    """Figures of both ways; None where no browser can be driven."""
    chromium = os.environ.get("SVC_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if chromium is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            return {
                "ours": _ours(browser.new_page(), tokens, seconds),
                "whole": _whole(browser.new_page(), tokens, seconds),
            }
        finally:
            browser.close()


def _ours(page: Any, tokens: int, seconds: float) -> dict[str, float]:
    def script(answer: ActedAnswer) -> Any:
        text, began = "", time.monotonic()
        for number, piece in enumerate(pieces(tokens), 1):
            text += piece
            if (wait := began + seconds * number / tokens - time.monotonic()) > 0:
                time.sleep(wait)
            yield replace(answer, text=text)

    stage = Stage(page, ActedChat(script))
    page.evaluate(_WATCH)
    began = time.monotonic()
    stage.ask("at length")
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1, within=seconds * 10 + 60)
    return {**page.evaluate("window.seen"), "seconds": time.monotonic() - began}


def _whole(page: Any, tokens: int, seconds: float) -> dict[str, float]:
    """What a trait or a display with the whole text makes the page do: all of it rendered for every update."""
    page.set_content('<div id="out" style="height:600px;overflow:auto"></div>')
    page.evaluate(_WATCH)
    page.evaluate("() => { window.put = (html) => { document.querySelector('#out').innerHTML = html; }; }")
    text, began, last = "", time.monotonic(), 0.0
    for number, piece in enumerate(pieces(tokens), 1):
        text += piece
        if (wait := began + seconds * number / tokens - time.monotonic()) > 0:
            time.sleep(wait)
        if time.monotonic() - last >= 1 / 30 or number == tokens:
            page.evaluate("(html) => window.put(html)", render_markdown(text))
            last = time.monotonic()  # who is late leaves pieces out, and is no later for it
    return {**page.evaluate("window.seen"), "seconds": time.monotonic() - began}
