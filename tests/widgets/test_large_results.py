"""A view of a large result keeps its rows in the kernel and sends what a page asks for."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.front.payloads import result_payload
from svc_notebook.protocol.tools import Column
from svc_notebook.results.rendering import result_bundle
from svc_notebook.results.result import Result
from svc_notebook.results.rows import rows_of_table

COUNT = 1_000


@pytest.fixture
def told() -> Any:
    rows = rows_of_table(pa.table({"id": range(COUNT), "kind": [f"kind {n % 7}" for n in range(COUNT)]}))
    result = Result(sql="SELECT 1", schema=[Column("id", "int64"), Column("kind", "string")], data=rows)
    view = svc.ResultView(result)
    sent: list[tuple[dict[str, Any], Any]] = []
    view.tell = lambda message, buffers=None: sent.append((message, buffers))

    def ask(name: str, **message: Any) -> tuple[dict[str, Any], Any]:
        getattr(view, f"do_{name}")({"id": 5, **message})
        return sent[-1]

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
    (_, (csv,)) = told("file", kind="csv", wanted="kind 1")
    assert csv.decode().splitlines()[:2] == ['"id","kind"', '1,"kind 1"'] and csv.count(b"\n") == 144


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
