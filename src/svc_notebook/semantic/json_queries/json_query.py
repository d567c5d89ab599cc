"""Queries as JSON (dimensions, measures, time dimensions, filters) put into the SQL that the model is asked in.

The format is that of the open-source Cube project's REST API. What comes out is ordinary SQL over cubes and views: it
passes the same resolver, policies and limits as any other; nothing is decided here about who may see what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ...records import dataclass
from ..catalog import Catalog, Member
from ..errors import InvalidQuery
from .json_dates import date_span
from .json_filters import condition, quoted, timestamp
from .json_members import JsonMembers, column_of
from .json_order import directions, limits

__all__ = ["JsonColumn", "JsonQuery", "translate"]

# Each range is a query of its own.
MAX_RANGES = 50
MAX_DEPTH = 50  # of filters in filters
_KEYS = {
    "dimensions", "filters", "limit", "measures", "offset", "order", "segments", "timeDimensions", "timezone", "total",
    "ungrouped", "fillMissingDates",
}  # fmt: skip
_IGNORED = {"renewQuery", "responseFormat", "cache", "queryType", "type", "rowLimit"}  # no influence on the rows


@dataclass(frozen=True)
class JsonColumn:
    """A column of the answer: ``key`` as the caller spells it (``orders.created_at.month``), and its member."""

    key: str
    member: Member
    relation_title: str = ""


@dataclass(frozen=True)
class JsonQuery:
    """SQL for one JSON query.

    Attributes
    ----------
    sql
        What to ask the layer.
    total_sql
        Counts the rows that ``limit`` and ``offset`` cut from; None unless ``total`` was asked for.
    columns
        The SQL's columns in order.
    timezone
        The query's time zone.
    date_range
        The span of a ``compareDateRange`` this query stands for.
    """

    sql: str
    total_sql: str | None
    columns: tuple[JsonColumn, ...]
    timezone: str
    date_range: tuple[datetime, datetime] | None = None


def translate(query: Mapping[str, Any], catalog: Catalog, *, now: datetime) -> list[JsonQuery]:
    """Put a JSON query into SQL: one statement, or one for each range of a ``compareDateRange``.

    Parameters
    ----------
    query
        The query object.
    catalog
        What the asker may see; names outside it are unknown.
    now
        The moment that relative date ranges count from, in the query's time zone.

    Raises
    ------
    QueryError
        The query is malformed, or names what the asker cannot see.
    """
    for key in query:
        # Ignoring a misspelt key would answer another question.
        if key not in _KEYS | _IGNORED:
            raise InvalidQuery(f"a query has no '{key}'; it may have {', '.join(sorted(_KEYS))}")
    times = _list(query, "timeDimensions")
    ranges = [item for item in times if isinstance(item, Mapping) and item.get("compareDateRange")]
    if not ranges:
        return [_Translation(query, catalog, now).result()]
    if len(ranges) > 1:
        raise InvalidQuery("only one time dimension may have a 'compareDateRange'")
    spans = _list(ranges[0], "compareDateRange")
    if len(spans) > MAX_RANGES:
        raise InvalidQuery(f"a 'compareDateRange' has at most {MAX_RANGES} ranges")
    found = []
    for span in spans:
        single = {**{key: value for key, value in ranges[0].items() if key != "compareDateRange"}, "dateRange": span}
        spelled = [single if item is ranges[0] else item for item in times]
        one = _Translation({**query, "timeDimensions": spelled}, catalog, now).result()
        found.append(replace(one, date_range=date_span(span, now)))
    return found


def _list(query: Mapping[str, Any], key: str) -> list[Any]:
    value = query.get(key) or []
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidQuery(f"'{key}' is a list")
    return list(value)


class _Translation:
    """One query on its way into SQL."""

    def __init__(self, query: Mapping[str, Any], catalog: Catalog, now: datetime) -> None:
        self.query, self.catalog, self.now = query, catalog, now
        self.members = JsonMembers(catalog)
        self.items: list[tuple[JsonColumn, str]] = []  # column, expression
        self.where: list[str] = []
        self.having: list[str] = []
        self.positions: dict[str, int] = {}

    def result(self) -> JsonQuery:
        for name in _list(self.query, "measures"):
            self.members.named(name, "measure")  # whose cubes lead: theirs are the rows, and others are joined to them
        for name in _list(self.query, "dimensions"):
            self._dimension(name)
        for item in _list(self.query, "timeDimensions"):
            self._time_dimension(item)
        grouped = len(self.items)
        for name in _list(self.query, "measures"):
            member = self.members.named(name, "measure")
            column = column_of(member)
            self._add(name, member, column if self.query.get("ungrouped") else f"MEASURE({column})")
        for name in _list(self.query, "segments"):
            self.where.append(f"{column_of(self.members.named(name, 'segment'))} IS TRUE")
        for item in _list(self.query, "filters"):
            text, on_measure = self._filter(item)
            (self.having if on_measure else self.where).append(text)
        if not self.items:
            raise InvalidQuery("a query names at least one measure, dimension, or time dimension with a granularity")
        order = self._order(grouped)
        body = self._body(grouped)
        timezone = self.query.get("timezone") or "UTC"
        if not isinstance(timezone, str):
            raise InvalidQuery("'timezone' is a name such as 'Europe/Paris'")
        return JsonQuery(
            sql=body + (f" ORDER BY {order}" if order else "") + limits(self.query),
            total_sql=f"SELECT COUNT(*) AS total FROM ({body}) AS q" if self.query.get("total") else None,
            columns=tuple(column for column, _ in self.items),
            timezone=timezone,
        )

    def _body(self, grouped: int) -> str:
        items = ", ".join(f"{text} AS {quoted(column.key)}" for column, text in self.items)
        # The layer reads a list of cubes as joined by the model; CROSS JOIN says no condition.
        relations = " CROSS JOIN ".join(quoted(name) for name in self.members.relations)
        body = f"SELECT {items} FROM {relations}"
        if self.where:
            body += " WHERE " + " AND ".join(self.where)
        if grouped and not self.query.get("ungrouped"):
            # By number: two keys may be the same member at different granularities.
            body += " GROUP BY " + ", ".join(str(n + 1) for n in range(grouped))
        if self.having:
            if self.query.get("ungrouped"):
                raise InvalidQuery("an ungrouped query cannot filter on measures")
            body += " HAVING " + " AND ".join(self.having)
        return body

    # --- members -------------------------------------------------------------------------------------------------

    def _add(self, key: str, member: Member, text: str) -> None:
        if key not in self.positions:
            self.items.append((JsonColumn(key, member, self.catalog.relations[member.relation].title), text))
            self.positions[key] = len(self.items)

    def _dimension(self, name: Any) -> None:
        path, _, grain = name.rpartition(".") if isinstance(name, str) and name.count(".") == 2 else (name, "", "")
        member = self.members.named(path, "dimension")
        if grain:
            self._add(name, member, f"DATE_TRUNC({_text(grain)}, {column_of(member)})")
        else:
            self._add(name, member, column_of(member))

    def _time_dimension(self, item: Any) -> None:
        if not isinstance(item, Mapping) or not isinstance(item.get("dimension"), str):
            raise InvalidQuery("a time dimension is an object with 'dimension', and 'granularity' or 'dateRange'")
        name = item["dimension"]
        member = self.members.named(name, "dimension")
        if member.type != "time":
            raise InvalidQuery(f"'{name}' is of type {member.type}, not a time dimension")
        grain = item.get("granularity")
        if grain:
            fill = self.query.get("fillMissingDates") is True and not self.query.get("ungrouped")
            function = "DATE_TRUNC_GAPFILL" if fill else "DATE_TRUNC"
            self._add(f"{name}.{grain}", member, f"{function}({_text(grain)}, {column_of(member)})")
            # An order by the member alone means its column at this granularity.
            self.positions.setdefault(name, self.positions[f"{name}.{grain}"])
        if item.get("dateRange"):
            start, end = date_span(item["dateRange"], self.now)
            self.where += [f"{column_of(member)} >= {timestamp(start)}", f"{column_of(member)} < {timestamp(end)}"]

    # --- filters, order, limits -----------------------------------------------------------------------------------

    def _filter(self, item: Any, depth: int = 1) -> tuple[str, bool]:
        if depth > MAX_DEPTH:
            raise InvalidQuery(f"filters are nested at most {MAX_DEPTH} levels deep")
        if not isinstance(item, Mapping):
            raise InvalidQuery("a filter is an object with 'member', 'operator' and 'values', or with 'and' or 'or'")
        for kind in ("and", "or"):
            if kind in item:
                parts = [self._filter(part, depth + 1) for part in _list(item, kind)]
                if not parts:
                    raise InvalidQuery(f"'{kind}' has no filters in it")
                if len({on_measure for _, on_measure in parts}) > 1:
                    raise InvalidQuery(f"the filters of one '{kind}' are all over dimensions or all over measures")
                return "(" + f" {kind.upper()} ".join(text for text, _ in parts) + ")", parts[0][1]
        member = self.members.named(item.get("member") or item.get("dimension"), "dimension", "measure")
        on_measure = member.kind == "measure"
        text = f"MEASURE({column_of(member)})" if on_measure else column_of(member)
        return condition(text, member.type, item.get("operator"), item.get("values"), self.now), on_measure

    def _order(self, grouped: int) -> str:
        given = self.query.get("order")
        if given is None:
            return self._usual_order(grouped)
        parts = [(str(self.positions.get(name) or self._unselected(name)), way) for name, way in directions(given)]
        return ", ".join(f"{by} {way.upper()}" for by, way in parts if by and way != "none")

    def _unselected(self, name: str) -> str:
        """What decides which rows a limit leaves, without being shown; where all are shown it orders nothing."""
        member = self.members.named(name.rpartition(".")[0] if name.count(".") == 2 else name, "dimension", "measure")
        if not self.query.get("limit") and not self.query.get("offset"):
            return ""
        if self.query.get("ungrouped"):
            return column_of(member)
        if member.kind == "measure":
            return f"MEASURE({column_of(member)})"
        raise InvalidQuery(f"'order' names '{name}', by which the rows are not grouped; put it into 'dimensions' too")

    def _usual_order(self, grouped: int) -> str:
        """By the first time dimension; without one by the first measure, downwards; else by the first dimension."""
        dated = [n for n, (column, text) in enumerate(self.items[:grouped], 1) if text.startswith("DATE_TRUNC")]
        if dated:
            return f"{dated[0]} ASC"
        return f"{grouped + 1} DESC" if len(self.items) > grouped else "1 ASC"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidQuery("a granularity is a name such as 'month'")
    return "'" + value.replace("'", "''") + "'"
