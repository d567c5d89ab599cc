"""What people put around a question, and words that are no value, no money and no name of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def _repairs() -> pd.DataFrame:
    """The repairs of a chain of workshops, drawn the same every time."""
    dice, count = np.random.default_rng(7), 300
    brought = pd.Timestamp("2022-01-03") + pd.to_timedelta(dice.integers(0, 1000, count), unit="D")
    settled = pd.Series(brought + pd.to_timedelta(dice.integers(3, 400, count), unit="D"))
    settled[dice.random(count) < 0.2] = pd.NaT
    return pd.DataFrame({
        "repair_no": [f"RP-{1000 + n}" for n in range(count)], "brought_at": brought, "settled_on": settled,
        "street": dice.choice(["Main St", "Maple Ave", "N Oak Rd", "Mill Lane"], count, p=[0.4, 0.3, 0.2, 0.1]),
        "home_st": dice.choice(["ME", "NH", "VT", "MA"], count, p=[0.6, 0.2, 0.1, 0.1]),
        "grade": dice.choice(list("ABC"), count), "channel": dice.choice(["post", "counter", "online"], count),
        "urgent_yn": dice.choice(["Y", "N"], count), "spares_tot": dice.integers(0, 9, count),
        "wait_days": dice.integers(0, 60, count), "complaints": dice.integers(0, 5, count),
        "oil_temp_f": dice.normal(70, 6, count).round(1), "stars": dice.integers(1, 6, count),
    })  # fmt: skip


REPAIRS = _repairs()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded({"repairs": REPAIRS}) as opened:
        yield opened


def _expected(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as database:
        database.register("repairs", REPAIRS)
        return [tuple(map(str, row)) for row in database.execute(sql).fetchall()]


def _rows(answer: Any) -> list[tuple[Any, ...]]:
    assert answer.result is not None, answer.text
    return [tuple(map(str, row)) for row in answer.result.load_all().itertuples(index=False)]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("urgent_yn = ?", "yes or no"),
        ("what's this wait_days column all about?", "**0** to **59**"),
        ("Remind me, what's oil_temp_f?", "a number"),
        ("settled_on = what", "of 300 rows have none"),
        ("what is the channel column?", "counter"),
    ],
)
def test_a_column_is_told_by_the_name_that_is_written_over_it(client: Any, question: str, said: str) -> None:
    answer = client.chat().ask(question)
    assert answer.result is None and said in answer.text


MOST = "SELECT channel, count(*) FROM repairs GROUP BY 1 ORDER BY 2 DESC LIMIT 1"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("Is it post or counter, or which channel gets the most repairs?", MOST),
        ("Is it post, or what channel has the most repairs?", MOST),
        ("how many repairs on Main Street?", "SELECT count(*) FROM repairs WHERE street = 'Main St'"),
        ("repairs in Mill Ln", "SELECT count(*) FROM repairs WHERE street = 'Mill Lane'"),
        ("how many repairs on North Oak Road", "SELECT count(*) FROM repairs WHERE street = 'N Oak Rd'"),
        ("how many repairs on Maple Avenue", "SELECT count(*) FROM repairs WHERE street = 'Maple Ave'"),
        ("how many repairs from Maine", "SELECT count(*) FROM repairs WHERE home_st = 'ME'"),
        ("worst street by total complaints",
         "SELECT street, sum(complaints) FROM repairs GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("worst street by average stars", "SELECT street, avg(stars) FROM repairs GROUP BY 1 ORDER BY 2 LIMIT 1"),
    ],
)  # fmt: skip
def test_what_stands_around_restricts_nothing(client: Any, question: str, sql: str) -> None:
    answer = client.chat().ask(question)
    assert [row[:1] for row in _rows(answer)] == [row[:1] for row in _expected(sql)], answer.text


@pytest.mark.parametrize(
    "question",
    ["everything we have on RP-1004", "please show me the full record of RP-1004", "all the details for RP-1004",
     "I need the whole record filed under number RP-1004"],
)  # fmt: skip
def test_everything_of_a_row_is_all_its_columns(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    assert answer.result is not None and answer.result.load_all().shape == (1, len(REPAIRS.columns)), answer.text


@pytest.mark.parametrize("behind", ["with that of the others", "with that of the rest", "to those without"])
def test_what_is_compared_has_two_sides(client: Any, behind: str) -> None:
    answer = client.chat().ask(f"compare the average wait of urgent repairs {behind}")
    assert answer.result is None or sorted(answer.result.load_all().iloc[:, -1].round(6)) == sorted(
        REPAIRS.groupby("urgent_yn").wait_days.mean().round(6)
    ), answer.text


def test_in_c_is_a_unit(client: Any) -> None:
    answer = client.chat().ask("avg oil temp in c by channel")
    wanted = sorted(((REPAIRS.groupby("channel").oil_temp_f.mean() - 32) * 5 / 9).round(6))
    assert answer.result is not None and sorted(answer.result.load_all().iloc[:, -1].round(6)) == wanted, answer.text


def test_the_year_of_a_deed_is_of_its_own_time(client: Any) -> None:
    answer = client.chat().ask("how many repairs for each year they were settled")
    wanted = REPAIRS.settled_on.dropna().dt.year.value_counts()
    assert answer.result is not None, answer.text
    assert sorted(answer.result.load_all().iloc[:, -1]) == sorted(wanted), answer.text


@pytest.mark.parametrize("question", ["turnover by street", "mechanic hourly pay"])
def test_a_count_called_total_is_no_money(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    assert answer.result is None, answer.text
