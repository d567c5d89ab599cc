"""Reasons and kinds that are the first of many: *top 3 causes* are those that most rows have, whatever they cost."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular
from .wording import Wording

__all__ = ["top_reasons"]

_FREQUENT = frozenset({"cause", "reason", "motive"})
_LEAD = 4  # words before it: show me the
_RANKED = frozenset(
    {"by", "with", "cost", "costing", "costs", "most", "least", "highest", "lowest", "total", "average"}
)


def top_reasons(w: Wording, at: int) -> Found | None:
    """``top 3 causes per team``: by the number of rows, where no other number is named."""
    place = next((p for p in range(_LEAD) if w.at(p) == "top"), None)
    if at or place is None or not w.is_number(place + 1) or _RANKED & set(w.words):
        return None
    end = place + 3
    homes = _told_by(w, w.at(end - 1)) if singular(w.at(end - 1)) in _FREQUENT else set()
    if len(homes) != 1 or any(w.number_end(p) for p in range(end, w.end)):
        return None
    most = w.said(0, "with", "the", "most", *w.plural(homes.pop()))
    return [*w.said(0, "the"), *w.tokens[place + 1 : end], *most], end


def _told_by(w: Wording, noun: str) -> set[str]:
    """The tables of which one column of texts tells the noun."""
    texts = [p for p, m in w.meta.members.items() if m.type == "string" and p.split(".", 1)[0] in w.cubes]
    found = [path for path in texts if w.meta.parts(path) and singular(noun) in w.meta.parts(path)]
    return {path.split(".", 1)[0] for path in found} if len(found) == 1 else set()
