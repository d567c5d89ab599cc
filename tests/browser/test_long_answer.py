"""A very long answer leaves the page free: no task of its main thread works three times as long as the whole takes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ..widgets.acted_chat import ActedAnswer, ActedChat
from .stage import Stage

TOKENS, SECONDS = 20_000, 12.0
WORDS = "The **mean** delay of _carriers_ grows with the hour of the day, and so it went on.\n\n".split(" ")

WHOLE = """() => {
    const said = document.querySelector('.svc-prose'), text = said.innerHTML;
    said.innerHTML = ''; said.offsetHeight; said.innerHTML = text; return said.offsetHeight;
}"""
"""The whole answer laid out at once, in the same run: a machine that is slow is slow in both."""


def at_length(answer: ActedAnswer) -> Iterator[ActedAnswer]:
    text, began = "", time.monotonic()
    for number in range(TOKENS):
        word = WORDS[number % len(WORDS)]
        text += word if word.endswith("\n") else f"{word} "
        if (wait := began + SECONDS * number / TOKENS - time.monotonic()) > 0:
            time.sleep(wait)
        yield replace(answer, text=text)


def worked(trace: Path) -> list[float]:
    """Milliseconds that each task of the page's main thread worked; waiting for a processor is not work."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    main = {
        (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    return [
        e["tdur"] / 1000
        for e in events
        if e["name"].endswith("RunTask") and "tdur" in e and (e["pid"], e["tid"]) in main
    ]


def at_once(page: Any, browser: Any, trace: Path) -> float:
    """Milliseconds of the task in which the whole answer is laid out; a trace may begin after the page has worked."""
    for _ in range(10):
        browser.start_tracing(page=page, path=str(trace), categories=["toplevel"])
        page.evaluate(WHOLE)
        browser.stop_tracing()
        if (longest := max(worked(trace), default=0.0)) >= 1:
            return longest
    raise AssertionError("no trace of ten holds the layout of the whole answer")


@pytest.mark.slow
def test_twenty_thousand_tokens_keep_the_page_free(page: Any, browser: Any, tmp_path: Path) -> None:
    stage = Stage(page, ActedChat(at_length))
    trace = tmp_path / "trace.json"
    browser.start_tracing(page=page, path=str(trace), categories=["toplevel"])
    stage.ask("at length")
    stage.until(lambda: stage.count('.svc-turn[data-status="complete"]') == 1, within=SECONDS * 10 + 60)
    browser.stop_tracing()
    tasks = worked(trace)
    assert len(tasks) > 200
    assert max(tasks) < 3 * at_once(page, browser, tmp_path / "whole.json")
    assert len(page.locator(".svc-prose").inner_text()) > 4 * TOKENS
