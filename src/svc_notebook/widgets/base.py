"""What all our widgets share: an id for the page, pinned routing, messages handled off the kernel's threads."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .kernels import pin_reply_routing
from .worker import Worker

__all__ = ["STATIC", "MessageWidget"]

STATIC = Path(__file__).parent / "static"


class MessageWidget(anywidget.AnyWidget):
    """A widget whose front end and back end exchange messages; a subclass writes ``do_<name>(message)`` methods.

    Each runs on the widget's worker, in order; what it raises is shown as ``{"t": "refused", "message": …}``.
    """

    uid = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(uid=uuid.uuid4().hex, **traits)
        pin_reply_routing(self)
        self._worker = Worker(self._refused)
        self.on_msg(self._heard)

    def tell(self, message: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        """Send a message to every view."""
        self.send(message, buffers)

    def _heard(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if not isinstance(message, Mapping):
            return
        action = getattr(self, f"do_{message.get('t')}", None)
        if action is not None:
            # At once, on the thread that hears it: without one the page says after a while that the kernel is busy or
            # gone.
            self.tell({"t": "ack", "id": message.get("id", 0)})
            # Not here: a kernel calls on whichever thread and loop it likes, and waits for the callback's end.
            self._worker.post(lambda: action(message))

    def _refused(self, problem: Exception) -> None:
        self.tell({"t": "refused", "message": str(problem) or type(problem).__name__})

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
