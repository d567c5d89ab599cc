"""The inner part of a grouped query as SQL: one part per cube and variant, put together by their keys.

A part gives the keys ``k0…`` and the aggregates of one cube. If the joins that keys and filters need repeat the cube's
rows, they are first made distinct by primary key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ....records import dataclass
from ...dialects import duckdb as say
from ...dialects.nodes import NOTHING, ONE, clause, from_, holes, query, rows, run, select, sql, word
from ...errors import InvalidQuery
from ..join_tree.entries import Once, Use
from ..join_tree.steps import Moved, Path
from ..rollup_tables import NotHeld
from .ahead import can_be_taken, joined_last, taken_ahead
from .leaves import Filter, Grouping, Leaf, LeafSpec, Shift
from .rolling import Rolling, rolling_part
from .shifts import shifted
from .source import ModelSource

__all__ = ["inner_sql", "together"]


def inner_sql(source: ModelSource, grouping: Grouping, filters: Sequence[Filter], leaves: Sequence[Leaf]) -> str:
    """All parts, as one statement giving the keys and every leaf by its name."""
    groups: dict[tuple[object, ...], list[Leaf]] = {}
    for leaf in leaves:
        # What repeats its rows by itself would repeat those of others beside it.
        own = leaf.name if leaf.home is not None and _repeats(source, leaf.home, leaf) else ""
        groups.setdefault((leaf.home, leaf.shifts, leaf.rolling, leaf.only, own), []).append(leaf)
    parts = [_part(source, grouping, filters, found) for found in groups.values()]
    # A group of which no row passes a FILTER is a group still.
    filtered = any(part.only for part in parts) and not any(part.complete for part in parts)
    if not parts or (grouping.keys and filtered):
        parts.append(_Part(source, grouping, filters, None, (), None, []))
    # A part that has every key spares the others to look for rows of which nothing is there.
    complete = any(part.complete for part in parts)
    texts = [part.sql(missing=bool(grouping.keys) and not (complete and part.known_over_nothing)) for part in parts]
    further = any(part.shifts or part.rolling is not None for part in parts)  # these have keys that others lack
    missing: dict[str, str] = {}
    for part in parts:
        lacking = further or (part.alone and complete) or bool(part.only and grouping.keys)
        missing |= {leaf.name: value for leaf in part.leaves if lacking and (value := part.elsewhere(leaf))}
    # Parts are put together by a UNION and a GROUP BY; alone it needs neither.
    if len(texts) == 1:
        return texts[0]
    whole = together(grouping, [part.leaves for part in parts], texts, missing)
    led = next((part for part in parts if part.ignores_missing and part.alone), None)
    ahead = [leaf for part in parts if part is not led for leaf in part.leaves]
    if (
        led is None
        or len(parts) != 2
        or not grouping.keys
        or grouping.structure is not None
        or not can_be_taken(source, led.home, ahead)
    ):
        return whole
    # Later: whether this is allowed depends on the columns and masks that the rest of the query brings.
    return source.compilation.defer(lambda: taken_ahead(source, grouping, led.home, ahead, led.leaves) or whole)


def _part(source: ModelSource, grouping: Grouping, filters: Sequence[Filter], leaves: list[Leaf]) -> _Part:
    """The part of leaves that are alike in all but what they aggregate."""
    one = leaves[0]
    return _Part(source, grouping, [*filters, *one.only], one.home, one.shifts, one.rolling, leaves, one.only)


def _repeats(source: ModelSource, home: Path, leaf: Leaf) -> bool:
    return not all(source.tree.determines(home, path) for path in source.paths_of(leaf.uses))


def together(grouping: Grouping, groups: list[list[Leaf]], parts: list[str], missing: Mapping[str, str]) -> str:
    """Parts by their keys: one row for each key any of them has; NULL is a key like any other.

    ``missing`` gives the leaves' values for keys that their own part does not have, where those are not NULL.
    """
    # Without g the NULL of a subtotal and a NULL among the values would be one group.
    keys = [f"k{i}" for i in range(len(grouping.keys))] + (["g"] if grouping.structure is not None else [])
    names = [leaf.name for leaves in groups for leaf in leaves]
    marks = [name for name in names if missing.get(name, "0") != "0"]
    taken = []
    for leaves, part in zip(groups, parts, strict=True):
        own = {leaf.name for leaf in leaves}
        # A UNION with a GROUP BY, and not a FULL JOIN: NULL keys meet as they are, and three parts need no COALESCE of
        # keys.
        columns = keys + [n if n in own else f"NULL AS {n}" for n in names]
        columns += [f"{'1' if name in own else 'NULL'} AS {name}m" for name in marks]
        taken.append(select([word(each) for each in columns], from_(rows("({}) AS part", part))))
    values = [sql(f"{{}} AS {name}", _value(name, missing.get(name))) for name in names]
    by = clause(f" GROUP BY {', '.join(keys)}") if keys else NOTHING
    whole = taken[0] if len(taken) == 1 else query(holes(len(taken), " UNION ALL "), *taken)
    return select([*map(word, keys), *values], run(from_(rows("({}) AS parts", whole)), by))


def _value(name: str, missing: str | None) -> str:
    if missing is None:
        # One part alone has a value here, and ANY_VALUE passes over the NULLs of the others.
        return say.any_value(word(name))
    if missing == "0":
        return sql("COALESCE({}, 0)", say.any_value(word(name)))
    # The mark tells a group that is missing from a group whose value is NULL.
    return sql(f"CASE WHEN COUNT({name}m) > 0 THEN {{}} ELSE {{}} END", say.any_value(word(name)), missing)


@dataclass
class _Part:
    source: ModelSource
    grouping: Grouping
    filters: Sequence[Filter]
    home: Path | None
    shifts: tuple[Shift, ...]
    rolling: Rolling | None
    leaves: list[Leaf]
    only: tuple[Filter, ...] = ()
    calendars: Mapping[Path, Moved] = field(default_factory=dict)

    def __post_init__(self) -> None:
        filters, keys = self.filters, self.grouping.keys
        self.shared: frozenset[Use] = frozenset().union(*(f.bound.uses for f in filters), *(k.uses for k in keys))
        self.uses = self.shared.union(*(leaf.uses for leaf in self.leaves))
        # A computed dimension is joined by columns that the query need not name.
        self.shared |= self.source.staged.needs(self.shared)
        self.uses |= self.source.staged.needs(self.uses)
        reached = self.source.paths_of(self.uses)
        self.repeated = (
            self.home is not None
            # A row filter's joins repeat rows as those of the query do.
            and self.source.tree.multiplied(self.home, (reached | self.source.policy.always()) - self._told_apart())
            and not all(leaf.spec.repeatable for leaf in self.leaves)
        )
        self._refuse_what_is_not_held(reached)
        self.alone = self.repeated and self.home is not None and self.source.tree.alone(self.home, reached)

    def _refuse_what_is_not_held(self, reached: frozenset[Path]) -> None:
        """Groups of a rollup are taken together by what holds them, and by what asks not how often a row is there."""
        tree = self.source.tree
        ends = {*reached, *self._extra}
        rolled = [path for path in tree.closure(ends) if tree.is_cube(path) and tree.index.rolled(path[-1])]
        if not rolled:
            return
        taken = all(leaf.spec.repeatable or getattr(leaf.spec, "held", False) for leaf in self.leaves)
        alone = not self.leaves or rolled == [self.home]
        if self.shifts or self.rolling is not None or not taken or not alone:
            raise NotHeld(rolled[0][-1])

    @property
    def complete(self) -> bool:
        """Whether the part gives every key that a row of the view has."""
        return not self.alone and not self.shifts and self.rolling is None and not self.only

    def elsewhere(self, leaf: Leaf) -> str | None:
        """The leaf's value for a key that only other parts have; None where that is NULL."""
        # An aggregate of which no table says what it is over nothing, such as string_agg or a UDF's: the engine is
        # asked.
        if self.only and leaf.over_nothing is None:
            found = run(from_(self._rows(leaf.uses, {}, [])), clause(" WHERE FALSE"))
            return sql("({})", select([leaf.render(leaf.args)], found))
        return word("0") if leaf.over_nothing == "0" else None

    @property
    def ignores_missing(self) -> bool:
        """Whether all rows are asked for, and aggregated by what passes over those of which nothing is there."""
        simple = not self.filters and not self.shifts and self.rolling is None
        return simple and all(isinstance(leaf.spec, LeafSpec) and not leaf.spec.held for leaf in self.leaves)

    @property
    def known_over_nothing(self) -> bool:
        """Whether it is known what the part's values are for a group without any of its rows."""
        return all(leaf.over_nothing is not None for leaf in self.leaves)

    def sql(self, *, missing: bool) -> str:
        shift, self.calendars = shifted(self.source, self.home, self.shifts, self.shared)
        once = Once(self.home, missing, self.ignores_missing) if self.home is not None and self.alone else None
        if self.rolling is not None:
            return self._rolling(self.uses, shift, once)
        if not self.repeated and self.grouping.structure is None:
            return self._plain(self.uses, shift)
        whole = self._distinct(self.uses, shift, once)
        home = self.home
        if home is None or once is not None or not (self.repeated and self.ignores_missing and self._led_to()):
            return whole
        return self.source.compilation.defer(
            lambda: joined_last(self.source, self.grouping, home, self.leaves) or whole
        )

    def _led_to(self) -> bool:
        """Whether the rows of the root lead to one of the home's each, which is all that is aggregated."""
        tree, home = self.source.tree, self.home
        own = all(path[: len(home or ())] == home for leaf in self.leaves for path in self.source.paths_of(leaf.uses))
        simple = home is not None and len(home) > 1 and tree.to_one(home, tree.root)
        return own and simple and self.grouping.structure is None

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
        # Rows that are moved in time are filtered by where they moved to, which is known behind the barrier only.
        safe = [] if shift else [f.bound.sql for f in filters if f.safe]
        rest = [f.bound.sql for f in filters if shift or not f.safe]
        return self.source.filtered(uses, self._extra, shift, safe, rest, self.calendars, once)

    def _plain(self, uses: frozenset[Use], shift: Mapping[str, str]) -> str:
        keys = self._keys()
        values = [sql(f"{{}} AS {leaf.name}", leaf.render(leaf.args)) for leaf in self.leaves]
        if not keys and not values:
            # A SELECT list must not be empty.
            return select([ONE], NOTHING)  # without groups there is one row, whatever passes
        by = clause(f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}") if keys else NOTHING
        return select([*keys, *values], run(from_(self._rows(uses, shift, self.filters)), by))

    def _keys(self) -> list[str]:
        return [sql(f"{{}} AS k{i}", k.sql) for i, k in enumerate(self.grouping.keys)]

    def _arguments(self) -> tuple[list[str], list[str]]:
        """Columns for the leaves' arguments, and the leaves over those columns of ``d``."""
        columns: list[str] = []
        values: list[str] = []
        for leaf in self.leaves:
            # Under names of their own: two leaves may aggregate one column.
            names = [f"{leaf.name}x{j}" for j in range(len(leaf.args))]
            columns += [sql(f"{{}} AS {n}", a) for a, n in zip(leaf.args, names, strict=True)]
            values.append(leaf.render([word(f"d.{n}") for n in names]))
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
        return [sql(f"{{}} AS p{i}", b.sql) for i, b in enumerate(bound)], uses.union(*(b.uses for b in bound))

    def _called(self) -> str:
        args = self.leaves[0].args
        return args[0].partition(".")[2].strip('"').rpartition(".")[2] if args else "COUNT(*)"

    def _distinct(self, uses: frozenset[Use], shift: Mapping[str, str], once: Once | None) -> str:
        columns = self._keys()
        arguments, values = self._arguments()
        columns += arguments
        once_each: str = NOTHING
        if self.repeated:
            primary, uses = self._primary(uses)
            columns += primary
            once_each = self.source.repeats(uses, once)
        inner = select(columns or [ONE], from_(self._rows(uses, shift, self.filters, once)), once_each)
        keys = [f"d.k{i}" for i in range(len(self.grouping.keys))]
        shown: list[str] = [word(f"{k} AS k{i}") for i, k in enumerate(keys)]
        by = clause(f" GROUP BY {', '.join(keys)}") if keys else NOTHING
        if self.grouping.structure is not None:
            by = clause(" GROUP BY " + self.grouping.structure, *map(word, keys))
            shown.append(word(f"GROUPING({', '.join(keys)}) AS g" if keys else "0 AS g"))
        shown += [sql(f"{{}} AS {leaf.name}", v) for v, leaf in zip(values, self.leaves, strict=True)]
        return select(shown or [ONE], run(from_(rows("({}) AS d", inner)), by))

    def _rolling(self, uses: frozenset[Use], shift: Mapping[str, str], once: Once | None) -> str:
        assert self.rolling is not None
        if self.grouping.structure is not None:
            raise InvalidQuery("A rolling measure cannot be combined with ROLLUP, CUBE or GROUPING SETS.")
        rolling = self.rolling
        time = self.source.column_of(rolling.column)
        bounds = [f for f in self.filters if f.of == rolling.column and (f.low or f.high)]
        # The window of the first period reaches back behind the bound.
        others = [f for f in self.filters if f not in bounds]
        # Keys of the time itself come from the series: a period without rows has a value too.
        columns = [each for i, each in enumerate(self._keys()) if i not in rolling.own]
        columns.append(sql("{} AS t", say.cast(time.sql, say.TIMESTAMP)))
        arguments, values = self._arguments()
        columns += arguments
        uses = uses | time.uses
        once_each: str = NOTHING
        if self.repeated:
            primary, uses = self._primary(uses)
            columns += primary
            once_each = self.source.repeats(uses, once)
        moments = select(columns, from_(self._rows(uses, shift, others, once)), once_each)
        named = [(leaf.name, value) for leaf, value in zip(self.leaves, values, strict=True)]
        lows, highs = [f.low for f in bounds if f.low], [f.high for f in bounds if f.high]
        return rolling_part(rolling, moments, [key.kind for key in self.grouping.keys], named, lows, highs)
