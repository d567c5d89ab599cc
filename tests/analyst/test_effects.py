"""What one thing does to another where they are no two numbers: shares and means of groups, steps of a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def firings() -> pd.DataFrame:
    """Firings of kilns of a pottery: which kiln and glaze, how humid it was, how long it took, what cracked."""
    dice = np.random.default_rng(5)
    n = 1500
    kiln = dice.choice(["Anagama", "Bourry", "Raku"], n)
    return pd.DataFrame(
        {
            "firing_id": range(1, n + 1),
            "fired_at": pd.Timestamp("2025-01-01") + pd.to_timedelta(dice.integers(0, 500 * 24 * 60, n), "min"),
            "kiln": kiln,
            "glaze": dice.choice(["ash", "celadon", "shino", "tenmoku"], n),
            "humidity": dice.integers(200, 950, n) / 10,
            "burn_minutes": dice.integers(300, 900, n) + 60 * (kiln == "Anagama"),
            "cracked": dice.random(n) < 0.1 + 0.1 * (kiln == "Raku"),
        }
    )


ROWS = firings()


@pytest.fixture(scope="module")
def asked() -> Iterator[Any]:
    with svc.embedded({"firings": ROWS}) as opened:
        yield lambda question: opened.chat().ask(question)


def by_group(answer: Any) -> dict[Any, float]:
    assert answer.result is not None, answer.text
    frame = answer.result.to_frame()
    return {key: pytest.approx(value) for key, value in zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True)}


@pytest.mark.parametrize(
    "question",
    [
        "does the kiln affect cracking",
        "how does the kiln affect cracked firings",
        "is there a link between kiln and cracked firings",
        "what impact does the kiln have on cracked firings?",
        "does the kiln make a difference for cracked firings",
        "do cracked firings depend on the kiln",
        "compare the kilns by cracked firings",
    ],
)
def test_what_is_so_is_a_share_of_each_group(asked: Any, question: str) -> None:
    """How many cracked grows with how many were fired: only their share says what a kiln does."""
    assert by_group(asked(question)) == ROWS.groupby("kiln").cracked.mean().to_dict()


@pytest.mark.parametrize("question", ["does the glaze influence burn time", "effect of glaze on the burn time"])
def test_a_number_is_a_mean_of_each_group(asked: Any, question: str) -> None:
    assert by_group(asked(question)) == ROWS.groupby("glaze").burn_minutes.mean().to_dict()


def test_a_number_with_many_values_is_cut_into_steps(asked: Any) -> None:
    found = by_group(asked("does humidity affect cracked firings"))
    assert found == ROWS.groupby(ROWS.humidity // 10 * 10).cracked.mean().to_dict()


def test_two_numbers_are_correlated_as_ever(asked: Any) -> None:
    answer = asked("does humidity affect burn time")
    assert "correlation" in answer.text


def test_a_number_that_two_tables_have_is_of_the_rows_that_are_asked_about() -> None:
    """The demo's weather has a wind speed of its own; what was cancelled are flights."""
    with svc.demo() as opened:
        answer = opened.chat().ask("does wind speed affect cancellations")
    assert "share of cancelled flights" in answer.text
    assert answer.result is not None and len(answer.result.to_frame()) < 15
