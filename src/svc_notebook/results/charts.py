"""A chart of a result, from whatever ``vegaSpec`` an analyst wrote: safe, repaired, with its data inlined.

``render_chart`` never raises for a bad spec: it returns a :class:`Chart` that draws, or one that says in a line why it
does not, beside which the caller shows the table. A chart shows itself as ``application/vnd.vegalite.v5+json``, which
JupyterLab and others draw offline and interactively, with a PNG for places that cannot (when vl-convert is there) and a
description in words. ``text/html`` is left out on purpose: it would win over the chart.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .chart_data import chart_rows
from .counts import MoreThan
from .embed_options import EMBED_OPTIONS
from .values import ColumnLike, numeric
from .vega.guard import SpecGuard
from .vega.scene import VEGA_LITE, trouble_of
from .vega.spec import ChartRefused, read_spec

if TYPE_CHECKING:
    import altair as alt

    from .result import Result

__all__ = ["MIME", "ROW_LIMIT", "Chart", "render_chart", "render_result"]

# JupyterLab, Notebook 7 and VS Code draw v5 and know no v6.
MIME = "application/vnd.vegalite.v5+json"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# As many as Altair takes.
ROW_LIMIT = 5_000
"""Rows a chart carries, unless told otherwise."""

_DEFAULT_WIDTH = 520
_DEFAULT_HEIGHT = 280
_SIDE_BY_CATEGORIES = 60  # more categories than this get a fixed side instead of a step each


class Chart:
    """One chart: a safe spec without data, its rows, and notes on what was changed.

    Attributes
    ----------
    spec : dict
        Vega-Lite v5 without data; empty when the chart cannot be drawn.
    rows : list of dict
        Records of the chart.
    notes : list of str
        What was left out, repaired or sampled, in words.
    problem : str or None
        Why there is no chart.
    title : str
        Heads the description.
    """

    def __init__(
        self, spec: dict[str, Any], rows: list[dict[str, Any]], notes: list[str], problem: str | None, title: str = ""
    ) -> None:
        self.spec, self.rows, self.notes, self.problem, self.title = spec, rows, notes, problem, title

    def __bool__(self) -> bool:
        return self.problem is None

    def __repr__(self) -> str:
        return self.description

    @cached_property
    def trouble(self) -> str | None:
        """Why nobody would see the chart: its ``problem``, or that nothing is drawn (looked for with vl-convert)."""
        return self.problem if self.problem is not None else trouble_of(self.to_dict())

    @cached_property
    def description(self) -> str:
        """The chart in a sentence, the same on every run."""
        if self.problem is not None:
            return f"No chart: {self.problem}"
        head = f"Chart: {self.title}. " if self.title else "Chart: "
        said = head + "; ".join(_marks_said(self.spec)) + f" ({len(self.rows):,} rows)"
        return "\n".join([said, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """The whole spec with schema and data, ready for any Vega-Lite renderer."""
        if self.problem is not None:
            raise ChartRefused(self.problem)
        return {"$schema": SCHEMA, **copy.deepcopy(self.spec), "data": {"name": "result", "values": self.rows}}

    def to_png(self, scale: float = 1.0) -> bytes | None:
        """A PNG of the chart, or None where vl-convert is not installed or cannot draw it. Nothing is fetched."""
        png: bytes | None = _converted("vegalite_to_png", self.to_dict(), scale=scale)
        return png

    def to_svg(self) -> str | None:
        """An SVG of the chart, under the same conditions."""
        svg: str | None = _converted("vegalite_to_svg", self.to_dict())
        return svg

    def to_altair(self) -> alt.Chart:
        """The chart as an ordinary Altair chart, to refine (imports Altair; see :mod:`.altair_charts`)."""
        from .altair_charts import altair_chart

        return altair_chart(self.to_dict())

    @property
    def problem_or_notes(self) -> str:
        """One line below the chart: why there is none, or what was changed; often empty."""
        return f"No chart: {self.problem}" if self.problem is not None else "; ".join(self.notes)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        if self.trouble is not None:
            return {"text/plain": f"No chart: {self.trouble}"}, {}
        data: dict[str, Any] = {MIME: self.to_dict(), "text/plain": self.description}
        if (png := self.to_png()) is not None:
            data["image/png"] = png
        return data, {MIME: {"embed_options": EMBED_OPTIONS}}


def _converted(name: str, spec: dict[str, Any], **options: Any) -> Any:
    try:
        import vl_convert
    except ImportError:
        return None
    try:
        return getattr(vl_convert, name)(spec, vl_version=VEGA_LITE, allowed_base_urls=[], **options)
    except ValueError:
        return None  # what vl-convert cannot draw still goes out as a spec, with its description


def render_chart(
    vega_spec: Any,
    columns: Sequence[ColumnLike],
    rows: Sequence[Sequence[Any]],
    *,
    title: str = "",
    total_rows: int | None = None,
    limit: int = ROW_LIMIT,
) -> Chart:
    """A chart from a ``vegaSpec`` and the rows of its result.

    Parameters
    ----------
    vega_spec : str or mapping
        Vega-Lite v5 or v6, as JSON text or parsed; nothing in it is trusted, and its own data is never used.
    columns : sequence
        The result's columns (``name``, ``column_type``, ``title``, ``format``, ``currency``).
    rows : sequence of sequences
        Wire values.
    title : str
        Used where the spec has none, and in the description.
    total_rows : int, optional
        Rows of the whole result; a note tells when the chart shows only some.
    limit : int
        Rows to inline at most.
    """
    guard = SpecGuard(
        columns, lambda key: _distinct(key, columns, rows, guard), lambda key: _span(key, columns, rows, guard)
    )
    try:
        spec = guard.chart(read_spec(vega_spec))
    except ChartRefused as refused:
        return Chart({}, [], guard.notes, str(refused), title)
    # A spec is written by a language model, or by anybody: whatever is in it, the answer is shown, with a note.
    except (RecursionError, TypeError, ValueError, KeyError, AttributeError):
        return Chart({}, [], guard.notes, "the chart spec could not be read", title)
    data = chart_rows(
        spec,
        columns,
        rows,
        keys=guard.fields.names.keys,
        temporal=guard.fields.temporal,
        nested=guard.fields.names.nested,
        used=None if guard.fields.all_wanted else guard.fields.used,
        limit=max(1, limit),
    )
    spec = _sized(dict(data.spec), guard, data.values)
    if title and "title" not in spec:
        spec["title"] = title[:300]
    notes = [*guard.notes, *data.notes]
    if total_rows is not None and (total_rows > len(rows) or isinstance(total_rows, MoreThan)):
        notes.append(f"drawn from the first {len(rows):,} of {total_rows:,} rows")
    return Chart(spec, data.values, notes, None, title or _title_text(spec))


def render_result(result: Result, limit: int = ROW_LIMIT) -> Chart:
    """The chart of a ``Result``; with ``problem`` set when the result came without a spec."""
    if not result.vega_spec:
        return Chart({}, [], [], "the answer came without one", result.title or "")
    if result.truncated and getattr(result, "can_load", False) and result.total_rows <= limit:
        result = _whole(result)
    return render_chart(
        result.vega_spec,
        result.schema,
        result.rows,
        title=result.title or "",
        total_rows=result.total_rows,
        limit=limit,
    )


def _whole(result: Result) -> Any:
    """A copy of the result with all its rows; the result itself when they cannot be had (a note then says so)."""
    whole = copy.copy(result)
    try:
        whole.load_all()
    except Exception:  # noqa: BLE001 - whatever keeps the rest away, the rows that are here can be drawn
        return result
    return whole


def _distinct(key: str, columns: Sequence[ColumnLike], rows: Sequence[Sequence[Any]], guard: SpecGuard) -> int | None:
    for index, column in enumerate(columns):
        if guard.fields.names.keys[column.name] == key:
            return len({str(row[index]) for row in rows if index < len(row)})
    return None


def _span(key: str, columns: Sequence[ColumnLike], rows: Sequence[Sequence[Any]], guard: SpecGuard) -> float | None:
    """How far a column's numbers lie apart; None where it is no column, or holds none."""
    for index, column in enumerate(columns):
        if guard.fields.names.keys[column.name] == key:
            found = [float(n) for row in rows if index < len(row) and (n := numeric(row[index])) is not None]
            return max(found) - min(found) if found else None
    return None


