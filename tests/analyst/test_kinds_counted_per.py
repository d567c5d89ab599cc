"""Things said *per* something are counted there, each once: *destinations per airline*, *planes per carrier*."""

from __future__ import annotations

import pytest
import worlds
from asking import ask
from test_demo_questions import plain, same

AIRLINES = "SELECT a.name, count(DISTINCT {}) FROM flights JOIN airlines a USING (carrier) GROUP BY 1"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("destinations per airline", AIRLINES.format("destination")),
        ("planes per airline", AIRLINES.format("tail_number")),
        ("aircraft per carrier", "SELECT carrier, count(DISTINCT tail_number) FROM flights GROUP BY 1"),
        ("routes for each carrier", "SELECT carrier, count(DISTINCT (origin, destination)) FROM flights GROUP BY 1"),
        ("carriers per origin", "SELECT origin, count(DISTINCT carrier) FROM flights GROUP BY 1"),
        ("models per manufacturer", "SELECT manufacturer, count(DISTINCT model) FROM planes GROUP BY 1"),
        ("planes per manufacturer", "SELECT manufacturer, count(*) FROM planes GROUP BY 1"),
        ("flights per carrier", "SELECT carrier, count(*) FROM flights GROUP BY 1"),
        ("which planes made more than 500 flights", "SELECT tail_number FROM flights WHERE tail_number IS NOT NULL GROUP BY 1 HAVING count(*) > 500"),
        ("Which plane covered the most miles?", "SELECT tail_number, sum(distance) FROM flights WHERE tail_number IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("top 5 planes by flights", "SELECT tail_number, count(*) FROM flights WHERE tail_number IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 5"),
        ("flights by aircraft type", "SELECT type, count(*) FROM flights LEFT JOIN planes USING (tail_number) GROUP BY 1"),
        (
            "most used aircraft model by united",
            "SELECT model, count(*) FROM flights JOIN planes USING (tail_number) WHERE carrier = 'UA' GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        ("flights by plane manufacturer", "SELECT manufacturer, count(*) FROM flights LEFT JOIN planes USING (tail_number) GROUP BY 1"),
    ],
)  # fmt: skip
def test_things_are_counted_where_they_are_said(question: str, sql: str) -> None:
    assert same(ask(worlds.flights(), question).rows(), plain(sql))


def test_nothing_is_counted_by_what_it_lacks() -> None:
    assert ask(worlds.flights(), "How many flights were flown by planes that are not in the register?").table is None
