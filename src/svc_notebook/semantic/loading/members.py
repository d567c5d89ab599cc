"""Dimensions, measures, segments, hierarchies and joins of one cube or view."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import cast, get_args

from ..intervals import STANDARD_GRANULARITIES, UNBOUNDED, IntervalError, parse_interval
from ..model import (
    Case,
    CaseWhen,
    Dimension,
    DimensionType,
    Granularity,
    Hierarchy,
    Join,
    Measure,
    MeasureType,
    Relationship,
    RollingWindow,
    Segment,
    TimeShift,
)  # fmt: skip
from . import schemas
from .fields import Fields
from .fragments import Fragments, sql_literal
from .problems import Problems
from .tree import Node

__all__ = ["MemberReader"]

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_DIMENSION_TYPES = (*get_args(DimensionType), "switch")
_MEASURE_TYPES = (*get_args(MeasureType), "number_agg", "running_total")
_NEEDS_NO_SQL = ("count", "rank")
_RELATIONSHIPS = {
    "has_one": "one_to_one", "has_many": "one_to_many", "belongs_to": "many_to_one",
    "hasone": "one_to_one", "hasmany": "one_to_many", "belongsto": "many_to_one",
}  # fmt: skip
_REFERENCE_NAME = re.compile(r"\A\{?\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}?((?:\.[A-Za-z_]\w*)*)\Z")


def member_name(text: str, own: str = "") -> str:
    """A member named by ``x``, ``CUBE.x``, ``{CUBE}.x``, ``{CUBE.x}`` or ``cube.x``, without its own cube's name."""
    match = _REFERENCE_NAME.match(text.strip().removeprefix("$"))
    path = (match[1] + match[2]).split(".") if match is not None else [text.strip()]
    return ".".join(path[1:] if len(path) > 1 and path[0] in ("CUBE", "TABLE", own) else path)


