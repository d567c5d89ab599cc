"""What can be checked across a whole model without its data: references, joins, keys, cycles."""

from __future__ import annotations

from collections.abc import Mapping

from ..model import Cube, DataModel, Dimension, Measure, Source, View
from ..policies.attributes import ATTRIBUTE_SCOPES
from ..references import ModelScope, ResolvedReference, UnresolvedReference, find_references, resolve
from .circles import Use, report_circles
from .fragments import Fragment
from .join_graph import JoinGraph
from .levels import Levels
from .member_lists import check_member_lists
from .problems import Problems, did_you_mean
from .readable import check_sql, check_table
from .view_checks import check_view

__all__ = ["ModelChecks"]


class ModelChecks:
    """Runs every check over ``model``; ``fragments`` are the pieces of SQL it was read from."""

    def __init__(self, model: DataModel, fragments: list[Fragment], problems: Problems) -> None:
        self._model = model
        self._fragments = fragments
        self._problems = problems
        self._scope = ModelScope(model.cubes, model.views)
        self._graph = JoinGraph(model.cubes)
        self._levels = Levels(self._find, problems)
        self._uses: dict[tuple[str, str], list[Use]] = {}

    def run(self) -> None:
        for cube in self._model.cubes.values():
            self._names(cube)
            check_table(cube, self._problems)
            self._joins(cube)
            check_member_lists(cube, self._scope, self._problems)
        for fragment in self._fragments:
            self._references(fragment)
            check_sql(fragment, self._model.cubes, self._problems)
            self._levels.of_fragment(fragment)
        report_circles(self._uses, self._problems)
        self._keys()
        for view in self._model.views.values():
            check_view(view, self._model, self._graph, self._problems)

    # --- names and joins ----------------------------------------------------------------------------------------------

    def _names(self, cube: Cube) -> None:
        seen: dict[str, Source] = {}
        for member in cube.members:
            if member.name in seen and member.name:
                first = seen[member.name].line
                self._problems.error(
                    f"'{member.name}' of cube '{cube.name}' names two members, the first in line {first}; names "
                    f"are unique among "
                    "dimensions, measures and segments",
                    member.source,
                )
            seen.setdefault(member.name, member.source)

    def _joins(self, cube: Cube) -> None:
        for join in cube.joins:
            if join.name not in self._model.cubes:
                if join.name:
                    self._problems.error(
                        f"cube '{cube.name}' joins '{join.name}', which is no "
                        f"cube{did_you_mean(join.name, self._model.cubes)}",
                        join.source,
                    )
            # "FALSE" is put in for a join without SQL, which was told already.
            elif join.sql != "FALSE" and not self._mentions(cube.name, join.sql, join.name):
                self._problems.warning(
                    f"the join of '{cube.name}' to '{join.name}' does not mention {{{join.name}}}: every row "
                    f"would match",
                    join.source,
                )

    def _mentions(self, cube: str, sql: str, target: str) -> bool:
        for reference in find_references(sql):
            try:
                if resolve(self._scope, cube, reference).cube == target:
                    return True
            except UnresolvedReference:
                return True  # reported with the reference
        return False

    # --- references in SQL --------------------------------------------------------------------------------------------

    def _references(self, fragment: Fragment) -> None:
        if fragment.role == "table":
            for reference in find_references(fragment.sql):
                self._problems.error(
                    f"'{reference}' is not known in the sql of a cube; only {{cube.sql()}} is, tables are written "
                    f"plainly",
                    fragment.source,
                    at=str(reference),
                )
            return
        for reference in find_references(fragment.sql):
            # The asker's attributes, which a mask may compare with.
            if fragment.role == "mask" and reference.path[0] in ATTRIBUTE_SCOPES:
                continue
            try:
                target = resolve(self._scope, fragment.relation, reference)
            except UnresolvedReference as error:
                self._unresolved(fragment, str(reference), error)
                continue
            self._reachable(fragment, target, str(reference))
            self._used(fragment, target, str(reference))

    def _unresolved(self, fragment: Fragment, written: str, error: UnresolvedReference) -> None:
        where = f"'{error.within}'"
        near = did_you_mean(error.name, error.candidates)
        hint = (
            near
            or f"; a column is written {{{'CUBE' if error.within == fragment.relation else error.within}}}.{error.name}"
        )
        self._problems.error(
            f"{written} in '{fragment.member or fragment.relation}': '{error.name}' is unknown in {where}{hint}",
            fragment.source,
            at=written,
        )

    def _reachable(self, fragment: Fragment, target: ResolvedReference, written: str) -> None:
        owner = self._model.cubes.get(fragment.relation)
        if fragment.role == "join":
            return
        if owner is None:
            self._of_view(fragment, target, written)
        elif not self._graph.connected((fragment.relation, target.cube)):
            self._problems.error(
                f"{written}: no joins connect '{fragment.relation}' and '{target.cube}'", fragment.source, at=written
            )
        elif self._is_sub_query(fragment) and target.cube not in self._graph.reach(fragment.relation):
            self._problems.warning(
                f"{written}: joins lead from '{target.cube}' to '{fragment.relation}' only, so '{fragment.member}' "
                f"cannot be answered; declare the join to '{target.cube}' in '{fragment.relation}' too",
                fragment.source,
                at=written,
            )

    def _is_sub_query(self, fragment: Fragment) -> bool:
        member = self._find(fragment.relation, fragment.member)
        return isinstance(member, Dimension) and member.sub_query

    def _of_view(self, fragment: Fragment, target: ResolvedReference, written: str) -> None:
        view = self._model.views[fragment.relation]
        if target.cube != view.name and target.cube not in {cube for m in view.members for cube in m.join_path}:
            self._problems.error(
                f"{written}: '{target.cube}' is not part of view '{view.name}'", fragment.source, at=written
            )

    def _used(self, fragment: Fragment, target: ResolvedReference, written: str) -> None:
        if fragment.role == "join" or target.member is None:
            return
        self._uses.setdefault((fragment.relation, fragment.member), []).append(
            Use(target.cube, target.member, fragment)
        )
        self._levels.of_reference(fragment, self._find(target.cube, target.member), written)

    def _find(self, relation: str, name: str) -> Dimension | Measure | None:
        holder: Cube | View | None = self._model.cubes.get(relation) or self._model.views.get(relation)
        if holder is None:
            return None
        members: tuple[Dimension | Measure, ...] = (*holder.dimensions, *holder.measures)
        own = next((m for m in members if m.name == name), None)
        if own is None and isinstance(holder, View):
            member = next((m for m in holder.members if m.name == name), None)
            return self._find(member.cube, member.member) if member is not None else None
        return own

    # --- keys ---------------------------------------------------------------------------------------------------------

    def _keys(self) -> None:
        for name, declaring in sorted(self._multiplied().items()):
            cube = self._model.cubes[name]
            if cube.measures and not any(d.primary_key for d in cube.dimensions):
                self._problems.warning(
                    f"cube '{name}' has no primary key, and its join with '{declaring}' repeats its rows: "
                    f"measures of '{name}' cannot be "
                    "combined with it; mark a dimension 'primary_key: true'",
                    cube.source,
                )

    def _multiplied(self) -> Mapping[str, str]:
        """Cubes whose rows some join repeats, with the cube at the other end."""
        found: dict[str, str] = {}
        for cube in self._model.cubes.values():
            for join in cube.joins:
                if join.name in self._model.cubes and join.relationship == "one_to_many":
                    found.setdefault(cube.name, join.name)
                elif join.name in self._model.cubes and join.relationship == "many_to_one":
                    found.setdefault(join.name, cube.name)
        return found
