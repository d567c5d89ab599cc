"""One result as a widget: interactive chart, sortable table, evidence; a static twin for the saved file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..client.errors import SvcError
from ..front.modules import CHAT_STYLE, chat_module
from ..front.payloads import result_payload
from ..front.renderer import packed_renderer
from ..front.table_requests import REQUESTS, RowsRefused, TableRequests
from .base import MessageWidget
from .sql_cells import sql_cell
from .worker import Worker

if TYPE_CHECKING:
    from ..results.answer import Answer
    from ..results.pages import Pages
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
        self._tables = TableRequests(
            lambda message, buffers: self.tell(message, buffers),
            self._rows,
            Worker(self._refused),
            Worker(self._refused),
        )

    def _heard(self, widget: Any, message: Any, buffers: Any) -> None:
        if isinstance(message, Mapping) and message.get("t") in REQUESTS:
            self.tell({"t": "ack", "id": message.get("id", 0)})
            self._tables.handle(message)
        else:
            super()._heard(widget, message, buffers)

    def do_sync(self, _message: Mapping[str, Any]) -> None:
        """Send the result to a new view."""
        payload = result_payload(self.result, paged=True)
        self.tell({"t": "result", "result": payload})
        if (far := payload["table"].get("far")) and len(self.result) == far:
            self.result.pages().warm_beside()

    def _rows(self, _uuid: str, progress: Callable[[int], object]) -> Pages:
        try:
            return self.result.pages(progress=progress)
        except SvcError as refused:
            raise RowsRefused(str(refused)) from refused

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
        # The class by which a page with a living widget hides this static output beside it.
        data["text/html"] = data["text/html"].replace('class="svc-answer', 'class="svc-static svc-answer', 1)
        publish_display_data(data)
