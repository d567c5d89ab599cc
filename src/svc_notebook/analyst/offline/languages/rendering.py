"""A question of another language word by word: what the model calls a thing is kept, the rest is said in English."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache

from .... import patterns as re
from ....records import dataclass
from ..schema.nouns import is_plural, plural
from .lexicon import LANGUAGES, Language, folded, language, words_of

__all__ = ["ModelNames", "Rendered", "rendered"]

_ENGLISH = frozenset(
    "the of by how many much what which who whose show list with and or for is are was were from between per each "
    "every average total number not than more less most least highest lowest at on to that have has did does do "
    "there their all any only over under without".split()
)  # fmt: skip
_SHORT = 2  # letters that are no second part of a compound
_QUOTES = frozenset('"“”„«»')
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A question in English, the language it was asked in, and what its words were there."""

    question: str
    language: Language
    typed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of the question as they will be read; ``stands`` as in the lexicon, ``kept`` for the model's own.

    ``start``, ``end``: where they stand in the question.
    """

    text: str
    stands: str
    typed: str
    start: int
    end: int


def rendered(question: str, names: ModelNames, before: Language | None = None) -> Rendered | None:
    """``question`` in English where it is asked in another language that is read.

    Parameters
    ----------
    names
        What the model calls things.
    before
        The language the thread is in: half a sign of it will do.
    """
    if not _may_be_foreign(question, before.code if before is not None else ""):
        return None
    found = words_of(question)
    words = [folded(match.group()) for match in found]
    spoken = _spoken(words, names, before)
    if spoken is None:
        return None
    pieces = _fronted(_in_plural(list(_pieces(question, found, words, spoken, names.said_in(spoken))), spoken))
    text = _joined([piece for piece in pieces if piece.text])
    typed = {word: piece.typed for piece in pieces for word in piece.text.lower().split()}
    return Rendered(re.sub(r"\s+([?.,;:!%])", r"\1", text), spoken, typed)


@lru_cache(maxsize=4096)
def _may_be_foreign(question: str, before: str) -> bool:
    """Whether any word tells for a language: most questions end here, before a name of the model is looked at."""
    words = {folded(match.group()) for match in words_of(question)}
    return any(_sign(word, language(code), before) for code in LANGUAGES for word in words)


def _sign(word: str, spoken: Language, before: str) -> float:
    """What a word tells for a language: ``durchschnittspreis`` as much as ``durchschnitt``, ``sans`` in its threads."""
    if word in spoken.thread and spoken.code == before:
        return 0.5
    compound = any(word.startswith(part) and len(word) > len(part) + _SHORT for part in spoken.before)
    return 1.0 if compound else spoken.signs.get(word, 0.0)


def _spoken(words: Sequence[str], names: ModelNames, before: Language | None) -> Language | None:
    """The language that more words tell for than for English, and at least one whole word does.

    A word that the model's names hold tells half as much: ``gross`` beside a column of gross sales is English.
    """
    own, held = names.single, names.words
    english = sum(word in _ENGLISH and word not in own for word in words)
    told = []
    known = before.code if before is not None else ""
    for code in LANGUAGES:
        one = language(code)
        also = sum(word in _ENGLISH and (word,) in one.phrases and word not in own for word in words)
        signs = sum(min(_sign(word, one, known), 0.5 if word in held else 1.0) for word in words)
        told.append((signs, english - also, code))
    signs, foreign_to_it, code = max(told, key=lambda item: (item[0] - item[1], language(item[2]) is before))
    least = 0.5 if language(code) is before else 1
    return language(code) if signs >= least and signs > foreign_to_it else None


class ModelNames:
    """What the model calls things; worked out once, and only where a question may be of another language.

    Parameters
    ----------
    names
        Gives the names, each as its words.
    """

    def __init__(self, names: Callable[[], Sequence[Sequence[str]]]) -> None:
        self._give = names
        self._said: dict[str, _Names] = {}

    @cached_property
    def _every(self) -> Sequence[Sequence[str]]:
        return self._give()

    @cached_property
    def single(self) -> frozenset[str]:
        """The names of one word, folded."""
        return frozenset(folded(name[0]) for name in self._every if len(name) == 1)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the names, folded."""
        return frozenset(folded(word) for name in self._every for word in name)

    def said_in(self, spoken: Language) -> _Names:
        """The names as words of a language may say them."""
        if spoken.name not in self._said:
            self._said[spoken.name] = _Names(spoken, self._every)
        return self._said[spoken.name]


