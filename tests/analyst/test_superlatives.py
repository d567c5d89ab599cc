"""Superlatives of a quality: what is asked for is ranked by the number that the adjective means, or refused."""

from __future__ import annotations

import pandas as pd
import pytest
import worlds
from asking import ask
from small_talk import answered, rides

import svc_notebook as svc
from svc_notebook.analyst.offline.plans.plan import Plan, from_memory
from svc_notebook.analyst.offline.reading.reading import read

CASES = [
    ("which airline flies the longest routes", "airline", "distance", True, 1),
    ("which carrier flies the shortest routes", "carrier", "distance", False, 1),
    ("which airline flies the farthest", "airline", "distance", True, 1),
    ("which airline has the longest flights", "airline", "distance|air_time", True, 1),
    ("which destination is farthest from JFK", "destination", "distance", True, 1),
    ("nearest destination", "destination", "distance", False, 1),
    ("most punctual airline", "airline", "departure_delay", False, 1),
    ("which airline is the least punctual", "airline", "departure_delay", True, 1),
    ("5 most punctual airlines", "airline", "departure_delay", False, 5),
    ("which route has the longest delay", "route", "departure_delay", True, 1),
    ("busiest day", "scheduled_departure", "count", True, 1),
    ("quietest month", "scheduled_departure", "count", False, 1),
    ("hottest day", "observed_at", "max_temperature", True, 1),
    ("coldest month", "observed_at", "min_temperature", False, 1),
]


@pytest.mark.parametrize(("question", "group", "number", "descending", "limit"), CASES)
def test_what_is_asked_for_is_ranked(question: str, group: str, number: str, descending: bool, limit: int) -> None:
    plan = read(question, worlds.flights().metadata, worlds.NOW, (), 2013).plan
    assert plan is not None and plan.confidence >= 0.4
    assert [d.member.split(".")[1] for d in plan.dimensions] == [group]
    assert any(name in (plan.measures[0].member or "") for name in number.split("|"))
    assert (plan.order[0].descending, plan.limit) == (descending, limit)


@pytest.mark.parametrize(
    ("question", "grain"), [("busiest day", "day"), ("hottest day", "day"), ("coldest month", "month")]
)
def test_a_unit_right_after_a_superlative_is_that_unit(question: str, grain: str) -> None:
    plan = read(question, worlds.flights().metadata, worlds.NOW, (), 2013).plan
    assert plan is not None and plan.dimensions[0].grain == grain


def test_the_worst_of_each_group_is_its_extreme() -> None:
    plan = read("worst delay by airline", worlds.flights().metadata, worlds.NOW, (), 2013).plan
    assert plan is not None and not plan.conditions
    assert plan.measures[0].member == "flights.max_departure_delay" and plan.dimensions[0].member == "flights.airline"


@pytest.mark.parametrize("question", ["highest airport", "which airport is the highest"])
def test_rows_with_the_number_are_listed(question: str) -> None:
    plan = read(question, worlds.flights().metadata, worlds.NOW, (), 2013).plan
    assert plan is not None and plan.shape == "rows" and "airport_list.altitude" in plan.columns and plan.limit == 1


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("fastest airline", "fastest"), ("closest airport to JFK", "closest"), ("windiest airport", "windiest"),
        ("which airline should I avoid?", "avoid"),
    ],
)  # fmt: skip
def test_a_quality_without_a_number_is_refused(question: str, word: str) -> None:
    asked = ask(worlds.flights(), question)
    assert asked.table is None and f"“{word}”" in asked.answer.text


@pytest.mark.parametrize(("question", "end"), [("best airline", "lowest"), ("worst airline", "highest")])
def test_where_rows_are_late_the_best_is_the_least_late(question: str, end: str) -> None:
    assert f"has the {end} average departure delay" in ask(worlds.flights(), question).answer.text


