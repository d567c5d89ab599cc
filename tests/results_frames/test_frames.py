"""Rows to typed columns: exact by whichever way they came, and provenance beside them."""
# ruff: noqa: DTZ001  (results have no zone)

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svc_notebook.protocol.rows import column_type, json_rows, parse_column_type
from svc_notebook.protocol.tools import Column
from svc_notebook.results import rows as result_rows
from svc_notebook.results.frames import ResultWarning, TruncatedResult, to_frame
from svc_notebook.results.result import Result
from svc_notebook.results.rows import Rows, read_rows, rows_of_table, wire_rows

COLUMNS = [
    Column("n", "Int64"), Column("name", "String"), Column("amount", "Decimal(38,9)"), Column("share", "Double"),
    Column("yes", "Boolean"), Column("at", "Timestamp"), Column("day", "Date"),
]  # fmt: skip
TYPES = [
    pa.int64(), pa.string(), pa.decimal128(38, 9), pa.float64(), pa.bool_(), pa.timestamp("us"), pa.date32(),
]  # fmt: skip
NASTY = [
    "null",
    "true",
    "",
    " ",
    ", ",
    '"',
    "],[",
    "[[",
    "]]",
    "{",
    "\\",
    "\n",
    "\r\n",
    "\u2028",
    "1",
    "é",
    "🛫",
    ",,",
    "a,b",
    "NA",
    "NaN",
]

texts = st.one_of(st.sampled_from(NASTY), st.text(alphabet=st.characters(exclude_categories=["Cs"])))
rows = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
        st.one_of(st.none(), texts),
        st.one_of(st.none(), st.decimals(-(10**20), 10**20, places=9)),
        st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        st.one_of(st.none(), st.booleans()),
        st.one_of(st.none(), st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))),
        st.one_of(st.none(), st.dates(dt.date(1700, 1, 1), dt.date(2200, 1, 1))),
    ),
    max_size=20,
)  # fmt: skip


def table(values: list[tuple[Any, ...]]) -> pa.Table:
    by_column = list(zip(*values, strict=True)) or [()] * len(TYPES)
    arrays = [pa.array(each, kind) for each, kind in zip(by_column, TYPES, strict=True)]
    return pa.table(arrays, names=[column.name for column in COLUMNS])


def same(rows_: Rows, expected: pa.Table) -> None:
    got = pa.table(list(rows_.columns), names=list(rows_.names))
    assert got.cast(expected.schema).equals(expected)
    assert not rows_.problems


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" , ", ":"), (",\n  ", ":")])
@settings(max_examples=30)
@given(values=rows)
def test_json_gives_back_the_table_by_either_way(separators: tuple[str, str], values: list[tuple[Any, ...]]) -> None:
    expected = table(values)
    wire = json.dumps(json_rows(expected), separators=separators, ensure_ascii=False).encode()
    limit, result_rows._CSV_FROM = result_rows._CSV_FROM, 0
    try:
        same(read_rows(COLUMNS, wire), expected)  # by CSV where that is the same
    finally:
        result_rows._CSV_FROM = limit
    same(read_rows(COLUMNS, json.loads(wire)), expected)


@settings(max_examples=30)
@given(rows)
def test_rows_go_back_to_the_wire_as_they_came(values: list[tuple[Any, ...]]) -> None:
    wire = json_rows(table(values))
    assert wire_rows(read_rows(COLUMNS, wire)) == wire
    assert wire_rows(rows_of_table(table(values))) == wire


def test_the_short_cut_is_taken_for_plain_rows_and_only_for_those() -> None:
    types = [pa.int64(), pa.string()]
    taken = b'[[1,"a"],[2,null],[3,""]]'
    quick = result_rows._by_csv(("n", "s"), types, taken)
    assert quick is not None
    assert wire_rows(quick) == [[1, "a"], [2, None], [3, ""]]
    refused = [
        b'[[1,"a],[b"]]', b'[[1,"["]]', b'[[1,"\\n"]]', b'[[1,"{"]]', b"[[1,[2]]]", b"[[1,[2],3,4]]", b"[]", b"[[1]]",
        b'[[1,"a"],[2]]', b"[[1.5,null]]", b'{"a":[[1,2]]}', b"not json", b"[[1,2],3]", b'["ab","cd"]',
    ]  # fmt: skip
    for data in refused:
        assert result_rows._by_csv(("n", "s"), types, data) is None, data


def test_a_frame_has_real_types_and_real_nulls() -> None:
    frame = to_frame(read_rows(COLUMNS, [[None] * 7, [1, "a", "1.50", 0.5, True, "2013-01-01T05:00:00", "2013-01-01"]]))
    assert [str(kind) for kind in frame.dtypes] == [
        "Int64", "string", "decimal128(38, 9)[pyarrow]", "Float64", "boolean", "datetime64[us]", "datetime64[us]",
    ]  # fmt: skip
    assert frame.iloc[0].isna().all()
    assert frame["amount"].sum() == Decimal("1.5")
    assert frame["at"][1] == pd.Timestamp("2013-01-01 05:00")


def test_an_empty_result_keeps_its_types() -> None:
    frame = to_frame(read_rows(COLUMNS, b"[]"))
    assert len(frame) == 0
    assert str(frame["n"].dtype) == "Int64"


