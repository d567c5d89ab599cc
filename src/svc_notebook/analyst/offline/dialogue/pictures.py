"""Words about the picture in a turn: which mark is wished for and how it stands, and the turn without them."""

from __future__ import annotations

from .... import patterns as re
from ..words.cues import Cue, find_cues
from ..words.text import Token, tokenize

__all__ = ["HISTOGRAM", "PANELS", "wished_picture"]

HISTOGRAM, PANELS = "histogram", "panels"
_BEFORE = re.compile(r"(?:\b(?:as|in|into|to|with|on|it|a|an|the|form|of|draw|plot)\s+)*$", re.IGNORECASE)
_AFTER = re.compile(r"^\s*(?:chart|graph|plot|diagram|form|format|please)\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"^\W*(?:(?:as|in|into|to|with|on|it|a|an|the|and|but|them|chart|graph|plot|bars?|columns?)\b\s*)*\W*$",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"^(?:and\s+)?(?:by|per|for\s+(?:each|every))\b", re.IGNORECASE)
_NAMING = frozenset(("by", "per", "each", "every", "which", "what"))
_PICTURES = frozenset(("chart", "charts", "graph", "graphs", "plot", "plots", "diagram"))
_STANDS = {"stacked": "bar stacked", "grouped": "bar grouped", "horizontal": "bar horizontal", "vertical": "bar"}


def wished_picture(text: str) -> tuple[str, str]:
    """The picture (``bar``, ``bar stacked``, ``table``, …) that a text wishes for, or "", and the text without that."""
    tokens = tokenize(text)
    cues = find_cues(tokens)
    mark = next((cue for cue in cues if cue.kind == "mark" and not _is_named(tokens, cue)), None)
    style = next((cue for cue in cues if cue.kind == "style"), None)
    panels = next((cue for cue in cues if cue.kind == "series" and cue.value == "facet"), None)
    histogram = next((cue for cue in cues if tokens[cue.start].lower.startswith(HISTOGRAM)), None)
    if mark is not None:
        rest = _without(text, tokens, mark)
        if style is not None and style.end <= mark.start:  # "as a stacked bar"
            rest = _without(text, tokens, Cue(style.start, mark.end, "mark", mark.value))
        stands = f" {style.value}" if style is not None and style.value != "vertical" else ""
        return f"{mark.value}{stands}", rest
    if style is not None and _BESIDE.match(rest := _without(text, tokens, style)):  # nothing else is said
        return _STANDS[style.value], ""
    if panels is not None and _BESIDE.match(rest := _without(text, tokens, panels)):
        return PANELS, ""
    if panels is not None and _BESIDE.match(text[: tokens[panels.start].start]):  # "as small multiples by origin"
        return PANELS, rest if _OF_EACH.match(rest) else f"by {rest}"
    if histogram is not None and _BESIDE.match(_without(text, tokens, histogram)):
        return HISTOGRAM, ""
    return "", text


def _is_named(tokens: list[Token], cue: Cue) -> bool:
    """Whether a line, a bar or an area is something of the data: ``by line``, ``which area``, but ``by line chart``."""
    before = tokens[cue.start - 1].lower if cue.start else ""
    after = tokens[cue.end].lower if cue.end < len(tokens) else ""
    return before in _NAMING and after not in _PICTURES and cue.end - cue.start == 1


def _without(text: str, tokens: list[Token], cue: Cue) -> str:
    start, end = tokens[cue.start].start, tokens[cue.end - 1].end
    before = text[:start]
    found = _BEFORE.search(before)
    before = before[: found.start()] if found is not None else before
    return f"{before}{_AFTER.sub('', text[end:])}".strip()
