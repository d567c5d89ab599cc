"""Spans for OpenTelemetry, from a question in a notebook to the query over the data.

They are made where the process has OpenTelemetry at work, and are nothing at all where it has not: nothing is imported
here, nothing set up. A span tells what was done, how it ended and under which ids; of what was asked, of SQL and of
values it tells nothing, also where something fails, unless the service is told to (``trace_text``).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Literal

from .cancellation import Cancelled

__all__ = ["SURFACE", "Span", "span"]

SURFACE: ContextVar[str] = ContextVar("svc_surface", default="python")
"""Where a question was asked: ``widget``, or ``python``."""
Value = str | bool | int | float | None


class Span:
    """What is under way, as a trace shows it; without one, nothing."""

    __slots__ = ("_span",)

    def __init__(self, span: Any = None) -> None:
        self._span = span

    def tell(self, **told: Value) -> None:
        """Attributes, each under ``svc.``; one that is None or empty is left out."""
        if self._span is not None:
            self._span.set_attributes(_attributes(told))

    def called(self, name: str) -> None:
        """What is done, where that is known late."""
        if self._span is not None:
            self._span.update_name(name)

    def answered(self, status: int, *, failed: int) -> None:
        """The status of a request; from ``failed`` on it is an error."""
        if self._span is not None:
            self._span.set_attribute("http.response.status_code", status)
            if status >= failed:
                self.failed(str(status))

    def headers(self) -> dict[str, str]:
        """The headers by which a service goes on with this trace (W3C Trace Context)."""
        carrier: dict[str, str] = {}
        if self._span is not None:
            _propagator().inject(carrier, _trace().set_span_in_context(self._span))
        return carrier

    def failed(self, kind: str) -> None:
        """It went wrong; ``kind`` is what went wrong, in a word."""
        if self._span is not None:
            self._span.set_attribute("error.type", kind)
            self._span.set_status(_trace().StatusCode.ERROR, kind)


_NONE = Span()


@contextmanager
def span(
    name: str,
    kind: Literal["INTERNAL", "CLIENT", "SERVER"] = "INTERNAL",
    *,
    sent: Mapping[str, str] | None = None,
    current: bool = True,
    **told: Value,
) -> Iterator[Span]:
    """While the block runs, a span does.

    Parameters
    ----------
    name
        What is done.
    sent
        Headers of a request; the trace they name, if they name one, goes on here.
    current
        Whether what is done in the block belongs to it; not in an asynchronous generator, which may be left anywhere.
    told
        Attributes, as :meth:`Span.tell` takes them.
    """
    trace = _trace()
    if trace is None:
        yield _NONE
        return
    started = trace.get_tracer("svc_notebook").start_span(name, _named(sent), trace.SpanKind[kind], _attributes(told))
    # What went wrong is told by our own failed(): an exception's words, and its traceback, may hold what was asked.
    held = trace.use_span(started, record_exception=False, set_status_on_exception=False) if current else nullcontext()
    made = Span(started)
    try:
        with held:
            yield made
    except (asyncio.CancelledError, Cancelled, GeneratorExit):
        made.tell(outcome="cancelled")
        raise
    except BaseException as error:
        made.failed(type(error).__name__)  # its words may hold what was asked
        raise
    finally:
        started.end()


def _trace() -> Any:
    """The module, where somebody has it at work: imported, and with a provider that records."""
    # Whoever traces has imported it; to import it here would cost everybody else.
    if "opentelemetry.trace" not in sys.modules:
        return None
    from opentelemetry import trace

    return None if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider) else trace


def _named(sent: Mapping[str, str] | None) -> Any:
    return _propagator().extract(dict(sent)) if sent is not None else None


def _propagator() -> Any:
    # Trace Context alone, whatever the process has set: baggage may hold anything, and goes to no service from here.
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()


def _attributes(told: Mapping[str, Value]) -> dict[str, Any]:
    return {f"svc.{name}": value for name, value in told.items() if value not in (None, "")}
