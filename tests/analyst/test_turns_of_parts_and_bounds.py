"""What a turn takes over from the answer before it: the unit of a bound, the whole of a share, the rows that are told apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc


@cache
def laundry() -> dict[str, pd.DataFrame]:
    """Washes of a laundry, in machines that have a name, for guests from towns; some were stopped, some were spun."""
    dice = np.random.default_rng(23)
    machines = pd.DataFrame(
        {"machine_id": range(1, 7), "machine_name": ["Otter", "Heron", "Badger", "Lynx", "Stoat", "Crane"]}
    )
    guests = pd.DataFrame(
        {"guest_id": range(1, 81), "town": dice.choice(["Ayr", "Bray", "Cork"], 80, p=[0.5, 0.3, 0.2])}
    )
    washes = pd.DataFrame({
        "wash_id": range(1, 1501), "machine_id": dice.choice(range(1, 6), 1500), "guest_id": dice.integers(1, 81, 1500),
        "started_at": pd.Timestamp("2023-01-01") + pd.to_timedelta(dice.integers(0, 730 * 24 * 60, 1500), "min"),
        "duration_seconds": dice.integers(5, 5400, 1500), "load_kg": dice.integers(1, 12, 1500),
        "programme": dice.choice(["cotton", "wool", "silk"], 1500, p=[0.6, 0.3, 0.1]),
        "stopped": dice.random(1500) < 0.1, "spun": dice.random(1500) < 0.7,
    })  # fmt: skip
    return {"machines": machines, "guests": guests, "washes": washes}


@cache
def joined() -> pd.DataFrame:
    tables = laundry()
    return tables["washes"].merge(tables["machines"]).merge(tables["guests"])


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with svc.embedded(laundry()) as app:
        yield app


def last(app: Any, *turns: str) -> Any:
    chat = app.chat()
    return [chat.ask(turn) for turn in turns][-1]


def number(answer: Any) -> float:
    assert answer.sql, answer.text
    return float(answer.df.iloc[0, -1])


@pytest.mark.parametrize(
    ("turns", "so"),
    [
        (["how many washes took longer than 20 minutes?", "and longer than 45?"], "duration_seconds > 2700"),
        (["how many washes took longer than 20 minutes?", "what about 45?"], "duration_seconds > 2700"),
        (["how many washes took less than half an hour?", "and less than 45 minutes?"], "duration_seconds < 2700"),
        (["washes longer than 1 hour", "only those in Otter", "more than 1.25?"], "duration_seconds > 4500 and machine_name == 'Otter'"),
        (["how many washes took longer than 20 minutes?", "longer than 45?", "and 60?"], "duration_seconds > 3600"),
        (["how many washes took longer than 20 minutes?", "and longer than 90 seconds?"], "duration_seconds > 90"),
    ],
)  # fmt: skip
def test_a_bound_without_a_unit_is_in_that_of_the_last(opened: Any, turns: list[str], so: str) -> None:
    assert number(last(opened, *turns)) == len(joined().query(so))


def test_a_count_has_no_unit(opened: Any) -> None:
    asked = last(
        opened, "how many washes took longer than 20 minutes per machine?", "the machines with more than 230 washes",
        "more than 240?",
    )  # fmt: skip
    assert not asked.sql or "14400" not in asked.sql


def rates(frame: pd.DataFrame, by: str, so: pd.Series) -> pd.Series:
    return so.groupby(frame[by]).mean()


def test_one_of_the_shares_is_of_the_whole(opened: Any) -> None:
    washes = joined()
    wanted = (washes.programme == "wool").mean()
    for turn in ("just wool", "only wool", "and wool?"):
        found = number(last(opened, "washes by programme", "as a share", turn))
        assert found / 100 == pytest.approx(wanted), turn
    silk = (washes.programme == "silk").mean()
    assert number(last(opened, "washes by programme", "as a share", "just wool", "and silk?")) / 100 == pytest.approx(
        silk
    )
    amount = washes.load_kg[washes.programme == "wool"].sum() / washes.load_kg.sum()
    assert number(last(opened, "total load by programme", "as a share", "just wool")) / 100 == pytest.approx(amount)


@pytest.mark.parametrize("turn", ["what share is wool?", "and what percentage does wool have?", "what share was wool"])
def test_the_share_of_one_is_of_those_that_were_shown(opened: Any, turn: str) -> None:
    washes = joined().query("started_at.dt.year == 2024 and programme != 'silk'")
    found = number(last(opened, "total load by programme in 2024", "without silk", turn))
    assert found / 100 == pytest.approx(washes.load_kg[washes.programme == "wool"].sum() / washes.load_kg.sum())


def test_shares_of_two_years_are_each_of_their_own(opened: Any) -> None:
    turns = ["washes by programme in 2024", "as a share", "compare with last year"]
    found = last(opened, *turns).df
    assert found.groupby(found.columns[0])[found.columns[-1]].sum().round(6).tolist() == [1.0, 1.0]
    one = last(opened, *turns, "just wool").df
    washes = joined()
    wanted = (washes.programme == "wool").groupby(washes.started_at.dt.year).mean()
    assert sorted(one.iloc[:, -1] / 100) == pytest.approx(sorted(wanted))


@pytest.mark.parametrize(
    ("turns", "part"),
    [
        (["how many washes are there?", "how many of them are wool?", "as a percentage", "and silk?"], "programme == 'silk'"),
        (["share of wool washes", "and silk?"], "programme == 'silk'"),
        (["how many washes were stopped?", "what share is that?", "and spun?"], "spun"),
    ],
)  # fmt: skip
def test_another_part_is_of_the_same_whole(opened: Any, turns: list[str], part: str) -> None:
    found = number(last(opened, *turns))
    assert (found / 100 if found > 1 else found) == pytest.approx(joined().eval(part).mean())


def test_a_share_within_some_rows_stays_one_of_the_same_part(opened: Any) -> None:
    washes = joined().query("programme == 'wool'")
    found = number(last(opened, "how many washes were stopped?", "what share is that?", "for wool"))
    assert found / 100 == pytest.approx(washes.stopped.mean())


def test_a_share_is_of_what_was_counted_before(opened: Any) -> None:
    washes = joined().query("started_at.dt.year == 2024 and programme != 'silk'")
    turns = [
        "how many washes in 2024?",
        "by programme",
        "without silk",
        "how many of them were stopped?",
        "what share is that?",
    ]
    assert number(last(opened, *turns)) / 100 == pytest.approx(washes.stopped.mean())
    turns = ["how many washes were stopped?", "in 2024?", "what share is that?"]
    assert number(last(opened, *turns)) / 100 == pytest.approx(
        joined().query("started_at.dt.year == 2024").stopped.mean()
    )


def test_how_many_is_no_share(opened: Any) -> None:
    found = last(opened, "washes by programme", "as a share", "only Ayr", "how many per machine?").df
    wanted = joined().query("town == 'Ayr'").machine_name.value_counts()
    assert dict(zip(found.iloc[:, 0], found.iloc[:, -1], strict=True)) == wanted.to_dict()


def test_the_busiest_is_one_of_those_that_were_shown(opened: Any) -> None:
    days = joined().query("programme == 'wool'").started_at.dt.day_of_week + 1
    for turns in (
        ["as a share", "which weekday is the busiest?"],
        ["which day is the busiest?"],
        ["which day has the most?"],
    ):
        asked = last(opened, "washes by weekday", "only wool", *turns)
        assert "wool" in (asked.sql or "") and int(asked.df.iloc[0, 0]) == days.value_counts().idxmax(), turns


@pytest.mark.parametrize("turn", ["only above 12%", "more than 12 percent", "above 12 %"])
def test_a_bound_in_percent_is_on_the_share(opened: Any, turn: str) -> None:
    washes = joined()
    shares = rates(washes, "machine_name", washes.stopped)
    found = last(opened, "what share of washes was stopped?", "by machine", turn)
    assert sorted(found.df.iloc[:, 0]) == sorted(shares.index[shares > 0.12])


@pytest.mark.parametrize("turn", ["which machines?", "and which machine?", "in which machines?"])
def test_which_ones_are_of_the_rows_that_were_counted(opened: Any, turn: str) -> None:
    found = last(opened, "how many washes were stopped?", turn).df
    wanted = joined().query("stopped").machine_name.value_counts()
    assert dict(zip(found.iloc[:, 0], found.iloc[:, -1], strict=True)) == wanted.to_dict()


def test_which_ones_behind_the_first_of_some_are_theirs(opened: Any) -> None:
    top = joined().machine_name.value_counts().idxmax()
    found = last(opened, "which machine has the most washes?", "which towns?").df
    wanted = joined().query(f"machine_name == {top!r}").town.value_counts()
    assert dict(zip(found.iloc[:, 0], found.iloc[:, -1], strict=True)) == wanted.to_dict()


def test_what_runs_up_does_so_within_its_year(opened: Any) -> None:
    found = last(opened, "washes by month in 2024", "compare with last year", "cumulative").df
    washes = joined()
    wanted = washes.started_at.dt.year.value_counts()
    assert sorted(found.groupby(found.columns[1])[found.columns[-1]].max()) == sorted(wanted)
