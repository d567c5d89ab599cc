"""What a name of a member may do to a partial reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..forms.vocabulary import AggregateName
from ..linking.mentions import Named
from ..schema.deeds import is_deed
from ..schema.derivations import is_derived
from ..words.numbers import exact_unit
from ..words.text import singular
from .clauses import Best, Grouped, Measured, Shown, Sorted, Tested, With
from .kinds import adjective_members, kind_of
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
        if b.asked != "when":
            return
    link = (*linked(named), *elsewhere(s, relation))
    at = s.at
    if kind == "measure":
        yield from _measure(s, path, link)
        return
    by = b.group == "by" and (b.best is not None or s.has(Best))
    folds = kind in ("number", "year", "time") or set(b.aggregates) <= {"min", "max"}
    if b.aggregates and (b.counting == "" or kind == "number") and folds:
        made = tuple(Measured(at, f, path) for f in b.aggregates)
        fits = (("aggregate:time", 1.0),) if kind == "time" else (("aggregate:odd", 1.0),) if kind == "text" else ()
        alone = b.compare is not None and b.compare.argument != "between" and len(b.aggregates) == 1
        if b.compare is not None and alone and b.number is None:
            test = Tested(at, path, b.compare.argument, (), average=b.aggregates[0])
            yield s.add(test, (*link, *s.near("test:average")), aggregates=(), compare=None, near=relation)
        yield s.then(
            (*link, *fits, *s.near("aggregate"), *((("best:by-measure", 1.0),) if by else ())),
            clauses=(*b.clauses, *made), counting="", group="" if by else b.group,
            aggregates=(b.aggregates if _listed(s) else ()), operand=path, near=relation,
        )  # fmt: skip
    if b.counting:
        found: Features = (*link, *s.near(f"count:{b.counting}:{kind}"))
        if (
            kind == "number" and b.counting == "rows" and (s.metadata.is_flow(path) or _is_many(s.metadata.parts(path)))
        ):  # "how many seats": as many as they say
            yield s.add(Measured(at, "sum", path), (*link, *s.near("count:sum")), counting="", near=relation)
        function: AggregateName = "count_distinct" if b.counting == "distinct" or kind != "flag" else "count"
        yield s.add(Measured(at, function, path), found, counting="", near=relation)
        if kind in ("key", "text") and b.counting == "rows":
            yield s.add(
                Measured(at, "rows", None, relation),
                (*link, *s.near("count:rows:by-member")),
                counting="",
                near=relation,
            )
    if b.group and kind != "number" or b.group and s.metadata.is_small(path):
        again = f"group:{b.group}:{kind}"
        yield s.add(Grouped(at, path), (*link, *s.near(again)), group="more", near=relation, since=s.mention.end)
    if b.best is not None:
        yield from _superlative(s, path, kind, link, relation)
    if b.order and kind != "flag":
        yield s.add(Sorted(at, b.order == "desc", path), (*link, *s.near("order")), order="", near=relation)
    if b.number is not None and b.compare is not None and kind in ("number", "year"):
        yield from _tested(s, path, link, "test:after")
    if b.percent and kind in ("text", "key", "time") and s.metadata.profile(path).missing:
        test = Tested(at, path, "missing", (), negated=not b.negated, joined=b.joined)
        yield s.add(test, (*link, ("present", 1.0)), negated=False, joined="", near=relation)
    if b.quote and kind in ("text", "key"):
        test = Tested(at, path, "contains", (b.quote,), b.negated, b.joined)
        yield s.add(test, (*link, ("text:ahead", 1.0)), quote="", text="", negated=False, joined="", near=relation)
    if kind == "flag":
        wanted = b.negated == (s.mention.operator == "denied")
        test = Tested(at, path, "holds", (wanted,), joined=b.joined)
        yield s.add(test, (*link, ("flag", 1.0)), negated=False, near=relation)
    if not (b.aggregates or b.counting or b.order):
        instead: Features = ((f"show:instead:{b.group}", 1.0),) if b.group in ("by", "per", "each") else ()
        yield s.add(
            Shown(at, path),
            (*link, (f"show:{kind}", 1.0), *instead, *_asked(s)),
            near=relation,
            asked="",
            operand=path,
            joined="",
            group="",
        )
        if kind == "number" and not b.best:
            total = "sum" if s.metadata.adds_up(path) else "avg"
            for function in ("sum", "avg"):
                usual = "usual" if function == total else "unusual"
                yield s.add(
                    Measured(at, function, path),
                    (*link, (f"measure:assumed:{usual}", 1.0)),
                    near=relation,
                    operand=path,
                )
        if kind not in ("number", "time") and not b.group:
            yield s.add(Grouped(at, path), (*link, (f"group:uncued:{kind}", 1.0)), near=relation)
    if _compared_ahead(s) or kind == "text":
        yield s.then((*link, ("operand", 1.0)), operand=path, near=relation, claimed=(*b.claimed, path))
    if s.mention.text.lower().endswith("ed") and kind == "number" and not named.full:
        test = Tested(at, path, "missing", (), negated=not b.negated)
        yield s.add(test, (*link, ("done", 1.0)), negated=False, near=relation)
    if kind not in ("flag", "measure") and not s.metadata.members[path].primary_key:
        yield from _lacked(s, path, link)


def _lacked(s: Situation, path: str, link: Features) -> Iterator[Partial]:
    """``without a phone``, ``unknown phone``, ``no phone recorded``: a value that is missing."""
    b = s.before
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
    ahead = s.lattice.starting[s.mention.end : s.mention.end + 3]
    if not b.negated or any(m.kind == "period" for starting in ahead for m in starting):
        yield s.then(elsewhere(s, relation), near=relation, operand=path)


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
