"""The transforms a chart may use, each rebuilt from its known keys; what could grow without bound is clamped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import vega_allowlist as allow

if TYPE_CHECKING:
    from .vega_guard import SpecGuard

__all__ = ["safe_bin", "safe_predicate", "safe_time_unit", "safe_transforms"]

_MAX_STEPS = 40
_COMPARISONS = ("equal", "lt", "lte", "gt", "gte", "range", "oneOf", "valid")
_BAD_NAMES = frozenset({"image", "__proto__", "constructor", "prototype", "toString", "valueOf"})


class _Skip(Exception):
    """The transform is left out, and why."""


def safe_transforms(raw: Any, guard: SpecGuard) -> list[dict[str, Any]]:
    """The allowed transforms of a list, in order; the fields they make become known to the guard."""
    out = []
    for step in list(raw)[:_MAX_STEPS] if isinstance(raw, list | tuple) else ():
        kind = next((kind for kind in _TRANSFORMS if isinstance(step, Mapping) and kind in step), None)
        try:
            if kind is None:
                raise _Skip("not allowed in a chart")
            if (safe := _TRANSFORMS[kind](step, guard)) is not None:
                out.append(safe)
        except _Skip as skip:
            guard.drop(
                f"transform {kind or (next(iter(step), '') if isinstance(step, Mapping) else '')}"[:60], str(skip)
            )
        except (KeyError, TypeError, ValueError):
            guard.drop(f"transform {kind}", "could not be read")
    return out


def _made(name: Any, guard: SpecGuard) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= 200 or name in _BAD_NAMES:
        raise _Skip("its result has no usable name")
    guard.names.add(name)
    return name


def _made_list(raw: Any, default: list[str], guard: SpecGuard) -> list[str]:
    names = [raw] if isinstance(raw, str) else list(raw) if raw else default
    return [_made(name, guard) for name in names[:10]]


def _field(name: Any, guard: SpecGuard) -> str:
    if not isinstance(name, str) or not guard.knows(name):
        raise _Skip(f"the result has no field {str(name)[:40]!r}")
    return guard.field(name)


def _fields(raw: Any, guard: SpecGuard) -> list[str]:
    return [_field(name, guard) for name in (raw if isinstance(raw, list | tuple) else [])[:50]]


def _grouped(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {"groupby": _fields(step["groupby"], guard)} if step.get("groupby") else {}


def _number(raw: Any, low: float, high: float) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise _Skip("a number is needed")
    return max(low, min(high, raw))


def _filter(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any] | None:
    predicate = safe_predicate(step["filter"], guard, "transform filter")
    return None if predicate is None else {"filter": predicate}


def safe_predicate(raw: Any, guard: SpecGuard, where: str, depth: int = 0) -> Any:
    """A test of a filter or a condition: expression, comparison, parameter, or and/or/not of these."""
    if isinstance(raw, str):
        return guard.expression(raw, where)
    if not isinstance(raw, Mapping) or depth > 8:
        guard.drop(where)
        return None
    for word in ("and", "or"):
        if isinstance(raw.get(word), list):
            parts = [safe_predicate(part, guard, where, depth + 1) for part in raw[word]]
            return None if None in parts else {word: parts}
    if "not" in raw:
        part = safe_predicate(raw["not"], guard, where, depth + 1)
        return None if part is None else {"not": part}
    if isinstance(raw.get("param"), str) and raw["param"] in guard.params:
        return {"param": raw["param"]} | ({"empty": bool(raw["empty"])} if "empty" in raw else {})
    try:
        out: dict[str, Any] = {"field": _field(raw.get("field"), guard)}
        if raw.get("timeUnit"):
            out["timeUnit"] = safe_time_unit(raw["timeUnit"])
            guard.temporal.add(guard.names.plain(raw["field"]))
        out |= {
            key: guard.plain("equal" if key != "range" else "domain", raw[key]) for key in _COMPARISONS if key in raw
        }
    except (_Skip, KeyError, ValueError) as problem:
        guard.drop(where, str(problem) if isinstance(problem, _Skip) else "could not be read")
        return None
    return out if len(out) > 1 else None


def _calculate(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any] | None:
    expr = guard.expression(step["calculate"], "transform calculate")
    return None if expr is None else {"calculate": expr, "as": _made(step.get("as"), guard)}


def _operations(raw: Any, ops: frozenset[str], guard: SpecGuard) -> list[dict[str, Any]]:
    out = []
    for item in list(raw)[:50]:
        if item["op"] not in ops:
            raise _Skip(f"operation {str(item['op'])[:30]!r} is not allowed")
        safe: dict[str, Any] = {"op": item["op"]}
        if item.get("field") and item["field"] != "*":
            safe["field"] = _field(item["field"], guard)
        if isinstance(item.get("param"), int | float):
            safe["param"] = _number(item["param"], 0, 1000)
        safe["as"] = _made(item.get("as") or "_".join([item["op"], str(item.get("field", ""))]).strip("_"), guard)
        out.append(safe)
    return out


def _aggregate(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {"aggregate": _operations(step["aggregate"], allow.AGGREGATES, guard), **_grouped(step, guard)}


def _joinaggregate(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {"joinaggregate": _operations(step["joinaggregate"], allow.AGGREGATES, guard), **_grouped(step, guard)}


def _window(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    out: dict[str, Any] = {"window": _operations(step["window"], allow.WINDOW_OPS, guard), **_grouped(step, guard)}
    if isinstance(step.get("frame"), list) and len(step["frame"]) == 2:
        out["frame"] = [None if part is None else _number(part, -10_000, 10_000) for part in step["frame"]]
    if isinstance(step.get("ignorePeers"), bool):
        out["ignorePeers"] = step["ignorePeers"]
    return out | _sorted(step, guard)


def _sorted(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    keys = [
        {"field": _field(item.get("field"), guard)}
        | ({"order": item["order"]} if item.get("order") in {"ascending", "descending"} else {})
        for item in (step.get("sort") or [])[:10]
    ]
    return {"sort": keys} if keys else {}


def _bin(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {
        "bin": safe_bin(step["bin"], guard) or True,
        "field": _field(step.get("field"), guard),
        "as": _made_list(step.get("as"), [], guard),
    }


def safe_bin(raw: Any, guard: SpecGuard) -> Any:
    """A ``bin`` that cannot make more than some hundred bins; False when it is none."""
    if raw is None or isinstance(raw, bool) or raw == "binned":
        return raw
    if not isinstance(raw, Mapping):
        guard.drop("bin")
        return True
    stepped = _is_number(raw.get("step")) and raw["step"] > 0
    if raw.get("binned") is True:  # the data has its bins: nothing is counted, the step is the width of a bar
        return {"binned": True, "step": raw["step"]} if stepped else {"binned": True}
    out: dict[str, Any] = {"maxbins": max(2, min(200, raw["maxbins"]))} if _is_number(raw.get("maxbins")) else {}
    if stepped and "extent" not in raw:
        out["minstep"] = raw["step"]  # a lower bound keeps the count of bins in the renderer's hands
        out.setdefault("maxbins", 200)
    out |= {key: raw[key] for key in ("nice", "binned") if isinstance(raw.get(key), bool)}
    return out or True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def safe_time_unit(raw: Any) -> Any:
    """A time unit by name, or with a step; ``ValueError`` when it is none."""
    unit = raw.get("unit") if isinstance(raw, Mapping) else raw
    if not isinstance(unit, str) or not allow.TIME_UNIT.fullmatch(unit):
        raise ValueError("unknown time unit")
    if not isinstance(raw, Mapping):
        return unit
    out: dict[str, Any] = {"unit": unit}
    if _is_number(raw.get("step")):
        out["step"] = max(1, min(1000, int(raw["step"])))
    if isinstance(raw.get("utc"), bool):
        out["utc"] = raw["utc"]
    return out


def _time_unit(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    guard.temporal.add(guard.names.plain(str(step.get("field"))))
    return {
        "timeUnit": safe_time_unit(step["timeUnit"]),
        "field": _field(step.get("field"), guard),
        "as": _made(step.get("as"), guard),
    }


def _stack(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    out = {"stack": _field(step["stack"], guard), "groupby": _fields(step.get("groupby"), guard)}
    if step.get("offset") in {"zero", "center", "normalize"}:
        out["offset"] = step["offset"]
    return out | _sorted(step, guard) | {"as": _made_list(step.get("as"), [], guard)}


def _fold(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {"fold": _fields(step["fold"], guard), "as": _made_list(step.get("as"), ["key", "value"], guard)}


def _pivot(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    out = {"pivot": _field(step["pivot"], guard), "value": _field(step.get("value"), guard), **_grouped(step, guard)}
    guard.open_fields = True
    if step.get("op") in allow.AGGREGATES:
        out["op"] = step["op"]
    return out | {"limit": int(_number(step.get("limit", 50), 1, 50))}


def _impute(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    out: dict[str, Any] = {"impute": _field(step["impute"], guard), "key": _field(step.get("key"), guard)}
    if step.get("method") in {"value", "mean", "median", "max", "min"}:
        out["method"] = step["method"]
    if "value" in step:
        out["value"] = guard.plain("value", step["value"])
    if isinstance(step.get("keyvals"), list):
        out["keyvals"] = guard.plain("values", step["keyvals"])
    return out | _grouped(step, guard)


def _fitted(kind: str, default: list[str]) -> Callable[[Mapping[str, Any], SpecGuard], dict[str, Any]]:
    def transform(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
        out: dict[str, Any] = {kind: _field(step[kind], guard), **_grouped(step, guard)}
        if "on" in step:
            out["on"] = _field(step["on"], guard)
        if step.get("method") in {"linear", "log", "exp", "pow", "quad", "poly"}:
            out["method"] = step["method"]
        for key, low, high in (("order", 1, 6), ("bandwidth", 0, 1e9), ("steps", 2, 500), ("step", 0.001, 1)):
            if _is_number(step.get(key)):
                out[key] = max(low, min(high, step[key]))
        out |= {key: step[key] for key in ("cumulative", "counts", "params") if isinstance(step.get(key), bool)}
        names = default or [str(step.get("on")), str(step[kind])]
        return out | {"as": _made_list(step.get("as"), names, guard)}

    return transform


def _sample(step: Mapping[str, Any], guard: SpecGuard) -> dict[str, Any]:
    return {"sample": int(_number(step["sample"], 1, 100_000))}


_TRANSFORMS: dict[str, Callable[[Mapping[str, Any], SpecGuard], dict[str, Any] | None]] = {
    "filter": _filter,
    "calculate": _calculate,
    "aggregate": _aggregate,
    "joinaggregate": _joinaggregate,
    "window": _window,
    "bin": _bin,
    "timeUnit": _time_unit,
    "stack": _stack,
    "fold": _fold,
    "pivot": _pivot,
    "impute": _impute,
    "regression": _fitted("regression", []),
    "loess": _fitted("loess", []),
    "density": _fitted("density", ["value", "density"]),
    "quantile": _fitted("quantile", ["prob", "value"]),
    "sample": _sample,
}