def follow_up(*questions: str) -> Plan:
    return from_memory(ask(worlds.flights(), *questions).answer.memory["plan"])


def test_leaving_out_a_counted_kind_keeps_the_question() -> None:
    plan = follow_up("average departure delay by origin", "without cancelled flights")
    assert plan.measures[0].member == "flights.avg_departure_delay"
    [condition] = plan.conditions  # of the status, or of the flag that says the same
    assert (condition.operator, condition.values) in {("not in", ("cancelled",)), ("false", ())}


@pytest.mark.parametrize("words", ["and the arrival delay", "and also arrival delay", "add the arrival delay"])
def test_a_number_named_beside_a_measure_is_measured(words: str) -> None:
    plan = follow_up("average departure delay by origin", words)
    assert len(plan.measures) == 2 and "arrival_delay" in (plan.measures[1].member or "")
    assert [d.member for d in plan.dimensions] == ["flights.origin"]


@pytest.mark.parametrize("question", ["top 2 members by visits", "bottom 2 members by visits"])
def test_what_is_ranked_by_its_rows_is_no_ranking_of_the_rows(question: str) -> None:
    """Each visit has one member: members for each visit are no answer."""
    members = pd.DataFrame({"member_id": [1, 2, 3], "full_name": ["Ana", "Ben", "Cleo"]})
    visits = pd.DataFrame({"visit_id": range(10, 19), "member_id": [1, 1, 1, 1, 2, 2, 3, 3, 3], "minutes": range(9)})
    with svc.embedded({"members": members, "visits": visits}) as client:
        chat = client.chat()
        answer = chat.ask(question)
        if answer.choices:  # a reading that no plan says can be offered, and taken
            answer = chat.ask("the first")
        ranked = {"top": [4, 3], "bottom": [2, 3]}[question.split()[0]]
        assert answer.df is not None, answer.text
        assert answer.df.iloc[:, -1].tolist() == ranked, answer.sql


def months() -> pd.DataFrame:
    return rides().assign(month=lambda known: pd.to_datetime(known.ridden_on).dt.to_period("M").dt.to_timestamp())


@pytest.mark.parametrize(
    ("question", "few"),
    [("top 2 lifts by total price in each month", 2), ("which lift had the highest total price each month", 1),
     ("top 2 lifts by total price per month", 2)],
)  # fmt: skip
def test_the_first_few_within_each_period(question: str, few: int) -> None:
    sums = months().groupby(["month", "lift"]).price.sum().reset_index()
    wanted = sums.sort_values("price", ascending=False).groupby("month").head(few)
    _, rows = answered(question)
    assert rows is not None
    assert sorted((str(row[0])[:7], row[1]) for row in rows) == sorted(
        (str(month)[:7], lift) for month, lift in zip(wanted.month, wanted.lift, strict=True)
    )


@pytest.mark.parametrize(
    ("question", "by"),
    [("monthly total price of the top 2 lifts", "month"), ("top 2 lifts by total price by pass kind", "pass_kind")],
)
def test_the_first_few_are_taken_before_others_divide_them(question: str, by: str) -> None:
    known = months()
    wanted = (
        known[known.lift.isin(known.groupby("lift").price.sum().nlargest(2).index)].groupby([by, "lift"]).price.sum()
    )
    text, rows = answered(question)
    assert rows is not None and "lift is one of the first 2 by" in text
    assert sorted(round(row[-1], 2) for row in rows) == sorted(wanted.round(2).tolist())


@pytest.mark.parametrize(
    "question",
    ["lifts whose average price is above the overall average", "which lifts have an average price above the average",
     "lifts whose average price is above average"],
)  # fmt: skip
def test_averages_of_groups_are_compared_with_that_of_all(question: str) -> None:
    known = rides()
    wanted = known.groupby("lift").price.mean()
    _, rows = answered(question)
    assert rows is not None and [row[0] for row in rows] == sorted(wanted[wanted > known.price.mean()].index)
