"""Those who are there now, said behind their noun: *current ones only*, *how many do we have now*, *still with us*."""

from __future__ import annotations

from ...schema.states import end_in
from ...words.rewriting import Found
from .wording import Wording

__all__ = ["still_here"]

_SAID = (
    ("current", "ones", "only"), ("the", "current", "ones", "only"), ("only", "current", "ones"),
    ("only", "the", "current", "ones"), ("just", "the", "current", "ones"), ("current", "ones"), ("current", "only"),
    ("still", "with", "us"), ("still", "here"), ("still", "around"), ("still", "there"), ("still", "on", "board"),
)  # fmt: skip
_LINKING = frozenset({",", "that", "who", "which", "are", "is", "(", "-"})
_HAVING = frozenset({"have", "are", "there", "got", "left"})


def still_here(w: Wording, at: int) -> Found | None:
    """``volunteers per shop, current ones only``: those who have not left, where it is known who has."""
    place = at
    while place > 0 and w.at(place) in _LINKING:
        place += 1
    size = next((len(words) for words in _SAID if tuple(w.words[place : place + len(words)]) == words), 0)
    now = place == at and w.at(at) == "now" and w.at(at - 1) in _HAVING and at + 1 >= w.end
    if not (size or now) or not any(_ends(w, p) for p in range(at)):
        return None
    end = place + size if size else at + 1
    return w.said(at, "currently"), end + (w.at(end) == ")")


def _ends(w: Wording, at: int) -> bool:
    """Whether a noun is for rows that may have come to their end."""
    return any(end_in(w.meta, name, "currently") is not None for name in w.rows_at(at) if name in w.cubes)
