"""Canonical types are the same however many rows there are: few are looked through here, many by Arrow."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.engine.arrow_types import canonical_table

_FAR = [dt.datetime.fromisoformat(each) for each in ("0001-01-01", "9999-12-31T23:59:59")] + [None]
COLUMNS: dict[str, tuple[list[Any], pa.DataType]] = {
    "short": ([1, -7, None, 2**15 - 1], pa.int16()),
    "int": ([None, 2**31 - 1, -(2**31), 0], pa.int32()),
    "unsigned": ([2**63 - 1, None, 0], pa.uint64()),
    "unsigned, too large": ([2**64 - 1, None, 0], pa.uint64()),
    "sum": ([Decimal(2**63 - 1), Decimal(-(2**63)), None], pa.decimal128(38, 0)),
    "sum, too large": ([Decimal(2**63), Decimal(1), None], pa.decimal128(38, 0)),
    "fraction": ([Decimal("1.50"), None], pa.decimal128(18, 2)),
    "nothing": ([None, None], pa.int32()),
    "none": ([], pa.int32()),
    "none summed": ([], pa.decimal128(38, 0)),
    "time": (_FAR, pa.timestamp("us")),
    "day": ([each and each.date() for each in _FAR], pa.date32()),
}
BEYOND = {pa.timestamp("us"): 400_000_000_000_000_000, pa.date32(): 3_000_000}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("chunks", [1, 2])
def test_few_rows_are_as_many_are(name: str, chunks: int) -> None:
    values, kind = COLUMNS[name]
    few = canonical_table(pa.table({"x": pa.chunked_array([pa.array(values, kind)] * chunks)}))["x"]
    many = canonical_table(pa.table({"x": pa.chunked_array([pa.array(values * 100, kind)] * chunks)}))["x"]
    assert few.type == many.type
    assert few.null_count * 100 == many.null_count
    assert few.to_pylist() == many.to_pylist()[: len(values)] * chunks
    few.validate(full=True)


@pytest.mark.parametrize("kind", BEYOND, ids=str)
@pytest.mark.parametrize("times", [1, 100])
def test_what_no_calendar_has_is_null_in_few_rows_and_in_many(kind: pa.DataType, times: int) -> None:
    whole = pa.int64() if kind == pa.timestamp("us") else pa.int32()
    column = pa.array([0, BEYOND[kind], None] * times, whole).view(kind)
    found = canonical_table(pa.table({"x": column}))["x"]
    assert [value is None for value in found.to_pylist()] == [False, True, True] * times
