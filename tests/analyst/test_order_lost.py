"""An order that was asked for is in the answer, or nothing is answered: no number, no one row, no order of another kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Divers, and the pearls that they brought up."""
    dice, folder, count = np.random.default_rng(5), Path(tmp_path_factory.mktemp("lagoon")), 120
    divers = pd.DataFrame({
        "diver_id": range(1, 13), "diver_name": [f"Diver {letter}" for letter in "ABCDEFGHIJKL"],
        "island": dice.choice(["Anaa", "Raroia"], 12),
        "hired_on": pd.Timestamp("2020-01-01") + pd.to_timedelta(dice.choice(1500, 12, replace=False), "D"),
    })  # fmt: skip
    pearls = pd.DataFrame({
        "pearl_id": range(1, count + 1), "diver_id": dice.integers(1, 13, count),
        "colour": dice.choice(["black", "green", "white"], count), "weight_g": np.round(dice.uniform(0.5, 9, count), 3),
    })  # fmt: skip
    divers.to_csv(folder / "divers.csv", index=False)
    pearls.to_csv(folder / "pearls.csv", index=False)
    with svc.embedded(str(folder)) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    ["divers sorted by hire date", "divers from Anaa sorted by hire date", "divers in order of hire date",
     "list the divers in order of hiring"],
)  # fmt: skip
def test_rows_that_are_sorted_are_rows(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    rows = answer.result.load_all()
    assert len(rows) > 1
    assert "diver_name" in rows
    assert rows["hired_on"].is_monotonic_increasing


@pytest.mark.parametrize(
    "question",
    ["colours ranked by weight", "sort the divers by when they were hired", "pearls, heaviest first",
     "colours from heaviest to lightest", "list the divers, biggest first"],
)  # fmt: skip
def test_an_order_is_not_lost_in_silence(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    if answer.result is None:
        assert answer.outcome in ("refused", "asked_back")
        return
    rows = answer.result.load_all()
    assert len(rows) > 1
    numbers = [rows[name] for name in rows if pd.api.types.is_numeric_dtype(rows[name]) or "hired" in name]
    assert any(len(set(n)) > 1 and (n.is_monotonic_increasing or n.is_monotonic_decreasing) for n in numbers)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("rank the colours by total weight", 3), ("pearls of each colour, highest first", 3),
     ("which diver was hired first", 1), ("the heaviest pearl", 1)],
)  # fmt: skip
def test_what_has_its_order_stays(client: Any, question: str, wanted: int) -> None:
    assert len(client.chat().ask(question).result.load_all()) == wanted
