"""Rolling windows and shifts in time of every kind in one query, against a join of periods and rows written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from .layers import opened, rows

WINDOWS = {
    "running": ("{trailing: unbounded}", "moment < s + step"),
    "coming": ("{leading: unbounded}", "moment >= s + step"),
    "from_now": ("{leading: unbounded, offset: start}", "moment >= s"),
    "all_of_it": ("{trailing: unbounded, leading: unbounded}", "moment IS NOT NULL"),
    "last_45": ("{trailing: 45 days}", "moment >= s + step - INTERVAL 45 DAY AND moment < s + step"),
    "before": ("{trailing: 2 months, offset: start}", "moment >= s - INTERVAL 2 MONTH AND moment < s"),
    "around": ("{trailing: 1 month, leading: 1 month}", "moment >= s + step - INTERVAL 1 MONTH AND moment < s + step + INTERVAL 1 MONTH"),
    "quarter": ("{type: to_date, granularity: quarter}", "moment >= date_trunc('quarter', s) AND moment < s + step"),
    "fiscal": ("{type: to_date, granularity: fiscal_year}",
               "moment >= date_trunc('year', s + INTERVAL 3 MONTH) - INTERVAL 3 MONTH AND moment < s + step"),
}  # fmt: skip
MEASURES = "".join(
    f"""
      - {{name: {name}, type: sum, sql: n, rolling_window: {window}}}
      - {{name: {name}_words, type: count_distinct, sql: word, rolling_window: {window}}}"""
    for name, (window, _) in WINDOWS.items()
)
MODEL = f"""
cubes:
  - name: x
    sql_table: x
    joins: [{{name: notes, relationship: one_to_many, sql: "{{CUBE}}.id = {{notes}}.x_id"}}]
    dimensions:
      - {{name: id, sql: id, type: number, primary_key: true}}
      - {{name: kind, sql: kind, type: string}}
      - name: moment
        sql: moment
        type: time
        granularities:
          - {{name: fiscal_year, interval: 1 year, offset: -3 months}}
          - {{name: fortnight, interval: 2 weeks, origin: "2024-01-01"}}
    measures:
      - {{name: n, type: sum, sql: n}}{MEASURES}
      - {{name: fiscal_before, type: number, sql: "{{fiscal}}", multi_stage: true, time_shift: [{{interval: 1 year, type: prior}}]}}
      - {{name: running_next, type: number, sql: "{{running}}", multi_stage: true, time_shift: [{{interval: 1 month, type: next}}]}}
      - {{name: of_fiscal, type: number, sql: "1.0 * {{fiscal}} / {{running}}"}}
  - name: notes
    sql_table: notes
    dimensions: [{{name: id, sql: id, type: number, primary_key: true}}, {{name: tone, sql: tone, type: string}}]
views:
  - name: v
    cubes: [{{join_path: x, includes: "*"}}, {{join_path: x.notes, includes: [tone]}}]