def test_numbers_as_text_are_cast_by_their_column_type() -> None:
    columns = [
        Column("i", "int32"),
        Column("x", "FLOAT"),
        Column("b", "bool"),
        Column("d", "date"),
        Column("t", "timestamp"),
    ]
    frame = to_frame(read_rows(columns, [["7", "3.5", "true", "2013-01-01T00:00:00.000", "2013-01-01T00:00:00Z"]]))
    assert frame.iloc[0].tolist() == [7, 3.5, True, pd.Timestamp("2013-01-01"), pd.Timestamp("2013-01-01")]


def test_rows_may_be_objects() -> None:
    columns = [Column("a", "Int64"), Column("b", "String")]
    frame = to_frame(read_rows(columns, [{"b": "x", "a": 1}, [2, None], {"a": 3}]))
    assert frame["a"].tolist() == [1, 2, 3]
    assert frame["b"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize(("odd", "which"), [([[2]], "1 row has"), ([[2], [3, "y", "lost"]], "2 rows have")])
def test_rows_of_another_width_are_read_and_reported(odd: list[list[Any]], which: str) -> None:
    columns = [Column("a", "Int64"), Column("b", "String")]
    with pytest.warns(ResultWarning, match=f"{which} more or fewer cells than the 2 columns"):
        frame = to_frame(read_rows(columns, [[1, "x"], *odd]))
    assert frame["a"].tolist() == [1, *(row[0] for row in odd)]


def test_what_does_not_fit_its_type_is_left_and_reported() -> None:
    with pytest.warns(ResultWarning, match="column 'n' does not keep to its type int64"):
        frame = to_frame(
            read_rows([Column("n", "Int64"), Column("s", "String")], [["many", 1], [3, {"a": 1}], [None, None]])
        )
    assert frame["n"].tolist() == ["many", 3, None]
    assert frame["s"].tolist() == ["1", '{"a": 1}', pd.NA]


def test_unknown_types_are_objects() -> None:
    frame = to_frame(read_rows([Column("xs", "List"), Column("d", "Decimal")], [[[1, 2], "1.5"], [None, None]]))
    assert frame["xs"].tolist() == [[1, 2], None]
    assert frame["xs"].dtype == object


def test_columns_of_the_same_name_stay_apart() -> None:
    frame = to_frame(read_rows([Column("n", "Int64"), Column("n", "String")], [[1, "a"]]))
    assert frame.columns.tolist() == ["n", "n"]
    assert frame.iloc[0].tolist() == [1, "a"]


def test_arrow_tables_keep_their_types_whatever_their_width() -> None:
    source = pa.table(
        {
            "i8": pa.array([1, None], pa.int8()), "u64": pa.array([2**64 - 1, 0], pa.uint64()), "f": pa.array([0.5, None], pa.float32()),
            "dict": pa.array(["a", None]).dictionary_encode(), "large": pa.array(["x", None], pa.large_string()),
            "ns": pa.array([1, None], pa.timestamp("ns")), "zoned": pa.array([0, None], pa.timestamp("us", "UTC")),
        }
    )  # fmt: skip
    frame = to_frame(rows_of_table(source))
    assert [str(kind) for kind in frame.dtypes] == [
        "Int64", "UInt64", "Float64", "string", "string", "datetime64[ns]", "datetime64[us, UTC]",
    ]  # fmt: skip


def result(**changes: Any) -> Result:
    given: dict[str, Any] = {
        "sql": "SELECT n", "schema": [Column("n", "Int64")], "data": [[1], [2]], "total_rows": 2, "uuid": "u", "whoami": "ana",
    }  # fmt: skip
    return Result(**(given | changes))


def test_where_a_frame_came_from_stands_in_its_attrs() -> None:
    attrs = result(notes=["rounded"]).to_frame().attrs
    assert (attrs["sql"], attrs["uuid"], attrs["user"], attrs["notes"]) == ("SELECT n", "u", "ana", ["rounded"])
    assert (attrs["total_rows"], attrs["truncated"]) == (2, False)
    json.dumps(attrs)  # so that a frame can be written to Parquet


def test_truncation_is_said_loudly() -> None:
    part = result(total_rows=12_345)
    assert part.truncated
    assert repr(part) == "<Result 'SELECT n': 2 of 12,345 rows, TRUNCATED × 1 columns>"
    with pytest.warns(TruncatedResult, match=r"only 2 of 12,345 rows are here; load_all\(\) fetches them all"):
        assert part.to_frame().attrs["truncated"]
    with pytest.raises(ValueError, match="no data API"):
        part.load_all()


def test_the_wire_types_of_a_table_are_read_back() -> None:
    for kind in TYPES:
        assert parse_column_type(column_type(kind)) == kind


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b"[[1],[2],[3]]",
        b"[[1.5],[NaN]]",
        b'[{"n": 1}, {"n": 2}]',
        [],
        [[1], [2]],
        [{"n": 1}],
        b"[[1,2],[],null]",
    ],
)
def test_rows_are_counted_without_making_columns_of_them(data: bytes | list[Any]) -> None:
    schema = [Column("n", "DOUBLE")]
    assert len(Result(sql="", schema=schema, data=data)) == len(read_rows(schema, data))
    assert len(Result(sql="", schema=[], data=data)) == len(read_rows([], data)) == 0