def _sized(spec: dict[str, Any], guard: SpecGuard, values: list[dict[str, Any]]) -> dict[str, Any]:
    """A size where the spec has none; very many categories share one side instead of making it endless."""
    if any(key in spec for key in ("hconcat", "vconcat", "concat", "spec")):
        return spec
    encoding = spec.get("encoding", {})
    for side, channel, default in (("width", "x", _DEFAULT_WIDTH), ("height", "y", _DEFAULT_HEIGHT)):
        definition = encoding.get(channel) or {}
        discrete = isinstance(definition, Mapping) and definition.get("type") in ("nominal", "ordinal")
        field = definition.get("field") if isinstance(definition, Mapping) else None
        key = guard.fields.names.plain(field) if isinstance(field, str) else ""
        count = len({str(record.get(key)) for record in values}) if discrete else 0
        if side not in spec and (not discrete or channel == "x" or count > _SIDE_BY_CATEGORIES):
            spec[side] = default if count <= _SIDE_BY_CATEGORIES else min(2_000, default * 2)
        axis = definition.get("axis") if channel == "x" and discrete else None
        if isinstance(axis, dict) and axis.get("labelOverlap") is True and _labels_fit(key, values, spec.get(side)):
            axis.setdefault("labelAngle", 0)  # an axis that asks for labels one can read, and nothing more
        if isinstance(spec.get(side), Mapping) and count * spec[side]["step"] > 4_000:
            spec[side] = 2_000
    return spec


