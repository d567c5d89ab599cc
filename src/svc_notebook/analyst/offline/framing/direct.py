"""A question that stood in another, asked by itself: *whether there are any …*, *how much we made*."""

from __future__ import annotations

from collections.abc import Sequence

from .said import Word, is_mark, lowered
from .table import Frames

__all__ = ["asked_directly"]

_NOUN = 10  # words before the verb of what is asked for


def asked_directly(words: Sequence[Word], frames: Frames, *, embedded: bool) -> list[Word]:
    """A question as it is asked by itself; ``embedded``: what it stood in is gone."""
    if not embedded or len(words) < 3:
        return list(words)
    if words[0].lower in frames.words["whether"]:
        return _whether(words[1:], frames)
    kept = _fronted(words, frames)
    if kept[-1].lower in frames.words["helping"] and kept[-2].lower != "to" and not _helped(kept, frames):
        kept.pop()  # "what the longest ride was"
    return _turned(kept, frames)


def _fronted(words: Sequence[Word], frames: Frames) -> list[Word]:
    """*what the largest fee is that …* as *what is the largest fee that …*, where more stands behind its verb."""
    lower = lowered(words)
    if lower[0] not in frames.words["naming"] or lower[1] not in frames.words["articles"]:
        return list(words)
    for place in range(3, min(len(words) - 1, _NOUN)):
        if lower[place] in frames.words["linking"] or is_mark(words[place]):
            break
        if lower[place] in frames.words["being"]:
            return [words[0], words[place], *words[1:place], *words[place + 1 :]]
    return list(words)


def _helped(words: Sequence[Word], frames: Frames) -> bool:
    """Whether a verb stands where that of a question does: *what is …*, *how many riders do …*."""
    return len(words) > 1 and words[1].lower in frames.words["helping"]


def _turned(words: Sequence[Word], frames: Frames) -> list[Word]:
    """*how much we made* as *how much did we make*."""
    for place in range(1, min(len(words), 6)):
        found = frames.deeds.at(lowered(words), place)
        if found is not None and words[place - 1].lower not in frames.words["helping"]:
            return [*words[:place], *(Word(one, one) for one in found[1].split()), *words[found[0] :]]
    return list(words)


def _whether(words: Sequence[Word], frames: Frames) -> list[Word]:
    """*there are any riders*, *we have …*, *the share is higher …* as a question to be answered with yes or no."""
    lower = lowered(words)
    found = frames.whether.at(lower, 0)
    if found is not None:
        return [*(Word(one, one) for one in found[1].split()), *words[found[0] :]]
    place = next((at for at, word in enumerate(lower) if at and word in frames.words["asking"]), None)
    if place is None:
        return [Word("did", "did"), *words]
    return [words[place], *words[:place], *words[place + 1 :]]
