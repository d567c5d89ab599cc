"""Which shapes of query the generators write: a table, so that what is never written is seen."""

from __future__ import annotations

import json
import re
from collections import Counter

from .grammar import Grammar
from .json_grammar import json_query

__all__ = ["FEATURES", "JSON_FEATURES", "coverage", "json_coverage"]

FEATURES = {
    "WHERE": r" WHERE ", "GROUP BY": r"GROUP BY", "HAVING": r" HAVING ", "ORDER BY": r" ORDER BY ", "LIMIT": r" LIMIT ", "OFFSET": r" OFFSET ",
    "DISTINCT": r"SELECT DISTINCT", "count distinct": r"count\(DISTINCT", "MEASURE": r"MEASURE\(", "FILTER": r"FILTER \(WHERE",
    "FILTER of a measure": r"MEASURE\([^()]*\) FILTER", "window": r" OVER \(", "QUALIFY": r"QUALIFY", "frame": r"ROWS BETWEEN",
    "JOIN": r" JOIN ", "FULL JOIN": r"FULL JOIN", "SEMI/ANTI JOIN": r" (SEMI|ANTI) JOIN", "UNION": r" UNION", "EXCEPT": r" EXCEPT ",
    "INTERSECT": r" INTERSECT ", "CTE": r"^WITH ", "shadowing CTE": r"WITH customers AS", "MATERIALIZED": r"AS MATERIALIZED",
    "derived table": r"FROM \(SELECT", "IN (SELECT)": r"IN \(SELECT", "EXISTS": r"EXISTS \(", "scalar subquery": r"[<>=] \(SELECT",
    "ANY/ALL": r"(ANY|ALL) \(SELECT", "rows of values": r"\) IN \(\(", "CASE": r"CASE WHEN", "CAST": r"CAST\(", "division": r" / ",
    "remainder": r" % ", "LIKE": r"LIKE '", "BETWEEN": r" BETWEEN ", "IS DISTINCT FROM": r"IS (NOT )?DISTINCT FROM", "IS TRUE": r"IS (NOT )?(TRUE|FALSE)",
    "date_trunc": r"date_trunc\(", "date_diff": r"date_diff\(", "interval": r"INTERVAL", "AT TIME ZONE": r"AT TIME ZONE", "gap-free": r"date_trunc_gapfill",
    "custom granularity": r"fiscal_year|ten_days", "rolling window": r"\b(rolling|running)\b", "time shift": r"\bearlier\b",
    "multi-stage": r"\b(all_statuses|share)\b", "ROLLUP/CUBE/SETS": r"ROLLUP|CUBE\(|GROUPING SETS", "GROUPING()": r"GROUPING\(",
    "segment": r"\.done\b", "masked dimension": r"contact\b", "masked measure": r"contacts\b", "view of several roots": r"FROM parts",
    "view over one_to_many": r"FROM desk", "sub_query dimension": r"\b(calls|spent)\b", "measure over two cubes": r"per_ticket",
    "field of JSON": r"->>'|#>>|json_extract", "JSON has": r" \? '", "item of a list": r"tags\[\d\]", "in a list": r"ANY \(\w+\.\"?tags|list_contains",
    "lists hold": r"@> ARRAY", "how many in a list": r"(array_length|cardinality)\(",
    "hidden or absent name": r"internal_note|email|mails|no_such_member|rowid|Secret|\.pay\b",
}  # fmt: skip
JSON_FEATURES = {
    "granularity": r'"granularity"', "dateRange": r'"dateRange"', "compareDateRange": r'"compareDateRange"', "gap-free": r'"fillMissingDates": true',
    "segments": r'"segments"', "and": r'"and"', "or": r'"or"', "ungrouped": r'"ungrouped": true', "total": r'"total": true', "offset": r'"offset": 3',
    "time zone": r"Kolkata", "masked": r"contact", "hidden or absent name": r"internal_note|email|mails|no_such_member|rowid|statu\"",
}  # fmt: skip


def _counted(texts: list[str], features: dict[str, str]) -> Counter[str]:
    return Counter({name: sum(re.search(form, text) is not None for text in texts) for name, form in features.items()})


def coverage(seeds: range, depth: int = 2) -> Counter[str]:
    """How many of the generated queries have each shape."""
    return _counted([Grammar(seed, depth=depth).query() for seed in seeds], FEATURES)


def json_coverage(seeds: range) -> Counter[str]:
    return _counted([json.dumps(json_query(seed)) for seed in seeds], JSON_FEATURES)
