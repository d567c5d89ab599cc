"""Dimensions, with their places and granularities."""

from __future__ import annotations

import re
from datetime import datetime
from typing import cast, get_args

from ..intervals import GRANULARITIES, IntervalError, parse_interval
from ..model import CalendarShift, Dimension, DimensionType, Granularity
from . import schemas
from .elements import ElementReader
from .fields import Fields
from .tree import Node

__all__ = ["DimensionReader"]

_GRAIN = ("group_by", "reduce_by", "add_group_by", "grain")
_DIMENSION_TYPES = (*get_args(DimensionType), "switch")


class DimensionReader(ElementReader):
    """Reads dimensions."""

    def dimension(self, name: str, node: Node) -> Dimension:
        fields = Fields(node, schemas.DIMENSION, self.problems, name=name)
        name = self.name_of(fields)
        kind = fields.choice("type", _DIMENSION_TYPES, {"date": "time", "datetime": "time", "timestamp": "time"})
        if kind is None and fields.get("type") is None:
            self.problems.error(f"dimension '{name}' has no type ({', '.join(get_args(DimensionType))})", fields.source)
        primary_key = fields.flag("primary_key", False)
        sql = self._sql(fields, name)
        case = self._case(fields, name)
        latitude, longitude = self._coordinate(fields, name, "latitude"), self._coordinate(fields, name, "longitude")
        if kind == "geo" and not (latitude and longitude) and sql is None:
            self.problems.error(f"dimension '{name}' of type geo needs latitude and longitude", fields.source)
        elif kind == "switch" and sql is None and case is None and not fields.texts("values"):
            self.problems.error(f"dimension '{name}' of type switch needs values, a list of words", fields.source)
        elif kind not in ("geo", "switch") and sql is None and case is None:
            self.problems.error(f"dimension '{name}' needs sql or case", fields.source)
        granularities = self._granularities(fields, name)
        if granularities and kind not in ("time", None):
            self.problems.error(
                f"dimension '{name}': only a time dimension has granularities, this one is {kind}",
                fields.place("granularities"),
            )
        shifts = self._calendar_shifts(fields, name)
        if shifts and kind not in ("time", None):
            self.problems.error(
                f"dimension '{name}': only a time dimension is shifted in time, this one is {kind}",
                fields.place("time_shift"),
            )
        grain = self._grain(fields)
        order = fields.choice("order", ("asc", "desc"))
        return Dimension(
            name=name,
            # Without a type it was told; as a text it brings about no further findings.
            type=cast("DimensionType", "string" if kind in ("switch", None) else kind),
            sql=sql,
            case=case,
            latitude=latitude,
            longitude=longitude,
            primary_key=primary_key,
            # Keys are for joining, and shown only where the model says so: Cube does likewise.
            public=fields.flag("public", not primary_key),
            title=fields.text("title"),
            description=fields.text("description"),
            format=self._format(fields),
            currency=self._currency(fields),
            granularities=granularities,
            sub_query=fields.flag("sub_query", False),
            propagate_filters_to_sub_query=fields.flag("propagate_filters_to_sub_query", False),
            multi_stage=fields.flag("multi_stage", any(key in fields for key in _GRAIN)),
            group_by=grain["group_by"],
            reduce_by=grain["reduce_by"],
            add_group_by=grain["add_group_by"],
            mask=self._mask(fields, name),
            order="asc" if order == "asc" else "desc" if order == "desc" else None,
            values=self._values(fields, kind, written=sql is not None or case is not None),
            time_shift=shifts,
            meta=fields.meta(),
            source=fields.source,
        )

    def _values(self, fields: Fields, kind: str | None, *, written: bool) -> tuple[str, ...]:
        """The values of a switch; another dimension's, or one's that has SQL, say nothing that its data does not."""
        values = dict.fromkeys(text for text, _ in fields.texts("values"))
        if kind == "switch" and not written:
            return tuple(values)
        if values and kind != "switch":
            self.problems.without_effect(
                "'values' of a dimension",
                "is without effect: only a switch has values of its own",
                fields.place("values"),
            )
        return ()

    def _calendar_shifts(self, fields: Fields, name: str) -> tuple[CalendarShift, ...]:
        found: list[CalendarShift] = []
        for item in fields.sequence("time_shift"):
            inner = Fields(item, schemas.CALENDAR_SHIFT, self.problems, name=name)
            interval, way = self._interval(inner, "interval"), inner.choice("type", ("prior", "next"))
            sql, called = self._sql(inner, name), inner.text("name")
            if [interval, sql, called].count(None) > 1:
                self.problems.error(
                    f"a time shift of '{name}' needs two of interval (with type), sql and name, such as "
                    "'- {interval: 1 month, type: prior, sql: \"{CUBE}.month_ago\"}'",
                    inner.source,
                )
            found.append(CalendarShift(called, interval, "next" if way == "next" else "prior", sql))
        return tuple(found)

    def _coordinate(self, fields: Fields, name: str, key: str) -> str | None:
        node = fields.get(key)
        if node is None:
            return None
        sql_node = node.entries.get("sql", node) if isinstance(node.value, dict) else node
        text = fields.text_of(sql_node, f"'{key}' of {fields.called}")
        return self.fragments.add(self.relation, name, "sql", text, sql_node.source)

    def _granularities(self, fields: Fields, name: str) -> tuple[Granularity, ...]:
        found: dict[str, Granularity] = {}
        given = fields.get("granularities")
        # A list of names of standard granularities, as other tools write it.
        if given is not None and given.items and all(item.raw in GRANULARITIES for item in given.items):
            self.problems.without_effect(
                "'granularities' of a dimension", "is without effect: standard ones are there anyway", given.source
            )
            return ()
        for key, node in self.named(fields, "granularities", "granularity"):
            inner = Fields(node, schemas.GRANULARITY, self.problems, name=key)
            granularity = self.name_of(inner)
            if inner.get("sql") is not None:
                found[granularity] = Granularity(granularity, title=inner.text("title"), sql=self._sql(inner, name))
                if any(key in inner for key in ("interval", "offset", "origin")):
                    self.problems.error(
                        f"granularity '{granularity}' has both sql and an interval; keep one", inner.place("sql")
                    )
                continue
            if granularity in GRANULARITIES:
                self.problems.error(
                    f"'{granularity}' is a standard granularity; give the custom one of '{name}' another name",
                    inner.where("name"),
                )
            interval, offset, origin = (
                self._interval(inner, "interval"),
                self._interval(inner, "offset", signed=True),
                inner.text("origin"),
            )
            if inner.get("interval") is None:
                self.problems.error(f"granularity '{granularity}' has no interval, such as '1 year'", inner.source)
            if offset is not None and origin is not None:
                self.problems.error(
                    f"granularity '{granularity}' has both offset and origin; keep one", inner.place("origin")
                )
            if origin is not None and not _is_time(origin):
                self.problems.error(
                    f"'{origin}' is no point in time; write the origin as '2024-04-01' or '2024-04-01 10:00:00'",
                    inner.where("origin"),
                )
            if interval is not None and origin is None and not _divides(interval):
                self.problems.error(
                    f"granularity '{granularity}': intervals of '{interval}' have no natural beginning; add an "
                    f"origin such as '2024-01-01'",
                    inner.where("interval"),
                )
            found[granularity] = Granularity(granularity, interval or "1 day", offset, origin, inner.text("title"))
        return tuple(found.values())


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        # 2024 and 2024-01, which fromisoformat does not read.
        return bool(re.fullmatch(r"\d{4}(-\d{2})?", text.strip()))
    return True


def _divides(text: str) -> bool:
    """Whether such intervals begin at natural points: days, weeks, years, or divisors of the next unit."""
    try:
        interval = parse_interval(text)
    except IntervalError:
        return True
    parts = [part for part in (interval.months, interval.days, interval.seconds) if part]
    if len(parts) != 1:
        return False
    if interval.months:
        # 5 months meet the beginning of a year every five years only, and from where they count nobody could tell.
        return 12 % interval.months == 0 or interval.months % 12 == 0
    if interval.days:
        return interval.days in (1, 7)
    return 86_400 % interval.seconds == 0
