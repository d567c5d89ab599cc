"""Of which there are most different ones: counted each once."""

from __future__ import annotations

import pandas as pd
import pytest
import worlds
from asking import ask


def orders() -> pd.DataFrame:
    layer = worlds.shop().layer
    return layer.engine.execute("SELECT * FROM order_facts", {}).to_pandas()


@pytest.mark.parametrize(
    ("question", "by", "of", "most"),
    [
        ("which country has the most customers", "country", "customer_name", True),
        ("Which brand has the most products?", "brand", "product", True),
        ("which country has the fewest customers", "country", "customer_name", False),
        ("which category offers the most brands", "category", "brand", True),
        ("which country is served by the most brands", "country", "brand", True),
    ],
)
def test_the_one_that_has_most_different_ones(question: str, by: str, of: str, most: bool) -> None:
    different = orders().groupby(by)[of].nunique()
    row = ask(worlds.shop(), question).rows()[0]
    assert row[-1] == (different.max() if most else different.min())
    assert different[row[0]] == row[-1]


def test_rows_are_counted_as_ever() -> None:
    rows = ask(worlds.shop(), "which country has the most orders").rows()
    assert rows[0][-1] == orders().groupby("country").size().max()


def test_what_nothing_is_called_is_not_asked_of_the_turn_before() -> None:
    question = "which place is served by the most airlines"
    alone, behind = (ask(worlds.flights(), *turns, question) for turns in ((), ("average arrival delay of Delta",)))
    assert behind.answer.choices == alone.answer.choices != () and "delay" not in behind.answer.text


def test_ties_of_a_reading_are_cut_the_same_every_time() -> None:
    told = {ask(worlds.shop(), "which country has the fewest customers").answer.text for _ in range(4)}
    assert len(told) == 1


def test_a_whole_question_for_most_of_a_kind_is_its_own_in_a_thread() -> None:
    question = "which destination is served by the most airlines"
    alone = ask(worlds.flights(), question)
    behind = ask(worlds.flights(), "average arrival delay of JetBlue and Delta", "in august", question)
    assert behind.rows() == alone.rows() and alone.rows()[0][-1] == 7
