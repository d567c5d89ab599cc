"""What of Vega-Lite's grammar is kept out of a chart, each with its reason.

The grammar that the guard walks (``grammar.json.gz``) is Vega-Lite's own JSON schema less these; everything else that
Vega-Lite knows comes through. A key is written as ``Definition.key``, or ``*.key`` for every definition; a value of an
enumeration as ``Definition=value``. Strings that pass are still judged one by one (see ``leaves``).
"""

from __future__ import annotations

__all__ = ["EXCLUDED_DEFINITIONS", "EXCLUDED_KEYS", "EXCLUDED_VALUES", "why_left_out"]

_OWN_ROWS = "left out; the chart shows the query's own rows"
_LOADS = "left out: it would load something"
_LINKS = "left out: a chart links to no page"
_HOST = "left out: it would reach into the page around the chart"
_EVENTS = "left out: nothing is run over what the reader does"
_KEYBOARD = "left out: a chart does not listen to the keyboard"
_SHAPES = "left out: a result holds no shapes of a map"

EXCLUDED_KEYS: dict[str, str] = {
    "*.$schema": "replaced by Vega-Lite's own",
    "*.data": _OWN_ROWS,
    "*.datasets": _OWN_ROWS,
    "*.url": _LOADS,
    "*.href": _LINKS,
    "*.usermeta": _HOST,
    "*.element": _HOST,
    "BindInput.autocomplete": _HOST,
    "Config.customFormatTypes": "left out: only numbers and times are formatted",
    "EventStream.filter": _EVENTS,
    "DerivedStream.filter": _EVENTS,
    "MergedStream.filter": _EVENTS,
}

EXCLUDED_DEFINITIONS: dict[str, str] = {
    "BindDirect": _HOST,
    "Data": _OWN_ROWS,
    "Datasets": _OWN_ROWS,
    "LookupTransform": _OWN_ROWS,
}

EXCLUDED_VALUES: dict[str, str] = {
    "Mark=image": _LOADS,
    "Mark=geoshape": _SHAPES,
    "MarkType=image": _LOADS,
    "EventType=keydown": _KEYBOARD,
    "EventType=keypress": _KEYBOARD,
    "EventType=keyup": _KEYBOARD,
}

_BY_KEY = {name.split(".", 1)[1]: why for name, why in EXCLUDED_KEYS.items()} | {
    "selection": "left out: written for an older Vega-Lite; today it is `params`",
    "lookup": _OWN_ROWS,
}
_BY_VALUE = {name.split("=", 1)[1]: why for name, why in EXCLUDED_VALUES.items()}


def why_left_out(name: object, *, value: bool = False) -> str:
    """The reason behind a key (or a value) that the grammar does not know."""
    known = (_BY_VALUE if value else _BY_KEY).get(str(name))
    return known or ("not a value that Vega-Lite knows here" if value else "not a key that Vega-Lite knows here")
