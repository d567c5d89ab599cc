"""The fields that a chart's transforms make, so that the steps and channels after them may use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["BAD_NAMES", "made_by"]

BAD_NAMES = frozenset({"image", "__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"})
"""Names that a tooltip would load as a picture, or that are no data of a JavaScript object."""


def made_by(step: Mapping[str, Any]) -> list[str]:
    """Plain names of the fields that a transform makes, its defaults included.

    Parameters
    ----------
    step : mapping
        One transform as Vega-Lite has it.
    """
    names = _named(step.get("as"))
    for key in ("aggregate", "joinaggregate", "window"):
        for item in step.get(key) or () if isinstance(step.get(key), list) else ():
            names += _named(item.get("as")) or [_default(item)]
    if "fold" in step:
        names += _padded(names, ["key", "value"])
    elif "density" in step:
        names += _padded(names, ["value", "density"])
    elif "quantile" in step:
        names += _padded(names, ["prob", "value"])
    elif "regression" in step or "loess" in step:
        names += [*_named(step.get("on")), *_named(step.get("regression") or step.get("loess")), "coef", "rSquared"]
    elif "flatten" in step:
        names += _named(step["flatten"]) + ["index"] * bool(step.get("index"))
    elif {"bin", "timeUnit", "stack"} & set(step):
        names += [f"{name}_end" for name in list(names)]
    return names


def _named(raw: Any) -> list[str]:
    return [raw] if isinstance(raw, str) else [name for name in raw or () if isinstance(name, str)]


def _padded(names: list[str], defaults: list[str]) -> list[str]:
    return defaults[len(names) :]


def _default(item: Mapping[str, Any]) -> str:
    return "_".join(str(part) for part in (item.get("op"), item.get("field")) if part)
