"""Words that say what to do with what is named next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..forms.vocabulary import AggregateName
from ..schema.derivations import is_derived
from ..schema.member_kinds import kind_of, labels_of
from ..schema.money import amounts
from .clauses import SOME_TIME, Best, Measured, Shown, Sorted, Subject, Tested, With
from .partial import Features, Partial
from .situation import Rule, Situation, best_of, elsewhere, judgement, turned_by
from .times import timeline, week

__all__ = ["OPERATORS", "operator"]


def operator(s: Situation) -> Iterator[Partial]:
    """A word that says what to do with what is named next."""
    rule = OPERATORS.get(s.mention.operator)
    if rule is not None:
        yield from rule(s)


def _wait(**changes: str) -> Rule:
    """An operator that waits for its operand under a field of the partial; one that still waits is lost."""

    def rule(s: Situation) -> Iterator[Partial]:
        (field, source), *_ = changes.items()
        lost = getattr(s.before, field)
        # Two operators that wait for the same: the first is lost, but a group may be said again ("by month, by
        # region").
        found: Features = ((f"lost:{field}", 1.0),) if lost and field != "group" else ()
        yield s.then(found, since=s.mention.end, **{field: getattr(s.mention, source) if source else True})

    return rule


def _aggregate(s: Situation) -> Iterator[Partial]:
    b = s.before
    # Three at most: "sum and average of" and one more.
    yield s.then((), aggregates=(*b.aggregates, s.mention.argument)[-3:], since=s.mention.end)


def _extreme(s: Situation) -> Iterator[Partial]:
    b = s.before
    lost: Features = (("lost:best", 1.0),) if b.best is not None else ()
    limit, waiting = b.limit, b.number
    if waiting is not None and waiting.number is not None and b.compare is None and waiting.unit is None:
        yield s.then(
            (*lost, ("limit:before", 1.0)), best=s.mention, limit=int(waiting.number), number=None, since=s.mention.end
        )
        return
    yield s.then(lost, best=s.mention, limit=limit, since=s.mention.end)
    if (
        b.operand
        and kind_of(s.metadata, b.operand) in ("number", "time", "year")
        and s.mention.operator == "superlative"
        and (s.mention.hints or kind_of(s.metadata, b.operand) != "time")
    ):
        m = s.mention
        # What was to be shown is what is ranked by, or both: two readings.
        clauses = tuple(c for c in b.clauses if not (isinstance(c, Shown) and c.path == b.operand))
        made = Best(m.start, m.argument != "asc", limit, b.operand, judged=judgement(m))
        made = made if is_derived(b.operand) else turned_by(made, s.metadata.parts(b.operand))
        yield s.then((*lost, ("best:behind", 1.0)), clauses=(*clauses, made), operand="")
        yield s.then((*lost, ("best:behind:shown", 1.0)), clauses=(*b.clauses, made), operand="")


def _compare(s: Situation) -> Iterator[Partial]:
    b, m = s.before, s.mention
    behind = m.text.lower().startswith("or ") or m.text.lower().startswith("and ")
    if behind and b.number is not None:  # "25 tracks or more", "200 or more seats"
        yield s.then((), compare=m)
        return
    if behind and b.clauses and isinstance(b.clauses[-1], Tested) and b.clauses[-1].operator in ("=", "in"):
        changed = replace(b.clauses[-1], operator=m.argument)
        yield s.then((("test:behind", 1.0),), clauses=(*b.clauses[:-1], changed))
        return
    yield s.then((("lost:compare", 1.0),) if b.compare is not None else (), compare=m, since=m.end)


def _missing(s: Situation) -> Iterator[Partial]:
    b = s.before
    if b.operand:
        test = Tested(s.at, b.operand, "missing", (), negated=b.negated)
        yield s.add(test, (("missing", 1.0),), negated=False, operand="")
    yield s.then((), text="missing")


def _sort(s: Situation) -> Iterator[Partial]:
    """``in descending order`` before or after what it orders by."""
    b, m = s.before, s.mention
    last = b.clauses[-1] if b.clauses else None
    if m.argument != "by" and isinstance(last, Sorted):
        changed = replace(last, descending=m.argument == "desc")
        yield s.then((("order:direction", 1.0),), clauses=(*b.clauses[:-1], changed))
        return
    if m.argument != "by":
        yield s.add(Sorted(s.at, m.argument == "desc", ""), (("order:bare", 1.0),))
    yield s.then((("order:waits", 1.0),), order=m.argument, since=m.end)


def _logic(s: Situation) -> Iterator[Partial]:
    if s.mention.argument == "both":
        yield s.then((), both=True)
        return
    yield s.then(
        (),
        joined=s.mention.argument,
        # A comma ends what was grouped by, unless a group was just named: "by region, month".
        group="" if s.mention.argument == "comma" and s.before.group != "more" else s.before.group,
    )


def _quantile(s: Situation) -> Iterator[Partial]:
    """``90th percentile of``: the number stands before it."""
    at = s.mention.start - 1
    # The ending of an ordinal: 90th, 2nd.
    word = s.lattice.tokens[at].lower.rstrip("stndrh") if at >= 0 else ""
    if word.isdigit() and 0 < int(word) < 100:
        yield s.then(
            (("quantile", 1.0),),
            aggregates=(*s.before.aggregates, f"quantile:{int(word) / 100}")[-3:],
            since=s.mention.end,
            number=None,
            # The number was passed over as a limit before its word came.
            skipped=tuple(place for place in s.before.skipped if place != at),
        )


def _money(s: Situation) -> Iterator[Partial]:
    """Words of money stand for what the model keeps amounts in, where no column is called so."""
    b = s.before
    for path in amounts(s.metadata)[:3]:
        relation = path.split(".", 1)[0]
        function: AggregateName = "avg" if "avg" in b.aggregates else "median" if "median" in b.aggregates else "sum"
        by = b.group == "by" and (b.best is not None or s.has(Best))
        clean = {"aggregates": (), "near": relation, "operand": path, "group": "" if by else b.group}
        found: Features = (("money", 1.0), *elsewhere(s, relation), *((("best:by-measure", 1.0),) if by else ()))
        yield s.add(Measured(s.at, function, path), found, **clean)
        if b.best is not None and not b.best.hints:
            yield s.add(best_of(s, path=path), (*found, ("money:best", 1.0)), best=None, limit=None, **clean)


def _toward(s: Situation) -> Iterator[Partial]:
    yield s.then((), toward=s.mention.argument)


def _ask(s: Situation) -> Iterator[Partial]:
    if s.mention.argument == "fullname":
        spoken = [c.relation for c in s.before.clauses if isinstance(c, Subject)]
        relations = spoken or [
            m.names[0].relation
            for starting in s.lattice.starting
            for m in starting
            if m.kind == "name" and m.names[0].member is None
        ]
        for relation in list(dict.fromkeys(relations))[:2]:
            pair = labels_of(s.metadata, relation)
            if len(pair) == 2:
                shown = tuple(Shown(s.at, path) for path in pair)
                yield s.then((("show:full-name", 1.0),), clauses=(*s.before.clauses, *shown), near=relation)
        return
    if s.mention.argument == "all":
        yield s.then((), whole=True)
    else:
        yield s.then((), asked=s.mention.argument, who=s.before.who or s.mention.argument == "who")


def _flagged(field: str) -> Rule:
    def rule(s: Situation) -> Iterator[Partial]:
        yield s.then((), since=s.mention.end, **{field: True})

    return rule


def _rest(s: Situation) -> Iterator[Partial]:
    """``insured ones against the rest``: the other side of the condition before."""
    tests = [c for c in s.before.clauses if isinstance(c, Tested) and not (c.function or c.average or c.negated)]
    if tests and not s.before.rest:
        yield s.then((("rest", 1.0),), rest=True, versus=True)


def _unit(s: Situation) -> Iterator[Partial]:
    """What numbers are to be shown in: ``in hours``; ``how many hours`` asks for their sum as well."""
    m = s.mention
    if m.argument == "total":
        unit = next(iter(m.hints))
        yield s.then((("unit:total", 1.0),), unit=unit, aggregates=("sum",), since=m.end)
        return
    yield s.then((("unit:shown", 1.0),), unit=m.argument)


def _nothing(s: Situation) -> Iterator[Partial]:
    """``with nothing in them``: rows that no other row refers to."""
    named = [c.relation for c in s.before.clauses if isinstance(c, Subject)] or [
        m.names[0].relation for starting in s.lattice.starting for m in starting if m.kind == "name"
    ]
    child = s.metadata.facts_of(named[0]) if named else None
    if child is not None:
        made = With(s.at, child, True)
        yield s.add(made, (("related:nothing", 1.0),), negated=False, related=False)


def _span(s: Situation) -> Iterator[Partial]:
    """From when to when there are rows."""
    ends = (Measured(s.at, "min", SOME_TIME), Measured(s.at, "max", SOME_TIME))
    yield s.then((("span", 1.0),), clauses=(*s.before.clauses, *ends))


def _nothing_more(s: Situation) -> Iterator[Partial]:
    """Words that say what the words around them say already: ``took`` longer than."""
    yield s.then(())


OPERATORS: dict[str, Rule] = {
    "aggregate": _aggregate,
    "count": _wait(counting="argument"),
    "unique": _flagged("distinct"),
    "group": _wait(group="argument"),
    "superlative": _extreme,
    "often": _extreme,
    "compare": _compare,
    "text": _wait(text="argument"),
    "order": _sort,
    "negation": _flagged("negated"),
    "missing": _missing,
    "percent": _flagged("percent"),
    "logic": _logic,
    "related": _flagged("related"),
    "ask": _ask,
    "quantile": _quantile,
    "money": _money,
    "week": week,
    "timeline": timeline,
    "direction": _toward,
    "versus": _flagged("versus"),
    "rest": _rest,
    "unit": _unit,
    "change": _wait(change="argument"),
    "running": _flagged("running"),
    "ratio": _flagged("ratio"),
    "span": _span,
    "nothing": _nothing,
    "lasting": _nothing_more,
    "length": _nothing_more,
}
