"""The public cases of hostile content, by path: nothing of them becomes markup, a request or a script."""

from __future__ import annotations

import json
import re
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

from svc_notebook.front.payloads import turn_payload
from svc_notebook.results import rendering
from svc_notebook.results.charts import MIME, render_chart
from svc_notebook.results.markdown import render_markdown
from svc_notebook.widgets.transcript import transcript_bundle

from .hostile_answers import COLUMNS, hostile_answer, payload_of, read_cases

_STATIC_TAGS = {
    "a", "blockquote", "body", "br", "caption", "code", "del", "details", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "hr", "html", "img", "li", "meta", "ol", "p", "pre", "s", "strong", "style", "summary", "table", "tbody", "td",
    "th", "thead", "title", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "class",
    "scope",
    "style",
    "href",
    "target",
    "rel",
    "start",
    "src",
    "alt",
    "lang",
    "charset",
    "name",
    "content",
    "http-equiv",
}


_SHOWN = {
    "heading-text": "<h[1-6][^>]*>[^<]*&lt;img",
    "table-text": "<td[^>]*>[^<]*&lt;img",
}


# A bar behind a number: nothing of it but its length comes from an answer, and that is a number of ours.
_BAR = r"text-align:right;background:linear-gradient\(to right,rgba\(59,130,246,\.24\) \d{1,3}\.\d%,transparent 0\)"


class Inspector(HTMLParser):
    """Collects what a browser would make of a page: elements, attributes, targets."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _STATIC_TAGS:
            self.problems.append(tag)
        for name, value in attrs:
            text = value or ""
            if name not in _ATTRIBUTES:
                self.problems.append(f"{tag} {name}")
            if name == "style" and not re.fullmatch(rf"(text-align:\s*(left|right|center);?)?|{_BAR}", text):
                self.problems.append(f"style {text}")
            if name == "href" and not re.match(r"(https?://[^/]|mailto:.)", text):
                self.problems.append(f"href {text}")
            if name == "src" and not text.startswith("data:image/png;base64,"):
                self.problems.append(f"src {text}")


def inspect(html: str) -> list[str]:
    inspector = Inspector()
    inspector.feed(html)
    return inspector.problems


def test_every_static_form_of_every_case_is_inert(cases: Path) -> None:
    for case in read_cases(cases):
        answer = hostile_answer(case)
        started = time.process_time()
        turn = turn_payload(1, answer)
        pages = [
            rendering.to_html(answer),
            rendering.answer_bundle(answer)[0]["text/html"],
            turn["html"],
            transcript_bundle([turn], answer.whoami)["text/html"],
        ]
        assert time.process_time() - started < 5, case["id"]
        for page in pages:
            assert inspect(page) == [], case["id"]
            assert re.search(_SHOWN.get(case["expect"], ""), page), case["id"]
        plain = rendering.answer_bundle(answer)[0]["text/plain"]
        assert "\x1b" not in plain, case["id"]


def test_every_spec_is_cleaned_or_refused(cases: Path) -> None:
    for case in read_cases(cases):
        if case["channel"] != "vegaSpec":
            continue
        payload = payload_of(case)
        spec = {k: v for k, v in payload.items() if k != "__data_cell__"} if isinstance(payload, dict) else payload
        chart = render_chart(spec, COLUMNS, [["open", 3.0], ["done", 4.0]])
        if case["expect"] == "spec-rejected":
            assert not chart, case["id"]
            continue
        if case["expect"] == "actions-off":
            _, metadata = chart._repr_mimebundle_()
            assert metadata[MIME]["embed_options"]["actions"]["editor"] is False
            continue
        assert chart.notes or chart.problem, case["id"]
        whole = json.dumps(chart.spec)
        for word in (
            "attacker",
            "url",
            "href",
            "usermeta",
            "datasets",
            "alert",
            "constructor",
            "javascript:",
            "element",
        ):
            assert word not in whole, (case["id"], word)
        if chart:
            assert chart.to_dict()["data"]["values"] == [
                {"status": "open", "total_amount": 3}, {"status": "done", "total_amount": 4}
            ], case["id"]  # fmt: skip


_DENSE = {"[": 20_000, "> ": 3_000, "*a ": 20_000, "[a\n": 50_000, "`": 30_000, "a": 400_000, "|a": 9_000}


def _calls(text: str) -> int:
    """How many calls rendering a text takes: the same on any machine, however busy it is."""
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        made += event == "call"

    sys.setprofile(count)
    try:
        render_markdown(text)
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize("piece", _DENSE)
def test_long_and_dense_texts_are_bounded(piece: str) -> None:
    assert inspect(render_markdown(piece * _DENSE[piece] + "x")) == []
    some = _DENSE[piece] // 20
    assert _calls(piece * 2 * some + "x") < 3 * _calls(piece * some + "x") + 1_000


def test_a_text_that_is_too_long_says_how_much_is_missing() -> None:
    assert "more characters are not shown" in render_markdown("a" * 400_000)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**a** `b`", "<p><strong>a</strong> <code>b</code></p>"),
        ("![x](https://h.example/i.png)", "h.example"),
        ("[docs](https://docs.example/x)", "docs (docs.example)</a>"),
        ("[docs](/relative)", "[docs](/relative)"),
        ("a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>"),
    ],
)
def test_markdown_is_rendered_and_hosts_are_named(markdown: str, html: str) -> None:
    out = render_markdown(markdown)
    assert html in out
    assert "<img" not in out
    if "https" in markdown:
        assert ".example)" in out
