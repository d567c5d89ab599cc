"""A specification shows the same in the widget, behind an embed URL, in a saved notebook and as an Altair chart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDone, ToolFinished, ToolStarted
from svc_notebook.front.renderer import unpacked_renderer
from svc_notebook.results.charts import MIME, render_result

from ..results.vega.specs import SPECS
from ..results.vega.table import COLUMNS, ROWS
from ..service.service_world import ADMIN, CHAT, World, world
from .drawn_marks import MARKS, difference
from .lab import Lab
from .stage import Stage

_APART = (
    "geo", "projection",  # a map keeps its shape, so it stands elsewhere in a frame of another one
    "errorbar",  # JupyterLab's own, older Vega-Lite draws its ticks as wide as their band
)  # fmt: skip


@pytest.fixture(scope="module", params=[64, pytest.param(8, marks=pytest.mark.soak)], ids=["sample", "sixty"])
def names(request: Any) -> list[str]:
    """Every so many of the specifications; sixty and more with `make soundness`."""
    return [name for name in sorted(SPECS) if not any(word in name for word in _APART)][:: request.param]


@pytest.fixture(scope="module")
def drawing(names: list[str]) -> Iterator[World]:
    """A service whose analyst answers with a result for each specification."""
    with world() as w:

        @w.analyst.on("charts")
        async def charts(turn: Any, toolbox: Any, cancel: Any) -> Any:
            for n, name in enumerate(names):
                spec = json.dumps(SPECS[name])
                given = json.dumps({"sqlQuery": "SELECT 1", "queryTitle": name, "vegaSpec": spec})
                schema = [{"name": column.name, "column_type": column.column_type} for column in COLUMNS]
                result = {"schema": schema, "data": ROWS, "totalRows": len(ROWS), "uuid": f"r-{n}", "vegaSpec": spec}
                yield ToolStarted(f"t{n}", "svcSqlApi", given)
                yield ToolFinished(f"t{n}", "svcSqlApi", given, json.dumps(result))
            yield AnswerDone("drawn")

        yield w


@pytest.fixture(scope="module")
def answer(drawing: World) -> Iterator[svc.Answer]:
    with svc.Client(str(drawing.http.base_url), api_key=ADMIN, chat_api_url=f"{drawing.http.base_url}{CHAT}") as client:
        yield client.chat(external_id="ana").ask("charts")


def shown(page: Any, count: int, pump: Any = None) -> list[Any]:
    """The marks of each of the charts that a chat shows."""
    places = page.locator(".svc-chart")
    found = []
    for n in range(count):
        places.nth(n).scroll_into_view_if_needed()
        if pump is None:
            page.wait_for_function("(n) => document.querySelectorAll('.svc-chart')[n].dataset.drawn", arg=n)
        else:
            pump(lambda n=n: places.nth(n).get_attribute("data-drawn"))
        found.append(places.nth(n).evaluate(MARKS))
    return found


def in_the_widget(page: Any, client: svc.Client, count: int) -> list[Any]:
    stage = Stage(page, client.chat(external_id="ana"))
    stage.ask("charts")
    stage.until(lambda: stage.count(".svc-chart") == count, within=120)
    return shown(page, count, stage.until)


def in_the_embed_page(page: Any, w: World, count: int) -> list[Any]:
    session = w.session(externalId="ana").json()["sessionId"]
    page.goto(f"{w.http.base_url}/embed/d/32/chat?session={session}")
    page.get_by_label("Question", exact=True).fill("charts")
    page.keyboard.press("Enter")
    page.wait_for_function("(n) => document.querySelectorAll('.svc-chart').length === n", arg=count, timeout=120_000)
    return shown(page, count)


def in_a_saved_notebook(page: Any, lab: Lab, answer: svc.Answer, names: list[str]) -> list[Any]:
    book = nbformat.v4.new_notebook()
    for result in answer.results:
        data, metadata = render_result(result)._repr_mimebundle_()
        metadata[MIME]["embed_options"] = {**metadata[MIME]["embed_options"], "renderer": "svg"}
        data.pop("image/png", None)
        output = nbformat.v4.new_output("display_data", data, metadata=metadata)
        book.cells.append(nbformat.v4.new_code_cell("answer", outputs=[output]))
    nbformat.write(book, lab.notebooks / "charts.ipynb")
    page.goto(f"{lab.url}/lab/tree/charts.ipynb?reset", wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    found = []
    for n in range(len(names)):
        page.evaluate("(n) => window.jupyterapp.shell.currentWidget.content.scrollToItem(n)", n)
        cell = page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{n}"]')
        cell.locator(".vega-embed svg").first.wait_for(timeout=60_000)
        found.append(cell.locator(".vega-embed").first.evaluate(MARKS))
    return found


def with_altair(page: Any, answer: svc.Answer) -> list[Any]:
    page.route(
        "http://127.0.0.1:9/vega.js", lambda r: r.fulfill(body=unpacked_renderer(), content_type="text/javascript")
    )
    page.route(
        "http://127.0.0.1:9/",
        lambda r: r.fulfill(body="<!doctype html><title>Altair</title>", content_type="text/html"),
    )
    page.goto("http://127.0.0.1:9/")
    drawn = """async (spec) => { const { vegaEmbed } = await import("http://127.0.0.1:9/vega.js");
        const place = document.createElement("div"); document.body.replaceChildren(place);
        await vegaEmbed(place, spec, {renderer: "svg", actions: false}); }"""
    found = []
    for result in answer.results:
        page.evaluate(drawn, json.loads(result.chart().to_json()))
        found.append(page.locator("body").evaluate(MARKS))
    return found


def test_enough_of_them_are_drawn() -> None:
    assert len([name for name in SPECS if not any(word in name for word in _APART)]) >= 60 * 8


@pytest.mark.slow
def test_specifications_show_the_same_on_every_surface(
    browser: Any, lab: Lab, drawing: World, answer: svc.Answer, names: list[str]
) -> None:
    with browser.new_context(viewport={"width": 1100, "height": 900}) as context:
        context.set_default_timeout(60_000)
        drawings = {
            "Altair": with_altair(context.new_page(), answer),
            "embed page": in_the_embed_page(context.new_page(), drawing, len(names)),
            "saved notebook": in_a_saved_notebook(context.new_page(), lab, answer, names),
        }
        with svc.Client(
            str(drawing.http.base_url), api_key=ADMIN, chat_api_url=f"{drawing.http.base_url}{CHAT}"
        ) as client:
            drawings["widget"] = in_the_widget(context.new_page(), client, len(names))
    wrong = {
        f"{name} ({surface})": found
        for surface, marks in drawings.items()
        for name, one, other in zip(names, drawings["Altair"], marks, strict=True)
        if (found := difference(one, other))
    }
    assert wrong == {}
