"""Every number of an analysis equals one computed from the rows with pandas, over seeded tables."""

from __future__ import annotations

import itertools
import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from asking import Asked, ask
from worlds import World

import svc_notebook as svc
from svc_notebook.analyst.offline.analyses.contributions import additive, rate_mix
from svc_notebook.analyst.offline.analyses.numbers import bin_width, fit_line, nice
from svc_notebook.results.vega.scene import data_marks, scene_of
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

MODEL = """
cubes:
  - name: visits
    sql_table: visits
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: seen, sql: seen, type: time}
      - {name: ward, sql: ward, type: string}
      - {name: channel, sql: channel, type: string}
      - {name: patient, sql: patient, type: string}
      - {name: cost, sql: cost, type: number}
      - {name: stay, sql: stay, type: number}
    measures:
      - {name: count, type: count}
      - {name: total_cost, sql: cost, type: sum}
      - {name: average_stay, sql: stay, type: avg}
"""


@dataclass(frozen=True)
class Case:
    rows: pd.DataFrame
    world: World

    def year(self, year: int) -> pd.DataFrame:
        return self.rows[self.rows.seen.dt.year == year]


@lru_cache(4)
def case(seed: int) -> Case:
    """Two and a half years of visits; costs and stays lie askew, some are missing, wards grow at different paces."""
    random = np.random.default_rng(seed)
    count = int(random.integers(800, 2500))
    wards = np.array(["Surgery", "Eyes", "Heart", "Children", "Skin"])[: int(random.integers(2, 6))]
    seen = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(0, 900, count), unit="D")
    ward = random.choice(wards, count, p=random.dirichlet(np.full(len(wards), 3.0)))
    cost = np.round(random.lognormal(3, random.uniform(0.3, 1.2), count), 2)
    stay = np.round(
        random.gamma(2, 3, count) + (ward == wards[0]) * 4 * (seen.year == 2022) + cost * random.uniform(-0.05, 0.1), 1
    )
    cost[random.random(count) < 0.04] = np.nan
    rows = pd.DataFrame({
        "id": range(count), "seen": seen, "ward": ward, "channel": random.choice(["web", "phone", "desk"], count),
        "cost": cost, "stay": stay,
    })  # fmt: skip
    rows.loc[random.random(count) < 0.02, "ward"] = None
    rows["patient"] = [f"P{number:04d}" for number in random.integers(0, count // 4, count)]
    engine = DuckDBEngine.open(None, data={"visits": rows})
    return Case(rows, World(SemanticLayer(load_model(yaml.safe_load(MODEL)), engine)))


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 204))]


def results(asked: Asked) -> list[dict[str, Any]]:
    from svc_notebook.analyst.base import ToolFinished

    calls = [e for e in asked.events if isinstance(e, ToolFinished) and e.name == "svcSqlApi"]
    return [json.loads(call.result) for call in reversed(calls)]  # the one that was asked for is told last


def close(one: Any, other: float) -> bool:
    return math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_of_a_sum(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "how did total cost change from 2021 to 2022")
    before, after = known.year(2021).cost.sum(), known.year(2022).cost.sum()
    whole, parts = results(asked)
    assert [row[0] for row in whole["data"]] == ["2021", "2022"]
    assert close(whole["data"][0][1], before) and close(whole["data"][1][1], after)
    both = pd.concat([known.year(2021), known.year(2022)])
    by = parts["schema"][0]["title"].lower()
    expected = both.groupby([both[by].fillna("-"), both.seen.dt.year]).cost.sum()
    assert {(row[0] or "-", int(row[1])): round(float(row[2]), 6) for row in parts["data"]} == {
        key: round(float(value), 6) for key, value in expected.items()
    }
    assert f"{abs((after - before) / before) * 100:.1f} %" in asked.answer.text
    effects = {
        group: known.year(2022).cost[known.year(2022)[by] == group].sum()
        - known.year(2021).cost[known.year(2021)[by] == group].sum()
        for group in both[by].dropna().unique()
    }
    said = sources(asked)
    assert set(said) == _movers(effects, both[by].value_counts(), after - before)
    assert all(told in figures(effects[group], "+") for group, told in said.items())


