"""The inner part of a grouped query as SQL: one part per cube and variant, put together by their keys.

A part gives the keys ``k0…`` and the aggregates of one cube. If the joins that keys and filters need repeat the cube's
rows, they are first made distinct by primary key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import InvalidQuery
from ..intervals import Interval, parse_interval
from ..model import Dimension, TimeShift
from .aggregate_calls import AggregateCall
from .measures import LeafSpec
from .rolling import Rolling, rolling_part
from .source import Entry, ModelSource, Once, Use
from .timegrain import interval_sql
from .tree import Moved, Path
from .values import Bound

__all__ = ["Filter", "Grouping", "Leaf", "Shift", "inner_sql"]


@dataclass
class Grouping:
    """GROUP BY: the keys, and the structure over them (``ROLLUP`` and friends) as text with ``{i}`` for key i."""

    keys: list[Bound] = field(default_factory=list)
    structure: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on rows; ``low`` (inclusive) and ``high`` (exclusive) if it merely bounds the column ``of``.

    ``safe``: no value can make it fail, so it may be evaluated together with the policy instead of behind it.
    """

    bound: Bound
    of: Use | None = None
    low: str | None = None
    high: str | None = None
    safe: bool = False
    equal: str | None = None  # the constant that ``of`` must equal
    fixed: bool = False  # part of a join: no measure sets it aside
    about: frozenset[tuple[Path, str]] | None = None  # the members of a condition that the model put in


@dataclass(frozen=True, slots=True)
class Shift:
    """Rows moved in time before they are grouped, of one time dimension or of all; ``name`` is a calendar's shift."""

    interval: Interval | None
    dimension: str | None = None
    measure: str = ""
    name: str | None = None


@dataclass
class Leaf:
    """One aggregate, over the rows of ``home`` (None: the joined rows as they are)."""

    name: str
    home: Path | None
    spec: LeafSpec | AggregateCall
    shifts: tuple[Shift, ...] = ()
    rolling: Rolling | None = None

    @property
    def uses(self) -> frozenset[Use]:
        return frozenset().union(*(a.uses for a in self.spec.args))

    @property
    def args(self) -> list[str]:
        return [a.sql for a in self.spec.args]

    @property
    def over_nothing(self) -> str | None:
        """The value over no rows: 0 or NULL; None where only an evaluation can tell."""
        text = self.render(self.args)
        if text.startswith("COUNT("):
            return "0"
        return "NULL" if text.startswith(("SUM(", "AVG(", "MIN(", "MAX(")) else None

    def render(self, args: list[str]) -> str:
        spec = self.spec
        return spec.template.format(*args) if isinstance(spec, LeafSpec) else spec.render(args)


def inner_sql(source: ModelSource, grouping: Grouping, filters: Sequence[Filter], leaves: Sequence[Leaf]) -> str:
    """All parts, as one statement giving the keys and every leaf by its name."""
    groups: dict[tuple[Path | None, tuple[Shift, ...], Rolling | None, str], list[Leaf]] = {}
    for leaf in leaves:
        # What repeats its rows by itself would repeat those of others beside it.
        own = leaf.name if leaf.home is not None and _repeats(source, leaf.home, leaf) else ""
        groups.setdefault((leaf.home, leaf.shifts, leaf.rolling, own), []).append(leaf)
    if not groups:
        groups[None, (), None, ""] = []
    parts = [_Part(source, grouping, filters, *key[:3], leaves=found) for key, found in groups.items()]
    complete = any(part.complete for part in parts)
    texts = [part.sql(missing=bool(grouping.keys) and not (complete and part.known_over_nothing)) for part in parts]
    zeros = {leaf.name for part in parts if part.alone and complete for leaf in part.leaves if leaf.over_nothing == "0"}
    return texts[0] if len(texts) == 1 else _together(grouping, list(groups.values()), texts, zeros)


def _repeats(source: ModelSource, home: Path, leaf: Leaf) -> bool:
    return not all(source.tree.determines(home, path) for path in source.paths_of(leaf.uses))


def _together(grouping: Grouping, groups: list[list[Leaf]], parts: list[str], zeros: set[str]) -> str:
    """Parts by their keys: one row for each key any of them has; NULL is a key like any other."""
    keys = [f"k{i}" for i in range(len(grouping.keys))] + (["g"] if grouping.structure is not None else [])
    names = [leaf.name for leaves in groups for leaf in leaves]
    rows = []
    for leaves, part in zip(groups, parts, strict=True):
        own = {leaf.name for leaf in leaves}
        columns = keys + [n if n in own else f"NULL AS {n}" for n in names]
        rows.append(f"SELECT {', '.join(columns)} FROM ({part}) AS part")
    values = [f"{f'COALESCE(ANY_VALUE({n}), 0)' if n in zeros else f'ANY_VALUE({n})'} AS {n}" for n in names]
    by = f" GROUP BY {', '.join(keys)}" if keys else ""
    return f"SELECT {', '.join(keys + values)} FROM ({' UNION ALL '.join(rows)}) AS parts{by}"


