"""How numbers lie: quartiles, mean, lean and tails, with bins of a width that fits; and what lies far out."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from ...charts import ChartColumn
from ..plans.picture import chart_columns
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.literals import literal
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title
from ..telling.figures import figure, said
from ..telling.phrased import say
from .curves import CURVES, Curve, curve
from .numbers import bin_width, fences
from .pieces import Found, Pieces, Shown, drawn_from, statistic

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["far_out", "spread"]

_QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)
_TAIL = 1.5  # how many times as far as the last hundredth begins the extremes may lie before a picture leaves them out
_LEAN = 0.2  # gap of mean and median, in deviations, from which on numbers lean to a side
_LISTED = 20


class _Stats:
    """What one row of statistics says of a column."""

    def __init__(self, table: pa.Table) -> None:
        row = [None if v is None else float(v) for v in next(iter(table.to_pylist())).values()]
        self.rows, self.count = int(row[0] or 0), int(row[1] or 0)
        self.mean, self.deviation, self.low, self.high = (v or 0.0 for v in row[2:6])
        self.first, self.q1, self.median, self.q3, self.last = (v or 0.0 for v in row[6:11])

    @property
    def missing(self) -> int:
        return self.rows - self.count

    def shown(self) -> tuple[float, float]:
        """From where to where a picture goes: the tails are left out where they are long."""
        # A tail is long in relation to the middle 98 hundredths; where these are one value, anything else is.
        reach = _TAIL * max(self.last - self.first, 1e-12)
        low = self.low if self.low >= self.first - reach / 4 else self.first
        high = self.high if self.high <= self.last + reach / 4 else self.last
        return low, high


def _stats(pieces: Pieces, column: str) -> str:
    shown = [("COUNT(*)", "rows"), (f"COUNT({column})", "count"), (f"AVG({column})", "mean")]
    shown += [(f"STDDEV({column})", "deviation"), (f"MIN({column})", "low"), (f"MAX({column})", "high")]
    shown += [(f"QUANTILE_CONT({column}, {q})", f"q{round(q * 100)}") for q in _QUANTILES]
    return pieces.select(shown)


def _number_column(path: str, plan: Plan, metadata: Metadata) -> ChartColumn:
    rows = Plan(plan.scope, shape="rows", columns=(path,))
    return chart_columns(rows, write_sql(rows, metadata), metadata)[0]


def spread(
    plan: Plan, path: str, metadata: Metadata, *, drawn_as: Curve = "bars"
) -> Generator[list[str], list[pa.Table], Found | None]:
    """How the values of a number lie among the rows of a plan: two queries, three where a curve leaves out low ones."""
    bare = Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives)
    pieces = Pieces(bare, metadata)
    if pieces.bridged:
        return None
    column, shown = pieces.column(path), _number_column(path, plan, metadata)
    asked = _stats(pieces, column)
    (table,) = yield [asked]
    stats = _Stats(table)
    title = member_title(path, metadata)
    if not stats.count:
        return Found((), (say("No row has a {t}.", t=lowered(title)),))
    low, high = stats.shown()
    # Six numbers that are whole: the bins of a column of whole numbers must be as well, or every other is empty.
    whole = all(float(v).is_integer() for v in (stats.low, stats.high, stats.first, stats.q1, stats.q3, stats.last))
    width = bin_width((stats.q1, stats.q3), stats.deviation, stats.count, low, high, whole=whole)
    edge = f"FLOOR({column} / {literal(width)}) * {literal(width)}"
    rules = [f"{column} IS NOT NULL"]
    cut = low > stats.low or high < stats.high
    if cut:
        # To the edges of bins, so that the first and the last one are counted whole.
        low = low // width * width
        high = (high // width + 1) * width
        rules += [f"{column} >= {literal(low)}", f"{column} < {literal(high)}"]
    sql = pieces.select([(edge, "from"), ("COUNT(*)", "rows")], rules=rules, groups=1, order="1")
    # Where a curve begins in the middle, what lies below is known only by counting it.
    under = pieces.select([("COUNT(*)", "below")], rules=[f"{column} < {literal(low)}"])
    bins, *lower = yield [sql, *([under] if drawn_as == "cumulative" and low > stats.low else [])]
    below = int(lower[0].column(0)[0].as_py() or 0) if lower else 0
    drawn = sum(int(n or 0) for n in bins.column(1).to_pylist())
    said_all = _told(stats, shown, title)
    if drawn < stats.count:
        said_all.append(
            say(
                "The picture goes from {v1} to {v2}; {n1} of {n2} values lie outside.",
                v1=said(shown, low), v2=said(shown, high), n1=f"{stats.count - drawn:,}", n2=f"{stats.count:,}",
            )
        )  # fmt: skip
    columns = (
        ChartColumn("from", "bin", title, width=width, unit=shown.unit, currency=shown.currency, format=shown.format),
        ChartColumn("rows", "number", "Rows", measured=True, additive=True),
    )
    half = f"Half lie between {said(shown, stats.q1)} and {said(shown, stats.q3)}"
    what = f"{title} of {stats.count:,} rows, in steps of {figure(width)}"
    if drawn_as == "bars":
        spec = drawn_from(columns, bins, title=half, subtitle=what, description=f"{what}.", ordered=True)
    else:
        filled = columns[0].filled(bins.column(0).to_pylist())
        what = f"{title} of {stats.count:,} rows: {CURVES[drawn_as]}" + (
            f" of {figure(width)}" if drawn_as == "density" else ""
        )
        spec = curve(drawn_as, filled, "rows", stats.count, below, half, what)
    others = (f"Outliers in {lowered(title)}",)
    results = (Shown(f"Distribution of {lowered(title)}", sql, columns, spec), _stats_shown(asked, shown, title))
    return Found(results, tuple(said_all), others)


def _stats_shown(sql: str, column: ChartColumn, title: str) -> Shown:
    """The one row of statistics that the words are made of."""
    names = {"rows": "Rows", "count": f"Rows with {lowered(title)}", "mean": "Mean", "deviation": "Standard deviation"}
    names |= {"low": "Smallest", "q1": "1 % below", "q25": "First quartile", "q50": "Median"}
    names |= {"q75": "Third quartile", "q99": "99 % below", "high": "Largest"}
    heads = tuple(
        ChartColumn(name, "number", words, measured=True)
        if name in ("rows", "count")
        else statistic(column, name, words)
        for name, words in names.items()
    )
    return Shown(f"Statistics of {lowered(title)}", sql, heads)


def _told(stats: _Stats, column: ChartColumn, title: str) -> list[str]:
    name = lowered(title)
    told: list[str] = [
        say(
            "Half of the values of {t} lie between **{v1}** and **{v2}**; the median is **{v3}**, the mean {v4}, "
            "all lie from {v5} to {v6}.",
            t=name, v1=said(column, stats.q1), v2=said(column, stats.q3), v3=said(column, stats.median),
            v4=said(column, stats.mean), v5=said(column, stats.low), v6=said(column, stats.high),
        )
    ]  # fmt: skip
    lean = (stats.mean - stats.median) / stats.deviation if stats.deviation else 0.0
    if abs(lean) >= _LEAN:
        told.append(
            say("They lean to one side: a few high values pull the mean up.") if lean > 0
            else say("They lean to one side: a few low values pull the mean down.")
        )  # fmt: skip
    over = {"v": said(column, stats.deviation), "n": f"{stats.count:,}"}
    told.append(say("The standard deviation is {v}, over {n} rows.", **over))
    if stats.missing:
        told.append(say("{n1} of {n2} rows have no {t}.", n1=f"{stats.missing:,}", n2=f"{stats.rows:,}", t=name))
    return told


def far_out(plan: Plan, path: str, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """Rows whose number lies far out of its quartiles: three queries."""
    bare = Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives)
    pieces = Pieces(bare, metadata)
    if pieces.bridged:
        return None
    column, shown = pieces.column(path), _number_column(path, plan, metadata)
    title = member_title(path, metadata)
    asked = _stats(pieces, column)
    (table,) = yield [asked]
    stats = _Stats(table)
    low, high = fences(stats.q1, stats.q3)
    if not stats.count:
        return Found((), (say("No row has a {t}.", t=lowered(title)),))
    # Fences of quartiles that are equal would call every other value far out.
    if stats.q1 == stats.q3:
        same = said(shown, stats.median)
        text = say("At least half of the rows have the same {t} ({v}), so none is far out.", t=lowered(title), v=same)
        return Found((), (text,))
    beyond = f"({column} < {literal(low)} OR {column} > {literal(high)})"
    counted = pieces.select(
        [("COUNT(*)", "rows"), (f"MIN({column})", "low"), (f"MAX({column})", "high")], rules=[beyond]
    )
    labels = _labels(plan, path, metadata)
    places = ", ".join(str(place + 1) for place in range(len(labels) + 1))
    listed = pieces.select(
        [*((pieces.column(label), label.split(".", 1)[1]) for label in labels), (column, path.split(".", 1)[1])],
        rules=[beyond], order=f"ABS({column} - {literal(stats.median)}) DESC, {places}", limit=_LISTED,
    )  # fmt: skip
    count, _ = yield [counted, listed]
    found, least, most = count.to_pylist()[0].values()
    above = high <= stats.high or low < stats.low
    if low < stats.low:  # nothing can lie below what there is
        limits = say("above {v}", v=said(shown, high))
    elif above:
        limits = say("below {v1} or above {v2}", v1=said(shown, low), v2=said(shown, high))
    else:
        limits = say("below {v}", v=said(shown, low))
    if not found:
        text = say(
            "**No outliers**: no {t} lies {s}, three times the middle half beyond it.", t=lowered(title), s=limits
        )
        return Found((), (text,), (f"Distribution of {lowered(title)}",))
    told = [
        say(
            "**{n1} of {n2}** values of {t} ({v1}) lie far out: {s}, three times the middle half ({v2} to {v3}) "
            "beyond it.",
            n1=f"{int(found):,}", n2=f"{stats.count:,}", t=lowered(title), v1=figure(found / stats.count, "percent"),
            s=limits, v2=said(shown, stats.q1), v3=said(shown, stats.q3),
        ),
        say("They go from {v1} to {v2}.", v1=said(shown, least), v2=said(shown, most)),
    ]  # fmt: skip
    if found > _LISTED:
        told.append(say("The table shows the {n} farthest.", n=str(_LISTED)))
    rows = Plan(plan.scope, shape="rows", columns=(*labels, path))
    columns = tuple(chart_columns(rows, write_sql(rows, metadata), metadata))
    heads = (
        ChartColumn("rows", "number", "Rows far out", measured=True),
        *(statistic(shown, *named) for named in (("low", "Smallest of them"), ("high", "Largest of them"))),
    )
    results = (
        Shown(f"Values of {lowered(title)} that lie far out", listed, columns), _stats_shown(asked, shown, title),
        Shown(f"How many values of {lowered(title)} lie far out", counted, heads),
    )  # fmt: skip
    return Found(results, tuple(told), (f"Distribution of {lowered(title)}",))


def _labels(plan: Plan, path: str, metadata: Metadata) -> list[str]:
    """What tells a row: its key or name, and its time."""
    relation = plan.scope[0]
    wanted = [metadata.label_of(relation), *metadata.times([relation])[:1]]
    members = [m.path for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    texts = [m for m in members if metadata.members[m].kind == "dimension" and metadata.members[m].type == "string"]
    return list(dict.fromkeys([w for w in wanted if w and w != path] + texts))[:4]
