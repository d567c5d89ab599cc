"""The widget inside a page whose own rules reach into outputs: JupyterLab's, taken from the installed JupyterLab."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ..widgets.acted_chat import ActedChat, spoken
from .evidence_labels import check_labels
from .stage import Stage

_RULE = re.compile(r"(?:^|\})\s*((?:\.jp-(?:OutputArea-output|RenderedHTMLCommon)\s[^{}]+)\{[^}]*\})", re.MULTILINE)


@cache
def lab_rules() -> str:
    """JupyterLab's rules for what stands in an output."""
    jupyterlab = pytest.importorskip("jupyterlab")
    found: list[str] = []
    for file in (Path(jupyterlab.__file__).parent / "static").glob("*.js"):
        text = file.read_text(encoding="utf-8", errors="ignore")
        if "jp-OutputArea-output" in text:
            found += _RULE.findall(text.replace("\\n", "\n"))
    return "\n".join(found)


@pytest.mark.parametrize("width", [320, 900])
def test_labels_of_the_evidence_are_as_wide_as_their_words(page: Any, width: int) -> None:
    rules = lab_rules()
    assert "dt" in rules, "the rules that once broke the labels are not found any more"
    page.set_viewport_size({"width": width, "height": 900})
    stage = Stage(page, ActedChat(spoken(["ok"])))
    page.evaluate(
        """(rules) => { document.querySelector("#stage").className = "jp-OutputArea-output jp-RenderedHTMLCommon";
        const sheet = document.createElement("style"); sheet.textContent = rules; document.head.append(sheet); }""",
        rules,
    )
    stage.ask("flights by carrier")
    stage.until(lambda: stage.count('[data-status="complete"]') == 1)
    page.locator(".svc-evidence summary").click()
    check_labels(page.locator(".svc-evidence"))
