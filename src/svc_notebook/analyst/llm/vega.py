"""A first look at a chart specification the model wrote, in words it can act on.

The host that draws the chart sanitises it again; here the aim is a spec that fits its result, or a sentence that
says why it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

__all__ = ["vega_problems"]

_MARKS = frozenset("arc area bar boxplot circle errorbar line point rect rule square text tick trail".split())
_COMPOSITIONS = ("layer", "hconcat", "vconcat", "concat")


def vega_problems(text: str, columns: Iterable[str]) -> list[str]:
    """What is wrong with a Vega-Lite v5 spec (JSON text) over a result with ``columns``; empty when nothing is."""
    try:
        spec = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return [f"vegaSpec is not JSON ({error}); write the whole specification as one JSON string"]
    if not isinstance(spec, dict):
        return ["vegaSpec must be a JSON object"]
    names = list(columns)
    return list(dict.fromkeys(_walk(spec, names)))[:5]


def _walk(spec: dict[str, Any], names: list[str]) -> Iterator[str]:
    if "data" in spec or "datasets" in spec:
        yield "leave `data` out: the rows of the result are supplied"
    if "usermeta" in spec:
        yield "leave `usermeta` out"
    if spec.get("width") == "container" or spec.get("height") == "container":
        yield 'give `width` and `height` in pixels or leave them out; "container" is not supported'
    nested = [part for key in _COMPOSITIONS for part in spec.get(key) or [] if isinstance(part, dict)]
    if isinstance(spec.get("spec"), dict):
        nested.append(spec["spec"])
    mark = spec.get("mark")
    kind = mark.get("type") if isinstance(mark, dict) else mark
    if kind is None and not nested:
        yield "a `mark` is missing (bar, line, point, arc, …)"
    elif kind is not None and kind not in _MARKS:
        yield f"mark {kind!r} is not drawn here; use one of {', '.join(sorted(_MARKS))}"
    made = set(_made_fields(spec.get("transform")))
    for channel, definition in (spec.get("encoding") or {}).items():
        field = definition.get("field") if isinstance(definition, dict) else None
        if isinstance(field, str) and not _known(field, names, made):
            yield f"`encoding.{channel}.field` is {field!r}; the result has {', '.join(names)}"
    for part in nested:
        yield from _walk(part, names)


def _known(field: str, names: list[str], made: set[str]) -> bool:
    plain = field.replace("\\.", ".").replace("\\[", "[").replace("\\]", "]")
    return plain in names or plain in made


def _made_fields(transforms: Any) -> Iterator[str]:
    for transform in transforms or []:
        if not isinstance(transform, dict):
            continue
        made = transform.get("as")
        yield from [made] if isinstance(made, str) else [name for name in made or [] if isinstance(name, str)]
        for key in ("aggregate", "window", "joinaggregate"):
            yield from [item["as"] for item in transform.get(key) or [] if isinstance(item, dict) and "as" in item]
        if "fold" in transform and made is None:
            yield from ("key", "value")
