"""The model's expressions placed in a join tree: what a fragment of a cube means at the node it stands at."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ...dialects import duckdb as say
from ...dialects.nodes import column as in_relation
from ...dialects.nodes import sql, word
from ...engine import TableName
from ...errors import InvalidQuery
from ...intervals import divides
from ...model import Dimension, Measure, Segment
from ...references import Reference, ResolvedReference, UnresolvedReference
from ...references import resolve as resolve_reference
from ..authored.index import ModelIndex
from ..authored.placing import placed
from ..authored.timegrain import calendar_granularity, truncated
from ..rollup_tables import NOT_HELD, NotHeld
from ..values import text_literal
from .steps import Derived, Expr, Path, Steps

__all__ = ["Qualified"]


class Qualified(Steps):
    """The nodes below one root, with the tables they read and the expressions placed in them."""

    def __init__(self, index: ModelIndex, root: str) -> None:
        super().__init__(index, root)
        self.tables: set[TableName] = set()
        self.selected: set[TableName] = set()  # … of them by SQL of measures, which stands outside the rows
        self.places: dict[Path, Path] = {}  # where a view's join paths lie in this tree
        self.derive: Callable[[Path, Dimension], Derived] | None = None
        self.marked: set[Path] = set()  # nodes without a key whose rows must be told from missing ones
        self.asked: tuple[Any, Sequence[Any]] | None = None  # the source of the query, and its filters
        self.for_asker: Callable[[str, str], str] | None = None  # a cube's SQL with the asker's values in it
        self._columns: dict[tuple[Path, str], Expr] = {}

    def place(self, path: Path, text: str, *, aggregates: bool = False) -> Expr:
        """A fragment of the cube at ``path``, its references replaced by what they mean there."""
        found = self._columns.get((path, text))
        if found is None:
            found = self._place(path, text, aggregates=aggregates)
            # Of columns alone: what other members are may depend on what is asked.
            if self.index.fragment(text).plain:
                self._columns[path, text] = found
        return found

    def _place(self, path: Path, text: str, *, aggregates: bool) -> Expr:
        fragment = self.index.fragment(text)
        # An aggregate in a row's value would group the whole query.
        if fragment.over_rows and not aggregates:
            raise InvalidQuery(f"{self._owner(path[-1], text)} aggregates rows inside the value of a row.")
        if not fragment.closed:
            self._refuse_raw(path)
        self.tables |= fragment.tables
        paths: set[Path] = set()
        safe = fragment.safe and self.index.fits(path[-1], text)

        def replace(reference: Reference) -> str:
            nonlocal safe
            resolved = self.resolve(path, reference)
            node = self.walk(path, resolved.join_path)
            if resolved.member is None:
                self._refuse_raw(node)
                paths.add(node)
                return self.alias(node)
            inner = self.member(node, resolved)
            paths.update(inner.paths)
            safe = safe and inner.safe
            return inner.sql

        value = placed(fragment.text, replace)
        return Expr(value if fragment.plain else sql("({})", value), frozenset(paths or {path}), safe)

    def _refuse_raw(self, path: Path) -> None:
        """Columns of a cube's own rows are not in the table of its rollup."""
        if self.index.rolled(path[-1]) is not None:
            raise NotHeld(path[-1])

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
        if resolved.granularity is not None and isinstance(member, Dimension):
            held = self._held_time(path, member, resolved.granularity)
            expr = held or self.dimension(path, member)
        else:
            expr = self.segment(path, member) if isinstance(member, Segment) else self.dimension(path, member)
        if resolved.granularity is None or isinstance(member, Segment):
            return expr
        own = calendar_granularity(resolved.granularity, member.granularities)
        if own is not None:
            return self.place(path, own)
        return Expr(truncated(resolved.granularity, expr.sql, member.granularities), expr.paths)

    def segment(self, path: Path, segment: Segment) -> Expr:
        expr = self.condition(path, segment.sql)
        # A segment is a filter, for which unknown is not met; as a value it is one of two.
        return Expr(sql("COALESCE({}, FALSE)", expr.sql), expr.paths, expr.safe)

    def condition(self, path: Path, text: str) -> Expr:
        """A fragment where a condition is wanted; another kind of value would be cast to one, and may not fit."""
        expr = self.place(path, text)
        return expr if self.index.fits(path[-1], text, "boolean") else Expr(expr.sql, expr.paths)

    def dimension(self, path: Path, dimension: Dimension) -> Expr:
        """A dimension's value, before masks and time zones."""
        if (rolled := self.index.rolled(path[-1])) is not None:
            if (column := rolled.dimensions.get(dimension.name)) is not None:
                return self._held_column(path, column)
            if dimension.name in rolled.times:
                return self._held_column(path, NOT_HELD)
            if dimension.values:
                raise NotHeld(dimension.name)
        if dimension.sub_query:
            return self._sub_query(path, dimension)
        if dimension.values:
            # The ? keeps the node apart from a cube of that name.
            node = (*path, f"{dimension.name}?")
            self.switches[node] = dimension.values
            return Expr(word(f"{self.alias(node)}.v"), frozenset({node}), True)
        if dimension.case is not None:
            return self._case(path, dimension)
        if dimension.type == "geo" and dimension.latitude and dimension.longitude:
            parts = [self.place(path, text) for text in (dimension.latitude, dimension.longitude)]
            # As models show a place: "latitude,longitude".
            texts = [say.cast(p.sql, say.TEXT) for p in parts]
            return Expr(sql("({} || ',' || {})", *texts), parts[0].paths | parts[1].paths)
        expr = self.place(path, dimension.sql or dimension.name)
        if self.index.is_written(path[-1], dimension):
            return Expr(say.safe_cast(expr.sql, say.TIMESTAMP), expr.paths, expr.safe)
        return expr

    def _held_column(self, path: Path, column: str) -> Expr:
        """A column of a rollup's table."""
        return Expr(in_relation(self.alias(path), column), frozenset({path}), True)

    def _held_time(self, path: Path, dimension: Dimension, granularity: str) -> Expr | None:
        """The column in which a rollup holds a time, if that is fine enough for a granularity."""
        rolled = self.index.rolled(path[-1])
        held = rolled.times.get(dimension.name) if rolled is not None else None
        return self._held_column(path, held.column) if held and divides(held.granularity, granularity) else None

    def _sub_query(self, path: Path, dimension: Dimension) -> Expr:
        """A measure of another cube as a dimension: one value for each row of this cube, joined by primary key."""
        # The ? keeps the node apart from a cube of that name.
        node = (*path, f"{dimension.name}?")
        if node not in self.derived:
            if self.derive is None:
                raise InvalidQuery(f"'{dimension.name}' cannot stand here.")
            self.derived[node] = self.derive(path, dimension)
        return Expr(word(f"{self.alias(node)}.v"), frozenset({node}))

    def _case(self, path: Path, dimension: Dimension) -> Expr:
        assert dimension.case is not None
        pieces: list[str] = []
        values: list[str] = []
        parts: list[Expr] = []

        def label(literal: str | None, written: str | None) -> str:
            if written is None:
                return text_literal(literal or "")
            parts.append(self.place(path, written))
            return parts[-1].sql

        for when in dimension.case.when:
            parts.append(self.condition(path, when.sql))
            pieces.append("WHEN {} THEN {}")
            values += [parts[-1].sql, label(when.label, when.label_sql)]
        if dimension.case.else_label is not None or dimension.case.else_sql is not None:
            pieces.append("ELSE {}")
            values.append(label(dimension.case.else_label, dimension.case.else_sql))
        paths = frozenset({path}).union(*(p.paths for p in parts))
        return Expr(sql(f"(CASE {' '.join(pieces)} END)", *values), paths, all(p.safe for p in parts))

    def present(self, path: Path) -> Expr:
        """Whether a row of the cube was joined at all; always so for the root."""
        if path == self.root:
            return Expr(word("TRUE"), frozenset({path}), True)
        keys = [d for d in self.index.cube(path[-1]).dimensions if d.primary_key and not self.index.rolled(path[-1])]
        key = next((d for d in keys if self._is_column(d)), None)  # CONCAT(a, b) is not NULL where no row is
        if key is not None:
            expr = self.dimension(path, key)
            return Expr(sql("({} IS NOT NULL)", expr.sql), expr.paths)
        # Without a key some column has to tell a joined row from a missing one: svc_present, which the scan adds.
        self.marked.add(path)
        return Expr(word(f"({self.alias(path)}.svc_present IS NOT NULL)"), frozenset({path}))

    def _is_column(self, dimension: Dimension) -> bool:
        plain = dimension.case is None and not dimension.sub_query and not dimension.values
        return plain and self.index.fragment(dimension.sql or dimension.name).plain

    def where_present(self, path: Path, expr: Expr) -> Expr:
        """``expr`` of the cube's row, NULL where no row was joined: a bare column is so by itself, COALESCE is not."""
        column = rf'\(?{re.escape(self.alias(path))}\.("[^"]+"|\w+)\)?'
        if path == self.root or re.fullmatch(column, expr.sql):
            return expr
        present = self.present(path)
        return Expr(sql("CASE WHEN {} THEN {} END", present.sql, expr.sql), expr.paths | present.paths)

    def is_keyed(self, path: Path) -> bool:
        """Whether the cube at ``path`` has a primary key."""
        return any(dimension.primary_key for dimension in self.index.cube(path[-1]).dimensions)

    def key(self, path: Path) -> list[Expr]:
        """The primary key of the cube at ``path``."""
        return [self.dimension(path, d) for d in self.index.cube(path[-1]).dimensions if d.primary_key]