def sources(asked: Asked) -> dict[str, str]:
    """Which groups a difference is said to come from, each with its contribution."""
    sentence = re.search(r"most of it comes from (.+?)(?:\.(?: |$))", asked.answer.text)
    return dict(re.findall(r"\*\*([^*]+)\*\* \(([+-][\d.,]*\d)", sentence[1])) if sentence else {}


def _movers(effects: dict[str, float], rows: Any, gap: float) -> set[str]:
    """The three groups of at least 30 rows that move the whole most, the way that it moved."""
    moved = {group: abs(effect) for group, effect in effects.items() if rows[group] >= 30 and effect * gap > 0}
    return set(sorted(moved, key=lambda group: -moved[group])[:3])


def figures(value: float, plus: str = "") -> set[str]:
    """A number as it may be written: a half goes either way."""
    return {f"{plus * bool(value > 0)}{_figure(value * near)}" for near in (1 - 1e-12, 1 + 1e-12)}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_of_a_mean_is_its_own_and_its_mix(seed: int) -> None:
    known = case(seed)
    sides = []
    for year in (2021, 2022):
        groups = known.year(year).groupby("ward").stay.agg(["mean", "count"])
        sides.append({ward: (float(m), float(n)) for ward, m, n in groups.itertuples()})
    before, after, parts = rate_mix(*sides)
    whole = [known.year(year).dropna(subset="ward").stay.mean() for year in (2021, 2022)]
    assert close(before, whole[0]) and close(after, whole[1])
    assert close(sum(part.effect for part in parts), whole[1] - whole[0])
    asked = ask(known.world, "why did average stay change from 2021 to 2022")
    data = results(asked)[0]["data"]
    assert close(data[0][1], known.year(2021).stay.mean()) and close(data[1][1], known.year(2022).stay.mean())
    assert ("not what caused it" in asked.answer.text) == ("may be chance" not in asked.answer.text)
    stays = [known.year(year).stay for year in (2021, 2022)]
    error = 1.959963984540054 * math.sqrt(sum(stay.var() / len(stay) for stay in stays))
    gap = abs(stays[1].mean() - stays[0].mean())
    assert f"95 % interval {_figure(gap - error)} to {_figure(gap + error)}" in asked.answer.text
    assert ("may be chance" in asked.answer.text) == (gap < error)
    if gap < error:
        return
    by = results(asked)[1]["schema"][0]["title"].lower()
    years = [known.year(year).assign(by=known.year(year)[by].fillna("-")) for year in (2021, 2022)]
    mean, rows = (
        pd.concat([getattr(year.groupby("by").stay, how)() for year in years], axis=1) for how in ("mean", "count")
    )
    weight = rows.fillna(0) / rows.sum()
    mean = mean.bfill(axis=1).ffill(axis=1)
    own = (mean.iloc[:, 1] - mean.iloc[:, 0]) * weight.mean(axis=1)
    middle = (stays[0].mean() + stays[1].mean()) / 2
    mix = (weight.iloc[:, 1] - weight.iloc[:, 0]) * (mean.mean(axis=1) - middle)
    effects = {group: effect for group, effect in (own + mix).items() if group != "-"}
    said = sources(asked)
    assert set(said) == _movers(effects, rows.sum(axis=1), stays[1].mean() - stays[0].mean())
    assert all(told in figures(effects[group], "+") for group, told in said.items())
    parts = re.search(r"Of the difference, (\S+) come from the .+? themselves and (\S+) from other", asked.answer.text)
    assert parts and parts[1] in figures(own.sum(), "+") and parts[2] in figures(mix.sum(), "+")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_period_is_set_against_the_one_before_it(seed: int) -> None:
    known = case(seed)
    month = 2 + seed % 11
    name = pd.Timestamp(2022, month, 1).strftime("%B")
    asked = ask(
        known.world, (f"why did total cost drop in {name} 2022", f"did total cost go up in {name} 2022?")[seed % 2]
    )
    costs = known.year(2022).groupby(known.rows.seen.dt.month).cost.sum()
    data = results(asked)[0]["data"]
    assert close(data[0][1], costs[month - 1]) and close(data[1][1], costs[month])
    days = [pd.Timestamp(2022, m, 1).days_in_month for m in (month - 1, month)]
    first = float(costs[month - 1]) / days[0]
    each = {_figure(first * near) for near in (1 - 1e-12, 1 + 1e-12)}  # halves
    moved = abs(costs[month] / costs[month - 1] - 1)
    from_days = days[0] != days[1] and abs(days[1] / days[0] - 1) >= 0.25 * moved
    assert any(f"Per day that is {one} in" in asked.answer.text for one in each) == from_days
    assert "not complete" not in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_before_and_since(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "has average stay got worse since March 2022")
    late = known.rows.seen >= "2022-03-01"
    data = results(asked)[0]["data"]
    assert [row[0] for row in data] == ["before March 2022", "since March 2022"]
    for row, stays in zip(data, (known.rows.stay[~late], known.rows.stay[late]), strict=True):
        assert close(row[1], stays.mean()) and row[2] == len(stays) and close(row[3], stays.std())


