"""One small result that every kind of chart can be drawn from."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

from svc_notebook.protocol.tools import Column

COLUMNS = [
    Column("kind", "String"),
    Column("part", "String"),
    Column("day", "Date"),
    Column("at", "Timestamp"),
    Column("n", "Int64"),
    Column("v", "Double"),
    Column("share", "Double"),
    Column("low", "Double"),
    Column("high", "Double"),
    Column("from_day", "Date"),
    Column("to_day", "Date"),
    Column("lat", "Double"),
    Column("lon", "Double"),
    Column("ok", "Boolean"),
    Column("tags", "String"),
    Column("place", "String"),
]

_KINDS, _PARTS = ("north", "east", "south", "west"), ("a", "b", "c")


def _row(i: int) -> list[Any]:
    day = date(2024, 1, 3) + timedelta(days=9 * i)
    v = round(10 * math.sin(i) + i / 3, 3)
    return [
        _KINDS[i * 7 % 4],
        _PARTS[i * 5 % 3],
        day.isoformat(),
        f"{day.isoformat()}T{i * 5 % 24:02d}:{i * 13 % 60:02d}:00",
        i * 37 % 53 + 1,
        None if i == 11 else v,
        round((i % 10) / 10 + 0.05, 3),
        round(v - 2.5, 3),
        round(v + 3.25, 3),
        day.isoformat(),
        (day + timedelta(days=5 + i % 4)).isoformat(),
        round(40 + i * 3 % 11 + 0.5, 2),
        round(-100 + i * 7 % 30 + 0.25, 2),
        i % 3 == 0,
        [f"t{i % 3}", f"t{i % 4}"],
        {"city": f"city {i % 5}", "floor": i % 7, "sizes": [i % 3, i % 5]},
    ]


ROWS: list[list[Any]] = [_row(i) for i in range(40)]


def records(times: frozenset[str] = frozenset({"day", "from_day", "to_day"})) -> list[dict[str, Any]]:
    """The rows as anybody would inline them for a standard renderer, dates as local midnight."""
    return [
        {
            column.name: f"{value}T00:00:00" if column.name in times else value
            for column, value in zip(COLUMNS, row, strict=True)
        }
        for row in ROWS
    ]
