"""Which database a piece of SQL was written for, told from what DuckDB does not know and few others do.

Each mark is the set of dialects that know a function, a type or a way to quote; what all marks of a model have in
common is what it can be. Nothing that DuckDB itself understands is a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ... import patterns as re
from ...records import dataclass

__all__ = ["MARKED_CALLS", "Mark", "marks"]

_PRESTO = ("trino", "presto", "athena")
_SPARK = ("databricks", "spark", "hive")
_CLOUD = ("snowflake", "databricks")

#: function → the dialects that have it; DuckDB has none of them
MARKED_CALLS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("safe_divide", "safe_cast", "format_date", "format_timestamp", "parse_timestamp", "parse_date",
         "timestamp_trunc", "datetime_trunc", "timestamp_diff", "datetime_diff", "timestamp_add", "timestamp_sub",
         "datetime_add", "datetime_sub", "generate_date_array", "regexp_contains", "approx_quantiles"),
        ("bigquery",),
    ),
    **dict.fromkeys(("div0", "div0null", "to_timestamp_ntz", "to_timestamp_ltz", "object_construct"), ("snowflake",)),
    **dict.fromkeys(("iff", "zeroifnull", "nullifzero", "to_varchar", "try_to_number", "try_to_date"), _CLOUD),
    **dict.fromkeys(("convert_timezone",), ("snowflake", "redshift", "databricks")),
    **dict.fromkeys(("dateadd", "getdate", "charindex"), ("snowflake", "redshift", "tsql", "databricks")),
    **dict.fromkeys(("timestampdiff",), ("mysql", "snowflake", "databricks")),
    **dict.fromkeys(("str_to_date", "curdate"), ("mysql",)),
    **dict.fromkeys(("unix_timestamp",), ("mysql", *_SPARK)),
    **dict.fromkeys(("from_unixtime",), ("mysql", *_PRESTO, *_SPARK)),
    **dict.fromkeys(("date_format",), ("mysql", *_PRESTO, *_SPARK)),
    **dict.fromkeys(("date_parse", "approx_distinct", "from_iso8601_timestamp"), _PRESTO),
    **dict.fromkeys(("json_extract_scalar",), ("bigquery", *_PRESTO)),
    **dict.fromkeys(("get_json_object", "collect_list", "collect_set"), _SPARK),
    **dict.fromkeys(("isnull",), ("tsql",)),
    **dict.fromkeys(("to_char",), ("postgres", "redshift", "snowflake", "oracle")),
    **dict.fromkeys(("nvl", "nvl2"), ("snowflake", "redshift", "oracle", "databricks", "spark")),
    **dict.fromkeys(
        ("toDate", "toDateTime", "toYYYYMM", "toString", "toFloat64", "toStartOfDay", "toStartOfWeek",
         "toStartOfMonth", "toStartOfQuarter", "toStartOfYear", "toStartOfHour", "toMonday", "uniqExact", "sumIf",
         "avgIf", "multiIf", "formatDateTime", "arrayJoin", "toInt32", "toInt64", "toUInt32", "toUInt64"),
        ("clickhouse",),
    ),
}  # fmt: skip
_UNITS = "year|quarter|month|week|isoweek|day|hour|minute|second"
_SHAPES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\b(?:FLOAT64|BIGNUMERIC)\b", re.IGNORECASE), ("bigquery",)),
    (re.compile(r"\btimestampdiff\s*\(\s*'", re.IGNORECASE), ("snowflake",)),
    (
        re.compile(rf"\bdatediff\s*\(\s*(?:{_UNITS})\s*,", re.IGNORECASE),
        ("snowflake", "redshift", "tsql", "databricks"),
    ),
    # BigQuery has the unit last and without quotes.
    (re.compile(rf"\bdate_(?:trunc|diff)\s*\(.{{1,200}}?,\s*(?:{_UNITS})\s*\)", re.IGNORECASE), ("bigquery",)),
    # Java's patterns have no %, those of MySQL and Presto have.
    (re.compile(r"\bdate_format\s*\([^()]+,\s*'[^'%]*'", re.IGNORECASE), _SPARK),
    (re.compile(r"\bdate_format\s*\([^()]+,\s*'[^']*%", re.IGNORECASE), ("mysql", *_PRESTO)),
    (re.compile(r"`[^`]*[.-][^`]*`"), ("bigquery",)),
    (re.compile(r"`\w+`"), ("bigquery", "mysql", "clickhouse", *_SPARK)),
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_QUOTED_NAME = re.compile(r"\.\s*\"[A-Za-z_]")
_WITH_DOUBLE_QUOTES = (
    "athena", "clickhouse", "oracle", "postgres", "presto", "redshift", "snowflake", "sqlite", "trino", "tsql",
)  # fmt: skip
_BRACES = re.compile(r"\{[^{}]*\}")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
# ClickHouse's names know case: todate() is no function of its.
_FOLDED = {name.lower(): dialects for name, dialects in MARKED_CALLS.items() if name == name.lower()}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something of a piece of SQL that only ``dialects`` know; ``decides`` unless it merely narrows the choice."""

    text: str
    dialects: tuple[str, ...]
    decides: bool = True


def marks(sql: str) -> Iterable[Mark]:
    """The marks in a piece of SQL; what stands in text literals is none, but for the patterns of dates."""
    sql = _BRACES.sub("x", sql)
    bare = _LITERAL.sub("''", sql)
    for call in _CALL.finditer(bare):
        dialects = MARKED_CALLS.get(call[1]) or _FOLDED.get(call[1].lower())
        if dialects is not None:
            yield Mark(call[1], dialects)
    for pattern, dialects in _SHAPES:
        match = pattern.search(sql)
        if match is not None:
            yield Mark(match[0], dialects)
    if _QUOTED_NAME.search(bare):
        # DuckDB has names in double quotes too.
        yield Mark('"', _WITH_DOUBLE_QUOTES, decides=False)
