"""A cube, a view, or cubes joined by the model, as something to select from: columns out, permitted rows in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from types import MappingProxyType
from typing import Protocol

from ....records import dataclass
from ...dialects import DUCKDB
from ...dialects import duckdb as say
from ...dialects.nodes import NOTHING, distinct, rows, run, sql, where
from ...dialects.nodes import column as in_relation
from ...model import Dimension, Measure, Segment
from ..authored.context_filters import filters_by_context, with_context
from ..binding.zones import in_zone
from ..join_tree.context import Compilation
from ..join_tree.entries import Entry, Once, Use
from ..join_tree.rows import Barrier, Body, Part, Rows, Shown
from ..join_tree.steps import Expr, Moved, Path
from ..join_tree.tree import Tree
from ..names import Names
from ..policy.row_policy import RowPolicy
from ..rollup_tables import HeldTime, NotHeld
from ..values import Bound
from .leaves import Filter, Grouping
from .source_columns import Column, SourceColumns

__all__ = ["ModelSource"]

_NONE: Mapping[Path, Moved] = MappingProxyType({})


class Staged(Protocol):
    """The dimensions over measures that a query uses of one source; see :mod:`.staged`."""

    def column(self, entry: Entry) -> Bound: ...
    def prepare(self, grouping: Grouping, filters: Sequence[Filter]) -> None: ...
    def needs(self, uses: Iterable[Use]) -> frozenset[Use]: ...
    def joins(self, uses: Iterable[Use] | None = None) -> str: ...


@dataclass
class ModelSource(SourceColumns):
    """The rows of a join tree under policy, projected to what the query uses.

    The SQL of its rows is written last (it depends on all members used): ``rows`` gives a mark for it.
    """

    compilation: Compilation
    tree: Tree
    entries: Names[Entry]
    policy: RowPolicy
    joined: frozenset[Path] = frozenset()  # cubes named in FROM, whose rows count even if no column is used
    staged: Staged = field(init=False)

    def __post_init__(self) -> None:
        self.alias = self.compilation.fresh("r")
        self.compilation.sources[self.alias] = self
        self.tree.for_asker = partial(with_context, self.compilation)

    def prepare(self, grouping: Grouping, filters: Sequence[Filter]) -> None:
        """Say what the query groups by and filters by, which some dimensions depend on."""
        self.tree.asked = self, filters
        self.staged.prepare(grouping, filters)

    # --- columns ---------------------------------------------------------------------------------------------------

    def column(self, entry: Entry) -> Bound:
        """A dimension or segment as a column of the rows."""
        if isinstance(entry.member, Dimension) and self.tree.index.is_staged(entry.path[-1], entry.member):
            return self.staged.column(entry)
        known = self._columns.get(entry.key)
        if known is None:
            known = self._columns[entry.key] = self._make(entry)
            self.policy.asked.use(entry.relation, entry.name, entry.path, entry.member.name)
            self.policy.asked.reach(known.expr.paths)
        if not known.expr.safe:
            self.compilation.raising = True
        value = in_relation(self.alias, entry.key)
        index, place = self.compilation.index, (entry.path[-1], entry.member.name)
        use = frozenset({(self.alias, entry.key)})
        return Bound(
            value, known.kind, use, True, member=entry.label, zoned=known.zoned, floating=place in index.floating,
            narrow=place in index.narrow, listed=place in index.lists,
        )  # fmt: skip

    def grain_column(self, entry: Entry, granularity: str, sql: str) -> Bound:
        """A time dimension at a granularity that its calendar has a column for."""
        self.column(entry)  # the dimension is used, for the policies
        key = f"{entry.key}@{granularity}"
        if key not in self._columns:
            expr = self.tree.place(entry.path, sql)
            zoned, kind = in_zone(
                self.compilation, expr.sql, self.compilation.index.expression_kind(entry.path[-1], sql)
            )
            self._columns[key] = Column(Expr(zoned, expr.paths, expr.safe), entry, kind)
            self.policy.asked.reach(expr.paths)
            if not expr.safe:
                self.compilation.raising = True
        label = f"{entry.label}.{granularity}"
        kind = self._columns[key].kind
        return Bound(in_relation(self.alias, key), kind, frozenset({(self.alias, key)}), True, member=label)

    def column_of(self, use: Use) -> Bound:
        """A column already in use, again."""
        return Bound(in_relation(self.alias, use[1]), self._columns[use[1]].kind, frozenset({use}), True)

    def use_measure(self, entry: Entry) -> None:
        """Record that the query names this measure (its policy coverage counts it)."""
        asked = self.policy.asked
        asked.use(entry.relation, entry.name, entry.path, entry.member.name)
        asked.reach({entry.path})
        asked.measured.add((entry.relation, entry.name))

    def expression(self, key: str, expr: Expr, kind: str = "any") -> Bound:
        """An expression of the model (a measure's argument, a key) as a further column."""
        if key not in self._columns:
            self._columns[key] = Column(expr, None, kind)
            self.policy.asked.reach(expr.paths)
        return Bound(in_relation(self.alias, key), kind, frozenset({(self.alias, key)}), True)

    def period_held(self, use: Use) -> str | None:
        """The periods by which a rollup holds the time that a column is; None for all other columns."""
        held = self._held(use)
        # In another zone the periods of a moment begin at other moments.
        dated = held is not None and (self._columns[use[1]].kind == "date" or self.compilation.timezone == "UTC")
        return held.granularity if held is not None and dated else None

    def held_time(self, use: Use) -> Bound:
        """The column in which a rollup holds that time."""
        column, held = self._columns[use[1]], self._held(use)
        entry = column.entry
        assert entry is not None
        assert held is not None
        key = f"{entry.key}@{held.granularity}"
        if key not in self._columns:
            node = frozenset({entry.path})
            expr = Expr(in_relation(self.tree.alias(entry.path), held.column), node, True)
            self._columns[key] = Column(expr, entry, column.kind, column.zoned)
            self.policy.asked.reach(node)
        value = in_relation(self.alias, key)
        return Bound(value, column.kind, frozenset({(self.alias, key)}), True, member=entry.label, zoned=column.zoned)

    def _held(self, use: Use) -> HeldTime | None:
        entry = self._columns[use[1]].entry
        rolled = None if entry is None else self.tree.index.rolled(entry.path[-1])
        return rolled.times.get(entry.member.name) if rolled is not None and entry is not None else None

    def hidden_column(self, key: str, path: Path, dimension: Dimension) -> Bound:
        """A dimension that the model itself reads: without masks, and whoever may see it."""
        expr = self.tree.dimension(path, dimension)
        sql, kind = in_zone(self.compilation, expr.sql, self.compilation.index.kind(path[-1], dimension.name))
        if not expr.safe:
            self.compilation.raising = True
        return self.expression(key, Expr(sql, expr.paths, expr.safe), kind)

    def paths_of(self, uses: Iterable[Use]) -> frozenset[Path]:
        """The nodes these columns read; columns of other sources (of a query around this one) do not count."""
        return frozenset().union(*(self._columns[key].expr.paths for alias, key in uses if alias == self.alias))

    def _make(self, entry: Entry) -> Column:
        if isinstance(entry.member, Segment):
            return Column(self.tree.segment(entry.path, entry.member), entry, "boolean")
        assert isinstance(entry.member, Dimension)
        expr = self.tree.dimension(entry.path, entry.member)
        index, place = self.compilation.index, (entry.path[-1], entry.member.name)
        kind = raw = index.kind(*place)
        safe = expr.safe and kind != "any" and place not in index.wide
        sql, kind = in_zone(self.compilation, expr.sql, kind)
        return Column(Expr(sql, expr.paths, safe and sql == expr.sql), entry, kind, raw == "timestamptz")

    # --- rows ------------------------------------------------------------------------------------------------------

    def filtered(
        self,
        uses: Iterable[Use],
        extra: Iterable[Path],
        shift: Mapping[str, str],
        safe: list[str],
        rest: list[str],
        calendars: Mapping[Path, Moved],
        once: Once | None = None,
    ) -> str:
        """FROM and WHERE: the rows that pass conditions, those that cannot fail being evaluated before the barrier."""
        wanted = self._wanted(uses)
        paths = frozenset(extra) | self.paths_of(uses)
        item = self.compilation.place(
            self.policy.asked, lambda: self._rows(wanted, paths, shift, safe, calendars, once)
        )
        return run(self._named(item), self.staged.joins(uses), self._where(safe, rest))

    def repeats(self, uses: Iterable[Use], once: Once | None) -> str:
        """The word DISTINCT where :meth:`filtered` may give a row of the cube several times."""
        wanted = self._wanted(uses)
        return self.compilation.defer(lambda: NOTHING if once and self._semi(wanted, once) else distinct("DISTINCT "))

    def _wanted(self, uses: Iterable[Use]) -> list[str]:
        return sorted(key for alias, key in set(uses) if alias == self.alias)

    def _semi(self, wanted: list[str], once: Once) -> Body | None:
        """The rows of one cube that are reached, found without the join that repeats them; None if it takes that."""
        if self._masked_by_row(wanted):
            return None
        return self.policy.semi_body(once.home, self._read(wanted))

    def _masked_by_row(self, wanted: Iterable[str]) -> bool:
        entries = [entry for key in wanted if (entry := self._columns[key].entry) is not None]
        return any(self.policy.is_masked_by_row(entry.relation, entry.name) for entry in entries)

    def _read(self, wanted: Iterable[str]) -> frozenset[Path]:
        return self.paths_of((self.alias, key) for key in wanted)

    def led(self, uses: Iterable[Use], home: Path, taken: Mapping[str, tuple[str, Sequence[Bound]]]) -> str | None:
        """What stands behind FROM: ``home`` joined to what leads there, taken together by aggregates of columns.

        Columns of other nodes stand beside them. Asked when the whole query has been read; None where that would not
        find each row once.
        """
        sides = self._sides(uses, home)
        if sides is None:
            return None
        there, beside = sides
        used = [[key for arg in args for _, key in arg.uses] for _, args in taken.values()]
        sums = [
            Shown(name, sql(form, *(self._columns[key].expr.sql for key in keys)))
            for (name, (form, _)), keys in zip(taken.items(), used, strict=True)
        ]
        of = self._read([*(column.name for column in beside), *(key for keys in used for key in keys)])
        raw = tuple(Shown(f"{column.name}#beside", column.value) for column in beside)
        body = self.policy.led_body(home, self._read(column.name for column in there), raw, tuple(sums), of)
        if body is None:
            return None
        parent = self.tree.alias(home[:-1])
        moved = [replace(column, value=in_relation(parent, own.name)) for column, own in zip(beside, raw, strict=True)]
        return self._led([*there, *moved, *(Shown(name, in_relation(parent, name)) for name in taken)], body)

    def led_in_bits(self, uses: Iterable[Use], home: Path) -> tuple[str, str] | None:
        """The same with one row for all values of the only column beside, as bits; and the values, with their bits.

        None where more or other columns stand beside, or where reading their values apart would read hidden rows.
        """
        sides = self._sides(uses, home)
        if sides is None or len(sides[1]) != 1:
            return None
        there, [beside] = sides
        at = self._told_at(beside.name)
        if at is None:
            return None
        one, parent = self.tree.alias(at), self.tree.alias(home[:-1])
        part, bits = Shown("#part", in_relation(one, "#part")), Shown("#bits", say.all_bits(in_relation(one, "#bit")))
        body = self.policy.led_body(home, self._read(column.name for column in there), (part,), (bits,), [at])
        if body is None:
            return None
        values = say.numbered(beside.value, self.tree.scan(at).sql, "svc_numbered")
        sets = [Shown(name, in_relation(parent, name)) for name in ("#part", "#bits")]
        return self._led([*there, *sets], body.numbered(at, beside.value, values)), values

    def _told_at(self, key: str) -> Path | None:
        """The cube that a column is of, where all of its rows may be read and equal values are the same."""
        column, index = self._columns[key], self.tree.index
        member = column.entry.member if column.entry is not None else None
        [at, *others] = column.expr.paths or [self.tree.root]
        if others or at == self.tree.root or not self.tree.is_cube(at) or not column.expr.safe:
            return None
        if not isinstance(member, Dimension) or member.sql is None or index.dialect is not DUCKDB:
            return None
        base, tables = index.table(at[-1])
        if tables & index.governed or filters_by_context(base):
            return None
        kind = index.exact_type(at[-1], member.sql)
        return at if kind == say.TEXT or say.is_told_apart(kind) else None

    def _sides(self, uses: Iterable[Use], home: Path) -> tuple[list[Shown], list[Shown]] | None:
        """Columns at ``home`` and below, and those beside it; None if a mask would have to be told of both."""
        wanted = self._wanted(uses)
        there: list[Shown] = []
        beside: list[Shown] = []
        for key in wanted:
            of_home = all(path[: len(home)] == home for path in self._read([key]))
            (there if of_home else beside).append(self._shown(key, {}))
        masked = self._masked_by_row(wanted) or any(column.mask is not None for column in beside)
        return None if masked else (there, beside)

    def _led(self, columns: Sequence[Shown], body: Body) -> str:
        self.compilation.tables |= self.tree.tables
        return self._named(self.compilation.place(self.policy.asked, lambda: self._ended(tuple(columns), (body,))))

    def all_filtered(self, safe: list[str], rest: list[str]) -> str:
        """The same with every column anybody has used by the end of the query."""
        item = self._every_row(safe)
        return run(self._named(item), self.staged.joins(), self._where(safe, rest))

    def _where(self, safe: list[str], rest: list[str]) -> str:
        def text() -> str:
            left = rest if self._barred else safe + rest
            return where(left)

        return self.compilation.defer(text) if safe or rest else NOTHING

    def _named(self, item: str) -> str:
        """Rows that come later, under the alias of this source."""
        return rows(f"{{}} AS {self.alias}", item)

    @property
    def _barred(self) -> bool:
        """Whether the rows end in a barrier; asked when the whole query has been read."""
        return self.compilation.raising and self.policy.restricts

    def all_rows(self) -> str:
        """The FROM item with every column anybody has used by the end of the query."""
        return run(self._named(self._every_row()), self.compilation.defer(self.staged.joins))

    def _every_row(self, safe: Sequence[str] = ()) -> str:
        if any(self.tree.index.rolled(path[-1]) for path in self.tree.closure(self._all_paths())):
            raise NotHeld("rows")
        return self.compilation.place(
            self.policy.asked, lambda: self._rows(sorted(self._columns), self._all_paths(), {}, safe)
        )

    @property
    def joins_tables(self) -> bool:
        """Whether more tables than one are read for the rows; asked when the whole query has been read."""
        return len(self.tree.closure(self._all_paths().union(*(c.paths for c in self.policy.top())))) > 1

    def _all_paths(self) -> frozenset[Path]:
        return self.joined.union(*(c.expr.paths for c in self._columns.values()))

    def _rows(
        self,
        wanted: list[str],
        paths: frozenset[Path],
        shift: Mapping[str, str],
        safe: Iterable[str] = (),
        calendars: Mapping[Path, Moved] = _NONE,
        once: Once | None = None,
    ) -> Part:
        columns = tuple(self._shown(key, shift) for key in wanted)
        with self.tree.moving(calendars):
            semi = (once and self._semi(wanted, once)) or None
            bodies = [semi or self.policy.body(paths)]
            if once and once.missing and semi:
                led = self.policy.led_body(once.home, self._read(wanted)) if once.ignored else None
                bodies = [led] if led else [semi, self.policy.missing_body(once.home, paths)]
        self.compilation.tables |= self.tree.tables
        return self._ended(columns, tuple(bodies), safe)

    def _ended(self, columns: tuple[Shown, ...], bodies: tuple[Body, ...], safe: Iterable[str] = ()) -> Part:
        found = Rows(columns, bodies)
        return Barrier(found, self.alias, tuple(safe), self.compilation.stopping) if self._barred else found

    def _shown(self, key: str, shift: Mapping[str, str]) -> Shown:
        column = self._columns[key]
        entry, value = column.entry, column.expr.sql
        moved = (shift[key], say.moment_type(column.kind)) if key in shift else None
        if entry is None or isinstance(entry.member, Measure):
            return Shown(key, value, moved=moved)
        mask = entry.member.mask if isinstance(entry.member, Dimension) else None
        shown = self.policy.mask(entry.relation, entry.name, entry.path, mask, column.kind)
        return Shown(key, value, (entry.relation, entry.name), entry.path, shown, moved)
