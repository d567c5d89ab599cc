"""Charts in the page: one that shows nothing says so, one that nobody scrolled to is in the saved transcript all the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat, spoken
from .stage import Stage


def past(uuid: str, spec: Any) -> ActedAnswer:
    result = replace(CARRIERS, uuid=uuid, vega_spec=json.dumps(spec))
    return ActedAnswer(f"question {uuid}", "Words. " * 200, status="complete", results=[result])


def opened(page: Any, *answers: ActedAnswer) -> Stage:
    stage = Stage(page, ActedChat(spoken(["ok"]), answers, "t-1"))
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == len(answers))
    return stage


def drawn(stage: Stage, how: str) -> Any:
    place = stage.page.locator(".svc-chart").last
    place.scroll_into_view_if_needed()
    stage.until(lambda: place.get_attribute("data-drawn") == how, what=how)
    return place


BARS = {"mark": "bar", "encoding": {"x": {"field": "carrier"}, "y": {"field": "flights"}}}


def test_a_chart_that_shows_nothing_says_so_and_leaves_the_table(page: Any) -> None:
    for spec, why in (
        ({**BARS, "transform": [{"filter": "datum.flights > 1e9"}]}, "no row of the result is drawn"),
        ({**BARS, "mark": {"type": "bar", "opacity": 0}}, "its marks have no size"),
    ):
        stage = opened(page.context.new_page(), past("p-1", spec))
        place = drawn(stage, "empty")
        assert f"No chart: it would show nothing: {why}. The table has the rows." in place.inner_text()
        assert place.locator("svg").count() == 0
        assert stage.page.locator(".svc-table tbody tr").count() == 5
        stage.page.close()


def test_a_chart_that_shows_nothing_until_a_parameter_is_set_stays(page: Any) -> None:
    bound = {"name": "least", "value": 1e9, "bind": {"input": "range", "min": 0, "max": 1e9}}
    stage = opened(page, past("p-1", {**BARS, "params": [bound], "transform": [{"filter": "datum.flights > least"}]}))
    place = drawn(stage, "empty")
    assert place.locator("svg").count() == 1
    assert "it would show nothing" in place.inner_text()


def test_charts_that_nobody_scrolled_to_are_in_the_transcript(page: Any) -> None:
    stage = opened(page, *(past(f"p-{n}", BARS) for n in range(12)))
    pictures = stage.conversation.pictures
    stage.until(lambda: len(pictures.known()) == 12, within=60, what="a picture of each")
    assert stage.count('.svc-chart[data-drawn="true"]') < 12
    before = len([m for _, m in stage.sent if m["t"] == "ack"])
    stage.page.reload()
    stage.page.wait_for_function("window.ready")
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == 12)
    drawn(stage, "true")
    sent = [m for _, m in stage.sent if m["t"] == "ack"][before:]
    assert len(sent) <= 3, "nothing is pictured twice"  # sync, the renderer