def test_a_sum_before_and_since_is_of_no_equal_length() -> None:
    asked = ask(case(0).world, "has total cost gone up since March 2022")
    assert "before March" not in asked.answer.text


def test_a_period_that_is_cut_off_is_said_with_its_numbers_per_day() -> None:
    known = case(1)
    last = known.rows.seen.max()
    asked = ask(known.world, "did the number of visits go down from 2022 to 2023")
    rows = [len(known.year(year)) for year in (2022, 2023)]
    days = [365, (last - pd.Timestamp(2022, 12, 31)).days]
    assert f"2023 is not complete: the data end on {last.day} {last:%B} 2023." in asked.answer.text
    each = [_figure(n / d) for n, d in zip(rows, days, strict=True)]
    assert re.match(rf"\w[\w ]* per day \w+ from {each[0]} in 2022 to \*\*{each[1]}\*\* in 2023", asked.answer.text)
    assert f"In all that is {rows[0]:,} in 2022, {rows[1]:,} in 2023 (365 and {days[1]} days)." in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_into_a_period_that_is_cut(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "how did total cost change from 2022 to 2023")
    last = known.rows.seen.max()
    days = [365, (last - pd.Timestamp(2022, 12, 31)).days]
    sums = [known.year(year).cost.sum() for year in (2022, 2023)]
    whole, parts = results(asked)
    assert [row[0] for row in whole["data"]] == ["2022", "2023"] and [row[2] for row in whole["data"]] == days
    each = [total / count for total, count in zip(sums, days, strict=True)]
    for row, total, daily in zip(whole["data"], sums, each, strict=True):
        assert close(row[1], total) and close(row[3], daily)
    by = parts["schema"][0]["title"].lower()
    both = known.rows[known.rows.seen.dt.year >= 2022]
    expected = both.groupby([both[by].fillna("-"), both.seen.dt.year]).cost.sum()
    for group, year, value, _ in parts["data"]:
        # Of rows none of which has a cost there is no sum.
        assert close(value or 0.0, expected[group or "-", int(year)] / days[int(year) - 2022])
    effects = {
        group: expected.get((group, 2023), 0.0) / days[1] - expected.get((group, 2022), 0.0) / days[0]
        for group in both[by].dropna().unique()
    }
    told = sources(asked)
    assert set(told) == _movers(effects, both[by].value_counts(), each[1] - each[0])
    assert all(value in figures(effects[group], "+") for group, value in told.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_weekdays_and_weekends_per_day(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "number of visits on weekdays vs weekends")
    days = pd.date_range(known.rows.seen.min(), known.rows.seen.max(), freq="D")
    counts, lengths = (dates.to_series().dt.day_of_week.ge(5).value_counts() for dates in (
        pd.DatetimeIndex(known.rows.seen), days))  # fmt: skip
    for ways in figures(counts[False] / lengths[False]), figures(counts[True] / lengths[True]):
        assert any(f"{way} for week" in asked.answer.text for way in ways), asked.answer.text
    assert f"({lengths[False]:,} and {lengths[True]:,} days)" in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_running_total(seed: int) -> None:
    known = case(seed)
    (result,) = results(ask(known.world, "running total of cost by month"))
    so_far = known.rows.groupby(known.rows.seen.dt.to_period("M")).cost.sum().cumsum()
    assert [row[0][:7] for row in result["data"]] == [str(month) for month in so_far.index][: len(result["data"])]
    assert all(close(row[-1], total) for row, total in zip(result["data"], so_far, strict=False))


@pytest.mark.parametrize(
    "question", ["what changed from March 2022 to April 2022?", "was April 2022 different from March 2022",
                 "what happened in April 2022"],
)  # fmt: skip
def test_what_changed_is_about_the_main_number(question: str) -> None:
    known = case(2)
    counts = known.year(2022).groupby(known.rows.seen.dt.month).size()
    asked = ask(known.world, question)
    assert [row[1] for row in results(asked)[0]["data"]] == [counts[3], counts[4]], asked.answer.text


@pytest.mark.parametrize(
    "question", ["will the number of visits go up next month?", "how many visits will we have next month",
                 "what will total cost be next year", "is total cost going to rise"],
)  # fmt: skip
def test_what_will_be_is_not_told(question: str) -> None:
    asked = ask(case(3).world, question)
    assert asked.answer.outcome == "refused" and "I do not forecast" in asked.answer.text


def test_what_depends_on_the_other_stands_upright() -> None:
    for question in ("how does stay vary with cost", "does stay depend on cost?", "is stay affected by cost"):
        drawn = results(ask(case(0).world, question))[0]
        assert [column["title"].split(" (")[0] for column in drawn["schema"]][:2] == ["Cost", "Stay"], question


def test_a_number_that_varies_by_groups_is_boxes() -> None:
    (result,) = results(ask(case(0).world, "how does stay vary by ward"))
    medians = case(0).rows.groupby(case(0).rows.ward.fillna("-")).stay.median()
    assert {row[0] or "-": float(row[4]) for row in result["data"]} == pytest.approx(dict(medians))


@pytest.mark.parametrize("seed", SEEDS)
def test_most_of_a_total_is_more_than_half(seed: int) -> None:
    known = case(seed)
    asked = ask(
        known.world, ("which wards account for most of the visits", "do a few wards have most of the visits?")[seed % 2]
    )
    sizes = known.rows.groupby(known.rows.ward.fillna("-")).size().sort_values(ascending=False)
    needed = int((sizes.cumsum() / sizes.sum() < 0.5).sum()) + 1
    assert f"**{needed:,} of {len(sizes):,} wards**" in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_difference_between_two_values(seed: int) -> None:
    known = case(seed)
    one, other = (known.rows[known.rows.channel == name].stay for name in ("web", "phone"))
    asked = ask(known.world, "what is the difference in average stay between web and phone?")
    rows = {row[0]: row[1] for row in results(asked)[0]["data"]}
    assert close(rows["web"], one.mean()) and close(rows["phone"], other.mean())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_distribution(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "distribution of cost")
    cost = known.rows.cost.dropna()
    bins, stats = results(asked)
    assert close(stats["data"][0][2], known.rows.cost.mean())
    width = float(np.diff(sorted(row[0] for row in bins["data"])).min())
    assert nice(width) == width
    counted = (cost // width * width).round(9).value_counts()
    assert all(counted[round(low, 9)] == n for low, n in bins["data"])
    said = asked.answer.text
    for value in (
        cost.quantile(0.25),
        cost.quantile(0.75),
        cost.median(),
        cost.mean(),
        cost.min(),
        cost.max(),
        cost.std(),
    ):
        assert any(_figure(value * near) in said for near in (1 - 1e-12, 1 + 1e-12)), (value, said)  # halves
    assert f"{known.rows.cost.isna().sum():,} of {len(known.rows):,} rows have no cost" in said
    assert f"{len(cost) - sum(n for _, n in bins['data']):,} of" in said or sum(n for _, n in bins["data"]) == len(cost)


@pytest.mark.parametrize("seed", SEEDS)
def test_outliers(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "outliers in cost")
    cost = known.rows.cost.dropna()
    first, third = cost.quantile(0.25), cost.quantile(0.75)
    low, high = first - 3 * (third - first), third + 3 * (third - first)
    far = cost[(cost < low) | (cost > high)]
    if far.empty:
        assert "No outliers" in asked.answer.text
        return
    assert f"**{len(far):,} of {len(cost):,}** values" in asked.answer.text
    listed, _, _ = results(asked)
    shown = sorted((float(row[-1]) for row in listed["data"]), reverse=True)
    assert shown == sorted(far.tolist(), key=lambda v: -abs(v - cost.median()))[: len(shown)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correlation(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "correlation between cost and stay")
    both = known.rows.dropna(subset=["cost", "stay"])
    assert f"**{both.cost.corr(both.stay):.2f}**".replace("-0.00", "0.00") in asked.answer.text
    assert f"({len(both):,} rows)" in asked.answer.text
    r = both.cost.corr(both.stay)
    slope = r * both.stay.std() / both.cost.std()
    said = f"stay is {_figure(abs(slope) * nice(both.cost.std()))} {'higher' if slope > 0 else 'lower'}"
    assert (said in asked.answer.text) == (abs(r) >= 0.1)
    drawn, stats = results(asked)
    assert close(stats["data"][0][1], both.cost.corr(both.stay))
    assert drawn["totalRows"] == len(both) or len(both) > 2000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_trend(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "trend of total cost by month")
    months = known.rows.groupby(known.rows.seen.dt.to_period("M")).cost.sum()
    first, last = known.rows.seen.min(), known.rows.seen.max()
    if (first - first.to_period("M").start_time).days >= 2:
        months = months[1:]
    if (last.to_period("M").end_time - last).days >= 2:
        months = months[:-1]
    begins = months.index.to_timestamp()
    at = ((begins - begins[0]) / pd.Timedelta(seconds=365.2425 * 86400 / 12)).to_numpy()
    slope, start = np.polyfit(at, months.to_numpy(), 1)
    line = fit_line(months.tolist(), at.tolist())
    assert line is not None and close(line.slope, slope) and close(line.start, start)
    assert _figure(abs(slope)) in asked.answer.text
    assert ("No clear trend" in asked.answer.text) != line.clear
    explained = np.corrcoef(at, months.to_numpy())[0, 1] ** 2
    error = math.sqrt(
        ((months.to_numpy() - start - slope * at) ** 2).sum() / (len(at) - 2) / ((at - at.mean()) ** 2).sum()
    )
    assert close(line.explained, explained) and line.clear == (abs(slope) > 2 * error)
    said = f"the line through {len(months)} months explains {explained * 100:.1f} %"
    assert (said in asked.answer.text) == line.clear
    spec = json.loads(results(asked)[0]["vegaSpec"])
    assert (f"dashed: the straight line through {len(months)} whole months" in str(spec["title"])) == line.clear


@pytest.mark.parametrize("seed", SEEDS)
def test_a_concentration(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "which wards make up 80% of the visits")
    sizes = known.rows.groupby(known.rows.ward.fillna("-")).size().sort_values(ascending=False)
    running = sizes.cumsum() / sizes.sum()
    needed = int((running < 0.8).sum()) + 1
    assert f"**{needed:,} of {len(sizes):,} wards**" in asked.answer.text
    (listed,) = results(asked)
    assert all(close(row[-1], share) for row, share in zip(listed["data"], running, strict=True))


@pytest.mark.parametrize("least", ["less than 1 percent", "under 5%", "more than 20 percent"])
def test_the_share_of_each_is_no_concentration(least: str) -> None:
    assert " make up " not in ask(case(0).world, f"wards that make up {least} of the visits").answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_summary_says_how_many_rows_and_their_middle(seed: int) -> None:
    known = case(seed)
    said = ask(known.world, "summarize the visits").answer.text
    first, last = known.rows.seen.min(), known.rows.seen.max()
    dates = f"from {first.day} {first:%B %Y} to {last.day} {last:%B %Y}"
    assert said.startswith(f"**{len(known.rows):,}** visits, {dates}.")
    assert _figure(known.rows.cost.mean()) in said and _figure(known.rows.cost.median()) in said


def test_a_summary_averages_no_places_on_a_map() -> None:
    rows = pd.DataFrame({"latitude": [48.1, 52.5, 53.6] * 9, "lng": [11.6, 13.4, 10.0] * 9, "bikes": range(27)})
    with svc.embedded(data={"stations": rows}) as client:
        said = client.chat().ask("summarize the stations").text
    assert "Bikes: " in said
    assert not {"latitude", "longitude", "lng"} & set(re.findall(r"\w+", said.lower()))


def test_a_forecast_is_refused_in_words() -> None:
    asked = ask(case(0).world, "forecast total cost for next year")
    assert asked.answer.outcome == "refused" and "I do not forecast" in asked.answer.text
    assert asked.answer.suggestions


def test_contributions_of_a_sum_are_its_change() -> None:
    parts = additive({"a": 3.0, "b": 4.0}, {"b": 1.0, "c": 5.0}, {"a": 1, "b": 2, "c": 1})
    assert [(p.group, p.effect) for p in parts] == [("c", 5.0), ("a", -3.0), ("b", -3.0)]


@pytest.mark.parametrize(
    ("width", "round_"), [(0.013, 0.01), (0.7, 0.5), (2.2, 2.0), (2.3, 2.5), (38.0, 50.0), (72.0, 100.0)]
)
def test_round_widths(width: float, round_: float) -> None:
    assert nice(width) == round_


def test_bins_are_neither_too_many_nor_too_few() -> None:
    assert 6 <= 100 / bin_width((40, 60), 15, 10_000_000, 0, 100, whole=False) <= 50
    assert 6 <= 100 / bin_width((0, 0), 1, 50, 0, 100, whole=False) <= 50
    assert bin_width((1, 3), 1, 1000, 0, 5, whole=True) == 1.0


def _figure(value: float) -> str:
    from svc_notebook.analyst.offline.telling import figure

    return figure(float(value))


def test_anything_unusual_is_about_days() -> None:
    known = case(5)
    days = known.rows.groupby("seen").size()
    assert f" of {len(days):,} " in ask(known.world, "anything unusual?").answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_days_unlike_others_of_their_weekday(seed: int) -> None:
    known = case(seed)
    ways = ("unusual days in the number of visits", "were there any days with strangely few visits?")
    asked = ask(known.world, ways[seed % 2])
    days = known.rows.groupby("seen").size()
    usual = days.groupby(days.index.day_of_week).transform("median")
    gap = (days - usual).abs()
    far = gap[0.6745 * gap / gap.median() > 3.5] if gap.median() else gap[:0]
    assert (f"**{len(far):,} of {len(days):,} days** stand" in asked.answer.text) == bool(len(far))


def test_halves_of_a_year_are_two_periods() -> None:
    known = case(2)
    asked = ask(
        known.world, "did average stay get better in the second half of 2022 compared with the first half of 2022"
    )
    data = results(asked)[0]["data"]
    year = known.year(2022)
    halves = [year[year.seen.dt.month <= 6], year[year.seen.dt.month > 6]]
    assert [row[0] for row in data] == ["the first half of 2022", "the second half of 2022"]
    assert all(close(row[1], half.stay.mean()) for row, half in zip(data, halves, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_who_came_again(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, ("monthly retention of patients", "how many patients came back the next month?")[seed % 2])
    month = known.rows.seen.dt.to_period("M")
    came = pd.DataFrame({"patient": known.rows.patient, "month": month}).drop_duplicates()
    came["first"] = came.groupby("patient").month.transform("min")
    people = came.groupby(["first", "month"]).size()
    shown = {(f"{first:%Y-%m}", f"{at:%Y-%m}"): (n, share) for first, at, n, share in asked.rows()}
    assert {key: n for key, (n, _) in shown.items()} == {(str(a), str(b)): int(n) for (a, b), n in people.items()}
    assert all(close(share, people[at] / people[at[0], at[0]]) for at, (_, share) in shown.items())
    last = month.max() if (month.max().end_time - known.rows.seen.max()).days < 2 else month.max() - 1
    for far in (1, 3, 6, 12):
        begun = [first for first in people.index.levels[0] if first + far <= last]
        again, of = (sum(people.get((first, first + n), 0) for first in begun) for n in (far, 0))
        part = f"{again / of * 100:.1f} %" if again / of >= 0.001 else ""
        said = f"**{part}** of patients came again in the month after their first ({again:,} of {of:,})."
        assert (said if far == 1 else f"{far} months after it: {part}.") in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_how_far_they_get(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, ("funnel of patients from web to phone to desk", "funnel web phone desk")[seed % 2])
    visits = {name: known.rows[known.rows.channel == name].groupby("patient").seen for name in ("web", "phone", "desk")}
    at = visits["web"].min()
    reached = [len(at)]
    for name in ("phone", "desk"):
        later = visits[name].apply(list).reindex(at.index)
        at = pd.Series({who: min((day for day in days if day >= at[who]), default=None)
                        for who, days in later.items() if isinstance(days, list)}).dropna()  # fmt: skip
        reached.append(len(at))
    (shown,) = results(asked)
    assert [row[2] for row in shown["data"]] == reached
    assert f"**{reached[2]:,} of {reached[0]:,}** patients ({reached[2] / reached[0] * 100:.1f} %)" in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_two_means_and_the_interval_of_their_difference(seed: int) -> None:
    known = case(seed)
    one, other = (known.rows[known.rows.channel == name].stay for name in ("web", "phone"))
    said = ask(known.world, "compare average stay of web and phone").answer.text
    error = 1.959963984540054 * math.sqrt(one.var() / len(one) + other.var() / len(other))
    gap = abs(one.mean() - other.mean())
    assert f"interval {_figure(gap - error)} to {_figure(gap + error)}" in said
    assert ("chance" in said) == (gap < error)


@pytest.mark.parametrize("question", ["distribution of amount", "outliers in amount", "summarize the data"])
def test_statistics_of_money_are_in_its_currency(question: str) -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 900), "D"),
                          "shop": rng.choice(["Ulm", "Bonn"], 900), "amount_eur": rng.gamma(2, 40, 900).round(2)})  # fmt: skip
    with svc.embedded(data=frame) as client:
        answer = client.chat().ask(question)
    assert answer.status == "complete" and "€" in answer.text
    assert "$" not in answer.text + "".join(
        result.to_html() if hasattr(result, "to_html") else "" for result in answer.results
    )
    money = [c for result in answer.results for c in result.schema
             if c.name not in ("rows", "count") and c.column_type.lower().startswith(("double", "decimal", "float"))]  # fmt: skip
    assert money and {column.currency for column in money} == {"EUR"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_box_plot(seed: int) -> None:
    known = case(seed)
    asked = ask(known.world, "box plot of stay by ward")
    (result,) = results(asked)
    groups = known.rows.groupby(known.rows.ward.fillna("-")).stay
    expected = groups.quantile([0.05, 0.25, 0.5, 0.75, 0.95]).unstack()
    assert {row[0] or "-" for row in result["data"]} == set(expected.index)
    for name, rows, *quantiles in result["data"]:
        assert int(rows) == groups.count()[name or "-"]
        assert all(close(one, other) for one, other in zip(quantiles, expected.loc[name or "-"], strict=True))
    kept = expected[groups.count() >= 5][0.5]
    first = f"**{kept.idxmax()}**".replace("**-**", "**no ward**") if kept.nunique() > 1 else "The median of stay is"
    assert asked.answer.text.startswith(first)
    assert result["vegaSpec"]


@pytest.mark.parametrize(
    "question", ["box plot of the number of visits by ward", "boxplot of stay by ward and channel"]
)
def test_a_box_plot_of_what_has_none_is_refused_in_words(question: str) -> None:
    asked = ask(case(1).world, question)
    assert asked.answer.outcome == "refused" and "one number" in asked.answer.text


@pytest.mark.parametrize("seed", SEEDS)
def test_curves_of_a_distribution(seed: int) -> None:
    """What a cumulative curve shows at an edge is the share of rows below it; three kinds are three pictures."""
    pytest.importorskip("vl_convert")
    known = case(seed)
    cost = known.rows.cost.dropna()
    drawn = {}
    for kind in ("cumulative distribution", "density plot", "distribution"):
        bins = results(ask(known.world, f"{kind} of cost"))[0]
        spec = json.loads(bins["vegaSpec"])
        rows = [{"from": float(edge), "rows": int(count)} for edge, count in bins["data"]]
        scene = scene_of({**spec, "data": {"values": rows}})
        drawn[kind] = {mark["marktype"] for mark in data_marks(scene)}
        if kind == "cumulative distribution":
            width = min(b["from"] - a["from"] for a, b in itertools.pairwise(rows))  # a bin may have no rows
            so_far = int(re.search(r"\((\d+) \+", json.dumps(spec["transform"]))[1])
            for row in rows:
                so_far += row["rows"]
                assert so_far == (cost < row["from"] + width - 1e-9).sum()
    assert len(set(map(frozenset, drawn.values()))) == 3


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what can you tell me about the visits?", "**"),
        ("describe the visits", "**"),
        ("what does stay look like for Eyes", "Where ward is Eyes: half of the values of stay lie"),
        ("did we have more visits in 2022 than the year before", "Count fell from|Count rose from|Visits|Number of"),
        ("what is behind the growth of total cost in 2022?", "Total cost (rose|fell|stayed)"),
    ],
)
def test_everyday_words_reach_the_recipe(question: str, begins: str) -> None:
    known = case(2)
    said = ask(known.world, question).answer.text
    assert re.match(begins if "|" in begins else re.escape(begins) if begins.startswith("**") else begins, said), said
    if "2022" in question:
        assert "in 2021" in said and "in 2022" in said
    elif "stay" not in question:
        assert said.startswith(f"**{len(known.rows):,}** visits, from ")


