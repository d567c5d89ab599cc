"""What is said as a whole sentence is read as the question in it: frames before and behind, talk, pieces, light words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.framing.table import load_frames
from svc_notebook.analyst.offline.lists import unframed

Ask = Callable[[str], Any]

_PLAIN = {
    "how many hires in March 2025": [
        "I was wondering how many hires we had in March 2025, could you put that up for me?",
        "Hi there, do you happen to know how many hires we got in over the course of March 2025?",
        "Before I phone them, can you tell me how many hires there were in March 2025?",
        "Any idea how many hires there actually were in March 2025, please?",
        "What I'm after is how many hires we had in March 2025, if you can pull that.",
        "In March 2025, do we know how many hires there were?",
        "Good morning, so, I've been asked how many hires we had in March 2025, that'd be great.",
    ],
    "how many hires per kind": [
        "I'd like to know how many hires we've had for each of the different kinds.",
        "For each of the kinds, could you tell me how many hires there are?",
        "I'm curious how many hires we've got for every single one of the kinds, do we record that?",
    ],
    "list the names of all canoes": [
        "I'd love to see the names of all canoes, if that's possible.",
        "Could you pull up the names of all canoes for me, thanks?",
        "Well, what I need is the names of all canoes.",
    ],
    "what percentage of hires were paid in cash": [
        "Out of all the hires, how big a share would you say was paid in cash?",
        "I keep asking myself what percentage of our hires were actually paid in cash, do you know?",
        "How many of our hires were paid in cash, as a percentage?",
    ],
    "how much did we make in 2024": [
        "Honestly, I'd be interested in how much we made in 2024, can you tell?",
        "Right, do we know how much we've made in 2024?",
    ],
}


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    dice = np.random.default_rng(5)
    count = 400
    canoes = pd.DataFrame({
        "canoe_id": range(1, 13), "canoe_name": [f"{a} {b}" for a in ("Otter", "Pike", "Heron") for b in "ABCD"],
        "made_in": dice.permutation(12) + 2008,
    })  # fmt: skip
    hires = pd.DataFrame({
        "hire_id": range(1, count + 1), "canoe_id": dice.integers(1, 11, count),
        "hired_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 500, count), unit="D"),
        "kind": dice.choice(["morning", "evening", "full day"], count), "revenue": np.round(dice.normal(40, 9, count), 2),
        "payment": dice.choice(["cash", "card"], count),
    })  # fmt: skip
    client = svc.embedded({"canoes": canoes, "hires": hires})
    with client:
        yield lambda question: client.chat(external_id="hirer").ask(question)


def _rows(answer: Any) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in answer.results[-1].rows), key=repr) if answer.results else []


@pytest.mark.parametrize("plain", _PLAIN)
def test_a_sentence_is_answered_as_the_question_in_it(plain: str, ask: Ask) -> None:
    wanted = _rows(ask(plain))
    assert wanted
    for sentence in _PLAIN[plain]:
        assert _rows(ask(sentence)) == wanted, sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "I only want the ones from Norway, so how many hires were there?",
        "I'm writing about the evening hires, so how many were there?",
        "Apart from the 3 that sank, how many canoes are there?",
    ],
)
def test_a_clause_that_holds_something_is_not_left_out_in_silence(sentence: str, ask: Ask) -> None:
    answer, text = ask(sentence), "left out"
    everything = {_number(ask("how many hires")), _number(ask("how many canoes"))}
    assert not answer.results or text in (answer.text or "") or _number(answer) not in everything


def _number(answer: Any) -> object:
    return answer.results[-1].rows[0][0] if answer.results else None


def test_a_long_text_is_looked_at_in_no_more_than_its_length(ask: Ask) -> None:
    def taken(text: str) -> float:
        start = perf_counter()
        ask(text)
        return perf_counter() - start

    ask("so how many hires are there")
    assert taken("so, " * 4000 + "how many hires are there") < 20 * max(taken("so, " * 400 + "how many hires"), 0.05)


def test_what_the_data_may_hold_is_no_word_of_talk() -> None:
    phrases = load_frames("en")
    for word in ("oh", "morning", "afternoon", "evening", "order", "last"):
        assert phrases.light.at([word], 0) is None, word
        assert all(found.at([word], 0) is None for kind, found in phrases.fronts if kind == "talk"), word
    for said in ("morning sales", "evening sales"):
        assert unframed(said).text == said
    assert unframed("good morning, list the sales").text == "the sales"
