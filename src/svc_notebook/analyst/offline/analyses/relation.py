"""How two numbers go together: sign, strength, how many rows, by how much, and whether a straight line says it."""

from __future__ import annotations

import math
from collections.abc import Generator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ....records import dataclass
from ...charts import ChartColumn
from ...charts.along_time import titled_below
from ...charts.encodings import PALETTE
from ..plans.picture import chart_columns
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.literals import literal
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title
from ..telling.figures import figure, said
from ..telling.phrased import say
from .numbers import bin_width, nice
from .pieces import Found, Pieces, Shown, cells, drawn_from, statistic

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["relation"]

_ALL_DRAWN = 2_000
_STRENGTHS = ((0.1, "hardly any"), (0.3, "a weak"), (0.6, "a moderate"), (2.0, "a strong"))
_BENT = 0.1
_LEAST = 3
_CELLS = 24
_LEAST_CELLS = 6


def relation(
    plan: Plan, one: str, other: str, metadata: Metadata, expected: int = 0
) -> Generator[list[str], list[pa.Table], Found | None]:
    """How two numbers of the same rows go together: three queries.

    Parameters
    ----------
    expected
        What is asked for with yes or no: 1 that both are high together, -1 that one is where the other is low.
    """
    bare = Plan(plan.scope, conditions=plan.conditions, alternatives=plan.alternatives)
    pieces = Pieces(bare, metadata)
    if pieces.bridged:
        return None
    x, y = pieces.column(one), pieces.column(other)
    both = [f"{x} IS NOT NULL", f"{y} IS NOT NULL"]
    numbers = [("COUNT(*)", "rows"), (f"CORR({x}, {y})", "correlation")]
    for column, name in ((x, "x"), (y, "y")):
        numbers += [(f"STDDEV({column})", f"{name}_deviation"), (f"AVG({column})", f"{name}_mean")]
        # Outermost hundredths, since one mistyped value would set the ends of a picture.
        numbers += [(f"QUANTILE_CONT({column}, {q})", f"{name}_{round(q * 100)}") for q in (0.01, 0.99)]
    asked = pieces.select(numbers, rules=both)
    (table,) = yield [asked]
    row = [None if v is None else float(v) for v in next(iter(table.to_pylist())).values()]
    n, r = int(row[0] or 0), row[1]
    names = f"{lowered(member_title(one, metadata))} and {lowered(member_title(other, metadata))}"
    if n < _LEAST or r is None:
        return Found(
            (),
            (say("There are too few rows with both {t}, or one of them never changes: nothing to relate.", t=names),),
        )
    sx, x_mean, x1, x99 = (v or 0.0 for v in row[2:6])
    sy, y_mean, y1, y99 = (v or 0.0 for v in row[6:10])
    columns = _columns(plan, one, other, metadata)
    width = bin_width((x1, x99), sx, n, x1, x99, whole=False) if x99 > x1 else 1.0
    edge = f"FLOOR({x} / {literal(width)}) * {literal(width)}"
    within = [*both, f"{x} >= {literal(x1)}", f"{x} <= {literal(x99)}"]
    shape = pieces.select(
        [(edge, "from"), (f"AVG({y})", "mean"), ("COUNT(*)", "rows")], rules=within, groups=1, order="1"
    )
    # Beyond so many, points cover each other; shades count all of them, where a sample would drop some.
    across, up = _Side(x, x1, x99, sx), _Side(y, y1, y99, sy)
    drawn = _points(pieces, one, other, both) if n <= _ALL_DRAWN else _shades(pieces, across, up, n)
    # Two rounds: how wide slices and cells are to be is known only by the first.
    bent, picture = yield [shape, drawn]
    told = [*([_meets(r * expected)] if expected else []), _strength(r, n, names)]
    line: _Line | None = None
    if abs(r) >= _STRENGTHS[0][0] and sx:
        line = _Line(r * sy / sx, (x_mean, y_mean), (x1, x99), (y1, y99))
        named = (lowered(member_title(one, metadata)), lowered(member_title(other, metadata)))
        told.append(_slope(columns, r * sy / sx, sx, named))
    told += _shape(bent, r, sy)
    told.append(say("A correlation does not say which of the two comes of the other, or whether either does."))
    title = f"{'No' if abs(r) < 0.1 else 'Positive' if r > 0 else 'Negative'} correlation: {figure(round(r, 2))}"
    what = f"{member_title(one, metadata)} and {lowered(member_title(other, metadata))} of {n:,} rows"
    if n <= _ALL_DRAWN:
        spec = drawn_from(columns, picture, title=title, subtitle=what, description=f"{what}.", rows=True, mark="point")
        spec = line.through(spec) if line is not None and spec is not None else spec
        shown = Shown(what, drawn, columns, spec)
    else:
        shown = _shaded(what, title, drawn, picture, columns, line, (across.whole, up.whole))
    others = tuple(f"Distribution of {lowered(member_title(path, metadata))}" for path in (other, one))
    heads = tuple(_statistic(name, columns) for _, name in numbers)
    return Found((shown, Shown(f"Statistics of {names}", asked, heads)), tuple(told), others)


