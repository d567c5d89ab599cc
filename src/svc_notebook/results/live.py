"""What a cell shows while ``ask`` waits: the text so far, the running query, and how to stop.

The view is one output with a display id. It starts and ends as the same empty element, so that the saved notebook holds
nothing that differs from run to run; where no front end listens (nbclient, nbval) it is never updated.
"""

from __future__ import annotations

import sys
import time
from html import escape
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from .answer import Answer
    from .tool_calls import ToolCall

__all__ = ["LiveView", "live_view"]

_EMPTY = {"text/html": '<div class="svc-live" style="display:none"></div>', "text/plain": ""}
# Each update is the whole text again: seven a second are read as growing, and are not a load on the comm.
_INTERVAL = 0.15
_TAIL = 6_000


class LiveView:
    """A context manager around a wait; :meth:`tick` is called from the waiting thread as often as one likes."""

    def __init__(self, question: str, handle: Any = None, streaming: bool = False) -> None:
        self._question = question
        self._handle = handle
        self._streaming = streaming
        self._last = 0.0
        self._shown: object = None

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None and self._shown is not None:
            self._handle.update(_EMPTY, raw=True)

    def tick(self, snapshot: Answer) -> None:
        """Show the answer as far as it is; cheap when nothing is due."""
        now = time.monotonic()
        if not self._streaming or now - self._last < _INTERVAL or snapshot is None:
            return
        self._last = now
        view = _html(self._question, snapshot, now - self._started)
        if view != self._shown:
            self._shown = view
            self._handle.update({"text/html": view, "text/plain": snapshot.text}, raw=True)


def _html(question: str, snapshot: Answer, seconds: float) -> str:
    running = [call for call in snapshot.tool_calls if call.state == "running"]
    doing = _running(running[-1]) if running else "answering" if snapshot.text else "thinking"
    text = escape(snapshot.text[-_TAIL:])
    return (
        '<div class="tex2jax_ignore mathjax_ignore" role="status" style="max-width:60rem">'
        f'<div style="white-space:pre-wrap;overflow-wrap:anywhere">{text}</div>'
        f'<div style="opacity:.7;font-size:.9em">{doing} · {seconds:.0f} s · ■ stops and keeps what came</div></div>'
    )


def _running(call: ToolCall) -> str:
    done = getattr(call, "progress", None)
    return f"running {escape(call.name)}" + (f" · {done:.0%} read" if done is not None else "")


def live_view(question: str) -> LiveView:
    """The live view for the cell that runs now; outside a Jupyter kernel one that does nothing."""
    if "IPython" not in sys.modules:  # nor is there a kernel: a script need not load it to be told so
        return LiveView(question)
    from IPython import get_ipython

    shell = get_ipython()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return LiveView(question)
    from IPython.display import display

    handle = display(_EMPTY, raw=True, display_id=True)  # type: ignore[no-untyped-call]
    return LiveView(question, handle, streaming=_front_end_listens(kernel))


def _front_end_listens(kernel: Any) -> bool:
    """Front ends put something into the metadata of an execute request; nbclient and nbval send it empty."""
    parent = kernel.get_parent() if hasattr(kernel, "get_parent") else {}
    return bool(parent.get("metadata"))
