"""Constructions that any table is asked in, over one wide table of mountain rescues that nobody described."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from asking import ask
from outcomes import Near, Pct, outcome_of
from worlds import World

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

N = 320


@cache
def rescues() -> pd.DataFrame:
    """Rows to the middle of November 2024; "today" is the twentieth."""
    called = pd.Timestamp("2022-01-03 05:00") + pd.to_timedelta([n * 78 + n * n % 9 for n in range(N)], unit="h")
    on_foot = [40 + n * 7 % 120 for n in range(N)]
    return pd.DataFrame({
        "rescue_ref": [f"R{4000 + n}" for n in range(N)],
        "called_at": called,
        "reached_at": [called[n] + pd.Timedelta(minutes=25 + n * 13 % 170) for n in range(N)],
        "warned_at": [called[n] - pd.Timedelta(days=9) if n % 7 == 0 else pd.NaT for n in range(N)],
        "closed_at": [called[n] + pd.Timedelta(minutes=260 + n * 29 % 700) for n in range(N)],
        "valley": [("Glenmoor", "Ardle", "Sgurr", "Torran")[n * n % 7 % 4] for n in range(N)],
        "station": [("Glenmoor Team", "Coast Team", "Ardle Team")[(n + n * n % 5) % 3] for n in range(N)],
        "path": [("Ridge Way", "Lower Loop", "Gully Track", "Old Road", "Scree Walk")[n * 3 % 5] for n in range(N)],
        "path_class": [("Steep", "Easy", "Scramble")[n * 3 % 5 % 3] for n in range(N)],
        "main_cause": [("Slip", "Lost", "Exhaustion", "Rockfall")[n * n % 13 % 4] for n in range(N)],
        "slope_deg": [10 + n * 3 % 45 for n in range(N)],
        "stretcher_min": [on_foot[n] if n % 3 else 0 for n in range(N)],
        "walker_cnt": [1 + n % 6 for n in range(N)],
        "inj_cnt": [n * n % 7 + n // 150 if n % 2 else 0 for n in range(N)],
        "fatal_cnt": [int(n % 23 == 4 and n * n % 7 % 4 != 2) for n in range(N)],
        "demerit_pts": [n * 17 % 61 for n in range(N)],
        "air_temp_f": [20.0 + n * 11 % 60 for n in range(N)],
        "gust_kmh": [5.0 + (10 + n * 3 % 45) * 0.8 + n % 7 for n in range(N)],
        "cost_eur": [9000.0 * (n in (31, 200)) + 400 + 9 * (n * 31 % 97) for n in range(N)],
        "knot_tot": [4 + n % 9 for n in range(N)],
        "knot_loose": [n % 4 for n in range(N)],
        "stop_search": ["Y" if n * n % 11 in (1, 3) else "N" for n in range(N)],
        "dog_used": ["Y" if n * n % 5 == 1 else "N" for n in range(N)],
    })  # fmt: skip


@cache
def world() -> World:
    held = {"rescues": rescues()}
    return World(SemanticLayer(load_model(scaffold_model(held)), DuckDBEngine.open(None, data=held)))


def read(question: str, wanted: Any) -> str:
    return outcome_of(ask(world(), question), wanted)


def of_months(year: int, first: int, last: int) -> pd.DataFrame:
    held = rescues()
    time = held.called_at.dt
    return held[(time.year == year) & (time.month >= first) & (time.month <= last)]


@pytest.mark.parametrize(
    "question",
    [
        "did injuries go up or down this year compared with the same stretch of last year, january through september",
        "injuries this year compared to the same months of last year, january to september",
        "january to september this year against the same months last year, how many injuries",
    ],
)
def test_a_stretch_of_a_year_is_set_against_the_same_one_of_the_year_before(question: str) -> None:
    before, after = (int(of_months(year, 1, 9).inj_cnt.sum()) for year in (2023, 2024))
    rows = ask(world(), question).rows()
    assert [row[-1] for row in rows] == [before, after]


def test_so_far_before_a_comma_is_of_both_years() -> None:
    held = rescues()
    ends = [("2023-01-01", "2023-11-21"), ("2024-01-01", "2024-11-21")]
    wanted = [float(held[(held.called_at >= low) & (held.called_at < high)].cost_eur.sum()) for low, high in ends]
    rows = ask(world(), "total cost this year so far, compared with the same stretch of last year").rows()
    assert [row[-1] for row in rows] == pytest.approx(wanted)


def test_since_the_start_of_a_month_is_since_it() -> None:
    held = rescues()
    late = held[held.called_at >= "2024-09-01"]
    assert read("rescues since the start of september by station", dict(late.station.value_counts())) == "right"


@pytest.mark.parametrize(
    ("question", "pair"),
    [
        ("does a stronger gust go along with a higher slope", {"gust_kmh", "slope_deg"}),
        ("does a higher slope go together with more demerits", {"slope_deg", "demerit_pts"}),
        ("do warmer air temperatures come with higher costs", {"air_temp_f", "cost_eur"}),
    ],
)
def test_what_goes_along_with_what_is_how_two_numbers_go_together(question: str, pair: set[str]) -> None:
    found = ask(world(), question)
    assert found.table is not None and set(found.table.column_names) == pair
    assert "correlation" in found.answer.text


@pytest.mark.parametrize("question", ["any costs that look way out of line", "any weird costs?"])
def test_what_looks_out_of_line_lies_far_out(question: str) -> None:
    found = ask(world(), question)
    assert "lie far out" in found.answer.text
    assert {"R4031", "R4200"} <= {str(cell) for row in found.rows() for cell in row}


def test_the_worst_by_demerits_have_most_of_them() -> None:
    held = rescues()
    worst = held[held.called_at.dt.year == 2024].nlargest(3, "demerit_pts")
    points = dict(zip(worst.rescue_ref, worst.demerit_pts, strict=True))
    assert read("three worst rescues of 2024, by demerit points", points) == "right"


def test_rows_are_told_by_what_a_number_counts_of_them() -> None:
    held = rescues()
    fatal, last = held[held.fatal_cnt > 0], held[held.called_at.dt.year == 2024]
    unhurt = held[(held.inj_cnt == 0) & (held.fatal_cnt == 0) & (held.main_cause == "Slip")]
    assert read("how many fatal rescues were there", len(fatal)) == "right"
    pairs = list(zip(fatal.path, fatal.main_cause, strict=True))
    assert read("list all fatal rescues with path and cause", pairs) == "right"
    assert read("how many non-fatal rescues were there in 2024", int((last.fatal_cnt == 0).sum())) == "right"
    assert read("injury rescues per station", dict(held[held.inj_cnt > 0].station.value_counts())) == "right"
    assert read("how many slip rescues had no injury and no fatality", len(unhurt)) == "right"
    assert read("fatalities by station", dict(held.groupby("station").fatal_cnt.sum())) == "right"


@pytest.mark.parametrize(
    "question",
    [
        "which valleys have never had a fatality", "valleys without any fatal rescues", "valleys with no fatalities",
        "which valleys have not had any fatalities",
    ],
)  # fmt: skip
def test_groups_that_never_had_any_have_none_in_all(question: str) -> None:
    spared = rescues().groupby("valley").fatal_cnt.sum()
    assert read(question, set(spared[spared == 0].index)) == "right"


def test_a_unit_of_time_tells_what_min_is_short_for() -> None:
    held = rescues()
    carried = int((held.stretcher_min > 120).sum())
    found = ask(world(), "how many rescues had a stretcher for more than 2 hours")
    assert found.rows() == [(carried,)]


def test_so_many_of_the_rows_are_what_a_number_is_told_for() -> None:
    held = rescues().groupby("main_cause")
    hurt, rows = held.inj_cnt.sum(), held.size()
    assert read("injuries per 100 rescues by cause", dict(hurt * 100 / rows)) == "right"
    assert read("fatalities per thousand rescues", 1000 * rescues().fatal_cnt.sum() / N) == "right"


def test_numbers_are_told_in_the_unit_that_is_asked_for() -> None:
    held = rescues()
    cost = held.groupby("station").cost_eur.sum()
    warmth = held.groupby("valley").air_temp_f.mean()
    assert read("total cost in thousands of euros by station", dict(cost / 1000)) == "right"
    assert read("average air temperature in celsius by valley", dict((warmth - 32) * 5 / 9)) == "right"
    assert read("highest gust in mph", held.gust_kmh.max() / 1.609344) == "right"
    assert read("highest gust in knots", held.gust_kmh.max() / 1.852) == "right"
    assert read("highest gust in m/s", held.gust_kmh.max() / 3.6) == "right"
    assert "°C" in ask(world(), "average air temperature in celsius by valley").answer.text
    assert "in thousands" in ask(world(), "total cost in thousands of euros by station").answer.text


def test_a_number_of_another_kind_is_not_told_in_a_unit() -> None:
    assert ask(world(), "average slope in celsius by valley").table is None


@pytest.mark.parametrize(
    "question",
    ["how many rescues in Glenmoor were not by the Glenmoor team", "rescues in Glenmoor that were not by the Glenmoor crew"],
)  # fmt: skip
def test_a_name_that_is_said_twice_is_of_two_columns(question: str) -> None:
    held = rescues()
    others = held[(held.valley == "Glenmoor") & (held.station != "Glenmoor Team")]
    assert ask(world(), question).rows() == [(len(others),)]


def test_what_is_so_and_not_so_is_never_answered() -> None:
    assert ask(world(), "how many rescues in Sgurr were not in Sgurr").table is None


def test_a_name_said_with_and_is_one_column() -> None:
    share = rescues().groupby("valley").stop_search.apply(lambda said: (said == "Y").mean())
    assert (
        read("what percentage of rescues are stop and search by valley", {k: Pct(v) for k, v in share.items()})
        == "right"
    )


def test_kinds_of_something_are_told_by_the_column_of_its_class() -> None:
    held = rescues()
    assert read("rescues by type of path", dict(held.path_class.value_counts())) == "right"
    assert read("what kinds of path are there", set(held.path_class)) == "right"


def test_the_first_causes_are_those_of_most_rows() -> None:
    held = rescues()
    assert read("top 2 causes", dict(held.main_cause.value_counts()[:2])) == "right"
    steep = held[held.valley == "Ardle"].main_cause.value_counts()
    assert read("what are the top 2 causes in Ardle?", dict(steep[:2])) == "right"


def test_some_that_are_counted_are_a_share_of_all_that_are() -> None:
    held = rescues().groupby("valley")
    share = held.knot_loose.sum() / held.knot_tot.sum()
    assert read("what share of all knots are loose by valley", {k: Pct(v) for k, v in share.items()}) == "right"


def test_the_own_time_of_rows_is_where_they_begin() -> None:
    held = rescues()
    took = (held.closed_at - held.called_at).dt.total_seconds() / 3600
    reached = (held.reached_at - held.called_at) <= pd.Timedelta(hours=2)
    assert (
        read("which rescue lasted longest", Near(held.rescue_ref[took.idxmax()], {held.rescue_ref[took.idxmax()]}))
        == "right"
    )
    assert read("how many rescues lasted more than 10 hours", int((took > 10).sum())) == "right"
    assert read("percentage of rescues reached within two hours", Pct(reached.mean())) == "right"
    assert read("median time it takes us to close a rescue, in hours", took.median()) == "right"


def test_bands_are_of_what_they_are_said_of() -> None:
    walkers = rescues().walker_cnt
    wanted = [int((walkers < 2).sum()), int(walkers.between(2, 4).sum()), int((walkers > 4).sum())]
    found = ask(world(), "how many rescues had fewer than 2, 2 to 4 and over 4 walkers")
    assert [row[-1] for row in found.rows()] == wanted
    assert ask(world(), "how many rescues had fewer than 2, 2 to 4 and over 4 goats").table is None


def test_a_number_for_each_row_is_kept_by_month() -> None:
    held = rescues()
    by_day = held.groupby(held.called_at.dt.day_of_week + 1)
    assert read("demerits per rescue by day of the week", dict(by_day.demerit_pts.mean())) == "right"


def test_more_in_an_amount_is_a_higher_one() -> None:
    held = rescues()
    cost = held.groupby(held.stop_search == "Y").cost_eur.mean()
    found = ask(world(), "do rescues with a stop and search take more in cost than those without")
    assert {row[-1] for row in found.rows()} == set(cost)
    assert found.answer.text.startswith("**Yes**" if cost[True] > cost[False] else "**No**")


def test_a_kind_that_nothing_is_called_by_is_never_a_group_of_none() -> None:
    assert ask(world(), "which lighthouses have never had a fatality").table is None


def test_what_is_slower_is_a_time_and_no_amount() -> None:
    asked = ask(world(), "does a higher slope go along with a slower cost")
    assert asked.table is None or set(asked.table.column_names) != {"slope_deg", "cost_eur"}
