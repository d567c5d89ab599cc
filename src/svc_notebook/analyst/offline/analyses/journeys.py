"""Rows as events of whoever they are about: who comes back after a first time, how far they get along some steps."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn
from ..calendar.units import floor, shift
from ..plans.plan import Dimension, Plan
from ..schema.literals import literal
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title, plural
from ..telling.figures import figure, label, number
from ..telling.phrased import say
from .pieces import Found, Pieces, Shown, cells, drawn_from

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["cohorts", "funnel", "whoever"]

_LATER = (3, 6, 12)
_LEAST = 30  # of a cohort, below which its share is chance
_MOST_STEPS = 6


def whoever(plan: Plan, said: str, metadata: Metadata) -> str | None:
    """The member that says whom the rows are about: that which is named, else the only one that several rows share."""
    relation = plan.scope[0]
    members = [m.path for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    key = metadata.key_of(relation)
    dimensions = [path for path in members if metadata.members[path].kind == "dimension" and path != key]
    shared = [path for path in dimensions if _identifies(path, metadata)]
    words = {word.rstrip("s") for word in said.lower().split()}
    named = [path for path in shared if words & {part.rstrip("s") for part in metadata.parts(path)}]
    found = named or shared
    return found[0] if len(found) == 1 else None


def _identifies(path: str, metadata: Metadata) -> bool:
    """Whether values name one of many, each with several rows: no group of a few, and no row of its own."""
    if metadata.is_time(path) or metadata.is_number(path) and not metadata.is_key(path):
        return False
    profile = metadata.profile(path)
    known = profile.rows - profile.missing
    # A fifth more rows than names: below that nearly everybody is there once, and nobody can come back.
    return profile.distinct > _LEAST and known >= 1.2 * profile.distinct


def cohorts(
    plan: Plan, who: str, time: str, grain: str, metadata: Metadata
) -> Generator[list[str], list[pa.Table], Found | None]:
    """How many of those who came first in a period come again in later ones: one query."""
    pieces = Pieces(Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives), metadata)
    if pieces.bridged:
        return None
    column, period = pieces.column(who), pieces.dimension(Dimension(time, grain))
    # Each of them once a period, however many rows they have there.
    once = pieces.select(
        [(column, "who"), (period, "period")],
        rules=[f"{column} IS NOT NULL", f"{pieces.column(time)} IS NOT NULL"], groups=2,
    )  # fmt: skip
    sql = (
        # Windows in steps of their own, since one cannot stand within another.
        f"WITH q AS ({once}), "
        'f AS (SELECT "who", "period", MIN("period") OVER (PARTITION BY "who") AS "first" FROM q), '
        'g AS (SELECT "first", "period", COUNT(*) AS "people" FROM f GROUP BY 1, 2), '
        'h AS (SELECT "first", "period", "people", '
        'MAX(CASE WHEN "period" = "first" THEN "people" END) OVER (PARTITION BY "first") AS "all" FROM g) '
        'SELECT "first", "period", "people", "people" * 1.0 / "all" AS "share" FROM h ORDER BY 1, 2'
    )
    (table,) = yield [sql]
    noun = plural(lowered(member_title(who, metadata)).removesuffix(" id"))
    counts = {
        (first, at): int(n or 0) for first, at, n in zip(*(cells(table, place) for place in range(3)), strict=True)
    }
    firsts = sorted({first for first, _ in counts})
    title = f"{noun[:1].upper()}{noun[1:]}"
    heads = (
        ChartColumn("first", "time", f"First {grain}", grain=grain),
        ChartColumn("period", "time", f"{grain[:1].upper()}{grain[1:]}", grain=grain),
        ChartColumn("people", "number", title, measured=True, additive=True),
        ChartColumn("share", "number", "Share that came", measured=True, format="percent", computed=True),
    )
    last = _last_whole(time, grain, metadata)
    if not firsts or last is None:
        return Found((), (say("There is nobody to follow: no row names one and a time."),))
    told: list[str] = []
    again = _again(counts, firsts, grain, last)
    if 1 not in again:
        return Found(
            (Shown(f"{title} by first {grain}", sql, heads),),
            (say("The data cover too few whole {gr} to say who came back.", gr=f"{grain}s"),),
        )
    came, of = again[1]
    both = {"v": figure(came / of, "percent"), "k": noun, "gr": grain, "n1": f"{came:,}", "n2": f"{of:,}"}
    told.append(say("**{v}** of {k} came again in the {gr} after their first ({n1} of {n2}).", **both))
    for far in _LATER:
        if far in again:
            part = figure(again[far][0] / again[far][1], "percent")
            told.append(say("{n} {gr} after it: {v}.", n=str(far), gr=f"{grain}s", v=part))
    told += _ends(counts, firsts, grain, last, heads[0])
    brief = f"{figure(came / of, 'percent')} came again in the {grain} after their first"
    what = f"{title} by first {grain}: the share that came in each later {grain}"
    told += _cut_short(time, grain, last, metadata)
    # A cohort of a few is a shade by chance; where all are small, all are drawn.
    large = [first for first in firsts if counts.get((first, first), 0) >= _LEAST] or firsts
    below = what if len(large) == len(firsts) else f"{what}; those of fewer than {_LEAST} left out"
    drawn = (heads[1], heads[0], heads[3])
    spec = drawn_from(drawn, table, title=brief, subtitle=below, description=f"{what}.", mark="rect")
    if spec is not None:
        # In the picture alone: the table has every cell.
        spec = {**spec, "transform": [{"filter": _later(large, last)}, *spec.get("transform", ())]}
    return Found((Shown(what, sql, heads, spec),), tuple(told), (f"Number of {noun} by {grain}",))


def _last_whole(time: str, grain: str, metadata: Metadata) -> datetime | None:
    """The begin of the last period that the data cover whole."""
    profile = metadata.profile(time)
    high = profile.high
    if not isinstance(high, datetime):
        return None

    high = high.replace(tzinfo=None)
    begin = floor(high, grain)
    end = shift(begin, grain, 1)
    # A twentieth of it, or a day: data of a month often end on its last working day.
    return begin if (end - high).days <= max(1, (end - begin).days // 20) else shift(begin, grain, -1)


def _later(firsts: Sequence[Any], last: datetime) -> str:
    """Which cells of a picture say something: whole periods after the first, of cohorts that are large enough."""
    # As text by the calendar: moments compared as numbers depend on the reader's time zone.
    first, period = (f"timeFormat(datum['{name}'], '%Y-%m-%d')" for name in ("first", "period"))
    kept = ", ".join(f"'{_plain(each):%Y-%m-%d}'" for each in firsts)
    return f"{period} != {first} && {period} <= '{last:%Y-%m-%d}' && indexof([{kept}], {first}) >= 0"


def _cut_short(time: str, grain: str, last: datetime, metadata: Metadata) -> list[str]:
    """That the period after the last whole one has begun."""
    high = metadata.profile(time).high
    after = shift(last, grain, 1)
    if not isinstance(high, datetime) or high.replace(tzinfo=None) < after:
        return []
    name = label(ChartColumn("period", "time", "", grain=grain), after)
    parts = {"p1": name[:1].upper() + name[1:], "p2": f"{high.day} {high:%B %Y}"}
    return [say("{p1} is not complete: the data end on {p2}.", **parts)]


def _plain(moment: Any) -> datetime:
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime(moment.year, moment.month, moment.day)


def _again(
    counts: dict[tuple[Any, Any], int], firsts: Sequence[Any], grain: str, last: datetime
) -> dict[int, tuple[int, int]]:
    """How many came again so many periods after their first, of how many whose such period the data cover."""
    known = {(_plain(first), _plain(at)): n for (first, at), n in counts.items()}
    found: dict[int, tuple[int, int]] = {}
    for far in (1, *_LATER):
        reached = [(_plain(first), shift(_plain(first), grain, far)) for first in firsts]
        # Only periods that the data reach: who came last could not have come again yet.
        pairs = [(known.get((first, at), 0), known[first, first]) for first, at in reached if at <= last]
        if pairs:
            found[far] = (sum(came for came, _ in pairs), sum(of for _, of in pairs))
    return found


def _ends(
    counts: dict[tuple[Any, Any], int], firsts: Sequence[Any], grain: str, last: datetime, head: ChartColumn
) -> list[str]:
    """The cohorts that came again most and least, of those that are large enough."""
    known = {(_plain(first), _plain(at)): n for (first, at), n in counts.items()}
    shares = []
    for first in firsts:
        begin = _plain(first)
        after = shift(begin, grain, 1)
        if after <= last and known[begin, begin] >= _LEAST:
            shares.append((known.get((begin, after), 0) / known[begin, begin], label(head, first)))
    if len(shares) < 3 or max(shares)[0] == min(shares)[0]:
        return []
    (most, best), (least, worst) = max(shares), min(shares)
    ends = {"p1": best, "v1": figure(most, "percent"), "p2": worst, "v2": figure(least, "percent")}
    return [say("Most came again of those who began in **{p1}** ({v1}), fewest of **{p2}** ({v2}).", **ends)]


def funnel(
    plan: Plan, who: str, time: str, step: str, steps: Sequence[str], metadata: Metadata
) -> Generator[list[str], list[pa.Table], Found | None]:
    """How many reach each step after the one before it: one query."""
    pieces = Pieces(Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives), metadata)
    if pieces.bridged or not 2 <= len(steps) <= _MOST_STEPS:
        return None
    column, at, kind = pieces.column(who), pieces.column(time), pieces.column(step)
    rows = pieces.select(
        [(column, "who"), (at, "at"), (kind, "step")], rules=[f"{column} IS NOT NULL", f"{at} IS NOT NULL"]
    )
    chain, before, reached = [f"q AS ({rows})"], "q", ""
    for place, name in enumerate(steps, 1):
        # A step counts at the same moment too, as things of one receipt have one time.
        rule = f'"step" = {literal(name)}' + (f' AND "at" >= "t{place - 1}"' if place > 1 else "")
        when = f'MIN(CASE WHEN {rule} THEN "at" END) OVER (PARTITION BY "who") AS "t{place}"'
        chain.append(f's{place} AS (SELECT "who", "at", "step"{reached}, {when} FROM {before})')
        before, reached = f"s{place}", f'{reached}, "t{place}"'
    counted = [
        f'SELECT {place} AS "place", {literal(name)} AS "step", '
        f'COUNT(DISTINCT CASE WHEN "t{place}" IS NOT NULL THEN "who" END) AS "people" FROM {before}'
        for place, name in enumerate(steps, 1)
    ]
    sql = f"WITH {', '.join(chain)} {' UNION ALL '.join(counted)} ORDER BY 1"
    (table,) = yield [sql]
    people = [int(number(n) or 0) for n in cells(table, 2)]
    noun = plural(lowered(member_title(who, metadata)).removesuffix(" id"))
    title = f"{noun[:1].upper()}{noun[1:]}"
    heads = (
        ChartColumn("place", "ordinal", "Step", measured=False),
        ChartColumn("step", "category", member_title(step, metadata), order=tuple(steps), member=step),
        ChartColumn("people", "number", title, measured=True),
    )
    first, end = people[0], people[-1]
    if not first:
        none = say("No {t} has a row of {g}, so there is nobody to follow.", t=lowered(member_title(who, metadata)),
                   g=steps[0])  # fmt: skip
        return Found((), (none,))
    whole = {"n1": f"{end:,}", "n2": f"{first:,}", "k": noun, "v": figure(end / first, "percent")}
    told: list[str] = [say("**{n1} of {n2}** {k} ({v}) get from {g1} to {g2}.", **whole, g1=steps[0], g2=steps[-1])]
    # Of equal losses the first.
    lost = [(people[i] - people[i + 1], -i) for i in range(len(people) - 1)]
    if len(people) > 2 and max(lost)[0]:
        i = -max(lost)[1]
        on = {"g1": steps[i], "g2": steps[i + 1], "n1": f"{people[i + 1]:,}", "n2": f"{people[i]:,}",
              "v": figure(people[i + 1] / people[i], "percent")}  # fmt: skip
        told.append(say("Most are lost between **{g1}** and **{g2}**: {n1} of {n2} go on ({v}).", **on))
    told.append(say("A step counts where it comes after the one before it, at any later time."))
    what = f"{title} that reach each step"
    brief = f"{figure(end / first, 'percent')} get from {steps[0]} to {steps[-1]}"
    spec = drawn_from(
        heads[1:], table, title=brief, subtitle=what, description=f"{what}.", ordered=True, horizontal=True
    )
    return Found((Shown(what, sql, heads, spec),), tuple(told))
