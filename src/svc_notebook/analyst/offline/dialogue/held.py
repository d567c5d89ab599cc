"""A refused question that is held: what is said next may be other words for what nobody knew, or leave it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .... import patterns as re
from ....records import dataclass
from ...base import PastTurn, Turn
from ..reading.reading import Reading
from ..words.text import stem
from .hearing import Heard, hear
from .lexicon import load_discourse

__all__ = ["Held", "accepts", "held", "leaves_out", "rephrased"]

_LONGEST = 8  # words that stand for others; more are a question of their own
_NAMED = 4  # words of a turn that does nothing but name something
_FARTHEST = 3  # turns that tried to complete it and did not
_BEFORE = re.compile(r"(?:\b(?:per|by|for|of|in|with|from|each|the|a|an)\s+)+$", re.IGNORECASE)
_JOINED = (
    r"(?:\b(?:and|or|with|without|by|per|for|of|in|at|on|from|to|during|using|the|a|an|any|all|some|its|their|our)\s+)*"
)
_AFTER_IT = re.compile(r"^\W*(?:,|and\b|or\b)\s*", re.IGNORECASE)
_ACCEPTED = re.compile(
    r"^\W*(?:(?:ok|okay|fine|well|alright|all right|right|sure|good|then|in that case|yes|yeah)\b[\s,;:.!–-]*)+"
    r"(?=\w+\W+\w)"
    r"|\bthen\W*$"
    r"|^\W*just\s+(?=(?:by|per|for each|for every)\b)",
    re.IGNORECASE,
)
_LEAVING = frozenset({"lead", "remove", "and", "correct", "follow"})
_ASKS = re.compile(
    r"^\W*(?:how|what|which|who|whose|where|when|why|is|are|was|were|do|does|did|has|have|show|list|give)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Held:
    """A question that was refused for words that nobody knew, and its place in the thread."""

    question: str
    unknown: tuple[str, ...]
    place: int

    @property
    def runs(self) -> tuple[str, ...]:
        """The unknown words as they stand in it: all of them side by side if they do, else each stretch of them."""
        whole = self._found(self.unknown)
        return (whole,) if whole else tuple(dict.fromkeys(self._stretches()))

    def with_words(self, run: str, said: str, *, piece: bool = False) -> str:
        """The question with what is said in the place of some of them."""
        front, _, back = self.question.partition(run)
        front = _BEFORE.sub("", front) if piece else front  # "i mean per branch" of "animals per volunteer"
        return f"{front}{said}{back}"

    def without(self, words: Sequence[str] = ()) -> str:
        """The question without the unknown words, or without those that are named of them."""
        gone = {stem(word.lower()) for word in words or self.unknown}
        text = self.question
        for word in self.unknown:
            if stem(word.lower()) in gone:
                text = _taken_out(text, word)
        return re.sub(r"^\W*(?:and|or)\s+", "", text).strip()

    def _found(self, words: Sequence[str]) -> str:
        pattern = r"\W+".join(re.escape(word) for word in words)
        found = re.search(rf"\b{pattern}\b", self.question, re.IGNORECASE)
        return found[0] if found is not None else ""

    def _stretches(self) -> Iterator[str]:
        left = list(self.unknown)
        while left:
            size = next((n for n in range(len(left), 0, -1) if self._found(left[:n])), 0)
            if size:
                yield self._found(left[:size])
            left = left[size or 1 :]


def held(turn: Turn) -> Held | None:
    """The question that was refused last and is not completed yet; None where something was answered since."""
    tried = 0
    for place in range(len(turn.history) - 1, -1, -1):
        past = turn.history[place]
        if past.memory.get("told"):
            continue
        found = _held(past, place)
        if found is not None and not (tried < _FARTHEST and _completes(past.question)):
            return found
        if "reading" in past.memory or not (past.memory.get("pending") or past.memory.get("choices")):
            return None
        tried += 1
        if tried > _FARTHEST:
            return None
    return None


def _held(past: PastTurn, place: int) -> Held | None:
    pending, unread = past.memory.get("pending"), past.memory.get("left") or past.memory.get("unread")
    if not isinstance(pending, str) or not isinstance(unread, (list, tuple)) or not unread:
        return None
    return Held(pending, tuple(str(word) for word in unread), place)


def _completes(text: str) -> bool:
    """Whether a turn was itself said to complete another."""
    return bool({"correct", "remove"} & set(hear(text).acts))


def rephrased(heard: Heard, turn: Turn, alone: Reading) -> tuple[tuple[str, int], ...]:
    """The held question with what is said now in the place of words that were not known, and its place in the thread;
    none where a turn is neither a correction nor a bare name.
    """
    waiting, said = held(turn), heard.rest.strip(" ?!.,")
    if waiting is None or not said or len(said.split()) > _LONGEST:
        return ()
    corrects = "correct" in heard.acts
    if not corrects and not (waiting.place == len(turn.history) - 1 and _names_only(heard, alone)):
        return ()
    return tuple((waiting.with_words(run, said, piece=heard.is_piece), waiting.place) for run in waiting.runs)


def _names_only(heard: Heard, alone: Reading) -> bool:
    """Whether a turn names something, and says neither which nor by what."""
    draft = alone.draft
    if draft is None or heard.wants or heard.points or set(heard.acts) - {"lead"} or _ASKS.match(heard.text):
        return False
    if len(heard.rest.split()) > _NAMED or alone.unread or heard.is_piece:
        return False
    more = draft.conditions or draft.dimensions or draft.grains or draft.grouped_entities or draft.top
    return not more and bool(draft.measures or draft.counted_entities or draft.entities or draft.mentions)


def leaves_out(heard: Heard, turn: Turn) -> Held | None:
    """The held question, where nothing is said but to leave out what was not known of it."""
    waiting = held(turn)
    if waiting is None or "remove" not in heard.acts or set(heard.acts) - _LEAVING:
        return None
    empty = load_discourse().empty | {"word", "words", "part", "bit"}
    said = {stem(w) for w in re.findall(r"\w+", heard.rest.lower()) if w not in empty and w not in ("the", "a", "an")}
    unknown = {stem(word.lower()) for word in waiting.unknown}
    return waiting if said <= {stem(part) for word in unknown for part in word.split()} else None


def accepts(heard: Heard, turn: Turn) -> Held | None:
    """The held question, where a turn goes on from what was understood of it: ``ok, by month``, ``by month then``."""
    waiting = held(turn)
    acts = set(heard.acts) & {"correct", "back", "compare", "restore"}
    said = _ACCEPTED.search(turn.asked) or _ACCEPTED.search(heard.text)
    return waiting if said is not None and not (acts or heard.wants) else None


def _taken_out(text: str, word: str) -> str:
    """A text without a word, and without what joined it to the rest: ``hires by boat with blurp``."""
    at = re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    if at is None:
        return text
    front, back = text[: at.start()], text[at.end() :]
    if (joined := _AFTER_IT.match(back)) is not None:  # "by blurp and boat" is still by something
        return f"{front}{back[joined.end() :]}"
    front = re.sub(rf"{_JOINED}$", "", front, flags=re.IGNORECASE).rstrip(" ,")
    return f"{front} {back.lstrip()}" if not re.match(r"\W*$", back) else f"{front}{back}"
