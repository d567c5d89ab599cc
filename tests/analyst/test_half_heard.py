"""What a question says and a reading would lose: each, a denial, a second question, what is counted, and at what level."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from asking import Asked, ask
from small_trades import Tables
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

_SEASONS = ["winter", "winter", "spring", "spring", "spring", "summer"] + ["summer"] * 2 + ["autumn"] * 3 + ["winter"]


@cache
def _tables() -> Tables:
    """A boat club: boats of some kinds, members of some towns, and hires; some boats and members have none."""
    dice = np.random.default_rng(5)
    boats = pd.DataFrame({
        "boat_id": range(1, 10), "boat_name": ["Otter", "Heron", "Pike", "Swan", "Teal", "Coot", "Grebe", "Finch", "Rail"],
        "kind": ["canoe", "kayak", "kayak", "canoe", "raft", "raft", "kayak", "raft", "canoe"],
        "with_sail": dice.random(9) < 0.5, "price": dice.integers(300, 2400, 9),
    })  # fmt: skip
    members = pd.DataFrame({
        "member_id": range(101, 131), "member_name": [f"Ann {chr(65 + n % 26)}{'abc'[n // 26]}moor" for n in range(30)],
        "town": dice.choice(["Marlow", "Henley", "Goring"], 30), "level": dice.choice(["novice", "expert"], 30),
        "discount_pct": dice.choice([0, 5, 10], 30), "joined_on": pd.Timestamp("2022-01-01"),
    })  # fmt: skip
    hired = pd.Timestamp("2024-01-01") + pd.to_timedelta(dice.integers(0, 366, 400), unit="D")
    hires = pd.DataFrame({
        "hire_id": range(5001, 5401), "boat_id": dice.integers(1, 9, 400), "member_id": dice.integers(101, 128, 400),
        "hired_on": hired, "fee": dice.integers(6, 60, 400), "hours": dice.integers(1, 8, 400),
        "season": [_SEASONS[day.month - 1] for day in hired], "rating": dice.integers(1, 6, 400),
        "insured": dice.random(400) < 0.6, "state": dice.choice(["done", "done", "cancelled"], 400),
    })  # fmt: skip
    return {"boats": boats, "members": members, "hires": hires}


@cache
def _world() -> World:
    tables = _tables()
    engine = DuckDBEngine.open(None, data=tables)
    return World(SemanticLayer(load_model(scaffold_model(tables, engine=engine)), engine))


def _asked(question: str) -> Asked:
    return ask(_world(), question)


def _rows(question: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in _asked(question).rows()]


def _hires() -> pd.DataFrame:
    tables = _tables()
    return tables["hires"].merge(tables["boats"], on="boat_id").merge(tables["members"], on="member_id")


def test_two_tables_are_counted_by_themselves_and_not_in_their_join() -> None:
    assert _rows("how many boats and how many members do we have") == [(9, 30)]


@pytest.mark.parametrize(
    "question",
    [
        "per kind: number of hires, average fee, how many cancelled",
        "for each kind, number of hires, average fee and how many were cancelled",
    ],
)
def test_the_last_of_three_numbers_is_of_some_rows_alone(question: str) -> None:
    hires = _hires()
    wanted = hires.groupby("kind").agg(
        n=("fee", "size"), fee=("fee", "mean"), c=("state", lambda s: (s == "cancelled").sum())
    )
    found = {str(row[0]): (row[1], round(float(str(row[2])), 6), row[3]) for row in _rows(question)}
    assert found == {kind: (n, round(fee, 6), c) for kind, n, fee, c in wanted.itertuples()}


def test_a_number_before_what_rows_are_bounds_the_rows() -> None:
    rated = _hires()[lambda rows: rows.rating <= 2]
    assert _rows("what share of hires rated 2 or lower were insured")[0][0] == pytest.approx(rated.insured.mean())


@pytest.mark.parametrize("bound", ["at least 40 fee", "a fee over 39"])
def test_a_bound_behind_rows_is_of_each_of_them(bound: str) -> None:
    best = _hires()[lambda rows: rows.fee >= 40].groupby("member_name").fee.sum().nlargest(3)
    found = _rows(f"top 3 members by total fee of hires with {bound}")
    assert sorted(int(str(row[-1])) for row in found) == sorted(best)


def test_each_of_those_named_first_has_its_own() -> None:
    counts = _hires().groupby(["member_name", "boat_name"]).size()
    best = counts[counts == counts.groupby("member_name").transform("max")]
    found = {(str(row[0]), str(row[1])) for row in _rows("each members most frequent boat name")}
    assert found == set(best.index)


def test_of_each_kind_the_one_that_rows_were_most_of() -> None:
    counts = _hires().groupby(["kind", "boat_id"]).size()
    best = counts[counts == counts.groupby("kind").transform("max")]
    assert {(str(row[0]), int(str(row[1]))) for row in _rows("each kinds most hired boat")} == set(best.index)


@pytest.mark.parametrize(
    "question", ["members who have hired every kind of boat", "members that have had all three kinds of boat"]
)
def test_who_had_every_kind_had_as_many_as_there_are(question: str) -> None:
    kinds = _hires().groupby("member_name").kind.nunique()
    assert {str(row[0]) for row in _rows(question)} == set(kinds[kinds == _tables()["boats"].kind.nunique()].index)


@pytest.mark.parametrize(
    "question",
    [
        "profit per hire",
        "longest hire, who had it and for whom",
    ],
)
def test_what_no_reading_holds_whole_is_not_answered(question: str) -> None:
    assert _asked(question).table is None


def test_numbers_of_several_have_their_names() -> None:
    experts = _tables()["members"][lambda rows: rows.level == "expert"]
    found = {(str(row[0]), int(str(row[1]))) for row in _rows("what discount do the experts get")}
    assert found == set(zip(experts.member_name, experts.discount_pct, strict=True))


def test_what_rows_cost_is_their_sum() -> None:
    assert (
        _rows("what did cancelled hires cost us")[-1][-1] == _hires()[lambda rows: rows.state == "cancelled"].fee.sum()
    )


def test_without_is_no_short_for_a_name_that_begins_with_with() -> None:
    boats = _tables()["boats"]
    assert _rows("average price of boats without sail")[0][0] == pytest.approx(boats[~boats.with_sail].price.mean())


def test_a_season_that_the_data_name_is_theirs() -> None:
    assert '"season" = ' in str(_asked("total fee in summer").tool["input"])


def test_the_last_of_a_list_of_columns_is_one_more() -> None:
    rows = _hires()[lambda found: (found.hired_on >= "2024-08-01") & (found.hired_on < "2024-09-01")]
    found = _rows("hires in august 2024, hire id, fee and member")
    assert {(row[0], row[-1]) for row in found} == set(zip(rows.hire_id, rows.member_name, strict=True))


def test_a_list_with_by_at_its_end_stands_in_that_order() -> None:
    found = _rows("list experts from Marlow with town and level and member name, by member name")
    names = [next(str(cell) for cell in row if "moor" in str(cell)) for row in found]
    assert names == sorted(names) and len(names) > 1
