"""Nights of those who come and go, when they came, and how old they are: none of it is a column of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


def hostel() -> dict[str, pd.DataFrame]:
    """Reservations of a hostel's beds by travellers of whom a year of birth is known."""
    dice = np.random.default_rng(53)
    travellers = pd.DataFrame({
        "traveller_id": range(1, 151), "traveller_name": [f"{a} {b}" for a in ("Ada", "Bram", "Cleo") for b in range(50)],
        "home": dice.choice(["Peru", "Kenya"], 150), "birth_year": dice.integers(1945, 2006, 150),
    })  # fmt: skip
    arrival = pd.Timestamp("2024-02-01") + pd.to_timedelta(dice.integers(0, 240, 600), "D")
    reservations = pd.DataFrame({
        "reservation_id": range(1, 601), "traveller_id": dice.integers(1, 141, 600),
        "reserved_at": arrival - pd.to_timedelta(dice.integers(0, 90, 600), "D"),
        "arrival": arrival, "departure": arrival + pd.to_timedelta(dice.integers(1, 9, 600), "D"),
        "dorm": dice.choice(["north", "south"], 600), "price_per_night": dice.integers(15, 60, 600),
    })  # fmt: skip
    reservations["total_price"] = reservations.price_per_night * (reservations.departure - reservations.arrival).dt.days
    return {"travellers": travellers, "reservations": reservations}


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(hostel()) as client:
        yield client


def stays() -> pd.DataFrame:
    tables = hostel()
    rows = tables["reservations"].merge(tables["travellers"])
    return rows.assign(nights=(rows.departure - rows.arrival).dt.days)


def told(opened: Any, question: str) -> pd.DataFrame:
    return opened.chat().ask(question).df


def groups(frame: pd.DataFrame) -> dict[Any, Any]:
    return dict(zip(frame.iloc[:, 0], frame.iloc[:, -1], strict=True))


@pytest.mark.parametrize("question", ["total nights by dorm", "nights sold per dorm", "nights per dorm"])
def test_nights_add_up(opened: Any, question: str) -> None:
    assert groups(told(opened, question)) == stays().groupby("dorm").nights.sum().to_dict()


@pytest.mark.parametrize("question", ["how many nights were sold in may 2024", "total number of nights in may 2024"])
def test_nights_of_a_month_are_those_of_who_came_then(opened: Any, question: str) -> None:
    rows = stays()
    assert told(opened, question).iloc[0, 0] == rows[rows.arrival.dt.month == 5].nights.sum()


@pytest.mark.parametrize(
    "question", ["average length of stay by dorm", "average stay length by dorm", "average nights by dorm", "average number of nights per reservation by dorm"],
)  # fmt: skip
def test_their_average_is_no_price(opened: Any, question: str) -> None:
    assert groups(told(opened, question)) == pytest.approx(stays().groupby("dorm").nights.mean().to_dict())


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("number of one night stays", lambda n: n == 1),
        ("how many two-night stays were there", lambda n: n == 2),
        ("how many reservations lasted 3 nights", lambda n: n == 3),
        ("how many stays longer than 5 nights", lambda n: n > 5),
        ("how many reservations of at least six nights", lambda n: n >= 6),
    ],
)
def test_so_many_nights_pick_rows(opened: Any, question: str, so: Any) -> None:
    assert told(opened, question).iloc[0, 0] == so(stays().nights).sum()


@pytest.mark.parametrize(
    ("question", "fold"),
    [
        ("average price per night by dorm", lambda rows: rows.groupby("dorm").price_per_night.mean()),
        ("price per night by dorm", lambda rows: rows.groupby("dorm").price_per_night.mean()),
        ("revenue by dorm", lambda rows: rows.groupby("dorm").total_price.sum()),
        ("total revenue per dorm", lambda rows: rows.groupby("dorm").total_price.sum()),
        ("revenue per night by dorm", lambda rows: rows.groupby("dorm").total_price.sum() / rows.groupby("dorm").nights.sum()),
    ],
)  # fmt: skip
def test_a_price_of_one_night_is_no_revenue_and_no_ratio(opened: Any, question: str, fold: Any) -> None:
    assert groups(told(opened, question)) == pytest.approx(fold(stays()).to_dict())


def test_a_year_of_birth_tells_ages(opened: Any) -> None:
    born = hostel()["travellers"].groupby("home").birth_year.mean().to_dict()
    ages = groups(told(opened, "average age of travellers by home"))
    assert {home: ages[home] + born[home] for home in born} == pytest.approx(
        dict.fromkeys(born, pd.Timestamp.now().year)
    )


@pytest.mark.parametrize(
    "question", ["how many travellers stayed with us in may 2024", "how many travellers stayed in may 2024", "number of travellers who stayed in may 2024"],
)  # fmt: skip
def test_who_stayed_then_came_then_and_was_not_born_then(opened: Any, question: str) -> None:
    rows = stays()
    assert told(opened, question).iloc[0, 0] == rows[rows.arrival.dt.month == 5].traveller_id.nunique()


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("how many travellers stayed more than twice", lambda n: n > 2),
        ("number of travellers who stayed twice", lambda n: n == 2),
        ("how many travellers reserved at least 6 times", lambda n: n >= 6),
    ],
)
def test_how_often_somebody_stayed(opened: Any, question: str, so: Any) -> None:
    often = stays().groupby("traveller_id").size()
    assert told(opened, question).iloc[0, 0] == so(often).sum()


def test_a_year_of_birth_is_asked_for_by_its_name(opened: Any) -> None:
    people = hostel()["travellers"]
    assert told(opened, "how many travellers were born in 1980").iloc[0, 0] == (people.birth_year == 1980).sum()
    assert len(told(opened, "travellers per year")) < 10
