"""Columns of a list by what people call them: from and to, who, the name of somebody, a number of days, a yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def museum() -> dict[str, pd.DataFrame]:
    """Guides, tours that they lead, and loans of exhibits that last some days."""
    dice, tours, loans = np.random.default_rng(61), 240, 90
    guides = pd.DataFrame({
        "guide_no": range(1, 9), "first_name": ["Ada", "Bram", "Cato", "Dina", "Elke", "Faas", "Gijs", "Hilde"],
        "last_name": ["Aalst", "Boom", "Cools", "Dam", "Eik", "Faber", "Groot", "Haan"],
        "language": ["Dutch", "French", "German", "Dutch"] * 2, "wing": ["east", "west", None, "north"] * 2,
    })  # fmt: skip
    led = pd.DataFrame({
        "tour_no": range(1, tours + 1), "guide_no": dice.integers(1, 9, tours), "tour_type": dice.choice(["family", "school", "evening"], tours),
        "tour_date": pd.Timestamp("2024-01-02") + pd.to_timedelta(dice.integers(0, 330, tours), unit="D"),
        "visitors": dice.integers(4, 26, tours), "price_per_head": np.round(dice.uniform(5, 15, tours), 1),
    })  # fmt: skip
    led = led.assign(total_price=np.round(led.visitors * led.price_per_head, 2), refunded=dice.random(tours) < 0.1)
    lent = pd.DataFrame({
        "loan_no": range(1, loans + 1), "guide_no": dice.integers(1, 9, loans), "loan_type": dice.choice(["print", "coin", "map"], loans),
        "from_date": pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 250, loans), unit="D"), "days": dice.integers(1, 40, loans),
    })  # fmt: skip
    lent = lent.assign(to_date=lent.from_date + pd.to_timedelta(lent.days, unit="D"))
    return {"guides": guides, "tours": led, "loans": lent}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return museum()


@pytest.fixture(scope="module")
def client(tables: dict[str, pd.DataFrame]) -> Iterator[Any]:
    with svc.embedded(tables) as opened:
        yield opened


def _plain(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        value = int(value) if value == int(value) else round(float(value), 4)
    return str(value).removesuffix(" 00:00:00")[:19].removesuffix("T00:00:00")


def told(rows: pd.DataFrame) -> list[set[str]]:
    """The values of each row, in words."""
    return [set(map(_plain, row)) for row in rows.itertuples(index=False)]


READ = [
    ("loans of March 2024 with guide name, type, from, to and days",
     "select first_name, last_name, loan_type, from_date, to_date, days from loans join guides using (guide_no) where month(from_date) = 3"),
    ("every loan longer than 30 days, with who, type and number of days",
     "select first_name, last_name, loan_type, days from loans join guides using (guide_no) where days > 30"),
    ("loans of coins in May 2024: name, from, days",
     "select first_name, last_name, from_date, days from loans join guides using (guide_no) where loan_type = 'coin' and month(from_date) = 5"),
    ("guides with no wing recorded, number and name", "select guide_no, first_name, last_name from guides where wing is null"),
    ("school tours in April 2024: date, visitors, price",
     "select tour_date, visitors, price_per_head, total_price from tours where tour_type = 'school' and month(tour_date) = 4"),
    ("evening tours of June 2024: name of the guide, visitors, refunded",
     "select first_name, last_name, visitors, refunded from tours join guides using (guide_no) where tour_type = 'evening' and month(tour_date) = 6"),
    ("the last 5 tours with guide and type",
     "select tour_date, first_name, last_name, tour_type from tours join guides using (guide_no) order by tour_date desc, tour_no limit 5"),
    ("the six most expensive tours: type, guide, total price",
     "select total_price, tour_type, first_name, last_name from tours join guides using (guide_no) order by total_price desc limit 6"),
    ("ten longest loans - type and number of days", "select loan_type, days from loans order by days desc, loan_no limit 10"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), READ, ids=[one for one, _ in READ])
def test_all_columns_that_are_named_are_shown(
    client: Any, tables: dict[str, pd.DataFrame], question: str, sql: str
) -> None:
    with duckdb.connect() as plain:
        for name, table in tables.items():
            plain.register(name, table)
        wanted = told(plain.sql(sql).df())
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    found = told(pd.DataFrame(answer.result.load_all()))
    assert len(found) == len(wanted), (question, answer.sql)
    assert all(any(row <= other for other in found) for row in wanted), (question, answer.sql)


@pytest.mark.parametrize(
    "question",
    ["school tours in April 2024: date, visitors, mood", "loans of coins with colour and days", "the last 5 tours with weather and type",
     "tours of June 2024: date, helper, visitors"],
)  # fmt: skip
def test_a_column_that_nothing_is_called_is_not_left_out_in_silence(client: Any, question: str) -> None:
    answer = client.chat().ask(question)
    word = next(one for one in ("mood", "colour", "weather", "helper") if one in question)
    assert answer.result is None or f"“{word}”" in answer.text, (question, answer.sql, answer.text)


def test_an_article_makes_it_a_condition(client: Any) -> None:
    answer = client.chat().ask("the 3 oldest guides with a wing")
    assert "wing" not in (answer.sql or "") or "NOT NULL" in answer.sql, answer.sql
