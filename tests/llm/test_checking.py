"""Figures and names in a model's words are looked up in the results it had."""

from __future__ import annotations

import random
from typing import Any

import pytest

from svc_notebook.analyst.llm.checking import Evidence, unfounded
from svc_notebook.analyst.llm.figures import figures
from svc_notebook.analyst.toolbox import Toolbox

from .provider import Text
from .test_language_model import QUERY, ask, done, folded, protocols, replies

CITIES = Evidence(
    ["city", "orders", "revenue"], [["Rome", 1204, 48110.5], ["Oslo", 802, 30250.25], ["Bonn", 95, 1999.0]]
)
MONTHS = Evidence(["month", "flights"], [["2013-01-01T00:00:00", 27004], ["2013-02-01T00:00:00", 24951]])


@pytest.mark.parametrize(
    ("text", "value", "step", "percent"),
    [
        ("48,110", 48110, 1, False), ("48.110,5", 48110.5, 0.1, False), ("48 110", 48110, 1, False), ("1.5", 1.5, 0.1, False),
        ("12.5 %", 12.5, 0.1, True), ("3 percent", 3, 1, True), ("48.1k", 48100, 100, False), ("$2.4 million", 2.4e6, 1e5, False),
        ("48,000", 48000, 1000, False), ("100", 100, 1, False), ("−5", 5, 1, False),
    ],
)  # fmt: skip
def test_a_number_is_read_as_it_is_meant(text: str, value: float, step: float, percent: bool) -> None:
    (found,) = figures(f"It was {text} there.")
    assert (found.value, found.percent) == (pytest.approx(value), percent)
    assert found.step == pytest.approx(step)


@pytest.mark.parametrize(
    "text",
    [
        "Rome leads with 1,204 orders.", "Rome made 48,110.50, about 48 thousand.", "Rome had 402 more orders than Oslo.",
        "Rome had 1.5 times as many as Oslo.", "Rome accounts for 57.3 % of the 2,101 orders.", "Bonn has the fewest: 95.",
        "Orders fell by 33.4 % from Rome to Oslo.", "There are 3 cities.", "The average was 700.3.", "In `SELECT 17` nothing is said.",
        "1. Rome: 1204\n2. Oslo: 802", "Revenue per order in Rome is 39.96.", "Both Rome and Oslo are above 800: 1,204 and 802.",
    ],
)  # fmt: skip
def test_what_follows_from_the_rows_is_founded(text: str) -> None:
    assert unfounded(text, [CITIES], "orders by city above 800") == []


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Rome leads with 1,304 orders.", ["1,304"]), ("Berlin leads with 1,204 orders.", ["Berlin"]), ("Oslo leads.", ["Oslo"]),
        ("Rome had 802 orders.", ["802"]), ("Rome had 412 more orders than Oslo.", ["412"]), ("In all 2,201 orders.", ["2,201"]),
        ("Rome accounts for 75 % of the orders.", ["75 %"]), ("There are 4 cities.", ["4"]), ("Bonn has the most: 95.", ["Bonn"]),
    ],
)  # fmt: skip
def test_what_is_found_nowhere_is_told(text: str, claims: list[str]) -> None:
    assert unfounded(text, [CITIES]) == claims


def test_dates_and_what_was_asked_are_no_claims() -> None:
    text = "In January 2013 there were 27,004 flights, on 1 January as well; February 2013 had 24,951."
    assert unfounded(text, [MONTHS], "flights in 2013, LIMIT 10") == []
    assert unfounded("February 2013 had 25,951.", [MONTHS]) == ["25,951"]


def test_most_changes_are_caught_and_few_right_words_doubted() -> None:
    from benchmarks.claims import rates

    chance = random.Random(5)
    names = ["Rome", "Oslo", "Bonn", "Lima", "Kyiv", "Cairo", "Porto", "Turin"]
    results: list[tuple[list[str], list[list[Any]]]] = [
        (["city", "orders"], [[name, float(chance.randint(50, 90_000))] for name in chance.sample(names, count)])
        for count in (3, 5, 8)
    ]
    found = rates(results, 400, 200)
    assert found["all caught"] >= 0.95
    assert found["false alarms"] <= 0.03


@protocols
def test_the_model_is_told_once_and_mends_it(protocol: str, toolbox: Toolbox) -> None:
    script = [[QUERY], [Text("There are 40 orders.", 3)], [Text("There are 4 orders.", 3)]]
    events, provider = ask(replies(script), protocol, toolbox)
    assert done(events).text == folded(events) == "There are 4 orders."
    assert len(provider.requests) == 3
    assert "found in no result of this conversation: 40." in str(provider.requests[2])


@protocols
def test_what_the_model_does_not_mend_is_marked(protocol: str, toolbox: Toolbox) -> None:
    events, provider = ask(replies([[QUERY], [Text("There are 40 orders.")]]), protocol, toolbox)
    assert done(events).text == folded(events) == "There are 40 orders.\n\n*Not found in the results: 40.*"
    assert len(provider.requests) == 3, "it is told once"


@protocols
def test_right_words_cost_no_call_more(protocol: str, toolbox: Toolbox) -> None:
    events, provider = ask(replies([[QUERY], [Text("There are 4 orders.")]]), protocol, toolbox)
    assert done(events).text == "There are 4 orders."
    assert len(provider.requests) == 2


def test_nobody_looks_where_that_is_switched_off(toolbox: Toolbox) -> None:
    events, _ = ask(replies([[QUERY], [Text("There are 40 orders.")]]), "openai", toolbox, check=False)
    assert done(events).text == "There are 40 orders."
