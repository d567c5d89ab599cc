"""Conditions on rows and on groups that a turn says of an earlier form."""

from __future__ import annotations

from dataclasses import replace

from ..forms import Compare, Condition, Filter, Range
from ..grammar.clauses import SOME_TIME, Measured, Tested, Timed, With
from ..grammar.conditions import condition_of, related_condition, time_condition
from .conditions import about, added, conditions_of, merged, negated, with_conditions, without
from .editing import Edit, Unfit, clauses_of, number_of, reach
from .expressing import paths_of, relations_of, time_of
from .grouping import focused

__all__ = ["filter_groups", "filter_rows"]


def filter_rows(edit: Edit) -> None:
    said = sorted((c for c in edit.partial.clauses if isinstance(c, (Tested, Timed))), key=lambda c: c.place)
    for clause in said:
        if isinstance(clause, Tested) and clause.function:
            continue
        for condition in _said(edit, clause):
            _condition(edit, condition, clause)
    if said and edit.form.limit is not None and edit.says("keep", "those"):
        edit.form = with_conditions(edit.form, [*conditions_of(edit.form), *focused(edit)])
    for clause in clauses_of(edit, With):
        found = related_condition(edit.metadata, relations_of(edit.form) or (), clause.relation, clause.negated)
        if found is None:
            raise Unfit("no rows of that relation belong to these")
        edit.form = with_conditions(edit.form, added(conditions_of(edit.form), [found]))


def _said(edit: Edit, clause: Tested | Timed) -> list[Condition]:
    if isinstance(clause, Tested):
        assert clause.path is not None
        reach(edit, clause.path)
        if clause.operator == "missing":
            edit.cost += 1.5
        if clause.path in paths_of(edit.form.where):
            edit.cost -= 1.0
        elif clause.path not in paths_of(edit.form.groups):
            edit.cost += 0.3 + 2.5 * _in_part(edit)
        return [condition_of(clause, edit.metadata)]
    path = time_of(edit.form, edit.metadata) if clause.path == SOME_TIME else clause.path
    if path is None:
        raise Unfit("these rows have no time")
    reach(edit, path)
    return time_condition(clause, path)


def _in_part(edit: Edit) -> bool:
    """Whether words are only a part of the value they are taken for."""
    return any(name == "value:part" for name, _ in edit.partial.features)


def _condition(edit: Edit, condition: Condition, clause: Tested | Timed) -> None:
    known = conditions_of(edit.form)
    if edit.says("remove"):
        edit.form = with_conditions(edit.form, without(known, condition))
    elif clause.negated:
        edit.form = with_conditions(edit.form, without(known, negated(condition)))
    elif edit.says("add") and not edit.says("follow", "and") and (both := merged(known, condition)) is not None:
        edit.form = with_conditions(edit.form, both)
    else:
        joined = isinstance(clause, Tested) and clause.joined == "or"
        both = merged(known, condition) if joined else None
        edit.form = with_conditions(edit.form, both if both is not None else added(known, [condition]))


def filter_groups(edit: Edit) -> None:
    """Conditions on groups."""
    for clause in (c for c in clauses_of(edit, Tested) if c.function):
        if not edit.form.groups:
            raise Unfit("there are no groups to compare")
        number = number_of(edit, Measured(clause.place, clause.function, clause.path, clause.relation))
        test = condition_of(replace(clause, path=clause.path or "", function=""), edit.metadata)
        if isinstance(test, Compare):
            condition: Condition = replace(test, left=number)
        elif isinstance(test, Range):
            condition = replace(test, of=number)
        else:
            raise Unfit("a comparison of groups")
        rest = [f for f in edit.form.having if about(f.condition) != about(condition)]
        edit.form = edit.form.with_(having=(*rest, Filter(condition)))
