"""How much of something each of those has on average, who did what in which period, rows by another noun of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from test_listed_columns import told

import svc_notebook as svc


def campsite() -> dict[str, pd.DataFrame]:
    """Pitches, bookings of them with nights, some cancelled (most of those with a date), and purchases of campers."""
    dice, booked, bought = np.random.default_rng(83), 400, 500
    pitches = pd.DataFrame({
        "pitch_no": range(1, 16), "meadow": ["north", "south", "lake"] * 5, "surface": ["grass", "gravel", "grass"] * 5,
        "power": ["yes", "no", "yes"] * 5,
    })  # fmt: skip
    bookings = pd.DataFrame({
        "booking_code": [f"C{n}" for n in range(1, booked + 1)], "pitch_no": dice.integers(1, 16, booked),
        "camper": dice.choice(["Amy Holt", "Bea Irons", "Cal Jupp", "Dot Kemp", "Eli Lamb", "Fay Moss"], booked),
        "arrival": pd.Timestamp("2024-03-01") + pd.to_timedelta(dice.integers(0, 200, booked), unit="D"),
        "nights": dice.integers(1, 12, booked), "total_price": np.round(dice.uniform(30, 400, booked), 2),
        "cancelled": dice.choice(["yes", "no"], booked, p=[0.2, 0.8]),
    })  # fmt: skip
    bookings["departure"] = bookings.arrival + pd.to_timedelta(bookings.nights, unit="D")
    off = (bookings.cancelled == "yes") & (dice.random(booked) < 0.8)
    bookings["cancelled_on"] = (bookings.arrival - pd.Timedelta(days=3)).where(off)
    purchases = pd.DataFrame({
        "purchase_no": range(1, bought + 1), "booking_code": dice.choice(bookings.booking_code[:260], bought),
        "item": dice.choice(["gas", "firewood", "bread"], bought), "amount": np.round(dice.uniform(2, 40, bought), 2),
    })  # fmt: skip
    return {"pitches": pitches, "bookings": bookings, "purchases": purchases}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return campsite()


@pytest.fixture(scope="module")
def client(tables: dict[str, pd.DataFrame], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("campsite")
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    with svc.embedded(str(folder)) as opened:
        yield opened


READ = [
    ("average amount of purchases per booking", "select sum(amount) / count(distinct booking_code) from purchases"),
    ("average purchase amount per stay among stays that had any", "select sum(amount) / count(distinct booking_code) from purchases"),
    ("average purchase amount per booking by meadow",
     "select meadow, sum(amount) / count(distinct booking_code) from purchases join bookings using (booking_code) join pitches using (pitch_no) group by 1"),
    ("average number of nights per pitch by surface",
     "select surface, sum(nights) / count(distinct pitch_no) from bookings join pitches using (pitch_no) group by 1"),
    ("median nights by meadow", "select meadow, median(nights) from bookings join pitches using (pitch_no) group by 1"),
    ("average nights of cancelled bookings", "select avg(nights) from bookings where cancelled = 'yes'"),
    ("total price without cancelled bookings", "select sum(total_price) from bookings where cancelled = 'no'"),
    ("how many bookings were cancelled", "select count(*) from bookings where cancelled = 'yes'"),
    ("how many bookings were cancelled in June 2024", "select count(*) from bookings where month(cancelled_on) = 6"),
    ("how many stays by surface", "select surface, count(*) from bookings join pitches using (pitch_no) group by 1"),
    ("the five most expensive stays: camper, nights, total price",
     "select camper, nights, total_price from bookings order by total_price desc limit 5"),
    ("share of stays that were cancelled", "select avg((cancelled = 'yes')::int) from bookings"),
    ("average length of stay by surface",
     "select surface, avg(date_diff('day', arrival, departure)) from bookings join pitches using (pitch_no) group by 1"),
    ("average stay by surface",
     "select surface, avg(date_diff('day', arrival, departure)) from bookings join pitches using (pitch_no) group by 1"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), READ, ids=[one for one, _ in READ])
def test_the_rows_are_those_of_plain_sql(client: Any, tables: dict[str, pd.DataFrame], question: str, sql: str) -> None:
    with duckdb.connect() as plain:
        for name, table in tables.items():
            plain.register(name, table)
        wanted = told(plain.sql(sql).df())
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    found = told(pd.DataFrame(answer.result.load_all()))
    assert len(found) == len(wanted), (question, answer.sql)
    assert all(any(row <= other for other in found) for row in wanted), (question, answer.sql)


def test_a_level_is_not_summed_for_its_owner(client: Any) -> None:
    answer = client.chat().ask("average power per pitch by meadow")
    assert "SUM" not in (answer.sql or ""), answer.sql
