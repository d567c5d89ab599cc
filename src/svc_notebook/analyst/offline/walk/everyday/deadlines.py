"""In time or late, where the model knows which of its rows are late: *on time*, *after the due date*."""

from __future__ import annotations

from ...schema.lasting import ends_in
from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from ...words.shares_said import SHARE_WORDS
from ...words.text import stem
from .overdue import due_before_today
from .wording import Wording

__all__ = ["done_so", "done_within", "in_time", "past_due"]

_IN_TIME = (
    ("on", "time"),
    ("on", "-", "time"),
    ("in", "time"),
    ("on", "schedule"),
    ("by", "the", "due", "date"),
    ("punctually",),
)
_DUE = frozenset("due promised expected planned scheduled target agreed estimated".split())
_WHEN = frozenset({"date", "day", "time"})
_RATED = SHARE_WORDS | {"rate", "%"}
_COMING = frozenset("came come arrived made done".split())
_UNDONE = frozenset("unfinished undelivered unreturned unresolved incomplete uncompleted unshipped".split())
_PAST = (("past", "due"), ("too", "late"), ("behind", "schedule"), ("overly", "late"))


def _knows_late(w: Wording) -> bool:
    known = [tuple(w.meta.parts(path)) for path, m in w.meta.members.items() if m.type == "boolean"]
    return ("late",) in known and not any(
        {"ontime", "punctual"} & {*parts} or parts[:2] == ("on", "time") for parts in known
    )


def in_time(w: Wording, at: int) -> Found | None:
    """``paid on time``: not late."""
    size = next((len(said) for said in _IN_TIME if tuple(w.words[at : at + len(said)]) == said), 0)
    return (w.said(at, "not", "late"), at + size) if size and _knows_late(w) else None


def past_due(w: Wording, at: int) -> Found | None:
    """``paid after the due date``, ``later than promised``: late; what is not done is due before today."""
    size = _past(w, at)
    if not at or not size or not _knows_late(w):
        return None
    due = due_before_today(w) if _UNDONE & set(w.words[:at]) else None
    return (w.said(at, *due) if due is not None else w.said(at, "late")), at + size


def _past(w: Wording, at: int) -> int:
    """How many words from a place on say that it was after it was due."""
    size = next((len(said) for said in _PAST if tuple(w.words[at : at + len(said)]) == said), 0)
    if not size and w.words[at : at + 2] == ["later", "than"] and w.at(at + 2) in _DUE:
        size = 3 + (w.at(at + 3) in _WHEN)
    if not size and w.at(at) in ("after", "past"):
        place = at + 1 + (w.at(at + 1) in ("the", "its", "their"))
        if w.at(place) == "deadline" or w.at(place) in _DUE and w.at(place + 1) in _WHEN:
            size = place + 1 + (w.at(place) != "deadline") - at
    return size


def done_so(w: Wording, at: int) -> Found | None:
    """``paid late``, ``came in on time``: what is late or not was done, whatever a status says."""
    behind = at + 1 + (w.at(at + 1) == "in" and w.at(at) in _COMING)
    told = (w.said(behind, "late"), behind + 1) if w.at(behind) == "late" else in_time(w, behind) or past_due(w, behind)
    if not at or told is None or not _knows_late(w):
        return None
    times = [path for path, member in w.meta.members.items() if member.type == "time"]
    if _RATED & set(w.words[:at]):
        return None  # of those that were done
    done = w.at(at) in _COMING or any(stem(part) == w.tokens[at].stem for path in times for part in w.meta.parts(path))
    return told if done else None


def done_within(w: Wording, at: int) -> Found | None:
    """``closed within 2 days``: that took at most so long, from when a row began."""
    verb = at + (w.at(at) in _WHICH)
    verb += w.at(verb) in _WERE
    if w.at(verb + 1) != "within" or not w.is_number(verb + 2) or not at:
        return None
    unit = unit_of(w.at(verb + 3)) if w.at(verb + 3) else None
    if unit is None or dimension_of(unit) != "time" or w.at(verb + 4) in _AFTER:
        return None
    ends = [lasts[1] for name in w.cubes if (lasts := ends_in(w.meta, name)) is not None]
    if not any(w.tokens[verb].stem in {stem(part) for part in w.meta.parts(path)} for path in ends):
        return None
    took = w.said(at, "that", "took", "at", "most")
    return [*took, *w.tokens[verb + 2 : verb + 4], *w.said(verb, "to"), w.tokens[verb]], verb + 4


_WHICH = frozenset({"that", "which", "who"})
_WERE = frozenset({"is", "are", "was", "were", "got", "get", "been"})
_AFTER = frozenset({"of", "after", "before", "from"})
