"""What was seen on answers over tables that nobody had tuned to: days, units, one of a kind, numbers of nights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.results.charts import render_result


@pytest.fixture(scope="module")
def runs() -> pd.DataFrame:
    """Runs of a bus company over three months; the last day is told until five in the morning."""
    rng = np.random.default_rng(302)
    minutes = np.append(rng.integers(0, 90 * 24 * 60, 3000), [0, 90 * 24 * 60])
    return pd.DataFrame({
        "departed_at": pd.Timestamp("2024-01-01 05:00") + pd.to_timedelta(minutes, unit="m"),
        "depot": rng.choice(["East", "West"], len(minutes)), "delay_minutes": rng.integers(0, 3, len(minutes)),
        "nights": rng.integers(1, 4, len(minutes)), "load_kg": np.append(np.full(len(minutes) - 2, 7.5), [2.5, 9.5]),
    })  # fmt: skip


@pytest.fixture(scope="module")
def client(runs: pd.DataFrame) -> Iterator[svc.EmbeddedClient]:
    with svc.embedded(data={"runs": runs}) as client:
        yield client


def test_many_days_are_told_by_their_middle_and_not_by_the_first_and_last(
    client: svc.EmbeddedClient, runs: pd.DataFrame
) -> None:
    said = client.chat().ask("number of runs per day").text
    days = runs.groupby(runs.departed_at.dt.normalize()).size()
    assert f"The median of number of runs is **{days[:-1].median():g}** a day" in said, said
    assert "31 March 2024 is not complete: the data end at 05:00." in said
    assert f"({days[:-1].max()}), lowest" in said and f"({days[:-1].min()})" in said


def test_dates_without_a_time_of_day_have_whole_days() -> None:
    days = pd.date_range("2024-01-01", periods=40)
    with svc.embedded(data={"sales": pd.DataFrame({"day": days.repeat(3), "amount": np.arange(120.0)})}) as client:
        assert "not complete" not in client.chat().ask("number of sales per day").text


def test_one_minute_is_one(client: svc.EmbeddedClient, runs: pd.DataFrame) -> None:
    assert runs.delay_minutes.median() == 1
    assert "**1 minute**" in client.chat().ask("median delay").text


def test_equal_medians_have_no_highest(client: svc.EmbeddedClient) -> None:
    said = client.chat().ask("box plot of load by depot").text
    assert said.startswith("The median of load is **7.5 kilograms** in each of 2 depots."), said


def test_a_number_of_nights_is_no_time_of_the_day(client: svc.EmbeddedClient, runs: pd.DataFrame) -> None:
    answer = client.chat().ask("nights per month by depot")
    assert "22:00" not in answer.text
    assert sum(row[-1] for row in answer.result.rows) == runs.nights.sum()


def test_a_number_alone_is_drawn_as_it_is_said(client: svc.EmbeddedClient, runs: pd.DataFrame) -> None:
    pytest.importorskip("vl_convert")
    answer = client.chat().ask("which depot has the highest average delay")
    most = f"{runs.groupby('depot').delay_minutes.mean().max():.2f}".rstrip("0").rstrip(".")
    chart = render_result(answer.result)
    assert chart is not None
    assert most in answer.text and f">{most} minutes<" in (chart.to_svg() or "")
