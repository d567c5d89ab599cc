"""Rows that are still to come or over by the clock, and what a question leaves out behind what it asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from asking import NOW
from test_listed_columns import told

import svc_notebook as svc
from svc_notebook.service.clock import ManualClock

TODAY = NOW.date()


def choir() -> dict[str, pd.DataFrame]:
    """Concerts, some of them after the clock, and the lessons of singers."""
    dice, concerts, lessons = np.random.default_rng(19), 60, 300
    start = pd.Timestamp(TODAY) - pd.Timedelta(days=280)
    played = pd.DataFrame({
        "concert_no": range(1, concerts + 1), "hall": dice.choice(["Abbey", "Barn", "Castle"], concerts),
        "concert_date": start + pd.to_timedelta(dice.choice(340, concerts, replace=False), unit="D"),
        "seats": dice.integers(50, 300, concerts), "status": dice.choice(["planned", "confirmed", "cancelled"], concerts, p=[0.3, 0.5, 0.2]),
    })  # fmt: skip
    taken = pd.DataFrame({
        "lesson_no": range(1, lessons + 1), "singer": dice.choice(["Ada", "Bo", "Cleo", "Dag"], lessons), "voice": dice.choice(["alto", "bass"], lessons),
        "held_on": start + pd.to_timedelta(dice.integers(0, 270, lessons), unit="D"), "fee": np.round(dice.uniform(10, 40, lessons), 2),
    })  # fmt: skip
    return {"concerts": played, "lessons": taken}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return choir()


@pytest.fixture(scope="module")
def client(tables: dict[str, pd.DataFrame]) -> Iterator[Any]:
    with svc.embedded(tables, clock=ManualClock(NOW.timestamp())) as opened:
        yield opened


READ = [
    ("how many upcoming concerts are there", f"select count(*) from concerts where concert_date > date '{TODAY}'"),
    ("upcoming concerts: date, hall, seats", f"select concert_date, hall, seats from concerts where concert_date > date '{TODAY}'"),
    ("future concerts per hall", f"select hall, count(*) from concerts where concert_date > date '{TODAY}' group by 1"),
    ("list the past concerts with hall and seats", f"select hall, seats from concerts where concert_date < date '{TODAY}'"),
    ("which halls are planned for December",
     "select distinct hall from concerts where status = 'planned' and month(concert_date) = 12 and year(concert_date) = 2024"),
    ("total seats by hall, cancelled concerts left out", "select hall, sum(seats) from concerts where status <> 'cancelled' group by 1"),
    ("average seats per hall (cancelled ones excluded)", "select hall, avg(seats) from concerts where status <> 'cancelled' group by 1"),
    ("total seats by hall, but leave the cancelled ones out", "select hall, sum(seats) from concerts where status <> 'cancelled' group by 1"),
    ("average seats per hall, leave out cancelled concerts", "select hall, avg(seats) from concerts where status <> 'cancelled' group by 1"),
    ("which singer has the highest average fee, leaving out those with fewer than 75 lessons",
     "select singer from lessons group by 1 having count(*) >= 75 order by avg(fee) desc limit 1"),
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


def test_where_nothing_lies_ahead_the_word_is_not_dropped_in_silence(client: Any) -> None:
    answer = client.chat().ask("upcoming lessons by singer")
    assert answer.result is None or "“upcoming”" in answer.text, (answer.sql, answer.text)


def test_past_months_are_a_period(client: Any) -> None:
    answer = client.chat().ask("concerts in the past months")
    assert "concert_date" in (answer.sql or "") and "<" not in (answer.sql or ""), (answer.sql, answer.text)


def test_what_was_cancelled_is_not_to_come() -> None:
    dice, number = np.random.default_rng(7), 80
    day = pd.Timestamp(TODAY) + pd.to_timedelta(dice.integers(-60, 60, number), unit="D")
    rides = pd.DataFrame({
        "ride_no": range(1, number + 1), "boat": dice.choice(["Gull", "Tern"], number), "ride_date": day,
        "guests": dice.integers(1, 9, number), "cancelled": dice.random(number) < 0.3,
    })  # fmt: skip
    ahead = rides[(rides.ride_date > pd.Timestamp(TODAY))]
    with svc.embedded({"rides": rides}, clock=ManualClock(NOW.timestamp())) as client:
        for question, wanted in (
            ("how many upcoming rides are there", int((~ahead.cancelled).sum())),
            ("how many upcoming rides are cancelled", int(ahead.cancelled.sum())),
        ):
            answer = client.chat().ask(question)
            assert answer.result is not None, (question, answer.text)
            assert list(answer.result.load_all().iloc[0])[-1] == wanted, (question, answer.sql)
