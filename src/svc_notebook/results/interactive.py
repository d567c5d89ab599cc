"""A result as a table of the package itables, where it is installed: to search, sort and page through."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from .frames import TruncatedResult
from .markdown import plain_text
from .tables import rows_said

if TYPE_CHECKING:
    from .result import Result

__all__ = ["interactive_table"]


def interactive_table(result: Result, **options: Any) -> Any:
    """``itables.widget.ITable`` over the rows that are here; see :meth:`.result.Result.to_itables`."""
    try:
        from itables.widget import ITable
    except ImportError as missing:
        raise ModuleNotFoundError(
            "to_itables() wants the package itables: pip install itables", name="itables"
        ) from missing
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TruncatedResult)  # the caption says it, where it is seen
        frame = result.to_frame()
    titles = {column.name: plain_text(column.title or column.name) for column in result.schema}
    if len(set(titles.values())) == len(titles):
        frame = frame.rename(columns=titles)
    said = rows_said(len(frame), len(frame), result.total_rows)
    caption = " · ".join(filter(None, [plain_text(result.title), said]))
    # cells are text, not HTML, and nothing is left out behind the caption's back
    settings = {"caption": caption, "showIndex": False, "maxBytes": 0, "allow_html": False, **options}
    return ITable(frame, **settings)
