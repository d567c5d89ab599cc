"""An answer that a cell ends by giving a name (``a = chat.ask("…")``) is shown in that cell all the same.

A cell shows the value of its last expression; an assignment has none, and the answer one has watched growing would be
gone with its last word. What the cell shows is decided by its text alone, so it is the same on every run.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer

__all__ = ["leave_in_cell"]


def leave_in_cell(answer: Answer) -> None:
    """When the running cell ends with ``name = …`` and that name holds ``answer``, show it below the cell."""
    if "IPython" not in sys.modules:  # no shell, and none to be loaded for this
        return
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return

    def ended(result: Any) -> None:
        shell.events.unregister("post_run_cell", ended)
        names = _named_last(shell, str(result.info.raw_cell))
        if result.success and any(shell.user_ns.get(name) is answer for name in names):
            from IPython.display import display

            display(answer)  # type: ignore[no-untyped-call]

    # After the cell, since only then is it known whether a name holds the answer: its assignment comes after the call.
    shell.events.register("post_run_cell", ended)


def _named_last(shell: Any, cell: str) -> list[str]:
    """The names that the last statement of a cell gives to what a call returned."""
    try:
        body = ast.parse(shell.transform_cell(cell)).body
    except SyntaxError:
        return []
    last = body[-1] if body else None
    if not isinstance(last, ast.Assign | ast.AnnAssign) or not isinstance(last.value, ast.Call | ast.Await):
        return []
    targets = last.targets if isinstance(last, ast.Assign) else [last.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]
