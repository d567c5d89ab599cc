"""Channels and parameters of a chart, rebuilt from their known keys, with missing types supplied from the columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import vega_allowlist as allow
from .vega_spec import ChartRefused
from .vega_transforms import safe_bin, safe_predicate, safe_time_unit

if TYPE_CHECKING:
    from .vega_guard import SpecGuard

__all__ = ["safe_encoding", "safe_params"]

MAX_PANELS = 60
_ESSENTIAL = allow.POSITIONS | {"row", "column", "facet", "text"}
_ORDERS = frozenset({"ascending", "descending"})
_MANY = frozenset({"tooltip", "detail", "order"})


def safe_encoding(raw: Any, guard: SpecGuard) -> dict[str, Any]:
    """The allowed channels.

    Raises
    ------
    ChartRefused
        When a position, a text or a panel wants a field that the result does not have.
    """
    out: dict[str, Any] = {}
    for channel, definition in raw.items() if isinstance(raw, Mapping) else ():
        if channel not in allow.CHANNELS:
            guard.drop(f"channel {str(channel)[:30]}")
        elif isinstance(definition, list) and channel in _MANY:
            parts = [part for item in definition[:50] if (part := _channel(channel, item, guard))]
            if parts:
                out[channel] = parts
        elif definition is None:
            out[channel] = None
        elif safe := _channel(channel, definition, guard):
            out[channel] = safe
    return out


def _channel(channel: str, raw: Any, guard: SpecGuard) -> dict[str, Any] | None:
    if not isinstance(raw, Mapping):
        guard.drop(f"channel {channel}", "could not be read")
        return None
    out: dict[str, Any] = {}
    if "field" in raw and not _field(channel, raw["field"], out, guard):
        return None
    if raw.get("aggregate") is not None:
        _aggregate(raw["aggregate"], out, guard)
    if raw.get("bin") is not None:
        out["bin"] = safe_bin(raw["bin"], guard)
    if raw.get("timeUnit") is not None:
        try:
            out["timeUnit"] = safe_time_unit(raw["timeUnit"])
        except ValueError as problem:
            guard.drop(f"{channel}.timeUnit", str(problem))
    for key in ("title", "value", "datum", "bandPosition", "format", "formatType", "columns", "spacing", "align"):
        if key in raw:
            out |= guard.section({key: raw[key]}, frozenset({key}), channel)
    for key, keys in (("axis", allow.AXIS), ("legend", allow.LEGEND), ("header", allow.HEADER)):
        if key in raw:
            out[key] = None if raw[key] is None else guard.section(raw[key], keys, f"{channel}.{key}")
    if "scale" in raw:
        out["scale"] = None if raw["scale"] is None else _scale(raw["scale"], channel, guard)
    if "stack" in raw and (raw["stack"] is None or raw["stack"] in (True, False, "zero", "center", "normalize")):
        out["stack"] = raw["stack"]
    if "sort" in raw:
        _sort(raw["sort"], out, guard)
    if "condition" in raw and (condition := _condition(raw["condition"], channel, guard)) is not None:
        out["condition"] = condition
    _type(raw, out, guard)
    return out or None


def _field(channel: str, raw: Any, out: dict[str, Any], guard: SpecGuard) -> bool:
    if isinstance(raw, Mapping) and set(raw) == {"repeat"} and raw["repeat"] in {"row", "column", "layer", "repeat"}:
        out["field"] = {"repeat": raw["repeat"]}
        return True
    if raw in (None, "*"):
        return True
    if not isinstance(raw, str) or not guard.knows(raw):
        if channel in _ESSENTIAL:
            raise ChartRefused(f"the chart wants the field {str(raw)[:60]!r}, which the result does not have")
        guard.drop(f"channel {channel}", f"the result has no field {str(raw)[:60]!r}")
        return False
    if channel in {"row", "column", "facet"} and (guard.distinct(guard.names.plain(raw)) or 0) > MAX_PANELS:
        raise ChartRefused(f"the chart would have more than {MAX_PANELS} panels")
    out["field"] = guard.field(raw)
    plain = guard.names.plain(raw)
    column = guard.by_key.get(plain)
    if plain.strip().lower() == "image":
        out["title"] = "Image "
    elif column is not None and column.title and column.title != column.name:
        out["title"] = guard.text("title", column.title)
    return True


def _aggregate(raw: Any, out: dict[str, Any], guard: SpecGuard) -> None:
    if isinstance(raw, str) and raw in allow.AGGREGATES:
        out["aggregate"] = raw
        return
    if isinstance(raw, Mapping):
        for way in ("argmin", "argmax"):
            if isinstance(raw.get(way), str) and guard.knows(raw[way]):
                out["aggregate"] = {way: guard.field(raw[way])}
                return
    guard.drop("aggregate", f"{str(raw)[:30]!r} is not known")


def _type(raw: Mapping[str, Any], out: dict[str, Any], guard: SpecGuard) -> None:
    """Keep a valid type, else take the column's; remember which fields are times."""
    field = out.get("field")
    counted = out.get("aggregate") in ("count", "distinct", "valid", "missing")
    wanted = raw.get("type")
    if isinstance(wanted, str) and wanted.lower() in allow.TYPES:
        out["type"] = wanted.lower()
    elif counted or isinstance(field, Mapping):
        out["type"] = "quantitative"
    elif isinstance(field, str):
        out["type"] = guard.column_type(guard.names.plain(field))
    if isinstance(field, str) and not counted and (out.get("type") == "temporal" or "timeUnit" in out):
        guard.temporal.add(guard.names.plain(field))


