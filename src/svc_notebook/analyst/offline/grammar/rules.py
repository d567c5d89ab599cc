"""The rules: what a mention may do to a partial reading. Each is an entry of a table, by the kind of mention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..forms.vocabulary import AggregateName
from ..linking.lattice import Lattice
from ..linking.mentions import Mention, Named, Valued
from ..metadata import Metadata
from .clauses import SOME_TIME, Best, Grouped, Measured, Shown, Sorted, Subject, Tested, Timed, With
from .kinds import adjective_members, amounts, kind_of, labels_of
from .partial import Features, Partial
from .units import converted

__all__ = ["OPERATORS", "RULES", "Situation"]


@dataclass(frozen=True, slots=True)
class Situation:
    """A mention in front of a partial reading, with what rules may look at."""

    before: Partial
    mention: Mention
    lattice: Lattice
    metadata: Metadata
    weights: Mapping[str, float]

    def then(self, features: Features = (), **changes: object) -> Partial:
        return self.before.then(self.mention.end, features, self.weights, **changes)

    def add(self, clause: object, features: Features, **changes: object) -> Partial:
        return self.then(features, clauses=(*self.before.clauses, clause), **changes)

    @property
    def at(self) -> int:
        return self.mention.start

    def has(self, kind: type) -> bool:
        return any(isinstance(clause, kind) for clause in self.before.clauses)

    def near(self, name: str) -> Features:
        """How far away the operator is that the mention answers to."""
        distance = self.at - self.before.since
        return ((name, 1.0), (f"{name}:far", min(4.0, max(0, distance - 2)) / 4))


Rule = Callable[[Situation], Iterator[Partial]]


def _linked(named: Named | Valued) -> Features:
    found: list[tuple[str, float]] = [("link:weak", 1.0 - named.quality), ("link:gap", named.gap)]
    if named.rank:
        found.append(("link:later", 1.0))
    if isinstance(named, Named) and not named.full:
        found.append(("link:part", 1.0))
    return tuple((name, value) for name, value in found if value)


def _elsewhere(s: Situation, relation: str) -> Features:
    """A relation nobody has spoken of yet."""
    named = [getattr(c, "relation", "") or getattr(c, "path", None) or "" for c in s.before.clauses]
    known = {name.split(".", 1)[0] for name in named} - {"", SOME_TIME}
    return (("relation:new", 1.0),) if known and relation not in known else ()


# ---------------------------------------------------------------------------------------------------------------- names
def name(s: Situation) -> Iterator[Partial]:
    """A name, in every way that what waits for one allows."""
    for named in s.mention.names:
        if named.member is None:
            yield from _relation(s, named)
        else:
            yield from _member(s, named, named.member)


def _member(s: Situation, named: Named, path: str) -> Iterator[Partial]:
    b, kind = s.before, kind_of(s.metadata, path)
    relation = path.split(".", 1)[0]
    link = (*_linked(named), *_elsewhere(s, relation))
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
    if kind == "flag":
        wanted = not b.negated
        test = Tested(at, path, "holds", (wanted,), joined=b.joined)
        yield s.add(test, (*link, ("flag", 1.0)), negated=False, near=relation)
    if not (b.aggregates or b.counting or b.order):
        yield s.add(
            Shown(at, path),
            (*link, (f"show:{kind}", 1.0), *_asked(s)),
            near=relation,
            asked="",
            operand=path,
            joined="",
            group="",
        )
        if kind == "number" and not b.best:
            total = "sum" if s.metadata.is_flow(path) else "avg"
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
        yield s.then((*link, ("operand", 1.0)), operand=path, near=relation)
    if s.mention.text.lower().endswith("ed") and kind in ("time", "number") and not named.full:
        test = Tested(at, path, "missing", (), negated=not b.negated)
        yield s.add(test, (*link, ("done", 1.0)), negated=False, near=relation)
    if b.negated or b.whole is False and _missing_ahead(s):
        yield s.add(
            Tested(at, path, "missing", (), negated=False), (*link, ("missing", 1.0)), negated=False, near=relation
        )


def _asked(s: Situation) -> Features:
    return ((f"show:asked:{s.before.asked}", 1.0),) if s.before.asked else ()


def _listed(s: Situation) -> bool:
    """Whether ``and`` or a comma follows, so that an aggregate may hold for the next name too."""
    tokens, place = s.lattice.tokens, s.mention.end
    return place < len(tokens) and tokens[place].lower in ("and", ",")


def _compared_ahead(s: Situation) -> bool:
    return any(
        m.kind in ("number", "quoted", "value", "period") or m.operator in ("compare", "text", "missing", "negation")
        for starting in s.lattice.starting[s.mention.end : s.mention.end + 6]
        for m in starting
    )


def _missing_ahead(s: Situation) -> bool:
    ahead = s.lattice.starting[s.mention.end : s.mention.end + 3]
    return any(m.operator == "missing" for starting in ahead for m in starting) or s.before.text == "missing"


def _measure(s: Situation, path: str, link: Features) -> Iterator[Partial]:
    b, relation = s.before, path.split(".", 1)[0]
    clean = {"aggregates": (), "counting": "", "near": relation}
    made = Measured(s.at, "measure", path)
    if b.best is not None:
        best = _best(s, path=path)
        yield s.add(best, (*link, *s.near("best:measure")), best=None, limit=None, **clean)
    if b.order:
        yield s.add(Sorted(s.at, b.order == "desc", path), (*link, *s.near("order:measure")), order="", **clean)
    yield s.add(made, (*link, ("measure:model", 1.0)), operand=path, **clean)
    if b.number is not None and b.compare is not None:
        yield from _tested(s, path, link, "test:measure")


def _best(s: Situation, **changes: object) -> Best:
    mention = s.before.best
    assert mention is not None
    made = Best(
        mention.start, mention.argument == "desc", s.before.limit, hints=mention.hints, turned=mention.turned,
        often=mention.operator == "often",
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]  # fields of a Best


def _superlative(s: Situation, path: str, kind: str, link: Features, relation: str) -> Iterator[Partial]:
    b = s.before
    assert b.best is not None
    if kind in ("number", "year", "time") and not b.best.hints and b.best.operator != "often":
        made = _best(s, path=path)
        if b.best.argument == "worst":
            made = replace(made, descending=True)
        yield s.add(made, (*link, *s.near(f"best:{kind}")), best=None, limit=None, near=relation, operand=path)
        if b.limit is None:
            function: AggregateName = "max" if made.descending else "min"
            yield s.add(Measured(s.at, function, path), (*link, *s.near("best:as-aggregate")), best=None, near=relation)
    if kind in ("text", "key", "year"):
        subject = _best(s)
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
    for number, doubt in converted(s.metadata, path, b.number):
        test = Tested(s.at, path, b.compare.argument, (number,), b.negated, b.joined)
        yield s.add(
            test, (*link, *doubt, *s.near(feature)), number=None, compare=None, joined="", near=path.split(".")[0]
        )


def _relation(s: Situation, named: Named) -> Iterator[Partial]:
    b, relation, at = s.before, named.relation, s.at
    link = (*_linked(named), *_elsewhere(s, relation))
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
    if b.group:
        yield s.add(
            Grouped(at, "", relation=relation),
            (*link, *s.near(f"group:{b.group}:relation")),
            group="more",
            since=s.mention.end,
            **known,
        )
    if b.best is not None:
        made = _best(s, relation=relation)
        if not b.best.hints and b.best.operator == "superlative":
            yield s.add(made, (*link, *s.near("best:rows")), best=None, limit=None, **known)
        subject = (Subject(at, relation), _best(s))
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
        Subject(at, relation), (*link, ("subject" if not s.has(Subject) else "subject:again", 1.0)), near=relation
    )


# --------------------------------------------------------------------------------------------------------------- values
def value(s: Situation) -> Iterator[Partial]:
    """A value of a member: a condition, one more value of the condition before, or groups to compare."""
    b = s.before
    for valued in s.mention.values:
        relation = valued.member.split(".", 1)[0]
        link = (*_linked(valued), *_elsewhere(s, relation))
        exact: Features = (("value:part", 1.0),) if valued.quality < 0.9 else ()
        ends = b.clauses[-1] if b.clauses else None
        if isinstance(ends, Shown) and ends.path == valued.member:
            exact = (*exact, ("value:shown", 1.0))
        near = (("value:operand", 1.0),) if b.operand == valued.member else ()
        said = (("value:relation", 1.0),) if b.near == relation else ()
        test = Tested(s.at, valued.member, "in", valued.values, b.negated, b.joined)
        last = b.clauses[-1] if b.clauses else None
        merged = (
            isinstance(last, Tested)
            and last.path == valued.member
            and last.operator == "in"
            and last.negated == b.negated
        )
        changes = {"negated": False, "joined": "", "near": relation, "operand": "", "toward": ""}
        if merged and isinstance(last, Tested) and set(last.values).isdisjoint(valued.values):
            both = replace(last, values=(*last.values, *valued.values))
            cue = b.joined or "adjacent"
            yield s.then((*link, *exact, (f"value:more:{cue}", 1.0)), clauses=(*b.clauses[:-1], both), **changes)
            continue  # no row has two values of one member
        joined: Features = (("value:or", 1.0),) if b.joined == "or" else ()
        if b.toward:
            joined = (*joined, *_direction(s, valued.member))
        used = {"compare": None} if b.compare is not None and b.compare.argument in ("=", "!=") else {}
        if b.compare is not None and b.compare.argument == "!=":
            test = replace(test, negated=True)
        yield s.add(
            test,
            (*link, *exact, *near, *said, *joined, ("value:negated" if b.negated else "value", 1.0)),
            **(changes | used),
        )


def _direction(s: Situation, path: str) -> Features:
    """Whether a value fits the preposition before it: ``from`` an origin, ``to`` a destination."""
    metadata, relation = s.metadata, path.split(".", 1)[0]
    words = set(metadata.parts(path)) | set(metadata.words_of(relation))
    for other, near in metadata.joins.links.get(relation, {}).items():
        if metadata.joins.refers(other, relation):
            words |= {part for _, there in near for part in metadata.parts(there)}
    fits = words & _TOWARD[s.before.toward]
    against = words & _TOWARD["to" if s.before.toward == "from" else "from"]
    return (
        (("direction:fits", 1.0),)
        if fits and not against
        else (("direction:clash", 1.0),)
        if against and not fits
        else ()
    )


_TOWARD = {
    "from": {"origin", "source", "from", "departure", "start", "sender", "pickup", "depart"},
    "to": {"destination", "target", "to", "arrival", "end", "receiver", "dropoff", "arrive"},
}


def quoted(s: Situation) -> Iterator[Partial]:
    """A text in quotes: part of a name, or a value that is compared as it is written."""
    b = s.before
    if b.operand and kind_of(s.metadata, b.operand) in ("text", "key"):
        operator, feature = (b.text, "text") if b.text in ("contains", "starts", "ends") else ("in", "quoted")
        test = Tested(s.at, b.operand, operator, (s.mention.text,), b.negated, b.joined)
        yield s.add(test, ((feature, 1.0),), text="", negated=False, operand="", joined="")


# -------------------------------------------------------------------------------------------------------------- numbers
def number(s: Situation) -> Iterator[Partial]:
    """A number: what is compared with, how many rows are shown, or an equal value."""
    b, m = s.before, s.mention
    assert m.number is not None
    whole = float(m.number).is_integer() and 0 < m.number < 1000 and m.unit is None
    if b.best is not None and b.limit is None and whole and b.best.argument != "worst":
        yield s.then((("limit:after", 1.0),), limit=int(m.number))
    if b.compare is not None and b.number is None:
        yield from _compared(s)
    if b.compare is None and b.best is None and whole:
        yield s.then((("number:waits", 1.0),), number=m, since=m.end)
    if (
        b.compare is None
        and b.operand
        and m.unit is None
        and kind_of(s.metadata, b.operand) in ("number", "key", "year", "text")
    ):
        kind = kind_of(s.metadata, b.operand)
        shown = int(m.number) if float(m.number).is_integer() else m.number
        plain = str(shown) if kind == "text" else shown
        test = Tested(s.at, b.operand, "in", (plain,), b.negated, b.joined)
        yield s.add(test, ((f"number:equals:{kind}", 1.0),), operand="", negated=False, joined="")


def _compared(s: Situation) -> Iterator[Partial]:
    b, m = s.before, s.mention
    assert b.compare is not None
    assert m.number is not None
    if b.compare.argument == "between" and b.low is None:
        yield s.then((("between:low", 1.0),), low=m.number)
        return
    done: dict[str, object] = {"compare": None, "low": None, "negated": False, "joined": "", "operand": ""}
    for path, found in _compared_with(s):
        for value_, doubt in converted(s.metadata, path, m):
            values = (b.low, value_) if b.low is not None else (value_,)
            test = Tested(s.at, path, b.compare.argument, values, b.negated, b.joined)
            yield s.add(test, (*found, *doubt), **done)
    last = b.clauses[-1] if b.clauses else None
    if isinstance(last, Measured):
        function = last.function
        test = Tested(
            s.at,
            last.path,
            b.compare.argument,
            (m.number,) if b.low is None else (b.low, m.number),
            b.negated,
            "",
            function,
            last.relation,
        )
        kept = b.clauses[:-1]
        yield s.then((("having", 1.0), ("having:measure-kept", 1.0)), clauses=(*b.clauses, test), **done)
        yield s.then((("having", 1.0),), clauses=(*kept, test), **done)
    if b.low is None:
        yield s.then((("number:compared-ahead", 1.0),), number=m, since=m.end)


def _compared_with(s: Situation) -> Iterator[tuple[str, Features]]:
    """Members that a comparison may speak of: the one named before it, or what its adjective measures."""
    b = s.before
    assert b.compare is not None
    if b.compare.hints:
        relations = [b.near] if b.near in s.metadata.catalog.relations else list(s.metadata.catalog.relations)
        for path, turned in adjective_members(s.metadata, relations, b.compare.hints, frozenset())[:3]:
            yield path, (("test:adjective", 1.0), *((("turned", 1.0),) if turned else ()))
    elif b.operand and _comparable(s, b.operand):
        yield b.operand, (("test", 1.0),)


def _comparable(s: Situation, path: str) -> bool:
    """Whether a number can be compared with a member: with a year only one that is a year."""
    kind, number_ = kind_of(s.metadata, path), s.mention.number or 0.0
    return kind in ("number", "key") or (kind == "year" and s.mention.unit is None and number_ >= 1000)


# ---------------------------------------------------------------------------------------------------------------- times
def period(s: Situation) -> Iterator[Partial]:
    b, m = s.before, s.mention
    assert m.period is not None
    if m.period.bare_year and b.operand and kind_of(s.metadata, b.operand) == "year" and m.period.low:
        operator = b.compare.argument if b.compare is not None else "in"
        test = Tested(s.at, b.operand, operator, (m.period.low.year,), b.negated, b.joined)
        yield s.add(test, (("period:year", 1.0),), compare=None, negated=False, joined="", operand="")
    if (
        b.operand
        and kind_of(s.metadata, b.operand) in ("year", "number", "text")
        and (m.period.low is None) != (m.period.high is None)
    ):
        side, year = (">", m.period.low.year - 1) if m.period.low is not None else ("<", m.period.high.year)  # type: ignore[union-attr]  # one of both
        test = Tested(s.at, b.operand, side, (year,), b.negated, b.joined)
        yield s.add(test, (("period:year:side", 1.0),), negated=False, joined="")
    path = b.operand if b.operand and kind_of(s.metadata, b.operand) == "time" else SOME_TIME
    relative = "relative" if m.period.relative else "year" if m.period.bare_year else "said"
    yield s.add(Timed(s.at, m.period, path, b.negated), ((f"period:{relative}", 1.0),), negated=False, joined="")


def grain(s: Situation) -> Iterator[Partial]:
    """A unit of time: grouped by, or ranked."""
    b, m = s.before, s.mention
    path = b.operand if b.operand and kind_of(s.metadata, b.operand) == "time" else SOME_TIME
    made = Grouped(s.at, path, m.argument)
    if b.best is not None:
        yield s.then((*s.near("best:grain"),), clauses=(*b.clauses, made, _best(s)), best=None, limit=None)
    if b.group or m.operator == "adverb":
        cue = "adverb" if m.operator == "adverb" else b.group
        yield s.add(made, (*s.near(f"grain:{cue}"),), group="more" if b.group else "", since=m.end)
    elif b.asked:
        yield s.add(made, ((f"grain:asked:{b.asked}", 1.0),), asked="")
    else:
        yield s.add(made, (("grain:uncued", 1.0),))


# ------------------------------------------------------------------------------------------------------------ operators
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
        found: Features = ((f"lost:{field}", 1.0),) if lost and field != "group" else ()
        yield s.then(found, since=s.mention.end, **{field: getattr(s.mention, source) if source else True})

    return rule


def _aggregate(s: Situation) -> Iterator[Partial]:
    b = s.before
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
    ):
        m = s.mention
        clauses = tuple(c for c in b.clauses if not (isinstance(c, Shown) and c.path == b.operand))
        made = Best(m.start, m.argument != "asc", limit, b.operand)
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
    yield s.then(
        (),
        joined=s.mention.argument,
        group="" if s.mention.argument == "comma" and s.before.group != "more" else s.before.group,
    )


def _quantile(s: Situation) -> Iterator[Partial]:
    """``90th percentile of``: the number stands before it."""
    at = s.mention.start - 1
    word = s.lattice.tokens[at].lower.rstrip("stndrh") if at >= 0 else ""
    if word.isdigit() and 0 < int(word) < 100:
        yield s.then(
            (("quantile", 1.0),),
            aggregates=(*s.before.aggregates, f"quantile:{int(word) / 100}")[-3:],
            since=s.mention.end,
            number=None,
        )


def _money(s: Situation) -> Iterator[Partial]:
    """Words of money stand for what the model keeps amounts in, where no column is called so."""
    b = s.before
    for path in amounts(s.metadata)[:3]:
        relation = path.split(".", 1)[0]
        function: AggregateName = "avg" if "avg" in b.aggregates else "median" if "median" in b.aggregates else "sum"
        by = b.group == "by" and (b.best is not None or s.has(Best))
        clean = {"aggregates": (), "near": relation, "operand": path, "group": "" if by else b.group}
        found: Features = (("money", 1.0), *_elsewhere(s, relation), *((("best:by-measure", 1.0),) if by else ()))
        yield s.add(Measured(s.at, function, path), found, **clean)
        if b.best is not None and not b.best.hints:
            yield s.add(_best(s, path=path), (*found, ("money:best", 1.0)), best=None, limit=None, **clean)


def _week(s: Situation) -> Iterator[Partial]:
    """Weekdays against weekends, or only one of them."""
    yield s.add(Grouped(s.at, SOME_TIME, "weekend"), (("grain:weekend", 1.0),), versus=False)


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
        yield s.then((), asked=s.mention.argument)


def _flagged(field: str) -> Rule:
    def rule(s: Situation) -> Iterator[Partial]:
        yield s.then((), since=s.mention.end, **{field: True})

    return rule


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
    "week": _week,
    "direction": _toward,
    "versus": _flagged("versus"),
}

RULES: dict[str, Rule] = {
    "name": name,
    "value": value,
    "quoted": quoted,
    "number": number,
    "period": period,
    "grain": grain,
    "operator": operator,
}
