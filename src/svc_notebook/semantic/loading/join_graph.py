"""Declared joins as a directed graph: who reaches whom, and by which shortest way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import Cube

__all__ = ["JoinGraph"]


class JoinGraph:
    """Joins lead from the declaring cube to its target."""

    def __init__(self, cubes: Mapping[str, Cube]) -> None:
        self._next = {name: [join.name for join in cube.joins if join.name in cubes] for name, cube in cubes.items()}
        self._reach: dict[str, frozenset[str]] = {}

    def neighbours(self, cube: str) -> list[str]:
        return self._next.get(cube, [])

    def reach(self, cube: str) -> frozenset[str]:
        """Every cube that can be reached, the cube itself included."""
        if cube not in self._reach:
            seen, waiting = {cube}, [cube]
            while waiting:
                for target in self.neighbours(waiting.pop()):
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
            self._reach[cube] = frozenset(seen)
        return self._reach[cube]

    def shortest(self, start: str, end: str) -> list[tuple[str, ...]]:
        """The shortest ways, each with both ends; more than one means the model leaves the choice open."""
        ways: list[tuple[str, ...]] = [(start,)]
        seen = {start}
        while ways and start != end:
            arrived = [way for way in ways if way[-1] == end]
            if arrived:
                return arrived
            # A thousand ways of one length: a dense model has more than anybody reads, and two already are an error.
            ways = [(*way, target) for way in ways for target in self.neighbours(way[-1]) if target not in seen][:1000]
            # After the whole step: two ways of one length to the same cube are both to be found.
            seen |= {way[-1] for way in ways}
        return ways

    def connected(self, cubes: Iterable[str]) -> bool:
        """Whether some cube reaches all of ``cubes``, so that one query can hold them."""
        wanted = set(cubes)
        return any(wanted <= self.reach(start) for start in self._next)
