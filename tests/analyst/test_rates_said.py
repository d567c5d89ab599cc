"""Which number is meant, and what is done to it, where a question does not say it as the model does."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import MONTH, plain, same

ON_TIME = "count(*) FILTER (WHERE arrival_delay <= 15) * 1.0 / count(arrival_delay)"
CANCELLED = "avg((departure_delay IS NULL)::INT)"
LATE = "count(*) FILTER (WHERE departure_delay > 15) * 1.0 / count(departure_delay)"
AIRLINES = "flights JOIN airlines a USING (carrier)"
AIRPORTS = "flights JOIN airports ON origin = airport"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("on time % by airport", f"SELECT airports.name, {ON_TIME} FROM {AIRPORTS} GROUP BY 1"),
        ("cancelled % by carrier", f"SELECT carrier, {CANCELLED} FROM flights GROUP BY 1"),
        ("delayed pct by month", f"SELECT {MONTH}, {LATE} FROM flights GROUP BY 1"),
        ("late % per airline in july", f"SELECT a.name, {LATE} FROM {AIRLINES} WHERE month(scheduled_departure) = 7 GROUP BY 1"),
        ("cancelled flights by origin, share", f"SELECT origin, {CANCELLED} FROM flights GROUP BY 1"),
        ("cancellation percentage by origin", f"SELECT origin, {CANCELLED} FROM flights GROUP BY 1"),
        ("how many flights were late, as a percentage", f"SELECT {LATE} FROM flights"),
        ("which month did delta have its worst on time %", f"SELECT {MONTH}, {ON_TIME} FROM flights WHERE carrier = 'DL' GROUP BY 1 ORDER BY 2 LIMIT 1"),
        ("which airport has the worst cancelled %", f"SELECT airports.name, {CANCELLED} FROM {AIRPORTS} GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("how punctual is Delta?", f"SELECT {ON_TIME} FROM flights WHERE carrier = 'DL'"),
        ("which airline is the least punctual", f"SELECT a.name, {ON_TIME} FROM {AIRLINES} GROUP BY 1 ORDER BY 2 LIMIT 1"),
    ],
)  # fmt: skip
def test_a_rate_is_meant_by_what_it_is_of(question: str, sql: str) -> None:
    asked = ask(worlds.flights(), question)
    assert same(asked.rows(), plain(sql)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("did on time get better or worse from jan to dec at LGA", "9.41 percentage points"),
        ("how much higher is the cancel rate in feb than in oct, pct points", "4.24 percentage points"),
    ],
)
def test_the_course_of_a_rate_is_told_in_points(question: str, told: str) -> None:
    assert told in ask(worlds.flights(), question).answer.text


@pytest.mark.parametrize("question", ["cancelled flights by airline", "on-time flights by airline"])
def test_how_many_there_are_is_no_rate(question: str) -> None:
    assert max(row[1] for row in ask(worlds.flights(), question).rows()) > 1


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "average delay of delayed flights only",
            "SELECT avg(departure_delay) FROM flights WHERE departure_delay > 15",
        ),
        (
            "average delay of late flights by airline",
            f"SELECT a.name, avg(departure_delay) FROM {AIRLINES} WHERE departure_delay > 15 GROUP BY 1",
        ),
        ("average distance of cancelled flights", "SELECT avg(distance) FROM flights WHERE departure_delay IS NULL"),
        ("How long is the average delay at JFK?", "SELECT avg(departure_delay) FROM flights WHERE origin = 'JFK'"),
        (
            "how high was the average delay in march",
            "SELECT avg(departure_delay) FROM flights WHERE month(scheduled_departure) = 3",
        ),
        ("how long was the longest delay", "SELECT max(departure_delay) FROM flights"),
        (
            "On which day of the week are the delays shortest on average?",
            "SELECT dayname(scheduled_departure), avg(departure_delay) FROM flights GROUP BY 1 ORDER BY 2 LIMIT 1",
        ),
        (
            "How does the average delay change over the course of the day?",
            "SELECT hour(scheduled_departure), avg(departure_delay) FROM flights GROUP BY 1",
        ),
        (
            "how do cancellations vary over the week",
            "SELECT dayname(scheduled_departure), count(*) FROM flights WHERE departure_delay IS NULL GROUP BY 1",
        ),
        ("flights more than 2 hours late", "SELECT count(*) FROM flights WHERE departure_delay > 120"),
        ("flights that arrived over 2 hours late", "SELECT count(*) FROM flights WHERE arrival_delay > 120"),
        ("how late is Delta on average", "SELECT avg(departure_delay) FROM flights WHERE carrier = 'DL'"),
    ],
)
def test_a_number_is_told_of_the_rows_it_is_asked_of(question: str, sql: str) -> None:
    asked = ask(worlds.flights(), question)
    assert same(asked.rows(), plain(sql)), asked.tool["input"]["sqlQuery"]
