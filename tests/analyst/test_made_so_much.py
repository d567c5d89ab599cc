"""How much was made is a number of pieces, and none of rows, where rows are dated by the making and are of several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def pottery() -> dict[str, pd.DataFrame]:
    """Firings of a pottery, each of some pots by one potter in one kiln."""
    dice = np.random.default_rng(29)
    potters = pd.DataFrame(
        {"potter_id": range(1, 6), "potter_name": ["Ada", "Bea", "Cid", "Dag", "Eli"], "wing": list("LLRRR")}
    )
    kilns = pd.DataFrame({"kiln_id": range(1, 4), "kiln_name": ["Big", "Old", "New"], "maker": ["Kerr", "Kerr", "Low"]})
    firings = pd.DataFrame(
        {
            "firing_id": range(1, 601),
            "potter_id": dice.choice(range(1, 6), 600, p=[0.4, 0.15, 0.15, 0.15, 0.15]),
            "kiln_id": dice.integers(1, 4, 600),
            "produced_on": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 420, 600), "D"),
            "glaze": dice.choice(["ash", "salt", "lead"], 600),
        }
    )
    firings["quantity"] = np.where(firings.potter_id == 1, 3, dice.integers(10, 40, 600))
    return {"potters": potters, "kilns": kilns, "firings": firings}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(pottery()) as opened:
        yield lambda question: opened.chat().ask(question).df


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    tables = pottery()
    return tables["firings"].merge(tables["potters"]).merge(tables["kilns"])


@pytest.mark.parametrize(
    "question", ["how much did we produce in 2024", "how many did we make in 2024", "how much was produced in 2024"]
)
def test_how_much_is_how_many_pieces(asked: Any, rows: pd.DataFrame, question: str) -> None:
    assert asked(question).iloc[0, 0] == rows[rows.produced_on.dt.year == 2024].quantity.sum()


@pytest.mark.parametrize("question", ["total output per kiln", "output by kiln", "total production by kiln"])
def test_output_is_of_pieces(asked: Any, rows: pd.DataFrame, question: str) -> None:
    found = asked(question)
    expected = rows.groupby("kiln_name").quantity.sum().to_dict()
    assert dict(zip(found.iloc[:, 0], found.iloc[:, 1], strict=True)) == expected


@pytest.mark.parametrize(
    ("question", "by", "end"),
    [
        ("which potter produced the most", "potter_name", "idxmax"),
        ("who made the most", "potter_name", "idxmax"),
        ("which glaze produced the least", "glaze", "idxmin"),
    ],
)
def test_the_most_is_of_pieces(asked: Any, rows: pd.DataFrame, question: str, by: str, end: str) -> None:
    assert asked(question).iloc[0, 0] == getattr(rows.groupby(by).quantity.sum(), end)()


def test_rows_that_are_named_are_counted(asked: Any, rows: pd.DataFrame) -> None:
    assert asked("how many firings did we produce").iloc[0, 0] == len(rows)
