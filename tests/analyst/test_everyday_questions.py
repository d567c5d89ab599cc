"""Everyday ways of asking: names of several words, one number against another, frequency, yes or no, near readings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import worlds
from asking import ask
from notation import difference

from svc_notebook.analyst.offline.reading.foreign import is_statement
from svc_notebook.analyst.offline.reading.reading import read

NOW = datetime.fromisoformat("2024-11-20")
CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("flights", "what share of flights was on time per origin", {"m": ["on_time_share"], "by": ["origin"]}),
    ("hospital", "length of stay per ward", {"m": ["avg:visits.length_of_stay"], "by": ["wards.name"]}),
    ("flights", "delay vs distance scatter", {"shape": "rows", "cols": ["departure_delay", "distance"]}),
    ("flights", "distance against air time", {"shape": "rows", "cols": ["distance", "air_time"]}),
    ("hospital", "cost vs length of stay", {"shape": "rows", "cols": ["visits.cost", "visits.length_of_stay"]}),
    ("flights", "busiest hour of day for departures from JFK",
     {"m": ["count"], "by": ["hour_of_day"], "where": {"origin": ["JFK"]}, "top": 1}),
    ("flights", "most popular destination", {"m": ["count"], "by": ["destination"], "top": 1}),
    ("flights", "quietest month", {"m": ["count"], "by": ["scheduled_departure:month"], "bottom": 1}),
    ("shop", "busiest month", {"m": ["count"], "by": ["order_date:month"], "top": 1}),
    ("shop", "quietest weekday", {"m": ["count"], "by": ["order_date:weekday"], "bottom": 1}),
    ("flights", "is the average delay at EWR higher than at LGA?",
     {"m": ["avg_departure_delay"], "by": ["origin"], "where": {"origin": ["EWR", "LGA"]}}),
    ("shop", "is the revenue in Germany higher than in France?",
     {"m": ["revenue"], "by": ["country"], "where": {"country": ["Germany", "France"]}}),
    ("shop", "did Germany order more than France",
     {"m": ["count"], "by": ["country"], "where": {"country": ["Germany", "France"]}}),
]  # fmt: skip


@pytest.mark.parametrize(("model", "question", "expected"), CASES)
def test_everyday_questions_are_read(model: str, question: str, expected: dict[str, Any]) -> None:
    plan = read(question, getattr(worlds, model)().metadata, NOW, (), 2013 if model == "flights" else None).plan
    assert plan is not None
    assert difference(expected, plan, model) == ""


@pytest.mark.parametrize(("axis", "place"), [("x", 0), ("y", 1)])
def test_rows_are_sorted_by_the_axis_that_is_said(axis: str, place: int) -> None:
    rows = ask(worlds.hospital(), f"scatter of cost and length of stay sorted by the {axis} axis descending").rows()
    assert [row[place] for row in rows] == sorted((row[place] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("world", "question", "one", "other", "more"),
    [
        (worlds.flights, "is the average delay at EWR higher than at LGA?", "EWR", "LGA", True),
        (worlds.flights, "did Delta fly less than United", "Delta Air Lines Inc.", "United Air Lines Inc.", False),
        (worlds.flights, "is the average delay at LGA worse than at EWR?", "LGA", "EWR", True),
        (worlds.shop, "is the revenue in Germany higher than in France?", "Germany", "France", True),
        (worlds.shop, "did France order fewer than Germany", "France", "Germany", False),
    ],
)
def test_a_comparison_is_answered_with_yes_or_no(world: Any, question: str, one: str, other: str, more: bool) -> None:
    asked = ask(world(), question)
    figures = {str(row[0]): float(row[1]) for row in asked.rows()}
    assert set(figures) == {one, other}
    right = figures[one] > figures[other] if more else figures[one] < figures[other]
    assert asked.answer.text.startswith("**Yes**." if right else "**No**.")
    assert one in asked.answer.text and other in asked.answer.text


def test_a_near_reading_is_offered_and_can_be_asked() -> None:
    asked = ask(worlds.flights(), "average delay by origin")
    assert "departure delay" in asked.answer.text
    offered = next(choice.question for choice in asked.answer.choices if "arrival" in choice.question)
    assert offered == "Average arrival delay by origin"
    assert "avg_arrival_delay" in ask(worlds.flights(), offered).tool["input"]["sqlQuery"]


def test_a_name_said_in_full_has_no_near_reading() -> None:
    for question in ("average arrival delay by origin", "flights by carrier"):
        plan = read(question, worlds.flights().metadata, NOW, (), 2013).plan
        assert plan is not None and plan.near == ()
    plan = read("revenue by country", worlds.shop().metadata, NOW).plan
    assert plan is not None and plan.near == ()


STATEMENTS = [
    "DROP TABLE flights", "drop table if exists orders;", "DELETE FROM flights where 1=1", "UPDATE orders SET revenue = 0",
    "INSERT INTO orders VALUES (1)", "SELECT count(*) FROM flights", "import os; os.system('ls')", "print(revenue)",
    "for x in range(10): print(x)", "revenue by country; drop table orders", "def f(x): return x",
]  # fmt: skip


@pytest.mark.parametrize("world", [worlds.flights, worlds.shop])
@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_no_question(world: Any, text: str) -> None:
    asked = ask(world(), text)
    assert asked.table is None
    assert asked.answer.text.startswith("I could not read this")


@pytest.mark.parametrize(
    "text",
    [
        "select the top 5 carriers by flights", "create a table of flights by month", "drop cancelled flights",
        "from March to May by week", "for flights in March: delay by carrier", "did revenue drop in March",
        "select name from customers", "update me on revenue by month", "Select the number of orders (all) by month",
    ],
)  # fmt: skip
def test_questions_with_such_words_stay_questions(text: str) -> None:
    assert not is_statement(text)
