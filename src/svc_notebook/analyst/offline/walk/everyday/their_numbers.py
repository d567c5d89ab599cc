"""Rows with a number that is worked out for each of them: *boats with their average delay*; and which there are."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["which_there_are", "with_their_number"]

_FOLDED = frozenset("average avg mean median total summed".split())
_SHOWN = frozenset("list show give me all the our every".split())
_ENDS = frozenset({"", "?", ".", "!"})


def with_their_number(w: Wording, at: int) -> Found | None:
    """``boats with their average delay``: the average delay by boat."""
    if at:
        return None
    start = next((place for place, word in enumerate(w.words) if word not in _SHOWN), 0)
    end = w.kind_end(start) if start < len(w.tokens) else 0
    if not end or not w.rows_at(end - 1) or w.words[end : end + 2] not in (["with", "their"], ["with", "its"]):
        return None
    said = w.words[end + 2 :]
    if not said or said[0] not in _FOLDED or {"and", ",", "by", "per", "in"} & set(said):
        return None
    return [*w.tokens[end + 2 : w.end], *w.said(end, "by"), *w.tokens[start:end]], len(w.tokens)


def which_there_are(w: Wording, at: int) -> Found | None:
    """``which keepers are there``: their names, and not how many they are."""
    if at or w.at(0) not in ("which", "what"):
        return None
    end = w.kind_end(1) if len(w.tokens) > 1 else 0
    if not end or not w.rows_at(end - 1) or w.words[end : end + 2] != ["are", "there"] or w.at(end + 2) not in _ENDS:
        return None
    label = w.meta.label_of(w.rows_at(end - 1)[0])
    named = w.meta.parts(label) if label is not None else ()
    return (w.said(0, "list", *named), len(w.tokens)) if named else None
