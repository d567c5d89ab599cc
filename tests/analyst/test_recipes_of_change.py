"""What an analysis of a change says equals what pandas says of the rows: between periods, values, halves of the week."""

from __future__ import annotations

import math
import re
from typing import Any

import pandas as pd
import pytest
from asking import Asked, ask
from visits import SEEDS, case, close, figure, figures, results

from svc_notebook.analyst.offline.analyses.contributions import rate_mix


def sources(asked: Asked) -> dict[str, str]:
    """Which groups a difference is said to come from, each with its contribution."""
    sentence = re.search(r"most of it comes from (.+?)(?:\.(?: |$))", asked.answer.text)
    return dict(re.findall(r"\*\*([^*]+)\*\* \(([+-][\d.,]*\d)", sentence[1])) if sentence else {}


def _movers(effects: dict[str, float], rows: Any, gap: float) -> set[str]:
    """The three groups of at least 30 rows that move the whole most, the way that it moved."""
    moved = {group: abs(effect) for group, effect in effects.items() if rows[group] >= 30 and effect * gap > 0}
    return set(sorted(moved, key=lambda group: -moved[group])[:3])


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
    assert f"95 % interval {figure(gap - error)} to {figure(gap + error)}" in asked.answer.text
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
    each = {figure(first * near) for near in (1 - 1e-12, 1 + 1e-12)}  # halves
    moved = abs(costs[month] / costs[month - 1] - 1)
    from_days = days[0] != days[1] and abs(days[1] / days[0] - 1) >= 0.25 * moved
    turned = (costs[month] - costs[month - 1]) * (costs[month] / days[1] - first) < 0
    said = "That comes of the days alone: per day it was" if turned else "Per day that is"
    assert any(f"{said} {one} in" in asked.answer.text for one in each) == from_days
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
    each = [figure(n / d) for n, d in zip(rows, days, strict=True)]
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
    assert [row[0][:7] for row in result["data"]] == [str(month) for month in so_far.index]
    assert all(close(row[-1], total) for row, total in zip(result["data"], so_far, strict=True))


@pytest.mark.parametrize(
    "question", ["what changed from March 2022 to April 2022?", "was April 2022 different from March 2022",
                 "what happened in April 2022"],
)  # fmt: skip
def test_what_changed_is_about_the_main_number(question: str) -> None:
    known = case(2)
    counts = known.year(2022).groupby(known.rows.seen.dt.month).size()
    asked = ask(known.world, question)
    assert [row[1] for row in results(asked)[0]["data"]] == [counts[3], counts[4]], asked.answer.text


@pytest.mark.parametrize("question", ["compare 2021 with 2022", "2022 vs 2021", "compare 2022 to 2021"])
def test_two_periods_alone_are_compared_by_the_main_number(question: str) -> None:
    known = case(SEEDS[0])
    whole = results(ask(known.world, question))[0]
    told = results(ask(known.world, "what changed from 2021 to 2022"))[0]
    assert [row[0] for row in whole["data"]] == ["2021", "2022"]
    assert whole["data"] == told["data"]


def test_why_one_value_is_above_another_sets_the_two_apart() -> None:
    known = case(SEEDS[0])
    first, second = sorted(known.rows.ward.dropna().unique())[:2]
    whole = results(ask(known.world, f"why is average stay of {first} higher than {second}"))[0]
    means = known.rows.groupby("ward").stay.mean()
    assert [row[0] for row in whole["data"]] == [second, first]
    assert close(whole["data"][0][1], means[second]) and close(whole["data"][1][1], means[first])
