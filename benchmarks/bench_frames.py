"""A result of 100,000 rows as a typed DataFrame: over the wire against ``json.loads`` twice, embedded against Arrow."""

from __future__ import annotations

import datetime as dt
import gc
import json
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from svc_notebook.client import Client
from svc_notebook.client.engine.asgi import EmbeddedTransport
from svc_notebook.client.wire.replies import read_data
from svc_notebook.client.wire.stream import read_frame
from svc_notebook.client.wire.transport import Reply
from svc_notebook.protocol.chat import Message, ToolCall
from svc_notebook.protocol.ndjson import encode_line
from svc_notebook.protocol.rows import column_type, json_rows
from svc_notebook.protocol.tools import Column, SqlResult, dump
from svc_notebook.results.answer import Answer, fold
from svc_notebook.results.fold import EMPTY
from svc_notebook.results.frames import to_frame
from svc_notebook.results.rows import rows_of_table

from .report import Measurement


def table(count: int) -> pa.Table:
    """Whole number, three texts, timestamp, decimal, fraction, truth."""
    start = dt.datetime(2013, 1, 1)  # noqa: DTZ001  # results have no zone
    return pa.table(
        {
            "flight": pa.array(range(count), pa.int64()),
            "carrier": pa.array([f"C{n % 16}" for n in range(count)]),
            "origin": pa.array(["EWR", "JFK", "LGA"][n % 3] for n in range(count)),
            "city": pa.array([None if n % 50 == 0 else f"City {n % 97}, ST" for n in range(count)]),
            "departure": pa.array([start + dt.timedelta(minutes=n) for n in range(count)], pa.timestamp("us")),
            "revenue": pa.array([Decimal(n) / 4 for n in range(count)], pa.decimal128(18, 2)),
            "delay": pa.array([n * 0.37 if n % 7 else None for n in range(count)], pa.float64()),
            "late": pa.array([n % 2 == 0 for n in range(count)], pa.bool_()),
        }
    )


def columns(of: pa.Table) -> list[Column]:
    return [Column(name, column_type(kind)) for name, kind in zip(of.column_names, of.schema.types, strict=True)]


def tool_line(of: pa.Table) -> bytes:
    """The frame of a tool call with all rows in it: JSON in a string in JSON."""
    result = SqlResult(sql_query="SELECT 1", schema=columns(of), data=json_rows(of), total_rows=of.num_rows, uuid="u")
    return encode_line(Message(id="t", role="assistant", tool_call=ToolCall("svcSqlApi", "{}", dump(result))))


def naive(line: bytes) -> pd.DataFrame:
    """What one writes by hand: parse twice, make a frame, and give the three columns their types."""
    result = json.loads(json.loads(line)["toolCall"]["result"])
    frame = pd.DataFrame(result["data"], columns=[column["name"] for column in result["schema"]])
    frame["departure"] = pd.to_datetime(frame["departure"])
    frame["revenue"] = pd.to_numeric(frame["revenue"])
    return frame


def untyped(line: bytes) -> pd.DataFrame:
    result = json.loads(json.loads(line)["toolCall"]["result"])
    return pd.DataFrame(result["data"], columns=[column["name"] for column in result["schema"]])


def from_chat(line: bytes) -> pd.DataFrame | None:
    return Answer(fold(read_frame(line), EMPTY)).df


def data_lines(of: pa.Table) -> bytes:
    rows = json_rows(of)
    parts = [encode_line({"data": rows[at : at + 2_000]}) for at in range(0, len(rows), 2_000)]
    return encode_line({"schema": columns(of)}) + b"".join(parts)


def from_data_lines(body: bytes) -> pd.DataFrame:
    return to_frame(read_data(Reply(200, {}, body)).rows)


def arrow_stream(of: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, of.schema) as writer:
        writer.write_table(of)
    return bytes(sink.getvalue())


def embedded_client(of: pa.Table) -> Client:
    async def sql(request: Request) -> Response:
        request.scope["extensions"]["svc.table"]["offer"](of)
        return Response(b"")

    app = Starlette(routes=[Route("/svc-api/v1/sql", sql, methods=["POST"])])
    return Client("http://svc.local", "key", transport=EmbeddedTransport(app))


def run(*, quick: bool = False) -> list[Measurement]:
    count, rounds = (20_000, 3) if quick else (100_000, 7)
    of = table(count)
    line, lines, stream = tool_line(of), data_lines(of), arrow_stream(of)
    client = embedded_client(of)
    best = _best(
        {
            "naive": lambda: naive(line),
            "untyped": lambda: untyped(line),
            "chat": lambda: from_chat(line),
            "lines": lambda: from_data_lines(lines),
            "arrow": lambda: from_data_lines(stream),
            "embedded": lambda: client.sql("SELECT 1"),
            "floor": lambda: to_frame(rows_of_table(pa.ipc.open_stream(stream).read_all())),
            "pandas": lambda: pa.ipc.open_stream(stream).read_all().to_pandas(),
        },
        rounds,
    )
    client.close()
    typed, plain = "json.loads twice, DataFrame, types", "json.loads twice, DataFrame"
    of_arrow = "Arrow stream to pandas"
    return [
        Measurement(f"{count:,} rows, data API as Arrow", best["arrow"], "ms", best["naive"], typed, 5, "higher"),
        Measurement(f"{count:,} rows, data API as Arrow", best["arrow"], "ms", best["untyped"], plain, 5, "higher"),
        Measurement(f"{count:,} rows, data API as NDJSON", best["lines"], "ms", best["naive"], typed, 3, "higher"),
        Measurement(f"{count:,} rows in a chat frame", best["chat"], "ms", best["naive"], typed, 3, "higher"),
        Measurement(f"{count:,} rows, embedded, by reference", best["embedded"], "ms", best["pandas"], of_arrow, 10),
        Measurement(
            f"{count:,} rows, embedded, by reference", best["embedded"], "ms", best["floor"], "typed Arrow", 10
        ),
    ]


def _best(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Milliseconds of the best round; in turns, so that a busy moment hits all of them."""
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            gc.collect()
            start = time.perf_counter()
            way()
            best[name] = min(best[name], (time.perf_counter() - start) * 1e3)
    return best
