"""The plan of a share of rows: what some of them are, of which rows, and what each share is of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from .... import patterns as re
from ....records import dataclass
from ..forms import ROWS, Clause, Form, Ratio
from ..plans.plan import Condition, Having, Measure, Order, Plan
from ..plans.sql import write_sql
from ..schema.kind_values import kind_value
from ..schema.masses import mass_called
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..schema.polarity import is_bad_when_high
from ..schema.rates import rate_of
from ..words.text import tokenize
from .read_back import read_back
from .rows_apart import both_ways, rows_apart, some_said
from .share_frames import ShareSaid

__all__ = ["share_of_rows"]

_BOUNDED = frozenset({"=", "!=", ">", ">=", "<", "<=", "between", "true", "false", "null", "not null"})
_MOST_TRIED = 6
_PER = re.compile(r" (?:per|by|(?:for |of |in )?each|(?:for )?every) (?P<kind>[a-z]+)$", re.IGNORECASE)
_SEVERAL = 2
_LOW = frozenset({"lowest", "smallest"})

Counting = Callable[[str], Plan | None]
"""What reads a question whole, as a plan; None for what is not read so."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many rows there are: of all that meet ``conditions``; ``own``: by a number that the model has for them."""

    plan: Plan
    relation: str
    own: str = ""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (*self.plan.conditions, *(() if self.own else self.plan.measures[0].conditions))

    def beyond(self, whole: _Counted) -> tuple[Condition, ...]:
        """What it says of its rows and ``whole`` does not."""
        return tuple(c for c in self.conditions if c not in whole.conditions)


def share_of_rows(said: ShareSaid, metadata: Metadata, read: Counting) -> Plan | Form | None:
    """The plan of a share as it is said, or the form where no plan can say it; None where it is not of rows, or not
    read whole.
    """
    if any(mass_called(metadata, word) is not None for word in said.body.split()):
        return None  # a part of downtime is one of how long it was
    said = _for_its_rows(said, metadata)
    made = _beside if said.head else _supposed if said.supposed else _parted
    plan = made(said, metadata, read)
    if isinstance(plan, Form):
        return plan
    if plan is None or (said.group or said.rank or said.sign) and not plan.dimensions:
        return None
    return _picked(plan, said)


def _for_its_rows(said: ShareSaid, metadata: Metadata) -> ShareSaid:
    """``share of visits cancelled per surgeon``: per member of staff, for surgeons, which is no part of the share."""
    behind = None if said.group else _PER.search(said.body)
    kind = behind["kind"] if behind is not None else said.group
    tokens = tokenize(kind.lower())
    match = kind_value(metadata, tokens, 0) if tokens and not said.context else None
    if match is None or match.end < len(tokens):
        return said
    rows = " ".join(metadata.words_of(match.member.split(".", 1)[0]))
    body = said.body[: behind.start()] if behind is not None else said.body
    return replace(said, body=body, group=rows, context=f"for {plural(kind)}")


def _parted(said: ShareSaid, metadata: Metadata, read: Counting) -> Plan | None:
    for rows, so in islice(_ways(said, metadata), _MOST_TRIED):
        whole = _counted(_asked(rows, said), metadata, read)
        for some in some_said(rows, so) if whole is not None else ():
            part = _counted(_asked(some, said), metadata, read)
            made = _divided(part, whole, metadata) if part is not None and whole is not None else None
            if made is not None:
                return _numbered(_looked_in(made, rows, so, said, metadata, read), said)
    return None


