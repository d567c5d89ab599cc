"""The tree of joined cubes below one root: its joins as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from ...dialects import duckdb as say
from ...dialects.nodes import item, joined_by, sql, word
from ...errors import InvalidQuery
from ...model import Dimension
from ...references import Reference, ResolvedReference
from ..authored.context_filters import filters_by_context, without_context
from ..authored.index import ModelIndex
from ..authored.placing import placed
from ..values import text_literal
from .qualified import Qualified
from .rows import Apart, Body, Exists, Led, Missing, Scan, Screened, Shown, Step
from .steps import Expr, Moved, Path

__all__ = ["Tree"]


class Tree(Qualified):
    """The join tree below one root, with the tables it reads and the expressions placed in it."""

    def __init__(self, index: ModelIndex, root: str) -> None:
        super().__init__(index, root)
        self._moved: Mapping[Path, Moved] = {}

    def scan(self, path: Path) -> Scan:
        """The table of the cube at ``path``, as the asker has it."""
        base, tables = self.index.table(path[-1])
        self.tables |= tables
        if filters_by_context(base):
            base = without_context(base) if self.for_asker is None else self.for_asker(path[-1], base)
        return Scan(path, base, self.alias(path), path in self.marked)

    def joins(self, paths: Iterable[Path]) -> str:
        """FROM text: the root LEFT JOINed with every node needed."""
        start, *rest = self.closure(paths)
        return self.joined(start, rest).sql

    def joined(
        self,
        start: Path,
        rest: Iterable[Path],
        screened: Mapping[Path, Screened] = MappingProxyType({}),
        where: tuple[str | Exists, ...] = (),
    ) -> Body:
        """The rows of ``start`` with ``rest`` joined to them; ``screened`` stands for the table of a node."""
        return Body(self.scan(start), self._steps(rest, screened), where)

    def nothing(self, some: Missing, start: Path, rest: Iterable[Path]) -> Body:
        """``start`` added as a row of NULLs, and what hangs on that."""
        return Body(some, (Step("LEFT JOIN", self.scan(start), word("FALSE")), *self._steps(rest, {})))

    def led(
        self,
        rows: Body,
        home: Path,
        by: Sequence[str],
        rest: Iterable[Path],
        beside: tuple[Shown, ...],
        taken: tuple[Shown, ...],
    ) -> Body:
        """The rows of ``home`` that ``rows`` lead to, once each, and what hangs on them."""
        parent = self.alias(home[:-1])
        columns = tuple(word(f"{parent}.{name}") for name in by)
        return Body(Led(rows, columns, parent, beside, taken), self._steps([home, *rest], {}))

    def led_by(self, home: Path) -> tuple[str, ...] | None:
        """The columns of its parent by which ``home`` is joined; None if two values of them may lead to one row.

        Numbers of two types, texts under a collation, and what is computed may be equal without being the same.
        """
        found: list[str] = []
        # By the text: what is not plainly a chain of equal columns is left to the general way.
        for test in re.split(r"(?i)\s+AND\s+", self.on(home)[1:-1]):
            equal = re.fullmatch(r'\(*(".+?")\.("[^"]+"|\w+)\)* = \(*(".+?")\.("[^"]+"|\w+)\)*', test)
            if equal is None:
                return None
            sides = {equal[1]: equal[2], equal[3]: equal[4]}
            if set(sides) != {self.alias(home[:-1]), self.alias(home)}:
                return None
            here, there = sides[self.alias(home[:-1])], sides[self.alias(home)]
            types = [
                self.index.exact_type(cube, f"{{CUBE}}.{name}") for cube, name in ((home[-2], here), (home[-1], there))
            ]
            if types[0] != types[1] or not say.is_told_apart(types[0]):
                return None
            found.append(here)
        return tuple(dict.fromkeys(found))

    def on(self, path: Path) -> str:
        """The condition of the last step to ``path``."""
        return self._on(path[:-1], path, self.index.join(path[-2], path[-1]).sql)

    def _steps(self, rest: Iterable[Path], screened: Mapping[Path, Screened]) -> tuple[Step, ...]:
        return tuple(self._step(path, screened) for path in rest)

    def _step(self, path: Path, screened: Mapping[Path, Screened]) -> Step:
        if path in self.derived:
            return self._joined_derived(path)
        if path in self.switches:
            values = [text_literal(value) for value in self.switches[path]]
            form = f"(VALUES {', '.join(['({})'] * len(values))}) AS {self.alias(path)}(v)"
            return Step("CROSS JOIN", Apart(item(form, *values)))
        # A row for whose date the calendar has no other is under no period.
        how = "JOIN" if path in self._moved else "LEFT JOIN"
        return Step(how, screened.get(path) or self.scan(path), self.on(path))

    @contextmanager
    def moving(self, calendars: Mapping[Path, Moved]) -> Iterator[None]:
        """While it lasts, these calendars are joined by the date that theirs is moved to."""
        before, self._moved = self._moved, calendars
        try:
            yield
        finally:
            self._moved = before

    def _moved_key(self, node: Path, resolved: ResolvedReference, expr: Expr) -> Expr:
        member = self.index.member(node[-1], resolved.member or "")
        if not isinstance(member, Dimension) or not member.primary_key or member.type != "time":
            raise InvalidQuery(
                f"The calendar '{node[-1]}' is moved in time by its primary key, which its join must use."
            )
        moved = self._moved[node]
        if moved.sql is not None:
            return self.place(node, moved.sql)
        return Expr(sql("({} + {})", expr.sql, moved.interval), expr.paths)

    def _joined_derived(self, path: Path) -> Step:
        derived, alias = self.derived[path], self.alias(path)
        on = joined_by(" AND ", [sql(f"{{}} = {alias}.k{i}", key.sql) for i, key in enumerate(derived.keys)])
        return Step("LEFT JOIN", Apart(item(f"({{}}) AS {alias}", derived.sql())), on)

    def _on(self, parent: Path, child: Path, text: str) -> str:
        fragment = self.index.fragment(text)
        self.tables |= fragment.tables

        def replace(reference: Reference) -> str:
            resolved = self.resolve(parent, reference)
            # A cube that is joined to itself means its other end by its own name.
            node = child if resolved.join_path and resolved.cube == child[-1] else self.walk(parent, resolved.join_path)
            if resolved.member is None:
                self._refuse_raw(node)
                return self.alias(node)
            expr = self.member(node, resolved)
            if node in self._moved:
                expr = self._moved_key(node, resolved, expr)
            # A third cube may not be joined yet where this condition stands.
            if not expr.paths <= {parent, child}:
                raise InvalidQuery(f"The join from '{parent[-1]}' to '{child[-1]}' uses a member of a third cube.")
            return expr.sql

        return sql("({})", placed(fragment.text, replace))
