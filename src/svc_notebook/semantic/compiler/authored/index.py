"""One model as the compiler reads it: members by name, join paths, physical tables and the types behind dimensions."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

from .... import patterns as re
from ...dialects import dialect_of
from ...dialects import duckdb as say
from ...dialects.nodes import formed_item
from ...engine import Engine, TableName
from ...errors import EngineFailure, InvalidQuery, ModelProblem, UnknownPlace
from ...model import Cube, DataModel, Dimension, Join, Measure, Segment, View, ViewMember
from ...policies.policy import Access, access_by, members_of
from ...references import ModelScope, UnresolvedReference, find_references, resolve
from ...results.cache import Cache
from ..names import fold
from ..rollup_tables import RollupTable
from .context_filters import filters_by_context
from .fragments import Fragment, name_parts, qualified_select, read_fragment, table_sql
from .middles import widened

__all__ = ["ModelIndex", "Probes"]

_log = logging.getLogger(__name__)
_SELECTS = re.compile(r"(?i)\bfrom\b").search
_KINDS = {"string": "string", "number": "number", "boolean": "boolean", "time": "timestamp", "geo": "string"}


_ROOM, _EACH = 1_048_576, 256  # bytes for what policies give, and about what they give of a member takes


class Probes(Protocol):
    """The engine's names of types, found by planning what the model says; see :mod:`.probes`."""

    def of_expression(self, index: ModelIndex, cube: str, text: str) -> str: ...
    def of_dimensions(self, index: ModelIndex, cube: str, dimensions: Sequence[Dimension]) -> list[str]: ...


