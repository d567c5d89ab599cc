"""What two clauses ask together: *I noticed …, do we know why*, *how many …, as a share*."""

from __future__ import annotations

from collections.abc import Sequence

from .direct import asked_directly
from .said import Word, is_mark, lowered
from .table import Frames

__all__ = ["as_part", "why_it_is"]


def why_it_is(words: Sequence[Word], frames: Frames) -> list[Word] | None:
    """Why something is that was noticed: *we had more visits in May, do we know what's behind that*."""
    lower = lowered(words)
    marks = [at for at, word in enumerate(words) if is_mark(word)]
    end = next((at for at in marks if frames.why.is_whole(lower, at + 1)), None)
    if end is None:
        return None
    noticed = frames.noticed.at(lower, 0)
    claim = words[noticed[0] if noticed is not None else 0 : end]
    return (
        asked_directly([Word("why", "why"), *claim], frames, embedded=True)
        if frames.was.at(lowered(claim), 0)
        else None
    )


def as_part(words: Sequence[Word], frames: Frames) -> list[Word]:
    """*how many are insured, as a share of all* as the share that is; where a share is asked for, it is said once."""
    lower = lowered(words)
    for at, word in enumerate(words):
        found = frames.as_part.at(lower, at + 1) if is_mark(word) else None
        if found is None:
            continue
        rest = next((to for to in range(found[0], len(words)) if is_mark(words[to])), len(words))
        of_what = found[0] < rest and lower[found[0]] == "of"
        kept = [*words[:at], *words[(rest if of_what else found[0]) :]]
        many = frames.many.at(lowered(kept), 0)
        if many is not None:
            return [*(Word(one, one) for one in many[1].split()), *_unmarked(kept[many[0] :], at - many[0])]
        if frames.share.at(lowered(kept), 0) is not None:
            return kept
    return list(words)


def _unmarked(words: Sequence[Word], place: int) -> list[Word]:
    """The words without a mark at a place."""
    return [word for at, word in enumerate(words) if at != place or not is_mark(word)]
