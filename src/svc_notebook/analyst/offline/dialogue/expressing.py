"""Clauses that a turn says as expressions of the form they are added to, and the joins those need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..forms import (
    ROWS,
    Aggregate,
    Arithmetic,
    Clause,
    Expression,
    Form,
    Join,
    Member,
    Missing,
    Part,
    Role,
    Truncated,
    Value,
)
from ..forms.partings import PARTINGS
from ..forms.vocabulary import GRAINS
from ..forms.walking import conjuncts, parts
from ..grammar.clauses import SOME_TIME, Grouped, Measured
from ..plans.plan import Measure
from ..schema.derivations import expression_of
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from ..walk.times import auto_grain
from ..words.text import stem

__all__ = [
    "group_clauses",
    "is_named",
    "is_time",
    "measured",
    "members_of",
    "paths_of",
    "pruned",
    "relations_of",
    "time_of",
    "widened",
    "with_function",
]  # fmt: skip

_FITTING = "auto"  # the unit that a span of time is looked at in where none is said
_TIMES = {"hour", "weekday", "month", "week", "quarter"}
_PARTS = {
    "weekday": "isoweekday", "hour_of_day": "hour", "month_of_year": "month", "day_of_month": "day",
    "quarter_of_year": "quarter",
}  # fmt: skip


def members_of(of: object) -> list[Member]:
    """The members that a form, or a part of one, speaks of; not those of forms inside it."""
    if isinstance(of, Form):
        of = (of.groups, of.measures, of.columns, of.where, of.having, of.order)
    return [part for part in parts(of, inner=False) if isinstance(part, Member)]


def paths_of(of: object) -> set[str]:
    """Their paths."""
    return {member.path for member in members_of(of)}


def relations_of(form: Form) -> tuple[str, ...] | None:
    """The relations of a form, its root first; None where it is made over another form or a relation stands twice."""
    sources = [form.root, *(join.role for join in form.joins)]
    if any(not isinstance(source, Role) or source.name for source in sources):
        return None
    return tuple(source.relation for source in sources if isinstance(source, Role))


def widened(form: Form, paths: Iterable[str], metadata: Metadata) -> Form | None:
    """The form with the joins that further members need, its own rows still the ones that are counted."""
    known = relations_of(form)
    needed = list(dict.fromkeys(path.split(".", 1)[0] for path in paths))
    if known is None:
        return form if set(needed) <= {m.relation for m in members_of(form)} else None
    missing = [relation for relation in needed if relation not in known]
    if not missing:
        return form
    scope = metadata.scope((*known, *missing), known[:1])
    if scope is None or scope[0] != known[0] or metadata.is_bridged(scope):
        return None
    joins, reached = list(form.joins), list(known)
    for relation in scope[1:]:
        if relation in reached:
            continue
        near = next((k for k in reached if metadata.joins.between(k, relation)), None)
        if near is None:
            return None
        pairs = tuple((Member(a), Member(b)) for a, b in metadata.joins.between(near, relation))
        joins.append(Join(Role(relation), pairs))
        reached.append(relation)
    return form.with_(joins=tuple(joins))


def pruned(form: Form, before: Form) -> Form:
    """The form without joins that only what an edit took away needed."""
    needed, once = _used(form), _used(before)
    joins = list(form.joins)
    for join in reversed(form.joins):
        role = join.role
        gone = isinstance(role, Role) and not role.name and role.relation in once and role.relation not in needed
        others = {m.relation for other in joins if other is not join for m in members_of(other.on)}
        if gone and isinstance(role, Role) and not join.outer and join.also is None and role.relation not in others:
            joins.remove(join)
    if len(joins) == len(form.joins):
        return form
    left = {join.role.relation for join in form.joins if join not in joins and isinstance(join.role, Role)}
    where = tuple(one for one in form.where if not {member.relation for member in members_of(one)} & left)
    return form.with_(joins=tuple(joins), where=where)


def _used(form: Form) -> set[str]:
    """The relations that are shown, filtered on, grouped or sorted by."""
    content = (form.groups, form.measures, form.columns, form.where, form.having, form.order)
    tests = [c for c in (f.condition for f in form.where) if not (isinstance(c, Missing) and c.negated)]
    return {m.relation for part in (*content[:3], tuple(tests), *content[4:]) for m in members_of(part)}


def time_of(form: Form, metadata: Metadata) -> str | None:
    """The time that a form looks at: the one it groups by or filters on, else the first of its rows. What is not paid
    yet happened at no time of payment.
    """
    said = [member.path for part in (*form.groups, *form.where) for member in members_of(part)]
    never = _never(form)
    known = [path for path in said if path in metadata.members and metadata.is_time(path)]
    listed = [of.path for clause in form.columns if isinstance(of := clause.expression, Member)]
    shown = [path for path in listed if path in metadata.members and metadata.is_time(path)]
    known += shown if len(shown) == 1 else []  # the one time that a list shows
    relations = relations_of(form) or ()
    near = [other for relation in relations for other in metadata.edges.get(relation, ())]
    dated = metadata.dated(relations) if relations else None
    own = [*metadata.times(relations[:1]), *metadata.times(dated or relations), *metadata.times(near)]
    return next((path for path in (*known, *own) if path not in never), None)


def _never(form: Form) -> set[str]:
    """The members that no row of a form has a value of."""
    missing = [one for item in form.where for one in conjuncts(item.condition) if isinstance(one, Missing)]
    return {one.of.path for one in missing if isinstance(one.of, Member) and not one.negated}


def group_clauses(clause: Grouped, form: Form, metadata: Metadata) -> list[Expression]:
    """What a group that was said is in this form."""
    if clause.relation:
        return [Member(path) for path in labels_of(metadata, clause.relation)]
    path = time_of(form, metadata) if clause.path == SOME_TIME else clause.path
    if path is None:
        return []
    return [_grained(path, auto_grain(metadata, path) if clause.grain == _FITTING else clause.grain)]


def _grained(path: str, grain: str) -> Expression:
    member = Member(path)
    if grain in PARTINGS:
        return PARTINGS[grain].expression(member)
    if grain in _PARTS:
        return Part(member, _PARTS[grain])  # type: ignore[arg-type]  # parts by name
    return Truncated(member, grain) if grain in GRAINS else expression_of(path)


def measured(clause: Measured, form: Form, metadata: Metadata) -> Expression | None:
    """What a number that was said is in this form."""
    if clause.function == "rows":
        return _rows(form, clause.relation, metadata)
    if clause.path is None or clause.outer:
        return None
    if clause.function.startswith("quantile:"):
        return Aggregate("quantile", expression_of(clause.path), at=float(clause.function.split(":")[1]))
    return Aggregate(clause.function, expression_of(clause.path))  # type: ignore[arg-type]  # one of the aggregates


def _rows(form: Form, relation: str, metadata: Metadata) -> Expression | None:
    if not relation or relation == (relations_of(form) or (relation,))[0]:
        return ROWS
    key = metadata.key_of(relation)
    return Aggregate("count_distinct", Member(key)) if key is not None else None


def with_function(clause: Clause, function: str, metadata: Metadata) -> Clause | None:
    """The same number put together otherwise: its median instead of its average."""
    of = clause.expression
    if isinstance(of, Arithmetic) and isinstance(of.right, Value):  # an average in other units
        inner_clause = with_function(Clause(of.left), function, metadata)
        return Clause(replace(of, left=inner_clause.expression)) if inner_clause is not None else None
    if not isinstance(of, Aggregate) or of.where is not None:
        return None
    inner = of.of
    if of.function == "measure" and isinstance(inner, Member) and inner.path in metadata.members:
        plain = metadata.plain(Measure(inner.path, "measure"))
        if plain.aggregate == "measure" and (own := _own_measure(inner.path, function, metadata)) is not None:
            return Clause(Aggregate("measure", Member(own)))
        inner = Member(plain.member) if plain.aggregate != "measure" and plain.member is not None else None
    known = inner.path if isinstance(inner, Member) and inner.path in metadata.members else None
    if inner is None or known is not None and kind_of(metadata, known) not in ("number", "year", "time"):
        return None
    return Clause(Aggregate(function, inner))  # type: ignore[arg-type]  # one of the aggregates


_FOLDS = {
    "avg": ("avg", "average", "mean"), "median": ("median",), "sum": ("total", "sum"), "min": ("min", "minimum"),
    "max": ("max", "maximum"),
}  # fmt: skip


def _own_measure(path: str, function: str, metadata: Metadata) -> str | None:
    """The model's own number of the same thing put together so: its average beside its median, by their names."""
    relation, _, name = path.partition(".")
    first, _, rest = name.partition("_")
    if not rest or all(first not in words for words in _FOLDS.values()):
        return None
    named = (f"{relation}.{word}_{rest}" for word in _FOLDS.get(function, ()))
    return next((each for each in named if each in metadata.members), None)


def is_named(expression: Expression, words: str, metadata: Metadata) -> bool:
    """Whether words name one of the members of an expression."""
    said = {stem(word) for word in words.lower().split()}
    if isinstance(expression, (Truncated, Part)) and said & _called(expression):
        return True
    named = {stem(part) for path in paths_of(expression) if path in metadata.members for part in metadata.parts(path)}
    return bool(said & named)


def _called(of: Truncated | Part) -> set[str]:
    """What a unit of time is called; days of the week are days as well."""
    unit = of.grain if isinstance(of, Truncated) else of.part
    return {stem("weekday"), stem("day")} if unit in ("weekday", "isoweekday") else {stem(unit)}


def is_time(expression: Expression, metadata: Metadata) -> bool:
    if isinstance(expression, (Truncated, Part)):
        return True
    if not isinstance(expression, Member) or expression.path not in metadata.members:
        return False
    path = expression.path
    return metadata.is_time(path) or metadata.is_year(path) or bool(_TIMES & set(metadata.parts(path)))
