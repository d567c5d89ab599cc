"""What is so still, or no longer: rows whose end is not known yet (``still open``, ``active``, ``alive``), or is."""

from __future__ import annotations

from ..words.text import stem
from .lasting import ends_in
from .metadata import Metadata

__all__ = ["STILL", "end_in"]


def _stemmed(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_DEATH = _stemmed("died death deceased dead")
_LEAVING = _stemmed("left leaving quit terminated termination resigned resignation departed exited exit retired")
_CLOSING = _stemmed("closed closing resolved solved finished completed done ended end")
_PAYING = _stemmed("paid payment settled")
_OVER = (
    _stemmed("cancelled canceled cancellation churned churn expired expiry ended end decommissioned withdrawn")
    | _LEAVING
    | _CLOSING
)
STILL = {
    "alive": _DEATH, "living": _DEATH, "open": _CLOSING, "unresolved": _CLOSING, "unfinished": _CLOSING,
    "employed": _LEAVING | _stemmed("end ended"), "active": _OVER, "current": _OVER, "currently": _OVER,
    "ongoing": _OVER, "outstanding": _CLOSING | _PAYING, "pending": _CLOSING,
}  # fmt: skip
"""Words for what has not ended, with stems of what its end may be called."""
_OF_MUCH = frozenset({"current", "currently"})  # which data and prices are as well
_BILLS = frozenset({"invoice", "bill", "payment", "fine", "receivable", "claim"})


def end_in(metadata: Metadata, relation: str, word: str) -> str | None:
    """The only time or year of a relation that says when what ``word`` says was over, where some of it is not."""
    ends = STILL.get(word, frozenset())
    # What is to be paid is open until it was.
    ends = ends | _PAYING if word == "open" and metadata.words_of(relation)[-1] in _BILLS else ends
    found = [
        path
        for path in metadata.members
        if path.split(".", 1)[0] == relation
        and ends & {stem(part) for part in metadata.parts(path)}
        and (metadata.is_time(path) or _is_year(metadata, path))
        # Where every row has an end, nothing of them is still so.
        and metadata.profile(path).missing
    ]
    if not found and ends >= _CLOSING and word not in _OF_MUCH:
        found = _last_of(metadata, relation)
    return found[0] if len(found) == 1 else None


def _last_of(metadata: Metadata, relation: str) -> list[str]:
    """The end of rows that begin and end by two times, whatever it is called: open until they were *fixed*."""
    ends = ends_in(metadata, relation)
    known = ends is not None and ends[1] in metadata.members and metadata.profile(ends[1]).missing
    return [ends[1]] if ends is not None and known and not metadata.profile(ends[0]).missing else []


def _is_year(metadata: Metadata, path: str) -> bool:
    member = metadata.members[path]
    return member.kind == "dimension" and (
        metadata.is_year(path) or bool(_DEATH & set(map(stem, metadata.parts(path))))
    )
