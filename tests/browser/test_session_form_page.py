"""The session form's module in a page of its own."""

from __future__ import annotations

from typing import Any

from svc_notebook.front.modules import joined
from svc_notebook.widgets.base import STATIC

from .stage import ADDRESS

_PAGE = """<!doctype html><html lang="en"><head><title>Form</title></head><body><main></main><script type="module">
import widget from "/panels.js";
window.sent = [];
const model = {get: () => "session", send: (m) => window.sent.push(m), on: (_, f) => { window.tell = f; }, off() {}};
widget.render({model, el: document.querySelector("main")});
</script></body></html>"""


def test_a_refusal_stands_until_something_is_changed(page: Any) -> None:
    page.route(ADDRESS, lambda route: route.fulfill(body=_PAGE, content_type="text/html"))
    page.route(
        "**/panels.js",
        lambda route: route.fulfill(body=joined(STATIC / "panels" / "widget.js"), content_type="text/javascript"),
    )
    page.goto(ADDRESS)
    page.get_by_label("Id", exact=True).fill("ana")
    page.get_by_role("button", name="Create session").click()
    page.wait_for_function("window.sent.some((m) => m.t === 'create')")
    page.evaluate("window.tell({t: 'refused', message: 'cannot change type'})")
    page.evaluate("window.tell({t: 'checked', errors: {}, python: '', curl: ''})")  # of what was typed before
    assert page.locator("form > [role=alert]").inner_text() == "cannot change type"
    assert page.get_by_role("button", name="Create session").is_enabled()
    page.get_by_label("Id", exact=True).fill("ana2")
    page.evaluate("window.tell({t: 'checked', errors: {}, python: '', curl: ''})")
    assert page.locator("form > [role=alert]").inner_text() == ""
