"""What was seen on the pictures and words of two tables that nobody had tuned to: causes that stand beyond the table,
places, weeks, whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.results.charts import render_result

SURGERIES = pd.DataFrame({
    "surgery_id": range(1, 7), "surgery_name": [f"Paws {town}" for town in ("Ede", "Tiel", "Oss", "Goes", "Weert", "Epe")],
    "ownership": ["chain", "own", "chain", "own", "chain", "own"],
    "latitude": [52.04, 51.89, 51.77, 51.50, 51.25, 52.35], "longitude": [5.67, 5.43, 5.53, 3.89, 5.71, 5.98],
})  # fmt: skip


@pytest.fixture(scope="module")
def visits() -> pd.DataFrame:
    """Four months of visits; in March next to nobody comes to the chain."""
    rng = np.random.default_rng(77)
    n = 6000
    arrived = pd.Timestamp("2024-01-01 08:00") + pd.to_timedelta(rng.integers(0, 121 * 24 * 60, n), unit="m")
    wait = rng.integers(1, 60, n)
    frame = pd.DataFrame({
        "visit_id": range(n), "surgery_id": rng.integers(1, 7, n), "arrived_at": arrived,
        "species": rng.choice(["dog", "cat", "horse"], n, p=[0.6, 0.3, 0.1]), "fee_eur": rng.gamma(3, 30, n).round(2),
        "wait_minutes": wait, "rating": np.clip(np.round(5 - wait / 20 + rng.normal(0, 0.6, n)), 1, 5).astype(int),
    })  # fmt: skip
    gone = frame.surgery_id.isin([1, 3, 5]) & (frame.arrived_at.dt.month == 3) & (rng.random(n) < 0.8)
    return frame[~gone].reset_index(drop=True)


@pytest.fixture(scope="module")
def client(visits: pd.DataFrame) -> Iterator[svc.EmbeddedClient]:
    with svc.embedded({"surgeries": SURGERIES, "visits": visits}) as client:
        yield client


def drawn(answer: svc.Answer, place: int = 0) -> dict[str, Any]:
    return render_result(answer.results[place]).to_dict()


def test_why_looks_at_what_the_rows_name_one_of(client: svc.EmbeddedClient, visits: pd.DataFrame) -> None:
    answer = client.chat().ask("why did total fee fall in March 2024")
    month = visits.arrived_at.dt.month
    by = visits.merge(SURGERIES, on="surgery_id").groupby(["ownership", month]).fee_eur.sum()
    fell = by["chain"][3] - by["chain"][2]
    assert f"By ownership, most of it comes from **chain** (-€{-fell:,.0f}" in answer.text, answer.text
    assert "I compared by species, surgery name and ownership." in answer.text
    shown = answer.results[0].to_frame().set_index(answer.results[0].columns[:2]).iloc[:, 0]
    assert shown[("chain", "March 2024")] == pytest.approx(by["chain"][3])


@pytest.mark.parametrize(
    "question", ["show the surgeries on a map", "surgeries on a map", "put our surgeries on a map"]
)
def test_what_has_places_is_put_on_a_map_however_it_is_asked(client: svc.EmbeddedClient, question: str) -> None:
    answer = client.chat().ask(question)
    assert answer.text.startswith("**6** places."), answer.text
    assert sorted(answer.results[0].to_frame().latitude) == sorted(SURGERIES.latitude)


def test_weeks_are_named_by_the_days_that_they_begin_on(client: svc.EmbeddedClient) -> None:
    ticks = drawn(client.chat().ask("total fee per week"))["encoding"]["x"]["axis"]["values"]
    days = [date(each["year"], each["month"], each["date"]) for each in ticks]
    assert days[0] == date(2024, 1, 1) and {day.weekday() for day in days} == {0} and 5 < len(days) <= 12


def test_whole_numbers_stand_in_the_middle_of_their_cells(client: svc.EmbeddedClient) -> None:
    (cells, _line) = drawn(client.chat().ask("correlation between wait and rating"), 1)["layer"]
    assert {"calculate": "(datum.y - 0.5)", "as": "__bottom"} in cells["transform"]
    assert cells["encoding"]["y"]["axis"]["values"] == [2, 3, 4, 5] or cells["encoding"]["y"]["axis"]["values"] == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_a_mean_is_distributed_over_groups_as_boxes_and_a_sum_is_not(
    client: svc.EmbeddedClient, visits: pd.DataFrame
) -> None:
    answer = client.chat().ask("distribution of wait by species")
    found = answer.results[0].to_frame().set_index("species")
    assert found["median"].to_dict() == visits.groupby("species").wait_minutes.median().to_dict()
    total = client.chat().ask("distribution of fee by species").results[0].to_frame()
    assert total.iloc[:, 1].sum() == pytest.approx(visits.fee_eur.sum())


def test_what_stands_out_is_what_is_unusual(client: svc.EmbeddedClient) -> None:
    assert client.chat().ask("what stands out").text == client.chat().ask("anything unusual").text
