"""What a name of a relation, or of its rows, may do to a partial reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..linking.mentions import Named
from ..schema.derivations import is_derived
from ..schema.member_kinds import kind_of
from ..words.text import singular
from .clauses import Best, Clause, Grouped, Measured, Shown, Subject, Tested, With
from .drafts import relation_of
from .partial import Features, Partial
from .situation import Situation, best_of, elsewhere, linked

__all__ = ["subject"]


def subject(s: Situation, named: Named) -> Iterator[Partial]:
    b, relation, at = s.before, named.relation, s.at
    link = (*linked(named), *elsewhere(s, relation))
    known = {"near": relation, "operand": ""}
    if b.counting:
        by = b.group == "by" and (b.best is not None or s.has(Best))
        more: Features = (("best:by-measure", 1.0),) if by else ()
        inner = b.aggregates[-1] if b.aggregates else ""
        made_rows = Measured(at, "rows", None, relation, inner)
        found = (*link, *more, *s.near(f"count:{b.counting}:relation"), *((("nested", 1.0),) if inner else ()))
        yield s.add(made_rows, found, counting="", aggregates=(), **(known | {"group": "" if by else b.group}))
    amount = s.metadata.amount_of(relation) if b.aggregates and not b.counting else None
    if amount is not None:
        by = b.group == "by" and (b.best is not None or s.has(Best))
        of_amount = Measured(at, b.aggregates[-1], amount)
        yield s.add(
            of_amount,
            (*link, ("aggregate:amount", 1.0)),
            aggregates=(),
            **(known | {"operand": amount, "group": "" if by else b.group}),
        )
    if b.group in ("per", "each") and (averaged := _for_each(s, relation)) is not None:
        yield s.then((*link, ("per:row", 1.0)), clauses=averaged, group="", since=s.mention.end, **known)
    # Behind a superlative "by" is what it goes by.
    elif b.group == "by" and _parts_of_ranked(s, relation):
        if (ranked := _ranked_by(s, relation)) is not None:
            yield s.then(
                (*linked(named), ("best:rows", 1.0), ("best:by-measure", 1.0)),
                clauses=ranked, group="", since=s.mention.end, **known,
            )  # fmt: skip
    elif b.group:
        yield s.add(
            Grouped(at, "", relation=relation),
            (*link, *s.near(f"group:{b.group}:relation")),
            group="more",
            since=s.mention.end,
            **known,
        )
    if b.best is not None:
        made = best_of(s, relation=relation)
        if not b.best.hints and b.best.operator == "superlative":
            # "most orders": of rows without an adjective there are most.
            yield s.add(made, (*link, *s.near("best:rows")), best=None, limit=None, **known)
        subject = (Subject(at, relation), best_of(s))
        yield s.then(
            (*link, *s.near("best:subject:relation")), clauses=(*b.clauses, *subject), best=None, limit=None, **known
        )
    ranged = b.compare is not None and b.compare.argument == "between"
    if b.number is not None and b.number.unit is None and not ranged:
        operator = b.compare.argument if b.compare is not None else "="
        test = Tested(at, None, operator, (b.number.number,), b.negated, "", "rows", relation)
        yield s.add(
            test,
            (*link, *s.near("having:rows" if b.compare is not None else "having:bare")),
            number=None,
            compare=None,
            related=False,
            **known,
        )
    if b.negated or b.related:
        negated = "without" if b.negated else "with"
        yield s.add(
            With(at, relation, b.negated), (*link, (f"related:{negated}", 1.0)), negated=False, related=False, **known
        )
    yield s.add(
        Subject(at, relation, singular(s.mention.text.lower()) != s.mention.text.lower()),
        (*link, ("subject" if not s.has(Subject) else "subject:again", 1.0)),
        near=relation,
    )


def _parts_of_ranked(s: Situation, relation: str) -> bool:
    """Whether each row is of one of those that are ranked: ``members by visits`` are no members for each visit."""
    best = next((c for c in s.before.clauses if isinstance(c, Best) and not (c.path or c.hints)), None)
    if best is None:
        return False
    ranked = [c.relation or relation_of(c) for c in s.before.clauses if isinstance(c, Subject | Grouped)]
    return any(s.metadata.leads_to(relation, owner) for owner in (best.relation, *ranked) if owner)


def _ranked_by(s: Situation, relation: str) -> tuple[Clause, ...] | None:
    """The clauses where rows are what a superlative goes by: ``top 5 members by visits``."""
    bare = next((c for c in s.before.clauses if isinstance(c, Best) and not (c.path or c.relation or c.hints)), None)
    named = [c for c in s.before.clauses if isinstance(c, Subject | Grouped) and c.relation != relation]
    if bare is None or not named:
        return None
    first = named[0]
    ranked: dict[Clause, Clause] = {bare: replace(bare, relation=relation)}
    if isinstance(first, Subject):
        ranked[first] = Grouped(first.place, "", relation=first.relation)
    return tuple(ranked.get(c, c) for c in s.before.clauses)


def _for_each(s: Situation, relation: str) -> tuple[Clause, ...] | None:
    """The clauses where a number was said to be taken per row it stands in: ``cost per ticket`` is an average."""
    *before, last = s.before.clauses or (None,)
    path = getattr(last, "path", None)
    known = isinstance(last, Shown) or isinstance(last, Measured) and last.function in ("sum", "avg")
    if not known or not path or is_derived(path) or path.split(".", 1)[0] != relation:
        return None
    if kind_of(s.metadata, path) != "number":
        return None
    return (*before, Measured(last.place, "avg", path))  # type: ignore[union-attr]  # a clause with a path
