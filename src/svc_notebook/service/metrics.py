"""Counters, histograms and gauges of one service, and their text as Prometheus reads it.

Written here and not taken from a library: a kernel may hold several services, each with figures of its own, and what
is needed is three kinds and a page of text (format 0.0.4).
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, TypeVar

__all__ = ["CONTENT_TYPE", "Counter", "Gauge", "Histogram", "Metrics"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})

Labels = tuple[str, ...]


class _Kind(Protocol):
    kind: str

    def samples(self) -> Iterator[tuple[str, Mapping[str, str], float]]: ...


K = TypeVar("K", bound=_Kind)


class Metrics:
    """What is counted of one service."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, _Kind]] = {}
        self._lock = threading.Lock()

    def counter(self, name: str, about: str, *labels: str) -> Counter:
        """A number that only grows."""
        return self._add(name, about, Counter(labels, self._lock))

    def histogram(self, name: str, about: str, *labels: str, bounds: tuple[float, ...] = SECONDS) -> Histogram:
        """How a quantity is spread, by upper bounds."""
        return self._add(name, about, Histogram(labels, bounds, self._lock))

    def gauge(self, name: str, about: str, read: Callable[[], float | Mapping[Labels, float]], *labels: str) -> Gauge:
        """A number as ``read`` gives it when somebody looks; by label values, where there are labels."""
        return self._add(name, about, Gauge(labels, read))

    def text(self) -> str:
        """Everything, as a page for Prometheus."""
        return "".join(f"{line}\n" for line in self._lines())

    def _add(self, name: str, about: str, kind: K) -> K:
        self._known[name] = (about, kind)
        return kind

    def _lines(self) -> Iterator[str]:
        for name, (about, kind) in self._known.items():
            yield f"# HELP {name} {about}"
            yield f"# TYPE {name} {kind.kind}"
            for suffix, labels, value in kind.samples():
                told = ",".join(f'{key}="{text.translate(_ESCAPES)}"' for key, text in labels.items())
                yield f"{name}{suffix}{{{told}}} {_number(value)}" if told else f"{name}{suffix} {_number(value)}"


class Counter:
    """A number that only grows, one for each combination of label values."""

    kind = "counter"

    def __init__(self, labels: Labels, lock: threading.Lock) -> None:
        self._labels, self._lock = labels, lock
        self._counts: dict[Labels, float] = {} if labels else {(): 0.0}

    def add(self, *values: str, by: float = 1.0) -> None:
        with self._lock:
            self._counts[values] = self._counts.get(values, 0.0) + by

    def samples(self) -> Iterator[tuple[str, Mapping[str, str], float]]:
        for values, count in sorted(self._counts.copy().items()):
            yield "", dict(zip(self._labels, values, strict=True)), count


class Histogram:
    """How a quantity is spread, for each combination of label values."""

    kind = "histogram"

    def __init__(self, labels: Labels, bounds: tuple[float, ...], lock: threading.Lock) -> None:
        self._labels, self._bounds, self._lock = labels, bounds, lock
        self._seen: dict[Labels, tuple[list[int], list[float]]] = {}
        if not labels:
            self._of(())

    def observe(self, amount: float, *values: str) -> None:
        with self._lock:
            counts, total = self._of(values)
            counts[bisect_left(self._bounds, amount)] += 1
            total[0] += amount

    def samples(self) -> Iterator[tuple[str, Mapping[str, str], float]]:
        with self._lock:
            seen = [(values, list(counts), total[0]) for values, (counts, total) in sorted(self._seen.items())]
        for values, counts, total in seen:
            labels = dict(zip(self._labels, values, strict=True))
            running = 0
            for bound, count in zip((*map(_number, self._bounds), "+Inf"), counts, strict=True):
                running += count
                yield "_bucket", {**labels, "le": bound}, running
            yield "_sum", labels, total
            yield "_count", labels, running

    def _of(self, values: Labels) -> tuple[list[int], list[float]]:
        return self._seen.setdefault(values, ([0] * (len(self._bounds) + 1), [0.0]))


class Gauge:
    """A number that is read when somebody looks."""

    kind = "gauge"

    def __init__(self, labels: Labels, read: Callable[[], float | Mapping[Labels, float]]) -> None:
        self._labels, self._read = labels, read

    def samples(self) -> Iterator[tuple[str, Mapping[str, str], float]]:
        found = self._read()
        for values, value in sorted((found if isinstance(found, Mapping) else {(): found}).items()):
            yield "", dict(zip(self._labels, values, strict=True)), value


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
