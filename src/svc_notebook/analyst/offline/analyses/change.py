"""From one period to another: both numbers, the difference, and which groups it comes from."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn
from ...scales import are_weekdays
from ..plans.in_their_order import counted_off
from ..plans.phrases import join_words
from ..plans.picture import chart_columns
from ..plans.plan import Dimension, Plan
from ..plans.sql import write_sql
from ..schema.literals import quote
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title, member_words, plural
from ..schema.scales import order_of
from ..telling.figures import changed, figure, number, points, said
from ..telling.intervals import Spread, how_sure
from ..telling.phrased import say
from .contributions import Part, additive, rate_mix
from .lengths import Lengths, lengths, weekdays_differ
from .pieces import Found, Pieces, Shown, cells, drawn_from, drivers, drivers_beyond, own_words, statistic
from .sides import Sides
from .supposed import refuted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["change"]

_NAMED = 3
_DRIVERS = 6
_NEARLY = 0.9
_HUGE = 1.5  # a contribution of more than that many differences is told without its share
_AGAINST = 0.1
_LEAST = 30  # rows of a group in a mean, below which its change is chance


def change(
    plan: Plan, sides: Sides, metadata: Metadata, *, why: bool, way: int = 0
) -> Generator[list[str], list[pa.Table], Found | None]:
    """What a plan's first number was in two periods, and what its change comes from.

    Yields lists of SQL and is sent their tables: two rounds, of at most eight queries. ``why``: over every dimension
    that may explain it, the one that explains most first. ``way``: which way it is supposed to have gone.
    """
    bare = plan.with_(
        dimensions=(), order=(), limit=None, calculations=(), having=(), hidden=(), measures=plan.measures[:1]
    )
    pieces = Pieces(bare, metadata)
    if pieces.bridged or plan.nested is not None or plan.parts:
        return None
    column = _value_column(bare, metadata)
    rows = pieces.base()
    # By the side and not by its name: "April" would stand before "March".
    period, time = (sides.named(pieces), "period"), sides.order(pieces)
    # How sure a difference is can be told of means only; of a sum nobody knows what it is drawn from.
    spreads = [(_counted(pieces), "n"), (f"STDDEV({rows})", "deviation")] if rows and rows != "1" else []
    long = lengths(sides, metadata, adds_up=pieces.adds_up())
    whole_columns = [period, (pieces.value(), "value"), *_per_day_columns(pieces, sides, long), *spreads]
    both = pieces.select(whole_columns, rules=[sides.either(pieces)], groups=1, order=time)
    asked = [d.member for d in plan.dimensions if d.grain is None and d.bin is None]
    used = [c.member for c in (*plan.conditions, sides.before.condition, sides.after.condition)]
    own = own_words(bare, metadata)
    beyond = {} if asked else drivers_beyond(bare, metadata, used, own)
    # Where groups were asked for, these are what it is explained by; nothing else is tried.
    # Of two months one has a Friday more: that explains nothing but the calendar.
    out = _weekdays(metadata) if pieces.adds_up() and weekdays_differ(sides) else ()
    dimensions = asked or [p for p in (*drivers(bare, metadata, used, own), *beyond) if p not in out][:_DRIVERS]
    parted = []
    for path in dimensions:
        part = Dimension(path)
        # A dimension of another table needs a join: it is asked over a wider scope of its own.
        wide = Pieces(bare.with_(scope=beyond[path], dimensions=(part,)), metadata) if path in beyond else pieces
        value = f"({wide.value()}) * 1.0 / {_days(wide, sides, long)}" if long.cut else wide.value()
        columns = [(wide.dimension(part), "part"), (sides.named(wide), "period"), (value, "value")]
        columns += [] if wide.counts_rows() else [(_counted(wide), "n")]
        # Both sides in one statement: no row can come or go between them.
        parted.append(
            wide.select(
                columns, rules=[sides.either(wide)], groups=2, order=f"{_in_order(path, metadata)}, {sides.order(wide)}"
            )
        )
    whole, *tables = yield [both, *parted]
    values = {str(name): number(value) for name, value in zip(cells(whole, 0), cells(whole, 1), strict=True)}
    before, after = values.get(sides.before.name), values.get(sides.after.name)
    if before is None or after is None:
        # What is missing on one side changed by an unknown amount, not from nought.
        return Found((_both_shown(both, whole, column, sides, "", long),), (_absent(column, sides, before, after),))
    sure = _sure(column, whole, sides, after - before) if spreads else ""
    notes = list(long.notes)
    summed, column = column, _daily(column) if long.cut else column
    if long.cut and long.days:  # a sum over fewer days is smaller for that alone
        notes.insert(0, long.in_all(summed, sides, before, after))
        before, after = before / long.days[0], after / long.days[1]
    elif long.matter(before, after):
        notes.append(long.each(column, sides, before, after))
    told, brief = _told(column, sides, before, after, sure)
    # A shorter month sells less for that alone: said before what it comes from, where that is all there is to it.
    first = long.cut or long.turn(before, after)
    told = [*refuted(way, after - before), *told, *(notes if first else [])]
    shown = [_both_shown(both, whole, summed, sides, brief, long)]
    found = [
        (path, parts) for path, table in zip(dimensions, tables, strict=True)
        if (parts := _parts(table, sides, pieces.adds_up(), rows is not None, after - before)) is not None
    ]  # fmt: skip
    if found and after != before and "chance" not in sure:  # what may be chance comes of nothing
        path, parts = found[0] if asked else _plainest(found, after - before)
        said_parts = _sources(column, parts, after - before, member_words(path, metadata))
        told += said_parts
        at = dimensions.index(path)
        finding = _most_of(_movers(parts, member_words(path, metadata), after - before), sides, after - before)
        shown.append(_parts_shown(parted[at], tables[at], column, path, sides, finding, metadata))
    told += [] if first else notes
    if why and "chance" not in sure:
        names = join_words([member_words(path, metadata) for path in dimensions])
        told.append(say("I compared by {t}. This shows where the difference lies, not what caused it.", t=names))
    return Found(tuple(shown), tuple(told), _offers(column, sides, why))


def _weekdays(metadata: Metadata) -> list[str]:
    """The members whose values are the days of the week."""
    known = metadata.values
    return [path for path in known.complete if are_weekdays(known.members.get(path, ()))]


def _in_order(path: str, metadata: Metadata) -> str:
    """What the groups of a table are sorted by: Monday stands before Friday."""
    values = order_of(path, metadata)
    return counted_off(quote("part"), values) if values else "1"


def _counted(pieces: Pieces) -> str:
    """How many rows a number is made of, as SQL: who has no number is not in a mean."""
    rows = pieces.base()
    return f"COUNT({rows})" if rows and rows != "1" else "COUNT(*)"


def _value_column(plan: Plan, metadata: Metadata) -> ChartColumn:
    statement = write_sql(plan, metadata)
    return next(c for c in chart_columns(plan, statement, metadata) if c.measured)


def _sure(column: ChartColumn, table: pa.Table, sides: Sides, gap: float) -> str:
    """How sure the difference of two means is: the interval of its size."""
    found = {
        str(name): Spread(int(n or 0), number(deviation) or 0.0)
        for name, n, deviation in zip(*(cells(table, place) for place in (0, 2, 3)), strict=True)
    }
    order = (sides.before, sides.after) if sides.timed else (sides.after, sides.before)  # as they are told
    return how_sure(column, abs(gap), *(found[side.name] for side in order))


def _per_day_columns(pieces: Pieces, sides: Sides, long: Lengths) -> list[tuple[str, str]]:
    """How many days each period has rows of, and its number per day, where a period is cut off."""
    if not long.cut:
        return []
    days = _days(pieces, sides, long)
    return [(days, "days"), (f"({pieces.value()}) * 1.0 / {days}", "per_day")]


def _days(pieces: Pieces, sides: Sides, long: Lengths) -> str:
    first, last = long.days or (1.0, 1.0)
    return f"MIN(CASE WHEN {sides.rules(pieces)[0]} THEN {first:g} ELSE {last:g} END)"


def _daily(column: ChartColumn) -> ChartColumn:
    return replace(column, name="per_day", title=f"{column.title} per day", additive=False)


def _both_shown(sql: str, table: pa.Table, column: ChartColumn, sides: Sides, brief: str, long: Lengths) -> Shown:
    value = replace(column, name="value")
    spread = _spread_columns(column) if "deviation" in table.column_names else ()
    whole = (ChartColumn("days", "number", "Days", measured=True), _daily(column)) if long.cut else ()
    drawn = (_period(sides), _daily(column) if long.cut else value)
    what = f"{drawn[1].title}: {sides.before.name} and {sides.after.name}"
    over = ", over {:,.0f} and {:,.0f} days".format(*long.days) if long.cut and long.days else ""
    spec = drawn_from(
        drawn,
        table,
        title=brief or what,
        subtitle=f"{what}{over}" if brief else "",
        description=f"{what}.",
        ordered=True,
    )
    return Shown(what, sql, (_period(sides), value, *whole, *spread), spec)


def _spread_columns(column: ChartColumn) -> tuple[ChartColumn, ...]:
    deviation = f"Standard deviation of {lowered(column.title).removeprefix('average ')}"
    return (
        ChartColumn("n", "number", "Rows", measured=True),
        statistic(column, "deviation", deviation),
    )


def _period(sides: Sides) -> ChartColumn:
    title = "Period" if sides.timed else "Group"
    return ChartColumn("period", "category", title, order=(sides.before.name, sides.after.name))


def _parts_shown(
    sql: str, table: pa.Table, column: ChartColumn, path: str, sides: Sides, finding: str, metadata: Metadata
) -> Shown:
    by = member_title(path, metadata)
    columns = (
        ChartColumn("part", "category", by, member=path), _period(sides),
        replace(column, name="value"), ChartColumn("n", "number", "Rows", measured=True),
    )  # fmt: skip
    what = f"{column.title} by {lowered(by)}: {sides.before.name} and {sides.after.name}"
    subtitle = what if finding else ""
    spec = drawn_from(
        columns[:3], table, title=finding or what, subtitle=subtitle, description=f"{what}.", grouped=True
    )
    return Shown(what, sql, columns, spec)


def _most_of(names: str, sides: Sides, gap: float) -> str:
    """Where a change lies, in a few words; nothing where no group stands out."""
    what = ("rise" if gap > 0 else "fall") if sides.timed else "difference"
    return f"Most of the {what} comes from {names}" if names else ""


def _movers(parts: Sequence[Part], by: str, gap: float) -> str:
    """The groups that most of a change comes from."""
    return join_words([_name(part, by) for part in _large(parts) if part.effect * gap > 0][:_NAMED])


def _absent(column: ChartColumn, sides: Sides, before: float | None, after: float | None) -> str:
    names = [side.name for side, value in ((sides.before, before), (sides.after, after)) if value is None]
    return say("For {l} there is no figure for {t}, so there is nothing to compare.", t=lowered(column.title), l=names)


def _told(column: ChartColumn, sides: Sides, before: float, after: float, sure: str) -> tuple[list[str], str]:
    """What became of a number, in a sentence and in a few words."""
    by, title = changed(column, after, before), column.title
    first, last = said(column, before), said(column, after)
    # The change carries its sign, and the verb says it again.
    gap = by.replace("+", "").replace("-", "")  # which way, the verb says
    if not sides.timed:
        inside = sure.replace(" (", "; ").removesuffix(")")
        both = {"t": title, "v1": last, "g1": sides.after.name, "v2": first, "g2": sides.before.name}
        text = (
            say("{t}: **{v1}** for **{g1}**, {v2} for {g2} ({c} more{s}).", **both, c=gap, s=inside) if after >= before
            else say("{t}: **{v1}** for **{g1}**, {v2} for {g2} ({c} less{s}).", **both, c=gap, s=inside)
        )  # fmt: skip
        return [text], f"{sides.after.name}: {last}, {sides.before.name}: {first}"
    if after == before:
        text = say(
            "{t} stayed at **{v}** from {p1} to {p2}.", t=title, v=last, p1=sides.before.name, p2=sides.after.name
        )
        return [text], f"{title} stayed the same"
    parts = {
        "t": title, "v1": first, "p1": sides.before.name, "v2": last, "p2": sides.after.name, "c": gap, "s": sure,
    }  # fmt: skip
    way = "rose" if after > before else "fell"
    way_far = f"{way} by {by.split(', ')[-1].lstrip('+-')}"
    if None in sides.before.condition.values:  # all before, and all since
        moved = (
            say("{t} rose from {v1} {p1} to **{v2}** {p2}, by **{c}**{s}.", **parts) if after > before
            else say("{t} fell from {v1} {p1} to **{v2}** {p2}, by **{c}**{s}.", **parts)
        )  # fmt: skip
        return [moved], f"{title} {way_far} {sides.after.name}"
    moved = (
        say("{t} rose from {v1} in {p1} to **{v2}** in {p2}, by **{c}**{s}.", **parts) if after > before
        else say("{t} fell from {v1} in {p1} to **{v2}** in {p2}, by **{c}**{s}.", **parts)
    )  # fmt: skip
    return [moved], f"{title} {way_far} from {sides.before.name} to {sides.after.name}"


def _parts(table: pa.Table, sides: Sides, adds_up: bool, mean: bool, gap: float) -> list[Part] | None:
    """Contributions that together are the change; None where the numbers of groups do not make the whole's.

    The last column of ``table`` is how many rows there are: the numbers themselves, where rows are what is counted.
    """
    first: dict[Any, tuple[float, float]] = {}
    second: dict[Any, tuple[float, float]] = {}
    for group, period, value, n in zip(*(cells(table, i) for i in (0, 1, 2, -1)), strict=True):
        amount = number(value)
        if amount is not None and n:
            (first if period == sides.before.name else second)[group] = (amount, float(n))
    if not first.keys() & second.keys():  # groups that are each on one side alone explain nothing: codes of the two
        return None
    if adds_up:
        rows = {g: int(first.get(g, (0, 0))[1] + second.get(g, (0, 0))[1]) for g in {**first, **second}}
        parts = additive({g: v for g, (v, _) in first.items()}, {g: v for g, (v, _) in second.items()}, rows)
    elif mean:
        _, _, parts = rate_mix(first, second)
    else:
        return None
    total = sum(part.effect for part in parts)
    # Where rows count in several groups, or some in none, the parts do not make the whole; then none is told.
    return parts if abs(total - gap) <= 1e-6 * max(1.0, abs(gap)) else None


def _explains(parts: Sequence[Part], gap: float) -> float:
    """How far the change lies elsewhere than the rows do, less for dimensions of many groups.

    A group that holds nearly all rows and nearly all of the change explains nothing.
    """
    rows = sum(part.rows for part in parts)
    apart = sum(abs(part.effect / gap - part.rows / rows) for part in parts) if rows else 0.0
    # With many groups some lie apart by chance: beyond twelve they count for less.
    return apart * min(1.0, 12 / len(parts))


def _plainest(found: Sequence[tuple[str, list[Part]]], gap: float) -> tuple[str, list[Part]]:
    """The dimension that explains most; one of fewer groups that explains nearly as much says it more plainly."""
    most = max(_explains(parts, gap) for _, parts in found)
    near = [each for each in found if _explains(each[1], gap) >= _NEARLY * most]
    # Of nearly equals the one with fewer groups.
    return min(near, key=lambda each: (len(each[1]), -_explains(each[1], gap)))


def _sources(column: ChartColumn, parts: Sequence[Part], gap: float, by: str) -> list[str]:
    """Which groups the change comes from; those of few rows are kept out."""
    large = _large(parts)
    most = [part for part in large if part.effect * gap > 0][:_NAMED]
    if not most:
        return []
    # Contributions of opposite signs can be many times the difference: "430 % of it" tells nobody anything.
    told_shares = all(abs(part.effect) <= _HUGE * abs(gap) for part in most)
    words = [
        say("**{g}** ({e}, {v} of the difference)", g=_name(part, by), e=_effect(column, part.effect),
            v=figure(part.effect / gap, "percent")) if told_shares
        else say("**{g}** ({e})", g=_name(part, by), e=_effect(column, part.effect))
        for part in most
    ]  # fmt: skip
    told: list[str] = [say("By {t}, most of it comes from {l}.", t=by, l=words)]
    mix = sum(part.mix for part in parts)
    if any(part.mix for part in parts):
        own = sum(part.own for part in parts)
        told.append(
            say(
                "Of the difference, {e1} [come|comes] from the {k} themselves and {e2} from other shares of them among "
                "the rows.",
                0, e1=_effect(column, own), k=plural(by), e2=_effect(column, mix),
            )
        )  # fmt: skip
    against = next((part for part in large if part.effect * gap < 0), None)
    if against is not None and abs(against.effect) >= _AGAINST * abs(gap):
        told.append(say("Against it went {g} ({e}).", g=_name(against, by), e=_effect(column, against.effect)))
    left = sum(part.rows < _LEAST for part in parts)
    if left and len(large) < len(parts):
        few = {"n1": str(left), "k": plural(by) if left > 1 else by, "n2": str(_LEAST)}
        told.append(say("{n1} {k} with fewer than {n2} rows [are|is] not named.", left == 1, **few))
    return told


def _name(part: Part, by: str) -> str:
    return f"no {by}" if part.group is None else str(part.group)


def _effect(column: ChartColumn, value: float) -> str:
    """A contribution with its sign."""
    sign = "+" if value > 0 else ""
    if points(column):
        return f"{sign}{figure(value * (1 if column.unit == '%' else 100))} points"
    return f"{sign}{said(column, value)}"


def _large(parts: Sequence[Part]) -> list[Part]:
    # Where no group is large enough, all are told: otherwise nothing would be.
    return [part for part in parts if part.rows >= _LEAST and part.group is not None] or list(parts)


def _offers(column: ChartColumn, sides: Sides, why: bool) -> tuple[str, ...]:
    title = lowered(column.title)
    first = f"{column.title} by month"
    if not sides.timed:
        return (first,)
    if why:
        return (first, f"How did {title} change from {sides.before.name} to {sides.after.name}?")
    return (f"Why did {title} change from {sides.before.name} to {sides.after.name}?", first)
