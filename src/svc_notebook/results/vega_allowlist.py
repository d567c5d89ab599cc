"""What a chart may consist of: the keys, marks, channels and transforms of Vega-Lite that can do no harm.

A key that is not named here does not reach the renderer. Left out on purpose: everything that loads (``data``,
``datasets``, ``url``, lookups, image and geoshape marks), everything that links (``href``), everything that steers the
host page (``usermeta``, bindings to page elements, custom formatters), and the old ``selection``.
"""

from __future__ import annotations

import re

__all__ = [
    "AGGREGATES", "AXIS", "BIND_INPUTS", "CHANNELS", "CONFIG", "EVENTS", "HEADER", "LEGEND", "MARKS", "MARK_KEYS",
    "POSITIONS", "SCALE", "SCALE_TYPES", "TEXTS", "TIME_UNIT", "TITLE", "TYPES", "VIEW", "WINDOW_OPS",
]  # fmt: skip


def _family(prefixes: str, suffixes: str) -> frozenset[str]:
    return frozenset(prefix + suffix for prefix in prefixes.split() for suffix in suffixes.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TYPES = _words("quantitative temporal ordinal nominal")
MARKS = _words("arc area bar boxplot circle errorband errorbar line point rect rule square text tick trail")
POSITIONS = _words("x y x2 y2 theta theta2 radius radius2 xOffset yOffset")
CHANNELS = POSITIONS | _words(
    "xError xError2 yError yError2 color fill stroke opacity fillOpacity strokeOpacity size strokeWidth strokeDash "
    "shape angle text tooltip detail key order row column facet"
)
AGGREGATES = _words(
    "average count distinct max mean median min missing product q1 q3 ci0 ci1 stderr stdev stdevp sum valid variance "
    "variancep"
)
WINDOW_OPS = AGGREGATES | _words(
    "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value"
)
TIME_UNIT = re.compile(
    r"(?:binned)?(?:utc)?(?:year|quarter|month|week|dayofyear|day|date|weekday|hours|minutes|seconds|milliseconds){1,7}"
)
SCALE_TYPES = _words(
    "linear log pow sqrt symlog time utc ordinal band point quantile quantize threshold bin-ordinal identity sequential"
)
BIND_INPUTS = _words("range select checkbox radio number text date month week time color search")
EVENTS = _words("click dblclick pointerover pointerout pointermove mouseover mouseout mousemove")
TEXTS = _words("title text subtitle name fieldTitle")
"""Keys whose strings are words to be read: any text may stand there."""

_LETTERS = (
    "Align Anchor Angle Baseline Color Font FontSize FontStyle FontWeight Limit LineHeight Opacity Orient Padding"
)
_LABELS = _family("label title", _LETTERS) | _words("title labelExpr format formatType")
_STROKES = _words(
    "fill fillOpacity opacity stroke strokeCap strokeDash strokeDashOffset strokeJoin strokeMiterLimit strokeOpacity "
    "strokeWidth cornerRadius"
)
AXIS = (
    _LABELS
    | _family("domain grid tick", "Cap Color Dash DashOffset Opacity Width")
    | _words(
        "bandPosition disable domain grid labels ticks labelBound labelFlush labelFlushOffset labelOffset labelOverlap "
        "labelSeparation maxExtent minExtent offset orient position tickBand tickCount tickExtra tickMinStep "
        "tickOffset tickRound tickSize titleX titleY translate values zindex"
    )
)
LEGEND = (
    _LABELS
    | _family("symbol", "Dash DashOffset FillColor Limit Offset Opacity Size StrokeColor StrokeWidth Type")
    | _family("gradient", "Length Opacity StrokeColor StrokeWidth Thickness Direction")
    | _words(
        "clipHeight columnPadding columns cornerRadius direction disable fillColor gridAlign labelOffset labelOverlap "
        "labelSeparation legendX legendY offset orient padding rowPadding strokeColor tickCount tickMinStep type "
        "unselectedOpacity values zindex"
    )
)
HEADER = _LABELS | _words("labels orient")
TITLE = _words(
    "align anchor angle baseline color dx dy font fontSize fontStyle fontWeight frame limit lineHeight offset orient "
    "subtitle subtitleColor subtitleFont subtitleFontSize subtitleFontStyle subtitleFontWeight subtitleLineHeight "
    "subtitlePadding text zindex"
)
SCALE = _words(
    "align base bins clamp constant domain domainMax domainMid domainMin exponent interpolate nice padding "
    "paddingInner paddingOuter range rangeMax rangeMin reverse round scheme type zero"
)
MARK_KEYS = _STROKES | _words(
    "align angle band bandSize baseline binSpacing blend borders box clip color continuousBandSize "
    "cornerRadiusBottomLeft cornerRadiusBottomRight cornerRadiusEnd cornerRadiusTopLeft cornerRadiusTopRight dir "
    "discreteBandSize dx dy "
    "ellipsis extent filled font fontSize fontStyle fontWeight height innerRadius interpolate invalid limit line "
    "lineBreak lineHeight median minBandSize order orient outerRadius outliers padAngle point radius radius2 "
    "radius2Offset radiusOffset rule shape size tension text theta theta2 theta2Offset thetaOffset thickness ticks "
    "timeUnitBandPosition timeUnitBandSize width x x2 x2Offset xOffset y y2 y2Offset yOffset"
)
VIEW = _STROKES | _words("clip continuousHeight continuousWidth discreteHeight discreteWidth step")

_AXES = _family("axis axisX axisY", "Band Discrete Point Quantitative Temporal") | _words(
    "axis axisBottom axisLeft axisRight axisTop axisX axisY"
)
CONFIG: dict[str, frozenset[str]] = {
    **dict.fromkeys(_AXES, AXIS),
    **dict.fromkeys([*MARKS, "mark"], MARK_KEYS),
    **dict.fromkeys(["header", "headerColumn", "headerFacet", "headerRow"], HEADER),
    "legend": LEGEND,
    "title": TITLE,
    "view": VIEW,
    "range": _words("category diverging heatmap ordinal ramp symbol"),
    "concat": _words("columns spacing"),
    "facet": _words("columns spacing"),
    "scale": _words(
        "bandPaddingInner bandPaddingOuter barBandPaddingInner clamp continuousPadding maxBandSize maxFontSize "
        "maxOpacity maxSize maxStrokeWidth minBandSize minFontSize minOpacity minSize minStrokeWidth pointPadding "
        "quantileCount quantizeCount rectBandPaddingInner round useUnaggregatedDomain xReverse zero"
    ),
}
"""Sections of ``config`` with the keys each may hold."""