@dataclass
class MemberReader:
    """Reads the members of one relation; findings go to ``problems``, SQL to ``fragments``."""

    relation: str
    problems: Problems
    fragments: Fragments

    def name_of(self, fields: Fields) -> str:
        """The element's name, checked to be an identifier."""
        name = (fields.text("name") or "").strip()
        if not name:
            self.problems.error(f"a {fields.schema.kind} of '{self.relation}' has no name", fields.source)
        elif not _IDENTIFIER.match(name):
            self.problems.error(
                f"'{name}' cannot name a {fields.schema.kind}: use letters, digits and '_', and put the wording "
                f"into 'title'",
                fields.where("name"),
            )
        return name

    # --- dimensions -------------------------------------------------------------------------------------------------

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
        elif kind not in ("geo", "switch") and sql is None and case is None:
            self.problems.error(f"dimension '{name}' needs sql or case", fields.source)
        granularities = self._granularities(fields, name)
        if granularities and kind not in ("time", None):
            self.problems.error(
                f"dimension '{name}': only a time dimension has granularities, this one is {kind}",
                fields.place("granularities"),
            )
        order = fields.choice("order", ("asc", "desc"))
        return Dimension(
            name=name,
            type=cast("DimensionType", "string" if kind in ("switch", None) else kind),
            sql=sql,
            case=case,
            latitude=latitude,
            longitude=longitude,
            primary_key=primary_key,
            public=fields.flag("public", not primary_key),
            title=fields.text("title"),
            description=fields.text("description"),
            format=self._format(fields),
            currency=self._currency(fields),
            granularities=granularities,
            sub_query=fields.flag("sub_query", False),
            propagate_filters_to_sub_query=fields.flag("propagate_filters_to_sub_query", False),
            mask=self._mask(fields, name),
            order="asc" if order == "asc" else "desc" if order == "desc" else None,
            meta=fields.meta(),
            source=fields.source,
        )

    def _sql(self, fields: Fields, name: str, role: str = "sql") -> str | None:
        return self.fragments.add(self.relation, name, role, fields.text("sql"), fields.where("sql"))

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
        if given is not None and given.items and all(item.raw in STANDARD_GRANULARITIES for item in given.items):
            self.problems.warning(
                f"'granularities' of {fields.called} names standard ones, which are there anyway", given.source
            )
            return ()
        for key, node in self.named(fields, "granularities", "granularity"):
            inner = Fields(node, schemas.GRANULARITY, self.problems, name=key)
            granularity = self.name_of(inner)
            if granularity in STANDARD_GRANULARITIES:
                self.problems.error(
                    f"'{granularity}' is a standard granularity; give the custom one of '{name}' another name",
                    inner.where("name"),
                )
            interval, offset, origin = (
                self._interval(inner, "interval"),
                self._interval(inner, "offset", signed=True),
                inner.text("origin"),
            )
            if inner.get("interval") is None and not inner.get("sql"):
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

    def _interval(self, fields: Fields, key: str, *, signed: bool = False, unbounded: bool = False) -> str | None:
        text = fields.text(key)
        if text is None or (unbounded and text.strip() == UNBOUNDED):
            return None if text is None else UNBOUNDED
        try:
            interval = parse_interval(text)
        except IntervalError as error:
            self.problems.error(f"'{key}' of {fields.called}: {error}", fields.where(key))
            return None
        if not signed and (interval.negative or not interval):
            self.problems.error(f"'{key}' of {fields.called} must be longer than nothing", fields.where(key))
        return " ".join(text.split())

    # --- measures ---------------------------------------------------------------------------------------------------

    def measure(self, name: str, node: Node) -> Measure:
        fields = Fields(node, schemas.MEASURE, self.problems, name=name)
        name = self.name_of(fields)
        kind = fields.choice(
            "type",
            _MEASURE_TYPES,
            {"countdistinct": "count_distinct", "countdistinctapprox": "count_distinct_approx", "average": "avg"},
        )
        if kind is None and fields.get("type") is None:
            self.problems.error(f"measure '{name}' has no type ({', '.join(get_args(MeasureType))})", fields.source)
        sql, case = self._sql(fields, name), self._case(fields, name)
        if kind is not None and kind not in _NEEDS_NO_SQL and sql is None and case is None:
            self.problems.error(f"measure '{name}' of type {kind} needs sql", fields.source)
        window = self._window(fields, name)
        if kind == "running_total":
            kind, window = "sum", window or RollingWindow(trailing=UNBOUNDED)
        grain = self._grain(fields)
        order_by = self._order_by(fields, name)
        if kind == "rank" and not order_by:
            self.problems.error(
                f"measure '{name}' of type rank needs order_by, such as '- {{sql: \"{{total}}\", dir: desc}}'",
                fields.source,
            )
        shifts = self._time_shifts(fields)
        multi_stage = fields.flag("multi_stage", False) or kind == "rank"
        for key in ("group_by", "reduce_by", "add_group_by", "grain", "order_by", "time_shift"):
            if key in fields and not multi_stage:
                self.problems.error(f"measure '{name}': '{key}' needs 'multi_stage: true'", fields.place(key))
        return Measure(
            name=name,
            type=cast("MeasureType", "number" if kind in ("number_agg", None) else kind),
            sql=sql,
            filters=self._filters(fields, name),
            rolling_window=window,
            multi_stage=multi_stage,
            group_by=grain["group_by"],
            reduce_by=grain["reduce_by"],
            add_group_by=grain["add_group_by"],
            order_by=order_by,
            time_shift=shifts,
            case=case,
            public=fields.flag("public", True),
            title=fields.text("title"),
            description=fields.text("description"),
            format=self._format(fields),
            currency=self._currency(fields),
            drill_members=tuple(member_name(text, self.relation) for text, _ in fields.texts("drill_members")),
            mask=self._mask(fields, name),
            meta=fields.meta(),
            source=fields.source,
        )

    def _filters(self, fields: Fields, name: str) -> tuple[str, ...]:
        found: list[str] = []
        for item in fields.sequence("filters"):
            sql_node = item.entries.get("sql")
            if sql_node is None or len(item.entries) != 1:
                self.problems.error(
                    f"a filter of measure '{name}' is written as '- sql: \"{{CUBE}}.status = 'done'\"'", item.source
                )
                continue
            text = fields.text_of(sql_node, f"a filter of {fields.called}")
            sql = self.fragments.add(self.relation, name, "filter", text, sql_node.source)
            found += [sql] if sql is not None else []
        return tuple(found)

    def _window(self, fields: Fields, name: str) -> RollingWindow | None:
        node = fields.mapping("rolling_window")
        if node is None:
            return None
        inner = Fields(node, schemas.ROLLING_WINDOW, self.problems, name=name)
        kind = inner.choice("type", ("fixed", "to_date", "year_to_date", "quarter_to_date", "month_to_date")) or "fixed"
        granularity = inner.text("granularity")
        if kind not in ("fixed", "to_date"):
            kind, granularity = "to_date", kind.removesuffix("_to_date")
        if kind == "to_date":
            if granularity is None:
                self.problems.error(
                    f"measure '{name}': a to_date window needs a granularity, such as 'year'", inner.source
                )
            return RollingWindow(type="to_date", granularity=granularity or "year")
        if granularity is not None:
            self.problems.error(f"measure '{name}': a granularity needs 'type: to_date'", inner.place("granularity"))
        trailing = self._interval(inner, "trailing", signed=True, unbounded=True)
        leading = self._interval(inner, "leading", signed=True, unbounded=True)
        if "trailing" not in inner and "leading" not in inner:
            self.problems.error(
                f"measure '{name}': a rolling window needs trailing or leading, such as 'trailing: 1 month'",
                inner.source,
            )
        return RollingWindow(
            trailing, leading, "start" if inner.choice("offset", ("start", "end")) == "start" else "end"
        )

    def _grain(self, fields: Fields) -> dict[str, tuple[str, ...] | None]:
        legacy = {"keep_only": "group_by", "exclude": "reduce_by", "include": "add_group_by"}
        found: dict[str, tuple[str, ...] | None] = {}
        node = fields.mapping("grain")
        grain = Fields(node, schemas.GRAIN, self.problems, name=self.relation) if node is not None else None
        for new, old in legacy.items():
            holder, key = (grain, new) if grain is not None and new in grain else (fields, old)
            names = tuple(member_name(text, self.relation) for text, _ in holder.texts(key))
            found[old] = names if key in holder else None
            if grain is not None and new in grain and old in fields:
                self.problems.error(f"'{old}' says again what 'grain.{new}' says; keep one", fields.place(old))
        if found["group_by"] is not None and found["reduce_by"] is not None:
            self.problems.error(
                f"{fields.called}: group_by (keep_only) and reduce_by (exclude) exclude each other", fields.source
            )
        return found

    def _order_by(self, fields: Fields, name: str) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for item in fields.sequence("order_by"):
            sql_node, way = item.entries.get("sql"), item.entries.get("dir")
            if sql_node is None or (way is not None and str(way.value).lower() not in ("asc", "desc")):
                self.problems.error(
                    f"an entry of order_by of measure '{name}' is written as '- {{sql: \"{{total}}\", dir: desc}}'",
                    item.source,
                )
                continue
            sql = self.fragments.add(
                self.relation, name, "sql", fields.text_of(sql_node, "'sql' of order_by"), sql_node.source
            )
            if sql is not None:
                found.append((sql, "desc" if way is not None and str(way.value).lower() == "desc" else "asc"))
        return tuple(found)

    def _time_shifts(self, fields: Fields) -> tuple[TimeShift, ...]:
        found: list[TimeShift] = []
        for item in fields.sequence("time_shift"):
            inner = Fields(item, schemas.TIME_SHIFT, self.problems)
            interval, way = self._interval(inner, "interval"), inner.choice("type", ("prior", "next"))
            if "interval" not in inner and not self._named_shift(item):
                self.problems.error(
                    "a time shift needs interval and type, such as '- {interval: 1 year, type: prior}'", item.source
                )
            dimension = inner.text("time_dimension")
            found.append(
                TimeShift(
                    interval,
                    "next" if way == "next" else "prior",
                    member_name(dimension, self.relation) if dimension else None,
                )
            )
        if len(found) > 1 and any(shift.time_dimension is None for shift in found):
            self.problems.error(
                f"{fields.called}: with several time shifts each needs its time_dimension", fields.place("time_shift")
            )
        return tuple(found)

    @staticmethod
    def _named_shift(item: Node) -> bool:
        return "name" in item.entries  # already reported as unsupported

    # --- shared -----------------------------------------------------------------------------------------------------

    def _case(self, fields: Fields, name: str) -> Case | None:
        node = fields.mapping("case")
        if node is None:
            return None
        inner = Fields(node, schemas.CASE, self.problems, name=name)
        switch_text = inner.text("switch")
        switch = self.fragments.add(self.relation, name, "sql", switch_text, inner.where("switch"))
        if fields.get("sql") is not None:
            self.problems.error(f"{fields.called} has both sql and case; keep one", fields.place("sql"))
        whens = [
            when for item in inner.sequence("when") if (when := self._when(fields, item, name, switch)) is not None
        ]
        if not whens and not inner.sequence("when"):
            self.problems.error(f"'case' of {fields.called} needs 'when', a list of conditions", node.source)
        label, label_sql = self._label(fields, inner.get("else"), name)
        return Case(tuple(whens), label, label_sql)

    def _when(self, fields: Fields, item: Node, name: str, switch: str | None) -> CaseWhen | None:
        entries = item.entries
        if switch is not None:
            if not {"value", "sql"} <= set(entries):
                self.problems.error(
                    f"an entry of 'when' of {fields.called} is written as '- {{value: EUR, sql: \"{{amount_eur}}\"}}'",
                    item.source,
                )
                return None
            result = self.fragments.add(
                self.relation, name, "sql", fields.text_of(entries["sql"], "'sql' of 'when'"), entries["sql"].source
            )
            return CaseWhen(f"({switch}) = {sql_literal(entries['value'].value)}", "", result)
        if not {"sql", "label"} <= set(entries):
            self.problems.error(
                f"an entry of 'when' of {fields.called} is written as '- {{sql: \"{{CUBE}}.size = 'xl'\", label: XL}}'",
                item.source,
            )
            return None
        condition = self.fragments.add(
            self.relation, name, "condition", fields.text_of(entries["sql"], "'sql' of 'when'"), entries["sql"].source
        )
        label, label_sql = self._label(fields, item, name)
        return CaseWhen(condition, label or "", label_sql) if condition is not None else None

    def _label(self, fields: Fields, node: Node | None, name: str) -> tuple[str | None, str | None]:
        if node is None:
            return None, None
        given = (
            node.entries.get("label", node.entries.get("sql") if "label" not in node.entries else None)
            if isinstance(node.value, dict)
            else node
        )
        if given is None:
            self.problems.error(f"'else' of {fields.called} is written as '{{label: Other}}'", node.source)
            return None, None
        sql_node = (
            given.entries.get("sql")
            if isinstance(given.value, dict)
            else given
            if "label" not in node.entries and isinstance(node.value, dict)
            else None
        )
        if sql_node is not None:
            return None, self.fragments.add(
                self.relation, name, "sql", fields.text_of(sql_node, "'sql' of a label"), sql_node.source
            )
        return fields.text_of(given, f"a label of {fields.called}"), None

    def _mask(self, fields: Fields, name: str) -> str | None:
        node = fields.get("mask")
        if node is None:
            return None
        if isinstance(node.value, dict):
            sql_node = node.entries.get("sql")
            if sql_node is None or len(node.entries) != 1:
                self.problems.error(f"'mask' of {fields.called} is a value or {{sql: …}}", node.source)
                return None
            return self.fragments.add(
                self.relation, name, "mask", fields.text_of(sql_node, "'sql' of a mask"), sql_node.source
            )
        if isinstance(node.value, list):
            self.problems.error(f"'mask' of {fields.called} is a value or {{sql: …}}, not a list", node.source)
            return None
        return sql_literal(node.value)

    def _format(self, fields: Fields) -> str | None:
        node = fields.get("format")
        if node is not None and isinstance(node.value, dict):
            told = node.entries.get("value") or node.entries.get("type")  # {type: custom-numeric, value: .2f}
            return str(told.value) if told is not None else None
        return fields.text("format")

    def _currency(self, fields: Fields) -> str | None:
        text = fields.text("currency")
        if text is not None and not re.fullmatch(r"[A-Za-z]{3}", text):
            self.problems.error(
                f"'{text}' is no currency code; write three letters such as EUR", fields.where("currency")
            )
        return text.upper() if text is not None else None

    def segment(self, name: str, node: Node) -> Segment:
        fields = Fields(node, schemas.SEGMENT, self.problems, name=name)
        name = self.name_of(fields)
        sql = self._sql(fields, name, "condition")
        if sql is None:
            self.problems.error(f"segment '{name}' needs sql", fields.source)
        return Segment(
            name,
            sql or "FALSE",
            fields.flag("public", True),
            fields.text("title"),
            fields.text("description"),
            fields.meta(),
            fields.source,
        )

    def hierarchy(self, name: str, node: Node) -> Hierarchy:
        fields = Fields(node, schemas.HIERARCHY, self.problems, name=name)
        levels = tuple(member_name(text, self.relation) for text, _ in fields.texts("levels"))
        if not levels:
            self.problems.error(f"hierarchy '{name}' needs levels, a list of dimensions", fields.source)
        return Hierarchy(self.name_of(fields), levels, fields.text("title"), fields.flag("public", True))

    def join(self, name: str, node: Node) -> Join:
        fields = Fields(node, schemas.JOIN, self.problems, name=name)
        name = self.name_of(fields)
        relationship = fields.choice("relationship", get_args(Relationship), _RELATIONSHIPS)
        if relationship is None and fields.get("relationship") is None:
            self.problems.error(
                f"join '{name}' has no relationship ({', '.join(get_args(Relationship))})", fields.source
            )
        sql = self.fragments.add(self.relation, name, "join", fields.text("sql"), fields.where("sql"))
        if sql is None:
            self.problems.error(
                f"join '{name}' needs sql, such as \"{{CUBE}}.{name}_id = {{{name}}}.id\"", fields.source
            )
        return Join(name, cast("Relationship", relationship or "many_to_one"), sql or "FALSE", fields.source)

    def named(self, fields: Fields, key: str, kind: str) -> list[tuple[str, Node]]:
        """The entries of a section, written as a list with names or as a mapping by name; duplicates are reported."""
        return named_entries(fields.get(key), kind, fields.called, self.problems)


