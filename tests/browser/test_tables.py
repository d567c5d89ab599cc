"""The table of a result in the page: filtered, sorted, page by page, and copied for a sheet or a note."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pyarrow as pa

from svc_notebook.front.held_rows import HeldRows
from svc_notebook.protocol.tools import Column
from svc_notebook.results.result import Result
from svc_notebook.results.rows import rows_of_table

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat, spoken
from .stage import Stage


def opened(page: Any, rows: list[list[Any]]) -> Stage:
    result = replace(CARRIERS, uuid="p-1", rows=rows, total_rows=len(rows))
    answer = ActedAnswer("question", "Words.", status="complete", results=[result])
    stage = Stage(page, ActedChat(spoken(["ok"]), [answer], "t-1"))
    stage.until(lambda: stage.count(".svc-table") == 1)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    return stage


def first(stage: Stage) -> str:
    return str(stage.page.locator(".svc-table tbody tr").first.locator("td").first.inner_text())


def test_rows_are_paged_sorted_and_filtered_over_all_of_them(page: Any) -> None:
    stage = opened(page, [[f"C{n:02d}", n, float(n % 7)] for n in range(60)])
    assert stage.count(".svc-table tbody tr") == 25
    assert page.locator(".svc-pages").inner_text() == "1–25 of 60"
    page.get_by_role("button", name="Rows after").click()
    page.get_by_role("button", name="Rows after").click()
    assert first(stage) == "C50" and page.locator(".svc-pages").inner_text() == "51–60 of 60"
    assert page.get_by_role("button", name="Rows after").is_disabled()
    head = page.locator(".svc-sort").nth(1)
    head.click()
    head.click()
    assert first(stage) == "C59", "sorted over all rows, from the first page"
    page.locator(".svc-find").fill("c1")
    assert stage.count(".svc-table tbody tr") == 10 and first(stage) == "C19"
    assert page.locator(".svc-pages").inner_text() == "1–10 of 10 found"
    page.locator(".svc-find").fill("nowhere")
    assert page.locator(".svc-pages").inner_text() == "0–0 of 0 found"


def test_what_is_found_is_copied_and_formulas_are_text(page: Any) -> None:
    stage = opened(page, [["=1+1", 1234, -2.5], ["a|b", 2, None]])
    stage.page.get_by_role("button", name="Copy", exact=True).click()
    assert page.evaluate("window.copied").split("\n")[1:] == ["'=1+1\t1234\t-2.50", "a|b\t2\t"]
    stage.page.get_by_role("button", name="Copy as Markdown").click()
    lines = page.evaluate("window.copied").split("\n")
    assert lines[1] == "| --- | --- | --- |" and lines[3] == "| a\\|b | 2 |  |"


def test_rows_that_cannot_be_had_any_more_are_told_where_pages_are_counted(page: Any) -> None:
    rows = [[f"C{n:02d}", n, float(n % 7)] for n in range(100)]
    result = replace(CARRIERS, uuid="p-3", rows=rows, total_rows=500, can_load=True)
    answer = ActedAnswer("question", "Words.", status="complete", results=[result])
    stage = Stage(page, ActedChat(spoken(["ok"]), [answer], "t-3"))
    stage.until(lambda: stage.count(".svc-table") == 1)
    stage.conversation.past.rows = HeldRows()
    after = page.get_by_role("button", name="Rows after")
    for _ in range(3):
        after.click()
    assert page.locator(".svc-pages").inner_text() == "76–100 of 500", "rows that are here are asked of nobody"
    for name in ("Rows after", "Copy as Markdown", "Parquet"):
        page.locator(".svc-pages").evaluate("(told) => { told.textContent = ''; }")
        page.get_by_role("button", name=name, exact=True).click()
        stage.until(lambda: "ask again" in page.locator(".svc-pages").inner_text())
    assert first(stage) == "C75", "what is here stays"


def far(page: Any, count: int = 200_000) -> Stage:
    """A table whose rows are here in Python, and asked for by the page."""
    columns = [Column("id", "int64", title="Id"), Column("kind", "string", title="Kind")]
    table = pa.table({"id": range(count), "kind": [f"kind {n % 7}" for n in range(count)]})
    result = Result(sql="SELECT 1", schema=columns, data=rows_of_table(table), uuid="p-4")
    stage = Stage(
        page, ActedChat(spoken(["ok"]), [ActedAnswer("question", "Words.", status="complete", results=[result])], "t-4")
    )  # type: ignore[list-item]
    stage.until(lambda: stage.count(".svc-table") == 1)
    page.evaluate("""() => { HTMLAnchorElement.prototype.click = function () { window.saved = this; };
        URL.createObjectURL = (blob) => { window.size = blob.size; return ""; }; }""")
    return stage


def test_a_file_says_how_far_it_is_and_is_stopped_by_its_button(page: Any) -> None:
    stage = far(page)
    saved = page.locator(".svc-table-tools button", has_text="Excel")
    saved.click()
    pressed = page.get_by_role("button", name="Excel: Stop")
    assert pressed.inner_text() == "0 % · Stop", "answered at once"
    stage.until(lambda: not pressed.inner_text().startswith("0 %"))
    pressed.click()
    stage.until(lambda: stage.count("[aria-label='Excel: Stop']") == 0)
    stage.until(lambda: len(stage.conversation._tables._files) == 0)
    assert page.evaluate("window.saved") is None
    page.get_by_role("button", name="Parquet").click()
    stage.until(lambda: page.evaluate("window.saved?.download") == "result.parquet")
    assert page.evaluate("window.size") > 100_000


def test_a_look_that_takes_long_says_so_and_is_stopped(page: Any) -> None:
    stage = far(page)
    go, asked = threading.Event(), stage.conversation._tables
    rows = asked._pages
    asked._pages = lambda uuid, progress: (go.wait(20), progress(1), rows(uuid, progress))[-1]
    page.locator(".svc-sort").first.click()
    page.locator(".svc-sort").first.click()
    page.get_by_role("button", name="Stop").click()
    assert page.locator(".svc-pages").inner_text() == "1–25 of 200,000"
    assert page.locator("th").first.get_attribute("aria-sort") == "none" and first(stage) == "0"
    go.set()
    page.locator(".svc-sort").nth(1).click()
    stage.until(lambda: page.locator("td").nth(1).inner_text() == "kind 0")
    page.get_by_role("button", name="Rows after").click()
    stage.until(lambda: page.locator(".svc-pages").inner_text() == "26–50 of 200,000")


def test_a_long_title_pushes_no_column_out_of_sight(page: Any) -> None:
    title = "Share of late rides by part of the day, where the ride began " + "at 6:00, at 7:00, at 8:00, " * 9
    result = replace(CARRIERS, uuid="p-2", title=title, rows=[["evening", 1, 0.5]], total_rows=1)
    answer = ActedAnswer("question", "Words.", status="complete", results=[result])
    stage = Stage(page, ActedChat(spoken(["ok"]), [answer], "t-2"))
    stage.until(lambda: stage.count(".svc-table") == 1)
    seen = "(box) => box.scrollWidth - box.clientWidth"
    assert page.locator(".svc-table-box").evaluate(seen) <= 1
