"""A reading that is changed answers as the question does that says the change in words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import svc_notebook as svc

Change = Callable[[svc.Reading], svc.Reading]
Pair = tuple[str, Change, str]

MONTHS = {"January": 1, "February": 2, "April": 4, "May": 5, "June": 6, "September": 9, "November": 11}
PLACES = ("LAX", "SFO", "MIA", "ORD", "ATL", "DCA", "SEA", "DEN", "PHX")
AIRLINES = {"Delta": "Delta Air Lines Inc.", "United": "United Air Lines Inc.", "JetBlue": "JetBlue Airways"}
MEMBERS = {"distance": "avg_distance", "air time": "avg_air_time", "departure delay": "avg_departure_delay"}


def where(member: str, *values: Any, operator: str = "=") -> dict[str, Any]:
    return {"member": f"flights.{member}", "operator": operator, "values": list(values)}


def limited(count: int) -> Pair:
    top = "top {} destinations by number of flights"
    return top.format(3), lambda r: r.with_(limit=count), top.format(count)


def grain(old: str, new: str) -> Pair:
    return f"flights by {old}", lambda r: r.changed("groups", 0, grain=new), f"flights by {new}"


def month(name: str) -> Pair:
    first, after = (f"{2013 + n // 13}-{(n - 1) % 12 + 1:02}-01" for n in (MONTHS[name], MONTHS[name] + 1))
    return (
        "flights by airline in March",
        lambda r: r.changed("where", 0, values=[first, after]),
        f"flights by airline in {name}",
    )


def place(code: str) -> Pair:
    return "how many flights to BOS", lambda r: r.changed("where", 0, values=[code]), f"how many flights to {code}"


def airline(said: str, by: str) -> Pair:
    return (
        f"flights by {by}",
        lambda r: r.with_(where=[where("airline", AIRLINES[said])]),
        f"flights by {by} for {said}",
    )


def measured(said: str, by: str) -> Pair:
    change = [{"member": f"flights.{MEMBERS[said]}"}]
    return f"average arrival delay by {by}", lambda r: r.with_(measures=change), f"average {said} by {by}"


PAIRS: list[Pair] = [
    *(limited(count) for count in (1, 2, 5, 7, 10, 20)),
    *(grain(old, new) for old in ("month", "quarter") for new in ("day", "week", "month", "quarter") if old != new),
    *map(month, MONTHS),
    *map(place, PLACES),
    *(airline(said, by) for said in AIRLINES for by in ("origin", "month", "quarter")),
    *(measured(said, by) for said in MEMBERS for by in ("airline", "origin", "month")),
    ("flights per month at JetBlue", lambda r: r.without("where", 0), "flights per month"),
    ("flights by airline in March", lambda r: r.without("where", 0), "flights by airline"),
    ("flights by airline in March", lambda r: r.without("groups", 0), "how many flights in March"),
    (
        "average arrival delay by airline",
        lambda r: r.with_(measures=[{"member": "flights.count"}]),
        "flights by airline",
    ),
    ("flights by origin and airline", lambda r: r.without("groups", 1), "flights by origin"),
    ("flights by origin and airline", lambda r: r.without("groups", 0), "flights by airline"),
    ("flights by origin", lambda r: r.with_(groups=[{"member": "flights.airline"}], sort=[]), "flights by airline"),
    ("how many flights were there", lambda r: r.with_(where=[where("destination", "BOS")]), "how many flights to BOS"),
    ("how many flights to BOS", lambda r: r.without("where", 0), "how many flights were there"),
    (
        "how many flights to BOS",
        lambda r: r.changed("where", 0, operator="in", values=["LAX", "BOS"]),
        "how many flights to BOS or LAX",
    ),
    (
        "how many flights to BOS",
        lambda r: r.with_(groups=[{"member": "flights.airline"}]),
        "flights to BOS by airline",
    ),
    ("top 5 airlines by average arrival delay", lambda r: r.with_(limit=3), "top 3 airlines by average arrival delay"),
    (
        "flights by airline in March",
        lambda r: r.with_(where=[*r.where, where("origin", "JFK")]),
        "flights by airline in March from JFK",
    ),
    (
        "flights by airline in March from JFK",
        lambda r: r.without("where", next(i for i, c in enumerate(r.where) if c.member == "flights.origin")),
        "flights by airline in March",
    ),
]


@pytest.fixture(scope="module")
def flights() -> Iterator[Any]:
    with svc.demo() as client:
        yield client


def rows(answer: svc.Answer) -> list[str]:
    assert answer.result is not None, answer.text
    table = answer.result.load_all().to_numpy().tolist()
    return sorted(repr([round(v, 6) if isinstance(v, float) else str(v) for v in row]) for row in table)


@pytest.mark.parametrize("pair", PAIRS if os.environ.get("SVC_LONG") else PAIRS[::4], ids=lambda pair: pair[2])
def test_a_changed_reading_answers_as_its_words_do(flights: Any, pair: Pair) -> None:
    """A sample; with ``SVC_LONG=1`` all of them."""
    question, change, other = pair
    reading = flights.chat().ask(question).reading
    assert reading is not None, question
    assert rows(flights.chat().ask(reading=change(reading))) == rows(flights.chat().ask(other))