class _Names:
    """The model's names as words of one language may say them."""

    def __init__(self, spoken: Language, names: Sequence[Sequence[str]]) -> None:
        self._spoken = spoken
        self._known: dict[tuple[str, ...], str] = {}
        self._longest = 1
        for name in names:
            whole = [match for word in name for match in words_of(word)]
            stems = self._stems([folded(match.group()) for match in whole])
            self._known.setdefault(stems, " ".join(name))
            self._longest = max(self._longest, len(whole), 2 * len(stems) - 1)

    def longest_at(self, words: Sequence[str], start: int) -> tuple[int, str]:
        """How many words from ``start`` are a name of the model, and how the model writes it."""
        for length in range(min(self._longest, len(words) - start), 0, -1):
            taken = words[start : start + length]
            if length > 1 and (taken[0] in self._spoken.linking or taken[-1] in self._spoken.linking):
                continue
            stems = self._stems(taken)
            if (name := self._known.get(stems)) is not None:
                return length, name
        return 0, ""

    def _stems(self, words: Sequence[str]) -> tuple[str, ...]:
        """What a name of several words is compared by; ``de`` and the like count for nothing in it."""
        bare = [word for word in words if word not in self._spoken.linking] if len(words) > 1 else words
        return tuple(self._spoken.stem(word) for word in bare)


def _pieces(
    question: str, found: Sequence[re.Match[str]], words: Sequence[str], spoken: Language, names: _Names
) -> Iterator[_Piece]:
    typed = [match.group() for match in found]
    place = 0
    bare = len(words)
    while bare and not words[bare - 1][:1].isalnum():
        bare -= 1
    while place < len(words):
        taken, outer = _outermost(words, place, bare, spoken)
        if taken:
            start, end = found[place].start(), found[place + taken - 1].end()
            yield _Piece(outer, "said", question[start:end], start, end)
            place += taken
            continue
        closing = next((i for i in range(place + 1, len(typed)) if typed[i] in _QUOTES), None)
        if typed[place] in _QUOTES and closing is not None:  # whatever is quoted stays as it is
            start, end = found[place].start(), found[closing].end()
            inner = question[found[place].end() : found[closing].start()].strip()
            yield _Piece(f'"{inner}"', "kept", inner, start, end)
            place = closing + 1
            continue
        length, text, stands = _at(typed, words, place, spoken, names)
        start, end = found[place].start(), found[place + length - 1].end()
        yield _Piece(text, stands, question[start:end], start, end)
        place += length


def _outermost(words: Sequence[str], place: int, bare: int, spoken: Language) -> tuple[int, str]:
    """How many words a phrase takes that is said so only where a turn begins, or ends, and its English."""
    if place and (ending := spoken.last.get(tuple(words[place:bare]))) is not None:
        return bare - place, ending
    if not place:
        for length in range(min(spoken.longest, bare - 1), 0, -1):
            if (opening := spoken.first.get(tuple(words[:length]))) is not None:
                return length, opening
    return 0, ""


def _joined(pieces: Sequence[_Piece]) -> str:
    """The pieces in a row; what was written in one and is kept stays in one: ``2023-03-05``, ``d'affaires``."""
    text = ""
    for before, piece in zip([None, *pieces], pieces, strict=False):
        glued = before is not None and before.end == piece.start and all(p.text == p.typed for p in (before, piece))
        text += piece.text if glued or not text else f" {piece.text}"
    return text


