"""Rows on a map by their coordinates: each place, or where there are too many of them, how many lie near each other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...charts import ChartColumn, map_of, wrapped
from ..plans.picture import chart_columns
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.literals import literal, quote
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural, lowered
from ..telling.answer import tell
from ..telling.figures import figure
from ..telling.outcome import Outcome
from ..telling.phrased import say
from .numbers import nice
from .pieces import Found, Pieces, Shown

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Coordinates", "coordinates_of", "places"]

_EACH_DRAWN = 2_000
_CELLS = 40
_COLOURED = 12
_LATITUDE, _LONGITUDE = frozenset({"lat", "latitude"}), frozenset({"lon", "lng", "long", "longitude"})


class Coordinates(Struct, frozen=True):
    """Two members that say where a row is."""

    latitude: str
    longitude: str


def coordinates_of(relations: Sequence[str], near: Sequence[str], metadata: Metadata) -> Coordinates | None:
    """The coordinates that rows have; those named as what is grouped by, where there are several.

    Parameters
    ----------
    near
        Words that the wanted ones are named by: ``destination`` of ``destination_latitude``.
    """
    found: list[tuple[int, int, Coordinates]] = []
    for relation in relations:
        members = [path for path in metadata.members if path.startswith(f"{relation}.") and metadata.is_number(path)]
        parts = {path: metadata.parts(path) for path in members}
        for path in members:
            if not parts[path] or parts[path][-1] not in _LATITUDE:
                continue
            # The two that are called alike: `pickup_latitude` goes with `pickup_longitude`.
            other = next((p for p in members if parts[p][:-1] == parts[path][:-1] and parts[p][-1] in _LONGITUDE), None)
            if other is not None:
                named = len(set(parts[path][:-1]) & set(near))
                # By how many of the words they are called by, and then by their order in the model.
                found.append((-named, len(found), Coordinates(path, other)))
    return min(found)[2] if found else None


def places(plan: Plan, at: Coordinates, metadata: Metadata) -> Generator[list[str], list[pa.Table], Found | None]:
    """Where the rows of a plan are, and its number at each place: two queries."""
    bare = plan.with_(order=(), limit=None, calculations=(), having=(), measures=plan.measures[:1])
    pieces = Pieces(bare.with_(dimensions=()), metadata)
    if pieces.bridged or plan.nested is not None or plan.parts:
        return None
    lat, lon = pieces.column(at.latitude), pieces.column(at.longitude)
    # Exactly those that are on the globe: 0/0 and swapped columns come through, 999 for unknown does not.
    known = [f"{lat} BETWEEN -90 AND 90", f"{lon} BETWEEN -180 AND 180"]
    asked = pieces.select(
        [
            ("COUNT(*)", "rows"),
            *((f"{f}({c})", f"{n}_{f.lower()}") for c, n in ((lat, "lat"), (lon, "lon")) for f in ("MIN", "MAX")),
        ],
        rules=known,
    )  # fmt: skip
    every = pieces.select([("COUNT(*)", "rows")])
    ends, whole = yield [asked, every]
    count, south, north, west, east = next(iter(ends.to_pylist())).values()
    rows = int(whole.column(0)[0].as_py() or 0)
    noun = _noun(plan, metadata)
    if not count:
        return Found((), (say("None of {n} rows of {t} has a place on a map.", n=f"{rows:,}", t=noun),))
    heads = chart_columns(bare, write_sql(bare, metadata), metadata)
    drawn = _Drawn(plan, pieces, at, metadata, heads, known)
    sql, columns = drawn.each(int(count)) or drawn.cells(float(south), float(north), float(west), float(east))
    (table,) = yield [sql]
    filled = tuple(c.filled(table.column(c.name).to_pylist()) for c in columns)
    reach = {
        "v1": _degrees(float(south), "NS"), "v2": _degrees(float(north), "NS"),
        "v3": _degrees(float(west), "EW"), "v4": _degrees(float(east), "EW"),
    }  # fmt: skip
    told = [*drawn.told(filled), say("They lie from {v1} to {v2} and from {v3} to {v4}.", **reach)]
    if rows - int(count):
        left = {"n1": f"{rows - int(count):,}", "n2": f"{rows:,}"}
        told.append(say("{n1} of {n2} rows have no place on a map.", **left))
    what = drawn.what(noun)
    brief = drawn.headline or what
    body = drawn.picture(filled)
    title: dict[str, Any] = {"text": wrapped(brief), "anchor": "start"}
    if brief != what:
        title["subtitle"] = wrapped(what, 80)
    spec = body and {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json", "title": title, "description": f"{what}.", **body,
    }  # fmt: skip
    return Found((Shown(what, sql, columns, spec),), tuple(told))


def _noun(plan: Plan, metadata: Metadata) -> str:
    noun = lowered(metadata.relation(plan.scope[0]).title.split(" with ")[0])
    return noun if is_plural(noun) else "rows"


def _degrees(value: float, ways: str) -> str:
    return f"{abs(value):.1f}° {ways[0] if value >= 0 else ways[1]}"


class _Drawn:
    """What of the rows is put on the map: groups with their number, the rows themselves, or how many are near."""

    def __init__(
        self, plan: Plan, pieces: Pieces, at: Coordinates, metadata: Metadata, heads: Sequence[ChartColumn],
        known: Sequence[str],
    ) -> None:  # fmt: skip
        self.plan, self.pieces, self.at, self.metadata, self.known = plan, pieces, at, metadata, known
        self.value = next((head for head in heads if head.measured), None)
        self.group = next((head for head in heads if not head.measured), None) if len(plan.dimensions) == 1 else None
        self.many = False
        self.headline = ""

    @property
    def _grouped(self) -> bool:
        """Whether each group is a place of its own: one of many, and not a colour."""
        # Few groups that only count rows are colours of the points; many, or those with a number, are places
        # themselves.
        return self.group is not None and (self.group.cardinality > _COLOURED or not self._counts_rows)

    @property
    def _counts_rows(self) -> bool:
        plain = self.metadata.plain(self.plan.measures[0]) if self.plan.measures else None
        return plain is None or plain.aggregate == "count" and plain.member is None and not plain.conditions

    def _axes(self, *, mean: bool) -> list[tuple[str, str]]:
        return [
            (f"AVG({self.pieces.column(path)})" if mean else self.pieces.column(path), name)
            for path, name in ((self.at.latitude, "latitude"), (self.at.longitude, "longitude"))
        ]

    def _heads(self) -> tuple[ChartColumn, ChartColumn]:
        return (
            ChartColumn("latitude", "number", self.metadata.member(self.at.latitude).title, format="number_4"),
            ChartColumn("longitude", "number", self.metadata.member(self.at.longitude).title, format="number_4"),
        )

    def each(self, count: int) -> tuple[str, tuple[ChartColumn, ...]] | None:
        """Groups, or rows where these are few enough."""
        if self._grouped and self.group is not None and self.value is not None:
            named = [(self.pieces.dimension(self.plan.dimensions[0]), "place")]
            value = [(self.pieces.value(), "value"), ("COUNT(*)", "rows")]
            sql = self.pieces.select(
                [*named, *self._axes(mean=True), *value],
                rules=self.known,
                groups=1,
                order="4 DESC, 1",
                limit=_EACH_DRAWN,
            )
            rows = ChartColumn("rows", "number", "Rows", measured=True)
            return sql, (replace(self.group, name="place"), *self._heads(), replace(self.value, name="value"), rows)
        if count > _EACH_DRAWN or not self._counts_rows:
            return None
        label = self.metadata.label_of(self.plan.scope[0])
        named = [(self.pieces.column(label), "place")] if label else []
        kind = [(self.pieces.dimension(self.plan.dimensions[0]), "kind")] if self.group is not None else []
        sql = self.pieces.select([*named, *self._axes(mean=False), *kind], rules=self.known, order="1, 2")
        head = (ChartColumn("place", "category", self.metadata.member(label).title),) if label else ()
        kinds = (replace(self.group, name="kind"),) if self.group is not None else ()
        return sql, (*head, *self._heads(), *kinds)

    def cells(self, south: float, north: float, west: float, east: float) -> tuple[str, tuple[ChartColumn, ...]]:
        """How many rows, or what number, lie in each cell of a grid; all of them are counted."""
        self.many = True
        # Where all rows are at one place there is still a cell of some width.
        steps = [nice(max(high - low, 1e-6) / _CELLS) for low, high in ((south, north), (west, east))]
        paths = (self.at.latitude, self.at.longitude)
        cells = [
            (f"FLOOR({self.pieces.column(path)} / {literal(step)})", name)
            for path, step, name in zip(paths, steps, ("row", "column"), strict=True)
        ]
        number = [] if self._counts_rows or self.value is None else [(self.pieces.value(), "value")]
        # A cell stands where its rows are on average: a grid of corners would look like data.
        counted = self.pieces.select(
            [*cells, *self._axes(mean=True), ("COUNT(*)", "rows"), *number], rules=self.known, groups=2, order="1, 2"
        )
        shown = ", ".join(quote(name) for name in ("latitude", "longitude", "rows", *(["value"] if number else [])))
        # Largest first, so that small points are drawn over them and stay in sight.
        sql = f"WITH q AS ({counted}) SELECT {shown} FROM q ORDER BY {quote('rows')} DESC, 1, 2"
        rows = ChartColumn("rows", "number", "Rows", measured=True, additive=True)
        value = (replace(self.value, name="value"),) if number and self.value is not None else ()
        return sql, (*self._heads(), rows, *value)

    def picture(self, columns: Sequence[ChartColumn]) -> dict[str, Any] | None:
        by = {column.name: column for column in columns}
        value, rows, kind = by.get("value"), by.get("rows"), by.get("kind")
        rows = rows if self.many else None
        size = rows if rows is not None else value if value is not None and value.additive else None
        shade = kind if kind is not None else value if value is not None and value is not size else None
        others = tuple(c for c in columns if c.name not in ("latitude", "longitude"))
        return map_of(by["latitude"], by["longitude"], others, shade=shade, size=size)

    def told(self, columns: Sequence[ChartColumn]) -> list[str]:
        """What stands out by number, or how many places there are."""
        by = {column.name: column for column in columns}
        count = len(by["latitude"].cells or ())
        if self.many:
            rows = sum(int(cell or 0) for cell in by["rows"].cells or ())
            drawn = {"n1": figure(rows), "n2": f"{count:,}"}
            return [say("**{n1}** rows, drawn at {n2} places: rows that are near each other are one point.", **drawn)]
        if "value" in by and "place" in by:
            sizes = tuple(int(cell or 0) for cell in by["rows"].cells or ()) if not by["value"].additive else None
            outcome = Outcome((by["place"], by["value"]), self.value.title if self.value else "", sizes=sizes)
            telling = tell(outcome)
            self.headline = telling.headline
            return list(telling.sentences)
        return [say("**{n}** places.", n=f"{count:,}")]

    def what(self, noun: str) -> str:
        by = f" by {lowered(self.group.title)}" if self.group is not None and not self.many else ""
        number = self.value.title if self.value is not None and (self._grouped or not self._counts_rows) else ""
        return f"{number or noun[:1].upper() + noun[1:]}{by} on a map"
