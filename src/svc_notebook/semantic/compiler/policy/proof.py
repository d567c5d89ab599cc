"""The proof after compiling: every scan of a governed relation stands behind its filter and barrier, every mask is on.

It is worked out from the model and the asker, from the tree that the rows were written from and from the text that is
to be executed; nothing is asked of the modules that put the policy in (:mod:`.row_policy`, :mod:`.masks`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import field

from ....records import dataclass
from ...dialects import duckdb as say
from ...errors import EngineFailure
from ...model import Dimension, Segment, ViewMember
from ...policies.policy import RowRule
from ...policies.row_filters import FilterWriter
from ..authored.context_filters import filters_by_context, with_context
from ..authored.fragments import table_sql
from ..join_tree.asked import Asked, Placed
from ..join_tree.context import Compilation
from ..join_tree.rows import Barrier, Body, Exists, Led, Missing, Rows, Scan, Screened, Shown, Told
from ..join_tree.steps import Path

__all__ = ["prove"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Demanded:
    """What some rows must stand behind: conditions on whole rows, and those of nodes below a to-many step."""

    whole: set[str] = field(default_factory=set)
    below: dict[Path, set[str]] = field(default_factory=dict)
    cubes: set[str] = field(default_factory=set)  # of which rows may be hidden


def prove(compilation: Compilation, text: str) -> None:
    """Refuse a finished statement that shows more than the asker's rights.

    Raises
    ------
    EngineFailure
        If a condition, a barrier or a mask is missing, or a governed table is read beside the rows that were proven.
    """
    proof = _Proof(compilation)
    for placed in compilation.placed:
        proof.rows(placed)
    for asked, told in compilation.told:
        proof.told(asked, told())
    proof.members_are_told()
    proof.nothing_beside(text)


class _Proof:
    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.index = compilation.index
        self._known: dict[int, _Demanded] = {}

    # --- rows ------------------------------------------------------------------------------------------------------

    def rows(self, placed: Placed) -> None:
        demanded = self._demanded(placed.asked)
        rows = placed.part.rows if isinstance(placed.part, Barrier) else placed.part
        if demanded.cubes and self._may_fail(placed.asked, rows):
            ends = isinstance(placed.part, Barrier) and placed.part.packed == self.compilation.stopping
            self._hold(ends and say.is_barred(placed.text), "rows end in no barrier")
        for body in rows.bodies:
            self._body(body, demanded)
        for column in rows.columns:
            self._column(placed.asked, column)
        self._stands_in(placed, rows)

    def _may_fail(self, asked: Asked, rows: Rows) -> bool:
        """Whether something above some rows may fail on one: as it was asked or noted, or a member that they show."""
        if self.compilation.fails or self.compilation.raising:
            return True
        return any(self._member_fails(asked, c.member, c.at) for c in rows.columns if c.member is not None)

    def _member_fails(self, asked: Asked, member: tuple[str, str], at: Path) -> bool:
        relation, name = member
        if asked.view is not None:
            of_view = self.index.view_member(relation, name)
            if not isinstance(of_view, ViewMember):
                return False
            relation, name = of_view.cube, of_view.member
        found = self.index.member(relation, name)
        if isinstance(found, Dimension):
            kind = self.index.kind(relation, name)
            if kind in ("any", "timestamptz", "uuid") or (kind == "timestamp" and self.compilation.timezone != "UTC"):
                return True
        known = self.index.failing.get((relation, name))
        if known is None:
            tree, wide = asked.tree, (relation, name) in self.index.wide
            one = tree.segment(at, found) if isinstance(found, Segment) else None
            expr = tree.dimension(at, found) if isinstance(found, Dimension) else one
            known = self.index.failing[relation, name] = wide or (expr is not None and not expr.safe)
        return known

    def _stands_in(self, placed: Placed, rows: Rows) -> None:
        """What was proven of the tree holds for the text: the conditions and masks stand in it."""
        # Looked for in the text too: a tree that is right proves nothing of a writer that leaves something out.
        texts = {test for body in rows.bodies for test in _conditions(body)}
        texts |= {text for c in rows.columns if c.mask is not None for text in (c.mask.hidden, c.mask.unless or "")}
        self._hold(all(text in placed.text for text in texts), "a condition was not written")

    def _body(self, body: Body, demanded: _Demanded) -> None:
        if isinstance(body.start, Missing):
            self._hold(bool(body.steps) and body.steps[0].on == "FALSE", "a row of nothing holds something")
            self._body(body.start.some, demanded)
        else:
            self._hold(demanded.whole <= _whole(body), "a row filter is missing")
            self._below(body, demanded)
        for scan in _scans(body):
            self._scan(scan)

    def _below(self, body: Body, demanded: _Demanded) -> None:
        """Nodes below a to-many step are joined without their hidden rows, and nothing of them in another way."""
        for item in body.items():
            if isinstance(item, (Scan, Screened)) and (wanted := demanded.below.get(item.path)):
                screened = isinstance(item, Screened) and wanted <= _whole(item.rows)
                self._hold(screened, f"hidden rows of {item.path[-1]} are joined")
        inner = [test.rows for test in body.where if isinstance(test, Exists) and not test.negated]
        for rows in [*inner, *([body.start.rows] if isinstance(body.start, Led) else [])]:
            self._below(rows, demanded)

    def _scan(self, scan: Scan) -> None:
        """A cube whose SQL compares with the asker has the asker's values in it."""
        base, _ = self.index.table(scan.path[-1])
        if filters_by_context(base):
            base = with_context(self.compilation, scan.path[-1], base)
        self._hold(scan.base == base, f"{scan.path[-1]} is read in another way than the model's")

    # --- members ---------------------------------------------------------------------------------------------------

    def _column(self, asked: Asked, column: Shown) -> None:
        if column.member is None:
            return
        self._visible(asked, *column.member)
        rule = self._mask_rule(asked, *column.member)
        if rule is None:
            return
        name = ".".join(column.member)
        self._hold(column.mask is not None, f"{name} is not masked")
        if column.mask is not None and column.mask.unless is not None:
            shown = " OR ".join(self._tests(asked, rule, column.at))
            self._hold(bool(shown) and column.mask.unless == shown, f"{name} is shown on other rows")

    def told(self, asked: Asked, told: Told) -> None:
        self._visible(asked, *told.member)
        if self._mask_rule(asked, *told.member) is not None:
            self._hold(told.masked, f"{'.'.join(told.member)} is not masked")

    def members_are_told(self) -> None:
        """Every member over rows that a policy masks is one of those that were looked at."""
        seen = {told().member for _, told in self.compilation.told}
        for asked in {id(p.asked): p.asked for p in self.compilation.placed}.values():
            for relation, name in asked.measured - seen:
                self._hold(self._mask_rule(asked, relation, name) is None, f"{relation}.{name} is not masked")

    def _visible(self, asked: Asked, relation: str, name: str) -> None:
        seen = name in self.compilation.members(relation) and name in asked.used.get(relation, ())
        self._hold(seen, f"{relation}.{name} is not the asker's to name")

    def _mask_rule(self, asked: Asked, relation: str, name: str) -> RowRule | None:
        access = self.compilation.access(relation)
        if access.grants is not None or asked.view is None or relation != asked.view.name:
            return access.unmasked(name, asked.used.get(relation, ()))
        member = self.index.view_member(relation, name)
        if not isinstance(member, ViewMember):
            return None
        below = self.compilation.access(member.cube).unmasked(member.member, (member.member,))
        return None if below is None else RowRule(member.cube, False)

    # --- what is demanded ------------------------------------------------------------------------------------------

    def _demanded(self, asked: Asked) -> _Demanded:
        found = self._known.get(id(asked))
        if found is None:
            found = self._known[id(asked)] = self._worked_out(asked)
        return found

    def _worked_out(self, asked: Asked) -> _Demanded:
        found = _Demanded()
        view, root = asked.view, asked.tree.root
        ends = {root, *asked.reached, *(asked.tree.places.values() if view is not None else ())}
        for path in {end[: i + 1] for end in ends for i in range(len(end))}:
            cube = self.index.model.cubes.get(path[-1])
            if cube is None:
                continue
            if filters_by_context(self.index.table(cube.name)[0]):
                found.cubes.add(cube.name)
            if cube.access_policy is None:
                continue
            used = asked.used.get(cube.name, ()) if view is None else asked.used_below.get(path, ())
            rule = self.compilation.access(cube.name).rows(used, lenient=view is not None)
            if not rule.everything:
                found.cubes.add(cube.name)
                many = self._last_to_many(path)
                wanted = found.whole if many is None else found.below.setdefault(many, set())
                wanted.add(self._condition(asked, rule, path))
        if view is not None and view.access_policy is not None:
            rule = self.compilation.access(view.name).rows(asked.used.get(view.name, ()))
            if not rule.everything:
                found.cubes.add(root[0])
                found.whole.add(self._condition(asked, rule, root))
        return found

    def _last_to_many(self, path: Path) -> Path | None:
        """The last node on the way that one row above may have several of."""
        for i in range(len(path), 1, -1):
            if self.index.join(path[i - 2], path[i - 1]).relationship == "one_to_many":
                return path[:i]
        return None

    def _condition(self, asked: Asked, rule: RowRule, path: Path) -> str:
        granting = [sql for sql in self._tests(asked, rule, path) if sql != "FALSE"]
        return f"({' OR '.join(granting)})" if granting else "FALSE"

    def _tests(self, asked: Asked, rule: RowRule, path: Path) -> list[str]:
        """The SQL of each alternative of a rule."""

        def column(member: str) -> tuple[str, str]:
            expr, kind = asked.filter_column(rule.relation, path, member)
            return expr.sql, kind

        # Written a second time from the rule, with equal values under equal placeholders: the same rule gives the same
        # text.
        writer = FilterWriter(self.compilation.asker, column, self.compilation.params.add_of_asker)
        return [writer.all_of(g.rows.filters).sql for g in rule.alternatives if g.rows is not None]

    # --- the whole -------------------------------------------------------------------------------------------------

    def nothing_beside(self, text: str) -> None:
        """No governed table is read outside the rows that were proven, but by what the model's measures select."""
        selected = set().union(*(p.asked.tree.selected for p in self.compilation.placed))
        for table in (self.compilation.tables & self.index.governed) - selected:
            name = table_sql(table)
            # Counted in the texts of proven rows and in the whole: one more in the whole is a reading that nobody
            # looked at.
            proven = sum(p.text.count(name) for p in self.compilation.placed if not p.inside)
            self._hold(text.count(name) == proven, "a governed table is read beside its rows")

    def _hold(self, holds: bool, otherwise: str) -> None:
        if not holds:
            # For the log alone: why names what the asker may not know.
            _log.error("a statement was refused: %s", otherwise)
            raise EngineFailure("The query could not be compiled safely and was not run.")


