"""What a share is of, behind its rows: *percentage of web orders cancelled* are those of web orders that are so."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import is_participle
from .wording import Wording

__all__ = ["state_behind_rows"]

_LITTLE = frozenset({"the", "all", "our", "total", "these", "those"})
_DONE = frozenset({"done", "paid", "sent", "sold", "made", "lost", "won", "late", "open", "overdue"})
_MOST = 4  # words between a share and its rows
_SURE = 0.85  # how well a value fits that is meant


def state_behind_rows(w: Wording, at: int) -> Found | None:
    """``percentage of web orders cancelled``: that are cancelled, of web orders."""
    of = next((place for place in range(at - 1, max(0, at - 1 - _MOST), -1) if w.at(place) == "of"), 0)
    if not of or w.at(of - 1) not in SHARE_WORDS or not w.rows_at(at) or at + 1 >= w.end:
        return None
    kind = [word for word in w.words[of + 1 : at] if word not in _LITTLE]
    if not kind or not all(word.isalpha() or word == "-" for word in kind) or not _is_state(w, at + 1):
        return None
    return [w.tokens[at], *w.said(at, "that", "were")], at + 1


def _is_state(w: Wording, at: int) -> bool:
    """Whether rows are told by a word behind them: by what was done to them, a flag, or a value."""
    if is_participle(w.at(at)) or w.at(at) in _DONE:
        return True
    return any(match.quality >= _SURE for match in w.meta.values.find(w.tokens, at)) and not w.kind_end(at)
