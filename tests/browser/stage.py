"""A page with the widget's module and a model that is wired to a real ``Conversation`` in this process."""

from __future__ import annotations

import base64
import queue
import time
from collections.abc import Callable
from typing import Any

from svc_notebook.front.modules import CHAT_STYLE, chat_module
from svc_notebook.front.renderer import packed_renderer
from svc_notebook.widgets.conversation import Conversation

ADDRESS = "http://127.0.0.1:9/stage"

_PAGE = """<!doctype html><html lang="en"><head><title>Stage</title><meta charset="utf-8"><style>%(css)s</style></head>
<body style="margin:12px"><main id="stage"></main><script type="module">
import widget from "/chat.js";
const heard = [];
const traits = {uid: "stage", height: ""};
const model = {get: (k) => traits[k], send: (m) => window.toPython(m), on: (_, f) => heard.push(f),
               off: (_, f) => heard.splice(heard.indexOf(f), 1)};
window.fromPython = (messages) => { for (const [message, packed] of messages) {
  const buffers = packed.map((text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer));
  for (const f of heard) f(message, buffers);
} };
window.openView = () => { const el = document.createElement("div"); document.querySelector("#stage").append(el);
  const close = widget.render({model: {...model}, el}); return close; };
window.stopInit = widget.initialize({model});
window.openView();
window.ready = true;
</script></body></html>"""


class Stage:
    """Carries messages between the page and a conversation; ``until`` pumps them while it waits."""

    def __init__(self, page: Any, chat: Any, *, deaf: bool = False) -> None:
        self.page = page
        self.deaf = deaf
        self.down: queue.SimpleQueue[tuple[dict[str, Any], list[str]]] = queue.SimpleQueue()
        self.sent: list[tuple[float, dict[str, Any]]] = []
        self.conversation = Conversation(chat, self._send, renderer=packed_renderer)
        page.expose_function("toPython", self._heard)
        page.route(ADDRESS, lambda route: route.fulfill(body=self.html(), content_type="text/html"))
        front_end = chat_module("widget")
        page.route(
            "http://127.0.0.1:9/chat.js", lambda route: route.fulfill(body=front_end, content_type="text/javascript")
        )
        page.goto(ADDRESS)
        page.wait_for_function("window.ready")
        self.conversation.load()

    def html(self) -> str:
        return _PAGE % {"css": CHAT_STYLE.read_text()}

    def _heard(self, message: dict[str, Any]) -> None:
        if not self.deaf:
            self.conversation.handle(message)

    def _send(self, message: dict[str, Any], buffers: list[bytes] | None) -> None:
        self.sent.append((time.monotonic(), message))
        self.down.put((message, [base64.b64encode(b).decode() for b in buffers or ()]))

    def pump(self) -> None:
        batch = []
        while not self.down.empty():
            batch.append(list(self.down.get()))
        if batch:
            self.page.evaluate("(messages) => window.fromPython(messages)", batch)
        self.page.wait_for_timeout(15)

    def until(self, true: Callable[[], Any], within: float = 40.0, what: str = "") -> Any:
        end = time.monotonic() + within
        while time.monotonic() < end:
            self.pump()
            if found := true():
                return found
        raise AssertionError(f"not within {within} s: {what or true}")

    def ask(self, question: str) -> None:
        self.page.get_by_label("Question", exact=True).fill(question)
        self.page.keyboard.press("Enter")

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())
