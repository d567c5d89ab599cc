"""``asyncio.run(...)`` inside a cell, for those whose code insists on it.

A notebook's cell runs inside an event loop, and asyncio refuses to start a second one there. Nothing of ours needs
that: blocking methods hand their work to a thread with a loop of its own, awaiting ones are awaited. Code of yours that
wraps :class:`~svc_notebook.AsyncClient` in ``asyncio.run`` or ``loop.run_until_complete`` does.
"""

from __future__ import annotations

import asyncio
import sys

__all__ = ["allow_nested"]


def allow_nested() -> None:
    """Let ``asyncio.run(...)`` and ``loop.run_until_complete(...)`` work inside a cell. On request only.

    Call it once, in the cell before. It patches asyncio for the whole process, which has a price: tasks become about a
    third slower, an interrupt leaves the nested task running, clicks in widgets wait until the nested run ends, and
    a nested run inside a cancel scope that times out can leave the kernel busy. Awaiting is better where you can.

    Raises
    ------
    RuntimeError
        If the running loop cannot be patched (uvloop, for one).

    Examples
    --------
    >>> svc.allow_nested()  # doctest: +SKIP
    >>> asyncio.run(client_of_mine())  # doctest: +SKIP
    """
    if sys.version_info >= (3, 14):  # asyncio keeps its current task elsewhere there, which nest_asyncio does not know
        import nest_asyncio2 as nesting
    else:
        import nest_asyncio as nesting
    try:
        nesting.apply()
    except ValueError as error:
        loop = type(asyncio.get_event_loop()).__module__
        raise RuntimeError(f"The running event loop ({loop}) cannot be nested: await the client instead") from error
