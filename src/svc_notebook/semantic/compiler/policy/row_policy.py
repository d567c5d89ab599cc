"""The rows of a join tree that the asker may see: policies of the view and of its cubes, placed in the joins.

A filter of the root, or of a cube reached from it by to-one steps, is a condition on the whole row (a row whose to-one
row is hidden or missing is hidden). Below a one_to_many step, hidden rows are taken out before the join: they do not
exist, and the parent row stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from ....records import dataclass
from ...dialects.nodes import joined_by, sql, word
from ...errors import InvalidQuery
from ...policies.filter_values import Denied
from ...policies.policy import RowRule
from ...policies.row_filters import FilterOutcome
from ...rules import filters_in
from ..authored.context_filters import filters_by_context
from ..filtered import Telling
from ..join_tree.asked import Asked
from ..join_tree.context import Compilation
from ..join_tree.rows import Body, Exists, Missing, Screened, Shown
from ..join_tree.steps import Expr, Path
from .masks import Masks
from .policy_words import applied

__all__ = ["RowPolicy"]


@dataclass(frozen=True, slots=True)
class _Sides:
    """The nodes at and ``below`` a cube and those ``beyond`` it, nearest first, with the conditions on each."""

    below: Sequence[Path]
    beyond: Sequence[Path]
    near: tuple[str, ...]
    far: tuple[str, ...]


@dataclass
class RowPolicy(Masks):
    """Policies over one tree. ``view`` is the view asked, or None where cubes are asked directly."""

    compilation: Compilation
    asked: Asked
    _conditions: dict[Path, Expr | None] | None = None
    _view_condition: Expr | None = None

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
            nodes = {self.tree.root} | self.asked.reached
            if self.view is not None:
                # All cubes of a view, read or not: which rows a view has must not depend on the columns that are asked
                # for.
                nodes |= set(self.tree.places.values())
            cubes = [path for path in self.tree.closure(nodes) if self.tree.is_cube(path)]
            self._conditions = {path: self._cube_condition(path) for path in cubes}
            if self.view is not None:
                rule = self.compilation.access(self.view.name).rows(self.asked.used.get(self.view.name, ()))
                self._view_condition = self._condition(rule, self.view.name, self.tree.root)
        return self._conditions

    def always(self) -> frozenset[Path]:
        """Nodes that may be joined whatever is asked, because the view's own policies read them."""
        grants = self.compilation.access(self.view.name).grants if self.view is not None else None
        filters = [f for g in grants or () if g.rows is not None for f in filters_in(g.rows.filters)]
        found: set[Path] = set()
        for item in filters:
            with suppress(Denied):
                found.add(self.asked.view_filter_member(item.member)[0])
        return frozenset(found)

    def _cube_condition(self, path: Path) -> Expr | None:
        cube = path[-1]
        access = self.compilation.access(cube)
        direct = self.view is None
        used = self.asked.used.get(cube, set()) if direct else self.asked.used_below.get(path, set())
        return self._condition(access.rows(used, lenient=not direct), cube, path)

    def _condition(self, rule: RowRule, relation: str, path: Path) -> Expr | None:
        """The SQL of a rule, recorded among the applied filters; None if it leaves every row."""
        if rule.everything:
            return None
        paths: set[Path] = set()
        before = len(self.compilation.filtered)
        outcomes = [self._alternative(rule, i, path, paths) for i in range(len(rule.alternatives))]
        filtered = tuple(self.compilation.filtered[before:])
        open_ones = [o for o in outcomes if o.sql != "FALSE"]
        test = sql("({})", joined_by(" OR ", [o.sql for o in open_ones])) if open_ones else word("FALSE")
        shown = self.view.name if self.view is not None and not self.compilation.members(relation) else relation
        found = applied(rule, outcomes, relation, shown, self.compilation.asker.groups)
        self.compilation.telling.append(Telling(rule, filtered, relation, shown))
        if found not in self.compilation.row_filters:
            self.compilation.row_filters.append(found)
        if not open_ones:
            notes = [note for o in outcomes for note in o.notes]
            for note in notes or [f"{rule.reason or 'no policy grants rows'}: no rows"]:
                self.compilation.note(note)
        return Expr(test, frozenset(paths or {path}))

    def _alternative(self, rule: RowRule, number: int, path: Path, paths: set[Path]) -> FilterOutcome:
        grant = rule.alternatives[number]
        assert grant.rows is not None

        def column(member: str) -> tuple[str, str]:
            expr, kind = self.asked.filter_column(rule.relation, path, member)
            paths.update(expr.paths)
            return expr.sql, kind

        def seen(member: str) -> bool:
            with suppress(Denied):
                at, name = self.asked.place(rule.relation, path, member)
                return self.compilation.sees(self.view, at[-1], name)
            return False

        return self.compilation.filter(grant.rows.filters, column, seen)

    # --- the rows --------------------------------------------------------------------------------------------------

    def body(self, paths: Iterable[Path], also: Iterable[Exists] = ()) -> Body:
        """The permitted rows with at least the nodes ``paths`` joined, on further conditions."""
        # The root always, so that rows are those of the relation and not of whatever is joined to it.
        needed = set(paths) | {self.tree.root}
        top = self.top()
        for condition in top:
            needed |= condition.paths
        start, *rest = self.tree.closure(needed)
        screened = {path: rows for path in rest if not self._single(path) and (rows := self._screened(path))}
        where: tuple[str | Exists, ...] = (*dict.fromkeys(condition.sql for condition in top), *also)
        return self.tree.joined(start, rest, screened, where)

    def top(self) -> list[Expr]:
        """Conditions on the whole row."""
        conditions = self._resolve()
        top: list[Expr] = [self._view_condition] if self._view_condition is not None else []
        for path, condition in conditions.items():
            if condition is not None and self.tree.to_one(path, self.tree.root):
                top.append(condition)
        return top

    def semi_body(self, home: Path, paths: Iterable[Path]) -> Body | None:
        """The rows of ``home``, once each, that some permitted row of the view leads to.

        None where that cannot be told from ``home`` alone: a condition compares its side with the other.
        """
        sides = self._sides(home, paths)
        if sides is None:
            return None
        start, *others = sides.beyond
        led_to = Exists(self.tree.joined(start, others, where=(self.tree.on(home), *sides.far)))
        return self.tree.joined(home, sides.below, where=(*sides.near, led_to))

    def led_body(
        self,
        home: Path,
        paths: Iterable[Path],
        beside: tuple[Shown, ...] = (),
        taken: tuple[Shown, ...] = (),
        of: Iterable[Path] = (),
    ) -> Body | None:
        """The same by reading what leads there once, and with rows of NULLs where that leads nowhere.

        ``beside`` and ``taken`` are as in :class:`Led`, and read the nodes ``of``. None where a row might be
        found twice, and where policies leave a part of ``home``: then it is cheaper to begin there.
        """
        sides, by = self._sides(home, paths, of), self.tree.led_by(home)
        if sides is None or by is None or sides.near:
            return None
        start, *others = sides.beyond
        if any(_below(path, home) for path in sides.beyond):
            return None
        return self.tree.led(self.tree.joined(start, others, where=sides.far), home, by, sides.below, beside, taken)

    def _sides(self, home: Path, paths: Iterable[Path], beyond: Iterable[Path] = ()) -> _Sides | None:
        """What lies on the side of ``home``, and what leads there; None if something lies on both."""
        needed, beyond = set(paths) | {home}, {home[:-1], self.tree.root, *beyond}
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
        below = [path for path in self.tree.closure(needed) if _below(path, home) and path != home]
        ways = self.tree.closure(beyond)
        if any(not self._single(path) for path in [*below, *ways[1:]]):
            return None
        return _Sides(below, ways, tuple(dict.fromkeys(near)), tuple(dict.fromkeys(far)))

    def missing_body(self, home: Path, paths: Iterable[Path]) -> Body:
        """One row in which ``home`` and all below is missing, if some permitted row of the view has it so."""
        absent = Exists(self.tree.joined(home, (), where=(self.tree.on(home),)), negated=True)
        rest = [path for path in self.tree.closure({*paths, home}) if _below(path, home) and path != home]
        return self.tree.nothing(Missing(self.body({home[:-1]}, [absent])), home, rest)

    def _single(self, path: Path) -> bool:
        """Whether the last step to ``path`` leads to at most one row (then its filter is its parent's business)."""
        return self.tree.relationship(path) != "one_to_many"

    def _screened(self, path: Path) -> Screened | None:
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
        rows = self.tree.joined(path, rest, where=tuple(dict.fromkeys(c.sql for c in conditions)))
        return Screened(path, rows, self.tree.alias(path))


def _below(path: Path, home: Path) -> bool:
    return path[: len(home)] == home
