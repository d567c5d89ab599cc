"""axe finds nothing to say about what answers are made of, in narrow and wide places, in light and dark."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from svc_notebook.front.payloads import result_payload

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedCall, ActedChat, spoken
from .accessibility import violations
from .conftest import settled, shot
from .stage import Stage

PANELS = {
    "mark": "bar",
    "width": 240,
    "title": {"text": "Flights and delay", "subtitle": "of each carrier"},
    "encoding": {
        "x": {"field": "flights"}, "y": {"field": "avg_delay"}, "column": {"field": "carrier"},
        "color": {"field": "avg_delay", "type": "quantitative", "scale": {"scheme": "viridis"}},
    },
}  # fmt: skip
RESULT = replace(CARRIERS, vega_spec=json.dumps(PANELS), notes=["A note. " * 12])
ANSWER = ActedAnswer(
    "How many flights?", "Words, a [link](https://example.com) and `code`.\n\n1. one\n2. two", thinking="I think. " * 300,
    status="complete", results=[RESULT], suggestions=["now by month"],
    tool_calls=[ActedCall("c-1", "svcSqlApi", {"sqlQuery": "SELECT 1", "queryTitle": "One"}, error="No.", state="failed")],
)  # fmt: skip
_OTHER_INKS = """() => { const chart = document.querySelector(".svc-chart"), ink = getComputedStyle(chart).color;
    return [...chart.querySelectorAll("svg text")].filter((text) => getComputedStyle(text).fill !== ink).map((text) => text.textContent);
}"""
_SHOW = """async (result) => {
    const { default: widget } = await import("/chat.js");
    const heard = [], el = document.createElement("div");
    const model = {get: (k) => ({uid: "alone", kind: "result"})[k], send: () => {}, on: (_, f) => heard.push(f), off: () => {}};
    document.querySelector("#stage").replaceChildren(el);
    widget.initialize({model});
    widget.render({model, el});
    for (const f of heard) f({t: "result", result}, []);
}"""


@pytest.mark.parametrize("width", [320, 1000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_answer_with_everything_open_is_accessible(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    stage = Stage(page, ActedChat(spoken(["ok"]), [ANSWER], "t-1"))
    page.evaluate("(dark) => { if (dark) document.body.style.background = '#1e1e20'; }", scheme == "dark")
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == 1)
    for summary in page.locator("summary").all():
        summary.click()
    page.locator(".svc-chart").scroll_into_view_if_needed()
    stage.until(lambda: page.locator(".svc-chart").get_attribute("data-drawn") == "true")
    settled(page)
    assert page.locator(".svc-chart").get_attribute("tabindex") == "0", "wider than its place: the keyboard scrolls it"
    assert page.evaluate(_OTHER_INKS) == [], "words of a chart in another colour than the page's: black on a dark one"
    assert violations(page, ".svc-chat") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shot(page, f"open-{scheme}-{width}")


def test_a_result_on_its_own_is_accessible(page: Any) -> None:
    for width in (320, 1000):
        page.set_viewport_size({"width": width, "height": 900})
        stage = Stage(page.context.new_page(), ActedChat(spoken(["ok"]), [ANSWER], "t-1"))
        stage.until(lambda stage=stage: stage.count(".svc-turn[data-turn]") == 1)
        stage.page.evaluate(_SHOW, result_payload(RESULT))
        stage.page.locator(".svc-evidence summary").click()
        settled(stage.page)
        assert violations(stage.page, "#stage") == []
        stage.page.close()