class ModelIndex:
    """Built once per model and engine; everything in it is computed once and then shared by all queries."""

    def __init__(self, model: DataModel, engine: Engine, probes: Probes) -> None:
        self.model = model
        self.engine = engine
        self._probes = probes
        self.dialect = dialect_of(engine.dialect)
        self.scope = ModelScope(model.cubes, model.views)
        self._access: Cache[Access] = Cache(_ROOM, lambda access: _EACH * (4 + len(access.members)))
        self._fragments: dict[str, Fragment] = {}
        self._tables: dict[str, tuple[str, frozenset[TableName]]] = {}
        self._kinds: dict[str, dict[str, str]] = {}
        self._declared: dict[str, dict[str, str]] = {}  # of cubes whose types are just being read
        self._expressions: dict[str, str] = {}
        self._widened: dict[tuple[str, str], str] = {}
        self._fitting: dict[tuple[str, str, str], bool] = {}
        # Reentrant: a probe compiles dimensions that ask for the kinds of others.
        self._lock = threading.RLock()
        self.floating: set[tuple[str, str]] = set()
        self.lists: set[tuple[str, str]] = set()  # dimensions that hold several values
        self.narrow: set[tuple[str, str]] = set()  # whole numbers of fewer than 64 bits
        self.wide: set[tuple[str, str]] = set()  # dimensions whose values may not fit the type of a comparison
        self.failing: dict[tuple[str, str], bool] = {}  # whether a member's value may be an error, as far as was asked
        self._written: set[tuple[str, str]] = set()  # times that the database holds as text
        self._places: dict[tuple[str, str], dict[tuple[str, ...], tuple[str, ...]]] = {}
        self.entries: dict[tuple[str, str, str], Any] = {}  # a view's members as the compiler places them
        self.rollups: tuple[RollupTable, ...] = ()  # those that were built, as they were declared
        self.rolled_up: dict[tuple[str, ...], ModelIndex] = {}  # the model over some of them

    @cached_property
    def _members(self) -> dict[tuple[str, str], Dimension | Measure | Segment]:
        found: dict[tuple[str, str], Dimension | Measure | Segment] = {}
        for cube in self.model.cubes.values():
            found |= {(cube.name, m.name): m for m in members_of(cube) if not isinstance(m, ViewMember)}
        return found

    @cached_property
    def _view_members(self) -> dict[tuple[str, str], ViewMember | Dimension | Measure]:
        found: dict[tuple[str, str], ViewMember | Dimension | Measure] = {}
        for view in self.model.views.values():
            found |= {(view.name, m.name): m for m in members_of(view) if not isinstance(m, Segment)}
        return found

    @cached_property
    def _called(self) -> dict[str, list[Cube | View]]:
        found: dict[str, list[Cube | View]] = {}
        relations: list[Cube | View] = [*self.model.views.values(), *self.model.cubes.values()]
        for relation in relations:
            found.setdefault(fold(relation.name), []).append(relation)
        return found

    def called(self, name: str) -> list[Cube | View]:
        """The views and cubes whose name is this one, whatever its case."""
        return self._called.get(fold(name), [])

    def access(self, relation: Cube | View, matched: tuple[int, ...] | None) -> Access:
        """What policies of a relation give together, kept for whomever the same of them match."""
        return self._access.get((relation.name, matched), lambda: access_by(relation, matched))

    @cached_property
    def has_several_roots(self) -> bool:
        """Whether some view has more than one root cube."""
        return any(len({m.join_path[0] for m in v.members}) > 1 for v in self.model.views.values())

    def is_staged(self, cube: str, dimension: Dimension) -> bool:
        """Whether a dimension is computed over measures, at a grain of its own."""
        if not dimension.multi_stage:
            return False
        case = dimension.case
        texts = [dimension.sql, *(t for w in case.when for t in (w.sql, w.label_sql))] if case else [dimension.sql]
        for reference in (r for text in texts for r in find_references(text or "")):
            with suppress(UnresolvedReference):
                found = resolve(self.scope, cube, reference)
                if found.member and isinstance(self._members.get((found.cube, found.member)), Measure):
                    return True
        return False

    def cube(self, name: str) -> Cube:
        return self.model.cubes[name]

    def rolled(self, cube: str) -> RollupTable | None:
        """The table that stands in the place of a cube's rows; see :mod:`.rolled`."""
        return None

    def member(self, cube: str, name: str) -> Dimension | Measure | Segment:
        return self._members[cube, name]

    def view_member(self, view: str, name: str) -> ViewMember | Dimension | Measure:
        return self._view_members[view, name]

    def view(self, name: str) -> View | None:
        return self.model.views.get(name)

    def fragment(self, text: str) -> Fragment:
        found = self._fragments.get(text)
        if found is None:
            found = self._fragments[text] = read_fragment(text, self.engine.qualify)
        return found

    def table(self, cube: str) -> tuple[str, frozenset[TableName]]:
        """The FROM item of a cube without alias, and the physical tables in it."""
        found = self._tables.get(cube)
        if found is None:
            found = self._tables[cube] = self._read_table(self.cube(cube))
        return found

    @cached_property
    def governed(self) -> frozenset[TableName]:
        """The tables of which rows may be hidden: by a policy of a cube or of a view on it, or by a cube's own SQL."""
        cubes = {cube.name for cube in self.model.cubes.values() if cube.access_policy is not None}
        # Two cubes may stand on one table: what a policy hides in one is not to be told by the other.
        cubes |= {name for name in self.model.cubes if filters_by_context(self.table(name)[0])}
        for view in self.model.views.values():
            if view.access_policy is not None:
                cubes |= {name for member in view.members for name in member.join_path}
        return frozenset().union(*(self.table(name)[1] for name in cubes))

    def misplaced(self) -> list[ModelProblem]:
        """Tables of cubes, and of what members select, in a schema or database that is not there."""
        found = []
        for cube in self.model.cubes.values():
            texts = [getattr(item, "sql", None) or "" for item in members_of(cube)]
            for text in (None, *filter(_SELECTS, texts)):
                try:
                    self.table(cube.name) if text is None else self.fragment(text)
                except UnknownPlace as problem:
                    at = cube.source
                    found.append(ModelProblem(f"cube '{cube.name}': {problem.message}", at.file, at.line, at.column))
        return found

    def absent(self, relation: str) -> list[str]:
        """The tables of a cube, or of a view's cubes, that the database does not have."""
        view = self.model.views.get(relation)
        cubes = [relation] if view is None else list(dict.fromkeys(c for m in view.members for c in m.join_path))
        known = {name.lower() for name in self.engine.describe()}
        tables = [table for cube in cubes for table in sorted(self.table(cube)[1])]
        names = [t.table if t.schema == self.engine.default_schema else f"{t.schema}.{t.table}" for t in tables]
        return [name for name in dict.fromkeys(names) if name.lower() not in known]

    def _read_table(self, cube: Cube) -> tuple[str, frozenset[TableName]]:
        if cube.sql_table:
            parts = name_parts(cube.sql_table)
            catalog, schema, table = ([None, None, *parts])[-3:]
            name = self.engine.qualify(schema, table or "", catalog)
            return formed_item(table_sql(name), ()), frozenset({name})
        sql, tables = qualified_select(cube.sql or "", self.engine.qualify)
        return formed_item(f"({sql})", ()), tables

    @cached_property
    def _joins(self) -> dict[str, dict[str, Join]]:
        return {c.name: {j.name: j for j in c.joins if j.name in self.model.cubes} for c in self.model.cubes.values()}

    def join(self, parent: str, child: str) -> Join:
        return self._joins[parent][child]

    def has_join(self, parent: str, child: str) -> bool:
        return child in self._joins.get(parent, ())

    def path(self, start: str, goal: str) -> tuple[str, ...] | None:
        """The shortest chain of declared joins from one cube to another, without ``start``; first declared wins."""
        if start == goal:
            return ()
        # Breadth first, in the order of declaration.
        queue: deque[tuple[str, ...]] = deque([(start,)])
        seen = {start}
        while queue:
            at = queue.popleft()
            for child in self._joins.get(at[-1], ()):
                if child == goal:
                    return (*at[1:], child)
                if child not in seen:
                    seen.add(child)
                    queue.append((*at, child))
        return None

    def kind(self, cube: str, dimension: str) -> str:
        """The kind of a dimension's values: as the database types its expression, else as the model says."""
        kinds = self._kinds.get(cube)
        if kinds is None:
            with self._lock:  # whoever comes second waits; the probe itself, which asks again, sees the declared kinds
                kinds = self._kinds.get(cube) or self._declared.get(cube)
                if kinds is None:
                    kinds = self._probe(cube)
                    self._kinds[cube] = kinds
                    del self._declared[cube]
        return kinds.get(dimension, "any")

    def is_written(self, cube: str, dimension: Dimension) -> bool:
        """Whether a time dimension is text in the database (SQLite has no other) and must be read as a time."""
        if dimension.type != "time":
            return False
        self.kind(cube, dimension.name)  # reads the types of the cube, if nobody has yet
        return (cube, dimension.name) in self._written

    def places(self, view: str, root: str) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Where the join paths of a view lie in the tree below ``root``; those it does not reach are left out."""
        found = self._places.get((view, root))
        if found is None:
            found = {}
            for member in self.model.views[view].members:
                between = self.path(root, member.join_path[0])
                if between is not None:
                    found[member.join_path] = (root, *between, *member.join_path[1:])
            self._places[view, root] = found
        return found

    def expression_kind(self, cube: str, text: str) -> str:
        """The kind of a fragment of a cube; ``number`` if the database does not tell."""
        known = self.exact_kind(cube, text)
        # As in_zone() shows them.
        return {"timestamptz": "timestamp", "any": "number", "uuid": "string"}.get(known, known)

    def exact_kind(self, cube: str, text: str) -> str:
        """The kind of a fragment, or of an aggregate, as the database types it; ``any`` if it does not."""
        return say.kind_of_type(self.exact_type(cube, text))

    def exact_type(self, cube: str, text: str) -> str:
        """The database's own type of it; "" if it does not tell."""
        key = f"{cube}\0{text}"
        known = self._expressions.get(key)
        if known is None:
            try:
                known = self._probes.of_expression(self, cube, text)
            except (EngineFailure, InvalidQuery, LookupError):
                known = ""
            self._expressions[key] = known
        return known

    def widened(self, cube: str, text: str) -> str:
        """An aggregate over a cube's rows, with the digits that what lies between two of its numbers needs."""
        key = (cube, text)
        known = self._widened.get(key)
        if known is None:
            known = self._widened[key] = widened(text, lambda value: self.exact_kind(cube, value) == "number")
        return known

    def fits(self, cube: str, text: str, wanted: str = "") -> bool:
        """Whether all values that meet in a fragment of a cube are of one kind, so that none is cast to another."""
        key = (cube, text, wanted)
        known = self._fitting.get(key)
        if known is None:
            fragment = self.fragment(text)
            groups = [*fragment.meets, *([frozenset({fragment.result, wanted})] if wanted else [])]
            known = self._fitting[key] = all(self._one_kind(cube, group) for group in groups)
        return known

    def _one_kind(self, cube: str, group: frozenset[str]) -> bool:
        kinds = {self.expression_kind(cube, k) if k.startswith("{") else k for k in group} - {"null", ""}
        return len(kinds) < 2 and "any" not in kinds

    def _probe(self, cube: str) -> dict[str, str]:
        # Declared kinds stand in while the probe itself compiles dimensions that refer to others.
        kinds = {d.name: _KINDS[d.type] for d in self.cube(cube).dimensions}
        self._declared[cube] = dict(kinds)
        probes = [d for d in self.cube(cube).dimensions if not d.sub_query and d.type != "geo" and not d.multi_stage]
        # All in one statement; where one of them fails, each by itself, so that the others are known.
        for batch in [probes] + [[d] for d in probes]:
            try:
                types = self._probes.of_dimensions(self, cube, batch)
            except (EngineFailure, InvalidQuery, LookupError):
                _log.debug("types of cube %s could not be read", cube)
                continue
            for dimension, name in zip(batch, types, strict=False):
                kind = say.kind_of_type(name)
                if dimension.type == "time" and kind == "string":
                    self._written.add((cube, dimension.name))
                    continue
                if say.is_floating(name):
                    self.floating.add((cube, dimension.name))
                if say.is_list(name):
                    self.lists.add((cube, dimension.name))
                if say.is_narrow(name):
                    self.narrow.add((cube, dimension.name))
                if say.is_wide(name):
                    self.wide.add((cube, dimension.name))
                # A type that says nothing leaves what the model says.
                kinds[dimension.name] = kinds[dimension.name] if kind in ("any", "null") else kind
            # The first batch had them all.
            if len(batch) == len(probes):
                break
        return kinds
