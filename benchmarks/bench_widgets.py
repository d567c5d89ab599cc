"""What a streamed answer costs between kernel and browser, beside the two usual ways; the size of a saved chat.

``chatlas`` republishes the whole Markdown of the answer for every piece (``_display.py``: ``update_display``), and a widget
with the text in a trait re-sends the trait. Both are acted out here on the same pieces, counted as they would go over the
WebSocket: the JSON of the message's content plus the envelope of a Jupyter message.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from svc_notebook.widgets.conversation import Conversation
from svc_notebook.widgets.payloads import turn_payload
from svc_notebook.widgets.transcript import transcript_bundle
from tests.widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat

from .report import Measurement

ENVELOPE = 600
"""Bytes of a Jupyter message around its content, as measured on a WebSocket."""

PIECE = "token "


def ours(tokens: int, pause: float) -> tuple[float, int]:
    """Bytes and messages for an answer of that many tokens."""
    sizes: list[int] = []
    done = threading.Event()

    def send(message: dict[str, Any], _buffers: Any) -> None:
        if message["t"] in {"d", "tool"}:
            sizes.append(len(json.dumps(message)) + ENVELOPE)
        if message["t"] == "turn":
            sizes.append(len(message["turn"]["html"]) + len(message["turn"]["text"]) + ENVELOPE)
            done.set()

    def script(answer: ActedAnswer) -> Any:
        from dataclasses import replace

        for number in range(tokens):
            if pause:
                time.sleep(pause)
            answer = replace(answer, text=PIECE * (number + 1))
            yield answer

    conversation = Conversation(ActedChat(script), send, renderer=lambda: b"")
    conversation.handle({"t": "ask", "q": "q"})
    done.wait(600)
    return float(sum(sizes)), len(sizes)


def republished(tokens: int) -> float:
    """Bytes when every piece sends the whole text again."""
    return float(sum(number * len(PIECE) + ENVELOPE for number in range(1, tokens + 1)))


def frame_seconds(rounds: int) -> float:
    """Seconds the worker takes to make and send one piece of a long answer."""
    conversation = Conversation(ActedChat(lambda answer: iter(())), lambda message, buffers: None, renderer=lambda: b"")
    conversation._begin("q")
    answers = [ActedAnswer(text=PIECE * (10_000 + i)) for i in range(rounds)]
    began = time.perf_counter()
    for answer in answers:
        conversation._snapshot = answer
        conversation._flush()
    return (time.perf_counter() - began) / rounds


def run(*, quick: bool = False) -> list[Measurement]:
    tokens = 1_000
    sent, messages = ours(tokens, 0.002 if quick else 0.01)
    whole = republished(tokens)
    answer = ActedAnswer(
        "A question of the usual length?", "Some **text** of an answer. " * 20, status="complete", results=[CARRIERS]
    )
    turns = [turn_payload(number, answer) for number in range(1, 51)]
    bundle = transcript_bundle(turns, "ana")
    saved = len(json.dumps(bundle))
    return [
        Measurement(
            "bytes to the browser per 1,000 tokens", sent / 1e3, "kB", whole / 1e3,
            "whole text per piece (chatlas; a trait)", limit=10, better="higher", note=f"{messages} messages",
        ),
        Measurement("one piece of a 60,000-character answer", frame_seconds(200 if quick else 1_000) * 1e6, "µs"),
        Measurement("a saved chat of 50 turns with tables", saved / 1e3, "kB", 500.0, "500 kB", limit=1),
    ]  # fmt: skip
