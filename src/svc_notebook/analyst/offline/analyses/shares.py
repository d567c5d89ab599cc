"""How few groups make most of a total: the Pareto list."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ...charts import ChartColumn
from ...charts.encodings import PALETTE, position, tooltip
from ...charts.orders import NO_COLOUR
from ..plans.picture import chart_columns
from ..plans.plan import Order, Plan
from ..plans.sql import write_sql
from ..schema.literals import quote
from ..schema.metadata import Metadata
from ..schema.nouns import lowered, member_title, plural
from ..telling.figures import figure, label, number, said
from ..telling.phrased import say
from .pieces import Found, Shown, cells

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["concentration"]

_DRAWN = 30
_MOST_DRAWN = 45


def concentration(
    plan: Plan, metadata: Metadata, most: float = 0.8
) -> Generator[list[str], list[pa.Table], Found | None]:
    """Which groups make ``most`` (a share) of a sum, the largest first: one query."""
    if len(plan.dimensions) != 1 or plan.parts or plan.nested is not None:
        return None
    bare = plan.with_(
        measures=plan.measures[:1], order=(Order("measure", 0, True),), limit=None, calculations=(), having=()
    )
    inner = write_sql(bare, metadata)
    group, value = (quote(column.name) for column in inner.columns)
    order = f"ORDER BY {value} DESC NULLS LAST, {group}"
    # NULLIF: no share of a whole that is nought.
    so_far = f"SUM({value}) OVER ({order}) * 1.0 / NULLIF(SUM({value}) OVER (), 0)"
    own = f"{value} * 1.0 / NULLIF(SUM({value}) OVER (), 0)"
    # The order is the window's; inside it would be computed for nothing.
    text = write_sql(bare.with_(order=()), metadata).sql.rsplit(" ORDER BY ", 1)[0]
    sql = f'WITH q AS ({text}) SELECT {group}, {value}, {own} AS "share", {so_far} AS "cumulative" FROM q {order}'
    by, column = chart_columns(bare, inner, metadata)
    if not column.additive:
        return None
    (table,) = yield [sql]
    values = [number(v) for v in cells(table, 1)]
    names = [label(by, name) for name in cells(table, 0)]
    known = [v for v in values if v is not None]
    total = sum(known)
    group_title = lowered(member_title(plan.dimensions[0].member, metadata)).removesuffix(" id")
    noun, title = plural(group_title), lowered(column.title)
    # With numbers below nought the running share passes 100 % and comes back.
    if not known or total <= 0 or min(known) < 0:
        return Found((), (say("{t} has no total that groups could share.", t=column.title),))
    reached, count = 0.0, 0
    for value_of in known:
        reached, count = reached + value_of, count + 1
        # Sums of floats: exactly four fifths should count as reached.
        if reached >= most * total - 1e-9 * total:
            break
    first = known[0] / total
    after = [
        say("{g} ({v})", g=name, v=figure(v / total, "percent"))
        for name, v in zip(names[1:3], known[1:3], strict=False)
    ]
    told = [
        say(
            "**{n1} of {n2} {k}** make up {v1} of {t} ({v2} of {v3}).",
            n1=f"{count:,}", n2=f"{len(names):,}", k=noun, v1=figure(reached / total, "percent"), t=title,
            v2=said(column, reached), v3=said(column, total),
        ),
        say("The largest is {g} with {v}, then {l}.", g=names[0], v=figure(first, "percent"), l=after) if after
        else say("The largest is {g} with {v}.", g=names[0], v=figure(first, "percent")),
    ]  # fmt: skip
    running = ChartColumn("cumulative", "number", "Share of all so far", measured=True, format="percent", computed=True)
    brief = f"{count:,} of {len(names):,} {noun} make up {figure(reached / total, 'percent')}"
    single = ChartColumn("share", "number", "Share", measured=True, format="percent", computed=True)
    what = f"{column.title} by {lowered(by.title)}, the largest first, with the running share"
    # All that make up the share are in sight, with a little of what follows.
    drawn = min(max(_DRAWN, count + 2), _MOST_DRAWN)
    spec = _pareto(by.filled(cells(table, 0)), single, running, brief, what, drawn, most)
    return Found((Shown(what, sql, (by, column, single, running), spec),), tuple(told))


def _pareto(
    by: ChartColumn, share: ChartColumn, running: ChartColumn, title: str, what: str, drawn: int, most: float
) -> dict[str, Any]:
    """Bars of the shares and the line of their sum, both in per cent and so on one axis, with the share asked for."""
    x = position(by, sort=None)
    first = [{"window": [{"op": "row_number", "as": "__place"}]}, {"filter": {"field": "__place", "lte": drawn}}]
    cut = f"; the {drawn} largest of {by.cardinality:,}" if by.cardinality > drawn else ""
    level: dict[str, Any] = {
        # A layer over the same rows would draw a rule for each of them.
        "transform": [{"aggregate": [{"op": "count", "as": "__groups"}]}],
        "mark": {"type": "rule", "color": NO_COLOUR, "strokeDash": [4, 4]}, "encoding": {"y": {"datum": most}},
    }  # fmt: skip
    marks = (
        ({"type": "bar", "color": PALETTE[0]}, share),
        ({"type": "line", "point": {"color": PALETTE[5]}, "color": PALETTE[5]}, running),
    )
    layers: list[dict[str, Any]] = [
        {"mark": mark, "encoding": {
            "x": x, "y": {**position(column, zero=True), "title": "Share of all"}, "tooltip": tooltip((by, column)),
        }}
        for mark, column in marks
    ]  # fmt: skip
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": title, "subtitle": f"{what}{cut}", "anchor": "start"}, "description": f"{what}.",
        "transform": first, "width": 560, "height": 300,
        "layer": [*layers, level],
    }  # fmt: skip