def _supposed(said: ShareSaid, metadata: Metadata, read: Counting) -> Plan | None:
    """The share of those of which one thing is so among those of which another is."""
    for rows, so in islice(rows_apart(said.body, metadata), _MOST_TRIED):
        every, whole, part = (
            next((one for text in texts if (one := _counted(_asked(text, said), metadata, read)) is not None), None)
            for texts in ((rows,), some_said(rows, so), some_said(rows, said.so))
        )
        if every is None or whole is None or part is None or whole.own or part.own:
            continue
        more = part.beyond(every)
        if not whole.beyond(every) or not more or set(every.conditions) - set(part.conditions):
            continue
        both = replace(whole, plan=whole.plan.with_(conditions=(*whole.plan.conditions, *more)))
        made = _divided(both, whole, metadata)
        return _numbered(made, said) if made is not None else None
    return None


def _ways(said: ShareSaid, metadata: Metadata) -> Iterator[tuple[str, str]]:
    """All rows and what some of them are; where no rows are named, those that most is known of."""
    if not said.so:
        yield from rows_apart(said.body, metadata)
    elif said.body:
        yield said.body, said.so
    else:
        facts = metadata.main_facts()
        dated = [facts] if facts is not None else [one for one in metadata.catalog.relations if metadata.times([one])]
        yield from ((plural(" ".join(metadata.words_of(one))), said.so) for one in dated)


def _asked(rows: str, said: ShareSaid) -> str:
    group = f" by {said.group}" if said.group else ""
    return f"{said.context}: number of {rows}{group}" if said.context else f"number of {rows}{group}"


def _counted(text: str, metadata: Metadata, read: Counting) -> _Counted | None:
    """What a question counts, where that is rows of one kind and nothing is done with their number."""
    plan = read(text) if text else None
    if plan is None or plan.shape != "aggregate" or len(plan.measures) != 1 or plan.exists:
        return None
    if plan.calculations or plan.nested or plan.parts or plan.hidden or plan.claim or plan.limit_per is not None:
        return None
    plain = metadata.plain(plan.measures[0])
    if plain.exists or plain.member is not None and plain.aggregate not in ("measure", "count_distinct"):
        return None
    if plain.member is None:
        return _Counted(plan, plain.entity or plan.scope[0]) if plain.aggregate == "count" else None
    own = metadata.members.get(plain.member)
    is_own = own is not None and own.kind == "measure" and own.agg_type == "count"
    return _Counted(plan, plain.member.split(".", 1)[0], plain.member) if is_own else None


def _divided(part: _Counted, whole: _Counted, metadata: Metadata) -> Plan | None:
    """The share of some rows in all of them, by the groups of either."""
    groups = [one.plan.dimensions for one in (part, whole) if one.plan.dimensions]
    if whole.own or part.relation != whole.relation or part.plan.scope[:1] != whole.plan.scope[:1]:
        return None
    if not _same_alternatives(part, whole):
        return None
    if any(set(one) != set(groups[0]) for one in groups) or set(whole.conditions) - set(part.conditions):
        return None
    if part.plan.limit is not None or part.plan.having or whole.plan.limit is not None or whole.plan.having:
        return None
    inner = part.beyond(whole)
    base = part.plan.with_(
        dimensions=groups[0] if groups else (), conditions=whole.conditions, order=(), near=(), compare=False,
        confidence=min(part.plan.confidence, whole.plan.confidence),
    )  # fmt: skip
    if part.own:
        rate = rate_of(part.own, metadata)
        both = (part.plan.measures[0], Measure(rate, "measure")) if rate else ()
        return base.with_(conditions=(*whole.conditions, *inner), measures=both) if both else None
    periods = tuple(c for c in inner if c.operator == "period")
    inner = tuple(c for c in inner if c not in periods) or inner  # a time that is said of some is meant of all
    if not inner:
        return None
    held = tuple(c for c in periods if c not in inner)
    return base.with_(conditions=(*whole.conditions, *held), measures=_two(inner, part.relation, metadata))


def _same_alternatives(part: _Counted, whole: _Counted) -> bool:
    """Whether rows of which one of several things is so are the same, but for times, which are meant of all."""
    either = [c for one in part.plan.alternatives for c in one]
    return part.plan.alternatives == whole.plan.alternatives or all(c.operator == "period" for c in either)


