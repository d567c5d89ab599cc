"""Members that need themselves: circles in what uses what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...records import dataclass
from .fragments import Fragment
from .problems import Problems

__all__ = ["Use", "report_circles"]


@dataclass(frozen=True)
class Use:
    """A member that is used by another one, and where."""

    relation: str
    member: str
    fragment: Fragment


def report_circles(uses: Mapping[tuple[str, str], list[Use]], problems: Problems) -> None:
    """An error for every circle, at the use that closes it."""
    finished: set[tuple[str, str]] = set()
    for start in uses:
        for trail, use in _walk(uses, start, finished):
            names = " → ".join(f"{relation}.{member}" for relation, member in trail)
            column = f"; the column is written {{CUBE}}.{use.member}" if len(set(trail)) == 1 else ""
            problems.error(f"a circle of references: {names}{column}", use.fragment.source)


def _walk(
    uses: Mapping[tuple[str, str], list[Use]], start: tuple[str, str], finished: set[tuple[str, str]]
) -> Iterator[tuple[list[tuple[str, str]], Use]]:
    """Depth first without recursion; yields each circle with the use that closes it."""
    trail: list[tuple[str, str]] = [start]
    waiting: list[Iterator[Use]] = [iter(uses.get(start, ()))]
    if start in finished:
        return
    while waiting:
        use = next(waiting[-1], None)
        if use is None:
            finished.add(trail.pop())
            waiting.pop()
            continue
        key = (use.relation, use.member)
        if key in trail:
            yield [*trail[trail.index(key) :], key], use
        elif key not in finished:
            trail.append(key)
            waiting.append(iter(uses.get(key, ())))
