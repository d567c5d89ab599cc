"""A reading that somebody edited is told as carefully as the question it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

CUT = "June 2022 is not complete: the data end on 10 June 2022."


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    days = pd.date_range("2022-01-01", "2022-06-10")
    rows = pd.DataFrame({"sold_on": days, "amount": 5.0, "shop": ["north", "south"] * 80 + ["north"]})
    with svc.embedded(data={"receipts": rows}) as opened:
        yield opened


def test_an_edited_reading_tells_of_periods_that_are_not_whole(client: svc.Client) -> None:
    chat = client.chat()
    asked = chat.ask("total amount by month")
    assert CUT in asked.text
    assert asked.reading is not None
    again = chat.ask(reading=asked.reading.with_(chart="line"))
    assert CUT in again.text
    assert again.result is not None and "2022-06-01" in str(again.result.vega_spec)  # whose point is a ring


def test_a_series_that_ends_as_it_began_did_not_move(client: svc.Client) -> None:
    said = client.chat().ask("total amount by month").text
    assert said.startswith("Total amount: **155** in January 2022 and again in May 2022.")


@pytest.mark.parametrize("question", ["total amount by month", "trend of amount by month"])
def test_months_stand_in_tables_by_name(client: svc.Client, question: str) -> None:
    """The result of a plan and that of an analysis."""
    answer = client.chat().ask(question)
    assert re.search(r"^\s+Jan 2022\s+155", answer.to_markdown(), re.MULTILINE)


def test_months_of_an_edited_reading_do_as_well(client: svc.Client) -> None:
    chat = client.chat()
    asked = chat.ask("total amount by month")
    assert asked.reading is not None
    again = chat.ask(reading=asked.reading.with_(chart="bar"))
    assert re.search(r"^\s+Jan 2022\s+155", again.to_markdown(), re.MULTILINE)


@pytest.mark.parametrize(
    ("question", "mark", "origin"),
    [
        ("total amount by shop", "bar", "assumed"),
        ("total amount by shop as a pie", "arc", "said"),
        ("betrag nach shop als kreisdiagramm", "arc", "said"),
        ("amount par shop en camembert", "arc", "said"),
    ],
)
def test_a_chart_that_was_asked_for_is_said(client: svc.Client, question: str, mark: str, origin: str) -> None:
    reading = client.chat().ask(question).reading
    assert reading is not None and ("chart", mark, origin) in reading.rows()


def test_a_chart_that_was_chosen_is_said_and_stays_so(client: svc.Client) -> None:
    chat = client.chat()
    asked = chat.ask("total amount by shop").reading
    assert asked is not None
    chosen = chat.ask(reading=asked.with_(chart="arc")).reading
    assert chosen is not None and ("chart", "arc", "said") in chosen.rows()
    fewer = chat.ask(reading=chosen.with_(limit=1)).reading
    assert fewer is not None and ("chart", "arc", "said") in fewer.rows()


@pytest.fixture(scope="module")
def stays() -> Iterator[svc.Client]:
    days = pd.date_range("2024-01-01", periods=30)
    rows = {"stay_id": range(30), "length_of_stay": range(40, 100, 2), "wait_min": range(40, 100, 2), "admitted": days}
    with svc.embedded(data={"stays": pd.DataFrame(rows)}) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "assumed"),
    [
        ("how many stays with length of stay longer than 1 hour", True),
        ("how many stays with length of stay longer than one hour", True),
        ("how many stays with wait longer than 1 hour", False),  # whose minutes its name says
        ("how many stays with length of stay above 60", False),
    ],
)
def test_minutes_that_nobody_told_are_said_to_be_assumed(stays: svc.Client, question: str, assumed: bool) -> None:
    said = stays.chat().ask(question)
    assert said.df.iloc[0, 0] == 19
    assert ("taken to be in minutes" in said.text) == assumed
