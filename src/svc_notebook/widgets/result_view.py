"""One result as a widget: interactive chart, sortable table, evidence; a static twin for the saved file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from ..front.modules import CHAT_STYLE, chat_module
from ..front.payloads import result_payload
from ..front.renderer import packed_renderer
from .base import MessageWidget
from .sql_cells import sql_cell

if TYPE_CHECKING:
    from ..results.answer import Answer
    from ..results.result import Result

__all__ = ["ResultView"]


class ResultView(MessageWidget):
    """Look at a ``Result``.

    Parameters
    ----------
    result : Result or Answer
        A result, or an answer (its last result).

    Examples
    --------
    >>> svc.ResultView(client.query("SELECT origin, MEASURE(count) FROM flights GROUP BY 1")).close()
    """

    _esm = chat_module("widget")
    _css = CHAT_STYLE

    def __init__(self, result: Result | Answer) -> None:
        self.result: Result = result.results[-1] if hasattr(result, "results") else result
        super().__init__(kind="result")

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Send the result to a new view."""
        payload = result_payload(self.result)
        here, all_ = len(payload["table"]["rows"]), max(len(self.result), self.result.total_rows)
        if here < all_ and (len(self.result) > here or self.result.can_load):
            payload["table"]["far"] = int(all_)
        self.tell({"t": "result", "result": payload})
        if payload["table"].get("far") and len(self.result) == all_:
            threading.Thread(target=self.result.pages().warm, daemon=True).start()

    def do_rows(self, message: Mapping[str, Any]) -> None:
        """Send one page of the rows: sorted and filtered as it is asked for."""
        pages = self.result.pages()
        found = pages.page(self._look(message))
        told = {"rows": found.rows, "page": found.page, "found": found.found, "all": len(pages)}
        self.tell({"t": "rows", "for": message.get("id", 0), **told})

    def do_copied(self, message: Mapping[str, Any]) -> None:
        """Send the first rows that are found, to be copied."""
        rows, found = self.result.pages().copied(self._look(message))
        self.tell({"t": "rows", "for": message.get("id", 0), "rows": rows, "found": found})

    def do_file(self, message: Mapping[str, Any]) -> None:
        """Send all rows that are found as a file."""
        kind: Literal["csv", "parquet"] = "parquet" if message.get("kind") == "parquet" else "csv"
        whole = self.result.pages().file(self._look(message), kind)
        self.tell({"t": "rows", "for": message.get("id", 0), "kind": kind}, [whole])

    def _look(self, message: Mapping[str, Any]) -> Any:
        from ..results.pages import Look

        return Look.of(message, len(self.result.schema))

    def do_vega(self, _message: Mapping[str, Any]) -> None:
        """Send the chart renderer to a page that has none yet."""
        self.tell({"t": "vega"}, [packed_renderer()])

    def do_cell(self, message: Mapping[str, Any]) -> None:
        """Say what a cell needs to run the result's query."""
        made = sql_cell(str(message.get("sql", "")), whom=self.result.whoami)
        self.tell({"t": "cell", "for": message.get("id", 0), "model_id": str(self.model_id), **made})

    def __repr__(self) -> str:
        return f"ResultView({self.result.title or 'result'})"

    def _ipython_display_(self) -> None:
        from IPython.display import publish_display_data

        from ..results.rendering import result_bundle

        if (shown := super()._repr_mimebundle_()) is not None:
            publish_display_data(*shown)
        data, _ = result_bundle(self.result)
        data["text/html"] = data["text/html"].replace('class="svc-answer', 'class="svc-static svc-answer', 1)
        publish_display_data(data)
