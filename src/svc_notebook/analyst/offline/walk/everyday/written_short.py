"""What the data write short or as one word: *active* of ``act``, *no shows* of ``noshow``, *pupils* of ``pup``."""

from __future__ import annotations

from dataclasses import replace

from ...lexicon import load_lexicon
from ...schema.lexicon import is_unnamed
from ...schema.member_kinds import labels_of
from ...words.numbers import exact_unit
from ...words.rewriting import Found
from ...words.shortened import is_short_for
from ...words.text import name_parts, singular, stem, within_distance
from ...words.thesaurus import ABBREVIATIONS, FILLER, FILLER_WORDS, related
from .wording import Wording

__all__ = [
    "number_written_short",
    "rows_written_short",
    "value_as_one_word",
    "value_said_otherwise",
    "value_with_a_slip",
    "value_written_short",
    "without_apostrophe",
]

_FEW = 12  # values of a column that are codes
_SHORTEST, _LONGEST, _LEAST = 3, 5, 5  # letters of a code, and of a word that one stands for
_ENDING = 4  # letters of a code that is a letter and an end: three of them end too many words
_OF_NUMBERS = frozenset("average avg mean median over above under below highest lowest maximum minimum".split())
_SLIPPED = 4  # words behind the first of a value
_STATES = frozenset({"stat", "status", "state"})


def value_as_one_word(w: Wording, at: int) -> Found | None:
    """``no shows`` of the value ``noshow``."""
    behind = at + 1 + (w.at(at + 1) == "-")
    one = f"{w.at(at)}{singular(w.at(behind))}"
    if not (w.at(at).isalpha() and w.at(behind).isalpha()) or w.meta.kind_names.end(w.tokens, at):
        return None
    known = w.meta.values.whole.get((stem(one),), ()) if w.at(behind) not in FILLER_WORDS or len(one) > _LEAST else ()
    exact = {str(value) for _, value, quality in known if quality == 1.0 and str(value).lower() == one}
    return (w.said(at, exact.pop()), behind + 1) if len(exact) == 1 and " " not in one else None


def without_apostrophe(w: Wording, at: int) -> Found | None:
    """``O'Hare`` of a value that the data write *Ohare*."""
    head, mark, rest = w.at(at).replace("’", "'").partition("'")
    if not mark or len(head) > 1 or len(rest) < _SHORTEST or w.meta.values.find(w.tokens, at):
        return None
    plain = w.said(at, head + rest.removesuffix("'s"))
    known = w.meta.values
    return (plain, at + 1) if plain[0].stem in known.parts or (plain[0].stem,) in known.whole else None


def rows_written_short(w: Wording, at: int) -> Found | None:
    """``pupils`` of a table ``pup``: as it calls them, where it is short for nothing else that is said so."""
    token = w.tokens[at]
    noun = singular(token.lower)
    if token.kind != "word" or len(noun) < _LEAST or noun in FILLER_WORDS or token.stem in w.meta.vocabulary:
        return None
    if token.lower in load_lexicon().words or w.meta.values.find(w.tokens, at):
        return None
    short = {part for part in _parts(w) if len(part) <= _LONGEST and is_short_for(part, noun)}
    names = [name for name in w.cubes if w.meta.words_of(name) == tuple(short)]
    if len(short) != 1 or len(names) != 1:
        return None
    # The word stays as it is said, since a plural of what is short may be another word (less).
    return [replace(token, stem=stem(short.pop()))], at + 1


def number_written_short(w: Wording, at: int) -> Found | None:
    """``avg mag`` of ``magnitude``: the one number whose name it is short for, and no other name or value."""
    word = w.at(at)
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha() or word in load_lexicon().words:
        return None
    # What stands behind an average is a number, even where the name of a kind begins so too: ``mag_type``.
    known = w.tokens[at].stem in w.meta.vocabulary and (w.at(at - 1) not in _OF_NUMBERS or (word,) in w.names)
    if known or w.meta.values.find(w.tokens, at):
        return None
    long = {
        part
        for path in w.numbers
        for part in w.meta.parts(path)[:1]
        if part.startswith(word) and is_short_for(word, part)
    }
    others = {part for part in _parts(w) if part.startswith(word) and part != word}
    return (w.said(at, long.pop()), at + 1) if len(long) == 1 and others <= long else None


