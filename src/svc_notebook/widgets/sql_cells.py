"""The SQL of a result as a cell: ``%%svcsql as NAME``, run as who asked, where a variable holds that chat."""

from __future__ import annotations

from typing import Any

from .sql_layout import laid_out

__all__ = ["SETUP", "sql_cell"]

SETUP = "%load_ext svc_notebook"


def sql_cell(sql: str, *owners: Any, whom: str = "") -> dict[str, str]:
    """Text of the cell, and of the cell that has to stand before it.

    Parameters
    ----------
    sql : str
        The query over the data model.
    *owners : object
        The widget and its chat: the cell names the first that a variable of the notebook holds. Without one it
        says in a comment as whom the query was run.
    whom : str
        As whom it was run.
    """
    name = _name_of(owners)
    head = f"%%svcsql as {name}" if name else "%%svcsql"
    remark = f"-- asked as {' '.join(whom.split())}\n" if whom and not name else ""
    return {"source": f"{head}\n{remark}{laid_out(sql)}", "setup": SETUP}


def _name_of(owners: tuple[Any, ...]) -> str | None:
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    shell = get_ipython()
    # A copy: the main thread may be running a cell that assigns.
    variables = dict(shell.user_ns) if shell is not None else {}
    for owner in owners:
        for name, value in variables.items():
            if value is owner and str(name).isidentifier() and not str(name).startswith("_"):
                return str(name)
    return None
