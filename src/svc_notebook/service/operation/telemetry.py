"""What a service tells of itself to whoever runs it: figures, and a line for every slow query.

Figures carry no name of an account, a user or a table: who may read them need not know whom the service serves.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..web.references import reference
from .metrics import Metrics
from .process_figures import add_process_figures

if TYPE_CHECKING:
    from ..runtime import Service
    from ..turns.turns import RunningTurn

__all__ = ["Telemetry"]

_slow = logging.getLogger("svc_notebook.slow")


class Telemetry:
    """The instruments of one service."""

    def __init__(self, service: Service) -> None:
        metrics = self.metrics = Metrics(service.colleagues.counts)
        self._service = service
        self._requests = metrics.counter("svc_requests_total", "Requests answered.", "endpoint", "status")
        self._request_seconds = metrics.histogram(
            "svc_request_seconds", "From a request's head to the end of its answer.", "endpoint"
        )
        self._first = metrics.histogram("svc_first_line_seconds", "From a question's head to the first line.")
        self._turns = metrics.counter("svc_turns_total", "Turns that have ended, by how.", "outcome")
        self._aborts = metrics.counter("svc_aborts_total", "Turns that were stopped, by whom or what.", "reason")
        self._turn_seconds = metrics.histogram("svc_turn_seconds", "How long turns took.")
        self._queries = metrics.counter("svc_queries_total", "Queries over data, by how they ended.", "outcome")
        self._query_seconds = metrics.histogram("svc_query_seconds", "How long queries took, waiting included.")
        self._rolled = metrics.counter("svc_rollup_queries_total", "Queries that were answered from rollups.")
        self._rows = metrics.counter("svc_rows_total", "Rows that queries gave.")
        self._store_seconds = metrics.histogram(
            "svc_store_seconds", "How long the state store took, waiting for a place included.", "kind"
        )
        self._store_faults = metrics.counter("svc_store_faults_total", "Work the state store did not do.", "error")
        self._audit_lost = metrics.counter("svc_audit_lost_total", "Queries that the audit log could not take.")
        self._gauges()

    def _gauges(self) -> None:
        service, gauge = self._service, self.metrics.gauge
        gauge("svc_turns_running", "Turns that run.", lambda: sum(turn.status == "running" for turn in service.turns))
        gauge("svc_turns_unsaved", "Turns that have ended and are not in the store yet.", lambda: service.turns.unsaved)
        gauge("svc_open", "Turns and queries that run or wait.", lambda: len(service.admission))
        gauge("svc_open_limit", "How many may.", lambda: service.config.open_limit)
        gauge("svc_lane_running", "Work under way.", lambda: service.lanes.figures("running"), "lane")
        gauge("svc_lane_waiting", "Work that waits for a place.", lambda: service.lanes.figures("waiting"), "lane")
        gauge(
            "svc_generation", "Number of the generation that answers.",
            lambda: service.generations.current.number, apart=True,
        )  # fmt: skip
        gauge(
            "svc_generation_held_back", "1 while what has changed cannot be used.",
            lambda: float(bool(service.generations.current.standing.held_back)), apart=True,
        )  # fmt: skip
        gauge(
            "svc_store_silent", "1 while the state store answers nobody.",
            lambda: float(service.store_silent), apart=True,
        )  # fmt: skip
        gauge("svc_workers", "Processes behind the port that answer.", lambda: 1.0)
        gauge("svc_workers_silent", "Those that do not answer.", lambda: 0.0)
        add_process_figures(self.metrics)

    def request(self, endpoint: str, status: int, seconds: float, first: float | None) -> None:
        """One request; ``first`` is when the first line left, where there are lines."""
        self._requests.add(endpoint, str(status))
        self._request_seconds.observe(seconds, endpoint)
        if endpoint == "chat" and status == 200 and first is not None:
            self._first.observe(first)

    def turn(self, turn: RunningTurn, seconds: float) -> None:
        """A turn that has ended."""
        self._turns.add(turn.outcome)
        self._turn_seconds.observe(seconds)
        if turn.cancel.cancelled and turn.status != "complete":
            self._aborts.add(turn.cancel.reason or "aborted")

    def query(self, sql: str, seconds: float, rows: int | None, *, rolled: bool = False) -> None:
        """A query over data; ``rows`` is None for one that gave none: refused, failed or stopped."""
        self._rolled.add(by=int(rolled))
        self._queries.add("refused" if rows is None else "complete")
        self._query_seconds.observe(seconds)
        self._rows.add(by=rows or 0)
        if seconds >= self._service.config.slow_query:
            told = " ".join(sql.split())[:2_000]
            _slow.warning("%.2f s, %s rows, request %s: %s", seconds, "no" if rows is None else rows, reference(), told)

    def store(self, kind: str, seconds: float, error: BaseException | None) -> None:
        """Work on the state store."""
        self._store_seconds.observe(seconds, kind)
        if error is not None:
            self._store_faults.add(type(error).__name__)

    def audit_lost(self) -> None:
        """A query that the audit log could not take."""
        self._audit_lost.add()
