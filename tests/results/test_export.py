"""Answers as pages, Markdown and notebooks; the notebook runs, without an agent, to the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.results.export import to_notebook


@pytest.fixture(scope="module")
def answers() -> Any:
    with svc.demo() as client:
        chat = client.chat(external_id="dora", user_attributes={"carrier": ["DL"]})
        yield [chat.ask("average arrival delay by origin"), chat.ask("flights per month")]


def test_the_notebook_runs_without_an_agent(answers: list[Any], tmp_path: Path) -> None:
    notebook = to_notebook(answers, tmp_path / "answer.ipynb")
    assert json.loads((tmp_path / "answer.ipynb").read_text()) == notebook
    pytest.importorskip("nbformat").validate(notebook)
    assert [cell["cell_type"] for cell in notebook["cells"]].count("markdown") == 2
    code = "\n".join(cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert ".ask(" not in code
    assert "dora" in code
    scope: dict[str, Any] = {}
    exec(code, scope)
    assert scope["result"].to_frame().equals(answers[-1].results[-1].load_all())


def test_page_and_markdown_hold_the_answer_and_its_evidence(answers: list[Any]) -> None:
    page, text = answers[0].to_html(), answers[0].to_markdown()
    for whole in (page, text):
        assert "average arrival delay by origin" in whole
        assert "SELECT" in whole
    assert "<script" not in page
    assert "row filters" in page
    assert answers[0].to_markdown() == text


def test_markdown_cells_can_hold_no_html(answers: list[Any]) -> None:
    class Said:
        question = "<img src=x onerror=alert(1)>"
        text = "![x](https://host.example/x.png) <b>"
        results: tuple[Any, ...] = ()
        whoami = "ana"

    source = to_notebook(Said())["cells"][1]["source"]
    assert "<" not in source
    assert "![x](" not in source
