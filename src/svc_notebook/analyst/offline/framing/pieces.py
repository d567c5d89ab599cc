"""A piece before a question, put where it belongs: *for each driver, how many …*, *of all the bars, which …*."""

from __future__ import annotations

from collections.abc import Sequence

from .light import in_place
from .said import Word, is_mark, lowered
from .table import Frames

__all__ = ["piece_behind"]

_PIECE = 16  # words at most
_POINTING = frozenset({"those", "them", "these", "which", "whom"})  # of what was said, and no piece of its own


def piece_behind(words: Sequence[Word], frames: Frames, *, framed: bool) -> tuple[list[Word], bool]:
    """The words with the piece behind the question, and whether a frame stood between them.

    Where none stands anywhere (``framed``), only what is chosen from is put behind: *at least 90 points: how many
    exams* is read as it is said.
    """
    lower = lowered(words)
    opening = frames.of_all.at(lower, 0)
    apart = opening is not None or words[:1] and words[0].lower in frames.words["apart"]
    pointing = opening is not None and not _POINTING.isdisjoint(lower[opening[0] :][:1])
    if len(words) < 4 or not apart or pointing or frames.asks(words):
        return list(words), False
    for place in range(2, min(len(words) - 2, _PIECE)):
        start, inner = _question_at(words, lower, place, frames)
        if start is not None:
            if not (framed or inner or opening is not None):
                break
            end = place - 1 if is_mark(words[place - 1]) else place
            return _joined(list(words[:end]), list(words[start:]), frames), inner
    return list(words), False


def _question_at(words: Sequence[Word], lower: Sequence[str], place: int, frames: Frames) -> tuple[int | None, bool]:
    """Where the question begins whose frame, mark or first word stands at a place."""
    at = place + 1 if is_mark(words[place]) else place
    found = frames.asked.at(lower, at)
    start = found[0] if found is not None else at
    while start < len(words) and is_mark(words[start]):
        start += 1
    begins = start < len(words) and lower[start] in frames.words["words"]
    marked = found is not None or at > place or lower[at] in ("how", "what", "which") and begins
    return (start if marked and frames.asks(words[start:]) else None), found is not None


def _joined(piece: list[Word], question: list[Word], frames: Frames) -> list[Word]:
    """The piece where it belongs; what the question says of it by a pronoun, by its article."""
    whole = frames.of_all.at(lowered(piece), 0)
    if whole is None:
        plain = [Word("the", "the") if word.lower in frames.words["own"] else word for word in question]
        return [*plain, Word(piece[0].lower, piece[0].lower), *piece[1:]]
    of = piece[whole[0] :]
    one = frames.which.at(lowered(question), 0)
    if one is not None:
        chosen, end = in_place(one[1], of, 0)
        return [*chosen, *of[end:], *question[one[0] :]]
    share = frames.share.at(lowered(question), 0)
    end = share[0] if share is not None else len(question)
    return [*question[:end], Word("of", "of"), *of, *question[end:]]
