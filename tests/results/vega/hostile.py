"""What must not come through, each with the word of the note (or of the refusal) that says so."""

from __future__ import annotations

from typing import Any

from .specs import BAR, KIND, POINTS

__all__ = ["HOSTILE"]

_STEAL = "https://elsewhere.example/x"

HOSTILE: dict[str, tuple[dict[str, Any], str]] = {
    "data by address": ({**BAR, "data": {"url": _STEAL}}, "query's own rows"),
    "data of its own": ({**BAR, "data": {"values": [{"kind": "x"}]}}, "query's own rows"),
    "data in a layer": ({"layer": [{**BAR, "data": {"values": [{"v": 1}]}}]}, "query's own rows"),
    "datasets": ({**BAR, "datasets": {"a": [{"b": 1}]}}, "query's own rows"),
    "a lookup": ({**BAR, "transform": [{"lookup": "kind", "from": {"data": {"url": _STEAL}, "key": "k", "fields": ["z"]}}]}, "query's own rows"),
    "an image": ({"mark": {"type": "image", "url": _STEAL}, "encoding": {"x": KIND}}, "cannot be drawn"),
    "an image by a channel": ({"mark": "image", "encoding": {"x": KIND, "url": {"field": "kind"}}}, "cannot be drawn"),
    "shapes of a map": ({"mark": "geoshape", "encoding": {}}, "cannot be drawn"),
    "a link of a mark": ({**BAR, "mark": {"type": "bar", "href": _STEAL}}, "links to no page"),
    "a link by a channel": ({**BAR, "encoding": {**BAR["encoding"], "href": {"field": "kind"}}}, "links to no page"),
    "usermeta": ({**BAR, "usermeta": {"embedOptions": {"actions": True}}}, "page around"),
    "an input of the page": ({**BAR, "params": [{"name": "a", "value": 1, "bind": {"element": "#secret"}}]}, "page around"),
    "an input put elsewhere": ({**BAR, "params": [{"name": "a", "value": 1, "bind": {"input": "range", "element": "#x"}}]}, "page around"),
    "the keyboard": ({**POINTS, "params": [{"name": "a", "select": {"type": "point", "on": "keydown"}}]}, "pointer"),
    "the keyboard by a stream": ({**POINTS, "params": [{"name": "a", "select": {"type": "point", "on": {"type": "keydown"}}}]}, "pointer"),
    "the keys of the window": ({**POINTS, "params": [{"name": "a", "select": {"type": "point", "on": {"source": "window", "type": "keyup"}}}]}, "pointer"),
    "an expression over events": ({**POINTS, "params": [{"name": "a", "select": {"type": "point", "on": {"type": "click", "filter": "event.item.x"}}}]}, "what the reader does"),
    "a toggle that runs": ({**POINTS, "params": [{"name": "a", "select": {"type": "point", "toggle": "event.view.alert(1)"}}]}, "pointer"),
    "a window's event with code": ({**POINTS, "params": [{"name": "a", "select": {"type": "interval", "on": "[mousedown[event.view.x()], mouseup] > mousemove"}}]}, "pointer"),
    "a script": ({**BAR, "transform": [{"calculate": "event.view.location", "as": "z"}]}, "expression left out"),
    "a constructor": ({**BAR, "transform": [{"filter": "datum.constructor.constructor('alert(1)')()"}]}, "expression left out"),
    "a regular expression": ({**BAR, "transform": [{"filter": "test(/(a+)+$/, datum.kind)"}]}, "expression left out"),
    "endless lists": ({**BAR, "transform": [{"calculate": "sequence(1e9)", "as": "z"}]}, "expression left out"),
    "a signal": ({**BAR, "mark": {"type": "bar", "opacity": {"signal": "alert(1)"}}}, "may not stand here"),
    "a signal as a value": ({**BAR, "params": [{"name": "a", "value": {"signal": "alert(1)"}}]}, "may not stand here"),
    "an expression in a title": ({**BAR, "title": {"text": {"expr": "data('x')"}}}, "expression left out"),
    "a paint from elsewhere": ({**BAR, "mark": {"type": "bar", "fill": f"url({_STEAL})"}}, "address"),
    "a paint as a value": ({**BAR, "encoding": {**BAR["encoding"], "fill": {"value": f"url({_STEAL})"}}}, "address"),
    "paints of a range": ({**BAR, "encoding": {**BAR["encoding"], "color": {**KIND, "scale": {"range": [f"url({_STEAL})"]}}}}, "address"),
    "a font from elsewhere": ({**BAR, "config": {"font": f"x; src: url({_STEAL})"}}, "address"),
    "a formatter": ({**BAR, "encoding": {**BAR["encoding"], "y": {"field": "v", "type": "quantitative", "axis": {"formatType": "evil"}}}}, "only numbers and times"),
    "an older selection": ({**BAR, "selection": {"a": {"type": "single"}}}, "params"),
    "bins without end": ({"mark": "bar", "encoding": {"x": {"field": "n", "type": "quantitative", "bin": {"step": 1e-9}}, "y": {"aggregate": "count"}}}, "too fine"),
    "bins of what is calculated": ({"transform": [{"calculate": "datum.n * 1e12", "as": "z"}], "mark": "bar", "encoding": {"x": {"field": "z", "type": "quantitative", "bin": {"step": 0.001}}, "y": {"aggregate": "count"}}}, "too fine"),
    "a sequence without end": ({**POINTS, "transform": [{"impute": "v", "key": "n", "keyvals": {"stop": 1e12}, "value": 0}]}, "more steps"),
    "a million bins": ({"mark": "bar", "encoding": {"x": {"field": "n", "type": "quantitative", "bin": {"maxbins": 1e6}}, "y": {"aggregate": "count"}}}, "1e+06 is drawn as 1000"),
    "a side without end": ({**BAR, "width": 1e9}, "1e+09 is drawn as 4000"),
    "a mark far away": ({**BAR, "mark": {"type": "bar", "xOffset": 1e12}}, "drawn as 10000"),
}  # fmt: skip
"""Name → (specification, what the notes or the refusal must hold)."""
