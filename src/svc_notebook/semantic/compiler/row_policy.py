"""The rows of a join tree that the asker may see: policies of the view and of its cubes, placed in the joins.

A filter of the root, or of a cube reached from it by to-one steps, is a condition on the whole row (a row whose to-one
row is hidden or missing is hidden). Below a one_to_many step, hidden rows are taken out before the join: they do not
exist, and the parent row stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from ..errors import InvalidQuery
from ..filter_values import Denied
from ..model import Dimension, View
from ..policy import RowRule
from ..row_filters import FilterOutcome, FilterWriter
from ..rules import filters_in
from .context import Compilation
from .context_filters import filters_by_context
from .masks import Masks
from .policy_words import applied, sees
from .steps import Expr, Path
from .tree import Tree

__all__ = ["RowPolicy"]


@dataclass
class RowPolicy(Masks):
    """Policies over one tree. ``view`` is the view asked, or None where cubes are asked directly."""

    compilation: Compilation
    tree: Tree
    view: View | None = None
    _used: dict[str, set[str]] = field(default_factory=dict)  # relation → member names, for coverage
    _used_below: dict[Path, set[str]] = field(default_factory=dict)  # node → names of its cube's members
    _reached: set[Path] = field(default_factory=set)
    _conditions: dict[Path, Expr | None] | None = None
    _view_condition: Expr | None = None

    def use(self, relation: str, member: str, path: Path, cube_member: str) -> None:
        self._used.setdefault(relation, set()).add(member)
        self._used_below.setdefault(path, set()).add(cube_member)

    def joins(self, other: RowPolicy) -> None:
        """Count members together with another tree of the same view: a policy must cover all that a query uses."""
        self._used = other._used

    def reach(self, paths: Iterable[Path]) -> None:
        """Nodes the query touches anywhere: in a query on cubes, these are the ones whose policies apply."""
        self._reached |= set(paths)

    # --- what applies ----------------------------------------------------------------------------------------------

    @property
    def restricts(self) -> bool:
        conditions = self._resolve()
        if self._view_condition is not None or any(c is not None for c in conditions.values()):
            return True
        return any(filters_by_context(self.tree.index.table(path[-1])[0]) for path in conditions)

    def _resolve(self) -> dict[Path, Expr | None]:
        """The condition of every node that counts; computed when all used members are known."""
        if self._conditions is None:
            nodes = {self.tree.root} | self._reached
            if self.view is not None:
                nodes |= set(self.tree.places.values())
            cubes = [path for path in self.tree.closure(nodes) if self.tree.is_cube(path)]
            self._conditions = {path: self._cube_condition(path) for path in cubes}
            if self.view is not None:
                rule = self.compilation.access(self.view.name).rows(self._used.get(self.view.name, ()))
                self._view_condition = self._condition(rule, self.view.name, self.tree.root)
        return self._conditions

    def always(self) -> frozenset[Path]:
        """Nodes that may be joined whatever is asked, because the view's own policies read them."""
        grants = self.compilation.access(self.view.name).grants if self.view is not None else None
        filters = [f for g in grants or () if g.rows is not None for f in filters_in(g.rows.filters)]
        found: set[Path] = set()
        for item in filters:
            with suppress(Denied):
                found.add(self._view_filter_member(item.member)[0])
        return frozenset(found)

    def _cube_condition(self, path: Path) -> Expr | None:
        cube = path[-1]
        access = self.compilation.access(cube)
        direct = self.view is None
        used = self._used.get(cube, set()) if direct else self._used_below.get(path, set())
        return self._condition(access.rows(used, lenient=not direct), cube, path)

    def _condition(self, rule: RowRule, relation: str, path: Path) -> Expr | None:
        """The SQL of a rule, recorded among the applied filters; None if it leaves every row."""
        if rule.everything:
            return None
        paths: set[Path] = set()
        outcomes = [self._alternative(rule, i, path, paths) for i in range(len(rule.alternatives))]
        open_ones = [o for o in outcomes if o.sql != "FALSE"]
        sql = "(" + " OR ".join(o.sql for o in open_ones) + ")" if open_ones else "FALSE"
        ctx = self.compilation.ctx
        shown = self.view.name if self.view is not None and not self.compilation.members(relation) else relation
        found = applied(rule, outcomes, relation, shown, ctx.groups)
        if found not in self.compilation.row_filters:
            self.compilation.row_filters.append(found)
        if not open_ones:
            notes = [note for o in outcomes for note in o.notes]
            for note in notes or [f"{rule.reason or 'no policy grants rows'}: no rows"]:
                self.compilation.note(note)
        return Expr(sql, frozenset(paths or {path}))

    def _alternative(self, rule: RowRule, number: int, path: Path, paths: set[Path]) -> FilterOutcome:
        grant = rule.alternatives[number]
        assert grant.rows is not None

        def column(member: str) -> tuple[str, str]:
            expr, kind = self._filter_column(rule.relation, path, member)
            paths.update(expr.paths)
            return expr.sql, kind

        def seen(member: str) -> bool:
            with suppress(Denied):
                place = self._place(rule.relation, path, member)
                return sees(self.compilation.index, self.compilation.ctx, self.view, *place)
            return False

        writer = FilterWriter(self.compilation.ctx, column, self.compilation.params.add, seen)
        return writer.all_of(grant.rows.filters)

    def _filter_column(self, relation: str, path: Path, name: str) -> tuple[Expr, str]:
        """The member a policy filters on, unmasked and without the query's time zone."""
        index = self.compilation.index
        node, member_name = self._place(relation, path, name)
        member = index.member(node[-1], member_name)
        if not isinstance(member, Dimension):
            raise InvalidQuery(f"The policy of '{relation}' filters on '{name}'; rows are filtered by dimensions.")
        expr = self.tree.dimension(node, member)
        kind = index.kind(node[-1], member_name)
        if kind == "timestamptz":
            return Expr(f"timezone('UTC', {expr.sql})", expr.paths), "timestamp"
        if kind == "uuid":
            return Expr(f"CAST({expr.sql} AS VARCHAR)", expr.paths), "string"
        return expr, kind

    def _place(self, relation: str, path: Path, name: str) -> tuple[Path, str]:
        """The node and the member of its cube that a policy's filter names."""
        if self.view is not None and relation == self.view.name:
            return self._view_filter_member(name)
        owner, _, short = name.rpartition(".")
        return self.tree.walk(path, owner.split(".")) if owner not in ("", relation) else path, short

    def _view_filter_member(self, name: str) -> tuple[Path, str]:
        assert self.view is not None
        owner, _, short = name.rpartition(".")
        for member in self.view.members:
            if (owner in ("", self.view.name) and member.name == short) or (
                member.cube == owner and member.member == short
            ):
                if member.join_path not in self.tree.places:
                    raise Denied("these rows have nothing of what it looks at")
                return self.tree.places[member.join_path], member.member
        raise InvalidQuery(f"The policy of '{self.view.name}' filters on '{name}', which it does not have.")

    # --- the FROM text ---------------------------------------------------------------------------------------------

    def body(self, paths: Iterable[Path], also: Iterable[str] = ()) -> str:
        """FROM and WHERE for the permitted rows with at least the nodes ``paths`` joined, on further conditions."""
        needed = set(paths) | {self.tree.root}
        top = self.top()
        for condition in top:
            needed |= condition.paths
        start, *rest = self.tree.closure(needed)
        bases = {path: base for path in rest if not self._single(path) and (base := self._filtered(path))}
        where = [*(condition.sql for condition in top), *also]
        text = self.tree.joined(start, rest, bases)
        return text + (f" WHERE {' AND '.join(dict.fromkeys(where))}" if where else "")

    def top(self) -> list[Expr]:
        """Conditions on the whole row."""
        conditions = self._resolve()
        top: list[Expr] = [self._view_condition] if self._view_condition is not None else []
        for path, condition in conditions.items():
            if condition is not None and self.tree.to_one(path, self.tree.root):
                top.append(condition)
        return top

    def semi_body(self, home: Path, paths: Iterable[Path]) -> str | None:
        """FROM and WHERE for the rows of ``home``, once each, that some permitted row of the view leads to.

        None where that cannot be told from ``home`` alone: a condition compares its side with the other.
        """
        needed, beyond = set(paths) | {home}, {home[:-1], self.tree.root}
        if any(not _below(path, home) for path in needed):
            return None
        near: list[str] = []
        far: list[str] = []
        for condition in self.top():
            if all(_below(path, home) for path in condition.paths):
                near.append(condition.sql)
                needed |= condition.paths
            elif any(_below(path, home) for path in condition.paths):
                return None
            else:
                far.append(condition.sql)
                beyond |= condition.paths
        rest = [path for path in self.tree.closure(needed) if _below(path, home) and path != home]
        start, *others = self.tree.closure(beyond)
        if any(not self._single(path) for path in [*rest, *others]):
            return None
        within = " AND ".join(dict.fromkeys([self.tree.on(home), *far]))
        exists = f"EXISTS (SELECT 1 FROM {self.tree.joined(start, others, {})} WHERE {within})"
        return f"{self.tree.joined(home, rest, {})} WHERE {' AND '.join(dict.fromkeys([*near, exists]))}"

    def missing_body(self, home: Path, paths: Iterable[Path]) -> str:
        """FROM for one row in which ``home`` and all below is missing, if some permitted row of the view has it so."""
        absent = f"NOT EXISTS (SELECT 1 FROM {self.tree.joined(home, [], {})} WHERE {self.tree.on(home)})"
        some = f"(SELECT 1 WHERE EXISTS (SELECT 1 FROM {self.body({home[:-1]}, [absent])})) AS svc_missing"
        rest = [path for path in self.tree.closure({*paths, home}) if _below(path, home) and path != home]
        return some + self.tree.nothing(home, rest)

    def _single(self, path: Path) -> bool:
        """Whether the last step to ``path`` leads to at most one row (then its filter is its parent's business)."""
        return self.tree.relationship(path) != "one_to_many"

    def _filtered(self, path: Path) -> str | None:
        """The rows of a to-many cube with its own filter and those of its to-one closure applied; None if open."""
        conditions = [
            condition
            for node, condition in self._resolve().items()
            if condition is not None and node[: len(path)] == path and self.tree.to_one(node, path)
        ]
        if not conditions:
            return None
        needed = {path}.union(*(c.paths for c in conditions))
        outside = [node for node in needed if node[: len(path)] != path]
        if outside:
            raise InvalidQuery(f"The policy of '{path[-1]}' filters on a cube that is joined to it from above.")
        rest = sorted(
            {node[: i + 1] for node in needed for i in range(len(path), len(node))}, key=lambda node: (len(node), node)
        )
        where = " AND ".join(dict.fromkeys(c.sql for c in conditions))
        return f"(SELECT {self.tree.alias(path)}.* FROM {self.tree.joined(path, rest, {})} WHERE {where})"


def _below(path: Path, home: Path) -> bool:
    return path[: len(home)] == home
