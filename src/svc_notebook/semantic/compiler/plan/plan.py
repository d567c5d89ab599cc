"""Measures over one grouping of a model source: the inner statement ``q``, and every measure as an expression over it.

``q`` gives group keys ``k0…`` and aggregates ``a0…`` (see :mod:`.parts`). Measures over measures become expressions
over ``q``; those that are evaluated at another grain are joined to it, and ranks are computed over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from msgspec import structs

from ...dialects.nodes import from_, holes, item, rows, select, sql, word
from ...errors import InvalidQuery
from ...model import Dimension, Measure
from ...references import Reference, ResolvedReference, find_references
from ..authored.placing import placed
from ..join_tree.steps import Path
from ..values import Bound
from .custom_aggregates import apart, held
from .grains import added, is_key, kept_filters, rolling_of, stays
from .leaves import Filter, Grouping, Leaf, Shift
from .measures import is_calculated, is_over_measures, kind_of_measure, leaf_spec, raw_spec
from .parts import inner_sql
from .rolling import Rolling
from .shifts import shift_of
from .source import ModelSource
from .stages import OVER_STAGE, Stage, refuse_loose, with_stage

__all__ = ["MeasurePlan"]


class MeasurePlan:
    """One grouping over one model source, and the measures asked of it."""

    def __init__(
        self,
        source: ModelSource,
        grouping: Grouping,
        filters: list[Filter],
        *,
        asked: list[Filter] | None = None,
        alias: str | None = None,
    ) -> None:
        self.source = source
        self.grouping = grouping
        self.filters = filters
        self.asked = filters if asked is None else asked  # the query's own, whatever measures around did to them
        self.compilation = source.compilation
        self.alias = alias or self.compilation.fresh("q")
        self._leaves: dict[tuple[object, ...], Leaf] = {}
        self._stages: dict[tuple[object, ...], Stage] = {}
        self._ranks: dict[str, str] = {}
        self.only: tuple[Filter, ...] = ()  # the FILTER of the measure that is being read

    def key(self, i: int) -> Bound:
        bound = self.grouping.keys[i]
        # Without `uses`: over the groups it is no column of the rows any more.
        text = word(f"{self.alias}.k{i}")
        return Bound(
            text, bound.kind, row=True, member=bound.member, growth=bound.growth, narrow=bound.narrow, zoned=bound.zoned
        )

    # --- measures --------------------------------------------------------------------------------------------------

    def value(self, path: Path, measure: Measure, shifts: tuple[Shift, ...] = ()) -> Bound:
        """A measure of the cube at ``path`` over ``q``."""
        elsewhere = measure.time_shift or measure.rolling_window or measure.multi_stage or measure.type == "rank"
        if self.only and elsewhere:
            raise InvalidQuery(
                f"FILTER cannot follow '{measure.name}', which runs over time or other groups; filter in WHERE instead."
            )
        # First, since a shift goes down to the measures that this one is made of.
        if measure.time_shift:
            moved = tuple(shift_of(s, measure.name) for s in measure.time_shift)
            return self.value(path, replace(measure, time_shift=()), (*shifts, *moved))
        if measure.type == "rank":
            return self._rank(path, measure, shifts)
        grained = measure.group_by is not None or measure.reduce_by or measure.add_group_by
        if measure.multi_stage and (grained or measure.filter is not None):
            return self._stage(path, measure, shifts)
        if is_over_measures(self.source, measure):
            return self.calculated(path, measure, shifts)
        rolling = rolling_of(self.source, self.grouping, self.filters, measure)
        if is_calculated(measure):
            return self._written(path, measure, shifts, rolling)
        spec = leaf_spec(self.source, path, measure)
        leaf = Leaf("", spec.home, spec, shifts, rolling)
        found = self.leaf(leaf, (path, measure.name, shifts, rolling), spec.kind)
        return structs.replace(found, narrow=spec.kind == "number" and measure.type in ("min", "max"))

    def _written(self, path: Path, measure: Measure, shifts: tuple[Shift, ...], rolling: Rolling | None) -> Bound:
        """A calculated measure that holds aggregates of its own: each is evaluated as a measure would be."""

        def piece(text: str) -> str:
            spec = raw_spec(self.source, path, measure, text)
            leaf = Leaf("", spec.home, spec, shifts, rolling)
            return self.leaf(leaf, (path, measure.name, text, shifts, rolling), spec.kind).sql

        text = self._text_of(measure)
        if measure.filters:
            self._refuse_measures_in(path, measure, text)
        # Apart, so that each joins and repeats no other's rows; nested ones are evaluated as they are written.
        taken = apart(text)
        if taken is None:
            return Bound(sql("({})", piece(text)), kind_of_measure(measure))
        rest, aggregates = taken
        others = self._reference(path, measure, shifts)
        pieces = [piece(each) for each in reversed(aggregates)][::-1]
        value = placed(rest, lambda found: others(found) if (at := held(found)) is None else pieces[at])
        return Bound(sql("({})", value), kind_of_measure(measure))

    def _text_of(self, measure: Measure) -> str:
        """A measure's SQL; the tables that it selects from by itself are read outside the rows."""
        tree = self.source.tree
        fragment = tree.index.fragment(measure.sql or "")
        tree.tables |= fragment.tables
        tree.selected |= fragment.tables
        return fragment.text

    def _refuse_measures_in(self, path: Path, measure: Measure, text: str) -> None:
        """A measure's filters are over the rows of its own aggregates, and would not reach what others aggregate."""
        tree = self.source.tree
        for reference in find_references(text):
            resolved = tree.resolve(path, reference)
            node = tree.walk(path, resolved.join_path)
            if resolved.member and isinstance(tree.index.member(node[-1], resolved.member), Measure):
                raise InvalidQuery(
                    f"The filters of the measure '{measure.name}' do not reach {reference}, which aggregates "
                    f"by itself; write its aggregate out, or give the filters to {reference}."
                )

    def calculated(self, path: Path, measure: Measure, shifts: tuple[Shift, ...] = ()) -> Bound:
        """A measure's SQL with the measures it names over ``q``."""
        index, reference = self.source.tree.index, self._reference(path, measure, shifts)
        value = placed(self._text_of(measure), reference)
        if measure.filters:
            tests = [placed(index.fragment(text).text, reference) for text in measure.filters]
            value = sql(f"CASE WHEN ({holes(len(tests), ') AND (')}) THEN {{}} END", *tests, value)
        return Bound(sql("({})", value), kind_of_measure(measure))

    def _reference(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Callable[[Reference], str]:
        tree = self.source.tree

        def replace_reference(reference: Reference) -> str:
            resolved = tree.resolve(path, reference)
            node = tree.walk(path, resolved.join_path)
            member = tree.index.member(node[-1], resolved.member) if resolved.member else None
            if isinstance(member, Dimension):
                return self._key_of(node, resolved, measure)
            if not isinstance(member, Measure):
                raise InvalidQuery(f"The measure '{measure.name}' uses {reference} outside an aggregate.")
            self.source.policy.asked.reach({node})
            return self.value(node, member, shifts).sql

        return replace_reference

    def _key_of(self, node: Path, resolved: ResolvedReference, measure: Measure) -> str:
        """A dimension inside a calculated measure: it must be one of the group keys."""
        for i, key in enumerate(self.grouping.keys):
            entry, granularity = self.source.entry_and_grain(key)
            if (
                entry is not None
                and entry.path == node
                and entry.member.name == resolved.member
                and granularity == resolved.granularity
            ):
                return self.key(i).sql
        # A dimension that WHERE fixes to one constant has that value in every group.
        for given in self.filters:
            if given.equal is not None and given.of is not None and given.of[0] == self.source.alias:
                entry = self.source.entry_of(given.of[1])
                if entry is not None and entry.path == node and entry.member.name == resolved.member:
                    return given.equal
        raise InvalidQuery(
            f"The measure '{measure.name}' needs '{resolved.member}' in GROUP BY, or one value of it in WHERE."
        )

    def leaf(self, leaf: Leaf, key: tuple[object, ...], kind: str, growth: int = 1) -> Bound:
        """An aggregate as a column of ``q``; asked for again, the same column."""
        # The same measure with and without FILTER is two aggregates.
        known = self._leaves.get((*key, self.only))
        if known is None:
            leaf.name, leaf.only = self.compilation.fresh("a"), self.only
            known = self._leaves[(*key, self.only)] = leaf
        return Bound(word(f"{self.alias}.{known.name}"), kind, growth=growth)

    # --- other grains ----------------------------------------------------------------------------------------------

    def _stage(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Bound:
        """A measure evaluated at the grain its ``group_by``, ``reduce_by`` and ``add_group_by`` make of the keys."""
        if self.grouping.structure is not None:
            raise InvalidQuery(f"'{measure.name}' cannot be combined with ROLLUP, CUBE or GROUPING SETS.")
        cache = (path, measure.name, shifts)
        stage = self._stages.get(cache)
        if stage is None:
            ranked = measure.type == "rank"  # its grain is what it is partitioned by
            whole = range(len(self.grouping.keys))
            kept = [i for i in whole if ranked or stays(self.source, path, measure, self.grouping.keys[i])]
            keys = [self.grouping.keys[i] for i in kept]
            names = measure.add_group_by or ()
            extra = [added(self.source, path, name) for name in names if not is_key(self.source, path, name, keys)]
            refuse_loose(self.source, measure, extra)
            grouping = Grouping([*keys, *extra])
            filters = kept_filters(self.source, path, measure, self.filters, self.asked)
            plan = MeasurePlan(self.source, grouping, filters, asked=self.asked)
            # Its context and grain are those of the new plan already; with them it would ask for a stage of itself, for
            # ever.
            plain = replace(measure, filter=None)
            if not ranked:
                plain = replace(plain, group_by=None, reduce_by=None, add_group_by=None)
            value = plan.over_stage(path, plain, shifts) if names else plan.value(path, plain, shifts).sql
            shared = [(i, j) for j, i in enumerate(kept)]
            stage = self._stages[cache] = Stage(self.compilation.fresh("a"), plan, value, shared, bool(names))
        return Bound(word(f"{self.alias}.{stage.name}"), kind_of_measure(measure))

    def over_stage(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> str:
        """The measure with the rows of this plan's grain taken together."""
        fragment = self.source.tree.index.fragment(measure.sql) if measure.sql else None
        if is_calculated(measure) and fragment is not None and fragment.aggregates:
            return self.calculated(path, measure, shifts).sql  # it says itself how
        # A measure without an aggregate, such as a text, has one value in all rows of the finer grain.
        over = OVER_STAGE.get(measure.type, "ANY_VALUE")
        # "COUNT(DISTINCT " has opened its parenthesis.
        return sql(f"{over}{'' if over.endswith(' ') else '('}{{}})", self.value(path, measure, shifts).sql)

    def _rank(self, path: Path, measure: Measure, shifts: tuple[Shift, ...]) -> Bound:
        if measure.filter is not None:
            return self._stage(path, measure, shifts)
        if measure.add_group_by:
            raise InvalidQuery(
                f"'{measure.name}' ranks the rows of the query; a measure that takes ranks together has add_group_by."
            )
        kept = [self.key(i).sql for i, key in enumerate(self.grouping.keys) if stays(self.source, path, measure, key)]
        order, by = [], []
        for text, direction in measure.order_by:
            # The model orders by an expression over measures, which is read as such a measure's SQL is.
            value = self.calculated(path, replace(measure, sql=text, filters=()), shifts)
            by.append(value.sql)
            order.append(f"{{}}{' DESC' if direction.lower() == 'desc' else ''} NULLS LAST")
        partition = f"PARTITION BY {holes(len(kept))} " if kept else ""
        window = sql(f"RANK() OVER ({partition}ORDER BY {', '.join(order)})", *kept, *by)
        name = next((n for n, w in self._ranks.items() if w == window), None)
        if name is None:
            name = self.compilation.fresh("a")
            self._ranks[name] = window
        return Bound(word(f"{self.alias}.{name}"), "number")

    # --- the inner statement ---------------------------------------------------------------------------------------

    def sql(self) -> str:
        """The inner statement as a FROM item."""
        return item(f"({{}}) AS {self.alias}", self.finished(self.grouped(), [self]))

    def grouped(self) -> str:
        """The keys and the aggregates; what is computed over them is not in it yet."""
        return inner_sql(self.source, self.grouping, self.filters, self.leaves)

    def finished(self, text: str, plans: Sequence[MeasurePlan]) -> str:
        """``text`` with the other grains and the ranks of ``plans``, which all are over it."""
        for plan in plans:
            for stage in plan._stages.values():
                text = with_stage(text, stage)
        # Ranks come last: they may order by a value of another grain.
        for plan in plans:
            for name, window in plan._ranks.items():
                columns = [word(f"{self.alias}.*"), sql(f"{{}} AS {name}", window)]
                text = select(columns, from_(rows(f"({{}}) AS {self.alias}", text)))
        return text

    @property
    def leaves(self) -> list[Leaf]:
        return list(self._leaves.values())

    @property
    def zeros(self) -> Iterable[str]:
        """Those of :attr:`names` that are 0 over no rows."""
        counts = [stage.name for stage in self._stages.values() if stage.counts]
        return [*(leaf.name for leaf in self.leaves if leaf.over_nothing == "0"), *counts]

    @property
    def names(self) -> Iterable[str]:
        """The columns of ``q`` that are no keys."""
        return [*(leaf.name for leaf in self.leaves), *(stage.name for stage in self._stages.values()), *self._ranks]