"""
MOMENTS = ["2023-01-10", "2023-09-30", "2023-10-01", "2023-12-31 23:59", "2024-01-01", "2024-01-31 12:00", "2024-02-29",
           "2024-05-05", "2024-05-31 23:30", "2024-10-01", None, "2024-11-15"]  # fmt: skip
X = pd.DataFrame(
    {
        "id": range(len(MOMENTS)),
        "moment": pd.to_datetime(MOMENTS, format="mixed"),
        "n": [2**i for i in range(len(MOMENTS))],
        "word": ["a", "b", "a", "c", "b", "a", None, "d", "a", "a", "z", "b"],
        "kind": ["k", "k", "m", "k", "m", "m", "k", "k", "m", None, "k", "k"],
    }
)
NOTES = pd.DataFrame({"id": range(8), "x_id": [0, 0, 4, 4, 5, 7, 7, 11], "tone": list("ababaabb")})
TABLES = {"x": X, "notes": NOTES}


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as layer:
        yield layer


def by_hand(sql: str, x: pd.DataFrame = X) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        connection.register("x", x)
        connection.register("notes", NOTES)
        found = connection.execute(sql).fetchall()
    return [tuple(v.isoformat()[:10] if hasattr(v, "isoformat") else _number(v) for v in row) for row in found]


def _number(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else int(value) if value == int(value) else float(value)


def windowed(name: str, what: str, series: str, step: str, source: str = "x") -> str:
    on = WINDOWS[name][1].replace("step", step)
    return (
        f"(SELECT {what} FROM {source} WHERE {on})".replace("s +", "p.s +")
        .replace(">= s", ">= p.s")
        .replace("< s", "< p.s")
        .replace("', s", "', p.s")
    )


@pytest.mark.parametrize(
    ("grain", "step", "low", "high"),
    [
        ("month", "INTERVAL 1 MONTH", "2023-08-01", "2024-12-01"),
        ("quarter", "INTERVAL 3 MONTH", "2023-01-01", "2025-01-01"),
        ("week", "INTERVAL 7 DAY", "2024-01-01", "2024-03-11"),
        ("fortnight", "INTERVAL 14 DAY", "2023-12-18", "2024-06-17"),
        ("fiscal_year", "INTERVAL 1 YEAR", "2022-10-01", "2025-10-01"),
    ],
)
@pytest.mark.parametrize("relation", ["x", "v"])
def test_all_windows_at_once(layer: SemanticLayer, relation: str, grain: str, step: str, low: str, high: str) -> None:
    names = list(WINDOWS)
    asked = ", ".join(f"MEASURE({name}), MEASURE({name}_words)" for name in names)
    shown = ", ".join(
        f"{windowed(n, 'sum(n)', grain, step)}, {windowed(n, 'CASE WHEN count(*) > 0 THEN count(DISTINCT word) END', grain, step)}"
        for n in names
    )
    series = f"generate_series(TIMESTAMP '{low}', TIMESTAMP '{high}' - INTERVAL 1 SECOND, {step})"
    expected = by_hand(f"SELECT * FROM (SELECT p.s, {shown} FROM (SELECT UNNEST({series}) AS s) p) AS t ORDER BY 1")
    expected = [row for row in expected if any(value is not None for value in row[1:])]
    got = rows(
        layer,
        f"SELECT date_trunc('{grain}', moment), {asked} FROM {relation} WHERE moment >= '{low}' AND moment < '{high}' "
        "GROUP BY 1 ORDER BY 1",
    )
    assert [row for row in got if any(value is not None for value in row[1:])] == expected


def test_beside_rows_that_a_join_repeats(layer: SemanticLayer) -> None:
    """Two notes of one tone do not count their row twice, in any window."""
    asked = "SELECT tone, date_trunc('month', moment), MEASURE(running), MEASURE(quarter), MEASURE(n) FROM v WHERE tone = 'a' AND moment < '2024-07-01' AND moment >= '2023-12-01' GROUP BY 1, 2 ORDER BY 2"
    noted = "(SELECT * FROM x WHERE id IN (SELECT x_id FROM notes WHERE tone = 'a'))"
    series = "generate_series(TIMESTAMP '2023-12-01', TIMESTAMP '2024-06-01', INTERVAL 1 MONTH)"
    step = "INTERVAL 1 MONTH"
    expected = by_hand(
        f"SELECT 'a', p.s, {windowed('running', 'sum(n)', '', step, noted)}, {windowed('quarter', 'sum(n)', '', step, noted)}, "
        f"(SELECT sum(n) FROM {noted} WHERE date_trunc('month', moment) = p.s) FROM (SELECT UNNEST({series}) AS s) p ORDER BY 2"
    )
    assert rows(layer, asked) == expected


@pytest.mark.parametrize(
    ("where", "running", "fiscal", "coming"),
    [
        ("moment < '2024-02-01'", "moment < '2024-02-01'", "moment >= '2023-10-01' AND moment < '2024-02-01'", "moment >= '2024-02-01'"),
        ("moment >= '2024-01-01' AND moment < '2024-11-01'", "moment < '2024-11-01'", "moment >= '2024-10-01' AND moment < '2024-11-01'", "moment >= '2024-11-01'"),
        ("kind = 'k' AND moment < '2024-06-01'", "kind = 'k' AND moment < '2024-06-01'", "kind = 'k' AND moment >= '2023-10-01' AND moment < '2024-06-01'", "kind = 'k' AND moment >= '2024-06-01'"),
    ],
)  # fmt: skip
def test_without_a_time_among_the_keys(
    layer: SemanticLayer, where: str, running: str, fiscal: str, coming: str
) -> None:
    asked = f"SELECT MEASURE(running), MEASURE(fiscal), MEASURE(coming), MEASURE(running_words) FROM x WHERE {where}"
    shown = ", ".join(f"(SELECT sum(n) FROM x WHERE {w})" for w in (running, fiscal, coming))
    assert rows(layer, asked) == by_hand(f"SELECT {shown}, (SELECT count(DISTINCT word) FROM x WHERE {running})")
    grouped = f"SELECT kind, MEASURE(running) FROM x WHERE {where} GROUP BY 1 ORDER BY 1"
    assert rows(layer, grouped) == by_hand(f"SELECT kind, sum(n) FROM x WHERE {running} GROUP BY 1 ORDER BY 1")


def test_without_any_bound(layer: SemanticLayer) -> None:
    assert rows(layer, "SELECT MEASURE(running), MEASURE(coming) FROM x") == by_hand("SELECT sum(n), sum(n) FROM x")
    assert rows(layer, "SELECT MEASURE(running) FROM x WHERE moment >= '2024-05-01'") == by_hand(
        "SELECT sum(n) FROM x WHERE moment IS NOT NULL"
    )
    with pytest.raises(InvalidQuery, match="runs over time"):
        rows(layer, "SELECT MEASURE(last_45) FROM x")
    with pytest.raises(InvalidQuery, match="needs an upper bound"):
        rows(layer, "SELECT MEASURE(coming) FROM x WHERE moment >= '2024-05-01'")
    with pytest.raises(InvalidQuery, match="needs a lower bound"):
        rows(layer, "SELECT MEASURE(from_now) FROM x WHERE moment < '2024-05-01'")


def test_windows_moved_in_time_and_calculated_with(layer: SemanticLayer) -> None:
    """What a window was a year before, and what a running total will be; a year back is counted in months of rows."""
    asked = "SELECT date_trunc('month', moment), MEASURE(fiscal), MEASURE(fiscal_before), MEASURE(running_next), MEASURE(of_fiscal) FROM x WHERE moment >= '2024-10-01' AND moment < '2025-01-01' GROUP BY 1 ORDER BY 1"
    step = "INTERVAL 1 MONTH"
    fiscal, running = windowed("fiscal", "sum(n)", "", step), windowed("running", "sum(n)", "", step)
    earlier = "(SELECT * REPLACE (moment + INTERVAL 1 YEAR AS moment) FROM x)"
    later = "(SELECT * REPLACE (moment - INTERVAL 1 MONTH AS moment) FROM x)"
    expected = by_hand(
        f"SELECT p.s, {fiscal}, {windowed('fiscal', 'sum(n)', '', step, earlier)}, {windowed('running', 'sum(n)', '', step, later)}, "
        f"round(1.0 * {fiscal} / {running}, 6) FROM (SELECT UNNEST([TIMESTAMP '2024-10-01', TIMESTAMP '2024-11-01', TIMESTAMP '2024-12-01']) AS s) p ORDER BY 1"
    )
    assert rows(layer, asked) == expected


def test_a_policy_hides_rows_from_every_window() -> None:
    policy = '    access_policy: [{group: "*", row_level: {filters: [{member: kind, operator: equals, values: ["{ userAttributes.kind }"]}]}}]\n'
    guarded = MODEL.replace("    sql_table: x\n", "    sql_table: x\n" + policy)
    asker = SecurityContext(user_attributes={"kind": "k"})
    asked = [
        "SELECT date_trunc('month', moment), MEASURE(running), MEASURE(coming_words), MEASURE(fiscal_before) FROM v GROUP BY 1 ORDER BY 1",
        "SELECT MEASURE(running), MEASURE(coming) FROM x WHERE moment < '2024-02-01'",
    ]
    with opened(guarded, TABLES) as layer, opened(MODEL, {"x": X[X.kind == "k"], "notes": NOTES}) as plain:
        for sql in asked:
            assert rows(layer, sql, asker) == rows(plain, sql)
