"""Which conversation a cell has shown: a cell that is run again goes on with it instead of beginning anew.

Front ends put the id of the cell into the metadata of what they ask the kernel to run; where none is, as under
nbclient and nbval, nothing is remembered.
"""

from __future__ import annotations

from typing import Any

__all__ = ["cell_key", "recall", "remember"]

_threads: dict[tuple[str, ...], str] = {}


def cell_key(kind: str, user: dict[str, Any]) -> tuple[str, ...] | None:
    """Stands for the cell that runs now and who asks there; None outside a front end's cell."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent() if kernel is not None and hasattr(kernel, "get_parent") else {}
    # JupyterLab's name for the cell, which stays when it is run again; some front ends send none.
    cell = (parent.get("metadata") or {}).get("cellId")
    if not cell:
        return None
    return (kind, str(cell), *(f"{name}={value!r}" for name, value in sorted(user.items())))


def remember(key: tuple[str, ...] | None, chat_id: str | None) -> None:
    """Keep the thread that the cell shows."""
    if key is not None and chat_id:
        _threads[key] = chat_id
    elif key is not None:
        _threads.pop(key, None)


def recall(key: tuple[str, ...] | None) -> str | None:
    """The thread that the cell showed when it ran before."""
    return _threads.get(key) if key is not None else None
