"""Of whom and of when a turn is: namesakes are told apart, *that client* is the one shown, lines happened when their job did."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


@cache
def printers() -> dict[str, pd.DataFrame]:
    """Jobs of a print shop with their items, of papers that were introduced once, for clients of whom some share a name."""
    dice = np.random.default_rng(31)
    clients = pd.DataFrame({
        "client_id": range(1, 41), "client_name": [["Ada Poe", "Ben Roe", "Cy Low", "Di May"][i % 4] for i in range(40)],
        "town": dice.choice(["Ayr", "Bray", "Cork"], 40, p=[0.5, 0.3, 0.2]), "month_tier": dice.integers(1, 13, 40),
    })  # fmt: skip
    papers = pd.DataFrame({
        "paper_id": range(1, 13), "paper_name": [f"{c} {k}" for c in ("Ivory", "Snow", "Slate") for k in ("Laid", "Wove", "Bond", "Card")],
        "weight_class": dice.choice(["light", "heavy"], 12), "introduced_on": pd.Timestamp("1999-01-01") + pd.to_timedelta(dice.integers(0, 5000, 12), "D"),
    })  # fmt: skip
    jobs = pd.DataFrame({
        "job_id": range(1, 601), "client_id": dice.integers(1, 41, 600), "ordered_on": pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 730, 600), "D"),
        "rush": dice.random(600) < 0.3, "payment_method": dice.choice(["cash", "card", "cheque"], 600),
    })  # fmt: skip
    items = pd.DataFrame({
        "item_id": range(1, 1801), "job_id": dice.integers(1, 601, 1800), "paper_id": dice.integers(1, 13, 1800),
        "sheets": dice.integers(10, 900, 1800), "amount": dice.integers(5, 300, 1800),
    })  # fmt: skip
    return {"clients": clients, "papers": papers, "jobs": jobs, "job_items": items}


@cache
def joined() -> pd.DataFrame:
    tables = printers()
    return tables["job_items"].merge(tables["jobs"]).merge(tables["clients"]).merge(tables["papers"])


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(printers()) as app:
        yield app


def last(app: Any, *turns: str) -> Any:
    chat = app.chat()
    found = [chat.ask(turn) for turn in turns][-1]
    assert found.sql, found.text
    return found.df


def shown(frame: pd.DataFrame) -> dict[Any, Any]:
    return dict(zip(frame.iloc[:, 0], frame.iloc[:, -1], strict=True))


def test_items_were_sold_when_their_job_was_ordered(opened: Any) -> None:
    items = joined().query("ordered_on.dt.year == 2024")
    assert last(opened, "total amount in 2024").iloc[0, -1] == items.amount.sum()
    wanted = items.groupby("weight_class").amount.sum().to_dict()
    assert shown(last(opened, "total amount by weight class in 2024")) == wanted
    assert shown(last(opened, "total amount by weight class", "in 2024")) == wanted
    found = last(opened, "total amount by weight class", "by year instead")
    assert found.iloc[:, -1].tolist() == joined().groupby(joined().ordered_on.dt.year).amount.sum().tolist()


def test_what_is_said_of_the_papers_is_of_them(opened: Any) -> None:
    wanted = joined().query("introduced_on.dt.year >= 2003").groupby("weight_class").amount.sum().to_dict()
    assert shown(last(opened, "total amount by weight class of papers introduced since 2003")) == wanted


@pytest.mark.parametrize("turn", ["and per client?", "by client", "for each client"])
def test_namesakes_are_told_apart_in_a_turn_as_well(opened: Any, turn: str) -> None:
    found = last(opened, "how many jobs were there in 2024?", turn)
    jobs = printers()["jobs"].query("ordered_on.dt.year == 2024")
    assert sorted(found.iloc[:, -1]) == sorted(jobs.client_id.value_counts())


@pytest.mark.parametrize(
    "turn",
    ["how many rush jobs did that client have?", "how many rush jobs has that client had?"],
)  # fmt: skip
def test_that_client_is_the_one_and_no_namesake(opened: Any, turn: str) -> None:
    counts = joined().groupby("client_id").amount.sum()
    wanted = printers()["jobs"].query(f"client_id == {counts.idxmax()} and rush")
    chat = opened.chat()
    chat.ask("which client has the highest total amount?")
    found = chat.ask(turn)
    assert not found.sql or found.df.iloc[0, -1] == len(wanted), found.sql


@pytest.mark.parametrize(
    "turn", ["which town has the most?", "which town has the highest?", "and which town had the least?"]
)
def test_which_town_has_the_most_is_of_towns(opened: Any, turn: str) -> None:
    totals = joined().groupby("town").amount.sum().sort_values()
    found = last(opened, "total amount by client", turn)
    assert [found.iloc[0, 0], found.iloc[0, -1]] == [
        totals.index[0 if "least" in turn else -1],
        totals.iloc[0 if "least" in turn else -1],
    ]
    means = joined().groupby("town").sheets.mean()
    if "highest" in turn:
        assert last(opened, "average sheets by client", turn).iloc[0, 0] == means.idxmax()


def test_how_many_a_month_of_the_few_that_were_shown(opened: Any) -> None:
    found = last(opened, "top 2 towns by number of jobs", "how many is that per month?")
    jobs = printers()["jobs"].merge(printers()["clients"])
    few = jobs.town.value_counts().index[:2]
    assert found.iloc[:, -1].sum() == jobs.town.isin(few).sum()


def test_a_unit_of_time_in_a_name_is_none(opened: Any) -> None:
    jobs = printers()["jobs"].merge(printers()["clients"])
    assert shown(last(opened, "how many jobs are there?", "by month tier")) == jobs.month_tier.value_counts().to_dict()


@pytest.mark.parametrize(
    "question", ["how many jobs were paid by cash?", "number of jobs that were paid in cash", "jobs paid with cash"]
)
def test_what_was_paid_so_is_counted_and_not_summed(opened: Any, question: str) -> None:
    ways = printers()["jobs"].payment_method.value_counts()
    found = last(opened, question)
    assert found.shape == (1, 1) and found.iloc[0, 0] == ways["cash"]
    assert last(opened, question, "and by card?").iloc[0, 0] == ways["card"]


def test_without_is_of_all_the_others(opened: Any) -> None:
    items = joined()
    for turns, so in ((["and without?"], items.town != "Ayr"), (["and without?", "and with?"], items.town == "Ayr")):
        assert last(opened, "total amount in Ayr", *turns).iloc[0, -1] == items.amount[so].sum(), turns


def test_a_list_is_narrowed_to_one_way_and_summed(opened: Any) -> None:
    jobs = printers()["jobs"].query("ordered_on.dt.year == 2024 and ordered_on.dt.month == 5")
    assert len(last(opened, "list all jobs in May 2024", "by cheque")) == (jobs.payment_method == "cheque").sum()
    first = last(opened, "list the last 10 jobs", "by cheque")
    assert set(first.iloc[:, 0]) <= set(printers()["jobs"].query("payment_method == 'cheque'").job_id)
    items = printers()["job_items"].query("sheets > 850")
    found = last(opened, "list all job items with more than 850 sheets", "their total amount?")
    assert found.shape == (1, 1) and found.iloc[0, 0] == items.amount.sum()
