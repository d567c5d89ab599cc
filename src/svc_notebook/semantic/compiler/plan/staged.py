"""Dimensions over measures: rows grouped by what a measure is for each customer, product, … they belong to.

Such a dimension is computed at a grain of its own (the dimensions it names with those of the query), under the query's
filters, and its value is joined to every row of that grain. Filters on the dimension itself choose among the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from ....records import dataclass
from ...dialects.nodes import clause, from_, joined_by, rows, run, select, word
from ...dialects.nodes import sql as piece
from ...errors import InvalidQuery
from ...model import Case, Dimension, Measure
from ..join_tree.entries import Entry, Use
from ..join_tree.rows import Told
from ..values import Bound, text_literal
from .grains import added, is_key, stays
from .leaves import Filter, Grouping
from .plan import MeasurePlan
from .source import ModelSource

__all__ = ["StagedDimensions"]


@dataclass
class _Staged:
    """One of them: ``bound`` as the query sees it; ``plan`` gives ``value`` for each combination of ``keys``."""

    alias: str
    entry: Entry
    bound: Bound
    keys: tuple[Bound, ...] = ()
    plan: MeasurePlan | None = None
    value: str = ""


@dataclass
class StagedDimensions:
    """Those that a query uses of one source."""

    source: ModelSource
    _known: dict[str, _Staged] = field(default_factory=dict)
    _query: tuple[Grouping, Sequence[Filter]] | None = None

    def column(self, entry: Entry) -> Bound:
        """The dimension as a column beside those of the rows."""
        known = self._known.get(entry.key)
        if known is None:
            source = self.source
            source.policy.asked.use(entry.relation, entry.name, entry.path, entry.member.name)
            source.policy.asked.reach({entry.path})
            known = self._known[entry.key] = self._new(entry)
            if self._query is not None:
                self._compute(known, *self._query)
        self.source.compilation.raising = True
        return known.bound

    def _new(self, entry: Entry) -> _Staged:
        source, member = self.source, entry.member
        assert isinstance(member, Dimension)
        compilation, policy = source.compilation, source.policy
        alias = compilation.fresh("m")

        def shown() -> Told:
            masked = policy.is_masked(entry.relation, entry.name)
            text = policy.measure_mask(member.mask) if masked else word(f"{alias}.v")
            return Told((entry.relation, entry.name), text, masked)

        open_to_all = all(compilation.access(name).grants is None for name in (entry.relation, entry.path[-1]))
        sql = word(f"{alias}.v") if open_to_all else compilation.tell(policy.asked, shown)
        kind = compilation.index.kind(entry.path[-1], member.name)
        bound = Bound(sql, kind, frozenset({(alias, "v")}), True, member=entry.label)
        source.describe(bound, entry, None)
        return _Staged(alias, entry, bound)

    def prepare(self, grouping: Grouping, filters: Sequence[Filter]) -> None:
        """Compute those in use, now that the query's grouping and filters are known."""
        self._query = grouping, filters
        for staged in list(self._known.values()):
            self._compute(staged, grouping, filters)

    def _compute(self, staged: _Staged, grouping: Grouping, filters: Sequence[Filter]) -> None:
        member, path = staged.entry.member, staged.entry.path
        assert isinstance(member, Dimension)
        measure = Measure(
            member.name, "string", sql=member.sql or _case_sql(member.case), multi_stage=True,
            group_by=member.group_by, reduce_by=member.reduce_by,
        )  # fmt: skip
        plain = [key for key in grouping.keys if not self._used(key.uses)]
        kept = [key for key in plain if stays(self.source, path, measure, key)]
        names = [*(member.group_by or ()), *(member.add_group_by or ())]
        extra = [added(self.source, path, name) for name in names if not is_key(self.source, path, name, kept)]
        staged.keys = (*kept, *extra)
        under = [item for item in filters if not self._used(item.bound.uses)]
        plan = staged.plan = MeasurePlan(self.source, Grouping(list(staged.keys)), under)
        staged.value = plan.calculated(path, measure).sql

    def _used(self, uses: Iterable[Use]) -> list[_Staged]:
        aliases = {alias for alias, _ in uses}
        return [staged for staged in self._known.values() if staged.alias in aliases]

    def needs(self, uses: Iterable[Use]) -> frozenset[Use]:
        """The columns of the rows by which these are joined."""
        return frozenset().union(*(key.uses for staged in self._used(uses) for key in staged.keys))

    def joins(self, uses: Iterable[Use] | None = None) -> str:
        """LEFT JOINs of those in use, each with at most one row for a row; of all, if no uses are given."""
        found = list(self._known.values()) if uses is None else self._used(uses)
        return run(*(self._join(staged) for staged in found))

    def _join(self, staged: _Staged) -> str:
        if staged.plan is None:
            raise InvalidQuery(
                f"'{staged.entry.name}' is computed over the groups of a query; use it in one on its view or cube."
            )
        there = staged.plan.alias
        keys = [word(f"{there}.k{i} AS k{i}") for i in range(len(staged.keys))]
        inner = select([*keys, piece("{} AS v", staged.value)], from_(rows("{}", staged.plan.sql())))
        on = [piece(f"{{}} IS NOT DISTINCT FROM {staged.alias}.k{i}", key.sql) for i, key in enumerate(staged.keys)]
        return clause(f" LEFT JOIN ({{}}) AS {staged.alias} ON {{}}", inner, joined_by(" AND ", on or [word("TRUE")]))


def _case_sql(case: Case | None) -> str:
    """A case as the SQL it stands for."""
    if case is None:
        return "NULL"
    whens = " ".join(f"WHEN {w.sql} THEN {w.label_sql or text_literal(w.label)}" for w in case.when)
    last = case.else_sql or (text_literal(case.else_label) if case.else_label is not None else "NULL")
    return f"CASE {whens} ELSE {last} END"
