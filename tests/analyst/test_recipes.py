"""Every number of an analysis equals one computed from the rows with pandas, over seeded tables."""

from __future__ import annotations

import itertools
import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from asking import ask
from visits import SEEDS, case, close, figure, results

import svc_notebook as svc
from svc_notebook.analyst.offline.analyses.contributions import additive
from svc_notebook.analyst.offline.analyses.numbers import bin_width, fit_line, nice
from svc_notebook.results.vega.scene import data_marks, scene_of


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
        assert any(figure(value * near) in said for near in (1 - 1e-12, 1 + 1e-12)), (value, said)  # halves
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
    said = f"stay is {figure(abs(slope) * nice(both.cost.std()))} {'higher' if slope > 0 else 'lower'}"
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
    assert figure(abs(slope)) in asked.answer.text
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
    assert figure(known.rows.cost.mean()) in said and figure(known.rows.cost.median()) in said


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
    assert f"interval {figure(gap - error)} to {figure(gap + error)}" in said
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
        ("what is behind the growth of total cost in 2022?", r"It did not rise\. Total cost fell"),
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
