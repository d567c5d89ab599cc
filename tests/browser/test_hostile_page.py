"""Hostile content in the living widget: every public case shown in one page, and nothing happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from svc_notebook.front.payloads import tool_payload, turn_payload

from ..results.hostile_answers import hostile_answer, payload_of, read_cases
from ..widgets.acted_chat import ActedCall, ActedChat, spoken
from .stage import Stage

pytestmark = [pytest.mark.browser]

INSPECT = """() => {
  const found = [];
  for (const node of document.querySelectorAll(".svc-log *")) {
    const tag = node.tagName.toLowerCase();
    if (tag === "form" && node.className === "vega-bindings") continue; // Vega's own, for its parameters
    if (["script", "iframe", "object", "embed", "img", "image", "base", "meta", "link", "video", "audio", "form", "use",
         "foreignobject", "marquee", "template", "style", "picture", "source"].includes(tag)) found.push(tag);
    for (const {name, value} of node.attributes) {
      if (name.startsWith("on")) found.push(`${tag} ${name}`);
      if (name.startsWith("data-commandlinker")) found.push(name);
      if (["href", "xlink:href", "src", "action"].includes(name) && !/^(https?:\\/\\/[^/]|mailto:)/.test(value)) found.push(`${tag} ${name}=${value}`);
    }
  }
  if (window.__pwned !== undefined) found.push("script ran");
  return found;
}"""


def test_every_case_is_neutral_in_the_widget(page: Any, cases: Path, requests_elsewhere: list[str]) -> None:
    stage = Stage(page, ActedChat(spoken(["ok"])))
    stage.until(lambda: stage.count(".svc-idea") == 2)
    hostile = read_cases(cases)
    for number, case in enumerate(hostile, 1):
        payload = payload_of(case)
        if case["channel"].startswith("content"):
            pieces = payload if isinstance(payload, list) else [payload]
            stage._send({"t": "begin", "n": number, "question": "streaming"}, None)
            off = 0
            for piece in pieces:
                text = str(piece)[:20_000]
                stage._send({"t": "d", "n": number, "k": "text", "off": off, "d": text}, None)
                off += len(text.encode("utf-16-le")) // 2
            call = ActedCall("c-9", str(payload)[:80], {"searchQuery": str(payload)[:200]})
            stage._send({"t": "tool", "n": number, "tool": tool_payload(call)}, None)
            stage.pump()
            assert page.evaluate(INSPECT) == [], case["id"]
        turn = turn_payload(number, hostile_answer(case))
        stage._send({"t": "turn", "turn": turn, "chat_id": "t-1"}, None)
        stage.pump()
    stage._send({"t": "threads", "items": [{"chatId": "x", "title": "<img src=x onerror=window.__pwned=1>"}]}, None)
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == len(hostile))
    assert page.evaluate(INSPECT) == []
    charts = page.locator(".svc-chart")
    for index in range(charts.count()):
        charts.nth(index).scroll_into_view_if_needed()
        stage.until(lambda i=index: charts.nth(i).get_attribute("data-drawn"), within=60)
    assert page.evaluate(INSPECT) == []
    assert page.locator(".vega-actions").count() == 0
    assert requests_elsewhere == []
