"""What widgets have to know about kernels: how a click reaches Python, and when it cannot."""

from __future__ import annotations

from typing import Any

__all__ = ["pin_reply_routing"]


def pin_reply_routing(widget: Any) -> None:
    """Let the front end decide on which subshell a message of this widget is handled.

    ipykernel 7.4 routes a message to the subshell that last published on its comm, and so a click to the main shell,
    where it waits until the running cell has ended. Without the routing function the front end's own choice holds. The
    name is private: where it is absent (before 7.4, or later) nothing is done.
    """
    comm = getattr(widget, "comm", None)
    if comm is not None and hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = None