def _at(
    typed: Sequence[str], words: Sequence[str], place: int, spoken: Language, names: _Names
) -> tuple[int, str, str]:
    """How many words the piece that begins at ``place`` takes, its text, and how it stands."""
    own, name = names.longest_at(words, place)
    for length in range(min(spoken.longest, len(words) - place), 0, -1):
        found = _phrase(words[place : place + length], spoken)
        if found is None:
            continue
        taken, _, stands = found
        # What the model calls a thing goes before a noun of ours: beside a column `land`, `Land` is no country.
        if own >= taken and (stands != "said" or own > taken):
            break
        return found
    if own:
        return own, name, "kept"
    word = words[place]
    if word[:1].isdigit():
        return 1, _number(typed[place]), "said"
    for part, english in spoken.before.items():
        rest = word.removeprefix(part).removeprefix("s")
        if word.startswith(part) and len(rest) > _SHORT:
            return 1, f"{english} {_compounded(rest, spoken, names)}", "said"
    return 1, typed[place], "kept"


def _phrase(words: Sequence[str], spoken: Language) -> tuple[int, str, str] | None:
    """How many of these words a phrase takes, its English, and how it stands; a last ``#`` or ``@`` takes none."""
    plain = tuple(words)
    if (phrase := spoken.phrases.get(plain)) is not None:
        return len(words), phrase.english, phrase.stands
    stemmed = tuple(spoken.stem(word) for word in words)
    if (noun := spoken.nouns.get(stemmed)) is not None:
        return len(words), noun, "noun"
    numbers = [word for word in words if word[:1].isdigit()]
    marked = tuple("#" if word[:1].isdigit() else word for word in words)
    if numbers and (phrase := spoken.phrases.get(marked)) is not None:
        return len(words) - (marked[-1] == "#"), phrase.english.replace("#", numbers[0]), phrase.stands
    last = words[-1]
    if len(words) > 1 and (_YEAR.fullmatch(last) or last in spoken.months or re.match(r"\d+[./-]\d", last)):
        phrase = spoken.phrases.get((*words[:-1], "@"))
        if phrase is not None:
            return len(words) - 1, phrase.english, phrase.stands
    return None


def _compounded(rest: str, spoken: Language, names: _Names) -> str:
    """The second part of a compound: a name of the model, a noun of the lexicon, or itself."""
    length, name = names.longest_at([rest], 0)
    return name if length else spoken.nouns.get((spoken.stem(rest),), rest)


def _number(text: str) -> str:
    """``1.234,5`` as it is written in English."""
    bare = text.rstrip(".,")
    if re.fullmatch(r"\d+([./])\d{1,2}\1\d{2,4}", bare):
        return _dated(bare)
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?%?", bare):
        bare = bare.replace(".", "")
    return bare.replace(",", ".") if re.fullmatch(r"\d+,\d+%?", bare) else bare


def _dated(text: str) -> str:
    """``5.3.2023``, ``05/03/2023`` by year, month and day."""
    found = re.fullmatch(r"(\d{1,2})[./](\d{1,2})[./](\d{4})", text)
    return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}" if found else text


def _in_plural(pieces: list[_Piece], spoken: Language) -> list[_Piece]:
    """Nouns that are several in the question are so in English: ``die teuersten Produkte``, ``les produits``."""
    said = [folded(piece.typed) for piece in pieces]
    done = list(pieces)
    for place, piece in enumerate(pieces):
        between = 1 if spoken.several_endings else 0
        article = place - 1 - between
        ends = not between or place > 1 and said[place - 1].endswith(spoken.several_endings)
        several = article >= 0 and ends and said[article].split()[-1] in spoken.several
        if several and piece.stands in ("kept", "noun") and piece.text.islower() and not is_plural(piece.text):
            done[place] = replace(piece, text=plural(piece.text))
    return done


def _fronted(pieces: list[_Piece]) -> list[_Piece]:
    """What qualifies from behind, before what it qualifies."""
    done: list[_Piece] = []
    for piece in pieces:
        place = len(done)
        if piece.stands == "behind":
            while place and done[place - 1].stands in ("kept", "noun"):
                place -= 1
        done.insert(place, piece)
    return done
