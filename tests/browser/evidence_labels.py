"""The labels of the evidence strip, measured: each on one line, as wide as its words, its value beside it."""

from __future__ import annotations

from typing import Any

__all__ = ["check_labels"]

_BOXES = """(labels) => labels.map((dt) => { const range = document.createRange(); range.selectNodeContents(dt);
    return [dt.textContent, range.getClientRects().length, dt.getBoundingClientRect(),
            dt.nextElementSibling.getBoundingClientRect()]; })"""


def check_labels(strip: Any) -> None:
    """Fail where the labels of an open evidence strip (a locator) do not hold."""
    boxes = strip.locator("dt").evaluate_all(_BOXES)
    assert len(boxes) >= 3
    for text, lines, label, value in boxes:
        assert lines == 1, f"{text!r} stands on {lines} lines"
        assert label["width"] >= 5 * len(text)
        assert value["left"] >= label["right"], f"{text!r} and its value overlap"
        assert abs(value["top"] - label["top"]) < 4, f"{text!r} stands beside its value"
