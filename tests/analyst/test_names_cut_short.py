"""Tables with long names are called by their beginning (*trans*, *prod*), which is short for no other word."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def _table(name: str) -> dict[str, pd.DataFrame]:
    dice = np.random.default_rng(3)
    rows = {"id": range(1, 61), "area": dice.choice(["north", "south"], 60), "amount": dice.integers(1, 90, 60)}
    return {name: pd.DataFrame(rows)}


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("products", "profit by area"),
        ("deliveries", "delay by area"),
        ("contracts", "consumption by area"),
        ("residents", "average response by area"),
        ("inspections", "insurance by area"),
        ("transactions", "how much travel was there by area"),
        ("customers", "total custody by area"),
        ("appointments", "applause by area"),
    ],
)
def test_the_beginning_of_a_tables_name_is_no_other_word(name: str, question: str) -> None:
    with svc.embedded(_table(name)) as client:
        answer = client.chat().ask(question)
    assert answer.sql is None, answer.text


def test_a_table_is_called_by_the_beginning_of_its_name() -> None:
    with svc.embedded(_table("deliveries")) as client:
        assert client.chat().ask("how many delivs by area").df.iloc[:, -1].sum() == 60
