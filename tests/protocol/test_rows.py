"""Arrow columns as JSON rows: exact, and readable back by their column_type."""
# ruff: noqa: DTZ001  (the wire's timestamps have no zone)

from __future__ import annotations

import datetime as dt
import math
import subprocess
import sys
from decimal import Decimal
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.protocol.rows import column_type, json_rows, parse_column_type


def one_column(values: list[Any], dtype: pa.DataType) -> list[Any]:
    return [row[0] for row in json_rows(pa.table({"x": pa.array(values, dtype)}))]


def test_integers_beyond_2_to_53_travel_as_text() -> None:
    values = [1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, None]
    assert one_column(values, pa.int64()) == [
        1, 2**53, "9007199254740993", "-9007199254740993", "9223372036854775807", None,
    ]  # fmt: skip


def test_unsigned_integers_are_decimals_on_the_wire() -> None:
    assert column_type(pa.uint64()) == "Decimal(20,0)"
    assert one_column([1, 2**64 - 1], pa.uint64()) == ["1", "18446744073709551615"]


def test_decimals_travel_as_plain_digits() -> None:
    values = [Decimal("0.0000001"), Decimal("-12.5"), None, Decimal("12345678901234567890.1234567")]
    assert one_column(values, pa.decimal128(38, 7)) == [
        "0.0000001", "-12.5000000", None, "12345678901234567890.1234567",
    ]  # fmt: skip


@pytest.mark.parametrize("times", [1, 100])
def test_what_json_cannot_say_is_null(times: int) -> None:
    """However many rows there are: few are converted in another way."""
    values = [1.5, math.nan, math.inf, -math.inf, None] * times
    assert one_column(values, pa.float64()) == [1.5, None, None, None, None] * times
    assert one_column(values, pa.float32()) == [1.5, None, None, None, None] * times
    assert one_column([2**53, 2**53 + 1, -(2**60), None] * times, pa.int64()) == [
        2**53, str(2**53 + 1), str(-(2**60)), None,
    ] * times  # fmt: skip
    for alone in (2**53 + 1, -(2**53) - 1):  # too large at one end only
        assert one_column([1, None, alone] * times, pa.int64()) == [1, None, str(alone)] * times


def test_rows_are_written_without_pandas() -> None:
    """A server has no use for it: its import holds up the first answer, and stays in memory."""
    code = (
        "import sys, pyarrow as pa, pyarrow.compute as pc; from svc_notebook.protocol.rows import json_rows; "
        "floats = pa.nulls(300, pa.float64()); json_rows(pa.table({'x': floats, 'n': pc.cast(floats, pa.int64())})); "
        "json_rows(pa.table({'x': pa.nulls(3, pa.float64())})); print('pandas' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False\n"


@pytest.mark.parametrize(
    "value, text",
    [
        (dt.datetime(2013, 1, 1, 5), "2013-01-01T05:00:00"),
        (dt.datetime(2013, 1, 1, 5, 0, 0, 250_000), "2013-01-01T05:00:00.250"),
        (dt.datetime(2013, 1, 1, 5, 0, 0, 1), "2013-01-01T05:00:00.000001"),
    ],
)
def test_timestamps_are_iso_text_without_a_zone(value: dt.datetime, text: str) -> None:
    assert one_column([value, None], pa.timestamp("us")) == [text, None]


def test_a_zoned_timestamp_shows_its_wall_clock() -> None:
    noon_utc = dt.datetime(2013, 7, 1, 12, tzinfo=dt.UTC)
    assert one_column([noon_utc], pa.timestamp("us", "America/New_York")) == ["2013-07-01T08:00:00"]


def test_other_types_travel_as_text() -> None:
    assert one_column([dt.date(2013, 1, 1), None], pa.date32()) == ["2013-01-01", None]
    assert one_column([dt.time(5, 30)], pa.time64("us")) == ["05:30:00"]
    assert one_column([b"\x01\xff"], pa.binary()) == ["01ff"]
    assert one_column(["a", "a", None], pa.dictionary(pa.int8(), pa.string())) == ["a", "a", None]
    assert one_column([None, None], pa.null()) == [None, None]


def test_limit_takes_the_first_rows_and_an_empty_table_has_none() -> None:
    table = pa.table({"x": [1, 2, 3], "y": ["a", "b", "c"]})
    assert json_rows(table, 2) == [[1, "a"], [2, "b"]]
    assert json_rows(table.slice(0, 0)) == []


@pytest.mark.parametrize(
    "name, dtype",
    [
        ("String", pa.string()), ("VARCHAR(20)", pa.string()), ("VarStr", pa.string()), ("LargeUtf8", pa.string()),
        ("Int64", pa.int64()), ("int8", pa.int64()), ("UInt32", pa.int64()), ("UInt64", pa.uint64()),
        ("BIGINT", pa.int64()),
        ("Double", pa.float64()), ("Float", pa.float64()), ("float32", pa.float64()),
        ("double precision", pa.float64()),
        ("Decimal(10,2)", pa.decimal128(10, 2)), ("decimal( 38 , 9 )", pa.decimal128(38, 9)),
        ("Decimal128(5, 5)", pa.decimal128(5, 5)),
        ("Boolean", pa.bool_()), ("BOOL", pa.bool_()),
        ("Timestamp", pa.timestamp("us")), ("timestamp(3)", pa.timestamp("us")),
        ("TIMESTAMP WITH TIME ZONE", pa.timestamp("us")),
        ("Date", pa.date32()), ("date32", pa.date32()),
        ("List", None), ("Interval", None), ("Decimal", None), ("Decimal(99,2)", None), ("", None), ("💥", None),
    ],
)  # fmt: skip
def test_column_types_are_read_in_any_case_and_width(name: str, dtype: pa.DataType | None) -> None:
    assert parse_column_type(name) == dtype


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))))
def test_integers_survive_json(values: list[int | None]) -> None:
    wire = msgspec.json.decode(msgspec.json.encode(one_column(values, pa.int64())))
    assert [None if v is None else int(v) for v in wire] == values


@given(st.lists(st.one_of(st.none(), st.decimals(-(10**20), 10**20, places=9))))
def test_decimals_survive_json(values: list[Decimal | None]) -> None:
    wire = one_column(values, pa.decimal128(38, 9))
    assert [None if v is None else Decimal(v) for v in wire] == values
    assert not any("E" in v for v in wire if v)


@given(st.lists(st.one_of(st.none(), st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 1, 1)))))
def test_timestamps_survive_iso_text(values: list[dt.datetime | None]) -> None:
    wire = one_column(values, pa.timestamp("us"))
    assert [None if v is None else dt.datetime.fromisoformat(v) for v in wire] == values
