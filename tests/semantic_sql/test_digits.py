"""Numbers keep the digits they have: narrow columns in arithmetic, decimals between two values, text, seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .shop import dimension, rows

KINDS = {"id": "number", "small": "number", "short": "number", "whole": "number", "large": "number", "price": "number",
         "written": "string", "at": "time"}  # fmt: skip
TABLE = pa.table(
    {
        "id": pa.array([1, 2], pa.int64()),
        "small": pa.array([120, -128], pa.int8()),
        "short": pa.array([2**15 - 1, -(2**15)], pa.int16()),
        "whole": pa.array([2**31 - 1, -(2**31)], pa.int32()),
        "large": pa.array([2**62, 2], pa.int64()),
        "price": pa.array([Decimal("28.55"), Decimal("28.60")], pa.decimal128(10, 2)),
        "written": ["12345678901234567.89", "no"],
        "at": pa.array([datetime.fromisoformat("2024-01-01T10:00:01.5"), datetime.fromisoformat("2024-01-02")]),
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    cube = {
        "name": "facts", "sql_table": "facts", "measures": [{"name": "most", "type": "max", "sql": "small"}],
        "dimensions": [dimension(n, k, **({"primary_key": True, "public": True} if n == "id" else {})) for n, k in KINDS.items()],
    }  # fmt: skip
    opened = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"facts": TABLE}))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("expression", "first", "second"),
    [
        ("small * small", 14_400, 16_384), ("small + small", 240, -256), ("small - short", -32_647, 32_640),
        ("short * short", 32_767**2, 32_768**2), ("whole * whole", (2**31 - 1) ** 2, 2**62), ("whole * 3", (2**31 - 1) * 3, -(2**31) * 3),
        ("2000000000 + whole", 2_000_000_000 + 2**31 - 1, 2_000_000_000 - 2**31), ("-small", -120, 128), ("abs(small)", 120, 128),
        ("small * small * small", 120**3, -(128**3)), ("coalesce(small, 0) * small", 14_400, 16_384),
        ("CASE WHEN id = 1 THEN small ELSE short END * short", 120 * 32_767, 2**30), ("CAST(large - 2 AS SMALLINT) * small", None, 0),
        ("CAST(id AS INTEGER) * 2000000000", 2_000_000_000, 4_000_000_000), ("3000000 * 3000 * small", 9_000_000_000 * 120, 9_000_000_000 * -128),
        ("sum(small) OVER (ORDER BY id) * small", 14_400, 1_024), ("lag(small, 1, small) OVER (ORDER BY id) * small", 14_400, -15_360),
    ],
)  # fmt: skip
def test_whole_numbers_of_narrow_types_do_not_overflow_theirs(
    layer: SemanticLayer, expression: str, first: int | None, second: int
) -> None:
    assert rows(layer, f"SELECT {expression} AS x FROM facts ORDER BY id") == [(first,), (second,)]


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT sum(a.small * b.short) FROM facts a JOIN facts b ON a.id = b.id", 120 * 32_767 + 128 * 32_768),
        ("SELECT max(small) * max(small) FROM facts", 14_400),
        ("SELECT MEASURE(most) * MEASURE(most) FROM facts", 14_400),
        ("SELECT m * m FROM (SELECT min(small) AS m FROM facts) t", 16_384),
        ("SELECT (SELECT max(small) FROM facts) * max(small) FROM facts", 14_400),
        ("WITH t AS (SELECT small AS s FROM facts UNION ALL SELECT price FROM facts) SELECT sum(s + 1) FROM t", Decimal("53.15")),
        ("WITH t AS (SELECT small AS s FROM facts UNION ALL SELECT large FROM facts) SELECT max(s + 1) FROM t", 2**62 + 1),
        ("SELECT sum(x * 2) FROM (VALUES (1), (2.5)) AS v(x)", Decimal("7.0")),
        ("SELECT small FROM facts GROUP BY 1 HAVING small * small > 15000", -128),
    ],
)  # fmt: skip
def test_what_is_made_of_narrow_numbers_stays_what_it_is(layer: SemanticLayer, sql: str, value: Any) -> None:
    assert rows(layer, sql) == [(value,)]


def test_what_is_out_of_range_of_the_widest_is_told_in_words(layer: SemanticLayer) -> None:
    with pytest.raises(QueryError, match="out of range"):
        rows(layer, "SELECT large * 4 AS x FROM facts")


@pytest.mark.parametrize(
    "aggregate",
    ["median({})", "quantile_cont({}, 0.5)", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {})",
     "percentile_cont(0.5) WITHIN GROUP (ORDER BY {} DESC)", "median({}) OVER (PARTITION BY 1)"],
)  # fmt: skip
def test_what_lies_between_two_decimals_has_their_digits_and_more(layer: SemanticLayer, aggregate: str) -> None:
    assert rows(layer, f"SELECT {aggregate.format('price')} AS x FROM facts LIMIT 1") == [(pytest.approx(28.575),)]


def test_a_median_of_times_is_a_time(layer: SemanticLayer) -> None:
    assert rows(layer, "SELECT median(at) FROM facts") == [(datetime.fromisoformat("2024-01-01T17:00:00.750"),)]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("written::numeric", Decimal("12345678901234567.89")), ("CAST('0.1' AS decimal)", Decimal("0.1")), ("'no'::numeric", None),
        ("large::numeric", 2**62), ("price::numeric", Decimal("28.55")), ("small::numeric * 2", 240), ("NULL::numeric", None),
        ("(price / 2)::numeric", 14.275), ("id::numeric / 4", 0.25), ("(id = 1)::numeric", 1.0),
    ],
)  # fmt: skip
def test_numeric_without_a_size_keeps_every_digit(layer: SemanticLayer, expression: str, value: Any) -> None:
    assert rows(layer, f"SELECT {expression} AS x FROM facts WHERE id = 1") == [(value,)]


@pytest.mark.parametrize(
    ("part", "value"), [("second", 1.5), ("seconds", 1.5), ("milliseconds", 1500), ("microseconds", 1_500_000), ("minute", 0)]
)  # fmt: skip
def test_seconds_have_fractions(layer: SemanticLayer, part: str, value: float) -> None:
    assert rows(layer, f"SELECT EXTRACT({part} FROM at) FROM facts WHERE id = 1") == [(value,)]
    assert rows(layer, f"SELECT date_part('{part}', at) FROM facts WHERE id = 1") == [(value,)]


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("MEDIAN({CUBE}.price)", 28.575),
        ("MEDIAN({price})", 28.575),
        ("median(DISTINCT price * 1)", 28.575),
        ("QUANTILE_CONT({CUBE}.price, 0.5)", 28.575),
        ("quantile_cont({price}, [0.5, 0.25])[1]", 28.575),
        ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {CUBE}.price DESC)", 28.575),
        ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {CUBE}.price) FILTER (WHERE {CUBE}.id > 0)", 28.575),
        ("MEDIAN(COALESCE(price, small)) + {n}", 30.575),
        ("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY price)", Decimal("28.55")),
        ("DATE_DIFF('hour', MEDIAN({CUBE}.at), MAX({CUBE}.at))", 7),
        ("LENGTH(MAX('MEDIAN(price)'))", 13),
    ],
)
def test_what_the_model_takes_between_two_decimals_has_the_digits_it_needs(sql: str, value: object) -> None:
    cube = {
        "name": "facts", "sql_table": "facts",
        "dimensions": [dimension("id", "number", primary_key=True, public=True), dimension("price", "number"),
                       dimension("at", "time")],
        "measures": [{"name": "middle", "type": "number", "sql": sql}, {"name": "n", "type": "count"}],
    }  # fmt: skip
    engine = DuckDBEngine.open(None, data={"facts": TABLE})
    with closing(SemanticLayer(load_model({"cubes": [cube]}), engine)) as opened:
        [(shown,)] = rows(opened, "SELECT MEASURE(middle) AS middle FROM facts")
    assert shown == (pytest.approx(value) if isinstance(value, float) else value)
