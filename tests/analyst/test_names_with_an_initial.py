"""``Pclass`` of passengers is their class; what a part of a total is told of is that total, and no number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def guests() -> pd.DataFrame:
    dice = np.random.default_rng(23)
    return pd.DataFrame({
        "GuestId": range(1, 301), "Gclass": dice.integers(1, 4, 300), "Gtown": dice.choice(["Ayr", "Bray", "Cork"], 300, p=[0.6, 0.3, 0.1]),
        "Paid": dice.integers(5, 90, 300), "Hall": dice.choice(["East Hall", "West Hall"], 300, p=[0.8, 0.2]),
    })  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"guests": guests()}) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "column"), [("average paid by class", "Gclass"), ("average paid by town", "Gtown")]
)
def test_a_name_is_read_without_the_initial_of_its_rows(client: Any, question: str, column: str) -> None:
    found = client.chat().ask(question).df
    assert (
        dict(zip(found.iloc[:, 0], found.iloc[:, 1].round(6), strict=True))
        == guests().groupby(column).Paid.mean().round(6).to_dict()
    )


@pytest.mark.parametrize(
    "question",
    [
        "share of East Hall in total paid",
        "what is the share of East Hall in the total paid",
        "what is East Hall's share of the total paid",
    ],
)
def test_a_share_in_a_total_is_of_that_total(client: Any, question: str) -> None:
    rows = guests()
    wanted = rows.Paid[rows.Hall == "East Hall"].sum() / rows.Paid.sum()
    found = float(client.chat().ask(question).df.iloc[0, 0])
    assert (found / 100 if found > 1 else found) == pytest.approx(wanted)


@pytest.fixture(scope="module")
def plans() -> Iterator[Any]:
    dice = np.random.default_rng(29)
    rows = pd.DataFrame({"plan_id": range(1, 201), "kind": dice.choice(["basic", "pro"], 200), "auto_renew": dice.random(200) < 0.7,
                         "start_date": pd.Timestamp("2024-01-01"), "end_date": pd.Timestamp("2024-09-01")})  # fmt: skip
    with svc.embedded({"plans": rows}) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "opposite"),
    [
        ("how many plans have auto renew off", "how many plans have auto renew on"),
        ("plans with auto renew switched off", "plans with auto renew enabled"),
    ],
)
def test_a_flag_is_on_or_off(plans: Any, question: str, opposite: str) -> None:
    off, on = (plans.chat().ask(text) for text in (question, opposite))
    assert '"auto_renew" = FALSE' in off.sql and '"auto_renew" = TRUE' in on.sql


@pytest.mark.parametrize(
    "question", ["churned plans by kind", "expired plans by kind", "how many repaired plans are there"]
)
def test_a_deed_that_picks_rows_is_never_left_out(plans: Any, question: str) -> None:
    answer = plans.chat().ask(question)
    assert answer.sql is None or "end_date" in answer.sql, answer.text