def _labels_fit(key: str, values: list[dict[str, Any]], width: Any) -> bool:
    """Whether the categories can be written upright below a horizontal axis."""
    labels = {str(record.get(key)) for record in values}
    room = width if isinstance(width, int | float) else _DEFAULT_WIDTH
    # Letters of Vega's default font are some six pixels wide; sixty are taken by the vertical axis.
    return len(labels) * (max(map(len, labels), default=0) + 2) * 6 < room - 60


def _title_text(spec: Mapping[str, Any]) -> str:
    title = spec.get("title")
    if isinstance(title, Mapping):
        title = title.get("text")
    return " ".join(title) if isinstance(title, list) else str(title or "")


def _marks_said(spec: Mapping[str, Any], depth: int = 0) -> list[str]:
    said = []
    for key in ("layer", "hconcat", "vconcat", "concat"):
        for part in spec.get(key, ())[:6]:
            said += _marks_said(part, depth + 1)
    if isinstance(spec.get("spec"), Mapping):
        said += _marks_said(spec["spec"], depth + 1)
    if "mark" in spec:
        mark = spec["mark"]["type"] if isinstance(spec["mark"], Mapping) else spec["mark"]
        channels = [
            f"{name} is {_channel_said(c)}"
            for name, c in spec.get("encoding", {}).items()
            if name in {"x", "y", "color", "theta"}
        ]
        said.append(f"{mark}, " + ", ".join(channels) if channels else str(mark))
    return said


def _channel_said(channel: Any) -> str:
    if not isinstance(channel, Mapping):
        return "set"
    field = channel.get("title") or channel.get("field") or "a value"
    operation = channel.get("aggregate") or channel.get("timeUnit")
    return f"{operation} of {field}" if isinstance(operation, str) else str(field)
