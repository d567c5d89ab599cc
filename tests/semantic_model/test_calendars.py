"""Calendar cubes: periods read from columns, and comparisons by the dates a calendar names; pandas is the oracle."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from .layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: sales
    sql_table: sales
    joins:
      - {name: fiscal, relationship: many_to_one, sql: "{CUBE}.day = {fiscal.day_key}"}
      - {name: items, relationship: one_to_many, sql: "{CUBE}.id = {items}.sale"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: day, sql: day, type: time}
      - {name: shop, sql: shop, type: string}
    measures:
      - {name: revenue, sql: amount, type: sum}
      - {name: sold, type: count}
      - {name: month_ago, sql: "{revenue}", type: number, multi_stage: true, time_shift: [{interval: 1 month, type: prior}]}
      - {name: week_ago, sql: "{revenue}", type: number, multi_stage: true, time_shift: [{interval: 7 days, type: prior}]}
      - {name: period_ago, sql: "{revenue}", type: number, multi_stage: true, time_shift: [{name: a_period}]}
      - {name: fortnight_on, sql: "{revenue}", type: number, time_shift: [{name: on_by_two}]}
      - {name: growth, sql: "{revenue} - {month_ago}", type: number}
      - {name: running, sql: amount, type: sum, rolling_window: {type: to_date, granularity: month}}
  - name: items
    sql_table: items
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: kind, sql: kind, type: string}
    measures:
      - {name: pieces, type: count}
  - name: fiscal
    calendar: true
    sql_table: fiscal
    dimensions:
      - {name: day_key, sql: day, type: time, primary_key: true}
      - name: day
        sql: day
        type: time
        granularities:
          - {name: month, sql: "{CUBE}.period_start", title: Period}
          - {name: quarter, sql: "{CUBE}.quarter_name"}
          - {name: pair, interval: 2 weeks, origin: "2024-01-01"}
        time_shift:
          - {interval: 1 month, type: prior, sql: "{CUBE}.period_before"}
          - {name: a_period, sql: "{CUBE}.period_before"}
          - {name: on_by_two, interval: 2 weeks, type: next}
      - {name: period, sql: "{day.month}", type: time}
views:
  - name: v
    cubes:
      - {join_path: sales, includes: "*"}
      - {join_path: sales.fiscal, prefix: true, includes: [day, period]}
      - {join_path: sales.items, includes: [kind, pieces]}
"""
DAYS = pd.date_range("2024-01-01", periods=112)


