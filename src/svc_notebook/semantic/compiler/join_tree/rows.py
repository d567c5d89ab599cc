"""The rows of a model source as a frozen tree: what is scanned, what is joined to it, what stands around it.

What a policy puts in is a node of its own or a condition of one: :class:`Screened` rows are what it leaves of a cube
before it is joined, ``where`` holds its conditions on whole rows, :class:`Shown` columns carry their masks, and
:class:`Barrier` is the end of it. :mod:`.proof` reads this tree; its text is what is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from ....records import dataclass
from ...dialects import duckdb as say
from ...dialects.nodes import (
    ONE,
    clause,
    distinct,
    from_,
    holes,
    item,
    named,
    query,
    rows,
    run,
    select,
    sql,
    where,
    word,
)
from .steps import Path

__all__ = [
    "Apart", "Barrier", "Body", "Exists", "Led", "Mask", "Missing", "Numbered", "Part", "Rows", "Scan", "Screened",
    "Shown", "Step", "Told",
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
        form = "(SELECT *, TRUE AS svc_present FROM {} AS marked)" if self.marked else "{}"
        return item(f"{form} AS {self.alias}", self.base)


@dataclass(frozen=True, slots=True)
class Apart:
    """What is joined and is no cube: a list of values, or a subquery with rows and policies of its own."""

    sql: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """The rows of a cube, each with the part and the bit that its ``value`` has among all of them.

    ``values`` are those, once each with part and bit, under the alias ``svc_numbered``.
    """

    scan: Scan
    value: str
    values: str

    @property
    def sql(self) -> str:
        alias = self.scan.alias
        form = (
            f'(SELECT {alias}.*, svc_numbered.part AS "#part", svc_numbered.bit AS "#bit" '
            f"FROM {{}} LEFT JOIN {{}} ON {{}} = svc_numbered.value) AS {alias}"
        )
        return item(form, self.scan.sql, self.values, self.value)


@dataclass(frozen=True, slots=True)
class Screened:
    """The rows of the cube at ``path`` that its policies leave, before they are joined to anything."""

    path: Path
    rows: Body
    alias: str

    @property
    def sql(self) -> str:
        return item(f"(SELECT {self.alias}.* FROM {{}}) AS {self.alias}", self.rows.sql)


@dataclass(frozen=True, slots=True)
class Step:
    """One JOIN."""

    word: str
    item: Scan | Numbered | Screened | Apart
    on: str = ""

    @property
    def sql(self) -> str:
        return (
            clause(f" {self.word} {{}} ON {{}}", self.item.sql, self.on)
            if self.on
            else clause(f" {self.word} {{}}", self.item.sql)
        )


@dataclass(frozen=True, slots=True)
class Exists:
    """A condition that there are such rows, or that there are none."""

    rows: Body
    negated: bool = False

    @property
    def sql(self) -> str:
        return sql(f"{'NOT ' if self.negated else ''}EXISTS (SELECT 1 FROM {{}})", self.rows.sql)


@dataclass(frozen=True, slots=True)
class Missing:
    """One row of nothing, if there are ``some`` rows."""

    some: Body

    @property
    def sql(self) -> str:
        return item("(SELECT 1 WHERE {}) AS svc_missing", Exists(self.some).sql)


@dataclass(frozen=True, slots=True)
class Led:
    """What rows lead to, once each: the columns ``by`` which the next is joined, under the ``alias`` of their own.

    ``beside``: further columns by which they are told apart. ``taken``: what those that are alike in all come to.
    """

    rows: Body
    by: tuple[str, ...]
    alias: str
    beside: tuple[Shown, ...] = ()
    taken: tuple[Shown, ...] = ()

    @property
    def sql(self) -> str:
        of = from_(self.rows.sql)
        if self.taken:
            alike = [*self.by, *(column.value for column in self.beside)]
            group = clause(f" GROUP BY {holes(len(alike))}", *alike)
            text = select([*self.by, *(column.sql for column in (*self.beside, *self.taken))], run(of, group))
        else:
            text = select([*self.by, *(column.sql for column in self.beside)], of, distinct("DISTINCT "))
        return item(f"({{}}) AS {self.alias}", text)


@dataclass(frozen=True, slots=True)
class Body:
    """FROM and WHERE; ``where`` are conditions that all must hold."""

    start: Scan | Missing | Led
    steps: tuple[Step, ...] = ()
    where: tuple[str | Exists, ...] = ()

    @property
    def sql(self) -> str:
        tests = [test if isinstance(test, str) else test.sql for test in self.where]
        return run(rows("{}", self.start.sql), *(step.sql for step in self.steps), where(tests))

    def numbered(self, at: Path, value: str, values: str) -> Body:
        """The same where what leads here reads the cube ``at`` with its values numbered; see :class:`Numbered`."""
        assert isinstance(self.start, Led)
        of = self.start.rows
        steps = tuple(
            replace(step, item=Numbered(step.item, value, values))
            if isinstance(step.item, Scan) and step.item.path == at
            else step
            for step in of.steps
        )
        return replace(self, start=replace(self.start, rows=replace(of, steps=steps)))

    def items(self) -> Iterator[Scan | Screened | Apart]:
        """What is read here, from the start on."""
        if isinstance(self.start, Scan):
            yield self.start
        for step in self.steps:
            yield step.item.scan if isinstance(step.item, Numbered) else step.item


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
    moved: tuple[str, str] | None = None  # a length that is added to it, and the type of the sum

    @property
    def sql(self) -> str:
        text = self.value
        if (mask := self.mask) is not None:
            shown = "CASE WHEN {} THEN {} ELSE {} END"
            # First the mask, and then the shift in time, which must not show what the mask hid.
            text = mask.hidden if mask.unless is None else sql(shown, mask.unless, text, mask.hidden)
        if self.moved is not None:
            by, type_ = self.moved
            text = say.cast(sql("{} + {}", text, by), type_)
        return named(text, self.name)


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns over one body, or over several put together."""

    columns: tuple[Shown, ...]
    bodies: tuple[Body, ...]

    @property
    def select(self) -> str:
        columns = [column.sql for column in self.columns] or [ONE]
        found = [select(columns, from_(body.sql)) for body in self.bodies]
        return found[0] if len(found) == 1 else query(holes(len(found), " UNION ALL "), *found)

    @property
    def sql(self) -> str:
        return sql("({})", self.select)


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
            text = select([word("*")], run(from_(rows(f"({{}}) AS {self.alias}", text)), where(self.safe)))
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
