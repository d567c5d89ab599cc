"""What a streamed answer costs between kernel and browser, beside the two usual ways; the size of a saved chat.

Counted is what goes over the WebSocket: the JSON of each message's content plus the envelope of a Jupyter message. A widget
with the text in a trait is a real one whose messages are caught. ``chatlas`` is run where an environment has it::

    python -m venv /tmp/chatlas && /tmp/chatlas/bin/pip install chatlas ipython
    SVC_CHATLAS=/tmp/chatlas python -m benchmarks --only widgets

How smooth 20,000 tokens are is measured in a browser, see :mod:`.streaming_page`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from svc_notebook.front.payloads import turn_payload
from svc_notebook.widgets.conversation import Conversation
from svc_notebook.widgets.transcript import transcript_bundle
from tests.widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat

from .report import Measurement
from .streaming_page import measure

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


def trait(tokens: int) -> float:
    """Bytes of a real widget whose text is a trait that grows with every piece."""
    import anywidget
    import traitlets

    sent: list[dict[str, Any]] = []

    class Text(anywidget.AnyWidget):
        _esm = "export default {}"
        text = traitlets.Unicode("").tag(sync=True)

        def _send(self, msg: dict[str, Any], buffers: Any = None) -> None:
            sent.append(msg)

    widget = Text()
    for _ in range(tokens):
        widget.text += PIECE
    if len(sent) < tokens:  # without a kernel a widget sends nothing by itself
        sent = [{"method": "update", "state": {"text": PIECE * n}, "buffer_paths": []} for n in range(1, tokens + 1)]
    return float(sum(len(json.dumps(message)) + ENVELOPE for message in sent))


def chatlas(tokens: int) -> float | None:
    """Bytes chatlas publishes for the same pieces; None where no environment with it is named."""
    home = os.environ.get("SVC_CHATLAS")
    if not home:
        print("  chatlas: left out, SVC_CHATLAS names no environment")
        return None
    script = Path(__file__).parent / "peers" / "chatlas_peer.py"
    command = [str(Path(home) / "bin" / "python"), str(script), str(tokens), PIECE]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        print(f"  chatlas: left out, it failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    counted = json.loads(done.stdout.splitlines()[-1])
    return float(counted["bytes"] + counted["messages"] * ENVELOPE)


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
    whole = trait(tokens)
    peer = chatlas(tokens)
    page = measure(4_000 if quick else 20_000, 6 if quick else 20)
    answer = ActedAnswer(
        "A question of the usual length?", "Some **text** of an answer. " * 20, status="complete", results=[CARRIERS]
    )
    turns = [turn_payload(number, answer) for number in range(1, 51)]
    bundle = transcript_bundle(turns, "ana", pictures=lambda uuid: "A" * 30_000)
    saved = len(json.dumps(bundle))
    found = [
        Measurement(
            "bytes to the browser per 1,000 tokens", sent / 1e3, "kB", whole / 1e3,
            "a trait with the whole text", limit=10, better="higher", note=f"{messages} messages",
        ),
        Measurement("one piece of a 60,000-character answer", frame_seconds(200 if quick else 1_000) * 1e6, "µs"),
        Measurement("a saved chat of 50 turns with tables and pictures", saved / 1e3, "kB", 500.0, "500 kB", limit=1),
    ]  # fmt: skip
    if peer is not None:
        found.insert(
            1,
            Measurement(
                "bytes to the browser per 1,000 tokens", sent / 1e3, "kB", peer / 1e3, "chatlas", 10, better="higher"
            ),
        )
    return found + (_page_figures(page) if page else [])


def _page_figures(page: dict[str, dict[str, float]]) -> list[Measurement]:
    ours, whole = page["ours"], page["whole"]
    note = f"{ours['frames']:.0f} frames in {ours['seconds']:.0f} s; the whole text anew: {whole['frames']:.0f}"
    return [
        Measurement(
            "longest task in the page, a long answer", ours["longest"], "ms", whole["longest"],
            "the whole text anew", limit=1 if whole["longest"] else None, better="higher", note=note,
        ),
        Measurement(
            "page held by tasks over 50 ms", ours["held"], "ms", whole["held"], "the whole text anew",
        ),
    ]  # fmt: skip