def named_entries(node: Node | None, kind: str, owner: str, problems: Problems) -> list[tuple[str, Node]]:
    """See :meth:`MemberReader.named`."""
    if node is None:
        return []
    found: dict[str, Node] = {}
    if isinstance(node.value, dict):
        for name, item in node.value.items():
            if isinstance(item.value, dict):
                where = node.key_sources.get(name, item.source)
                entries = {"name": Node(name, where, name), **{k: v for k, v in item.value.items() if k != "name"}}
                found[name] = Node(entries, where, key_sources={"name": where, **item.key_sources})
            else:
                problems.error(f"{kind} '{name}' of {owner} must be a mapping, not {item.kind}", item.source)
        return list(found.items())
    if not isinstance(node.value, list):
        problems.error(f"the {kind} list of {owner} must be a list, not {node.kind}", node.source)
        return []
    for position, item in enumerate(node.value):
        if not isinstance(item.value, dict):
            problems.error(
                f"an entry of the {kind} list of {owner} must be a mapping with a name, not {item.kind}", item.source
            )
            continue
        name_node = item.entries.get("name")
        name = name_node.raw.strip() if name_node is not None and not isinstance(name_node.value, (dict, list)) else ""
        if name and name in found:
            first = found[name].source
            problems.error(f"{kind} '{name}' of {owner} is declared twice, first in line {first.line}", item.source)
            continue
        found[name or f"#{position}"] = item
    return list(found.items())


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
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
        return 12 % interval.months == 0 or interval.months % 12 == 0
    if interval.days:
        return interval.days in (1, 7)
    return 86_400 % interval.seconds == 0
