"""Measures, with their filters, windows, grains and shifts."""

from __future__ import annotations

from typing import cast, get_args

from ..intervals import UNBOUNDED
from ..model import Case, Measure, MeasureType, RollingWindow, TimeShift
from . import schemas
from .elements import ElementReader
from .fields import Fields
from .fragments import sql_literal
from .names import member_name
from .tree import Node

__all__ = ["MeasureReader"]

_MEASURE_TYPES = (*get_args(MeasureType), "number_agg", "running_total")
_NEEDS_NO_SQL = ("count", "rank")


class MeasureReader(ElementReader):
    """Reads measures."""

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
            # What the older type means.
            kind, window = "sum", window or RollingWindow(trailing=UNBOUNDED)
        grain = self._grain(fields)
        order_by = self._order_by(fields, name)
        if kind == "rank" and not order_by:
            self.problems.error(
                f"measure '{name}' of type rank needs order_by, such as '- {{sql: \"{{total}}\", dir: desc}}'",
                fields.source,
            )
        shifts = self._time_shifts(fields)
        staged = [k for k in ("group_by", "reduce_by", "add_group_by", "grain", "time_shift", "filter") if k in fields]
        multi_stage = fields.flag("multi_stage", bool(staged)) or kind == "rank"
        for key in (*staged, *(["order_by"] if "order_by" in fields else [])):
            if not multi_stage:
                self.problems.error(f"measure '{name}': '{key}' needs 'multi_stage: true'", fields.place(key))
        return Measure(
            name=name,
            # Without a type it was told; as a number it brings about the fewest further findings.
            type=cast("MeasureType", "number" if kind in ("number_agg", None) else kind),
            sql=_case_sql(case) if case is not None else sql,
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
        node = fields.get("filters")
        single = [node] if node is not None and isinstance(node.value, dict) else None
        for item in single or fields.sequence("filters"):
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
            if ("interval" in inner) == ("name" in inner):
                self.problems.error(
                    "a time shift needs interval and type, such as '- {interval: 1 year, type: prior}', or the name of "
                    "a calendar's time shift",
                    item.source,
                )
            dimension = inner.text("time_dimension")
            found.append(
                TimeShift(
                    interval,
                    "next" if way == "next" else "prior",
                    member_name(dimension, self.relation) if dimension else None,
                    inner.text("name"),
                )
            )
        if len(found) > 1 and any(shift.time_dimension is None for shift in found):
            self.problems.error(
                f"{fields.called}: with several time shifts each needs its time_dimension", fields.place("time_shift")
            )
        return tuple(found)


def _case_sql(case: Case) -> str:
    """A measure's case as the SQL it stands for."""

    def value(label: str | None, sql: str | None) -> str:
        return f"({sql})" if sql is not None else sql_literal(label or "")

    whens = " ".join(f"WHEN {when.sql} THEN {value(when.label, when.label_sql)}" for when in case.when)
    told = case.else_label is not None or case.else_sql is not None
    return f"CASE {whens}{f' ELSE {value(case.else_label, case.else_sql)}' if told else ''} END"
