"""The tree of joined cubes below one root, and the model's expressions placed in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..engine import TableName
from ..errors import InvalidQuery
from ..model import Dimension, Measure, Segment
from ..references import Reference, ResolvedReference, UnresolvedReference, substitute
from ..references import resolve as resolve_reference
from .context_filters import filters_by_context, without_context
from .index import ModelIndex
from .steps import Derived, Expr, Moved, Path, Steps
from .timegrain import calendar_granularity, truncated
from .values import text_literal

__all__ = ["Derived", "Expr", "Moved", "Path", "Tree"]


class Tree(Steps):
    """The join tree below one root, with the tables it reads and the expressions placed in it."""

    def __init__(self, index: ModelIndex, root: str) -> None:
        super().__init__(index, root)
        self.tables: set[TableName] = set()
        self.places: dict[Path, Path] = {}  # where a view's join paths lie in this tree
        self.derive: Callable[[Path, Dimension], Derived] | None = None
        self.marked: set[Path] = set()  # nodes without a key whose rows must be told from missing ones
        self._moved: Mapping[Path, Moved] = {}
        self.asked: tuple[Any, Sequence[Any]] | None = None  # the source of the query, and its filters
        self.for_asker: Callable[[str, str], str] | None = None  # a cube's SQL with the asker's values in it

    # --- expressions -----------------------------------------------------------------------------------------------

    def place(self, path: Path, text: str, *, aggregates: bool = False) -> Expr:
        """A fragment of the cube at ``path``, its references replaced by what they mean there."""
        fragment = self.index.fragment(text)
        if fragment.over_rows and not aggregates:
            raise InvalidQuery(f"{self._owner(path[-1], text)} aggregates rows inside the value of a row.")
        self.tables |= fragment.tables
        paths: set[Path] = set()
        safe = fragment.safe and self.index.fits(path[-1], text)

        def replace(reference: Reference) -> str:
            nonlocal safe
            resolved = self.resolve(path, reference)
            node = self.walk(path, resolved.join_path)
            if resolved.member is None:
                paths.add(node)
                return self.alias(node)
            inner = self.member(node, resolved)
            paths.update(inner.paths)
            safe = safe and inner.safe
            return inner.sql

        sql = substitute(fragment.text, replace)
        return Expr(sql if fragment.plain else f"({sql})", frozenset(paths or {path}), safe)

    def _owner(self, cube: str, text: str) -> str:
        """Whose SQL a text is, in words; what a policy might hide is not named."""
        home = self.index.cube(cube)
        for member in home.members if home.access_policy is None else ():
            if member.public and text in (member.sql, *(member.filters if isinstance(member, Measure) else ())):
                return f"The SQL of '{cube}.{member.name}'"
        return f"The SQL of a member of '{cube}'"

    def resolve(self, path: Path, reference: Reference) -> ResolvedReference:
        try:
            return resolve_reference(self.index.scope, path[-1], reference)
        except UnresolvedReference as error:
            raise InvalidQuery(f"The data model refers to '{error.name}', which it does not have.") from None

    def member(self, path: Path, resolved: ResolvedReference) -> Expr:
        member = self.index.member(path[-1], resolved.member or "")
        if isinstance(member, Measure):
            raise InvalidQuery(
                f"The data model uses the measure '{path[-1]}.{member.name}' where a row value is needed."
            )
        expr = self.segment(path, member) if isinstance(member, Segment) else self.dimension(path, member)
        if resolved.granularity is None or isinstance(member, Segment):
            return expr
        own = calendar_granularity(resolved.granularity, member.granularities)
        if own is not None:
            return self.place(path, own)
        return Expr(truncated(resolved.granularity, expr.sql, member.granularities), expr.paths)

    def segment(self, path: Path, segment: Segment) -> Expr:
        expr = self.condition(path, segment.sql)
        return Expr(f"COALESCE({expr.sql}, FALSE)", expr.paths, expr.safe)

    def condition(self, path: Path, text: str) -> Expr:
        """A fragment where a condition is wanted; another kind of value would be cast to one, and may not fit."""
        expr = self.place(path, text)
        return expr if self.index.fits(path[-1], text, "boolean") else Expr(expr.sql, expr.paths)

    def dimension(self, path: Path, dimension: Dimension) -> Expr:
        """A dimension's value, before masks and time zones."""
        if dimension.sub_query:
            return self._sub_query(path, dimension)
        if dimension.values:
            node = (*path, f"{dimension.name}?")
            self.switches[node] = dimension.values
            return Expr(f"{self.alias(node)}.v", frozenset({node}), True)
        if dimension.case is not None:
            return self._case(path, dimension)
        if dimension.type == "geo" and dimension.latitude and dimension.longitude:
            parts = [self.place(path, text) for text in (dimension.latitude, dimension.longitude)]
            sql = " || ',' || ".join(f"CAST({p.sql} AS VARCHAR)" for p in parts)
            return Expr(f"({sql})", parts[0].paths | parts[1].paths)
        expr = self.place(path, dimension.sql or dimension.name)
        if self.index.is_written(path[-1], dimension):
            return Expr(f"TRY_CAST({expr.sql} AS TIMESTAMP)", expr.paths, expr.safe)
        return expr

    def _sub_query(self, path: Path, dimension: Dimension) -> Expr:
        """A measure of another cube as a dimension: one value for each row of this cube, joined by primary key."""
        node = (*path, f"{dimension.name}?")
        if node not in self.derived:
            if self.derive is None:
                raise InvalidQuery(f"'{dimension.name}' cannot stand here.")
            self.derived[node] = self.derive(path, dimension)
        return Expr(f"{self.alias(node)}.v", frozenset({node}))

    def _case(self, path: Path, dimension: Dimension) -> Expr:
        assert dimension.case is not None
        pieces: list[str] = []
        parts: list[Expr] = []

        def label(literal: str | None, sql: str | None) -> str:
            if sql is None:
                return text_literal(literal or "")
            parts.append(self.place(path, sql))
            return parts[-1].sql

        for when in dimension.case.when:
            parts.append(self.condition(path, when.sql))
            pieces.append(f"WHEN {parts[-1].sql} THEN {label(when.label, when.label_sql)}")
        if dimension.case.else_label is not None or dimension.case.else_sql is not None:
            pieces.append(f"ELSE {label(dimension.case.else_label, dimension.case.else_sql)}")
        paths = frozenset({path}).union(*(p.paths for p in parts))
        return Expr(f"(CASE {' '.join(pieces)} END)", paths, all(p.safe for p in parts))

    def present(self, path: Path) -> Expr:
        """Whether a row of the cube was joined at all; always so for the root."""
        if path == self.root:
            return Expr("TRUE", frozenset({path}), True)
        keys = (d for d in self.index.cube(path[-1]).dimensions if d.primary_key)
        key = next((d for d in keys if self._is_column(d)), None)  # CONCAT(a, b) is not NULL where no row is
        if key is not None:
            expr = self.dimension(path, key)
            return Expr(f"({expr.sql} IS NOT NULL)", expr.paths)
        self.marked.add(path)
        return Expr(f"({self.alias(path)}.svc_present IS NOT NULL)", frozenset({path}))

    def _is_column(self, dimension: Dimension) -> bool:
        plain = dimension.case is None and not dimension.sub_query and not dimension.values
        return plain and self.index.fragment(dimension.sql or dimension.name).plain

    def where_present(self, path: Path, expr: Expr) -> Expr:
        """``expr`` of the cube's row, NULL where no row was joined: a bare column is so by itself, COALESCE is not."""
        column = rf'\(?{re.escape(self.alias(path))}\.("[^"]+"|\w+)\)?'
        if path == self.root or re.fullmatch(column, expr.sql):
            return expr
        present = self.present(path)
        return Expr(f"CASE WHEN {present.sql} THEN {expr.sql} END", expr.paths | present.paths)

    def key(self, path: Path) -> list[Expr]:
        """The primary key of the cube at ``path``."""
        return [self.dimension(path, d) for d in self.index.cube(path[-1]).dimensions if d.primary_key]

    # --- joins -----------------------------------------------------------------------------------------------------

    def base(self, path: Path) -> str:
        sql, tables = self.index.table(path[-1])
        self.tables |= tables
        if filters_by_context(sql):
            sql = without_context(sql) if self.for_asker is None else self.for_asker(path[-1], sql)
        return f"(SELECT *, TRUE AS svc_present FROM {sql} AS marked)" if path in self.marked else sql

    def joins(self, paths: Iterable[Path], bases: dict[Path, str] | None = None) -> str:
        """FROM text: the root LEFT JOINed with every node needed; ``bases`` replaces the table of a node."""
        bases = bases or {}
        start, *rest = self.closure(paths)
        return self.joined(start, rest, bases)

    def joined(self, start: Path, rest: Iterable[Path], bases: dict[Path, str]) -> str:
        return f"{bases.get(start) or self.base(start)} AS {self.alias(start)}" + self._steps(rest, bases)

    def nothing(self, start: Path, rest: Iterable[Path]) -> str:
        """LEFT JOINs that add ``start`` as a row of NULLs, and what hangs on that."""
        return f" LEFT JOIN {self.base(start)} AS {self.alias(start)} ON FALSE" + self._steps(rest, {})

    def on(self, path: Path) -> str:
        """The condition of the last step to ``path``."""
        return self._on(path[:-1], path, self.index.join(path[-2], path[-1]).sql)

    def _steps(self, rest: Iterable[Path], bases: dict[Path, str]) -> str:
        text = ""
        for path in rest:
            if path in self.derived:
                text += self._joined_derived(path)
            elif path in self.switches:
                values = ", ".join(f"({text_literal(value)})" for value in self.switches[path])
                text += f" CROSS JOIN (VALUES {values}) AS {self.alias(path)}(v)"
            else:
                word = "JOIN" if path in self._moved else "LEFT JOIN"
                text += f" {word} {bases.get(path) or self.base(path)} AS {self.alias(path)} ON {self.on(path)}"
        return text

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
        return Expr(f"({expr.sql} + {moved.interval})", expr.paths)

    def _joined_derived(self, path: Path) -> str:
        derived, alias = self.derived[path], self.alias(path)
        on = " AND ".join(f"{key.sql} = {alias}.k{i}" for i, key in enumerate(derived.keys))
        return f" LEFT JOIN ({derived.sql()}) AS {alias} ON {on}"

    def _on(self, parent: Path, child: Path, text: str) -> str:
        fragment = self.index.fragment(text)
        self.tables |= fragment.tables

        def replace(reference: Reference) -> str:
            resolved = self.resolve(parent, reference)
            node = child if resolved.join_path and resolved.cube == child[-1] else self.walk(parent, resolved.join_path)
            if resolved.member is None:
                return self.alias(node)
            expr = self.member(node, resolved)
            if node in self._moved:
                expr = self._moved_key(node, resolved, expr)
            if not expr.paths <= {parent, child}:
                raise InvalidQuery(f"The join from '{parent[-1]}' to '{child[-1]}' uses a member of a third cube.")
            return expr.sql

        return f"({substitute(fragment.text, replace)})"