@dataclass(frozen=True)
class _Line:
    """The straight line through all rows, as far as the middle 98 hundredths of both numbers go."""

    slope: float
    means: tuple[float, float]
    across: tuple[float, float]
    up: tuple[float, float]

    def through(self, spec: dict[str, Any]) -> dict[str, Any]:
        """A chart with the line over it."""
        (x_mean, y_mean), (low, high) = self.means, sorted(self.up)
        # Cut where it leaves the picture: a line beyond the axes would stretch them.
        reached = sorted(x_mean + (y - y_mean) / self.slope for y in (low, high)) if self.slope else self.across
        left, right = max(self.across[0], reached[0]), min(self.across[1], reached[1])
        if left >= right:
            return spec
        ends = [y_mean + self.slope * (x - x_mean) for x in (left, right)]
        unit = {key: spec[key] for key in ("mark", "transform", "encoding") if key in spec}
        rule = {
            # One rule for the whole chart: without this each row draws it again.
            "transform": [{"aggregate": [{"op": "count", "as": "__rows"}]}],
            "mark": {"type": "rule", "color": PALETTE[5], "strokeDash": [6, 4], "strokeWidth": 2},
            "encoding": {
                "x": {"datum": left}, "x2": {"datum": right}, "y": {"datum": ends[0]}, "y2": {"datum": ends[1]},
            },
        }  # fmt: skip
        rest = {key: part for key, part in spec.items() if key not in unit}
        return titled_below({**rest, "layer": [unit, rule]}, "dashed: the straight line through them")


def _statistic(name: str, columns: tuple[ChartColumn, ...]) -> ChartColumn:
    """The head of a statistic: of both columns, or of one and counted as that is."""
    side, _, what = name.partition("_")
    if not what:
        return ChartColumn(name, "number", name.capitalize(), measured=True)
    column = columns[side == "y"]
    known = {"deviation": "Standard deviation of", "mean": "Mean", "1": "1 % below in", "99": "99 % below in"}
    return statistic(column, name, f"{known[what]} {lowered(column.title)}")


def _columns(plan: Plan, one: str, other: str, metadata: Metadata) -> tuple[ChartColumn, ...]:
    rows = Plan(plan.scope, shape="rows", columns=(one, other))
    return tuple(chart_columns(rows, write_sql(rows, metadata), metadata))


def _points(pieces: Pieces, one: str, other: str, rules: list[str]) -> str:
    shown = [(pieces.column(path), path.split(".", 1)[1]) for path in (one, other)]
    return pieces.select(shown, rules=rules, order="1, 2")


@dataclass(frozen=True)
class _Side:
    """A column along an axis: its outermost hundredths, and its standard deviation."""

    column: str
    low: float
    high: float
    deviation: float

    @property
    def whole(self) -> bool:
        """Whether numbers whose hundredths lie there are taken for whole ones."""
        return self.low.is_integer() and self.high.is_integer()

    def step(self, count: int) -> float:
        """How wide a cell is for so many rows: by Scott's rule in two dimensions, one at least for whole numbers."""
        spread = self.high - self.low
        if spread <= 0:
            return 1.0
        # Narrower cells hold a row or two each, and their colours are chance.
        width = nice(min(max(3.49 * self.deviation / count**0.25, spread / _CELLS), spread / _LEAST_CELLS))
        return max(1.0, width) if self.whole else width


