"""What stands behind a value, what no longer is, what is most common, and joins by the name a key begins with."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import svc_notebook as svc

COUNT = 240
VANS = pd.DataFrame({
    "veh_id": range(11, 31), "plate": [f"KA-{n}" for n in range(20)], "garage": ["East", "West"] * 10,
    "in_service": ["Y"] * 17 + ["N"] * 3,
})  # fmt: skip
TRIPS = pd.DataFrame({
    "trip_no": range(COUNT), "main_veh": [11 + n % 20 for n in range(COUNT)],
    "cargo_kind": [("parcel", "pallet", "parcel", "crate")[n % 4] for n in range(COUNT)],
    "cargo_no": [f"C{n % 9}" for n in range(COUNT)], "dist_km": [5.0 + n % 13 for n in range(COUNT)],
    "complaint": [("late", "rude", "late", None, None, None, None, None)[n % 8] for n in range(COUNT)],
})  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded(data={"trips": TRIPS, "vans": VANS}) as embedded:
        yield embedded


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("median distance of pallet cargo", TRIPS[TRIPS.cargo_kind == "pallet"].dist_km.median()),
        ("how many vans are no longer in service", 3),
    ],
)
def test_one_number(client: svc.Client, question: str, answer: float) -> None:
    asked = client.chat().ask(question)
    assert asked.df is not None and asked.df.shape == (1, 1), asked.sql
    assert asked.df.iloc[0, 0] == answer


def test_the_most_common_value_is_one(client: svc.Client) -> None:
    asked = client.chat().ask("what is the most common complaint")
    assert asked.df is not None and asked.df.iloc[0, 0] == "late", asked.sql


def test_a_column_refers_to_the_table_whose_key_begins_so(client: svc.Client) -> None:
    asked = client.chat().ask("total distance by garage")
    assert asked.df is not None, asked.text
    wanted = TRIPS.merge(VANS, left_on="main_veh", right_on="veh_id").groupby("garage").dist_km.sum()
    assert dict(zip(asked.df.iloc[:, 0], asked.df.iloc[:, 1], strict=True)) == wanted.to_dict()