def _scale(raw: Any, channel: str, guard: SpecGuard) -> dict[str, Any]:
    raw = dict(raw) if isinstance(raw, Mapping) else {}
    out: dict[str, Any] = {}
    if (kind := raw.pop("type", None)) in allow.SCALE_TYPES:
        out["type"] = kind
    scheme = raw.get("scheme")
    if isinstance(scheme, Mapping):
        out["scheme"] = guard.section(raw.pop("scheme"), frozenset({"name", "count", "extent"}), "scale.scheme")
    domain = raw.get("domain")
    if isinstance(domain, Mapping) and isinstance(domain.get("unionWith"), list):
        out["domain"] = guard.section(raw.pop("domain"), frozenset({"unionWith"}), "scale.domain")
    elif isinstance(domain, Mapping) and isinstance(domain.get("param"), str) and domain["param"] in guard.params:
        raw.pop("domain")
        out["domain"] = {"param": domain["param"]} | (
            {"encoding": domain["encoding"]} if domain.get("encoding") in allow.CHANNELS else {}
        )
    return out | guard.section(raw, allow.SCALE, f"{channel}.scale")


def _sort(raw: Any, out: dict[str, Any], guard: SpecGuard) -> None:
    if raw is None or isinstance(raw, str):
        if raw is None or raw in _ORDERS or raw.removeprefix("-") in allow.CHANNELS:
            out["sort"] = raw
    elif isinstance(raw, list):
        out |= guard.section({"sort": raw}, frozenset({"sort"}), "sort")
    elif isinstance(raw, Mapping):
        sort: dict[str, Any] = {"order": raw["order"]} if raw.get("order") in _ORDERS else {}
        if isinstance(raw.get("field"), str) and guard.knows(raw["field"]):
            sort["field"] = guard.field(raw["field"])
        if raw.get("encoding") in allow.CHANNELS:
            sort["encoding"] = raw["encoding"]
        if raw.get("op") in allow.AGGREGATES:
            sort["op"] = raw["op"]
        out["sort"] = sort


def _condition(raw: Any, channel: str, guard: SpecGuard) -> Any:
    if isinstance(raw, list):
        return [part for item in raw[:20] if (part := _condition(item, channel, guard))] or None
    if not isinstance(raw, Mapping):
        return None
    rest = {key: value for key, value in raw.items() if key not in {"test", "param", "empty", "condition"}}
    inner = _channel(channel, rest, guard) if rest else None
    if inner is None:
        return None
    if isinstance(raw.get("param"), str) and raw["param"] in guard.params:
        return {"param": raw["param"], **inner} | ({"empty": bool(raw["empty"])} if "empty" in raw else {})
    test = safe_predicate(raw.get("test"), guard, f"{channel}.condition")
    return None if test is None else {"test": test, **inner}


def safe_params(raw: Any, guard: SpecGuard) -> list[dict[str, Any]]:
    """Parameters: selections, bindings to plain inputs, values and expressions. Their names become known."""
    out = []
    for item in list(raw)[:20] if isinstance(raw, list | tuple) else ():
        name = item.get("name") if isinstance(item, Mapping) else None
        if (
            not isinstance(name, str)
            or not re.fullmatch(r"[A-Za-z_]\w{0,59}", name)
            or name in {"datum", "event", "item"}
        ):
            guard.drop("parameter", "has no usable name")
            continue
        safe: dict[str, Any] = {"name": name}
        if "select" in item and (select := _select(item["select"], guard)):
            safe["select"] = select
        if "bind" in item and (bind := _bind(item["bind"], guard)):
            safe["bind"] = bind
        if "value" in item and not isinstance(item["value"], Mapping):
            safe |= guard.section({"value": item["value"]}, frozenset({"value"}), name)
        if "expr" in item and (expr := guard.expression(item["expr"], f"parameter {name}")) is not None:
            safe["expr"] = expr
        if len(safe) > 1:
            guard.params.add(name)
            out.append(safe)
    return out


def _select(raw: Any, guard: SpecGuard) -> Any:
    if isinstance(raw, str):
        return raw if raw in {"point", "interval"} else None
    if not isinstance(raw, Mapping) or raw.get("type") not in {"point", "interval"}:
        guard.drop("selection")
        return None
    out: dict[str, Any] = {"type": raw["type"]}
    if isinstance(raw.get("encodings"), list):
        out["encodings"] = [channel for channel in raw["encodings"] if channel in allow.CHANNELS]
    if isinstance(raw.get("fields"), list):
        out["fields"] = [guard.field(name) for name in raw["fields"] if isinstance(name, str) and guard.knows(name)]
    if raw.get("on") in allow.EVENTS:
        out["on"] = raw["on"]
    if raw.get("resolve") in {"global", "union", "intersect"}:
        out["resolve"] = raw["resolve"]
    return out | {
        key: raw[key] for key in ("nearest", "toggle", "clear", "zoom", "translate") if isinstance(raw.get(key), bool)
    }


def _bind(raw: Any, guard: SpecGuard) -> Any:
    if isinstance(raw, str):
        return raw if raw in {"scales", "legend"} else None
    if not isinstance(raw, Mapping) or raw.get("input") not in allow.BIND_INPUTS:
        guard.drop("bind")
        return None
    keys = frozenset({"min", "max", "step", "options", "labels", "name", "debounce"})
    rest = {key: value for key, value in raw.items() if key != "input"}
    return {"input": raw["input"], **guard.section(rest, keys, "bind")}
