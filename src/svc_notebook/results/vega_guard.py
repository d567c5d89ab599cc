"""A chart spec made safe: built anew from what the allowlist knows, with field names repaired on the way.

Nothing of the spec is trusted. What is not allowed is left out and said in ``notes``; when what remains cannot be a
chart of this result, :class:`ChartRefused` says why in one line and the caller shows the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import vega_allowlist as allow
from .markdown import plain_text
from .values import ColumnLike, is_numeric, is_temporal
from .vega_expressions import ExpressionRefused, safe_expression
from .vega_fields import FieldNames
from .vega_spec import ChartRefused, refuse
from .vega_transforms import safe_transforms

__all__ = ["SpecGuard"]

MAX_VIEWS = 40
MAX_SIDE = 2_000
MAX_ITEMS = 1_000

_HARMLESS = re.compile(r"[\w\s#(),.;%:+*/'\"\-–—°§&|~$@?!=\[\]{}]*")
_HARMFUL = re.compile(r"url\s*\(|//|javascript:|data:|vbscript:|@import", re.IGNORECASE)
_SCHEMAS = "https://vega.github.io/schema/vega-lite/"
_LAYOUT = ("layer", "hconcat", "vconcat", "concat")
_DATE = frozenset(["year", "quarter", "month", "date", "day", "hours", "minutes", "seconds", "milliseconds", "utc"])


class SpecGuard:
    """Walks one spec.

    Parameters
    ----------
    columns : sequence
        The result's columns.
    distinct : callable
        Number of distinct values of a column, by name (None where it is not a column).
    """

    def __init__(self, columns: Sequence[ColumnLike], distinct: Callable[[str], int | None]) -> None:
        self.columns = {column.name: column for column in columns}
        self.names = FieldNames(self.columns)
        self.by_key = {self.names.keys[name]: column for name, column in self.columns.items()}
        self.distinct = distinct
        self.notes: list[str] = []
        self.params: set[str] = set()
        self.used: set[str] = set()
        self.temporal: set[str] = set()
        self.repeats = False
        self.open_fields = False  # a pivot makes fields that nobody can name beforehand
        self._views = 0

    # -- saying what was left out -------------------------------------------------------------------------------------
    def drop(self, what: str, why: str = "not allowed in a chart") -> None:
        note = f"{what}: {why}"
        if note not in self.notes:
            self.notes.append(note)

    # -- fields -------------------------------------------------------------------------------------------------------
    def field(self, name: str) -> str:
        """A field's name escaped, and remembered as used."""
        self.used.add(self.names.plain(name))
        return self.names.escaped(name)

    def datum_field(self, name: str) -> str:
        """A field's plain name, for expressions."""
        plain = self.names.plain(name)
        self.used.add(plain)
        return plain

    def knows(self, name: str) -> bool:
        return self.open_fields or self.names.knows(name)

    # -- values -------------------------------------------------------------------------------------------------------
    def expression(self, text: Any, where: str) -> str | None:
        if not isinstance(text, str):
            self.drop(where, "an expression must be text")
            return None
        try:
            return safe_expression(text, params=self.params, field=self.datum_field)
        except ExpressionRefused as refused:
            self.drop(where, f"expression left out ({refused})")
            return None

    def plain(self, key: str, value: Any) -> Any:
        """A literal, a list of literals, or an allowed expression; ``KeyError`` when it is neither."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return max(-1e15, min(1e15, value)) if key in {"value", "values", "domain", "datum"} else _clamped(value)
        if isinstance(value, str):
            return self.text(key, value)
        if isinstance(value, Mapping):
            if set(value) == {"expr"} and (expr := self.expression(value["expr"], key)) is not None:
                return {"expr": expr}
            if value and set(value) <= _DATE:
                return {part: item for part, item in value.items() if isinstance(item, int | bool)}
        if isinstance(value, list | tuple) and len(value) <= MAX_ITEMS:
            return [self.plain(key, item) for item in value]
        raise KeyError(key)

    def text(self, key: str, value: str) -> str:
        value = plain_text(value)[:500]
        if key in {"title", "name"} and value.strip().lower() == "image":
            self.drop("title 'image'", "renamed (a tooltip would load it)")
            return "Image "
        if key in allow.TEXTS or key in {"value", "values", "domain", "datum", "equal", "sort", "options", "labels"}:
            return value
        if _HARMFUL.search(value) or not _HARMLESS.fullmatch(value):
            raise KeyError(key)
        return value

    def section(self, raw: Any, keys: frozenset[str], where: str) -> dict[str, Any]:
        """The allowed keys of a mapping whose values are literals."""
        out: dict[str, Any] = {}
        for key, value in raw.items() if isinstance(raw, Mapping) else ():
            try:
                if key not in keys:
                    raise KeyError(key)
                if key == "labelExpr":
                    if (expr := self.expression(value, f"{where}.{key}")) is not None:
                        out[key] = expr
                elif key == "formatType" and value not in {"number", "time"}:
                    raise KeyError(key)
                elif key == "format" and value == "," and where.endswith(".axis"):
                    out[key] = ",f"  # a bare comma makes an axis say 1e+4
                elif key == "tickCount" and isinstance(value, int | float):
                    out[key] = max(0, min(200, value))
                else:
                    out[key] = self.plain(key, value)
            except KeyError:
                self.drop(f"{where}.{str(key)[:40]}")
        return out

    # -- the spec -----------------------------------------------------------------------------------------------------
    def chart(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The safe spec, without data."""
        schema = raw.get("$schema", _SCHEMAS)
        if not isinstance(schema, str) or not schema.startswith(_SCHEMAS):
            self.drop("$schema", "replaced by Vega-Lite's own")
        out = self.view(raw, "spec")
        for key in ("config", "autosize", "background"):
            if key in raw and (value := getattr(self, f"_{key}")(raw[key])) is not None:
                out[key] = value
        return out

    def view(self, raw: Any, where: str) -> dict[str, Any]:
        self._views += 1
        if not isinstance(raw, Mapping) or self._views > MAX_VIEWS:
            raise ChartRefused(f"{where} is no chart" if self._views <= MAX_VIEWS else "the chart has too many parts")
        for key in ("usermeta", "datasets", "data", "selection", "projection"):
            if raw.get(key) is not None and not (key == "data" and set(raw[key]) <= {"name"}):
                self.drop(
                    key, "left out; the chart shows the query's own rows" if "data" in key else "not allowed in a chart"
                )
        out: dict[str, Any] = {}
        if raw.get("params") is not None:
            out["params"] = self._params(raw["params"])
        if raw.get("transform") is not None and (steps := safe_transforms(raw["transform"], self)):
            out["transform"] = steps
        if isinstance(raw.get("name"), str) and re.fullmatch(r"\w{1,60}", raw["name"]):
            out["name"] = raw["name"]
        if (title := self._title(raw.get("title"))) is not None:
            out["title"] = title
        for side in ("width", "height"):
            if (size := self._size(raw.get(side), side)) is not None:
                out[side] = size
        if isinstance(raw.get("view"), Mapping):
            out["view"] = self.section(raw["view"], allow.VIEW, "view")
        for key in ("spacing", "columns"):
            if isinstance(raw.get(key), int | float) and not isinstance(raw[key], bool):
                out[key] = max(0, min(200, raw[key]))
        if isinstance(raw.get("resolve"), Mapping):
            out["resolve"] = self._resolve(raw["resolve"])
        self._composition(raw, out, where)
        return {key: value for key, value in out.items() if value not in ({}, [])}

    def _composition(self, raw: Mapping[str, Any], out: dict[str, Any], where: str) -> None:
        for key in _LAYOUT:
            if key in raw:
                if not isinstance(raw[key], list | tuple) or not raw[key]:
                    raise ChartRefused(f"{key} must be a list of charts")
                if raw.get("encoding"):
                    out["encoding"] = self._encoding(raw["encoding"])
                out[key] = [self.view(item, f"{where}.{key}[{i}]") for i, item in enumerate(raw[key])]
                return
        if "spec" in raw:
            if "repeat" in raw:
                self.repeats = True
                out["repeat"] = self._repeat(raw["repeat"])
            else:
                out["facet"] = self._facet(raw.get("facet"))
            out["spec"] = self.view(raw["spec"], f"{where}.spec")
            return
        if "mark" not in raw:
            raise ChartRefused("the chart spec has no mark")
        out["mark"] = self._mark(raw["mark"])
        out["encoding"] = self._encoding(raw.get("encoding") or {})

    def _mark(self, raw: Any) -> str | dict[str, Any]:
        kind = raw.get("type") if isinstance(raw, Mapping) else raw
        if not isinstance(kind, str) or kind not in allow.MARKS:
            raise ChartRefused(f"the mark {str(kind)[:30]!r} cannot be drawn here")
        if not isinstance(raw, Mapping):
            return kind
        rest = {key: value for key, value in raw.items() if key not in {"type", "tooltip"}}
        out: dict[str, Any] = {"type": kind}
        for key in ("point", "line", "box", "median", "outliers", "ticks", "rule", "borders"):
            if isinstance(rest.get(key), Mapping):
                out[key] = self.section(rest.pop(key), allow.MARK_KEYS, f"mark.{key}")
        out |= self.section(rest, allow.MARK_KEYS, "mark")
        tooltip = raw.get("tooltip")
        if isinstance(tooltip, bool) or (tooltip is None and "tooltip" in raw):
            out["tooltip"] = tooltip
        elif tooltip is not None:
            out["tooltip"] = True
            if tooltip != {"content": "encoding"}:
                self.drop("mark.tooltip", "shows the encoded fields only")
        return out

    def _encoding(self, raw: Any) -> dict[str, Any]:
        from .vega_encodings import safe_encoding

        return safe_encoding(raw, self)

    def _facet(self, raw: Any) -> dict[str, Any]:
        from .vega_encodings import safe_encoding

        if isinstance(raw, Mapping) and "field" in raw:
            facet: dict[str, Any] = safe_encoding({"facet": raw}, self).get("facet") or refuse("the facet has no field")
            return facet
        rows = {key: raw[key] for key in ("row", "column") if isinstance(raw, Mapping) and key in raw}
        return safe_encoding(rows, self) or refuse("the facet has no field")

    def _repeat(self, raw: Any) -> Any:
        if isinstance(raw, list | tuple):
            names = [str(name) for name in raw[:MAX_VIEWS] if self.knows(str(name))]
            return [self.field(name) for name in names] or refuse("the repeated fields are not in the result")
        if isinstance(raw, Mapping):
            return {key: self._repeat(raw[key]) for key in ("row", "column", "layer", "repeat") if key in raw}
        return refuse("repeat must be a list of fields")

    def _params(self, raw: Any) -> list[dict[str, Any]]:
        from .vega_encodings import safe_params

        return safe_params(raw, self)

    def _title(self, raw: Any) -> Any:
        if isinstance(raw, Mapping):
            return self.section(raw, allow.TITLE, "title") or None
        if isinstance(raw, str):
            return plain_text(raw)[:300] or None
        if isinstance(raw, list):
            return [plain_text(str(line))[:300] for line in raw[:5]]
        return None

    def _size(self, raw: Any, side: str) -> Any:
        if isinstance(raw, bool) or raw is None or raw == "container":
            return None
        if isinstance(raw, int | float):
            return max(20, min(MAX_SIDE, raw))
        if isinstance(raw, Mapping) and isinstance(raw.get("step"), int | float):
            return {"step": max(2, min(100, raw["step"]))}
        self.drop(side)
        return None

    def _resolve(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        modes = {"shared", "independent"}
        return {
            kind: {ch: mode for ch, mode in raw[kind].items() if ch in allow.CHANNELS and mode in modes}
            for kind in ("scale", "axis", "legend")
            if isinstance(raw.get(kind), Mapping)
        }

    def _config(self, raw: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, section in raw.items() if isinstance(raw, Mapping) else ():
            if name in allow.CONFIG and isinstance(section, Mapping):
                out[name] = self.section(section, allow.CONFIG[name], f"config.{name}")
            elif name in {"background", "font", "numberFormat", "timeFormat", "countTitle", "padding", "fieldTitle"}:
                out |= self.section({name: section}, frozenset({name}), "config")
            else:
                self.drop(f"config.{str(name)[:40]}")
        return out

    def _autosize(self, raw: Any) -> Any:
        return None  # the renderer's business: it follows the place the chart stands in

    def _background(self, raw: Any) -> str | None:
        try:
            return self.text("background", raw) if isinstance(raw, str) else None
        except KeyError:
            self.drop("background")
            return None

    def column_type(self, key: str) -> str:
        """Vega-Lite's type for a column."""
        column = self.by_key.get(key)
        if column is None:
            return "nominal" if key not in self.names.made else "quantitative"
        return "quantitative" if is_numeric(column) else "temporal" if is_temporal(column) else "nominal"


def _clamped(value: float) -> float:
    return max(-10_000, min(10_000, value))
