"""What answers say: the number first, no finding that is none, and what to mind. Every figure is in the rows."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

import pandas as pd
import pytest
import worlds
import yaml
from asking import Asked, ask
from worlds import World

from svc_notebook.analyst.charts import ChartColumn
from svc_notebook.analyst.offline.telling import Outcome, figure, tell
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

MODEL = """
cubes:
  - name: sales
    sql_table: sales
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: sold, sql: sold, type: time}
      - {name: region, sql: region, type: string}
      - {name: day, sql: day, type: string}
      - {name: price, sql: price, type: number, meta: {unit: euros}}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: price, type: sum}
      - {name: average_price, sql: price, type: avg, meta: {unit: euros}}
"""


@cache
def sales() -> World:
    """Sales of 2022 from January to 10 October, none in May; one sale in the East, at a high price, some nowhere."""
    days = [d for d in pd.date_range("2022-01-01", "2022-10-10") if d.month != 5]
    rows = pd.DataFrame({
        "id": range(len(days) * 3),
        "sold": [d for d in days for _ in range(3)],
        "region": ["North", "South", None] * len(days),
        "day": [f"{d:%A}" for d in days for _ in range(3)],
        "price": [10.0 + d.month + place for d in days for place in range(3)],
    })  # fmt: skip
    rows.loc[0, ["region", "price"]] = ["East", 900.0]
    layer = SemanticLayer(load_model(yaml.safe_load(MODEL)), DuckDBEngine.open(None, data={"sales": rows}))
    return World(layer)


def text(asked: Asked) -> str:
    return asked.answer.text


def test_a_number_and_its_unit_come_first() -> None:
    assert re.match(
        r"\*\*[\d.,]+ minutes\*\* is the average departure delay",
        text(ask(worlds.flights(), "average departure delay")),
    )
    assert text(ask(worlds.flights(), "how many flights are there")).startswith("**336,776 flights**")


def test_the_last_of_a_top_list_is_no_finding() -> None:
    asked = ask(worlds.flights(), "top 5 destinations by flights")
    assert "**ORD** has the most flights: **17,283**, before ATL" in text(asked)
    assert "lowest" not in text(asked) and str(asked.rows()[-1][0]) not in text(asked)


def test_what_was_cut_by_its_name_is_first_among_what_is_shown_alone() -> None:
    asked = ask(worlds.flights(), "flights by destination, alphabetically, first 4")
    assert "Of the 4 destinations shown, **ALB** has the most flights" in text(asked)


@pytest.mark.parametrize(
    "question", ["trend of flights from JFK", "why were flights from JFK lower in September than in July?"]
)
def test_an_analysis_says_which_rows_it_is_about(question: str) -> None:
    assert text(ask(worlds.flights(), question)).startswith("Where origin is JFK: ")


def test_a_group_of_one_is_never_a_headline() -> None:
    asked = ask(sales(), "average price by region")
    assert "**South** has the highest" in text(asked)
    assert "too few rows: East (1 row)" in text(asked)
    assert (asked.spec or {})["title"]["text"].startswith("South")


def test_a_missing_group_is_never_a_headline_and_is_told() -> None:
    asked = ask(sales(), "revenue by region")
    assert "no region" not in text(asked).split(".")[0] and "Without region: " in text(asked)


def test_a_month_that_is_cut_off_is_left_out_and_one_without_rows_is_told() -> None:
    said = text(ask(sales(), "revenue by month"))
    assert "in January 2022 to" in said and "in September 2022" in said
    assert "October 2022 is not complete: the data end on 10 October 2022." in said
    assert "There are no rows for May 2022." in said
    assert "January 2022 is not complete" not in said


@pytest.mark.parametrize("end", ["2022-10-31", "2022-10-31 22:15"])
def test_a_month_whose_last_day_has_rows_is_whole(end: str) -> None:
    months = [datetime.fromisoformat(f"2022-{month}-01") for month in ("08", "09", "10")]
    time = ChartColumn("m", "time", "Month", grain="month", noun="months").filled(months)
    value = ChartColumn("n", "number", "Visits", measured=True, additive=True).filled([3, 4, 5])
    told = tell(Outcome((time, value), span=(months[0], datetime.fromisoformat(end))))
    assert told.sentences[0].startswith("Visits rose from 3 in August 2022 to **5** in October 2022")
    assert not any("not complete" in sentence for sentence in told.sentences)


def test_percentages_differ_in_points() -> None:
    group = ChartColumn("g", "category", "Origin", noun="origins").filled(["JFK", "LGA"])
    share = ChartColumn("s", "number", "Share", measured=True, format="percent").filled([0.02, 0.03])
    assert tell(Outcome((group, share))).sentences[-1] == "The difference is 1 percentage points."


def test_weekdays_stand_in_the_order_of_the_calendar() -> None:
    spec = ask(sales(), "average price by day").spec or {}
    assert spec["encoding"]["x"]["sort"][:3] == ["Monday", "Tuesday", "Wednesday"]


@pytest.mark.parametrize(
    ("value", "form", "currency", "text"),
    [
        (336776, None, None, "336,776"), (12.6444, None, None, "12.64"), (0.025, "percent", None, "2.5 %"),
        (-1200.0, None, "USD", "-$1,200"), (0.000095, "percent", None, "0.0095 %"), (None, None, None, "no value"),
        (0.000123, None, None, "0.000123"), (2013, "id", None, "2013"), (5.0, None, "SEK", "5 SEK"),
    ],
)  # fmt: skip
def test_figures(value: object, form: str | None, currency: str | None, text: str) -> None:
    assert figure(value, form, currency) == text


QUESTIONS = [
    "flights per month", "average arrival delay by carrier", "flights by carrier", "share of flights by carrier",
    "average departure delay by month and carrier", "top 5 carriers by average distance", "cumulative flights by month",
    "compare JFK and LGA average departure delay", "share of cancelled flights by origin", "flights by origin and month",
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_figure_of_the_words_is_in_the_rows_or_follows_from_them(question: str) -> None:
    asked = ask(worlds.flights(), question)
    allowed = _figures(asked)
    for found in re.findall(
        r"(?<![A-Za-z])-?\d[\d,]*\.?\d*(?![A-Za-z\d])",
        re.sub(r"\(95 % interval[^)]*\)|\b\d{4}\b|\d+ rows?", "", text(asked)),
    ):
        number = float(found.rstrip(".").replace(",", ""))
        step = 0.51 * 10.0 ** -len(found.partition(".")[2])
        assert any(abs(abs(number) - value) <= step for value in allowed), (found, text(asked))


def _figures(asked: Asked) -> set[float]:
    """Numbers of the rows, their sums, shares, and differences between any two, in themselves and in per cent."""
    assert asked.table is not None
    allowed = {float(asked.table.num_rows), float(len({row[0] for row in asked.rows()})), 4.0, 5.0}
    for column in asked.table.columns:
        numbers = [float(v) for v in column.to_pylist() if isinstance(v, (int, float))]
        total = sum(numbers)
        allowed |= {abs(n) for n in numbers} | {abs(total)} | {abs(n) * 100 for n in numbers}
        allowed |= {abs(n) / total * 100 for n in numbers if total}
        firsts = numbers[:40]
        allowed |= {abs(a - b) for a in firsts for b in firsts}
        allowed |= {abs(a - b) / abs(b) * 100 for a in firsts for b in firsts if b}
        by_group: dict[object, float] = {}
        for row, n in zip(asked.rows(), column.to_pylist(), strict=True):
            if isinstance(n, (int, float)):
                by_group[row[0]] = by_group.get(row[0], 0.0) + n
        allowed |= set(map(abs, by_group.values())) | {abs(v) / total * 100 for v in by_group.values() if total}
    return allowed
