"""What some come to of all, one number for each of others, and most of all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from carers import joined_tables, tables

import svc_notebook as svc


def shop() -> dict[str, pd.DataFrame]:
    """Guests and the catches that they bought by weight."""
    dice, count = np.random.default_rng(31), 240
    guests = pd.DataFrame({
        "guest_id": range(1, 13), "guest": [f"{first} {last}" for first in ("Ove", "Tuva", "Liv") for last in ("Aas", "Bye", "Foss", "Moe")],
        "town": ["Vik", "Nes", "Vik", "Bo"] * 3,
    })  # fmt: skip
    catches = pd.DataFrame({
        "catch_id": range(1, count + 1), "guest_id": dice.integers(1, 13, count), "fish": dice.choice(["cod", "ling", "hake"], count),
        "weight_kg": np.round(dice.uniform(0.5, 9, count), 1), "price": np.round(dice.uniform(3, 60, count), 2),
        "bought_on": pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 120, count), unit="D"),
    })  # fmt: skip
    return {"guests": guests, "catches": catches}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


@pytest.fixture(scope="module")
def bought() -> Iterator[Any]:
    with svc.embedded(shop()) as opened:
        yield opened


@pytest.fixture(scope="module")
def joined() -> pd.DataFrame:
    return joined_tables()


@pytest.fixture(scope="module")
def sold() -> pd.DataFrame:
    return shop()["catches"].merge(shop()["guests"])


def frame(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return answer.result.load_all()


def _pairs(found: pd.DataFrame, scale: float = 1.0) -> dict[str, float]:
    return {str(row[0]): round(float(row[-1]) * scale, 3) for row in found.itertuples(index=False)}


def _by(rows: pd.DataFrame, key: str, of: Any) -> dict[str, float]:
    return {str(name): round(float(of(group)), 3) for name, group in rows.groupby(key)}


def test_some_as_a_share_of_all_of_a_group(client: Any, joined: pd.DataFrame) -> None:
    wanted = _by(joined, "carer", lambda rows: 100 * (rows.outcome == "missed").mean())
    assert _pairs(frame(client, "missed treatments as a share of all treatments per carer")) == wanted


def test_a_share_of_a_sum_of_a_group(client: Any, joined: pd.DataFrame) -> None:
    wanted = _by(joined, "ward", lambda rows: 100 * rows.charge[rows.outcome == "missed"].sum() / rows.charge.sum())
    assert _pairs(frame(client, "missed share of the charge by ward")) == wanted


def test_what_part_of_a_sum_comes_from_some(bought: Any, sold: pd.DataFrame) -> None:
    found = frame(bought, "what proportion of the price comes from cod catches?")
    assert float(found.iloc[0, -1]) == pytest.approx(100 * sold.price[sold.fish == "cod"].sum() / sold.price.sum())


@pytest.mark.parametrize("question", ["catches per guest in each town", "catches per guest by town"])
def test_so_many_of_each_of_a_group(bought: Any, sold: pd.DataFrame, question: str) -> None:
    wanted = _by(sold, "town", lambda rows: len(rows) / rows.guest_id.nunique())
    assert _pairs(frame(bought, question)) == wanted


def test_a_number_per_unit_of_another(bought: Any, sold: pd.DataFrame) -> None:
    wanted = _by(sold, "fish", lambda rows: rows.price.sum() / rows.weight_kg.sum())
    assert _pairs(frame(bought, "price per kilo by fish")) == wanted


@pytest.mark.parametrize(
    ("question", "number"),
    [("which guest had the heaviest total catch?", "weight_kg"), ("who paid us the most?", "price"),
     ("who spent the most with us?", "price")],
)  # fmt: skip
def test_most_of_all_together(bought: Any, sold: pd.DataFrame, question: str, number: str) -> None:
    assert frame(bought, question).iloc[0, 0] == sold.groupby("guest")[number].sum().idxmax()


def test_those_who_spent_more_than_others_do(bought: Any, sold: pd.DataFrame) -> None:
    spent = sold.groupby("guest").price.sum()
    found = frame(bought, "guests who spent more than the average guest")
    assert sorted(found.iloc[:, 0]) == sorted(spent[spent > spent.mean()].index)
