"""Lists and lookups: the rows that are meant, every column that is asked for, in the order that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc

_NAMES = ["Ada Orr", "Ben Pask", "Cleo Quin", "Dan Reed", "Eve Shaw", "Finn Tull", "Gwen Uren", "Hal Vale"]
_KITES = [
    "Swift",
    "Heron",
    "Comet",
    "Ember",
    "Gale",
    "Ivory",
    "Jester",
    "Larkspur",
    "Mistral",
    "Nimbus",
    "Opal",
    "Puck",
]


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    """Kite makers, their kites, and the pegs of a field; what is drawn is the same every time."""
    dice = np.random.default_rng(8)
    makers = pd.DataFrame({
        "maker_id": range(1, 9), "maker_name": _NAMES, "village": ["Cley", "Thorpe", "Wells", "Cley"] * 2,
        "grade": ["associate", "full", "full", "student"] * 2, "phone": [f"0{n}55 1234" for n in range(8)],
        "joined_on": pd.Timestamp("2015-03-01") + pd.to_timedelta(dice.choice(2000, 8, replace=False), "D"),
    })  # fmt: skip
    kites = pd.DataFrame({
        "kite_id": range(1, 13), "kite_name": _KITES, "maker_id": [1, 2, 3, 4, 5, 6] * 2,
        "frame": ["wood", "carbon", "wood", "glass"] * 3, "weight_kg": np.round(dice.permutation(12) * 0.3 + 0.4, 1),
        "duration_min": dice.permutation(12) * 15 + 30, "price": dice.permutation(12) * 11.0 + 40,
        "insured": [True, False, True] * 4,
    })  # fmt: skip
    pegs = pd.DataFrame({
        "peg_no": range(1, 21), "side": ["north", "south", "east", "west"] * 5, "yearly_fee": dice.permutation(20) * 7 + 30,
        "has_light": ["yes", "no"] * 10, "has_water": ["yes", "yes", "no", "no"] * 5,
    })  # fmt: skip
    return {"makers": makers, "kites": kites, "pegs": pegs}


@pytest.fixture(scope="module")
def demo() -> Iterator[Any]:
    with svc.demo() as opened:
        yield opened


@pytest.fixture(scope="module")
def client(tables: dict[str, pd.DataFrame], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = Path(tmp_path_factory.mktemp("kites"))
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    with svc.embedded(str(folder)) as opened:
        yield opened


def _rows(client: Any, question: str) -> pd.DataFrame:
    answer = client.chat().ask(question)
    assert answer.result is not None, (question, answer.text)
    return pd.DataFrame(answer.result.load_all())


@pytest.mark.parametrize(
    ("question", "columns"),
    [("wooden kites with their price and maker", ["kite_name", "price", "maker_name"]),
     ("makers from Cley with grade and phone number", ["maker_name", "grade", "phone"]),
     ("list the insured kites with smell, frame and weight", None),
     ("names, villages and phone numbers of the full makers", ["maker_name", "village", "phone"]),
     ("full makers and when they joined", ["maker_name", "joined_on"]),
     ("wooden kites and what they weigh", ["kite_name", "weight_kg"]),
     ("makers with their village and number of kites", ["maker_name", "village", "count"]),
     ("hi, could you pull up the phone numbers of the student makers please", ["maker_name", "phone"])],
)  # fmt: skip
def test_every_column_asked_for_is_shown(client: Any, question: str, columns: list[str] | None) -> None:
    if columns is None:
        assert client.chat().ask(question).outcome in ("refused", "asked_back")
        return
    shown = _rows(client, question).columns
    assert set(columns) <= set(shown)
    assert len(shown) <= len(columns) + 1


@pytest.mark.parametrize(
    ("question", "column", "down"),
    [("kites, heaviest first", "weight_kg", True), ("kites, cheapest first", "price", False),
     ("pegs, dearest first", "yearly_fee", True), ("pegs on the north side, lowest fee first", "yearly_fee", False),
     ("list makers by joining date, newest first", "joined_on", True), ("kites from heaviest to lightest", "weight_kg", True),
     ("show the insured kites sorted by price", "price", False), ("makers in alphabetical order", "maker_name", False),
     ("wooden kites by price, highest first", "price", True)],
)  # fmt: skip
def test_rows_stand_in_their_order(client: Any, question: str, column: str, down: bool) -> None:
    values = _rows(client, question)[column]
    assert len(values) > 1
    assert values.is_monotonic_decreasing if down else values.is_monotonic_increasing


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("makers from Cley or Wells", lambda m: m.village.isin(["Cley", "Wells"])),
     ("makers from neither Cley nor Wells", lambda m: ~m.village.isin(["Cley", "Wells"])),
     ("all makers except those from Thorpe", lambda m: m.village != "Thorpe"),
     ("Associate makers", lambda m: m.grade == "associate"),
     ("makers who live in cley", lambda m: m.village == "Cley"),
     ("student makers from Cley", lambda m: (m.grade == "student") & (m.village == "Cley"))],
)  # fmt: skip
def test_things_with_names_are_named(client: Any, tables: Any, question: str, wanted: Any) -> None:
    makers = tables["makers"]
    assert sorted(_rows(client, question)["maker_name"]) == sorted(makers[wanted(makers)].maker_name)


def test_keys_stand_for_what_has_no_name(client: Any, tables: Any) -> None:
    pegs = tables["pegs"]
    lit = pegs[(pegs.has_light == "yes") & (pegs.has_water == "no")]
    assert sorted(_rows(client, "pegs with light but no water")["peg_no"]) == sorted(lit.peg_no)


@pytest.mark.parametrize(
    ("question", "column", "value"),
    [("when did Eve Shaw join", "joined_on", None), ("where does Eve Shaw live", "village", "Cley"),
     ("what is the phone number of Hal Vale", "phone", "0755 1234"), ("what's hal vale's phone", "phone", "0755 1234"),
     ("how heavy is Comet", "weight_kg", None), ("how many minutes is Comet", "duration_min", None)],
)  # fmt: skip
def test_one_row_is_looked_up(client: Any, question: str, column: str, value: Any) -> None:
    found = _rows(client, question)
    assert len(found) == 1
    assert value is None or found[column].iloc[0] == value


def test_half_an_hour_more_is_said_in_minutes(client: Any, tables: Any) -> None:
    kites = tables["kites"]
    wanted = kites[kites.duration_min > 90].kite_name
    assert sorted(_rows(client, "which kites run longer than an hour and a half")["kite_name"]) == sorted(wanted)


def test_what_happened_is_counted_and_not_named(client: Any) -> None:
    """Rows that are dated and have no name of their own stay a number, where nobody asks to see them."""
    with svc.demo() as flights:
        assert len(flights.chat().ask("cancelled flights").result.load_all()) == 1


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("planes, newest first", "SELECT tail_number, year_built FROM fleet ORDER BY 2 DESC NULLS LAST"),
        ("planes with their seats, oldest first", "SELECT tail_number, seats, year_built FROM fleet ORDER BY 3"),
        ("airports with their altitude, highest first", "SELECT name, altitude FROM airport_list ORDER BY 2 DESC"),
        ("planes with more than 300 seats", "SELECT tail_number FROM fleet WHERE seats > 300"),
    ],
)
def test_rows_of_a_view_are_listed_as_those_of_a_cube(demo: Any, question: str, sql: str) -> None:
    found, wanted = demo.chat().ask(question), demo.sql(sql)
    assert found.result is not None, found.text
    shown = found.result.load_all()
    assert list(shown.columns) == list(wanted.columns) and len(shown) == len(wanted)
    last = wanted.columns[-1]
    assert (
        shown[last].tolist()[:50] == wanted[last].tolist()[:50]
        if "ORDER" in sql
        else set(shown[last]) == set(wanted[last])
    )


def test_the_latest_first_is_by_a_time(demo: Any) -> None:
    found = demo.chat().ask("list flights from LGA on 4 july 2013, latest first")
    times = found.result.load_all()["scheduled_departure"].tolist()
    assert times == sorted(times, reverse=True) and len(times) > 1
