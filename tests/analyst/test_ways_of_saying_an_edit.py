"""The same edit said by many: verbs of restricting, of leaving out, of telling apart; words that stand around a name."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import pandas as pd
import pytest

import svc_notebook as svc


@cache
def repairs() -> svc.Client:
    count = 360
    rows = pd.DataFrame({
        "repair_no": range(1, count + 1),
        "taken_in": [date(2023, 1, 2) + timedelta(days=n * 7 % 700) for n in range(count)],
        "mechanic": ["Anna", "Bruno", "Carl"] * (count // 3), "bike_type": ["road", "city", "cargo", "kids"] * (count // 4),
        "job": ["tube", "brakes", "chain", "service", "paint"] * (count // 5),
        "hours": [float(n % 7) / 2 + 0.5 for n in range(count)], "price": [float(n * 13 % 181 + 20) for n in range(count)],
    })  # fmt: skip
    return svc.embedded({"repairs": rows})


def sql(*turns: str) -> str:
    chat = repairs().chat()
    answers = [chat.ask(turn) for turn in turns]
    return str(answers[-1].sql)


BASE = "average price by job"


@pytest.mark.parametrize("turn", [
    "restrict that to cargo bikes", "could you narrow it down to cargo bikes?", "confine the table to cargo bikes",
    "I only care about cargo bikes", "i'm interested in cargo bikes", "concentrate on cargo bikes",
    "take only the cargo bikes into account", "zoom in on just the cargo ones", "limit the chart to cargo bikes",
    "counting only cargo bikes", "restricted to cargo bikes",
])  # fmt: skip
def test_any_verb_of_restricting_restricts(turn):
    said = sql(BASE, turn)
    assert "\"bike_type\" = 'cargo'" in said and "GROUP BY 1" in said and '"job"' in said


@pytest.mark.parametrize("turn", [
    "leave the kids bikes out", "take kids bikes out of it", "kick out the kids ones", "don't count kids bikes",
    "disregard kids bikes", "no kids bikes please", "skip the kids bikes", "without counting kids bikes",
    "set the kids bikes aside", "please do not include kids bikes",
])  # fmt: skip
def test_what_is_left_out_is_never_what_is_kept(turn):
    said = sql(BASE, turn)
    assert "\"bike_type\" <> 'kids'" in said and '"avg_price"' in said


@pytest.mark.parametrize("turn", [
    "broken down by mechanic", "show the mechanics separately", "and for each mechanic separately",
    "distinguish by mechanic", "split it between the mechanics", "with a breakdown by mechanic", "crossed with mechanic",
    "further by mechanic", "how does that break down by mechanic",
])  # fmt: skip
def test_what_is_told_apart_further_keeps_its_groups(turn):
    said = sql(BASE, turn)
    assert '"job"' in said and '"mechanic"' in said and '"avg_price"' in said


@pytest.mark.parametrize("turn", ["how is that distributed over the months", "spread it over the months"])
def test_a_number_is_spread_over_a_time(turn):
    assert "DATE_TRUNC('month'" in sql("number of repairs in 2024", turn)


@pytest.mark.parametrize(
    "turn",
    [
        "for everything together",
        "regardless of job",
        "without the split",
        "don't split it by job",
        "what is it overall",
    ],
)
def test_groups_are_taken_together(turn):
    assert "GROUP BY" not in sql(BASE, turn)


@pytest.mark.parametrize(
    ("turn", "ends"),
    [("biggest on top", "DESC"), ("put the lowest first", "ORDER BY 2"), ("the other end please", "LIMIT 2")],
)
def test_orders_are_said_in_many_ways(turn, ends):
    assert ends in sql("top 2 jobs by total price", turn)


@pytest.mark.parametrize("turn", ["I'd prefer the median", "medians would be better", "I would rather see the median"])
def test_what_somebody_would_rather_see_takes_the_place(turn):
    said = sql(BASE, turn)
    assert "MEDIAN" in said and "avg_price" not in said


@pytest.mark.parametrize("turn", ["put the hours next to it", "I also want the hours", "can I also see the hours"])
def test_what_is_put_beside_it_is_added(turn):
    said = sql(BASE, turn)
    assert "avg_price" in said and "hours" in said


def test_a_correction_without_a_comma_is_none_of_leaving_out():
    assert "avg_hours" in sql(BASE, "no, hours")
    assert '"mechanic"' in sql(BASE, "no by mechanic")


@pytest.mark.parametrize("question", ["number of repairs by mechanic", "how many kids bikes were repaired in 2024"])
def test_a_whole_question_is_none_of_these(question):
    alone = repairs().chat().ask(question).sql
    assert alone and sql(BASE, "restrict that to cargo bikes", question) == alone