def test_more_money_is_a_change_of_what_was_taken_in() -> None:
    frame = pd.DataFrame({"day": pd.Timestamp("2024-01-01") + pd.to_timedelta([n % 300 for n in range(600)], "D"),
                          "shop": ["Ulm", "Bonn"] * 300, "takings_eur": [n % 41 + 0.5 for n in range(600)]})  # fmt: skip
    march, april = (frame[frame.day.dt.month == month].takings_eur.sum() for month in (3, 4))
    with svc.embedded({"sales": frame}) as client:
        said = client.chat().ask("did we make more money in April 2024 than in March 2024?").text
    assert re.match(r"Total takings \w* ?(rose|fell) from ", said), said
    assert f"{march:,.0f}" in said.replace("€", "") and f"{april:,.0f}" in said


def test_it_got_worse_is_said_of_one_wait_and_not_of_all_together() -> None:
    frame = pd.DataFrame({"opened": pd.Timestamp("2024-01-01") + pd.to_timedelta([n % 360 for n in range(900)], "D"),
                          "minutes_to_answer": [10 + n % 7 + n % 360 // 30 for n in range(900)]})  # fmt: skip
    with svc.embedded({"tickets": frame}) as client:
        said = client.chat().ask("has the time to answer got worse over the year?").text
    assert re.match(r"Average .*minutes? to answer \*\*rises? by", said), said
