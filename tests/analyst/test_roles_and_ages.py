"""Two roles of one table, how long ago, whose age, when something is due: what a workshop and a riding school ask."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from asking import Asked, ask
from small_trades import Tables
from worlds import NOW, World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_KINDS = ["hack", "private", "group"]


def _world(tables: Tables) -> World:
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def _before(dice: np.random.Generator, span: int, count: int) -> pd.Series:
    return pd.Series(pd.Timestamp(NOW.date()) - pd.to_timedelta(dice.integers(1, span, count), unit="D"))


@cache
def _workshop() -> Tables:
    """Cars whose next test is due, and jobs that one mechanic does and another one checks."""
    dice = np.random.default_rng(3)
    mech = pd.DataFrame({
        "mech_cd": ["GT", "SB", "DP"], "fname": ["Gary", "Sonia", "Dev"], "lname": ["Tomkins", "Banks", "Patel"],
    })  # fmt: skip
    cars = pd.DataFrame({
        "car_id": range(801, 841), "make": dice.choice(["Ford", "Nissan"], 40), "yr": dice.permutation(range(1980, 2020)),
    })  # fmt: skip
    cars["mot_due"] = pd.Timestamp(NOW.date()) + pd.to_timedelta(dice.integers(-40, 300, 40), unit="D")
    jobs = pd.DataFrame({
        "job_no": range(1, 201), "car_id": dice.integers(801, 841, 200), "in_dt": _before(dice, 300, 200),
        "done_by": dice.choice(["GT", "SB", "DP"], 200), "chk_by": dice.choice(["GT", "SB", "DP"], 200),
        "stat": dice.choice(["open", "done"], 200), "est_amt": dice.integers(50, 300, 200),
        "inv_amt": dice.integers(50, 300, 200),
    })  # fmt: skip
    return {"mech": mech, "cars": cars, "job": jobs}


@cache
def _stables() -> Tables:
    """Horses that know the year of their birth and whose they are, and what is spent on them; riders have a birthday."""
    dice = np.random.default_rng(4)
    riders = pd.DataFrame({
        "rider_id": range(401, 461), "first_nm": [f"Ann{'abcdefghij'[n % 10] * (n // 10 + 1)}" for n in range(60)],
        "last_nm": [f"Reed{'klmnopqrst'[n % 10] * (n // 10 + 1)}" for n in range(60)],
        "dob": _before(dice, 18000, 60), "town": dice.choice(["Kendal", "Cartmel"], 60),
    })  # fmt: skip
    horses = pd.DataFrame({
        "horse_id": [f"H{n:02d}" for n in range(20)], "name": [f"Bay {'abcdefghijklmnopqrst'[n] * 3}" for n in range(20)],
        "yob": dice.permutation(range(1995, 2015)), "owner_id": [401, 401, 402, 403, 404] * 2 + [None] * 10,
    })  # fmt: skip
    care = pd.DataFrame({
        "care_id": range(1, 201), "horse_id": [f"H{n:02d}" for n in dice.integers(0, 20, 200)],
        "dt": _before(dice, 500, 200), "cost": dice.integers(20, 90, 200), "provider": dice.choice(["own", "Tyson"], 200),
    })  # fmt: skip
    lessons = pd.DataFrame({
        "les_id": range(1, 201), "rider_id": dice.integers(401, 461, 200), "dt": _before(dice, 300, 200),
        "horse_id": [f"H{n:02d}" for n in dice.integers(0, 20, 200)], "kind": dice.choice(_KINDS, 200),
    })  # fmt: skip
    return {"rider": riders, "horse": horses, "care": care, "lesson": lessons}


@cache
def _at(name: str) -> World:
    return _world({"workshop": _workshop, "stables": _stables}[name]())


def _asked(name: str, question: str) -> Asked:
    return ask(_at(name), question)


def _first(asked: Asked) -> list[object]:
    return [row[0] for row in asked.rows()] if asked.table is not None else []


@pytest.mark.parametrize(
    ("question", "column"),
    [("jobs checked by gary", "chk_by"), ("how many jobs did gary check", "chk_by"), ("jobs done by gary", "done_by")],
)
def test_the_verb_says_in_which_role(question: str, column: str) -> None:
    assert _first(_asked("workshop", question)) == [int((_workshop()["job"][column] == "GT").sum())]


@pytest.mark.parametrize(
    ("question", "days"),
    [("jobs older than 30 days", 30), ("jobs more than 2 weeks old", 14), ("jobs that came in over 90 days ago", 90)],
)
def test_how_long_ago_is_before_that_day(question: str, days: int) -> None:
    jobs = _workshop()["job"]
    expected = int((jobs.in_dt < pd.Timestamp(NOW.date()) - pd.Timedelta(days, "D")).sum())
    assert _first(_asked("workshop", question)) == [expected]


def test_what_came_in_is_not_what_will_be_due() -> None:
    asked = _asked("workshop", "how many cars came in last month")
    assert asked.table is None or "mot_due" not in asked.sql


def test_what_will_be_due_says_nothing_of_age() -> None:
    cars = _workshop()["cars"]
    assert _first(_asked("workshop", "oldest car")) == [int(cars.loc[cars.yr.idxmin(), "car_id"])]


def test_takings_are_what_was_billed() -> None:
    assert _first(_asked("workshop", "total revenue")) == [int(_workshop()["job"].inv_amt.sum())]


def test_a_denied_verb_is_not_affirmed() -> None:
    assert _asked("workshop", "cars that havent been in for over a year").table is None


def test_the_age_of_horses_is_not_that_of_their_riders() -> None:
    asked = _asked("stables", "how old is bay aaa")
    horse = _stables()["horse"].set_index("name").loc["Bay aaa"]
    assert asked.rows()[0][-1] == NOW.year - horse.yob


def test_who_owns_is_who_a_column_calls_owner() -> None:
    owned = _stables()["horse"].groupby("owner_id").size()
    found = {row[0] for row in _asked("stables", "who owns more than one horse").rows()}
    assert found == {int(owner) for owner in owned[owned > 1].index}


@pytest.mark.parametrize("tail", ["", " so far", " in total"])
def test_more_than_any_single_bill_is_their_total(tail: str) -> None:
    spent = _stables()["care"].merge(_stables()["horse"], on="horse_id").groupby("name").cost.sum()
    found = _first(_asked("stables", f"horses that cost more than 500{tail}"))
    assert set(found) == set(spent[spent > 500].index)


@pytest.mark.parametrize("order", ["most expensive first", "heaviest first", "priciest first"])
def test_first_at_the_end_is_an_order_of_all(order: str) -> None:
    spent = _stables()["care"].merge(_stables()["horse"], on="horse_id").groupby("name").cost.sum()
    rows = _asked("stables", f"care cost per horse, {order}").rows()
    assert len(rows) == len(spent)
    assert [row[1] for row in rows] == sorted(spent, reverse=True)


def test_only_at_the_end_is_nothing_else() -> None:
    lessons = _stables()["lesson"]
    kinds = lessons.groupby("rider_id").kind.agg(set)
    assert set(_first(_asked("stables", "riders who ride hacks only"))) == set(kinds[kinds == {"hack"}].index)
    assert _asked("stables", "riders from kendal who ride hacks only").table is None


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("riders who came only once", 1, 1),
        ("riders who came at least 5 times", 5, 99),
        ("riders that came back twice or more", 2, 99),
        ("riders who have been here more than 4 times", 5, 99),
    ],
)
def test_how_often_they_came_is_how_many_rows_tell_so(question: str, low: int, high: int) -> None:
    often = _stables()["lesson"].groupby("rider_id").size()
    assert set(_first(_asked("stables", question))) == set(often[often.between(low, high)].index)


@pytest.mark.parametrize(
    "question", ["riders who never came", "riders that never turned up", "riders who haven't been in"]
)
def test_who_never_came_has_no_rows(question: str) -> None:
    tables = _stables()
    assert set(_first(_asked("stables", question))) == set(tables["rider"].rider_id) - set(tables["lesson"].rider_id)
