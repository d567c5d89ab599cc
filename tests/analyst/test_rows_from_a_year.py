"""Rows *from 2024* are of that year, those *from 2024 on* are of it and later; so are sums since a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def letters() -> dict[str, pd.DataFrame]:
    """Letters that were sent in three years."""
    dice = np.random.default_rng(7)
    sent = pd.Timestamp("2022-01-01") + pd.to_timedelta(dice.integers(0, 1000, 500), "D")
    pages = dice.integers(1, 9, 500)
    return {"letters": pd.DataFrame({"letter_id": range(1, 501), "sent_on": sent, "pages": pages})}


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded(letters()) as opened:
        yield lambda question: opened.chat().ask(question).df


@pytest.mark.parametrize(
    ("question", "first", "behind"),
    [
        ("how many letters from 2023", "2023-01-01", "2024-01-01"),
        ("number of letters from May 2023", "2023-05-01", "2023-06-01"),
        ("how many letters from 2023 on", "2023-01-01", "2030-01-01"),
        ("how many letters from 2023 onwards", "2023-01-01", "2030-01-01"),
        ("how many letters since 2023", "2023-01-01", "2030-01-01"),
        ("how many letters from 2022 to 2023", "2022-01-01", "2024-01-01"),
    ],
)
def test_rows_from_a_year_are_of_it(asked: Any, question: str, first: str, behind: str) -> None:
    sent = letters()["letters"].sent_on
    expected = ((sent >= pd.Timestamp(first)) & (sent < pd.Timestamp(behind))).sum()
    assert asked(question).iloc[0, 0] == expected
