"""Rows without a partner: a list has them all the same, numbers by group add up to the whole, and what is picked is somebody."""

from __future__ import annotations

from functools import cache

import pandas as pd
import pytest
from asking import Asked, ask
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model


@cache
def tables() -> dict[str, pd.DataFrame]:
    customers = pd.DataFrame(
        {"customer_id": [1, 2, 3], "name": ["Ann", "Bob", "Cy"], "city": ["Oslo", "Bergen", "Oslo"]}
    )
    jobs = pd.DataFrame({
        "job_id": range(1, 10), "customer_id": [1, 2, None, 3, None, 1, None, 3, 3],
        "status": ["open", "done", "open", "open", "done", "open", "done", "open", "done"],
        "price": [10.0, 20, 30, 40, 50, 60, 70, 80, 90],
    })  # fmt: skip
    return {"customers": customers, "jobs": jobs}


@cache
def world() -> World:
    return World(SemanticLayer(load_model(scaffold_model(tables())), DuckDBEngine.open(None, data=tables())))


def shown(asked: Asked) -> dict[object, object]:
    return {row[0]: row[-1] for row in asked.rows()}


@pytest.mark.parametrize("question", ["list open jobs with customer name", "open jobs with price and customer"])
def test_a_list_does_not_lose_rows_by_what_is_shown_of_others(question: str) -> None:
    jobs = tables()["jobs"]
    found = ask(world(), question)
    assert {row[0] for row in found.rows()} == set(jobs[jobs.status == "open"].job_id)
    assert None in {row[-1] for row in found.rows()}


@pytest.mark.parametrize("by", ["city", "name"])
def test_numbers_by_group_add_up_to_the_whole(by: str) -> None:
    wide = tables()["jobs"].merge(tables()["customers"], how="left")
    wanted = wide.groupby(by, dropna=False).price.sum()
    found = ask(world(), f"total price by customer {by}")
    assert sum(map(float, shown(found).values())) == wanted.sum()  # type: ignore[arg-type]
    assert shown(found) == {name if isinstance(name, str) else None: total for name, total in wanted.items()}
    assert f"Without {'city' if by == 'city' else 'customer name'}: 150" in found.answer.text


def test_a_share_is_of_everything() -> None:
    whole = tables()["jobs"].price.sum()
    assert shown(ask(world(), "share of total price by city"))["Bergen"] == pytest.approx(20 / whole)


@pytest.mark.parametrize(
    ("turns", "names"),
    [
        (("which customer has the most jobs",), ["Cy"]),
        (("jobs by customer", "only the top 2"), ["Cy", "Ann"]),
        (("customers with at least 2 jobs",), ["Ann", "Cy"]),
    ],
)
def test_what_is_picked_has_a_name(turns: tuple[str, ...], names: list[str]) -> None:
    assert [row[0] for row in ask(world(), *turns).rows()] == names


def test_an_average_of_groups_is_of_those_that_are_some() -> None:
    [[each]] = ask(world(), "average number of jobs per customer").rows()
    assert each == tables()["jobs"].groupby("customer_id").size().mean()
