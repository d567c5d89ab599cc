"""The result of a plan as it is told: columns with cells, sort and cut, the span of the data, the size of groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from ...charts import ChartColumn
from ..calendar.units import UNITS
from ..forms.partings import PARTINGS
from ..plans.condition_words import condition_words, either_words, where_words
from ..plans.phrases import title_of
from ..plans.picture import chart_columns
from ..plans.plan import Condition, Measure, Plan
from ..plans.sql import write_sql
from ..plans.statement import Statement
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural, lowered, plural
from ..schema.profiles import as_number, reaches
from ..words.text import is_participle
from .day_counts import days_of
from .figures import figure
from .intervals import Spread
from .outcome import Outcome

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["extent_of", "flagged", "moment", "outcome_of", "qualified"]

_MOST_SIZED = 2_000  # groups whose rows are counted beside an average
_OF_VALUES = ("avg", "median", "stddev")
_MANY_MISSING = 0.1  # of the rows
_WEEKEND = timedelta(days=2)  # a period is not cut by days on which nothing is open
_SIZED = ("avg", "median", "stddev", "share_true", "measure")


def outcome_of(
    plan: Plan, statement: Statement, table: pa.Table, metadata: Metadata, run: Callable[[str], pa.Table | None]
) -> Outcome:
    """What a plan's query gave.

    Parameters
    ----------
    run
        Runs SQL over the model for the asker; None where that cannot be run.
    """
    columns = [
        column.filled(table.column(column.name).to_pylist()) for column in chart_columns(plan, statement, metadata)
    ]
    low, high, timed = _span(plan, metadata)
    kinds = flagged(plan, metadata)
    left = plan.with_(conditions=tuple(c for c in plan.conditions if c not in kinds))
    beside = left.with_(conditions=tuple(c for c in left.conditions if not _grouped(c, plan)))
    return Outcome(
        tuple(qualified(columns, kinds, metadata)), title_of(plan, metadata), _rules(left, metadata),
        _shape(plan), _ranked(plan, metadata), plan.limit, plan.limit_per is not None, (low, high), timed,
        _sizes(plan, table, metadata, run), _spreads(plan, table, metadata, run), plan.claim, _rules(beside, metadata),
        _none(plan, metadata), beyond="" if table.num_rows and plan.dimensions else _beyond(plan, metadata),
        shared=_shared(plan, metadata) if table.num_rows else "", known=_known(plan, metadata, run),
        by=_by(plan, metadata), days=days_of(plan, columns[0].cells or (), low, high),
        asked=_asked(plan), chosen=any(c.operator == "period" for either in plan.alternatives for c in either),
    )  # fmt: skip


def _known(plan: Plan, metadata: Metadata, run: Callable[[str], pa.Table | None]) -> tuple[int, int] | None:
    """How many of the rows have the value that is averaged, where many have none."""
    plain = metadata.plain(plan.measures[0]) if len(plan.measures) == 1 and plan.shape == "aggregate" else None
    if plain is None or plain.aggregate not in _OF_VALUES or plain.member is None or plain.conditions:
        return None
    if plan.parts or plan.nested is not None or plan.exists or plan.calculations:
        return None
    profile = metadata.profile(plain.member)
    if not profile.rows or profile.missing < _MANY_MISSING * profile.rows:
        return None
    counts = (replace(plain, aggregate="count_values"), Measure(None, "count", entity=plain.member.split(".", 1)[0]))
    asked = plan.with_(
        dimensions=(), measures=counts, order=(), limit=None, limit_per=None, having=(), hidden=(), claim=()
    )
    found = run(write_sql(asked, metadata).sql)
    if found is None or not found.num_rows:
        return None
    values, rows = (int(column[0].as_py() or 0) for column in found.columns[:2])
    return (values, rows) if values and rows - values >= _MANY_MISSING * rows else None


def _beyond(plan: Plan, metadata: Metadata) -> str:
    """``tip is never more than 50 (it goes from 0 to 14.1)``."""
    for condition in plan.conditions:
        if condition.part is not None or condition.other is not None or not metadata.is_number(condition.member):
            continue
        profile = metadata.profile(condition.member)
        if not reaches(profile, condition.operator, condition.values):
            low, high = figure(as_number(profile.low)), figure(as_number(profile.high))
            told = condition_words(condition, metadata).replace(" is ", " is never ", 1)
            return f"{told} (it goes from {low} to {high})"
    return ""


def _shared(plan: Plan, metadata: Metadata) -> str:
    """``30 couriers have 19 different names``: who is called alike is one group."""
    for dimension in plan.dimensions:
        owner = dimension.member.split(".", 1)[0]
        if dimension.grain or dimension.member != metadata.label_of(owner) or metadata.key_of(owner) is None:
            continue
        if any(d.member == metadata.key_of(owner) for d in plan.dimensions):
            continue
        names = metadata.profile(dimension.member)
        if metadata.has_namesakes(dimension.member):
            title = lowered(metadata.relation(owner).title)
            named = names.rows - names.missing
            return f"{named:,} {title if is_plural(title) else 'rows'} have {names.distinct:,} different names"
    return ""


def _none(plan: Plan, metadata: Metadata) -> str:
    """``Customers without tickets``: those that an average of a number per thing leaves out."""
    if plan.nested is None:
        return ""
    member, root = plan.nested.dimension.member, plan.scope[0]
    owner = member.split(".", 1)[0]
    if owner == root or member not in (metadata.key_of(owner), metadata.label_of(owner)):
        return ""
    title, rows = (metadata.relation(name).title for name in (owner, root))
    return f"{title if is_plural(title) else plural(title)} without {lowered(rows)}"


def flagged(plan: Plan, metadata: Metadata) -> list[Condition]:
    """Flags that say which kind of rows is counted (``cancelled`` flights), where rows are all that is counted."""
    if plan.shape != "aggregate" or not plan.measures or not all(_counts(m, metadata) for m in plan.measures):
        return []
    counted = {m.entity or (m.member or plan.scope[0]).split(".", 1)[0] for m in plan.measures}
    own = [c for c in plan.conditions if c.operator == "true" and counted == {c.member.split(".", 1)[0]}]
    titles = [(c, metadata.member(c.member).title.lower()) for c in own]
    return [c for c, title in titles if " " not in title and is_participle(title) and not _grouped(c, plan)]


def _counts(measure: Measure, metadata: Metadata) -> bool:
    known = metadata.members.get(measure.member or "")
    if measure.conditions or measure.exists:
        return False
    return measure.member is None and measure.aggregate == "count" or known is not None and known.agg_type == "count"


def _grouped(condition: Condition, plan: Plan) -> bool:
    """Whether the groups themselves show what a condition says: two countries side by side, months of a year."""
    parted = any(
        condition.member == d.member and condition.operator == "in"
        and condition.part == PARTINGS[d.grain].condition for d in plan.dimensions if d.grain in PARTINGS
    )  # fmt: skip
    return parted or any(
        condition.member == d.member and condition.part is None
        and (_is_period(d.grain) or d.grain is None and condition.operator == "in") for d in plan.dimensions
    )  # fmt: skip


def _is_period(grain: str | None) -> bool:
    """Whether groups of a grain say when they were; a weekday of any week does not."""
    return grain is not None and (grain in UNITS.values() or grain.startswith("fiscal"))


def qualified(columns: Sequence[ChartColumn], kinds: Sequence[Condition], metadata: Metadata) -> list[ChartColumn]:
    """Columns of counts under the name of what is counted: ``Cancelled flights``."""
    said = " and ".join(metadata.member(c.member).title.lower() for c in kinds)
    if not said:
        return list(columns)
    head = "Number of "
    named = []
    for column in columns:
        counted = column.measured and not column.computed
        bare = column.title.removeprefix(head)
        title = f"{head}{said} {lowered(bare)}" if bare != column.title else f"{said} {lowered(bare)}"
        named.append(replace(column, title=f"{title[:1].upper()}{title[1:]}") if counted else column)
    return named


def _shape(plan: Plan) -> Literal["aggregate", "rows", "distinct"]:
    return "distinct" if plan.shape == "distinct" else "aggregate" if plan.shape == "aggregate" else "rows"


def _ranked(plan: Plan, metadata: Metadata) -> Literal["", "highest", "lowest"]:
    order = plan.order[0] if plan.order else None
    if order is None or order.measure is not None:
        return ""
    if order.by == "column":  # so many rows, those first whose first number says most
        amounts = [place for place, path in enumerate(plan.columns) if _is_amount(path, metadata)]
        if plan.limit is None or len(amounts) == len(plan.columns):
            return ""
        if amounts[:1] != [order.place] and not metadata.is_year(plan.columns[order.place]):
            return ""
    elif order.by not in ("measure", "calculation") or order.place:
        return ""
    return "highest" if order.descending else "lowest"


def _by(plan: Plan, metadata: Metadata) -> tuple[int, int] | None:
    """The column that tells which row it is, and the one that rows are sorted by first."""
    if not plan.order or plan.order[0].by != "column":
        return None
    place = plan.order[0].place
    others = [other for other in range(len(plan.columns)) if other != place]
    paths = {other: plan.columns[other] for other in others}
    names = {metadata.label_of(path.split(".", 1)[0]) for path in paths.values()}
    ways = (
        (other for other, path in paths.items() if path in names),
        (other for other, path in paths.items() if metadata.is_key(path)),
        (other for other, path in paths.items() if not metadata.is_number(path) and not metadata.is_time(path)),
        iter(others),
    )
    return next(((found, place) for way in ways for found in way), None)


def _is_amount(path: str, metadata: Metadata) -> bool:
    return metadata.is_number(path) and not metadata.is_key(path) and not metadata.is_year(path)


def _rules(plan: Plan, metadata: Metadata) -> str:
    return where_words(plan.conditions, metadata, plan.scope, *either_words(plan, metadata))


def _span(plan: Plan, metadata: Metadata) -> tuple[datetime | None, datetime | None, str]:
    """The time the data cover, and what that time is called where no period was asked for, or one beyond the data."""
    grained = [d.member for d in plan.dimensions if d.grain and metadata.is_time(d.member)]
    asked = [c for c in plan.conditions if c.operator == "period"]
    # Groups of periods show themselves where the data end.
    shown = any(_is_period(d.grain) for d in plan.dimensions)
    left = [] if shown else [c.member for c in asked if _leaves(c, extent_of(c.member, metadata))]
    times = left or grained or metadata.times(plan.scope[:1])
    if not times or not left and (plan.shape != "aggregate" or plan.dimensions and not grained):
        return None, None, ""
    low, high = extent_of(times[0], metadata)
    # What groups say needs no more than that, unless what was asked for is not all there.
    told = low and high and (left or not asked and not plan.dimensions)
    return low, high, metadata.member(times[0]).title if told else ""


def _leaves(period: Condition, extent: tuple[datetime | None, datetime | None]) -> bool:
    """Whether a period begins before the data do, or ends after them, by more than a weekend and a fiftieth of it."""
    low, high = extent
    if period.part is not None or not low or not high:
        return False
    begins, ends = (_naive(value) for value in period.values)
    slack = max(_WEEKEND, (ends - begins) / 50) if begins and ends else _WEEKEND
    return bool((begins and low - begins > slack) or (ends and ends - high > slack + timedelta(days=1)))


def _asked(plan: Plan) -> tuple[datetime | None, datetime | None]:
    """Where the period that is asked for begins and ends, of the time that groups are of."""
    grained = [d.member for d in plan.dimensions if _is_period(d.grain)]
    periods = [c.values for c in plan.conditions if c.operator == "period" and c.member in grained[:1]]
    if len(periods) != 1:
        return None, None
    low, high = (_naive(value) for value in periods[0])
    return low, high


def _naive(value: Any) -> datetime | None:
    """An end of a period as a moment; None where it is open."""
    return datetime.fromisoformat(str(value)).replace(tzinfo=None) if value else None


def extent_of(time: str, metadata: Metadata) -> tuple[datetime | None, datetime | None]:
    """The first and last moment of a time in the data."""
    profile = metadata.profile(time)
    return moment(profile.low), moment(profile.high)


def moment(value: Any) -> datetime | None:
    """A cell of a time as a moment; None for any other."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None


