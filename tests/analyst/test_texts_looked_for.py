"""Words are looked for in what people wrote, and nowhere else: behind a verb of mentioning, or in quotes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from asking import Asked, ask
from outcomes import Pct, outcome_of
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_SAID = ("the kettle leaks", "no towel was there", "far from the beach", "the balcony door sticks", "a noisy street",
         "great breakfast", "the lift was out of order", "kettle and balcony were fine")  # fmt: skip
_ASIDE = ("called twice", "wants a refund", "sent a towel", "moved to room 7", "spoke of the beach", "paid by card")


def _tables() -> Tables:
    """Guests' reviews of cabins: what they wrote, and what was noted beside; a cabin's own description is apart."""
    dice = np.random.default_rng(12)
    count = 300
    cabins = pd.DataFrame({
        "cabin_id": range(1, 6), "cabin": ["Alder", "Birch", "Cedar", "Dogwood", "Elder"],
        "bay": ["North", "South", "North", "South", "North"],
    })  # fmt: skip
    said = [f"{one} and {other} on day {day}" for one, other, day in zip(
        dice.choice(_SAID, count), dice.choice(_SAID, count), dice.integers(1, 30, count), strict=True)]  # fmt: skip
    noted = [f"{one}, {number}" for one, number in zip(dice.choice(_ASIDE, count), range(count), strict=True)]
    reviews = pd.DataFrame({
        "review_id": range(1, count + 1), "cabin_id": dice.integers(1, 6, count),
        "written_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 300, count), unit="D"),
        "topic": dice.choice(["room", "food", "staff"], count), "stars": dice.integers(1, 6, count), "comments": said,
    })  # fmt: skip
    calls = pd.DataFrame({
        "call_id": range(1, count + 1), "cabin_id": dice.integers(1, 6, count), "notes": noted,
        "remarks": [f"{text} before {number}" for number, text in enumerate(dice.choice(_SAID, count))],
    })  # fmt: skip
    return {"cabins": cabins, "reviews": reviews, "calls": calls}


@cache
def _world() -> tuple[Tables, World]:
    tables = _tables()
    return tables, World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=tables)))


def _asked(question: str) -> Asked:
    return ask(_world()[1], question)


def _holding(t: Tables, word: str, *, table: str = "reviews") -> pd.DataFrame:
    rows = t[table].merge(t["cabins"], on="cabin_id")
    columns = {"reviews": ["comments"], "calls": ["notes", "remarks"]}[table]
    return rows[np.logical_or.reduce([rows[c].str.contains(word, case=False) for c in columns])]


def _ids(rows: pd.DataFrame) -> set[int]:
    return set(rows.iloc[:, 0])


QUESTIONS: dict[str, Callable[[Tables], Any]] = {
    "reviews that mention a kettle": lambda t: _ids(_holding(t, "kettle")),
    "reviews about balconies": lambda t: _ids(_holding(t, "balcon")),
    "how many reviews talk about the beach?": lambda t: len(_holding(t, "beach")),
    "how many reviews mention a towel in the north bay": lambda t: len(
        _holding(t, "towel").query("bay == 'North'")
    ),
    "comments mentioning the lift": lambda t: list(
        _holding(t, "lift")[["review_id", "comments"]].itertuples(index=False, name=None)
    ),
    "reviews with comments mentioning the lift": lambda t: _ids(_holding(t, "lift")),
    "how many comments mention breakfast, by topic": lambda t: list(
        _holding(t, "breakfast").groupby("topic").size().items()
    ),
    "how many reviews do not mention a kettle": lambda t: len(t["reviews"]) - len(_holding(t, "kettle")),
    "number of calls containing 'towel'": lambda t: len(_holding(t, "towel", table="calls")),
    "how many calls mention the beach in the south bay": lambda t: len(
        _holding(t, "beach", table="calls").query("bay == 'South'")
    ),
    "what share of calls mention the beach": lambda t: Pct(len(_holding(t, "beach", table="calls")) / len(t["calls"])),
    "average stars of reviews that mention a kettle or a towel": lambda t: _holding(t, "kettle|towel").stars.mean(),
    "which cabin has the most reviews about kettles": lambda t: _holding(t, "kettle").groupby("cabin").size().idxmax(),
}  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_words_are_looked_for_in_texts(question: str) -> None:
    tables, _ = _world()
    assert outcome_of(_asked(question), QUESTIONS[question](tables)) == "right"


def test_what_a_value_is_called_is_no_text() -> None:
    reviews = _world()[0]["reviews"]
    assert outcome_of(_asked("how many reviews about food"), (reviews.topic == "food").sum()) == "right"


@pytest.mark.parametrize("question", ["reviews about unicorns", "how many reviews of the kettle", "kettle reviews"])
def test_no_unknown_word_is_looked_for_unasked(question: str) -> None:
    asked = _asked(question)
    assert asked.table is None or "left out" in asked.answer.text


def test_an_answer_says_in_which_texts() -> None:
    asked = _asked("how many calls mention the beach")
    assert "notes contains beach" in asked.answer.text and "remarks contains beach" in asked.answer.text
