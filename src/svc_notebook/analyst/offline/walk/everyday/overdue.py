"""What is due and not done yet, where rows know when they are due and when they were done: *overdue loans*."""

from __future__ import annotations

from ...words.rewriting import Found
from .wording import Wording

__all__ = ["PAID", "due_before_today", "overdue"]

_DUE = frozenset({"due", "deadline", "promised"})
_DONE = frozenset(
    "paid payment returned return delivered delivery completed completion closed finished resolved submitted received "
    "settled fulfilled answered shipped dispatched sent collected handed".split()
)
PAID = frozenset({"paid", "payment", "settled"})
_WHAT = frozenset({"what's", "whats", "is", "are", "anything", "everything"})
_JOINING = frozenset({"that", "which", "are", "is", "still", "currently"})
_NOW = (("as", "of", "today"), ("as", "of", "now"), ("right", "now"), ("at", "the", "moment"), ("today",), ("now",))


def overdue(w: Wording, at: int) -> Found | None:
    """``overdue loans``, ``loans that are overdue as of today``: due before today, and not returned."""
    place = at
    while at and w.at(place) in _JOINING:
        place += 1
    if w.at(place) != "overdue" or w.tokens[place].stem in w.meta.vocabulary:
        return None
    rows = _rows_with_both(w)
    if rows is None:
        return None
    relation, due, done = rows
    so = w.said(at, "with", *w.meta.parts(due), "before", "today", "and", *w.meta.parts(done), "is", "missing")
    if place and w.at(place - 1) in _WHAT and place + 1 >= w.end:
        return [*w.said(at, *w.plural(relation)), *so], place + 1
    if place > at or _is_of(w, at - 1, relation):
        return (so, _behind(w, place + 1)) if _is_of(w, at - 1, relation) else None
    said = (w.tokens[at + 1].stem,) if at + 1 < len(w.tokens) else ()
    nouns = {phrase.relation for phrase in w.meta.phrases if phrase.member is None and phrase.stems == said}
    if not nouns or "who" in w.words[:at] and relation not in nouns:
        return None
    if relation in nouns:
        return [w.tokens[at + 1], *so], _behind(w, at + 2)
    had = any(w.meta.leads_to(relation, name) for name in nouns)
    return ([*w.said(at, *w.plural(relation)), *so], _behind(w, at + 2)) if had else None


def due_before_today(w: Wording) -> list[str] | None:
    """The words for what is due before today, of the one relation whose rows are due and done."""
    rows = _rows_with_both(w)
    return ["with", *w.meta.parts(rows[1]), "before", "today"] if rows is not None else None


def _behind(w: Wording, at: int) -> int:
    return at + next((len(said) for said in _NOW if tuple(w.words[at : at + len(said)]) == said), 0)


def _rows_with_both(w: Wording) -> tuple[str, str, str] | None:
    """The one relation whose rows are due at one time and done at another that may be missing."""
    found = []
    for relation in w.cubes:
        times = [p for p in w.meta.times([relation]) if p.split(".", 1)[0] == relation]
        due = [path for path in times if _DUE & set(w.meta.parts(path))]
        done = [path for path in times if _DONE & set(w.meta.parts(path)) and path not in due]
        # What is paid for as well is done before that, or after.
        done = [path for path in done if not PAID & set(w.meta.parts(path))] or done
        # What is received is done where it was lent, and begun where it is shipped: then only the other may be missing.
        done = [path for path in done if w.meta.profile(path).missing] if len(done) > 1 else done
        if len(due) == len(done) == 1 and w.meta.profile(done[0]).missing:
            found.append((relation, due[0], done[0]))
    return found[0] if len(found) == 1 else None


def _is_of(w: Wording, at: int, relation: str) -> bool:
    return relation in w.rows_at(at)
