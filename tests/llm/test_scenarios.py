"""Sixty things that providers of two dialects do, each told right in the stream, the answer, the widget and a saved notebook."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.widgets.transcript import transcript_bundle

from ..widgets.test_conversation import Browser
from .scenarios import QUESTIONS, SCENARIOS, chat_of, scenario_service

pytest.importorskip("pydantic_ai")

ROOT = Path(__file__).parents[2]
EACH = [f"{('openai', 'anthropic')[place % 2]}: {name}" for place, name in enumerate(SCENARIOS)]
"""Every scenario once, the dialects by turns; `make soundness` shows both."""
QUIET = ("complete", "asked_back")
"""What needs no line of its own: an answer, and a question that is one by its words and buttons."""
SHOWN = [*EACH, *(pytest.param(other, marks=pytest.mark.soak) for other in QUESTIONS if other not in EACH)]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with scenario_service() as started:
        yield started


def test_there_are_as_many_as_were_promised() -> None:
    assert len(SCENARIOS) >= 60
    assert {scenario.outcome for scenario in SCENARIOS.values()} == {
        "complete", "asked_back", "cut", "filtered", "refused", "capped", "provider_failed",
    }  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_stream_and_the_answer_say_how_it_ended(client: Any, question: str) -> None:
    dialect, name = QUESTIONS[question]
    scenario = SCENARIOS[name]
    outcome, detail = scenario.expected(dialect)
    chat = chat_of(client)
    frames = list(stream := chat.stream(question))
    (state,) = [frame.state for frame in frames if frame.id == "__state__"]
    assert state.get("outcome", "complete") == outcome
    assert detail in state.get("outcomeDetail", "")
    (replayed,) = chat.history()
    for answer in (stream.answer, replayed):
        assert (answer.status, answer.outcome) == ("complete", outcome)
        assert detail in answer.outcome_detail and bool(answer.outcome_detail) is (outcome != "complete")
        assert scenario.text in answer.text
        assert all(call.state != "running" for call in answer.tool_calls)
    assert replayed.usage.get("llmCalls") == stream.answer.usage.get("llmCalls")


@pytest.mark.parametrize("question", SHOWN)
def test_the_widget_and_what_it_leaves_say_how_it_ended(client: Any, question: str) -> None:
    dialect, name = QUESTIONS[question]
    outcome, detail = SCENARIOS[name].expected(dialect)
    browser = Browser(chat_of(client))
    browser.conversation.handle({"t": "ask", "q": question})
    browser.wait(lambda: browser.of("turn"), 60)
    (turn,) = browser.conversation.turns
    kept = transcript_bundle([turn], "ana")["text/html"]
    said = turn["ended"]["said"] if turn["ended"] else ""
    assert SCENARIOS[name].text in turn["text"]
    assert outcome != "asked_back" or SCENARIOS[name].text in kept
    if outcome in QUIET:
        assert turn["ended"] is None and len(turn["choices"]) == (2 if outcome == "asked_back" else 0)
    else:
        assert turn["ended"]["outcome"] == outcome and detail in said
    assert _told(kept) == ([] if outcome in QUIET else [(outcome, said)])
    assert bool(turn["spent"]) is ("call" in kept.rpartition("svc-read")[2])


CELLS = """
from IPython.display import display
from tests.llm.scenarios import chat_of, scenario_service
with scenario_service() as client:
    for question in asked:
        print("\\n#", question)
        display(chat_of(client).ask(question))
"""


@pytest.mark.kernel
def test_a_saved_notebook_says_how_it_ended(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"asked = {EACH!r}\n{CELLS}")])
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "IPYTHONDIR": str(tmp_path / "ipython")}
    nbclient.NotebookClient(notebook, timeout=300, store_widget_state=False, kernel_name="python3").execute(env=env)
    nbformat.write(notebook, tmp_path / "kept.ipynb")
    kept = nbformat.read(tmp_path / "kept.ipynb", as_version=4).cells[0].outputs
    told: dict[str, str] = {}
    asked = ""
    for output in kept:
        if output.output_type == "stream":
            asked = output.text.strip().removeprefix("# ")
        else:
            told[asked] = told.get(asked, "") + output.data.get("text/html", "")
    assert list(told) == EACH
    for question, html in told.items():
        dialect, name = QUESTIONS[question]
        outcome, detail = SCENARIOS[name].expected(dialect)
        assert [(said, detail in why) for said, why in _told(html)] == (
            [] if outcome in QUIET else [(outcome, True)]
        ), question
        assert outcome != "asked_back" or SCENARIOS[name].text in html, question


def _told(html: str) -> list[tuple[str, str]]:
    found = re.findall(r'<p class="svc-state" data-outcome="(\w+)">(.*?)</p>', html)
    return [(outcome, unescape(said)) for outcome, said in found]