@dataclass
class _Part:
    source: ModelSource
    grouping: Grouping
    filters: Sequence[Filter]
    home: Path | None
    shifts: tuple[Shift, ...]
    rolling: Rolling | None
    leaves: list[Leaf]
    calendars: Mapping[Path, Moved] = field(default_factory=dict)

    def __post_init__(self) -> None:
        filters, keys = self.filters, self.grouping.keys
        self.shared: frozenset[Use] = frozenset().union(*(f.bound.uses for f in filters), *(k.uses for k in keys))
        self.uses = self.shared.union(*(leaf.uses for leaf in self.leaves))
        reached = self.source.paths_of(self.uses)
        self.repeated = (
            self.home is not None
            and self.source.tree.multiplied(self.home, (reached | self.source.policy.always()) - self._told_apart())
            and not all(leaf.spec.repeatable for leaf in self.leaves)
        )
        self.alone = self.repeated and self.home is not None and self.source.tree.alone(self.home, reached)

    @property
    def complete(self) -> bool:
        """Whether the part gives every key that a row of the view has."""
        return not self.alone and not self.shifts and self.rolling is None

    @property
    def known_over_nothing(self) -> bool:
        """Whether it is known what the part's values are for a group without any of its rows."""
        return all(leaf.over_nothing is not None for leaf in self.leaves)

    def sql(self, *, missing: bool) -> str:
        shift, self.calendars = self._shifted(self.shared)
        once = Once(self.home, missing) if self.home is not None and self.alone else None
        if self.rolling is not None:
            return self._rolling(self.uses, shift, once)
        if not self.repeated and self.grouping.structure is None:
            return self._plain(self.uses, shift)
        return self._distinct(self.uses, shift, once)

    def _told_apart(self) -> frozenset[Path]:
        """Switches that are group keys: each group holds every row once."""
        keyed = [self.source.paths_of(k.uses) for k in self.grouping.keys if len(k.uses) == 1]
        return frozenset(p for paths in keyed if len(paths) == 1 for p in paths if p in self.source.tree.switches)

    @property
    def _node(self) -> Path:
        return self.home or self.source.tree.root

    @property
    def _extra(self) -> list[Path]:
        return [self._node] if self.home is not None else [self._node, *self.source.joined]

    def _rows(
        self, uses: frozenset[Use], shift: Mapping[str, str], filters: Sequence[Filter], once: Once | None = None
    ) -> str:
        """The permitted rows that pass the filters, as FROM and WHERE."""
        safe = [] if shift else [f.bound.sql for f in filters if f.safe]
        rest = [f.bound.sql for f in filters if shift or not f.safe]
        return self.source.filtered(uses, self._extra, shift, safe, rest, self.calendars, once)

    def _plain(self, uses: frozenset[Use], shift: Mapping[str, str]) -> str:
        keys = [f"{k.sql} AS k{i}" for i, k in enumerate(self.grouping.keys)]
        values = [f"{leaf.render(leaf.args)} AS {leaf.name}" for leaf in self.leaves]
        by = f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else ""
        text = f"SELECT {', '.join(keys + values) or '1 AS one'} FROM {self._rows(uses, shift, self.filters)}"
        return text + by + ("" if keys or values else " LIMIT 1")

    def _arguments(self) -> tuple[list[str], list[str]]:
        """Columns for the leaves' arguments, and the leaves over those columns of ``d``."""
        columns: list[str] = []
        values: list[str] = []
        for leaf in self.leaves:
            names = [f"{leaf.name}x{j}" for j in range(len(leaf.args))]
            columns += [f"{a} AS {n}" for a, n in zip(leaf.args, names, strict=True)]
            values.append(leaf.render([f"d.{n}" for n in names]))
        return columns, values

    def _primary(self, uses: frozenset[Use]) -> tuple[list[str], frozenset[Use]]:
        """Columns of the home's primary key, for telling its rows apart."""
        primary = self.source.tree.key(self._node)
        if not primary:
            raise InvalidQuery(
                f"'{self._called()}' would count rows several times here, and its cube has no primary key "
                "to tell them apart."
            )
        prefix = ".".join(self._node)
        bound = [self.source.expression(f"{prefix}.key{i}", expr) for i, expr in enumerate(primary)]
        return [f"{b.sql} AS p{i}" for i, b in enumerate(bound)], uses.union(*(b.uses for b in bound))

    def _called(self) -> str:
        args = self.leaves[0].args
        return args[0].partition(".")[2].strip('"').rpartition(".")[2] if args else "COUNT(*)"

    def _distinct(self, uses: frozenset[Use], shift: Mapping[str, str], once: Once | None) -> str:
        columns = [f"{k.sql} AS k{i}" for i, k in enumerate(self.grouping.keys)]
        arguments, values = self._arguments()
        columns += arguments
        word = ""
        if self.repeated:
            primary, uses = self._primary(uses)
            columns += primary
            word = self.source.repeats(uses, once)
        rows = self._rows(uses, shift, self.filters, once)
        inner = f"SELECT {word}{', '.join(columns) or '1 AS one'} FROM {rows}"
        keys = [f"d.k{i}" for i in range(len(self.grouping.keys))]
        shown = [f"{k} AS k{i}" for i, k in enumerate(keys)]
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        if self.grouping.structure is not None:
            by = " GROUP BY " + self.grouping.structure.format(*keys)
            shown.append(f"GROUPING({', '.join(keys)}) AS g" if keys else "0 AS g")
        shown += [f"{v} AS {leaf.name}" for v, leaf in zip(values, self.leaves, strict=True)]
        return f"SELECT {', '.join(shown) or '1 AS one'} FROM ({inner}) AS d{by}"

    # --- time ------------------------------------------------------------------------------------------------------

    def _shifted(self, shared: frozenset[Use]) -> tuple[dict[str, str], dict[Path, Moved]]:
        """The SQL each shifted time column is moved by, by column; and the calendars that are joined elsewhere."""
        moved: dict[str, str] = {}
        calendars: dict[Path, Moved] = {}
        for shift in self.shifts:
            found = [key for key in self.source.time_columns(shared) if self._is_meant(key, shift)]
            if not found:
                raise InvalidQuery(f"'{shift.measure}' compares times; group or filter by its time dimension.")
            for key in found:
                entry = self.source.entry_of(key)
                if entry is not None and self.source.tree.index.cube(entry.path[-1]).calendar:
                    self._move_calendar(entry, shift, calendars)
                elif shift.interval is not None:
                    by = interval_sql(shift.interval)
                    moved[key] = f"{moved[key]} + {by}" if key in moved else by
            if shift.interval is None and not calendars:
                raise InvalidQuery(
                    f"'{shift.measure}' compares times by '{shift.name}'; group or filter by a time of the calendar "
                    "that defines it."
                )
        return moved, calendars

    def _move_calendar(self, entry: Entry, shift: Shift, calendars: dict[Path, Moved]) -> None:
        """Rows at a calendar's date show those of the date it is compared with: the calendar is joined by that one."""
        path = entry.path
        if path == self.source.tree.root or path == self.home:
            raise InvalidQuery(f"'{shift.measure}' compares times of a calendar; ask for it from a cube that joins it.")
        moved = calendar_shift(entry.member, shift)
        if calendars.setdefault(path, moved) != moved:
            raise InvalidQuery(
                f"'{shift.measure}' moves the calendar '{path[-1]}' twice in different ways, which has no answer."
            )

    def _is_meant(self, key: str, shift: Shift) -> bool:
        entry = self.source.entry_of(key)
        if shift.dimension is None or entry is None:
            return True
        return entry.member.name == shift.dimension.rpartition(".")[2]

    def _rolling(self, uses: frozenset[Use], shift: Mapping[str, str], once: Once | None) -> str:
        assert self.rolling is not None
        if self.grouping.structure is not None:
            raise InvalidQuery("A rolling measure cannot be combined with ROLLUP, CUBE or GROUPING SETS.")
        rolling = self.rolling
        time = self.source.column_of(rolling.column)
        bounds = [f for f in self.filters if f.of == rolling.column and (f.low or f.high)]
        others = [f for f in self.filters if f not in bounds]
        columns = [f"{k.sql} AS k{i}" for i, k in enumerate(self.grouping.keys) if i not in rolling.own]
        columns.append(f"CAST({time.sql} AS TIMESTAMP) AS t")
        arguments, values = self._arguments()
        columns += arguments
        uses = uses | time.uses
        word = ""
        if self.repeated:
            primary, uses = self._primary(uses)
            columns += primary
            word = self.source.repeats(uses, once)
        rows = f"SELECT {word}{', '.join(columns)} FROM {self._rows(uses, shift, others, once)}"
        named = [(leaf.name, value) for leaf, value in zip(self.leaves, values, strict=True)]
        lows, highs = [f.low for f in bounds if f.low], [f.high for f in bounds if f.high]
        return rolling_part(rolling, rows, [key.kind for key in self.grouping.keys], named, lows, highs)


def shift_of(shift: TimeShift, measure: str) -> Shift:
    """A model's ``time_shift``: prior values are found by moving rows forward."""
    if shift.name is not None:
        return Shift(None, shift.time_dimension, measure, shift.name)
    length = parse_interval(shift.interval or "0 days")
    return Shift(length if shift.type == "prior" else -length, shift.time_dimension, measure)


def calendar_shift(member: object, shift: Shift) -> Moved:
    """What a calendar's date is compared with: by a column of its own, by its own name, or by an interval."""
    length = shift.interval
    for own in member.time_shift if isinstance(member, Dimension) else ():
        signed = parse_interval(own.interval) if own.interval is not None else None
        signed = -signed if signed is not None and own.type == "next" else signed
        if own.name == shift.name if shift.name is not None else (signed == length and own.sql is not None):
            if own.sql is not None:
                return Moved(own.sql)
            length = signed
            break
    if length is None:
        raise InvalidQuery(f"'{shift.measure}' compares times by '{shift.name}', which this calendar does not define.")
    return Moved(interval=interval_sql(-length))
