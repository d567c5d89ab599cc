"""What was done to somebody, where another table has when: *patients who were admitted*; how it was paid."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import is_participle
from .wording import Wording

__all__ = ["were_done", "were_paid"]

_BEING = frozenset({"were", "was", "got"})
_ENDS = frozenset({"", "?", ".", "!"})
_WAYS = frozenset({"by", "with", "via", "in", "using"})


def were_done(w: Wording, at: int) -> Found | None:
    """``patients were admitted`` at the end of a question, of a table of admissions: patients with admissions."""
    done = w.at(at + 1)
    if not at or w.at(at) not in _BEING or not is_participle(done) or w.at(at + 2) not in _ENDS:
        return None
    times = (path for path, member in w.meta.members.items() if member.type == "time" and member.kind == "dimension")
    dated = {path.split(".", 1)[0] for path in times if w.meta.parts(path)[:1] == (done,)}
    subject = {one for place in range(at) for one in w.rows_at(place)}
    if len(dated) != 1 or len(subject) != 1 or dated & subject or not w.meta.scope([*subject, *dated]):
        return None
    return w.said(at, "with", "any", *w.plural(dated.pop())), at + 2


def were_paid(w: Wording, at: int) -> Found | None:
    """``orders that were paid by card``: those with a card, of which nobody asks what they came to."""
    place = at + (w.at(at) in ("that", "which", "who"))
    place += w.at(place) in _BEING | {"is", "are"}
    if not at or w.at(place) != "paid" or w.at(place + 1) not in _WAYS or not w.rows_at(at - 1):
        return None
    return (w.said(at, "with"), place + 2) if w.meta.values.find(w.tokens, place + 2) else None
