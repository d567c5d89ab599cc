"""Box plots: the middle half, the median and where all but the outermost values lie, of each group; one query."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn
from ...charts.encodings import PALETTE, position, steps, tooltip
from ...scales import along_scale
from ..plans.picture import chart_columns
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title
from ..telling.figures import label, number, said
from ..telling.phrased import say
from .pieces import Found, Pieces, Shown, statistic

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["boxes"]

_QUANTILES = ((0.05, "low", "5 % below"), (0.25, "q1", "First quartile"), (0.5, "median", "Median"),
              (0.75, "q3", "Third quartile"), (0.95, "high", "95 % below"))  # fmt: skip
_DRAWN = 30
_FEW = 5  # rows that make no box


def boxes(plan: Plan, path: str, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """How the values of a number lie in each group of a plan, or among all its rows."""
    pieces = Pieces(plan.with_(measures=(), order=(), limit=None, calculations=(), having=()), metadata)
    # A bridge counts a row once for each group it is in: quantiles of repeated rows would be wrong.
    if pieces.bridged or plan.parts or plan.nested is not None or any(d.bin for d in plan.dimensions):
        return None
    grouped = plan.with_(order=(), limit=None, calculations=(), having=(), measures=plan.measures[:1])
    column = pieces.column(path)
    # The heads alone are wanted of this statement; it is never run.
    heads = chart_columns(grouped, write_sql(grouped, metadata), metadata)
    groups = [head for head in heads if not head.measured]
    shown = _number(plan, path, metadata)
    texts = [(pieces.dimension(d), head.name) for d, head in zip(plan.dimensions, groups, strict=True)]
    stats = [(f"QUANTILE_CONT({column}, {share})", name) for share, name, _ in _QUANTILES]
    order = ", ".join(str(place + 1) for place in range(len(texts)))
    sql = pieces.select(
        [*texts, (f"COUNT({column})", "rows"), *stats],
        rules=[f"{column} IS NOT NULL"], groups=len(texts), order=order,
    )  # fmt: skip
    (table,) = yield [sql]
    title = member_title(path, metadata)
    columns = (
        *groups,
        ChartColumn("rows", "number", "Rows", measured=True),
        *(statistic(shown, name, words) for _, name, words in _QUANTILES),
    )
    filled = tuple(c.filled(table.column(c.name).to_pylist()) for c in columns)
    by = f" by {lowered(groups[0].title)}" if groups else ""
    what = f"{title}{by}"
    # A group whose number is always missing is no row of the result either.
    if not table.num_rows or not any(number(n) for n in filled[len(groups)].cells or ()):
        return Found((), (say("No row has a {t}.", t=lowered(title)),))
    told, headline = _told(filled, len(groups), shown, title)
    spec = _drawn(filled, len(groups), shown, headline, what)
    others = (f"Distribution of {lowered(title)}", f"Outliers in {lowered(title)}")
    return Found((Shown(f"Box plot of {lowered(what)}", sql, columns, spec),), tuple(told), others)


def _number(plan: Plan, path: str, metadata: Metadata) -> ChartColumn:
    rows = Plan(plan.scope, shape="rows", columns=(path,))
    return replace(chart_columns(rows, write_sql(rows, metadata), metadata)[0], title=member_title(path, metadata))


def _told(columns: tuple[ChartColumn, ...], width: int, shown: ChartColumn, title: str) -> tuple[list[str], str]:
    """The medians that lie farthest apart, the widest middle half, and groups too small to say anything."""
    name, values = lowered(title), {c.name: [number(v) for v in c.cells or ()] for c in columns[width:]}
    rows = [int(n or 0) for n in values["rows"]]
    if not width:
        ends = [said(shown, values[quantile][0]) for _, quantile, _ in _QUANTILES]
        half = f"from {ends[1]} to {ends[3]}"
        text = say(
            "The median of {t} is **{v1}**; the middle half lies from {v2} to {v3}, nine tenths from {v4} to {v5}.",
            t=name, v1=ends[2], v2=ends[1], v3=ends[3], v4=ends[0], v5=ends[4],
        )  # fmt: skip
        return [text], f"Half of {name} lies {half}"
    by = columns[0]
    names = [label(by, cell) for cell in by.cells or ()]
    # Groups of few rows have a median by chance, and would mostly be the ends.
    kept = [(m, row) for row, m in enumerate(values["median"]) if m is not None and rows[row] >= _FEW]
    if len(kept) < 2:
        counts = {"n1": str(len(kept)), "n2": str(len(names)), "n3": str(_FEW)}
        return [say("Only {n1} of {n2} {k} have {n3} rows or more.", k=by.noun, **counts)], title
    (high, top), (low, bottom) = max(kept), min(kept)
    widest = max(kept, key=lambda pair: (values["q3"][pair[1]] or 0) - (values["q1"][pair[1]] or 0))[1]
    if high == low:
        same = {"t": name, "v": said(shown, high), "n": f"{len(kept):,}", "k": by.noun}
        told: list[str] = [say("The median of {t} is **{v}** in each of {n} {k}.", **same)]
        headline = f"The median of {name} is {said(shown, high)} in each of {len(kept):,} {by.noun}"
    else:
        told = [
            say(
                "**{g1}** has the highest median {t}: **{v1}**; {g2} the lowest ({v2}), of {n} {k}.",
                g1=names[top], t=name, v1=said(shown, high), g2=names[bottom], v2=said(shown, low),
                n=f"{len(kept):,}", k=by.noun,
            )
        ]  # fmt: skip
        headline = f"{names[top]} has the highest median {name}, {names[bottom]} the lowest"
    ends = [said(shown, values[quartile][widest]) for quartile in ("q1", "q3")]
    middle = {"g": names[widest], "v1": ends[0], "v2": ends[1]}
    told.append(say("{g} is spread out most: its middle half lies from {v1} to {v2}.", **middle))
    if small := len(names) - len(kept):
        told.append(
            say("{n1} with fewer than {n2} rows [is|are] not compared.", small != 1, n1=f"{small:,}", n2=str(_FEW))
        )
    return told, headline


def _drawn(columns: tuple[ChartColumn, ...], width: int, shown: ChartColumn, title: str, what: str) -> dict[str, Any]:
    """A rule, a box and a line for each group, by their medians where they have no order of their own."""
    by = columns[0] if width else None
    cells = {c.name: c for c in columns}
    tips = tooltip(columns)
    # Boxes say where values lie, not how much of them there is: an axis from nought would press them together.
    value = position(replace(cells["median"], title=shown.title), zero=False)
    # Each layer has another field on the same axis.
    plain = {key: part for key, part in value.items() if key != "field"}
    place: dict[str, Any] = {}
    if by is not None:
        order = along_scale([cell for cell in by.cells or () if cell is not None]) if by.kind == "category" else None
        ranked = {"field": "median", "op": "max", "order": "descending"}
        y = steps(by) if by.kind == "time" else position(by, sort=by.order or order or ranked)
        place = {"y": {key: part for key, part in y.items() if key != "scale"}}
    layers = [
        ({"type": "rule", "color": "#8a8a8a"}, ("low", "high")),
        ({"type": "bar", "color": PALETTE[4], "size": 12}, ("q1", "q3")),
        ({"type": "tick", "color": "#1b1b1f", "thickness": 2, "size": 14}, ("median", None)),
    ]
    drawn = []
    for mark, (start, end) in layers:
        encoding = {**place, "x": {**plain, "field": start}, "tooltip": tips}
        drawn.append({"mark": mark, "encoding": {**encoding, "x2": {"field": end}} if end else encoding})
    # They are in the table, and said not to be compared.
    few = [{"filter": f"datum.rows >= {_FEW}"}] if by is not None else []
    many = by is not None and by.cardinality > _DRAWN
    top = [
        {"window": [{"op": "row_number", "as": "__place"}], "sort": [{"field": "rows", "order": "descending"}]},
        {"filter": {"field": "__place", "lte": _DRAWN}},
    ] if many else []  # fmt: skip
    cut = f"; the {_DRAWN} with most rows" if many else ""
    below = f"{what}: the middle half, its median, and from where to where nine tenths lie{cut}"
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": title, "subtitle": below, "anchor": "start"}, "description": f"{what}.",
        "transform": [*few, *top], "width": 460, "height": {"step": 22} if by is not None else 60, "layer": drawn,
    }  # fmt: skip
