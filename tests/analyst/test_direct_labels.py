"""Few series are named where their lines end: no legend, no name over another, every name there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.charts import ChartColumn, ChartRequest, choose_chart
from svc_notebook.results.charts import render_result

MONTHS = [moment.to_pydatetime() for moment in pd.date_range("2023-01-01", periods=12, freq="MS")]


def columns(series: Mapping[str, Sequence[float | date]], *, additive: bool = False) -> tuple[ChartColumn, ...]:
    rows = [(at, name, v) for name, values in series.items() for at, v in zip(MONTHS, values, strict=False)]
    heads = (
        ChartColumn("at", "time", "Month", grain="month"), ChartColumn("who", "category", "Who"),
        ChartColumn("much", "number", "Much", measured=True, additive=additive),
    )  # fmt: skip
    return tuple(head.filled([row[i] for row in rows]) for i, head in enumerate(heads))


def spec_of(series: Mapping[str, Sequence[float | date]]) -> dict[str, object]:
    spec = choose_chart(ChartRequest(columns(series)))
    assert spec is not None
    return spec


def test_many_series_or_early_ends_keep_their_legend() -> None:
    six = {f"s{n}": [float(n)] * 12 for n in range(6)}
    early = {"a": [1.0] * 12, "b": [2.0] * 4}
    long = {"a name that would take half of it": [1.0] * 12, "b": [2.0] * 12}
    for series in (six, early, long):
        assert "layer" not in spec_of(series) and "color" in spec_of(series)["encoding"]


def test_days_are_no_heights() -> None:
    first = {"a": [moment.date() for moment in MONTHS], "b": [moment.date() for moment in MONTHS]}
    assert choose_chart(ChartRequest(columns(first))) is None


@pytest.fixture(scope="module")
def client() -> Iterator[svc.EmbeddedClient]:
    pytest.importorskip("vl_convert")
    random = np.random.default_rng(1)
    rows = [
        (at, town, 100 + 30 * place + random.normal(0, 3) if place < 2 else 101.5 + random.normal(0, 0.2))
        for place, town in enumerate(("Aarau", "Bern", "Chur", "Davos"))
        for at in pd.date_range("2023-01-01", "2023-12-31", freq="D")
    ]
    with svc.embedded({"readings": pd.DataFrame(rows, columns=["read_at", "town", "level"])}) as opened:
        yield opened


def test_names_stand_at_the_ends_and_none_over_another(client: svc.EmbeddedClient) -> None:
    answer = client.chat().ask("average level per month by town")
    chart = render_result(answer.result)
    assert chart is not None and chart.trouble is None and not chart.notes
    svg = chart.to_svg() or ""
    assert "role-legend" not in svg
    marks = re.findall(
        r'aria-roledescription="text mark"[^>]*transform="translate\(([\d.]+),([\d.]+)\)"[^>]*>([^<]+)<', svg
    )
    assert {name for *_, name in marks} == {"Aarau", "Bern", "Chur", "Davos"}
    heights = sorted(float(y) for _, y, _ in marks)
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 11
    assert answer.reading is not None and answer.reading.chart == "line"
    assert answer.chart is not None  # Altair takes it
