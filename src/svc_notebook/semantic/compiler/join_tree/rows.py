"""The rows of a model source as a frozen tree: what is scanned, what is joined to it, what stands around it.

What a policy puts in is a node of its own or a condition of one: :class:`Screened` rows are what it leaves of a cube
before it is joined, ``where`` holds its conditions on whole rows, :class:`Shown` columns carry their masks, and
:class:`Barrier` is the end of it. :mod:`.proof` reads this tree; its text is what is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ...dialects import duckdb as say
from ..values import quote
from .steps import Path

__all__ = [
    "Apart", "Barrier", "Body", "Exists", "Mask", "Missing", "Part", "Rows", "Scan", "Screened", "Shown",
    "Step", "Told",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scan:
    """The table, or the SELECT, of the cube at ``path``; ``marked`` rows can be told from missing ones."""

    path: Path
    base: str
    alias: str
    marked: bool = False

    @property
    def sql(self) -> str:
        item = f"(SELECT *, TRUE AS svc_present FROM {self.base} AS marked)" if self.marked else self.base
        return f"{item} AS {self.alias}"


@dataclass(frozen=True, slots=True)
class Apart:
    """What is joined and is no cube: a list of values, or a subquery with rows and policies of its own."""

    sql: str


@dataclass(frozen=True, slots=True)
class Screened:
    """The rows of the cube at ``path`` that its policies leave, before they are joined to anything."""

    path: Path
    rows: Body
    alias: str

    @property
    def sql(self) -> str:
        return f"(SELECT {self.alias}.* FROM {self.rows.sql}) AS {self.alias}"


@dataclass(frozen=True, slots=True)
class Step:
    """One JOIN."""

    word: str
    item: Scan | Screened | Apart
    on: str = ""

    @property
    def sql(self) -> str:
        return f" {self.word} {self.item.sql}" + (f" ON {self.on}" if self.on else "")


@dataclass(frozen=True, slots=True)
class Exists:
    """A condition that there are such rows, or that there are none."""

    rows: Body
    negated: bool = False

    @property
    def sql(self) -> str:
        return f"{'NOT ' if self.negated else ''}EXISTS (SELECT 1 FROM {self.rows.sql})"


@dataclass(frozen=True, slots=True)
class Missing:
    """One row of nothing, if there are ``some`` rows."""

    some: Body

    @property
    def sql(self) -> str:
        return f"(SELECT 1 WHERE {Exists(self.some).sql}) AS svc_missing"


@dataclass(frozen=True, slots=True)
class Body:
    """FROM and WHERE; ``where`` are conditions that all must hold."""

    start: Scan | Missing
    steps: tuple[Step, ...] = ()
    where: tuple[str | Exists, ...] = ()

    @property
    def sql(self) -> str:
        tests = [test if isinstance(test, str) else test.sql for test in self.where]
        text = self.start.sql + "".join(step.sql for step in self.steps)
        return text + (f" WHERE {' AND '.join(tests)}" if tests else "")

    def items(self) -> Iterator[Scan | Screened | Apart]:
        """What is read here, from the start on."""
        if isinstance(self.start, Scan):
            yield self.start
        for step in self.steps:
            yield step.item


@dataclass(frozen=True, slots=True)
class Mask:
    """What is shown instead of a value, but on rows where ``unless`` holds (None: on all)."""

    hidden: str
    unless: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A column: ``name`` in these rows, and the member it is ``at`` a node, by relation and name, if it is one."""

    name: str
    value: str
    member: tuple[str, str] | None = None
    at: Path = ()
    mask: Mask | None = None
    moved: str = ""  # the value moved in time, with ``{}`` for it

    @property
    def sql(self) -> str:
        text = self.value
        if (mask := self.mask) is not None:
            text = mask.hidden if mask.unless is None else f"CASE WHEN {mask.unless} THEN {text} ELSE {mask.hidden} END"
        return f"{self.moved.replace('{}', text) if self.moved else text} AS {quote(self.name)}"


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns over one body, or over several put together."""

    columns: tuple[Shown, ...]
    bodies: tuple[Body, ...]

    @property
    def select(self) -> str:
        columns = ", ".join(column.sql for column in self.columns) or "1 AS one"
        return " UNION ALL ".join(f"SELECT {columns} FROM {body.sql}" for body in self.bodies)

    @property
    def sql(self) -> str:
        return f"({self.select})"


@dataclass(frozen=True, slots=True)
class Barrier:
    """Rows that nothing of the query gets below, but ``safe`` conditions, which no value can make fail."""

    rows: Rows
    alias: str
    safe: tuple[str, ...] = ()
    packed: bool = False

    @property
    def sql(self) -> str:
        text = self.rows.select
        if self.safe:
            text = f"SELECT * FROM ({text}) AS {self.alias} WHERE {' AND '.join(self.safe)}"
        return say.barrier(text, packed=self.packed)


@dataclass(frozen=True, slots=True)
class Told:
    """A value that is computed over the rows: a measure's, masked or not."""

    member: tuple[str, str]
    value: str
    masked: bool = False

    @property
    def sql(self) -> str:
        return self.value


Part: TypeAlias = "Rows | Barrier"