def _two(inner: tuple[Condition, ...], relation: str, metadata: Metadata) -> tuple[Measure, ...]:
    """How many rows are so and what share of all: as the model tells it, where it does."""
    count = Measure(None, "count", inner, entity=relation)
    rate = rate_of(inner[0].member, metadata) if len(inner) == 1 and inner[0].operator == "true" else ""
    return (count, Measure(rate, "measure") if rate else replace(count, aggregate="share_true"))


def _looked_in(made: Plan, rows: str, so: str, said: ShareSaid, metadata: Metadata, read: Counting) -> Plan:
    """What is said behind what some are tells which rows it is looked for in: *late to Oslo*, *cancelled in winter*."""
    count, share = made.measures
    inner = count.conditions
    if len(inner) < _SEVERAL or share.aggregate != "share_true":
        return made
    for some in (some for head, _ in both_ways(so) for some in some_said(rows, head)):
        one = _counted(_asked(some, said), metadata, read)
        own = tuple(c for c in inner if one is not None and c in one.conditions)
        others = tuple(c for c in inner if c not in own)
        if one is None or not own or not others or set(one.conditions) - {*made.conditions, *inner}:
            continue
        if any(_is_state(c, metadata) for c in own) and {c.member for c in own}.isdisjoint(c.member for c in others):
            two = _two(own, count.entity or made.scope[0], metadata)
            return made.with_(conditions=(*made.conditions, *others), measures=two)
    return made


def _is_state(condition: Condition, metadata: Metadata) -> bool:
    """Whether a condition says how rows turned out: a flag, a bound; and not where or when they were."""
    bounded = condition.operator in _BOUNDED and condition.part is None
    return bounded and not metadata.is_time(condition.member) or condition.operator in ("null", "not null")


def _numbered(plan: Plan, said: ShareSaid) -> Plan:
    """The share, with how many they are before it where that is asked for."""
    return plan if said.numbered else plan.with_(measures=plan.measures[1:])


def _beside(said: ShareSaid, metadata: Metadata, read: Counting) -> Plan | Form | None:
    """The rows that a question counts, and what share of all of the same group they are."""
    part = _counted(said.head, metadata, read)
    if part is None:
        return None
    if part.own:
        rate = rate_of(part.own, metadata)
        both = part.plan.with_(measures=(*part.plan.measures, Measure(rate, "measure")))
        return both if rate else _over_all_rows(part.plan, metadata)
    apart = [c for c in part.conditions if c.operator != "period"]
    inner = tuple(c for c in apart if _is_state(c, metadata)) or tuple(apart)
    if not inner:
        return None
    rest = tuple(c for c in part.conditions if c not in inner)
    return part.plan.with_(conditions=rest, measures=_two(inner, part.relation, metadata))


def _over_all_rows(plan: Plan, metadata: Metadata) -> Form | None:
    """A number that the model has for some rows with what share of all rows of its group they are."""
    form = read_back(write_sql(plan, metadata).sql, metadata)
    if not isinstance(form, Form) or len(form.measures) != 1:
        return None
    share = Ratio(form.measures[0].expression, ROWS, percent=True)
    return form.with_(measures=(*form.measures, Clause(share)))


def _picked(plan: Plan, said: ShareSaid) -> Plan:
    """The groups of a plan that are asked for, by their share."""
    at = len(plan.measures) - 1
    if said.sign:
        bound = Having(at, said.sign, (said.part,))
        return plan.with_(having=(*plan.having, bound))
    if said.rank:
        return plan.with_(order=(Order("measure", at, is_downwards(said.rank, said.body)),), limit=said.first)
    return plan


def is_downwards(rank: str, of: str) -> bool:
    """Whether the first of an order is the largest; *worst* is what there is much of only where that is bad."""
    if rank in ("best", "worst"):
        return is_bad_when_high(of.split()) is (rank == "worst")
    return rank not in _LOW
