"""Plain queries that were asked for in words of their own: by a verb, a unit, a difference, an order, or an age."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


@cache
def tables() -> dict[str, pd.DataFrame]:
    """Vans and movers, and the jobs that they did for customers."""
    dice, count = np.random.default_rng(5), 200
    vans = pd.DataFrame({
        "van_id": range(1, 6), "van_name": ["Bertha", "Tiny", "Goliath", "Whale", "Sprint"],
        "payload_kg": [900, 1200, 3500, 1500, 1200], "built_year": [2010, 2014, 2019, 2021, 2008],
    })  # fmt: skip
    movers = pd.DataFrame({
        "mover_id": range(1, 6), "mover_name": ["Ada Ash", "Ben Birk", "Cleo Crane", "Dov Dole", "Esme Eddy"],
        "born_on": [date(1980, 3, 1), date(1991, 12, 24), date(1975, 7, 2), date(1999, 1, 31), date(1988, 10, 10)],
        "hourly_rate": [14.0, 12.5, 18.0, 15.5, 14.0],
    })  # fmt: skip
    customers = pd.DataFrame({
        "customer_id": range(1, 13), "customer_name": [f"{n} Frost" for n in "Fin Gwen Hal Iris Jude Kit Lena Milo Nora Omar Pia Rhys".split()],
        "town": ["Lynton", "Porlock", "Minehead"] * 4,
    })  # fmt: skip
    quoted = dice.integers(150, 900, count)
    jobs = pd.DataFrame({
        "job_id": range(1, count + 1), "customer_id": dice.integers(1, 13, count), "van_id": dice.integers(1, 6, count),
        "mover_id": dice.integers(1, 6, count), "job_date": pd.Timestamp("2023-03-01") + pd.to_timedelta(dice.integers(0, 600, count), unit="D"),
        "hours": np.round(dice.uniform(1, 11, count), 1), "miles": dice.integers(2, 200, count),
        "load_kg": dice.integers(80, 900, count), "quoted": quoted, "paid": quoted - dice.integers(0, 90, count),
    })  # fmt: skip
    exams = pd.DataFrame({
        "exam_id": range(1, 31), "mover_id": dice.integers(1, 6, 30), "score": dice.integers(20, 100, 30),
        "taken_on": pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 600, 30), unit="D"),
    })  # fmt: skip
    return {"vans": vans, "movers": movers, "customers": customers, "jobs": jobs, "exams": exams}


@cache
def done() -> pd.DataFrame:
    held = tables()
    return held["jobs"].merge(held["vans"]).merge(held["movers"]).merge(held["customers"])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(tables()) as opened:
        yield opened


def rows(client: Any, question: str) -> list[list[Any]]:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    found = answer.result.load_all()
    return [[v.item() if hasattr(v, "item") else v for v in row] for row in found.itertuples(index=False)]


def pairs(client: Any, question: str) -> dict[str, float]:
    return {str(row[0]): round(float(row[-1]), 2) for row in rows(client, question)}


def by(key: str, number: pd.Series) -> dict[str, float]:
    return {str(k): round(float(v), 2) for k, v in number.groupby(done()[key]).sum().items()}


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("difference between quoted and paid per customer", "customer_name"),
        ("what's the gap between what we quoted and what got paid for each town?", "town"),
        ("quoted minus paid by van", "van_name"),
    ],
)
def test_a_difference_is_that_of_sums(client: Any, question: str, key: str) -> None:
    assert pairs(client, question) == by(key, done().quoted - done().paid)


def test_the_largest_difference(client: Any) -> None:
    wanted = by("town", done().quoted - done().paid)
    found = pairs(client, "which town has the biggest gap between quoted and paid?")
    assert found == dict([max(wanted.items(), key=lambda one: one[1])])


@pytest.mark.parametrize("question", ["how old is Ben Birk?", "what's the age of Ben Birk?"])
def test_how_old_somebody_is_goes_by_when_they_were_born(client: Any, question: str) -> None:
    today = datetime.now(UTC).date()
    age = today.year - 1991 - ((today.month, today.day) < (12, 24))
    assert rows(client, question) == [["Ben Birk", age]]


def test_how_old_a_thing_is_goes_by_the_year_it_was_built(client: Any) -> None:
    assert rows(client, "how old is Goliath?") == [["Goliath", datetime.now(UTC).year - 2019]]


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("towns, busiest first", "town"),
        ("show me the vans from busiest to quietest", "van_name"),
        ("vans by number of jobs, busiest first", "van_name"),
    ],
)
def test_the_busiest_has_most_of_what_happens(client: Any, question: str, key: str) -> None:
    found = rows(client, question)
    assert {row[0]: row[1] for row in found} == done()[key].value_counts().to_dict()
    assert [row[1] for row in found] == sorted((row[1] for row in found), reverse=True)


@pytest.mark.parametrize(
    ("question", "key", "number"),
    [
        ("which van clocked up the most miles", "van_name", "miles"),
        ("who put in the most hours", "mover_name", "hours"),
        ("which town spends the most", "town", "paid"),
        ("who spends the most", "customer_name", "paid"),
    ],
)
def test_a_verb_that_nothing_is_called_by_asks_for_the_number_behind_it(
    client: Any, question: str, key: str, number: str
) -> None:
    wanted = by(key, done()[number])
    assert pairs(client, question) == dict([max(wanted.items(), key=lambda one: one[1])])


def test_what_was_lost_is_no_sum_of_all(client: Any) -> None:
    answer = client.chat().ask("which van lost the most miles")
    assert answer.result is None or "lost" in answer.text


def test_a_unit_stands_for_what_is_kept_in_it(client: Any) -> None:
    of_goliath = done()[(done().van_name == "Goliath") & (done().job_date.dt.year == 2024)]
    assert rows(client, "how many kilos did Goliath carry in 2024?") == [[of_goliath.load_kg.sum()]]


def test_how_much_more_money_one_brought_in(client: Any) -> None:
    both = done()[done().van_name.isin(["Goliath", "Tiny"])]
    found = pairs(client, "how much more did Goliath bring in than Tiny?")
    assert found == {k: float(v) for k, v in both.groupby("van_name").paid.sum().items()}


def test_a_column_with_a_like_stem_takes_no_word_of_money_away(client: Any) -> None:
    """``taken_on`` is no takings, and says nothing of revenue."""
    assert pairs(client, "revenue by town") == by("town", done().paid)


@pytest.mark.parametrize(
    "question",
    ["could you pull up average hours per van", "would you mind showing me average hours per van"],
)
def test_a_wish_in_a_roundabout_way_is_one_to_be_shown_something(client: Any, question: str) -> None:
    wanted = done().groupby("van_name").hours.mean().round(2).to_dict()
    assert pairs(client, question) == wanted


@cache
def lessons() -> dict[str, pd.DataFrame]:
    """Tables of a school whose columns and codes are written short."""
    dice, count = np.random.default_rng(9), 160
    pup = pd.DataFrame({
        "pup_no": range(1, 21), "nm": [f"{n} Kahl" for n in "Ann Bea Cid Dan Eva Flo Gil Hua Ivo Jan Kim Lea Max Nia Oda Pim Ron Sue Tim Uwe".split()],
        "pkg": ["plus", "basic"] * 10, "stat": ["act", "done", "quit", "act"] * 5,
    })  # fmt: skip
    les = pd.DataFrame({
        "les_no": range(1, count + 1), "pup_no": dice.integers(1, 21, count), "km": dice.integers(5, 60, count),
        "dt": pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 360, count), unit="D"),
        "stat": dice.choice(["done", "done", "done", "cxl", "noshow"], count), "rush": dice.integers(0, 2, count) > 0,
        "price": np.round(dice.uniform(20, 90, count), 2),
    })  # fmt: skip
    return {"pup": pup, "les": les}


@pytest.fixture(scope="module")
def school() -> Iterator[Any]:
    with svc.embedded(lessons()) as opened:
        yield opened


def test_a_word_may_be_said_of_a_code(school: Any) -> None:
    assert rows(school, "how many pupils are active?") == [[(lessons()["pup"].stat == "act").sum()]]


def test_a_value_that_is_written_as_one_word_denies_nothing(school: Any) -> None:
    held = lessons()["les"]
    months = held[held.stat == "noshow"].dt.dt.month.value_counts()
    found = rows(school, "no shows per month in 2024")
    assert {row[0].month: row[1] for row in found if row[1]} == months.to_dict()


def test_the_most_of_a_measure_is_the_highest_total(school: Any) -> None:
    of_each = lessons()["les"].merge(lessons()["pup"], on="pup_no").groupby("nm").km.sum().sort_values(ascending=False)
    found = rows(school, "the 3 pupils with the most km")
    assert [row[:2] for row in found] == [[name, km] for name, km in of_each.head(3).items()]


def test_what_adds_up_is_a_running_total_of_all(school: Any) -> None:
    held = lessons()["les"]
    wanted = held.groupby(held.dt.dt.month).km.sum().cumsum().to_list()
    assert [row[-1] for row in rows(school, "km per month in 2024, adding up")] == wanted
    assert [row[-1] for row in rows(school, "running total of km by month in 2024")] == wanted


def test_best_by_what_was_taken_is_the_highest(school: Any) -> None:
    of_each = lessons()["les"].merge(lessons()["pup"], on="pup_no").groupby("nm").price.sum()
    found = rows(school, "3 best pupils by turnover")
    assert [row[0] for row in found] == list(of_each.sort_values(ascending=False).head(3).index)


def test_turnover_beside_a_count_is_that_of_each_group(school: Any) -> None:
    held = lessons()["les"]
    found = {row[0]: row[1:] for row in rows(school, "turnover and number of lessons by stat")}
    wanted = {k: [round(float(g.price.sum()), 2), len(g)] for k, g in held.groupby("stat")}
    assert {k: [round(v[0], 2), v[1]] for k, v in found.items()} == wanted


def test_a_rate_of_each_is_that_of_its_own_rows_the_worst_first(client: Any, school: Any) -> None:
    held = lessons()["les"].merge(lessons()["pup"], on="pup_no")
    wanted = {k: round(float((g.stat_x == "noshow").mean()), 4) for k, g in held.groupby("pkg")}
    found = rows(school, "noshow rate of each pkg, the worst one first")
    assert {row[0]: round(row[-1], 4) for row in found} == wanted
    assert [row[-1] for row in found] == sorted((row[-1] for row in found), reverse=True)


def test_the_ordinary_ones_are_those_that_are_not_so(school: Any) -> None:
    wanted = lessons()["les"].groupby("rush").price.mean().round(2).to_dict()
    found = rows(school, "average price, rush against normal")
    assert {row[0]: round(row[1], 2) for row in found} == wanted


def test_those_above_the_average_of_their_like_are_counted_where_that_is_asked() -> None:
    prices = [4.0, 6.0, 11.0, 50.0, 60.0, 90.0]
    prints = pd.DataFrame({"print_no": range(11, 17), "print_type": ["flyer"] * 3 + ["poster"] * 3, "price": prices})
    with svc.embedded({"prints": prints}) as client:
        assert rows(client, "how many poster prints cost more than the average poster print?") == [[1]]


def test_whether_one_thing_is_so_is_its_own_column() -> None:
    ships = pd.DataFrame({
        "ship_id": [1, 2, 3], "ship_name": ["Tern", "Kelpie", "Auk"], "in_service": [True, False, True],
    })  # fmt: skip
    with svc.embedded({"ships": ships}) as client:
        assert rows(client, "is the Kelpie still in service?") == [["Kelpie", False]]
        assert rows(client, "is the Auk in service") == [["Auk", True]]


def test_what_rows_cost_is_their_total() -> None:
    repairs = pd.DataFrame({
        "repair_id": range(1, 7), "cost": [10.0, 20.0, 5.0, 7.5, 1.0, 2.0],
        "repaired_on": pd.to_datetime(["2024-01-03", "2024-02-03", "2024-03-03", "2024-05-01", "2024-05-02", "2024-06-01"]),
    })  # fmt: skip
    with svc.embedded({"repairs": repairs}) as client:
        assert rows(client, "what did repairs cost us in 2024?") == [[45.5]]
        assert str(rows(client, "up to what day do we have repairs?")[0][0])[:10] == "2024-06-01"


def test_what_was_taken_each_month_is_money(client: Any) -> None:
    held = tables()["jobs"]
    wanted = held[held.job_date.dt.year == 2024].groupby(held.job_date.dt.month).paid.sum().to_list()
    assert [row[1] for row in rows(client, "what did we take each month in 2024?")] == wanted
