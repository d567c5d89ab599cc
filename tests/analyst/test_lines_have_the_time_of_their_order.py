"""Lines of orders have no date but their order's: what changed, why and what stands out is told of them all the same."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def _tables() -> dict[str, pd.DataFrame]:
    """Baskets of a farm shop with their lines; half of the baskets say where to fax, and one crop is called Ten."""
    dice = np.random.default_rng(5)
    baskets = pd.DataFrame({
        "basket_id": range(1, 301), "sold_on": pd.Timestamp("2022-01-02") + pd.to_timedelta(np.arange(300) * 3, unit="D"),
        "stall": dice.choice(["North", "South", "West"], 300), "fax": dice.choice(["555-1", "555-2", "555-3", "555-4"], 300),
    })  # fmt: skip
    lines = pd.DataFrame({
        "line_id": range(1, 901), "basket_id": np.arange(900) // 3 + 1, "crop": dice.choice(["Beet", "Kale", "Ten"], 900),
        "minutes_to_pack": dice.integers(1, 30, 900), "amount": dice.integers(2, 40, 900) + (np.arange(900) > 500) * 6,
    })  # fmt: skip
    return {"baskets": baskets, "lines": lines}


@cache
def _world() -> World:
    engine = DuckDBEngine.open(None, data=_tables())
    return World(SemanticLayer(load_model(scaffold_model(_tables())), engine))


def _sold(year: int) -> int:
    tables = _tables()
    joined = tables["lines"].merge(tables["baskets"], on="basket_id")
    return int(joined[joined.sold_on.dt.year == year].amount.sum())


@pytest.mark.parametrize(
    "question",
    [
        "how did the total amount change from 2022 to 2023",
        "by how much did the total amount grow from 2022 to 2023",
        "by how much percent did the total amount grow from 2022 to 2023",
        "why did the total amount rise from 2022 to 2023",
        "why was the total amount higher in 2023 than in 2022",
        "why was the total amount higher in 2023",
    ],
)
def test_two_years_are_set_side_by_side(question: str) -> None:
    text = ask(_world(), question).answer.text
    assert f"from {_sold(2022):,} in 2022 to **{_sold(2023):,}** in 2023" in text


def test_where_a_basket_can_be_faxed_explains_nothing() -> None:
    text = ask(_world(), "why did the total amount rise from 2022 to 2023").answer.text
    assert "stall" in text and "fax" not in text


def test_a_month_that_stands_out_is_looked_for() -> None:
    asked = ask(_world(), "anything unusual in the monthly total amount?")
    assert "month" in asked.answer.text and asked.table is not None


def test_a_percentile_of_what_may_be_a_total_of_its_own_is_read() -> None:
    assert "90 % quantile of amount" in ask(_world(), "what is the 90th percentile of the line amounts").answer.text


def test_an_amount_of_a_unit_is_no_name() -> None:
    lines = _tables()["lines"]
    asked = ask(_world(), "how many lines have more than ten minutes to pack")
    assert asked.rows() == [(int((lines.minutes_to_pack > 10).sum()),)]
    assert ask(_world(), "how many lines are of Ten").rows() == [(int((lines.crop == "Ten").sum()),)]


@pytest.mark.parametrize("question", ["give me a short summary of 2023", "summarize 2023"])
def test_a_summary_of_a_year_is_that_of_what_was_taken_in(question: str) -> None:
    text = ask(_world(), question).answer.text
    assert "sold on is in 2023" in text and f"- Amount: {_sold(2023):,} in total, " in text


def test_what_all_rows_have_is_not_told_as_what_most_have() -> None:
    assert "Stall" not in ask(_world(), "summarize the baskets of the South stall").answer.text
    assert "- Stall: mostly " in ask(_world(), "summarize the baskets").answer.text
