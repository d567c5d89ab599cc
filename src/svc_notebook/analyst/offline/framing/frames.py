"""The core of what is asked, without the frames around it: *I was wondering …*, *…, could you put that up for me*."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ..schema.metadata import Metadata
from ..words.text import stem, tokenize
from .antecedents import with_what_was_named
from .direct import asked_directly
from .ever import without_ever
from .light import Knows, without_light
from .pieces import piece_behind
from .said import Word, is_mark, lowered, said, written
from .table import Frames, load_frames
from .talk import Holds, KnownIn, holds, known_in, restates, without_talk
from .whole import as_part, why_it_is

__all__ = ["core_of"]

_MOST_WORDS = 120  # of a text that is looked at: nobody says more in one breath
_FEWEST = 3
_LAST = 14  # words that a frame at the end has at most
_LAYERS = 8  # of what is said around


def core_of(text: str, metadata: Metadata, *, in_thread: bool = False, language: str = "en") -> str:
    """What is asked, as a question or as what is to be shown; the text itself where nothing stands around it.

    ``in_thread``: what is asked for without a question (``can I also see …``) goes on from what was shown.
    """
    words, frames = said(text), load_frames(language)
    if not _FEWEST <= len(words) <= _MOST_WORDS:
        return text
    if not in_thread:
        text = with_what_was_named(text, metadata)
        words = said(text)
    core = _core(words, frames, partial(holds, metadata=metadata), partial(known_in, metadata=metadata))
    if in_thread and not frames.asks(core.words):
        return text
    plain = core.words if in_thread else _lightly(core.words, frames, partial(_knows, metadata))
    if not plain or plain == words:
        return text
    told = [Word("tell", "tell"), Word("me", "me")] if plain[0].lower in frames.words["topics"] else []
    mark = [words[-1]] if words[-1].text == "?" and plain[-1].text != "?" else []
    shown = [Word("show", "show")] if core.shows else []
    return written([*(told or shown), *plain, *mark])


def _lightly(words: Sequence[Word], frames: Frames, knows: Knows) -> list[Word]:
    return without_light(without_ever(as_part(words, frames), frames), frames, knows)


def _knows(metadata: Metadata, word: str) -> bool:
    """Whether a word is, or begins, a name or a value of a model."""
    return stem(word) in metadata.vocabulary or bool(metadata.values.find(tokenize(word), 0))


class _Core(NamedTuple):
    """What is asked; ``shows``: it names what is to be shown."""

    words: list[Word]
    shows: bool


def _core(words: Sequence[Word], frames: Frames, says: Holds, known: KnownIn) -> _Core:
    ended, told = _without_end(words, frames)
    because = why_it_is(ended, frames)
    if because is not None:
        return _Core(because, False)
    kept = without_talk(ended, frames, says, known)
    if len(kept) < len(ended):
        kept, again = _without_end(kept, frames)
        told = told or again
    if restates(kept, frames):
        return _Core(list(words), False)  # two questions that both hold something
    core, kind = _without_front(kept, frames)
    moved, inner = piece_behind(core, frames, framed=kind != "")
    asked = frames.asks(moved)
    direct = asked_directly(moved, frames, embedded=bool(kind or inner))
    if told and (found := frames.existing.at(lowered(direct), 0)) is not None:
        return _Core(direct[found[0] :], True)
    if kind and not asked and _asks_later(direct, frames):
        return _Core(list(words), False)  # "remind me, the clubs, what do they pay"
    return _Core(direct, kind in ("asked", "sought") and not asked)


def _asks_later(words: Sequence[Word], frames: Frames) -> bool:
    """Whether a clause behind the first asks."""
    return any(is_mark(word) and frames.asks(words[at + 1 :]) for at, word in enumerate(words))


def _without_end(words: Sequence[Word], frames: Frames) -> tuple[list[Word], bool]:
    """The words without frames at their end, and whether what there may be is to be named."""
    kept, told = list(words), False
    for _ in range(_LAYERS):
        while kept and is_mark(kept[-1]):
            kept.pop()
        start = _end_frame(kept, frames)
        if start is None:
            break
        told = told or frames.named_too.is_whole(lowered(kept), start)
        del kept[start:]
    return (kept, told) if kept else (list(words), False)


def _end_frame(words: Sequence[Word], frames: Frames) -> int | None:
    """Where the longest frame at the end begins."""
    lower = lowered(words)
    for start in range(max(_FEWEST, len(words) - _LAST), len(words)):
        marked = is_mark(words[start - 1])
        if frames.ending.is_whole(lower, start):
            return start
        if marked and (frames.behind.is_whole(lower, start) or frames.named_too.is_whole(lower, start)):
            return start
    return None


def _without_front(words: Sequence[Word], frames: Frames) -> tuple[list[Word], str]:
    """The words without frames at their front, and the kind of the last of them."""
    lower, place, kind = lowered(words), 0, ""
    for _ in range(_LAYERS):
        while place < len(words) and is_mark(words[place]):
            place += 1
        found = _front_frame(words, lower, place, frames)
        if found is None:
            break
        place, kind = found[0], found[1] or kind
    return list(words[place:]), kind


def _front_frame(words: Sequence[Word], lower: Sequence[str], place: int, frames: Frames) -> tuple[int, str] | None:
    """Where the longest frame that begins at a place ends, with more behind it, and of what kind it is."""
    best: tuple[int, str] | None = None
    for kind, phrases in frames.fronts:
        found = phrases.at(lower, place)
        if found is None or found[0] + 1 >= len(words) or best is not None and found[0] <= best[0]:
            continue
        if kind != "set_off" or is_mark(words[found[0]]):
            best = found[0], kind if kind not in ("talk", "set_off") else ""
    return best
