"""What a name of a member may do to a partial reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ..forms.vocabulary import AggregateName
from ..linking.mentions import Named
from ..schema.deeds import is_deed
from ..schema.derivations import is_derived
from ..schema.member_kinds import adjective_members, kind_of
from ..words.numbers import exact_unit
from ..words.text import is_participle, singular
from .clauses import Best, Grouped, Measured, Shown, Sorted, Subject, Tested, With
from .partial import Features, Partial
from .situation import Situation, best_of, elsewhere, linked
from .units import converted

__all__ = ["member"]


def member(s: Situation, named: Named, path: str) -> Iterator[Partial]:
    if is_derived(path):
        yield from _derived(s, named, path)
        return
    b, kind = s.before, kind_of(s.metadata, path)
    relation = path.split(".", 1)[0]
    if is_deed(s.metadata, path, s.mention.text.split()) and not (b.group or b.best or b.order or b.aggregates):
        yield from _done(s, path)
        # After a deed only "when" asks for the moment itself.
        if b.asked != "when":
            return
    link = (*linked(named), *elsewhere(s, relation))
    if kind == "measure":
        yield from _measure(s, path, link)
        return
    meant = _Meant(path, relation, kind, link, named.full)
    for way in _WAYS:
        yield from way(s, meant)


class _Meant(NamedTuple):
    """A member as it was named: what kind it is of, what speaks for the link, and whether its whole name was said."""

    path: str
    relation: str
    kind: str
    link: Features
    full: bool


def _aggregated(s: Situation, m: _Meant) -> Iterator[Partial]:
    b = s.before
    folds = m.kind in ("number", "year", "time") or set(b.aggregates) <= {"min", "max"}
    if not b.aggregates or b.counting and m.kind != "number" or not folds:
        # Sums of texts are none; least and last of them are.
        return
    if b.compare is not None and b.compare.argument != "between" and len(b.aggregates) == 1 and b.number is None:
        test = Tested(s.at, m.path, b.compare.argument, (), average=b.aggregates[0])
        yield s.add(test, (*m.link, *s.near("test:average")), aggregates=(), compare=None, near=m.relation)
    fits = {"time": (("aggregate:time", 1.0),), "text": (("aggregate:odd", 1.0),)}.get(m.kind, ())
    by = b.group == "by" and (b.best is not None or s.has(Best))
    yield s.then(
        (*m.link, *fits, *s.near("aggregate"), *((("best:by-measure", 1.0),) if by else ())),
        clauses=(*b.clauses, *(Measured(s.at, function, m.path) for function in b.aggregates)), counting="",
        group="" if by else b.group, aggregates=(b.aggregates if _listed(s) else ()), operand=m.path, near=m.relation,
    )  # fmt: skip


def _counted(s: Situation, m: _Meant) -> Iterator[Partial]:
    b = s.before
    if not b.counting:
        return
    many = m.kind == "number" and (s.metadata.is_flow(m.path) or _is_many(s.metadata.parts(m.path)))
    if many and b.counting == "rows":  # "how many seats": as many as they say
        yield s.add(Measured(s.at, "sum", m.path), (*m.link, *s.near("count:sum")), counting="", near=m.relation)
    function: AggregateName = "count_distinct" if b.counting == "distinct" or m.kind != "flag" else "count"
    found = (*m.link, *s.near(f"count:{b.counting}:{m.kind}"))
    yield s.add(Measured(s.at, function, m.path), found, counting="", near=m.relation)
    if m.kind in ("key", "text") and b.counting == "rows":
        rows = Measured(s.at, "rows", None, m.relation)
        yield s.add(rows, (*m.link, *s.near("count:rows:by-member")), counting="", near=m.relation)


def _grouped(s: Situation, m: _Meant) -> Iterator[Partial]:
    cue = s.before.group
    if cue and (m.kind != "number" or s.metadata.is_small(m.path)):
        found = (*m.link, *s.near(f"group:{cue}:{m.kind}"))
        yield s.add(Grouped(s.at, m.path), found, group="more", near=m.relation, since=s.mention.end)


def _ranked(s: Situation, m: _Meant) -> Iterator[Partial]:
    if s.before.best is not None:
        yield from _superlative(s, m.path, m.kind, m.link, m.relation)


def _sorted(s: Situation, m: _Meant) -> Iterator[Partial]:
    order = s.before.order
    if order and m.kind != "flag":
        yield s.add(Sorted(s.at, order == "desc", m.path), (*m.link, *s.near("order")), order="", near=m.relation)


def _compared(s: Situation, m: _Meant) -> Iterator[Partial]:
    if s.before.number is not None and s.before.compare is not None and m.kind in ("number", "year"):
        yield from _tested(s, m.path, m.link, "test:after")


def _present(s: Situation, m: _Meant) -> Iterator[Partial]:
    b = s.before
    if b.percent and m.kind in ("text", "key", "time") and s.metadata.profile(m.path).missing:
        test = Tested(s.at, m.path, "missing", (), negated=not b.negated, joined=b.joined)
        yield s.add(test, (*m.link, ("present", 1.0)), negated=False, joined="", near=m.relation)


def _containing(s: Situation, m: _Meant) -> Iterator[Partial]:
    b = s.before
    if b.quote and m.kind in ("text", "key"):
        test = Tested(s.at, m.path, "contains", (b.quote,), b.negated, b.joined)
        found = (*m.link, ("text:ahead", 1.0))
        yield s.add(test, found, quote="", text="", negated=False, joined="", near=m.relation)


def _holding(s: Situation, m: _Meant) -> Iterator[Partial]:
    if m.kind == "flag":
        wanted = s.before.negated == (s.mention.operator == "denied")
        test = Tested(s.at, m.path, "holds", (wanted,), joined=s.before.joined)
        yield s.add(test, (*m.link, ("flag", 1.0)), negated=False, near=m.relation)


def _shown(s: Situation, m: _Meant) -> Iterator[Partial]:
    """Where nothing before it says what for: shown, measured or grouped by."""
    b = s.before
    if b.aggregates or b.counting or b.order:
        return
    instead: Features = ((f"show:instead:{b.group}", 1.0),) if b.group in ("by", "per", "each") else ()
    found = (*m.link, (f"show:{m.kind}", 1.0), *instead, *_asked(s))
    if _is_owned(s, m.relation):
        made = Shown(s.at, m.path, owned=True)
        yield s.add(made, (*found, ("show:owned", 1.0)), near=m.relation, operand=m.path, joined="", related=False)
        return
    yield s.add(Shown(s.at, m.path), found, near=m.relation, asked="", operand=m.path, joined="", group="")
    if m.kind == "number" and not b.best:
        total = "sum" if s.metadata.adds_up(m.path) else "avg"
        for function in ("sum", "avg"):
            usual = ("measure:assumed:usual" if function == total else "measure:assumed:unusual", 1.0)
            yield s.add(Measured(s.at, function, m.path), (*m.link, usual), near=m.relation, operand=m.path)
    if m.kind not in ("number", "time") and not b.group:
        yield s.add(Grouped(s.at, m.path), (*m.link, (f"group:uncued:{m.kind}", 1.0)), near=m.relation)


def _set_against(s: Situation, m: _Meant) -> Iterator[Partial]:
    """With what follows it."""
    if _compared_ahead(s) or m.kind == "text":
        claimed = (*s.before.claimed, m.path)
        # What it is waits for what is compared with it: if nothing comes, it was named for nothing.
        yield s.then((*m.link, ("operand", 1.0)), operand=m.path, near=m.relation, claimed=claimed)


def _past(s: Situation, m: _Meant) -> Iterator[Partial]:
    """``delayed``: the rows for which the number that it is a part of the name of is known."""
    if is_participle(s.mention.text.lower()) and m.kind == "number" and not m.full:
        test = Tested(s.at, m.path, "missing", (), negated=not s.before.negated)
        yield s.add(test, (*m.link, ("done", 1.0)), negated=False, near=m.relation)


def _without(s: Situation, m: _Meant) -> Iterator[Partial]:
    if m.kind != "flag" and not s.metadata.members[m.path].primary_key:
        yield from _lacked(s, m.path, m.link)


_WAYS: tuple[Callable[[Situation, _Meant], Iterator[Partial]], ...] = (
    _aggregated, _counted, _grouped, _ranked, _sorted, _compared, _present, _containing, _holding, _shown,
    _set_against, _past, _without,
)  # fmt: skip
"""What a dimension may be named for, in the order in which it is tried."""


def _lacked(s: Situation, path: str, link: Features) -> Iterator[Partial]:
    """``without a phone``, ``unknown phone``, ``no phone recorded``: a value that is missing."""
    b = s.before
    # With "all" a missing value is no wish.
    if b.negated or b.whole is False and _missing_ahead(s):
        there = Tested(s.at, path, "missing", (), joined=b.joined)
        done = {"negated": False, "joined": "", "near": path.split(".", 1)[0]}
        yield s.add(there, (*link, ("missing", 1.0)), text="" if b.text == "missing" else b.text, **done)


def _is_many(parts: tuple[str, ...]) -> bool:
    """Whether a number is called by the things that it counts: ``animals``, ``guests``."""
    return bool(parts) and singular(parts[-1]) != parts[-1]


def _done(s: Situation, path: str) -> Iterator[Partial]:
    """What was done when: the rows for which that is known, and what a period behind it is about."""
    b, relation = s.before, path.split(".", 1)[0]
    if s.metadata.profile(path).missing:
        test = Tested(s.at, path, "missing", (), negated=not b.negated)
        yield s.add(test, (("done", 1.0), *elsewhere(s, relation)), negated=False, near=relation, operand=path)
    elif b.negated and b.near in s.metadata.catalog.relations and s.metadata.joins.refers(relation, b.near):
        yield s.add(With(s.at, relation, True), (("related:without", 1.0),), negated=False, operand="")
    # A denial with a period behind it is of the period.
    ahead = s.lattice.starting[s.mention.end : s.mention.end + 3]
    if not b.negated or any(m.kind == "period" for starting in ahead for m in starting):
        yield s.then(elsewhere(s, relation), near=relation, operand=path)


def _is_owned(s: Situation, relation: str) -> bool:
    """Whether something is asked for beside the rows that it is of: ``clients with their city and phone``."""
    rows = any(isinstance(c, Tested) and (c.path or "").split(".", 1)[0] == relation for c in s.before.clauses)
    tokens = s.lattice.tokens
    more = s.before.joined and any(isinstance(c, Shown) and c.owned for c in s.before.clauses)
    said = s.before.related or s.at > 0 and tokens[s.at - 1].lower in _OWNING
    return (rows or s.has(Subject)) and bool(more or said)


_OWNING = frozenset({"their", "its", "his", "her"})


def _asked(s: Situation) -> Features:
    return ((f"show:asked:{s.before.asked}", 1.0),) if s.before.asked else ()


def _listed(s: Situation) -> bool:
    """Whether ``and`` or a comma follows, so that an aggregate may hold for the next name too."""
    tokens, place = s.lattice.tokens, s.mention.end
    joins = ("and", ",", "with") if "correlation" in s.before.aggregates else ("and", ",")
    return place < len(tokens) and tokens[place].lower in joins


def _compared_ahead(s: Situation) -> bool:
    return any(
        m.kind in ("number", "quoted", "value", "period") or m.operator in ("compare", "text", "missing", "negation")
        for starting in s.lattice.starting[s.mention.end : s.mention.end + 6]
        for m in starting
    )


def _missing_ahead(s: Situation) -> bool:
    ahead = s.lattice.starting[s.mention.end : s.mention.end + 3]
    return any(m.operator == "missing" for starting in ahead for m in starting) or s.before.text == "missing"


def _derived(s: Situation, named: Named, path: str) -> Iterator[Partial]:
    """A time between two times, or an age: averaged unless something else is said of it."""
    b, relation = s.before, path.split(".", 1)[0]
    link = (*linked(named), *elsewhere(s, relation))
    # Said over as a time between two times: its role was settled there.
    if s.mention.operator == "lasting-so" and s.mention.argument != "measure" and not b.aggregates:
        if s.mention.argument == "test":
            yield s.then((*link, ("operand", 1.0)), operand=path, near=relation, claimed=(*b.claimed, path))
        elif b.best is not None:
            best = best_of(s, path=path)
            yield s.add(best, (*link, *s.near("best:number")), best=None, limit=None, near=relation, operand=path)
        return
    if s.mention.operator == "bands":
        cue = b.group or "by"
        made = Grouped(s.at, path, "bands")
        yield s.add(made, (*link, *s.near(f"group:{cue}")), group="more", since=s.mention.end, near=relation)
        return
    if b.best is not None:
        yield from _superlative(s, path, "number", link, relation)
    if b.order:
        yield s.add(Sorted(s.at, b.order == "desc", path), (*link, *s.near("order")), order="", near=relation)
    if b.number is not None and b.compare is not None:
        yield from _tested(s, path, link, "test:after")
    if b.group in ("by", "per"):
        yield s.add(Grouped(s.at, path), (*link, *s.near("group:by")), group="more", since=s.mention.end, near=relation)
    if b.aggregates:
        several = tuple(Measured(s.at, function, path) for function in b.aggregates)
        found = (*link, *s.near("aggregate"))
        yield s.then(found, clauses=(*b.clauses, *several), counting="", aggregates=(), operand=path, near=relation)
        return
    average = Measured(s.at, "avg", path)
    yield s.add(average, (*link, ("measure:assumed:usual", 1.0)), near=relation, operand=path)
    yield s.add(Shown(s.at, path), (*link, ("show:number", 1.0), *_asked(s)), near=relation, operand=path, asked="")
    if _compared_ahead(s):
        yield s.then((*link, ("operand", 1.0)), operand=path, near=relation, claimed=(*b.claimed, path))


def _measure(s: Situation, path: str, link: Features) -> Iterator[Partial]:
    b, relation = s.before, path.split(".", 1)[0]
    clean = {"aggregates": (), "counting": "", "near": relation}
    made = Measured(s.at, "measure", path)
    if b.best is not None:
        best = best_of(s, path=path)
        yield s.add(best, (*link, *s.near("best:measure")), best=None, limit=None, **clean)
    if b.order:
        yield s.add(Sorted(s.at, b.order == "desc", path), (*link, *s.near("order:measure")), order="", **clean)
    yield s.add(made, (*link, ("measure:model", 1.0)), operand=path, **clean)
    if b.number is not None and b.compare is not None:
        yield from _tested(s, path, link, "test:measure")


def _superlative(s: Situation, path: str, kind: str, link: Features, relation: str) -> Iterator[Partial]:
    b = s.before
    assert b.best is not None
    if b.best.hints and kind in ("number", "time"):  # "the slowest reply": what the adjective measures is named too
        known = adjective_members(s.metadata, [relation], b.best.hints, b.best.turned)
        for turned in (turned for member, turned in known if member == path):
            made = best_of(s, path=path)
            made = replace(made, descending=made.descending != turned)
            yield s.add(
                made, (*link, *s.near("best:adjective:named")), best=None, limit=None, near=relation, operand=path
            )
    if kind in ("number", "year", "time") and not b.best.hints and b.best.operator != "often":
        made = best_of(s, path=path)
        yield s.add(made, (*link, *s.near(f"best:{kind}")), best=None, limit=None, near=relation, operand=path)
        if b.limit is None:
            function: AggregateName = "max" if made.descending else "min"
            yield s.add(Measured(s.at, function, path), (*link, *s.near("best:as-aggregate")), best=None, near=relation)
    whole = any(n.member is None and n.full for n in s.mention.names)  # "the largest park" is none of park ids
    if kind in ("text", "key", "year") and not (whole and ("link:part", 1.0) in link):
        subject = best_of(s)
        found: Features = (*link, *s.near("best:subject:member"))
        clauses = (*b.clauses, Grouped(s.at, path), subject)
        yield s.then(found, clauses=clauses, best=None, limit=None, near=relation)


def _tested(s: Situation, path: str, link: Features, feature: str) -> Iterator[Partial]:
    """A comparison whose number came before the member it speaks of."""
    b = s.before
    assert b.number is not None
    assert b.compare is not None
    if b.compare.argument == "between":
        return
    if exact_unit(s.mention.text.lower()) is not None and not is_derived(path) and s.metadata.is_small(path):
        return  # "more than 2 hours" is no hour of the day
    for number, doubt in converted(s.metadata, path, b.number):
        test = Tested(s.at, path, b.compare.argument, (number,), b.negated, b.joined)
        yield s.add(
            test, (*link, *doubt, *s.near(feature)), number=None, compare=None, joined="", near=path.split(".")[0]
        )
