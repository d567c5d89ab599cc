"""What a whole form looks like, alone and beside each cue of its question, and how much of that it covers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ..forms import Aggregate, Compare, Form, Member, Missing, Part, Ratio, Related, Role, SetOf, Truncated, Value
from ..forms.conditions import And, Condition, Or
from ..forms.expressions import Expression, Scalar
from ..forms.walking import parts
from ..grammar.partial import Features
from ..linking.mentions import Named
from ..plans.plan import Measure
from ..schema.derivations import members_of
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from .asked import Asked

__all__ = ["shape"]

_MANY = 3  # counts above are as this one
_UNASKED = 4


def shape(form: Form | SetOf | None, asked: Asked, metadata: Metadata) -> Features:
    """Features of a form: its flags (``f:cell``), each beside each cue (``f:cell<count``), and what it covers."""
    if form is None:
        return ()
    flags = sorted(set(_flags(form, metadata)))
    found = [(f"f:{flag}", 1.0) for flag in flags]
    # Beside each cue: which shape fits a question depends on what it asks with.
    found.extend((f"f:{flag}<{cue}", 1.0) for cue in asked.cues for flag in flags)
    found.extend((name, value) for name, value in _covering(form, asked, metadata) if value)
    return tuple(found)


def _flags(form: Form | SetOf, metadata: Metadata) -> Iterator[str]:
    if isinstance(form, SetOf):
        yield "set"
        return
    groups = [g for g in form.groups if not g.hidden]
    if form.columns:
        yield "list"
        yield f"columns:{min(_MANY, len(form.columns))}"
    elif form.groups:
        yield "grouped" if form.measures else "distinct"
        yield f"groups:{min(_MANY, len(groups))}"
    else:
        yield "cell"
    if len(form.measures) > 1:
        yield "measures"
    yield from (f"m:{_measure(clause.expression, metadata)}" for clause in form.measures)
    yield from (f"g:{_kind(clause.expression, metadata)}" for clause in groups)
    yield from (f"c:{_kind(clause.expression, metadata)}" for clause in form.columns)
    yield from _ordering(form, metadata)
    if form.having:
        yield "having"
    if form.compare is not None:
        yield "compare"
    if isinstance(form.root, (Form, SetOf)):
        yield "nested"
        yield from (f"n:{flag}" for flag in _flags(form.root, metadata))
    yield f"joins:{min(_MANY, len(form.joins))}"
    yield f"where:{min(_MANY, len(form.where))}"
    for held in form.where:
        yield from _tests(held.condition, metadata)


def _ordering(form: Form, metadata: Metadata) -> Iterator[str]:
    if form.limit is not None:
        yield "limit:1" if form.limit.count == 1 else "limit:n"
        if form.limit.per:
            yield "limit:per"
        if not form.order:
            yield "limit:unordered"
    if form.order:
        by = form.order[0]
        yield f"order:{'m' if any(isinstance(p, Aggregate) for p in parts(by.by)) else _kind(by.by, metadata)}"
        yield "order:desc" if by.descending else "order:asc"


def _measure(of: Expression, metadata: Metadata) -> str:
    if isinstance(of, Aggregate):
        kind = "" if of.of is None else f":{_kind(of.of, metadata)}"
        return f"{of.function}{kind}{':if' if of.where is not None else ''}"
    if isinstance(of, Ratio):
        return "percent" if of.percent else "ratio"
    return type(of).__name__.lower()


def _kind(of: Expression, metadata: Metadata) -> str:
    if isinstance(of, Member):
        return kind_of(metadata, of.path) if of.path in metadata.members else "text"
    return "grain" if isinstance(of, (Truncated, Part)) else type(of).__name__.lower()


def _tests(condition: Condition, metadata: Metadata) -> Iterator[str]:
    negated = ":not" if getattr(condition, "negated", False) else ""
    if isinstance(condition, (And, Or)):
        yield "or" if isinstance(condition, Or) else "and"
        for term in condition.terms:
            yield from _tests(term, metadata)
    elif isinstance(condition, Compare):
        inner = ":scalar" if isinstance(condition.right, Scalar) else ""
        operator = condition.operator if condition.operator in ("=", "!=") else "<"
        yield f"w:{operator}:{_kind(condition.left, metadata)}{inner}"
    elif isinstance(condition, Related):
        yield f"w:related{negated}"
    else:
        of = getattr(condition, "of", None)
        kind = _kind(of, metadata) if of is not None else ""
        yield f"w:{type(condition).__name__.lower()}:{kind}{negated}"


def _covering(form: Form | SetOf, asked: Asked, metadata: Metadata) -> Iterator[tuple[str, float]]:
    """Which of the names and values that were said a form holds, and what it holds that was not."""
    inside = list(parts(form))
    used = _plainly({p.path for p in inside if isinstance(p, Member)} - _only_there(inside, metadata), metadata)
    relations = {p.relation for p in inside if isinstance(p, Role)}
    texts = {p.value for p in inside if isinstance(p, Value) and isinstance(p.value, Hashable)}
    shown = _shown(form)
    for m in asked.heads:
        members, homes = {n.member for n in m.names if n.member}, {n.relation for n in m.names if not n.member}
        # A head that is shown by its own column, or by any column of its rows.
        at_home = {path.split(".")[0] for path in shown} & homes
        yield "head:shown" if members & shown else "head:relation" if at_home else "head:none", 1.0
    named = {
        path for m in asked.names for n in m.names for path in (members_of(n.member) if n.member else (n.relation,))
    }
    held = {v.member for m in asked.values for v in m.values}
    yield "names:missing", float(sum(not any(_is_used(n, used, relations) for n in m.names) for m in asked.names))
    yield "values:missing", float(sum(not any(texts.intersection(v.values) for v in m.values) for m in asked.values))
    homes = {path.split(".")[0] for path in named | held}
    yield "relations:unasked", float(len(relations - homes))
    yield "members:unasked", float(min(_UNASKED, len(used - named - held)))


def _plainly(used: set[str], metadata: Metadata) -> set[str]:
    """Members with what the model's numbers are made of in their place, as a form would say them: rows of nothing."""
    known = {path for path in used if path in metadata.members and metadata.members[path].kind == "measure"}
    folded = [metadata.plain(Measure(path, "measure")) for path in known]
    return used - known | {one.member for one in folded if one.member is not None}


def _only_there(inside: Sequence[object], metadata: Metadata) -> set[str]:
    """The keys that have to be there and are held to nothing else, which is how rules say that rows belong together."""
    there = [p.of.path for p in inside if isinstance(p, Missing) and p.negated and isinstance(p.of, Member)]
    spoken = [p.path for p in inside if isinstance(p, Member)]
    return {path for path in there if metadata.is_key(path) and spoken.count(path) == there.count(path)}


def _is_used(named: Named, used: set[str], relations: set[str]) -> bool:
    if named.member is None:
        return named.relation in relations
    return set(members_of(named.member)) <= used


def _shown(form: Form | SetOf) -> set[str]:
    if isinstance(form, SetOf):
        return {path for each in form.forms for path in _shown(each)}
    return {p.path for clause in form.shown for p in parts(clause.expression) if isinstance(p, Member)}
