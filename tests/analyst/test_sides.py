"""Both sides of a flag, a condition against all the rest, and what is asked for beside the rows that it is of."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def _kilns() -> pd.DataFrame:
    """What a pottery fired."""
    return pd.DataFrame(
        {
            "pot_no": range(101, 161),
            "shape": [("bowl", "jug", "plate")[n % 3] for n in range(60)],
            "glazed": [n % 4 != 1 for n in range(60)],
            "weight_g": [300 + n * 37 % 400 for n in range(60)],
            "firing_hours": [6 + n * 5 % 9 for n in range(60)],
            "price": [9.5 + n * 7 % 40 for n in range(60)],
        }
    )


@cache
def _pottery() -> World:
    tables = {"pots": _kilns()}
    return World(SemanticLayer(load_model(scaffold_model(tables)), DuckDBEngine.open(None, data=dict(tables))))


@pytest.mark.parametrize(
    "question",
    ["are glazed pots heavier than unglazed ones", "average weight of glazed and unglazed pots",
     "average weight of glazed pots vs unglazed ones"],
)  # fmt: skip
def test_a_flag_and_its_denial_are_two_groups(question: str) -> None:
    rows = dict(ask(_pottery(), question).rows())
    assert rows == pytest.approx(dict(_kilns().groupby("glazed").weight_g.mean()))


@pytest.mark.parametrize("rest", ["vs the rest", "against all others", "compared to everything else"])
def test_a_flag_stands_against_the_rest(rest: str) -> None:
    rows = dict(ask(_pottery(), f"average price of glazed pots {rest}").rows())
    assert rows == pytest.approx(dict(_kilns().groupby("glazed").price.mean()))


@pytest.mark.parametrize("rest", ["vs the rest", "against the others", "compared with everything else"])
def test_a_value_stands_against_the_rest(rest: str) -> None:
    rows = dict(ask(_pottery(), f"average price of jugs {rest}").rows())
    kilns = _kilns()
    assert rows == pytest.approx(
        {"jug": kilns[kilns["shape"] == "jug"].price.mean(), "the rest": kilns[kilns["shape"] != "jug"].price.mean()}
    )


def test_sides_are_called_by_what_parts_them() -> None:
    answered = ask(_pottery(), "average price of jugs against the rest")
    assert answered.tool["input"]["queryTitle"] == "Average price by shape (jug or the rest)"
    called = [(column["name"], column["title"]) for column in answered.tool["result"]["schema"]]
    assert called == [("shape", "Shape"), ("avg_price", "Average price")]


def test_the_rest_of_nothing_is_no_answer() -> None:
    assert ask(_pottery(), "average price of the rest").table is None


def _meant() -> pd.DataFrame:
    kilns = _kilns()
    return kilns[kilns.glazed & (kilns["shape"] == "jug")]


def test_what_is_asked_for_beside_rows_is_shown_beside_what_names_them() -> None:
    rows = ask(_pottery(), "glazed jugs with their weight and price").rows()
    meant = _meant()
    assert rows == list(zip(meant.pot_no, meant.weight_g, meant.price, strict=True))


@pytest.mark.parametrize(
    "question", ["list the glazed jugs with their weight", "list the glazed pots with their weight"]
)
def test_rows_that_are_so_are_not_all_rows_and_whether_they_are(question: str) -> None:
    """Where it is not answered, rows that are so are offered."""
    answered = ask(_pottery(), question)
    if answered.table is None:
        assert "where glazed is true" in answered.answer.text
    else:
        assert {row[0] for row in answered.rows()} <= set(_kilns()[_kilns().glazed].pot_no)
