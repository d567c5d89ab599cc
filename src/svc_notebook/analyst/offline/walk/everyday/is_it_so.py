"""What one row is like: *is the almond cake vegan*, *was order 5 paid*."""

from __future__ import annotations

from ...schema.member_kinds import labels_of
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["is_it_so"]

_BEING = frozenset({"is", "are", "was", "were"})
_ENDS = frozenset({"", "?", ".", "!"})


def is_it_so(w: Wording, at: int) -> Found | None:
    """``is the almond cake vegan``: whether it is, as its column of yes and no says, and no list without rows."""
    if at or w.at(0) not in _BEING:
        return None
    start = 1 + (w.at(1) in ("the", "our", "a", "an"))
    matches = w.meta.values.find(w.tokens, start) if start < len(w.tokens) else []
    named = [m for m in matches if m.quality == 1.0 and m.member in labels_of(w.meta, m.member.split(".", 1)[0])]
    end = max((m.end for m in named), default=0)
    owners = {m.member.split(".", 1)[0] for m in named if m.end == end}
    behind = tuple(w.words[end:-1] if w.at(len(w.words) - 1) in _ENDS else w.words[end:]) if end else ()
    flags = [p for p, m in w.meta.members.items() if m.type == "boolean" and m.kind == "dimension"]
    flags = [p for p in flags if p.split(".", 1)[0] in owners and behind and w.meta.parts(p)[-len(behind) :] == behind]
    if len(owners) != 1 or len(flags) != 1:
        return None
    label = w.meta.parts(labels_of(w.meta, next(iter(owners)))[0])
    return [*w.said(0, "show", *label, "and", *w.meta.parts(flags[0]), "of"), *w.tokens[start:end]], len(w.tokens)