def _whole(body: Body) -> set[str]:
    """The conditions on whole rows: its own, and those of rows that must be there."""
    own = {test for test in body.where if isinstance(test, str)}
    if isinstance(body.start, Led):
        own |= _whole(body.start.rows)
    return own.union(*(_whole(test.rows) for test in body.where if isinstance(test, Exists) and not test.negated))


def _conditions(body: Body) -> Iterator[str]:
    """Every condition, wherever it stands."""
    if isinstance(body.start, Missing):
        yield from _conditions(body.start.some)
    if isinstance(body.start, Led):
        yield from _conditions(body.start.rows)
    for item in body.items():
        if isinstance(item, Screened):
            yield from _conditions(item.rows)
    for test in body.where:
        if isinstance(test, str):
            yield test
        else:
            yield from _conditions(test.rows)


def _scans(body: Body) -> Iterator[Scan]:
    """Every scan, wherever it stands."""
    if isinstance(body.start, Missing):
        yield from _scans(body.start.some)
    if isinstance(body.start, Led):
        yield from _scans(body.start.rows)
    for item in body.items():
        if isinstance(item, Scan):
            yield item
        elif isinstance(item, Screened):
            yield from _scans(item.rows)
    for test in body.where:
        if isinstance(test, Exists):
            yield from _scans(test.rows)
