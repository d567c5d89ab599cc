"""A chart spec made safe: walked along Vega-Lite's own grammar and written anew, field names repaired on the way.

Nothing of the spec is trusted. A key or value that the grammar does not hold is left out and said in ``notes``, with
the reason; when what remains cannot be a chart of this result, :class:`ChartRefused` says why in one line and the
caller shows the table. What comes through is neither cut nor embellished: Vega-Lite's defaults stay its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..values import ColumnLike
from . import bounds, leaves
from .chart_fields import ChartFields
from .choosing import any_of, fitting, items_of
from .exclusions import why_left_out
from .expressions import ExpressionRefused, safe_expression
from .grammar import ANY, ROOT, Shape, shapes_of
from .makers import BAD_NAMES
from .parameters import declared
from .spec import ChartRefused

__all__ = ["SpecGuard"]

_ESSENTIAL = frozenset(
    "x y x2 y2 theta theta2 radius radius2 xOffset yOffset latitude longitude row column facet text".split()
)
_ENCODINGS = frozenset({"Encoding", "FacetedEncoding", "SharedEncoding", "FacetMapping"})
_EXPRESSIONS = frozenset({"expr", "calculate", "labelExpr", "test", "filter"})
_EVENTS = frozenset({"on", "clear", "zoom", "translate", "toggle"})
_NO_FIELD = "the result has no field"
_FIRST = ("params", "transform", "repeat", "facet", "encoding")
_VIEWS = frozenset({"mark", "layer", "hconcat", "vconcat", "concat", "spec"})
_SIDES = frozenset({"width", "height"})


class _Left(Exception):
    """A part is left out, and why."""


class SpecGuard:
    """Walks one spec.

    Parameters
    ----------
    columns : sequence
        The result's columns.
    distinct : callable
        Number of distinct values of a column, by name (None where it is not a column).
    span : callable
        How far a column's numbers lie apart, by name (None where that is not known).
    """

    def __init__(
        self,
        columns: Sequence[ColumnLike],
        distinct: Callable[[str], int | None],
        span: Callable[[str], float | None] = lambda _: None,
    ) -> None:
        self.fields = ChartFields(columns)
        self.distinct, self.span = distinct, span
        self.notes: list[str] = []
        self.params: set[str] = set()
        self._views = 0

    def chart(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The safe spec, without data."""
        if not str(raw.get("$schema", "https://vega.github.io/schema/vega-lite/")).startswith(
            "https://vega.github.io/schema/vega-lite/"
        ):
            self._say("$schema", why_left_out("$schema"))
        self.params = declared(raw)
        if not _VIEWS & set(raw):
            raise ChartRefused("the chart spec has no mark")
        try:
            out: dict[str, Any] = self._clean(raw, ROOT, "spec", "")
        except _Left as left:
            raise ChartRefused(str(left)) from None
        return out

    def _say(self, what: str, why: str) -> None:
        note = f"{what.removeprefix('spec.')}: {why}"
        if note not in self.notes:
            self.notes.append(note)

    def _field(self, name: str) -> str:
        try:
            return self.fields.escaped(name)
        except KeyError:
            raise _Left(f"{_NO_FIELD} {name[:60]!r}") from None

    # -- the walk ---------------------------------------------------------------------------------------------------
    def _clean(self, value: Any, node: dict[str, Any], where: str, key: str) -> Any:
        """The value as its place allows it.

        Raises
        ------
        _Left
            When nothing of it can stay.
        """
        shapes = shapes_of(node)
        if isinstance(value, Mapping):
            return self._object(value, [shape for shape in shapes if shape.kind in {"object", "any"}], where, key)
        if isinstance(value, list | tuple):
            return self._list(value, [shape for shape in shapes if shape.kind in {"array", "any"}], where, key)
        if isinstance(value, str):
            return self._string(value, shapes, key)
        if value is None or isinstance(value, bool):
            wanted = "null" if value is None else "boolean"
            if any(
                shape.kind in {wanted, "any"} or (shape.kind == "values" and value in shape.values) for shape in shapes
            ):
                return value
        elif isinstance(value, int | float):
            for shape in shapes:
                if shape.kind in {"number", "any"} or (shape.kind == "values" and value in shape.values):
                    return value
        raise _Left("not a value that Vega-Lite knows here")

    def _number(self, value: Any, owner: str, key: str, where: str) -> Any:
        """A number within its bounds; anything else as it is."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            return value
        near = bounds.bounded(owner, key, value)
        if near != value:
            self._say(where, f"{value:g} is drawn as {near:g}")
        return near

    def _string(self, value: str, shapes: Sequence[Shape], key: str) -> str:
        if any(shape.kind == "values" and value in shape.values for shape in shapes) and key not in _SIDES:
            return value
        texts = [shape for shape in shapes if shape.kind in {"string", "any"}]
        names = {shape.name for shape in texts}
        if key in _EXPRESSIONS or "Expr" in names or "Predicate" in names:
            return self._expression(value, key)
        if "FieldName" in names or key in {"field", "repeat", "groupby"}:
            return self._field(value)
        if "ParameterName" in names:
            if value not in self.params:
                raise _Left(f"there is no parameter {value[:40]!r}")
            return value
        if key in _EVENTS or "WindowEventType" in names:
            if not leaves.listens(key, value):
                raise _Left("listens to more than the pointer")
            return value
        if not texts or key in _SIDES:
            raise _Left(
                "takes the width of its place"
                if value == "container"
                else f"{value[:40]!r}: {why_left_out(value, value=True)}"
            )
        return self._text(value, key)

    def _text(self, value: str, key: str) -> str:
        if key.endswith("ormatType") and not leaves.formatter(value):
            raise _Left("only numbers and times are formatted")
        if key in leaves.TEXT_KEYS:
            text = leaves.worded(value)
            if key in {"value", "range"} and leaves.paints_from_elsewhere(text):
                raise _Left("holds what could be an address")
            if key in {"title", "name"} and text.strip().lower() == "image":
                self._say("title 'image'", "renamed (a tooltip would load it)")
                return "Image "
            return text
        style = leaves.styled(value)
        if style is None:
            raise _Left("holds what could be an address or markup")
        return style

    def _expression(self, text: str, key: str) -> str:
        # an axis label's datum is the label, not a row: its names are not the result's
        path = (lambda names: names) if key == "labelExpr" else self.fields.datum
        try:
            return safe_expression(text, params=self.params, path=path)
        except ExpressionRefused as refused:
            raise _Left(f"expression left out ({refused})") from None

    def _list(self, value: Sequence[Any], shapes: Sequence[Shape], where: str, key: str) -> list[Any]:
        if not shapes:
            raise _Left("a list may not stand here")
        items = (
            {"anyOf": [shape.node.get("items", ANY) for shape in shapes]}
            if len(shapes) > 1
            else shapes[0].node.get("items", {})
        )
        node = items_of(shapes, items)
        out = []
        for place, item in enumerate(value):
            at = f"{where}[{place}]"
            try:
                out.append(self._number(self._clean(item, node, at, key), "", key, at))
                if key == "transform":
                    self.fields.learn(out[-1])
            except _Left as left:
                if not isinstance(item, Mapping) or key in {"layer", "hconcat", "vconcat", "concat"}:
                    raise
                self._say(_called(item, key, at), str(left))
        # An empty "and" is true: what was to be left out would be drawn.
        if value and not out and key in {"filter", "and", "or"}:
            raise _Left("nothing of it can stay")
        return out

    def _object(self, raw: Mapping[str, Any], shapes: Sequence[Shape], where: str, key: str) -> dict[str, Any]:
        if not shapes:
            raise _Left("an object may not stand here")
        self._count(raw, where, key)
        chosen = fitting(raw, shapes)
        out: dict[str, Any] = {}
        # In this order, since what is declared and made in the one is used in the next.
        for name in sorted(raw, key=lambda name: _FIRST.index(name) if name in _FIRST else 99):
            # "signal" is Vega's, below Vega-Lite: its expressions are checked by nobody.
            if name in {"__proto__", "constructor", "prototype", "signal"}:
                raise _Left(f"{name!r} may not stand here")
            nodes = [shape.keys[name] for shape in chosen if name in shape.keys] or [
                extra
                for shape in chosen
                if isinstance(
                    extra := shape.node.get("additionalProperties", ANY if shape.kind == "any" else None), dict
                )
            ]
            place = f"{where}.{str(name)[:40]}"
            if not nodes:
                if not (name in {"$schema", "data"} and where == "spec" and _harmless(name, raw[name])):
                    self._say(place, why_left_out(name))
                continue
            try:
                part = self._part(name, raw[name], any_of(nodes), place, chosen)
                if part or not (raw[name] and name in {"transform", "params"}):
                    out[name] = part
            except _Left as left:
                self._lost(name, place, chosen, left)
        self._bounds(out, chosen, where)
        return out

    def _part(self, name: str, value: Any, node: dict[str, Any], place: str, owners: Sequence[Shape]) -> Any:
        owner = owners[0].name
        if name == "as":
            return self._made(value)
        if name == "name" and owner.endswith("Parameter") and value not in self.params:
            raise _Left("has no usable name")
        cleaned = self._number(self._clean(value, node, place, name), owner, name, place)
        if owner in _ENCODINGS or (name == "facet" and isinstance(cleaned, dict)):
            self._panels(name, self.fields.channel(name, cleaned))
        elif name == "repeat" and not isinstance(cleaned, str):
            self.fields.all_wanted = True
        elif name == "tooltip" and cleaned == {"content": "data"}:
            if self.fields.has_image:
                raise _Left("shows the encoded fields only (a field called 'image' would be loaded)")
            self.fields.all_wanted = True
        return cleaned

    def _lost(self, name: str, place: str, shapes: Sequence[Shape], left: _Left) -> None:
        """A part that is left out: said; with it its owner, where that is nothing without it."""
        owner, why = shapes[0].name, str(left)
        if name == "mark":
            raise ChartRefused(f"the mark cannot be drawn here: {why}")
        if name in _VIEWS:
            raise ChartRefused(f"{place.removeprefix('spec.')}: {why}")
        if owner in _ENCODINGS and name in _ESSENTIAL and why.startswith(_NO_FIELD):
            raise ChartRefused(
                f"the chart wants the field{why.removeprefix(_NO_FIELD)}, which the result does not have"
            )
        if name == "facet" or (name == "repeat" and owner.endswith("Spec")):
            raise ChartRefused(f"{name}: {left}")
        if all(name in shape.required for shape in shapes) or (name in {"field", "param"} and owner not in _ENCODINGS):
            raise _Left(str(left))
        self._say(place, str(left))

    def _count(self, raw: Mapping[str, Any], where: str, key: str) -> None:
        if _VIEWS & set(raw) and (where == "spec" or key in _VIEWS):
            self._views += max(1, _repeated(raw.get("repeat")))
            if self._views > bounds.MAX_PANELS:
                raise ChartRefused(f"the chart would have more than {bounds.MAX_PANELS} panels")
            if "layer" in raw and not (isinstance(raw["layer"], list) and raw["layer"]):
                raise ChartRefused("layer must be a list of charts")

    def _panels(self, channel: str, fields: list[str]) -> None:
        if channel in {"row", "column", "facet"} and any((self.distinct(f) or 0) > bounds.MAX_PANELS for f in fields):
            raise ChartRefused(f"the chart would have more than {bounds.MAX_PANELS} panels")

    def _made(self, raw: Any) -> Any:
        names = [raw] if isinstance(raw, str) else raw if isinstance(raw, list) else []
        if not names or any(not isinstance(name, str) or not name or name in BAD_NAMES for name in names):
            raise _Left("its result has no usable name")
        return raw

    def _bounds(self, out: dict[str, Any], shapes: Sequence[Shape], where: str) -> None:
        """Steps that are too fine for the values are left to Vega-Lite; sequences without end are left out."""
        names = {shape.name for shape in shapes}
        if "Step" in names and "step" not in out:
            raise _Left("needs a step in pixels")
        if isinstance(out.get("bin"), dict) and "step" in out["bin"] and out["bin"].get("binned") is not True:
            field = out.get("field")
            span = self.span(self.fields.names.root(field)) if isinstance(field, str) else None
            if bounds.too_fine(out["bin"], span):
                out["bin"] = {key: value for key, value in out["bin"].items() if key != "step"} or True
                self._say(
                    f"{where}.bin.step", "too fine for what is drawn; the width of the bins is chosen by their number"
                )
        if (
            names & {"ImputeSequence", "ScaleBinParams"}
            and ("stop" in out or "step" in out)
            and bounds.too_fine(out, None)
        ):
            raise _Left("more steps than can be drawn")


def _called(item: Mapping[str, Any], key: str, at: str) -> str:
    if key == "transform":
        return f"transform {next(iter(item), '')}"[:60]
    return f"parameter {str(item.get('name', ''))[:40]}" if key == "params" else at


def _repeated(raw: Any) -> int:
    """How many views a repeat makes of one."""
    if isinstance(raw, Mapping):
        return math.prod(max(1, len(names)) for names in raw.values() if isinstance(names, list))
    return len(raw) if isinstance(raw, list) else 1


def _harmless(name: str, value: Any) -> bool:
    """What every spec that was made for a result carries: its schema, and the name of data to come."""
    return name == "$schema" or value is None or (isinstance(value, Mapping) and set(value) <= {"name"})
