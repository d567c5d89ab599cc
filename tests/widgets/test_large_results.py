"""A view of a large result keeps its rows in the kernel and sends what a page asks for."""

from __future__ import annotations

import io
import queue
import threading
import time
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.front.payloads import result_payload
from svc_notebook.front.table_files import OPEN
from svc_notebook.front.table_requests import TableRequests
from svc_notebook.protocol.tools import Column
from svc_notebook.results.rendering import result_bundle
from svc_notebook.results.result import Result
from svc_notebook.results.rows import rows_of_table
from svc_notebook.widgets.worker import Worker

COUNT = 1_000


@pytest.fixture
def told() -> Any:
    rows = rows_of_table(pa.table({"id": range(COUNT), "kind": [f"kind {n % 7}" for n in range(COUNT)]}))
    result = Result(sql="SELECT 1", schema=[Column("id", "int64"), Column("kind", "string")], data=rows)
    view = svc.ResultView(result)
    sent: queue.Queue[tuple[dict[str, Any], Any]] = queue.Queue()
    view.tell = lambda message, buffers=None: None if message["t"] == "ack" else sent.put((message, buffers))

    def ask(name: str, **message: Any) -> tuple[dict[str, Any], Any]:
        view._heard(view, {"t": name, "id": 5, **message}, [])
        return sent.get(timeout=60)

    ask.view = view  # type: ignore[attr-defined]
    yield ask
    view.close()


def test_a_page_is_told_how_many_rows_there_are_and_asks_for_them(told: Any) -> None:
    (shown, _) = told("sync")
    assert shown["result"]["table"]["far"] == COUNT and len(shown["result"]["table"]["rows"]) == 100
    (page, _) = told("rows", sort=0, up=False, wanted="kind 3", page=1)
    assert page["for"] == 5 and page["page"] == 1 and page["found"] == 143 and page["all"] == COUNT
    assert page["rows"][0] == ["822", "kind 3"]


def test_copies_and_files_are_of_what_is_found(told: Any) -> None:
    (copied, _) = told("copied", wanted="kind 1")
    assert copied["found"] == len(copied["rows"]) == 143
    csv = fetched(told, kind="csv", wanted="kind 1")[-1]
    assert csv.decode().splitlines()[:2] == ['"id","kind"', '1,"kind 1"'] and csv.count(b"\n") == 144


def fetched(told: Any, **look: Any) -> list[Any]:
    """A file part by part: how far it was each time, and all of it."""
    (part, buffers) = told("file", **look)
    shares, content = [], b""
    while not part.get("last"):
        shares.append(part["written"] / part["of"])
        content += buffers[0]
        (part, buffers) = told("part", file=part["file"])
    return [*shares, content]


def test_a_file_comes_in_parts_and_is_whole_in_the_end(told: Any) -> None:
    for kind, read in (("csv", pd.read_csv), ("parquet", pd.read_parquet), ("xlsx", workbook)):
        *shares, content = fetched(told, kind=kind, sort=0, up=False)
        assert shares[-1] == 1.0 and shares == sorted(shares)
        frame = read(io.BytesIO(content))
        assert list(frame.id) == list(range(COUNT))[::-1] and frame.kind[0] == "kind 5", kind


def workbook(content: io.BytesIO) -> pd.DataFrame:
    return pd.read_excel(content, sheet_name="rows", engine="calamine")


def test_a_file_that_is_stopped_or_left_lying_is_let_go(told: Any) -> None:
    (first, _) = told("file", kind="csv")
    (others, _) = [told("file", kind="parquet") for _ in range(OPEN)][-1]
    (late, buffers) = told("part", file=first["file"])
    assert late["gone"].endswith("save it again.") and buffers is None, "asked for longest ago, it made room"
    assert "gone" not in told("part", file=others["file"])[0]
    told.view._heard(told.view, {"t": "drop", "id": 9, "file": others["file"]}, [])
    assert told("part", file=others["file"])[0]["gone"]


def test_rows_that_come_are_told_of_and_stopped() -> None:
    told: queue.Queue[dict[str, Any]] = queue.Queue()
    halted = threading.Event()

    def pages(_uuid: str, progress: Any) -> Any:
        told.put({"t": "begun"})
        size = 0
        while True:  # until what is told ends it
            progress(size := size + 1_000_000)
            halted.wait(0.01)

    worker = Worker(lambda problem: told.put({"t": "problem", "message": str(problem)}))
    requests = TableRequests(lambda message, _buffers: told.put(message), pages, worker, worker)
    requests.handle({"t": "rows", "id": 7, "result": "r"})
    assert told.get(timeout=20) == {"t": "begun"}
    loading = told.get(timeout=20)
    assert loading["t"] == "loading" and loading["for"] == 7 and loading["bytes"] >= 1_000_000
    requests.handle({"t": "halt", "id": 8, "of": 7})
    done = threading.Event()
    worker.post(done.set)
    assert done.wait(20), "the worker is free again"
    assert {message["t"] for message in [told.get() for _ in range(told.qsize())]} <= {"loading"}


def test_the_first_look_makes_no_rows_that_are_not_shown() -> None:
    table = pa.table({"id": range(200_000), "kind": [f"kind {n % 7}" for n in range(200_000)]})
    columns = [Column("id", "int64"), Column("kind", "string")]
    result = Result(sql="SELECT 1", schema=columns, data=rows_of_table(table))
    began = time.process_time()
    shown = result_payload(result, paged=True)["table"]
    data, _ = result_bundle(result)
    looked = time.process_time()
    assert shown["far"] == 200_000 and len(shown["rows"]) == 100 and shown["said"] == "all 200,000 rows"
    assert "first 20 of 200,000 rows" in data["text/html"] and "first 10 of 200,000 rows" in data["text/plain"]
    assert result.first(100) == result.rows[:100]
    assert (looked - began) * 2 < time.process_time() - looked, "less than to make all of them"
