"""What is said of different rows of one thing: bought in 2023 but not in 2024, seen in one park and not in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..forms import Clause, Condition, Filter, Form, Member, Missing, Related, Role
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from .clauses import SOME_TIME, Measured, Shown, Subject, Tested, Timed
from .conditions import inner_conditions, joins_of, related_condition
from .partial import Partial

__all__ = ["apart", "is_impossible", "is_vacuous"]

Told = Tested | Timed


def is_vacuous(clauses: Sequence[object]) -> bool:
    """Whether a denial says nothing of rows that meet the rest: none of 2023 is of 2024."""
    return any(_pair(one, other) for one in clauses for other in clauses)


def is_impossible(clauses: Sequence[object]) -> bool:
    """Whether a row would have two values of one member, or be of two parts of one time: hired and rejected."""
    tests = [c for c in clauses if isinstance(c, Tested) and c.operator == "in" and not (c.negated or c.joined)]
    times = [c for c in clauses if isinstance(c, Timed) and c.period.part and not c.negated]
    return any(
        one.path == other.path and set(one.values).isdisjoint(other.values) for one in tests for other in tests
    ) or any(
        (one.path, one.period.part) == (other.path, other.period.part)
        and set(one.period.values).isdisjoint(other.period.values)
        for one in times
        for other in times
    )


def apart(
    partial: Partial, metadata: Metadata, clauses: Sequence[object]
) -> Iterator[tuple[str, tuple[Condition, ...], tuple[object, ...]]]:
    """The relation whose rows are asked for, the conditions on what belongs to each, and the other clauses."""
    told = _told(partial, clauses)
    if not told:
        return
    rest = tuple(c for c in clauses if c not in told)
    # Rows of another table that belong to each thing, or, where it is only named by a column, rows with the same
    # value in it.
    for relation in _subjects(rest):
        facts = _facts(metadata, relation, told)
        found = [
            related_condition(metadata, (relation,), facts, c.negated, (_affirmed(c),))
            for c in told
            if facts is not None
        ]
        if found and all(condition is not None for condition in found):
            yield relation, tuple(c for c in found if c is not None), rest
    for path in _members(metadata, rest):
        made = [_of_member(metadata, path, c) for c in told]
        if all(condition is not None for condition in made):
            yield path.split(".", 1)[0], tuple(c for c in made if c is not None), rest


def _told(partial: Partial, clauses: Sequence[object]) -> tuple[Told, ...]:
    """The clauses that no single row can meet together."""
    for one in clauses:
        for other in clauses:
            if _pair(one, other):
                # The first pair stands for all: a third denial would be of yet other rows.
                return one, other  # type: ignore[return-value]  # clauses of a pair
    spans = [c for c in clauses if isinstance(c, Timed) and not c.negated and c.period.low and c.period.high]
    apart = len(spans) == 2 and not _overlap(spans[0], spans[1])
    return tuple(spans) if partial.both and apart else ()


def _pair(one: object, other: object) -> bool:
    """Whether the second denies what the first rules out already."""
    if isinstance(one, Timed) and isinstance(other, Timed):
        known = one.period.low and one.period.high and other.period.low and other.period.high
        return bool(known and not one.negated and other.negated and not _overlap(one, other))
    if isinstance(one, Tested) and isinstance(other, Tested):
        equal = one.operator == other.operator == "in" and one.path == other.path
        return equal and not one.negated and other.negated and set(one.values).isdisjoint(other.values)
    return False


def _overlap(one: Timed, other: Timed) -> bool:
    a, b = one.period, other.period
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return True
    return a.low < b.high and b.low < a.high


def _affirmed(clause: Told) -> Told:
    if isinstance(clause, Tested):
        return Tested(clause.place, clause.path, clause.operator, clause.values)
    return Timed(clause.place, clause.period, clause.path)


def _subjects(clauses: Sequence[object]) -> list[str]:
    counted = [c.relation for c in clauses if isinstance(c, Measured) and c.function == "rows" and c.relation]
    return list(dict.fromkeys([*counted, *(c.relation for c in clauses if isinstance(c, Subject))]))


def _facts(metadata: Metadata, relation: str, told: Sequence[Told]) -> str | None:
    """The rows that belong to those of ``relation`` and that were spoken of."""
    named = {c.path.split(".", 1)[0] for c in told if c.path and c.path != SOME_TIME} - {relation}
    near = [name for name in named if relation in metadata.edges.get(name, ())]
    return near[0] if len(near) == 1 else metadata.facts_of(relation)


def _members(metadata: Metadata, clauses: Sequence[object]) -> list[str]:
    shown = [c.path for c in clauses if isinstance(c, Shown)]
    counted = [c.path for c in clauses if isinstance(c, Measured) and c.function == "count_distinct" and c.path]
    return [path for path in (*shown, *counted) if kind_of(metadata, path) in ("text", "key")]


def _of_member(metadata: Metadata, path: str, clause: Told) -> Condition | None:
    """Values of a member that stand in a row that meets (or meets not) what is said."""
    relation = path.split(".", 1)[0]
    other = relation if clause.path in (None, SOME_TIME) else clause.path.split(".", 1)[0]
    scope = metadata.scope([relation, other])
    joins = joins_of(metadata, scope) if scope is not None and scope[0] == relation else None
    conditions = inner_conditions(_affirmed(clause), metadata, (relation,))
    if joins is None or not conditions:
        return None
    # NULL among the values of NOT IN would leave nothing.
    where = (Missing(Member(path), negated=True), *conditions)
    form = Form(Role(relation), joins=joins, columns=(Clause(Member(path)),), where=tuple(map(Filter, where)))
    return Related(form, (Member(path),), clause.negated)