def value_said_otherwise(w: Wording, at: int) -> Found | None:
    """``shut`` of the value ``Closed``: the one value that a word for nothing else is like."""
    token = w.tokens[at]
    if token.kind != "word" or len(token.lower) < _SHORTEST or token.stem in FILLER or w.meta.values.find(w.tokens, at):
        return None
    rated = w.at(at + 1) in ("rate", "rates", "ratio")  # how often something comes out so has rules of its own
    if rated or token.lower in load_lexicon().words or exact_unit(token.lower) or not is_unnamed(token, w.meta):
        return None
    like = [one for other in related(token.stem) for one in w.meta.values.whole.get((other,), ())]
    named = {path for path, *_ in like if path in labels_of(w.meta, path.split(".", 1)[0])}  # a name is like no word
    said = (str(value) for path, value, quality in like if quality == 1.0 and path not in named)
    # A code may be written as a word is stemmed: BIL is no bill.
    found = {value for value in said if not value.isupper()}
    return (w.said(at, found.pop().lower()), at + 1) if len(found) == 1 else None


def value_with_a_slip(w: Wording, at: int) -> Found | None:
    """``doubel deluxe``: the one value of several words that all but the first are written as."""
    token, known = w.tokens[at], w.meta.values.first
    if token.kind != "word" or len(token.lower) < _LEAST or token.stem in known or token.stem in w.meta.vocabulary:
        return None
    behind = tuple(other.stem for other in w.tokens[at + 1 : at + 1 + _SLIPPED])
    near = [one for one in known if one[:1] == token.stem[:1] and within_distance(token.stem, one)] if behind else []
    found = {words for one in near for words in known[one] if len(words) > 1 and words[1:] == behind[: len(words) - 1]}
    if len(found) != 1:
        return None
    first = found.pop()[0]
    return [replace(token, text=first, lower=first, stem=first)], at + 1


def value_written_short(w: Wording, at: int) -> Found | None:
    """``active pupils`` of a status ``act``: a word for nothing else, where one code alone is short for it."""
    word = w.at(at)
    if len(word) < _LEAST or not word.isalpha() or w.tokens[at].kind != "word" or word in FILLER_WORDS:
        return None
    if w.tokens[at].stem in w.meta.vocabulary or word in load_lexicon().words or w.meta.values.find(w.tokens, at):
        return None
    if any(is_short_for(part, singular(word)) for part in _parts(w)):
        return None  # "pupils" of a table ``pup`` are no ``plus``
    found = {(path, value) for path, value in _codes(w) if _stands_for(path, value, word)}
    return (w.said(at, found.pop()[1]), at + 1) if len(found) == 1 else None


def _codes(w: Wording) -> list[tuple[str, str]]:
    few = {path: values for path, values in w.meta.values.members.items() if len(values) <= _FEW}
    return [
        (path, value)
        for path, values in few.items()
        if path.split(".", 1)[0] in w.cubes
        for value in map(str, values)
        if value.isalpha() and value.islower() and _SHORTEST <= len(value) <= _LONGEST
    ]


def _parts(w: Wording) -> set[str]:
    """The words that tables and columns are called by."""
    return {part for name in w.names for part in name} | {word for name in w.cubes for word in w.meta.words_of(name)}


def _stands_for(path: str, value: str, word: str) -> bool:
    """Whether a code is the beginning of a word; of a state also where the code is a word of its own."""
    if stem(ABBREVIATIONS.get(value, "")) == stem(word) or _is_end(value, word):
        return True
    if not word.startswith(value) or len(word) < len(value) + 2:
        return False
    return is_short_for(value, word) or bool(_STATES & set(name_parts(path.split(".", 1)[1])))


def _is_end(value: str, word: str) -> bool:
    """Whether a code is the first letter of a word and its end: ``mway`` of a motorway."""
    one = singular(word)
    return len(value) >= _ENDING and one[:1] == value[0] and one.endswith(value[1:]) and len(one) > len(value) + 1
