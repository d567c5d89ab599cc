"""The nodes of a join tree and the steps between them: which of them repeat rows, seen from where.

A node is the path of cubes walked from the root, so a cube reached by two ways is there twice. Which steps multiply
rows is read off the declared relationships; whether a *node's* rows are multiplied depends on where one looks from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ....records import dataclass
from ...errors import InvalidQuery
from ..authored.index import ModelIndex
from ..values import quote

__all__ = ["Derived", "Expr", "Moved", "Path", "Steps"]

Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expr:
    """A model expression as SQL over the tree's aliases, the nodes it reads, and whether it can never raise."""

    sql: str
    paths: frozenset[Path]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """A subquery joined to its parent by the parent's primary key: ``keys`` are the parent's, as in the subquery."""

    sql: Callable[[], str]
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """How a calendar is joined to compare with another time: by other dates of its rows, or by an interval (SQL)."""

    sql: str | None = None
    interval: str = ""


class Steps:
    """The nodes below ``root``, as far as they have been walked to."""

    def __init__(self, index: ModelIndex, root: str) -> None:
        self.index = index
        self.root: Path = (root,)
        self._aliases: dict[Path, str] = {}
        self.derived: dict[Path, Derived] = {}  # joined subqueries of sub_query dimensions
        self.switches: dict[Path, tuple[str, ...]] = {}  # lists of values, each of which every row is joined with

    def alias(self, path: Path) -> str:
        found = self._aliases.get(path)
        if found is None:
            name = path[-1]
            # The cube's own name as long as it is free: it is what the author would write.
            found = name if name not in self._aliases.values() else "__".join(path)
            self._aliases[path] = found
        return quote(found)

    def walk(self, path: Path, steps: Iterable[str]) -> Path:
        """The node reached from ``path`` over the cubes named; a step back to an ancestor is the ancestor itself."""
        at = path
        for cube in steps:
            if cube in at:
                at = at[: at.index(cube) + 1]
            elif self.index.has_join(at[-1], cube):
                at = (*at, cube)
            else:
                between = self.index.path(at[-1], cube)
                if between is None:
                    raise InvalidQuery(f"There is no join from '{at[-1]}' to '{cube}'.")
                at = (*at, *between)
        return at

    def relationship(self, path: Path) -> str:
        """The relationship of the last step to ``path``."""
        # Every row meets every value of the list.
        if path in self.switches:
            return "one_to_many"
        return "one_to_one" if path in self.derived else self.index.join(path[-2], path[-1]).relationship

    def is_cube(self, path: Path) -> bool:
        """Whether the node is a cube of the model, not a subquery or the values of a switch."""
        return path not in self.derived and path not in self.switches

    def multiplied(self, home: Path, used: Iterable[Path]) -> bool:
        """Whether joining ``used`` repeats the rows of ``home``."""
        for path in self.closure([*used, home]):
            if len(path) == 1:
                continue
            relationship = self.relationship(path)
            upward = home[: len(path)] == path
            if relationship == ("many_to_one" if upward else "one_to_many"):
                return True
        return False

    def alone(self, home: Path, used: Iterable[Path]) -> bool:
        """Whether ``home`` is reached from the root by to-one steps, and ``used`` from it by further ones."""
        inside = all(path[: len(home)] == home and self.to_one(path, home) for path in used)
        return inside and len(home) > 1 and self.to_one(home, self.root)

    def to_one(self, path: Path, start: Path) -> bool:
        """Whether every step from ``start`` down to ``path`` leads to at most one row."""
        steps = range(len(start), len(path))
        return all(self.relationship(path[: i + 1]) != "one_to_many" for i in steps)

    def determines(self, one: Path, other: Path) -> bool:
        """Whether a row at ``one`` has at most one row at ``other``."""
        shared = 0
        while shared < min(len(one), len(other)) and one[shared] == other[shared]:
            shared += 1
        up = (self.relationship(one[: i + 1]) for i in range(shared, len(one)))
        down = (self.relationship(other[: i + 1]) for i in range(shared, len(other)))
        return all(r != "many_to_one" for r in up) and all(r != "one_to_many" for r in down)

    def grain(self, path: Path) -> Path:
        """The node whose rows a value at ``path`` belongs to: the last to-many step on the way, else the root."""
        for i in range(len(path), 1, -1):
            if self.relationship(path[:i]) == "one_to_many" and path[:i] not in self.switches:
                return path[:i]
        return self.root

    def closure(self, paths: Iterable[Path]) -> list[Path]:
        """All nodes on the way to ``paths``, nearest first."""
        every = {path[: i + 1] for path in paths for i in range(len(path))} | {self.root}
        # Nearest first, for a join must follow what it is joined to; then by name, so that equal queries give equal
        # text.
        return sorted(every, key=lambda path: (len(path), path))