def fiscal_table() -> pd.DataFrame:
    """Periods of four weeks; each day is compared with the same one of the period before."""
    start = DAYS[0] + pd.to_timedelta(((DAYS - DAYS[0]).days // 28) * 28, unit="D")
    before = pd.Series(DAYS - pd.Timedelta(days=28)).where(DAYS[28] <= DAYS)
    names = [f"Q{1 + d.days // 56}" for d in DAYS - DAYS[0]]
    return pd.DataFrame({"day": DAYS, "period_start": start, "period_before": before, "quarter_name": names})


def sales_table() -> pd.DataFrame:
    count = 300
    offsets = [(i * 37) % 120 for i in range(count)]  # some days are past the calendar's end
    return pd.DataFrame(
        {
            "id": range(count),
            "day": DAYS[0] + pd.to_timedelta(offsets, unit="D"),
            "shop": [f"s{i % 3}" for i in range(count)],
            "amount": [(i * 7) % 101 for i in range(count)],
        }
    )


def items_table() -> pd.DataFrame:
    return pd.DataFrame({"id": range(900), "sale": [i // 3 for i in range(900)], "kind": ["a", "b", "a"] * 300})


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, {"sales": sales_table(), "fiscal": fiscal_table(), "items": items_table()}) as layer:
        yield layer


def daily() -> pd.Series:
    return sales_table().groupby("day")["amount"].sum()


def by_period(values: dict[pd.Timestamp, float]) -> dict[str, int]:
    """Values of calendar days, summed to their periods."""
    start = fiscal_table().set_index("day")["period_start"]
    frame = pd.Series({day: value for day, value in values.items() if day in start.index})
    return {k.date().isoformat(): int(v) for k, v in frame.groupby(start).sum().items()}


def test_a_period_is_the_calendar_s_column(layer: SemanticLayer) -> None:
    found = dict(rows(layer, "SELECT date_trunc('month', fiscal_day) AS p, MEASURE(revenue) FROM v WHERE fiscal_day IS NOT NULL GROUP BY 1"))  # fmt: skip
    assert found == by_period(daily().to_dict())
    assert (
        dict(rows(layer, "SELECT fiscal_period, MEASURE(revenue) FROM v WHERE fiscal_day IS NOT NULL GROUP BY 1"))
        == found
    )
    named = rows(
        layer, "SELECT DISTINCT date_trunc('quarter', fiscal_day) FROM v WHERE fiscal_day IS NOT NULL ORDER BY 1"
    )
    assert named == [("Q1",), ("Q2",)]


def test_other_granularities_are_what_they_are(layer: SemanticLayer) -> None:
    starts = [d for (d,) in rows(layer, "SELECT DISTINCT date_trunc('pair', fiscal_day) FROM v WHERE fiscal_day IS NOT NULL ORDER BY 1")]  # fmt: skip
    assert starts[:3] == ["2024-01-01", "2024-01-15", "2024-01-29"]
    year = rows(layer, "SELECT date_trunc('year', fiscal_day), COUNT(*) FROM v WHERE fiscal_day IS NOT NULL GROUP BY 1")
    assert [y for y, _ in year] == ["2024-01-01"]


@pytest.mark.parametrize("measure", ["month_ago", "period_ago"])
def test_a_comparison_takes_the_dates_the_calendar_names(layer: SemanticLayer, measure: str) -> None:
    sums = daily()
    before = fiscal_table().set_index("day")["period_before"]
    expected = by_period({day: sums.get(then, 0) for day, then in before.items() if then is not pd.NaT})
    sql = f"SELECT date_trunc('month', fiscal_day), MEASURE({measure}) AS n FROM v WHERE fiscal_day IS NOT NULL GROUP BY 1"
    assert {k: v for k, v in rows(layer, sql) if v is not None} == {k: v for k, v in expected.items() if v}


@pytest.mark.parametrize(("measure", "days"), [("week_ago", -7), ("fortnight_on", 14)])
def test_a_comparison_by_an_interval_keeps_the_calendar_s_periods(
    layer: SemanticLayer, measure: str, days: int
) -> None:
    sums = daily()
    expected = by_period({day: sums.get(day + pd.Timedelta(days=days), 0) for day in DAYS})
    sql = f"SELECT date_trunc('month', fiscal_day), MEASURE({measure}) FROM v WHERE fiscal_day IS NOT NULL GROUP BY 1"
    assert dict(rows(layer, sql)) == expected


def test_filters_mean_the_days_shown(layer: SemanticLayer) -> None:
    sums = daily()
    day = DAYS[40]
    sql = f"SELECT MEASURE(revenue), MEASURE(month_ago), MEASURE(growth) FROM v WHERE fiscal_day = '{day.date()}'"
    now, then = int(sums.get(day, 0)), int(sums.get(DAYS[12], 0))
    assert rows(layer, sql) == [(now, then, now - then)]


def test_a_comparison_beside_a_join_that_repeats_rows(layer: SemanticLayer) -> None:
    sales, before = sales_table(), fiscal_table().set_index("day")["period_before"]
    then = before[DAYS[40]]
    expected = int(sales[sales.day == then].amount.sum())
    sql = f"SELECT kind, MEASURE(month_ago) FROM v WHERE fiscal_day = '{DAYS[40].date()}' GROUP BY 1 ORDER BY 1"
    assert rows(layer, sql) == [("a", expected), ("b", expected)]


def test_the_fact_s_own_time_is_shifted_plainly(layer: SemanticLayer) -> None:
    sales = sales_table()
    months = sales.groupby(sales.day.dt.to_period("M")).amount.sum()
    sql = (
        "SELECT date_trunc('month', day) AS m, MEASURE(month_ago) FROM v GROUP BY 1 HAVING MEASURE(revenue) IS NOT NULL"
    )
    assert dict(rows(layer, sql))["2024-03-01"] == int(months[pd.Period("2024-02")])


def test_what_has_no_answer_is_refused(layer: SemanticLayer) -> None:
    for sql, said in (
        ("SELECT date_trunc('month', day), MEASURE(period_ago) FROM v GROUP BY 1", "group or filter by a time of the calendar"),
        ("SELECT date_trunc('day', fiscal_day), MEASURE(running) FROM v GROUP BY 1", "reads its periods from a calendar"),
        ("SELECT date_trunc('month', d) FROM (SELECT DISTINCT fiscal_day AS d FROM v LIMIT 5) AS s", "a column of a calendar"),
        ("SELECT date_trunc_gapfill('month', fiscal_day), MEASURE(revenue) FROM v GROUP BY 1", "is not filled"),
        ("SELECT MEASURE(running) FROM v WHERE fiscal_day < '2024-03-01'", "reads its periods from a calendar"),
        ("SELECT MEASURE(month_ago) FROM v", "group or filter by its time dimension"),
    ):  # fmt: skip
        with pytest.raises(InvalidQuery, match=said):
            layer.query(OPERATOR, sql)


def test_policies_hold_under_a_comparison() -> None:
    policy = """
    access_policy:
      - {group: "*", row_level: {filters: [{member: shop, operator: equals, values: ["{ userAttributes.shop }"]}]}}
"""
    model = MODEL.replace(
        "  - name: items\n", policy.strip("\n").replace("    access", "    access") + "\n  - name: items\n", 1
    )
    sales = sales_table()
    tables = {"sales": sales, "fiscal": fiscal_table(), "items": items_table()}
    only = {**tables, "sales": sales[sales.shop == "s1"]}
    asker = SecurityContext(user_attributes={"shop": "s1"})
    sql = "SELECT date_trunc('month', fiscal_day) AS m, MEASURE(revenue), MEASURE(month_ago), MEASURE(week_ago) FROM v GROUP BY 1 ORDER BY 1"  # fmt: skip
    with opened(model, tables) as guarded, opened(MODEL, only) as plain:
        assert rows(guarded, sql, asker) == rows(plain, sql)
