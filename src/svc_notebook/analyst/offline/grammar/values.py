"""What a value, or a text in quotes, may do to a partial reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..schema.directions import fit_of
from ..schema.member_kinds import kind_of
from ..schema.twins import is_other, twin_of
from .clauses import Shown, Tested
from .partial import Features, Partial
from .situation import Situation, elsewhere, linked

__all__ = ["quoted", "value"]


def value(s: Situation) -> Iterator[Partial]:
    """A value of a member: a condition, one more value of the condition before, or groups to compare."""
    b = s.before
    if b.text == "contains" and s.lattice.tokens[s.at].kind == "quoted":
        return  # as it is written, wherever it stands
    for valued in s.mention.values:
        relation = valued.member.split(".", 1)[0]
        link = (*linked(valued), *elsewhere(s, relation))
        exact: Features = (("value:part", 1.0),) if valued.quality < 0.9 else ()
        ends = b.clauses[-1] if b.clauses else None
        if isinstance(ends, Shown) and ends.path == valued.member:
            exact = (*exact, ("value:shown", 1.0))
        near = (("value:operand", 1.0),) if b.operand == valued.member else ()
        said = (("value:relation", 1.0),) if b.near == relation else ()
        test = Tested(s.at, valued.member, "in", valued.values, b.negated, b.joined, shared=valued.shared)
        last = b.clauses[-1] if b.clauses else None
        # The same column said again is one more value and no condition of its own: no row has two.
        merged = (
            isinstance(last, Tested)
            and last.path == valued.member
            and last.operator == "in"
            and last.negated == b.negated
        )
        changes = {"negated": False, "joined": "", "near": relation, "operand": "", "toward": ""}
        if merged and isinstance(last, Tested) and set(last.values).isdisjoint(valued.values):
            both = replace(last, values=(*last.values, *valued.values), shared=False)
            cue = b.joined or "adjacent"
            yield s.then((*link, *exact, (f"value:more:{cue}", 1.0)), clauses=(*b.clauses[:-1], both), **changes)
            continue  # no row has two values of one member
        joined: Features = (("value:or", 1.0),) if b.joined == "or" else ()
        if b.toward:
            joined = (*joined, *_direction(s, valued.member))
        words = [token.lower for token in s.lattice.tokens]
        if is_other(s.metadata, valued.member, words):
            continue
        twin = twin_of(s.metadata, valued.member, words)
        if twin is not None and not (b.negated or b.joined or b.toward or b.compare):
            # Once, for the best candidate: the others are less likely of both.
            if valued.rank == 0:  # of either: nothing says which
                either = (test, replace(test, path=twin, joined="or"))
                yield s.then((*link, *exact, *near, *said, ("value", 1.0)), clauses=(*b.clauses, *either), **changes)
            continue
        used = {"compare": None} if b.compare is not None and b.compare.argument in ("=", "!=") else {}
        if b.compare is not None and b.compare.argument == "!=":
            test = replace(test, negated=True)
        yield s.add(
            test,
            (*link, *exact, *near, *said, *joined, ("value:negated" if b.negated else "value", 1.0)),
            **(changes | used),
        )


def _direction(s: Situation, path: str) -> Features:
    """Whether a value fits the preposition before it."""
    fit = fit_of(s.metadata, path, s.before.toward)
    return ((f"direction:{'fits' if fit > 0 else 'clash'}", 1.0),) if fit else ()


def quoted(s: Situation) -> Iterator[Partial]:
    """A text in quotes: part of a name, or a value that is compared as it is written."""
    b = s.before
    if s.mention.operator == "spelt" and b.text in ("", "contains"):  # "have the letter z in their name"
        yield s.then((), quote=s.mention.text, text="contains")
    if b.operand and kind_of(s.metadata, b.operand) in ("text", "key"):
        operator, feature = (b.text, "text") if b.text in ("contains", "starts", "ends") else ("in", "quoted")
        test = Tested(s.at, b.operand, operator, (s.mention.text,), b.negated, b.joined)
        yield s.add(test, ((feature, 1.0),), text="", negated=False, operand="", joined="")
