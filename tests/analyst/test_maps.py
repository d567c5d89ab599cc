"""Rows on a map by their coordinates: every row counted, numbers as pandas has them, lines at the right degrees."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.charts import ChartColumn, map_of
from svc_notebook.results.charts import render_result


@lru_cache(1)
def stations() -> pd.DataFrame:
    random = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "station": [f"Station {n:03}" for n in range(180)],
            "kind": random.choice(["lake", "river", "coast"], 180),
            "latitude": random.uniform(45.9, 47.7, 180), "longitude": random.uniform(6.1, 10.4, 180),
            "depth": random.gamma(2, 4, 180).round(1),
        }
    )  # fmt: skip


@lru_cache(1)
def pings() -> pd.DataFrame:
    random = np.random.default_rng(5)
    places = pd.DataFrame({"lat": random.uniform(-50, 70, 9000), "lon": random.uniform(-170, 175, 9000)})
    places.loc[::100, "lat"] = np.nan
    return places.assign(ping_id=range(9000), strength=random.normal(40, 5, 9000))


@pytest.fixture(scope="module")
def client() -> Iterator[svc.EmbeddedClient]:
    pytest.importorskip("vl_convert")
    with svc.embedded({"stations": stations(), "pings": pings()}) as opened:
        yield opened


def drawn(answer: svc.Answer) -> tuple[dict[str, Any], pd.DataFrame, str]:
    frame = answer.result.load_all()
    chart = render_result(answer.result)
    assert chart is not None and chart.trouble is None and not chart.notes, chart and chart.trouble
    return json.loads(answer.result.vega_spec), frame, chart.to_svg() or ""


def test_each_row_is_a_point_where_it_is(client: svc.EmbeddedClient) -> None:
    spec, frame, svg = drawn(client.chat().ask("stations on a map"))
    own = stations().sort_values("station")
    assert len(frame) == len(own)
    assert sorted(frame["latitude"].round(6)) == sorted(own["latitude"].round(6))
    assert len(re.findall(r'aria-roledescription="point"', svg)) == len(own)
    assert "46°N" in svg and "8°E" in svg
    (low, high), (west, east) = (spec["encoding"][axis]["scale"]["domain"] for axis in ("y", "x"))
    assert low < math.log(math.tan(math.pi / 4 + math.radians(own.latitude.min()) / 2)) < high  # Mercator
    assert spec["width"] / spec["height"] == pytest.approx(math.radians(east - west) / (high - low), rel=0.02)


def test_a_number_of_each_place_is_its_size_or_its_shade(client: svc.EmbeddedClient) -> None:
    answer = client.chat().ask("median depth by station on a map")
    spec, frame, _ = drawn(answer)
    own = stations().set_index("station")["depth"]
    assert {row.place: round(row.value, 3) for row in frame.itertuples()} == own.round(3).to_dict()
    assert spec["encoding"]["color"]["type"] == "quantitative" and "size" not in spec["encoding"]
    spec, *_ = drawn(client.chat().ask("total depth by station on a map"))
    assert spec["encoding"]["size"]["scale"]["zero"] is True


def test_a_kind_is_a_colour(client: svc.EmbeddedClient) -> None:
    spec, frame, _ = drawn(client.chat().ask("stations by kind on a map"))
    assert frame["kind"].value_counts().to_dict() == stations()["kind"].value_counts().to_dict()
    assert spec["encoding"]["color"]["type"] == "nominal"


def test_of_very_many_rows_all_are_counted(client: svc.EmbeddedClient) -> None:
    answer = client.chat().ask("pings on a map")
    spec, frame, _ = drawn(answer)
    known = pings().dropna()
    assert frame["rows"].sum() == len(known) and len(frame) <= 2000
    middle = (frame["latitude"] * frame["rows"]).sum() / frame["rows"].sum()
    assert middle == pytest.approx(known["lat"].mean())
    assert f"{len(pings()) - len(known)} of 9,000 rows have no place" in (answer.text or "")
    domain = spec["encoding"]["y"]["scale"]["domain"]
    assert -1 <= domain[0] < domain[1] <= 1  # equal in area over so much of the earth


def test_what_has_no_place_is_refused_in_words(client: svc.EmbeddedClient) -> None:
    with svc.embedded({"visits": pd.DataFrame({"ward": ["A", "B"] * 20, "cost": range(40)})}) as other:
        answer = other.chat().ask("visits by ward on a map")
    assert answer.outcome == "refused" and "latitude" in (answer.text or ""), answer.text


def test_lines_are_named_by_their_degrees() -> None:
    lat, lon = (ChartColumn(n, "number", n).filled(v) for n, v in (("a", [-33.9, -33.4]), ("b", [150.9, 151.3])))
    body = map_of(lat, lon, ())
    assert body is not None
    labels = re.findall(r"'([\d.]+°[NSEW]?)'", body["encoding"]["y"]["axis"]["labelExpr"])
    assert set(labels) <= {f"{d:g}°S" for d in np.arange(33.0, 34.5, 0.1).round(1)} and labels
    assert map_of(lat.filled([None, None]), lon, ()) is None
