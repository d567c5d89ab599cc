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


@pytest.mark.parametrize("turn", ["across all jobs", "for all jobs together", "what's the overall average"])
def test_named_groups_are_taken_together(turn):
    said = sql(BASE, turn)
    assert "GROUP BY" not in said and "avg_price" in said


@pytest.mark.parametrize(
    "turn", ["how many per mechanic", "how many did each mechanic do", "how many by each mechanic"]
)
def test_what_is_counted_by_groups_without_a_noun_is_what_was_shown(turn):
    said = sql("how many cargo bikes were repaired in 2024", turn)
    assert "'cargo'" in said and "2024" in said and '"mechanic"' in said


def test_how_many_of_each_are_rows_of_each_group():
    said = sql(BASE, "and how many of each")
    assert '"job"' in said and "COUNT" in said.upper() and "FROM (" not in said


@pytest.mark.parametrize("turn", ["how many hours did they take on average", "their hours on average"])
def test_a_number_is_put_together_as_it_is_said(turn):
    said = sql("top 3 jobs by total price", turn)
    assert "SUM" not in said.upper().replace("SUM_PRICE", "") and "hours" in said


@pytest.mark.parametrize(
    "turn",
    ["what was it the previous year", "how about a year earlier", "shift it back a year", "and the year before that?"],
)
def test_the_year_before_is_that_of_the_year_that_was_looked_at(turn):
    said = sql("number of repairs in 2024", turn)
    assert "2023-01-01" in said and "2024-01-01" in said and "2025" not in said


@pytest.mark.parametrize(("turn", "end"), [
    ("only the first half of the year", "2024-07-01"), ("up to june", "2024-07-01"), ("until the end of march", "2024-04-01"),
    ("just the first two months", "2024-03-01"),
])  # fmt: skip
def test_a_part_of_the_period_that_is_looked_at(turn, end):
    said = sql("number of repairs in 2024 by mechanic", turn)
    assert "2024-01-01" in said and end in said and '"mechanic"' in said


@pytest.mark.parametrize("turn", ["and the other mechanics?", "what about all the other mechanics"])
def test_the_other_groups_are_those_not_shown(turn):
    said = sql("which mechanic has the highest total price", turn)
    assert "<>" in said and "LIMIT" not in said


@pytest.mark.parametrize(
    "turn", ["only Anna, split by bike type", "without Anna, by bike type", "Anna only, by bike type"]
)
def test_two_edits_in_one_breath_are_both_done(turn):
    said = sql(BASE, turn)
    denied = turn.startswith("without")
    assert ("<> 'Anna'" if denied else "= 'Anna'") in said and '"bike_type"' in said and "avg_price" in said


def test_different_things_are_counted_in_the_place_of_a_number():
    said = sql(BASE, "unique mechanics instead")
    assert "DISTINCT" in said and '"job"' in said and "avg_price" not in said


def test_days_and_months_are_put_into_longer_units():
    said = sql("number of repairs in 2024 by month", "group the months into quarters")
    assert "'quarter'" in said and "'month'" not in said


def test_the_kind_of_a_value_is_no_group():
    said = sql(BASE, "can you do it for cargo bikes")
    assert "'cargo'" in said and '"job"' in said


@pytest.mark.parametrize("turn", ["only where it's over 100", "show the ones over 100", "those that lie above 100"])
def test_what_is_compared_without_a_name_is_the_number_that_is_shown(turn):
    assert "HAVING" in sql(BASE, turn)


def test_rows_are_sorted_by_what_they_were_chosen_by():
    said = sql("list repair no, price and hours of repairs with a price over 150", "highest first")
    assert "ORDER BY 2 DESC" in said
