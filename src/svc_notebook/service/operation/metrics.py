"""Counters, histograms and gauges of one service, and their text as Prometheus reads it.

Written here and not taken from a library: a kernel may hold several services, each with figures of its own, and what
is needed is three kinds and a page of text (format 0.0.4). Several processes may be one service: what is counted stands
where all of them count (:mod:`.counts`), what is read when somebody looks is read in each and put together here.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ...records import dataclass
from .counts import Counts, OwnCounts

__all__ = ["CONTENT_TYPE", "Counter", "Gauge", "Histogram", "Metrics", "Moment"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})

Labels = tuple[str, ...]
Read = Callable[[], float | Mapping[Labels, float]]
Sums = Mapping[Labels, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Moment:
    """What the gauges of one process show: by name, label values and number; ``worker`` is ``""`` where it is alone."""

    worker: str
    shown: Mapping[str, Sequence[tuple[Sequence[str], float]]]


class _Kind(Protocol):
    kind: str
    size: int

    def samples(self, sums: Sums, moments: Sequence[Moment]) -> Iterator[tuple[str, Mapping[str, str], float]]: ...


K = TypeVar("K", bound=_Kind)


class Metrics:
    """What is counted of one service.

    Parameters
    ----------
    counts
        Where the numbers stand.
    """

    def __init__(self, counts: Counts | None = None) -> None:
        self._known: dict[str, tuple[str, _Kind]] = {}
        self._gauges: dict[str, Gauge] = {}
        self._counts = counts or OwnCounts()
        self._lock = threading.Lock()

    def counter(self, name: str, about: str, *labels: str) -> Counter:
        """A number that only grows."""
        return self._add(name, about, Counter(name, labels, self._counts, self._lock))

    def histogram(self, name: str, about: str, *labels: str, bounds: tuple[float, ...] = SECONDS) -> Histogram:
        """How a quantity is spread, by upper bounds."""
        return self._add(name, about, Histogram(name, labels, bounds, self._counts, self._lock))

    def gauge(self, name: str, about: str, read: Read, *labels: str, apart: bool = False, kind: str = "gauge") -> Gauge:
        """A number as ``read`` gives it when somebody looks; by label values, where there are labels.

        Of several processes the numbers are added up, or stand ``apart`` with the label ``worker``.
        """
        self._gauges[name] = gauge = self._add(name, about, Gauge(name, labels, read, apart, kind))
        return gauge

    def moment(self, worker: str = "") -> Moment:
        """What the gauges of this process show now."""
        return Moment(worker, {name: list(gauge.read().items()) for name, gauge in self._gauges.items()})

    def text(self, others: Sequence[Moment] = (), worker: str = "") -> str:
        """Everything, as a page for Prometheus; ``others`` is what gauges of the other processes show."""
        return "".join(f"{line}\n" for line in self._lines([self.moment(worker), *others]))

    def _add(self, name: str, about: str, kind: K) -> K:
        self._known[name] = (about, kind)
        return kind

    def _lines(self, moments: Sequence[Moment]) -> Iterator[str]:
        counted: dict[tuple[str, int], dict[Labels, Sequence[float]]] = {}
        for ((name, *values), size), numbers in self._counts.sums().items():
            counted.setdefault((name, size), {})[tuple(values)] = numbers
        for name, (about, kind) in self._known.items():
            yield f"# HELP {name} {about}"
            yield f"# TYPE {name} {kind.kind}"
            for suffix, labels, value in kind.samples(counted.get((name, kind.size), {}), moments):
                told = ",".join(f'{key}="{text.translate(_ESCAPES)}"' for key, text in labels.items())
                yield f"{name}{suffix}{{{told}}} {_number(value)}" if told else f"{name}{suffix} {_number(value)}"


class Counter:
    """A number that only grows, one for each combination of label values."""

    kind, size = "counter", 1

    def __init__(self, name: str, labels: Labels, counts: Counts, lock: threading.Lock) -> None:
        self._name, self._labels, self._counts, self._lock = name, labels, counts, lock
        if not labels:
            # So that it is there as 0 before anything is counted: an alert on a figure that is absent does not fire.
            counts.of((name,), 1)

    def add(self, *values: str, by: float = 1.0) -> None:
        with self._lock:
            self._counts.of((self._name, *values), 1)[0] += by

    def samples(self, sums: Sums, _: Sequence[Moment]) -> Iterator[tuple[str, Mapping[str, str], float]]:
        for values, (count,) in sorted(sums.items()):
            yield "", dict(zip(self._labels, values, strict=True)), count


class Histogram:
    """How a quantity is spread, for each combination of label values: a count for each bound, and the sum of all."""

    kind = "histogram"

    def __init__(
        self, name: str, labels: Labels, bounds: tuple[float, ...], counts: Counts, lock: threading.Lock
    ) -> None:
        self._name, self._labels, self._bounds, self._counts, self._lock = name, labels, bounds, counts, lock
        self.size = len(bounds) + 2
        if not labels:
            counts.of((name,), self.size)

    def observe(self, amount: float, *values: str) -> None:
        with self._lock:
            numbers = self._counts.of((self._name, *values), self.size)
            # A bound belongs to its bucket (le, less or equal); buckets are added up only when somebody looks.
            numbers[bisect_left(self._bounds, amount)] += 1
            numbers[-1] += amount

    def samples(self, sums: Sums, _: Sequence[Moment]) -> Iterator[tuple[str, Mapping[str, str], float]]:
        for values, (*counts, total) in sorted(sums.items()):
            labels = dict(zip(self._labels, values, strict=True))
            running = 0.0
            for bound, count in zip((*map(_number, self._bounds), "+Inf"), counts, strict=True):
                running += count
                yield "_bucket", {**labels, "le": bound}, running
            yield "_sum", labels, total
            yield "_count", labels, running


class Gauge:
    """A number that is read when somebody looks."""

    size = 0

    def __init__(self, name: str, labels: Labels, read: Read, apart: bool, kind: str) -> None:
        self._name, self._labels, self._read, self._apart, self.kind = name, labels, read, apart, kind

    def read(self) -> Mapping[Labels, float]:
        found = self._read()
        return found if isinstance(found, Mapping) else {(): found}

    def samples(self, _: Sums, moments: Sequence[Moment]) -> Iterator[tuple[str, Mapping[str, str], float]]:
        found: dict[tuple[str, Labels], float] = {}
        for moment in moments:
            for values, value in moment.shown.get(self._name, ()):
                shown = moment.worker if self._apart else "", tuple(values)
                found[shown] = found.get(shown, 0.0) + value
        for (worker, values), value in sorted(found.items()):
            labels: dict[str, Any] = dict(zip(self._labels, values, strict=True))
            yield "", {**labels, "worker": worker} if worker else labels, value


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