def _sizes(
    plan: Plan, table: pa.Table, metadata: Metadata, run: Callable[[str], pa.Table | None]
) -> tuple[int, ...] | None:
    """How many rows of the data each group is made of: asked for beside averages and rates, by one query."""
    if plan.shape != "aggregate" or not plan.dimensions or plan.parts or plan.nested is not None or plan.exists:
        return None
    if metadata.key_of(plan.scope[0]) in {d.member for d in plan.dimensions}:
        return None  # each is one row, and no average of few
    if not 1 <= table.num_rows <= _MOST_SIZED or not any(_averages(measure, metadata) for measure in plan.measures):
        return None
    counted = plan.with_(
        measures=(Measure(None, "count"),), order=(), limit=None, limit_per=None, calculations=(), having=(), hidden=()
    )
    found = run(write_sql(counted, metadata).sql)
    if found is None:
        return None
    width = len(plan.dimensions)
    keys = zip(*(column.to_pylist() for column in found.columns[:width]), strict=True)
    known = dict(zip(keys, found.column(width).to_pylist(), strict=True))
    groups = zip(*(column.to_pylist() for column in table.columns[:width]), strict=True)
    return tuple(int(known.get(key, 0)) for key in groups)


def _averages(measure: Measure, metadata: Metadata) -> bool:
    member = metadata.members.get(measure.member or "")
    if measure.aggregate == "measure":
        return member is not None and member.agg_type not in ("count", "sum", "count_distinct", "min", "max")
    return measure.aggregate in _SIZED


def _spreads(
    plan: Plan, table: pa.Table, metadata: Metadata, run: Callable[[str], pa.Table | None]
) -> tuple[Spread, ...]:
    """How the values of two means lie, by one query: what their difference needs to be judged."""
    plain = metadata.plain(plan.measures[0]) if len(plan.measures) == 1 else None
    if plain is None or plain.aggregate != "avg" or table.num_rows != 2 or len(plan.dimensions) != 1:
        return ()
    if plan.shape != "aggregate" or plan.limit or plan.nested or plan.parts or plan.calculations or plain.conditions:
        return ()
    both = (replace(plain, aggregate="count_values"), replace(plain, aggregate="stddev"))
    asked = plan.with_(measures=both, order=(), having=(), hidden=())
    found = run(write_sql(asked, metadata).sql)
    if found is None:
        return ()
    known = {key: (n, d) for key, n, d in zip(*(column.to_pylist() for column in found.columns), strict=True)}
    pairs = [known.get(key, (None, None)) for key in table.column(0).to_pylist()]
    if any(n is None or d is None for n, d in pairs):
        return ()
    return tuple(Spread(int(n), float(d)) for n, d in pairs)
