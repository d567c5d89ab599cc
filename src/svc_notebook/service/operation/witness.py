"""Sees every query over data: times it, counts it, and has it written down where there is an audit log."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...protocol.spelling import spelled
from ...protocol.tools import SqlResult
from ...tracing import Span, span
from ..web.references import reference

if TYPE_CHECKING:
    from ...semantic.context import SecurityContext
    from ...semantic.json_queries.json_load import JsonAnswer
    from ..deployments.sites import Site
    from .audit import AuditLog
    from .telemetry import Telemetry

__all__ = ["Sighting", "Witness"]


class Sighting:
    """One query as it is seen; whoever runs it says what came."""

    result: Any = None


class Witness:
    """Reports to the figures of a service, and to its audit log.

    Parameters
    ----------
    telemetry
        The figures, and the line for a slow query.
    audit
        The audit log, where there is one.
    text
        Whether traces hold questions and SQL.
    """

    def __init__(self, telemetry: Telemetry, audit: AuditLog | None, *, text: bool = False) -> None:
        self._telemetry = telemetry
        self._audit = audit
        self._text = text

    @contextmanager
    def watch(
        self, site: Site, context: SecurityContext, sql: str, question: str = "", uuid: str = ""
    ) -> Iterator[Sighting]:
        """While the block runs, a query does; the block says what came. ``uuid``: the result that is asked for anew."""
        seen, began, error = Sighting(), time.monotonic(), ""
        try:
            with span("svc.query", request=reference(), uuid=uuid) as told:
                if self._text:
                    told.tell(sql=sql, question=question)
                yield seen
                _tell(told, seen.result)
        except BaseException as failure:
            error = type(failure).__name__
            raise
        finally:
            self._told(site, context, sql, question, seen.result, time.monotonic() - began, error)

    def loaded(self, site: Site, context: SecurityContext, answers: Sequence[JsonAnswer], seconds: float) -> None:
        """The queries of one JSON query have run, in so many seconds together."""
        for answer in answers:
            self._told(site, context, answer.result.sql, "", answer.result, seconds, "")

    def _told(
        self, site: Site, context: SecurityContext, sql: str, question: str, result: Any, seconds: float, error: str
    ) -> None:
        rolled = bool(getattr(result, "rollups", ()))
        self._telemetry.query(sql, seconds, None if result is None else result.table.num_rows, rolled=rolled)
        if self._audit is not None:
            self._audit.put(_entry(site, context, sql, question, result, seconds, error))


def _tell(told: Span, result: Any) -> None:
    if result is None:
        told.tell(outcome="refused")
    else:
        told.tell(outcome="complete", rows=result.table.num_rows, kept=getattr(result, "kept", None))


def _entry(
    site: Site, context: SecurityContext, sql: str, question: str, result: Any, seconds: float, error: str
) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "request": reference(), "account": site.account, "deployment": site.deployment,
        "user": context.user or ("operator" if context.unrestricted else ""), "groups": sorted(context.groups),
        "sql": sql, "seconds": round(seconds, 4),
    }  # fmt: skip
    if question:
        entry["question"] = question
    if result is not None:
        filters = [{"cube": item.cube, "filter": item.filter} for item in result.row_filters]
        entry |= {"rows": result.table.num_rows, spelled(SqlResult, "row_filters"): filters}
    else:
        entry["refused"] = error or "refused"
    return entry
