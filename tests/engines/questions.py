# ruff: noqa: DTZ001
"""A table of values of every kind under a policy, and questions over it: written by hand, and drawn from a seed."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from svc_notebook.semantic.context import SecurityContext

from ..semantic_sql.shop import CUBES

_WORDS = ["Ä", "a", "B", "ab", "é", " x ", "", "10", "2024-02-29", "1.50", "z", None]


def facts(rows: int = 60) -> pa.Table:
    """Values of every kind, drawn once for all."""
    draw = random.Random(24)
    some = lambda values: [draw.choice(values) for _ in range(rows)]  # noqa: E731
    days = [None if i % 9 == 0 else date(2023, 1, 1) + timedelta(days=draw.randrange(800)) for i in range(rows)]
    times = [
        None if i % 7 == 0 else datetime(2023, 1, 1) + timedelta(seconds=draw.randrange(70_000_000))
        for i in range(rows)
    ]
    return pa.table({
        "id": pa.array(range(1, rows + 1), pa.int64()),
        "word": pa.array(some(_WORDS), pa.string()),
        "region": pa.array(some(["EMEA", "APAC", None]), pa.string()),
        "whole": pa.array(some([-7, -2, 0, 1, 3, 250, None]), pa.int32()),
        "price": pa.array(some([Decimal("1.25"), Decimal("2.50"), Decimal("-0.05"), Decimal("99.99"), None]), pa.decimal128(10, 2)),
        "share": pa.array(some([0.5, 2.5, -1.5, 0.125, 1e15, 1e-5, 3.0, None]), pa.float64()),
        "flag": pa.array(some([True, False, None]), pa.bool_()),
        "day": pa.array(days, pa.date32()),
        "at": pa.array(times, pa.timestamp("us")),
    })  # fmt: skip


MODEL: dict[str, Any] = {
    "cubes": [
        *CUBES,
        {
            "name": "facts",
            "sql_table": "facts",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
                *({"name": n, "sql": n, "type": "string"} for n in ("word", "region")),
                *({"name": n, "sql": n, "type": "number"} for n in ("whole", "price", "share")),
                {"name": "flag", "sql": "flag", "type": "boolean"},
                *({"name": n, "sql": n, "type": "time"} for n in ("day", "at")),
                {"name": "band", "type": "string", "sql": "CASE WHEN price > 2 THEN 'dear' ELSE lower(word) END"},
            ],
            "measures": [
                {"name": "count", "type": "count"},
                {"name": "total", "type": "sum", "sql": "price"},
                {"name": "mean", "type": "avg", "sql": "whole"},
                {"name": "words", "type": "count_distinct", "sql": "word"},
                {"name": "per_word", "type": "number", "sql": "{total} / {words}"},
                {"name": "running", "type": "sum", "sql": "whole", "rolling_window": {"trailing": "2 month"}},
            ],
            "access_policy": [
                {
                    "group": "*",
                    "row_level": {
                        "filters": [{"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]}]
                    },
                }
            ],
        },
    ]
}

EMEA = SecurityContext("ana", frozenset(), {"region": ["EMEA"]})


BY_HAND = [
    "SELECT id, CAST(share + 1.5 AS TEXT) AS a, CAST(share * 1000 + 0.125 AS TEXT) AS b, CAST(-share / 3 AS TEXT) AS c, CAST(share * 9.3 AS TEXT) AS d FROM facts ORDER BY id",
    "SELECT id, word NOT LIKE '%a%' AS n, word NOT ILIKE 'Ä%' AS m, word NOT IN ('a', 'z') AS i, whole NOT BETWEEN 0 AND 3 AS b FROM facts ORDER BY id",
    "SELECT id, NOT flag AS n, flag IS NOT TRUE AS t, word IS DISTINCT FROM region AS d, NOT word SIMILAR TO 'a%' AS s FROM facts ORDER BY id",
    "SELECT id FROM facts WHERE whole NOT IN (SELECT id FROM orders) AND NOT EXISTS (SELECT 1 FROM orders WHERE status = 'lost') ORDER BY id",
    "SELECT word, COUNT(*) AS n FROM facts GROUP BY 1 ORDER BY 1",
    "SELECT word, upper(word), lower(word), length(word), md5(word) FROM facts ORDER BY id",
    "SELECT id, word < 'b' AS early, word LIKE '%a%' AS has, word ILIKE 'ä' AS umlaut FROM facts ORDER BY id",
    "SELECT MIN(word), MAX(word), MIN(flag), MAX(day), SUM(price), AVG(price), SUM(share), MEDIAN(whole) FROM facts",
    "SELECT id, whole / 4 AS q, whole % 4 AS m, price / 3 AS p, price * price AS pp, share * 2 AS s FROM facts ORDER BY id",
    "SELECT id, round(share) AS a, round(share, 1) AS b, round(price, 1) AS c, floor(share) AS d, trunc(price) AS e FROM facts ORDER BY id",
    "SELECT id, CAST(word AS DOUBLE) AS d, CAST(word AS INTEGER) AS i, CAST(word AS DATE) AS t, CAST(word AS BOOLEAN) AS b FROM facts ORDER BY id",
    "SELECT id, CAST(-share * 0 AS TEXT) AS n, CAST(round(-0.3 * share) AS TEXT) AS r, CAST(round(-0.04 * share, 1) AS TEXT) AS o, concat(sqrt(0) / -CAST(id AS DOUBLE)) AS d FROM facts ORDER BY id",
    "SELECT id, CAST(share AS TEXT) AS s, CAST(price AS TEXT) AS p, CAST(whole AS TEXT) AS w, CAST(at AS TEXT) AS t FROM facts ORDER BY id",
    "SELECT id, CAST(share AS INTEGER) AS i, CAST(share AS DECIMAL(10, 2)) AS d, CAST(price AS INTEGER) AS p FROM facts ORDER BY id",
    "SELECT id, date_trunc('month', day) AS m, date_trunc('week', at) AS w, extract(dow FROM day) AS d, extract(second FROM at) AS s FROM facts ORDER BY id",
    "SELECT id, at + INTERVAL '1 month' AS n, day + 3 AS d, at - INTERVAL '36 hours' AS e FROM facts ORDER BY id",
    "SELECT id, date_diff('month', day, at) AS m, date_diff('week', day, at) AS w, date_diff('hour', day, at) AS h, day - DATE '2023-01-01' AS d FROM facts ORDER BY id",
    "SELECT id, to_char(at, 'YYYY-MM-DD HH24:MI') AS a, to_char(day, 'Day, DD Month') AS b, to_char(at, '\"Q\"Q IYYY-IW') AS c FROM facts ORDER BY id",
    "SELECT date_trunc_gapfill('month', day) AS m, COUNT(*), SUM(price) FROM facts WHERE day >= '2023-02-01' AND day < '2024-02-01' GROUP BY 1 ORDER BY 1",
    "SELECT region, MEASURE(total), MEASURE(per_word), MEASURE(mean) FROM facts GROUP BY 1 ORDER BY 1",
    "SELECT date_trunc('month', day) AS m, MEASURE(running) FROM facts WHERE day >= '2023-02-01' AND day < '2023-09-01' GROUP BY 1 ORDER BY 1",
    "SELECT region, flag, COUNT(*) FROM facts GROUP BY ROLLUP (region, flag) ORDER BY 1, 2, 3",
    "SELECT id, row_number() OVER (PARTITION BY region ORDER BY price DESC, id) AS r, lag(whole) OVER (ORDER BY id) AS l FROM facts ORDER BY id",
    "SELECT id, SUM(whole) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM facts ORDER BY id",
    "SELECT country, COUNT(*), AVG(amount) FROM customers CROSS JOIN orders GROUP BY 1 ORDER BY 1",
    "SELECT status, MEASURE(count) FROM orders WHERE placed_at >= '2024-01-01' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2",
    "SELECT date_trunc('fiscal_year', placed_at) AS y, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT date_trunc('odd', placed_at) AS y, date_trunc('sunday_week', placed_at) AS w FROM orders ORDER BY id",
    "SELECT country, MEASURE(avg_orders) FROM customers GROUP BY 1 ORDER BY 1",
    "SELECT word FROM facts WHERE whole > 0 UNION SELECT region FROM facts ORDER BY 1",
    "SELECT NULL AS a, word AS b FROM facts UNION ALL SELECT whole, NULL FROM facts",
    "SELECT band, COUNT(*) FILTER (WHERE flag) AS f, string_agg(DISTINCT region, ',') AS r FROM facts GROUP BY 1 ORDER BY 1",
    "SELECT id, concat(word, whole) AS c, word || region AS d, concat_ws('-', word, region) AS e, substring(word, 1, 2) AS s FROM facts ORDER BY id",
    "SELECT id, greatest(whole, price) AS g, least(day, at) AS l, coalesce(word, 'none') AS c, nullif(whole, 0) AS n FROM facts ORDER BY id",
    "SELECT count(*) FROM facts WHERE word ~ '^[a-z]+$' AND NOT word SIMILAR TO 'a%'",
    "SELECT id FROM facts WHERE id IN (SELECT whole FROM facts) AND EXISTS (SELECT 1 FROM orders WHERE status = 'paid') ORDER BY id",
    "SELECT percentile_cont(0.3) WITHIN GROUP (ORDER BY price) AS c, percentile_disc(0.3) WITHIN GROUP (ORDER BY word) AS d FROM facts",
    "SELECT n FROM generate_series(1, 5) AS g(n) ORDER BY n",
    "SELECT stddev(share), var_pop(price), corr(whole, price), covar_samp(whole, share) FROM facts",
    "SELECT id, row_number() OVER (ORDER BY id) AS r FROM facts QUALIFY row_number() OVER (PARTITION BY region ORDER BY id) = 1 ORDER BY id",
]

MORE = [
    "SELECT n FROM generate_series(DATE '2024-01-31', DATE '2024-06-30', INTERVAL '1 month') AS g(n) ORDER BY n",
    "SELECT n FROM generate_series(DATE '2024-06-30', DATE '2024-01-31', INTERVAL '-1 month') AS g(n) ORDER BY n",
    "SELECT n FROM generate_series(10, 1, -3) AS g(n) ORDER BY n",
    "SELECT n FROM generate_series(5, 1) AS g(n) ORDER BY n",
    "SELECT id, at AT TIME ZONE 'Europe/Berlin' AS t FROM facts ORDER BY id",
    "SELECT TIMESTAMP '2024-10-27 02:30:00' AT TIME ZONE 'Europe/Berlin' AS t, TIMESTAMP '2024-03-31 02:30:00' AT TIME ZONE 'Europe/Berlin' AS u",
    "SELECT id, sqrt(share) AS s FROM facts ORDER BY id",
    "SELECT id, sqrt(abs(share)) AS s, ln(abs(share)+1) AS l, exp(whole/100) AS e, power(whole, 2) AS p FROM facts ORDER BY id",
    "SELECT id, left(word, -1) AS a, right(word, -1) AS b, left(word, whole) AS c, right(word, 2) AS d, substring(word, 0, 2) AS e FROM facts ORDER BY id",
    "SELECT id, SUM(id) OVER (PARTITION BY region) AS s, AVG(whole) OVER (ORDER BY id) AS a, COUNT(*) FILTER (WHERE flag) OVER (ORDER BY id) AS c FROM facts ORDER BY id",
    "SELECT SUM(id * 4000000000000000) AS s, SUM(DISTINCT id) AS d FROM facts",
    "SELECT SUM(id * 900000000000000000) AS s FROM facts WHERE id < 10",
    "SELECT id, word ~ 'a$' AS e, word ~ '^.b' AS d, word ~* 'A' AS i FROM facts ORDER BY id",
    "SELECT id, split_part(word, '-', 2) AS s, split_part(word, '.', -1) AS t, md5(word) AS m, ascii(word) AS a, position('b' in word) AS p, translate(word, 'ab', 'xy') AS tr FROM facts ORDER BY id",
    "SELECT dayname(day) AS d, monthname(day) AS m, COUNT(*) FROM facts GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT id, to_char(at, 'Day') AS d, to_char(at, 'Mon YYYY') AS m, to_char(at, 'IYYY-IW-ID') AS w, to_char(at, 'HH12:MI AM') AS h, to_char(at, 'DDD') AS j FROM facts ORDER BY id",
    "SELECT id, extract(week FROM at) AS w, extract(isodow FROM day) AS i, extract(epoch FROM at) AS e, extract(doy FROM day) AS y, extract(quarter FROM at) AS q, extract(millisecond FROM at) AS ms, extract(isoyear FROM day) AS iy FROM facts ORDER BY id",
    "SELECT region, percentile_cont(0.9) WITHIN GROUP (ORDER BY share DESC) AS p, MEDIAN(price) AS m, bool_or(flag) AS b, count(DISTINCT word) FILTER (WHERE whole > 0) AS c FROM facts GROUP BY 1 ORDER BY 1",
    "SELECT region, ntile(3) OVER (ORDER BY id) AS n, rank() OVER (ORDER BY price) AS r, lead(word, 2, 'none') OVER (ORDER BY id) AS l, first_value(word) OVER (PARTITION BY region ORDER BY id) AS f, nth_value(id, 2) OVER (ORDER BY id) AS nv FROM facts ORDER BY id",
    "SELECT grouping(region) AS g, region, flag, SUM(price) FROM facts GROUP BY GROUPING SETS ((region, flag), (region), ()) ORDER BY 1, 2, 3, 4",
    "SELECT grouping(region, flag) AS g, region, flag, SUM(price) FROM facts GROUP BY CUBE (region, flag) ORDER BY 1, 2, 3, 4",
    "SELECT DISTINCT ON (region) region, id FROM facts ORDER BY region, id",
    "SELECT id FROM facts WHERE whole = ANY (SELECT id FROM orders) ORDER BY id",
    "SELECT id FROM facts WHERE word <> ALL (SELECT region FROM facts WHERE region IS NOT NULL) ORDER BY id",
    "SELECT f.id, (SELECT MAX(g.price) FROM facts g WHERE g.region = f.region AND g.id < f.id) AS m FROM facts f ORDER BY f.id",
    "SELECT f.id FROM facts f WHERE EXISTS (SELECT 1 FROM facts g WHERE g.id > f.id AND g.word = f.word) ORDER BY f.id",
    "SELECT f.id, l.m FROM facts f CROSS JOIN LATERAL (SELECT MAX(g.id) AS m FROM facts g WHERE g.region = f.region) AS l ORDER BY f.id",
    "WITH facts AS (SELECT 1 AS id) SELECT * FROM facts",
    "WITH a AS (SELECT region, SUM(price) AS t FROM facts GROUP BY 1), b AS (SELECT AVG(t) AS m FROM a) SELECT a.region, a.t > b.m AS above FROM a CROSS JOIN b ORDER BY 1",
    "SELECT id FROM facts ORDER BY share DESC NULLS FIRST, id LIMIT 5 OFFSET 3",
    "SELECT word FROM facts EXCEPT SELECT region FROM facts ORDER BY 1",
    "SELECT word FROM facts INTERSECT SELECT word FROM facts WHERE whole > 0 ORDER BY 1",
    "SELECT id, trunc(share) AS a, ceil(share) AS b, round(share * 100, 2) AS c, round(whole, -1) AS d, ceil(price) AS e, trunc(price, 1) AS f, sign(share) AS g, mod(whole, 3) AS h FROM facts ORDER BY id",
    "SELECT id, at::date AS d, day::timestamp AS t, whole::boolean AS b, flag::int AS f, price::int AS p, share::bigint AS s FROM facts ORDER BY id",
    "SELECT id, date_diff('quarter', day, at) AS q, date_diff('year', day, at) AS y, date_diff('minute', day, at) AS m, date_trunc('quarter', at) AS dq, date_trunc('minute', at) AS dm FROM facts ORDER BY id",
    "SELECT id, at - day AS i FROM facts ORDER BY id",
    "SELECT id, date_bin(INTERVAL '15 minutes', at, TIMESTAMP '2000-01-01') AS b FROM facts ORDER BY id",
    "SELECT id, at + whole * INTERVAL '1 day' AS a, day - INTERVAL '1 year' AS b, last_day(day) AS c FROM facts ORDER BY id",
    "SELECT id FROM facts WHERE day BETWEEN '2023-05-01' AND '2024-01-01' AND at > '2023-07-01' ORDER BY id",
    "SELECT CAST('abc' AS INTEGER) AS x, CAST('12.7' AS INTEGER) AS y, CAST('1e3' AS DOUBLE) AS z, CAST('2024' AS DATE) AS d",
    "SELECT id, CASE word WHEN 'a' THEN 1 WHEN 'B' THEN 2.5 END AS c, COALESCE(price, whole, 0) AS v FROM facts ORDER BY id",
    "SELECT region, string_agg(word, ', ' ORDER BY id) AS s FROM facts GROUP BY 1 ORDER BY 1",
    "SELECT id, price / nullif(whole, 0) AS r, whole // 2 AS i FROM facts ORDER BY id",
    "SELECT COUNT(*) AS n FROM facts HAVING COUNT(*) > 1000",
    "SELECT 'it''s \\ \"q\" $x ${y} `z` é🎈' AS t",
    "SELECT id FROM facts WHERE word LIKE '%\\%' OR word LIKE 'a!_%' ESCAPE '!' ORDER BY id",
    "SELECT corr(share, whole) AS c, stddev_pop(price) AS p, covar_pop(share, price) AS v FROM facts",
    "SELECT n FROM generate_series(TIMESTAMP '2024-01-01 10:00:00', TIMESTAMP '2024-01-03', INTERVAL '7 hours') AS g(n) ORDER BY n",
    "SELECT id, whole << 2 AS l FROM facts WHERE whole >= 0 ORDER BY id",
]


_VALUES = {
    "number": ["id", "whole", "price", "share", "2", "1.5", "-3"],
    "text": ["word", "region", "band", "'a'", "'Ä'"],
    "time": ["day", "at", "DATE '2024-02-29'", "TIMESTAMP '2023-03-26 01:30:00'"],
}
_MADE = {
    "number": [
        "({n} + {m})", "({n} - {m})", "({n} * {m})", "({n} / {m})", "abs({n})", "round({n}, 1)", "floor({n})", "coalesce({n}, {m})",
        "length({t})", "extract(month FROM {d})", "extract(epoch FROM {d})", "CAST({t} AS INTEGER)", "CASE WHEN {n} > {m} THEN {n} END",
        "sign({n})", "nullif({n}, {m})", "strpos({t}, 'a')", "CAST({n} AS DECIMAL(12, 3))", "date_diff('day', {d}, {e})", "sqrt({n})",
    ],
    "text": [
        "upper({t})", "lower({t})", "({t} || {u})", "concat({t}, {n})", "trim({t})", "replace({t}, 'a', 'xy')", "left({t}, 2)",
        "coalesce({t}, {u})", "CAST({n} AS TEXT)", "to_char({d}, 'YYYY-MM')", "CASE WHEN {n} < 1 THEN {t} ELSE {u} END", "lpad({t}, 4, '0')",
    ],
    "time": [
        "date_trunc('month', {d})", "({d} + INTERVAL '1 month')", "({d} - INTERVAL '3 days')", "CAST({d} AS DATE)", "greatest({d}, {e})",
        "CAST({t} AS TIMESTAMP)", "date_trunc('hour', {d})", "CASE WHEN {n} > 0 THEN {d} ELSE {e} END",
    ],
}  # fmt: skip
_TESTS = [
    "{n} > {m}",
    "{t} < {u}",
    "{d} >= {e}",
    "{t} LIKE '%a%'",
    "{t} NOT LIKE 'a%'",
    "{n} IN (1, 2.5, 3)",
    "{t} IS NULL",
    "NOT ({t} = {u})",
    "{n} BETWEEN {m} AND 5",
]


def _expression(draw: random.Random, kind: str, depth: int) -> str:
    if depth == 0 or draw.random() < 0.25:
        return draw.choice(_VALUES[kind])
    return _filled(draw, draw.choice(_MADE[kind]), depth - 1)


def _filled(draw: random.Random, form: str, depth: int) -> str:
    kinds = {"n": "number", "m": "number", "t": "text", "u": "text", "d": "time", "e": "time"}
    return form.format(**{name: _expression(draw, kind, depth) for name, kind in kinds.items()})


def drawn(seed: int) -> str:
    """A query of drawn expressions: columns, or groups with aggregates."""
    draw = random.Random(seed)
    where = f" WHERE {_filled(draw, draw.choice(_TESTS), 1)}" if draw.random() < 0.6 else ""
    if draw.random() < 0.5:
        values = [_expression(draw, draw.choice(list(_VALUES)), 3) for _ in range(3)]
        return f"SELECT id, {', '.join(f'{v} AS c{i}' for i, v in enumerate(values))} FROM facts{where} ORDER BY id"
    keys = [_expression(draw, draw.choice(list(_VALUES)), 2) for _ in range(2)]
    aggregates = [
        draw.choice(
            [
                "SUM({n})",
                "AVG({n})",
                "COUNT({t})",
                "MIN({t})",
                "MAX({d})",
                "COUNT(DISTINCT {n})",
                "MEDIAN({n})",
                "MIN({n})",
            ]
        )
        for _ in range(2)
    ]
    shown = [
        *(f"{k} AS k{i}" for i, k in enumerate(keys)),
        *(f"{_filled(draw, a, 1)} AS a{i}" for i, a in enumerate(aggregates)),
    ]
    return f"SELECT {', '.join(shown)} FROM facts{where} GROUP BY 1, 2"