def _shades(pieces: Pieces, across: _Side, up: _Side, count: int) -> str:
    """How many rows lie in each cell of a grid over the middle 98 hundredths: all of them are counted."""
    shown, within = [], []
    for side, name in ((across, "x"), (up, "y")):
        step = side.step(count)
        shown.append((f"FLOOR({side.column} / {literal(step)}) * {literal(step)}", name))
        # To the edges of cells: one that is cut would look empty.
        ends = (math.floor(side.low / step) * step, (math.floor(side.high / step) + 1) * step)
        low, high = (literal(float(f"{end:.12g}")) for end in ends)
        within.append(f"{side.column} >= {low} AND {side.column} < {high}")
    return pieces.select([*shown, ("COUNT(*)", "rows")], rules=within, groups=2, order="1, 2")


def _shaded(
    what: str, title: str, sql: str, table: pa.Table, columns: tuple[ChartColumn, ...], line: _Line | None,
    wholes: tuple[bool, bool],
) -> Shown:  # fmt: skip
    named = [
        ChartColumn(
            name,
            "bin",
            column.title,
            width=_step(cells(table, place)),
            unit=column.unit,
            currency=column.currency,
            whole=whole,
        )
        for place, (name, column, whole) in enumerate(zip(("x", "y"), columns, wholes, strict=True))
    ]
    shown = (*named, ChartColumn("rows", "number", "Rows", measured=True, additive=True))
    subtitle = f"{what}; the middle 98 % of each"
    spec = drawn_from(shown, table, title=title, subtitle=subtitle, description=f"{what}.", mark="rect")
    return Shown(what, sql, shown, line.through(spec) if line is not None and spec is not None else spec)


def _step(values: list[float]) -> float:
    # The result's own step: floats of an edge differ from the width that was asked for.
    known = sorted(set(values))
    return min((b - a for a, b in pairwise(known)), default=1.0)


def _meets(r: float) -> str:
    """Whether two numbers go together as was asked."""
    if abs(r) < _STRENGTHS[0][0]:
        return say("**Hardly**: the two have next to nothing to do with each other.")
    return say("**Yes**, more often than not.") if r > 0 else say("**No**, it is rather the other way round.")


def _strength(r: float, n: int, names: str) -> str:
    strength = next(words for most, words in _STRENGTHS if abs(r) < most)
    sign = "" if abs(r) < _STRENGTHS[0][0] else " positive" if r > 0 else " negative"
    more = ""
    if sign:
        more = ": where one is high, the other tends to be " + ("high" if r > 0 else "low")
    return say(
        "**{n1}** is the correlation of {t}, {s} ({n2} rows).",
        n1=f"{round(r, 2) + 0:.2f}", t=names, s=say(f"{strength}{sign} linear relation{more}"), n2=f"{n:,}",
    )  # fmt: skip


def _slope(columns: tuple[ChartColumn, ...], slope: float, deviation: float, names: tuple[str, str]) -> str:
    """What goes with a round step of about one deviation."""
    first, second = columns
    step = nice(deviation)
    parts = {"t1": names[0], "v1": said(first, step), "t2": names[1], "v2": said(second, abs(slope) * step)}
    if slope > 0:
        return say("Along the straight line through them, where {t1} is {v1} higher, {t2} is {v2} higher.", **parts)
    return say("Along the straight line through them, where {t1} is {v1} higher, {t2} is {v2} lower.", **parts)


def _shape(table: pa.Table, r: float, deviation: float) -> list[str]:
    """Whether the means of slices along the first number tell more than a line does."""
    means, sizes = cells(table, 1), cells(table, 2)
    # A slice of few rows has a mean by chance.
    known = [(float(m), float(n)) for m, n in zip(means, sizes, strict=True) if m is not None and n >= 10]
    total = sum(n for _, n in known)
    if len(known) < 5 or not total or not deviation:
        return []
    mean = sum(m * n for m, n in known) / total
    explained = sum(n * (m - mean) ** 2 for m, n in known) / total / deviation**2
    # By how much more of the scatter slices explain than the line; that slices explain a little more is always so.
    if explained - r * r > _BENT:
        return [say("A straight line says too little here: the relation bends (see the picture).")]
    return []
