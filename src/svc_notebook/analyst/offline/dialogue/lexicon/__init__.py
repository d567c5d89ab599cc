"""The words of a language that say how a turn hangs on those before it: a data file, loaded and typed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import chain

from ..... import patterns as re
from ..... import word_tables
from .....records import dataclass

__all__ = ["Discourse", "load_discourse"]

Kinds = Mapping[str, Sequence[str]]
"""Phrases that may stand for one another, by name."""


class Phrases:
    """Phrases at the front of a text, or (``last``) at its end, as one pattern with ``{}`` for any of them.

    The pattern is made for the first text that could hold one by its outermost letters: making all of them takes longer
    than the rest of the first reading, and most texts need none.
    """

    def __init__(self, pattern: str, phrases: Sequence[str], kinds: Kinds, *, last: bool = False) -> None:
        self._pattern = pattern
        self._phrases = phrases
        self._kinds = kinds
        self._last = last

    def find(self, text: str) -> re.Match[str] | None:
        """Where one of the phrases stands."""
        return self._made.search(text) if _may_hold(text, self._edges, last=self._last) else None

    @cached_property
    def _made(self) -> re.Pattern[str]:
        return re.compile(self._pattern.format(_any(self._phrases, self._kinds)), re.IGNORECASE)

    @cached_property
    def _edges(self) -> tuple[str, ...] | None:
        return _outermost(self._phrases, self._kinds, last=self._last)


@dataclass(frozen=True)
class Around:
    """Words that stand around what they are said of: ``leave … out``."""

    phrases: tuple[tuple[str, str], ...]
    kinds: Kinds

    def find(self, text: str) -> str | None:
        """What stands between them."""
        found = self._made.match(text) if _may_hold(text, self._edges, last=False) else None
        return next((part for part in found.groups() if part), None) if found is not None else None

    @cached_property
    def _edges(self) -> tuple[str, ...] | None:
        return _outermost([before for before, _ in self.phrases], self.kinds, last=False)

    @cached_property
    def _made(self) -> re.Pattern[str]:
        each = (rf"{_pattern(a, self.kinds)}\s+(\S.*?)[\s,]+{_pattern(b, self.kinds)}" for a, b in self.phrases)
        return re.compile(rf"^\W*(?:{'|'.join(each)})\W*$", re.IGNORECASE)


def _outermost(phrases: Sequence[str], kinds: Kinds, *, last: bool) -> tuple[str, ...] | None:
    """The letters that a phrase can begin, or end, with; None where that may be any."""
    found = {edge for phrase in phrases for edge in _edges_of(phrase.lower().split(), kinds, last=last)}
    return None if found & {"", None} else tuple(edge for edge in found if edge)


def _may_hold(text: str, edges: tuple[str, ...] | None, *, last: bool) -> bool:
    if edges is None or not text.isascii():
        return True
    return _bare(text).endswith(edges) if last else _bare(text).startswith(edges)


class Frame:
    """A frame of a whole turn: ``… is what I meant``; its pattern is made for the first text that has all its words."""

    def __init__(self, phrase: str, kinds: Kinds) -> None:
        self._phrase, self._kinds = phrase, kinds

    def find(self, text: str) -> re.Match[str] | None:
        """The text, where it stands in this frame."""
        lower = text.lower()
        return self._made.match(text) if all(word in lower for word in self._words) else None

    @cached_property
    def _words(self) -> tuple[str, ...]:
        words = (word for word in self._phrase.lower().split() if not word.endswith("?"))
        return tuple(word for word in words if word.isascii() and word.isalpha())

    @cached_property
    def _made(self) -> re.Pattern[str]:
        return re.compile(rf"^\W*{_pattern(self._phrase, self._kinds)}\W*$", re.IGNORECASE)


@lru_cache(256)  # a text is looked at for each of some hundred acts
def _bare(text: str) -> str:
    return _OUTER.sub("", text.lower())


@dataclass(frozen=True)
class Discourse:
    """``opening`` and ``closing`` phrases by act, those ``around`` what they are said of, whole ``turns`` by what they
    want, and words that point back.
    """

    opening: tuple[tuple[str, Phrases], ...]
    closing: tuple[tuple[str, Phrases], ...]
    around: tuple[tuple[str, Around], ...]
    turns: Mapping[str, Phrases]
    plainly: tuple[tuple[str, tuple[Frame, ...]], ...]  # what a turn says plainly, and the frames it may stand in
    pointing: re.Pattern[str]
    where: tuple[str, ...]  # what places are called, the widest first
    short: frozenset[str]
    empty: frozenset[str]
    words: frozenset[str]  # the longer ones of its phrases

    def near(self, word: str) -> str | None:
        """The one word that ``word`` is a slip of: a letter too many, one too few, or two that changed places."""
        if len(word) < _LONG - 1 or word in self.words:
            return None
        found = {
            other for other in self.words if other[0] == word[0] and other[-1] == word[-1] and _slipped(word, other)
        }
        return found.pop() if len(found) == 1 else None

    def first(self, word: str) -> str | None:
        """The same for the first word of a turn, of the short ones that turns begin with: ``adn``, ``ony``."""
        found = {other for other in self.short if _swapped(word, other) or _lost(word, other)} - {word}
        return found.pop() if len(found) == 1 and word not in self.short else None


def _swapped(word: str, other: str) -> bool:
    """Whether two letters that stand side by side changed places."""
    return len(word) == len(other) and any(
        word == other[:at] + other[at + 1] + other[at] + other[at + 2 :] for at in range(len(other) - 1)
    )


def _lost(word: str, other: str) -> bool:
    """Whether a letter within ``other`` was lost."""
    return any(word == other[:at] + other[at + 1 :] for at in range(1, len(other) - 1))


def _slipped(word: str, other: str) -> bool:
    if len(word) == len(other):
        apart = [place for place, (a, b) in enumerate(zip(word, other, strict=True)) if a != b]
        if len(apart) != 2 or apart[1] != apart[0] + 1:
            return False
        return word[apart[0]] == other[apart[1]] and word[apart[1]] == other[apart[0]]
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    if len(longer) != len(shorter) + 1:
        return False
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(1, len(longer) - 1))


_OPEN = {"*": r"\S+(?:\s+\S+){0,2}", "…": r"(\S.*?)"}
_GAP = r"[\s,]+"
_LONG = 6  # letters from which on a slip of the fingers can be told from another word
_OUTER = re.compile(r"^\W+|\W+$")


@cache
def load_discourse(language: str = "en") -> Discourse:
    """The discourse words in the folder ``language``."""
    text = (resources.files(__package__) / language / "discourse.toml").read_text("utf8")
    table = word_tables.loads(text)
    kinds = table["kind"]
    around = {act: [tuple(one.split(" | ", 1)) for one in phrases] for act, phrases in table["around"].items()}
    return Discourse(
        _acts(table["opening"], kinds, r"^\W*(?:{})(?=\W|$)[\s,:;.!…-]*"),
        _acts(table["closing"], kinds, r"[\s,;.-]*\b(?:{})\W*$", last=True),
        tuple((act, Around(tuple((a, b) for a, b in phrases), kinds)) for act, phrases in around.items()),
        {name: Phrases(r"^\W*(?:{})\W*$", phrases, kinds) for name, phrases in table["turn"].items()},
        tuple((plain, tuple(Frame(one, kinds) for one in frames)) for plain, frames in table["plainly"].items()),
        re.compile(rf"\b(?:{_any(table['words']['pointing'], kinds)})\b", re.IGNORECASE),
        tuple(table["words"]["where"]),
        frozenset(table["words"]["short"]),
        frozenset(table["words"]["empty"]),
        frozenset(_long_words(table)),
    )


def _long_words(table: Mapping[str, Mapping[str, list[str]]]) -> list[str]:
    tables = (table[kind].values() for kind in ("kind", "opening", "closing", "turn"))
    said = " ".join(phrase for phrases in chain.from_iterable(tables) for phrase in phrases)
    return re.findall(rf"[a-z]{{{_LONG},}}", re.sub(r"(?<!\S)<\S*", "", said))


def _acts(
    table: Mapping[str, list[str]], kinds: Kinds, pattern: str, *, last: bool = False
) -> tuple[tuple[str, Phrases], ...]:
    return tuple((act, Phrases(pattern, phrases, kinds, last=last)) for act, phrases in table.items())


def _edges_of(words: Sequence[str], kinds: Kinds, *, last: bool) -> Iterator[str | None]:
    """The letters that a phrase of these words begins, or ends, with; ``""`` where it may be signs alone, which do not
    count there, and None where it may be anything.
    """
    for word in reversed(words) if last else words:
        plain = word.rstrip("?")
        ways = [phrase.split() for phrase in kinds[plain[1:-1]]] if plain.startswith("<") else []
        found = {edge for way in ways for edge in _edges_of(way, kinds, last=last)} or {_edge(plain, last)}
        yield from found - {""}
        if "" not in found and not word.endswith("?"):
            return
    yield ""


@cache  # most words stand in many phrases
def _edge(word: str, last: bool) -> str | None:
    return None if word in _OPEN else re.split(r"[\W_]", _OUTER.sub("", word))[-1 if last else 0]


def _any(phrases: Sequence[str], kinds: Kinds) -> str:
    """A pattern for any of the phrases, the longest first; ``?`` behind a word makes it optional, ``*`` is any few,
    ``…`` what a frame keeps, and ``<it>`` any phrase of that kind.
    """
    return "|".join(_pattern(phrase, kinds) for phrase in sorted(phrases, key=len, reverse=True))


def _pattern(phrase: str, kinds: Kinds) -> str:
    made = gap = ""
    for word in phrase.split():
        optional, word = word.endswith("?"), word.rstrip("?")
        if word.startswith("<"):
            one = f"(?:{_any(kinds[word[1:-1]], kinds)})"
        else:
            one = _OPEN.get(word) or re.escape(word).replace("'", "['’]?")
        if optional:
            made += f"(?:{gap}{one})?" if gap else f"(?:{one}{_GAP})?"
        else:
            made, gap = made + gap + one, _GAP
    return made
