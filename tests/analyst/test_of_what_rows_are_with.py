"""What rows are with, and what was shown of them: weather, makers, numbers of flights, extremes, those that were only counted.

Each mechanism is asked for over the demo's flights and over a shop, as the model's own SQL answers it.
"""

from __future__ import annotations

from typing import Any

import pytest
import worlds
from asking import ask

from svc_notebook.semantic.context import SecurityContext

MAY = "scheduled_departure >= TIMESTAMP '2013-05-01' AND scheduled_departure < TIMESTAMP '2013-06-01'"
YEAR = "order_date >= TIMESTAMP '2023-01-01' AND order_date < TIMESTAMP '2024-01-01'"


def same(got: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    def tidy(rows: list[tuple[Any, ...]]) -> list[str]:
        return sorted(repr([round(v, 6) if isinstance(v, float) else str(v) for v in row]) for row in rows)

    return tidy(got) == tidy(wanted)


def told(world: worlds.World, sql: str) -> list[tuple[Any, ...]]:
    table = world.layer.query(SecurityContext.operator(), sql).table
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


FLIGHTS = [
    (["average delay while it was raining"], "SELECT MEASURE(avg_departure_delay) FROM flights WHERE precipitation > 0"),
    (["how many flights were cancelled when it did not rain"], "SELECT COUNT(*) FROM flights WHERE cancelled = TRUE AND precipitation = 0"),
    (["how many flights below freezing"], "SELECT COUNT(*) FROM flights WHERE temperature < 32"),
    (["how many hours was it above 90 degrees"], "SELECT MEASURE(hours) FROM weather WHERE temperature > 90"),
    (["how many hours did it rain at jfk in may"], "SELECT MEASURE(hours) FROM weather WHERE precipitation > 0 AND origin = 'JFK' AND observed_at >= TIMESTAMP '2013-05-01' AND observed_at < TIMESTAMP '2013-06-01'"),
    (["how many seats did delta fly to ATL"], "SELECT MEASURE(seats_offered) FROM flights WHERE carrier = 'DL' AND destination = 'ATL'"),
    (["how many flights were operated by boeing planes"], "SELECT COUNT(*) FROM flights WHERE manufacturer = 'BOEING'"),
    (["how many flights were on planes built before 1985"], "SELECT COUNT(*) FROM flights WHERE plane_year_built < 1985"),
    (["how many flights on UA 1545"], "SELECT COUNT(*) FROM flights WHERE carrier = 'UA' AND flight_number = '1545'"),
    (["flight 1545"], "SELECT COUNT(*) FROM flights WHERE flight_number = '1545'"),
    (["UA 2013"], "SELECT COUNT(*) FROM flights WHERE carrier = 'UA'"),
    (["flights to chicago (both airports)"], "SELECT COUNT(*) FROM flights WHERE destination IN ('MDW', 'ORD')"),
    (["list all airlines with code"], "SELECT airline, carrier FROM flights GROUP BY 1, 2"),
    (["share of on-time arrivals of delta"], "SELECT MEASURE(on_time_share) FROM flights WHERE carrier = 'DL'"),
    (["cancellation rate by departure airport"], "SELECT origin, MEASURE(cancelled_share) FROM flights GROUP BY 1"),
    (["which airline serves the most destinations"], "SELECT airline, COUNT(DISTINCT destination) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
    (["how many different destinations does jetblue serve from JFK"], "SELECT COUNT(DISTINCT destination) FROM flights WHERE carrier = 'B6' AND origin = 'JFK'"),
    (["where has N328AA flown to"], "SELECT destination FROM flights WHERE tail_number = 'N328AA' GROUP BY 1"),
    (["what is Delta's share of all flights at LaGuardia"], "SELECT AVG(CASE WHEN carrier = 'DL' THEN 1.0 ELSE 0.0 END) FROM flights WHERE origin = 'LGA'"),
    (["which airline cancelled the biggest share of its flights"], "SELECT airline, MEASURE(cancelled_share) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
    (["destinations with fewer than 20 flights in the whole year"], "SELECT destination FROM flights GROUP BY 1 HAVING COUNT(*) < 20"),
    (["which manufacturer's planes have the worst average arrival delay"], "SELECT manufacturer, MEASURE(avg_arrival_delay) FROM flights WHERE manufacturer IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
    (["which flight had the longest departure delay"], "SELECT flight_number, departure_delay FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 1"),
    (["what is the longest air time of any flight", "which airline was that"], "SELECT airline, air_time FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 1"),
    (["what is the longest air time of any flight", "which airline was that", "and where did it go"], "SELECT airline, air_time, destination FROM flights ORDER BY 2 DESC NULLS LAST LIMIT 1"),
    (["what was the strongest gust", "which airport was that"], "SELECT origin, MEASURE(max_wind_gust) FROM weather GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
    (["which airline has the most cancellations", "how many flights did it have in total"], "SELECT COUNT(*) FROM flights WHERE carrier = 'EV'"),
    (["flights on 8 february", "how many were cancelled"], "SELECT COUNT(*) FROM flights WHERE cancelled = TRUE AND scheduled_departure >= TIMESTAMP '2013-02-08' AND scheduled_departure < TIMESTAMP '2013-02-09'"),
    (["flights in may", "how many were delayed", "how many were cancelled"], f"SELECT COUNT(*) FROM flights WHERE cancelled = TRUE AND {MAY}"),
    (
        ["which airlines fly from all three airports", "how many of them are there", "which of those has the fewest flights"],
        "SELECT airline, COUNT(*) FROM flights GROUP BY 1 HAVING COUNT(DISTINCT origin) = 3 ORDER BY 2 LIMIT 1",
    ),
    (
        ["list the destinations with more than 10,000 flights", "what is the average arrival delay for each of those"],
        "SELECT destination, MEASURE(avg_arrival_delay) FROM flights GROUP BY 1 HAVING COUNT(*) > 10000",
    ),
]  # fmt: skip
SHOP = [
    (["how many orders were placed by business customers"], "SELECT COUNT(*) FROM orders WHERE segment = 'business'"),
    (["revenue of orders made by lumo products"], "SELECT MEASURE(revenue) FROM orders WHERE brand = 'Lumo'"),
    (["revenue by lumo products"], "SELECT product, MEASURE(revenue) FROM orders WHERE brand = 'Lumo' GROUP BY 1"),
    (["list cities with their country"], "SELECT city, country FROM orders GROUP BY 1, 2"),
    (["which category has the fewest brands"], "SELECT category, COUNT(DISTINCT brand) FROM orders GROUP BY 1 ORDER BY 2, 1 LIMIT 1"),
    (["how many cities does lumo serve in germany"], "SELECT COUNT(DISTINCT city) FROM orders WHERE brand = 'Lumo' AND country = 'Germany'"),
    (["what is Lumo's share of orders in germany"], "SELECT AVG(CASE WHEN brand = 'Lumo' THEN 1.0 ELSE 0.0 END) FROM orders WHERE country = 'Germany'"),
    (["what share of orders in 2023 are by business customers"], f"SELECT AVG(CASE WHEN segment = 'business' THEN 1.0 ELSE 0.0 END) FROM orders WHERE {YEAR}"),
    (["what is the highest unit price", "which product was that", "when was it"], "SELECT product, unit_price, order_date FROM orders ORDER BY 2 DESC LIMIT 1"),
    (["which country has the most returned orders", "how many orders did it have in total"], "SELECT COUNT(*) FROM orders WHERE country = 'France'"),
    (["how many returned orders were there in 2023", "how many were there in total"], f"SELECT COUNT(*) FROM orders WHERE {YEAR}"),
    (["orders in 2023", "how many were returned"], f"SELECT COUNT(*) FROM orders WHERE {YEAR} AND status = 'returned'"),
    (["top 3 countries by revenue", "how many orders for each of those"], "SELECT country, COUNT(*) FROM orders WHERE country IN ('France', 'Germany', 'Spain') GROUP BY 1"),
]  # fmt: skip


@pytest.mark.parametrize(("questions", "sql"), FLIGHTS)
def test_it_is_answered_over_flights_as_the_model_says_it(questions: list[str], sql: str) -> None:
    asked = ask(worlds.flights(), *questions)
    assert asked.tool, asked.answer.text
    assert same(asked.rows(), told(worlds.flights(), sql)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize(("questions", "sql"), SHOP)
def test_it_is_answered_over_a_shop_as_the_model_says_it(questions: list[str], sql: str) -> None:
    asked = ask(worlds.shop(), *questions)
    assert asked.tool, asked.answer.text
    assert same(asked.rows(), told(worlds.shop(), sql)), asked.tool["input"]["sqlQuery"]


@pytest.mark.parametrize("question", ["flights while there was snow", "AA 21 minutes late"])
def test_what_no_column_tells_is_not_answered(question: str) -> None:
    assert not ask(worlds.flights(), question).tool
