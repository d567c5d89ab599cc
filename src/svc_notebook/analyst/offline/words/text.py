"""Words: tokens of a question with their places, stems, parts of names, and distance between spellings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from .... import patterns as re
from ....records import dataclass
from .inflection import singular_of

__all__ = [
    "Token", "edit_distance", "few", "is_participle", "name_parts", "singular", "stem", "tokenize", "verb_of_who",
    "within_distance",
]  # fmt: skip

TokenKind = Literal["word", "number", "quoted", "date", "punctuation"]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question; ``start``/``end`` are character places, ``stem`` is what names are compared by."""

    text: str
    lower: str
    stem: str
    kind: TokenKind
    start: int
    end: int
    value: float | None = None


_TOKEN = re.compile(
    r"""
      (?P<quoted>(?<![\w])(?:"[^"\n]{1,200}"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|`[^`\n]{1,200}`|'[^'\n]{0,200}?[^'\s]'(?!\w)))
    | (?P<date>\d{4}-\d{1,2}(?:-\d{1,2})?(?!\d)|\d{1,2}/\d{1,2}/\d{2,4}(?!\d))
    | (?P<number>[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:[kmb]|bn)?%?(?![\w])|[$€£]?\d+(?:\.\d+)?(?:[kmb]|bn)?%?(?![\w]))
    | (?P<word>[^\W_]+(?:[’'](?=\w)[^\W_]+)?)
    | (?P<punctuation>>=|<=|!=|<>|==|[^\s\w])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MOST_DIGITS = 40
_READ_THROUGH = 6  # of a list: said one by one
_SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9}
_TYPED = {
    "pls": "please", "plz": "please", "wich": "which", "thru": "through", "dont": "don't", "doesnt": "doesn't",
    "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "hasnt": "hasn't",
    "havent": "haven't", "hadnt": "hadn't", "whats": "what's", "whos": "who's", "cant": "can't", "wont": "won't",
    "couldnt": "couldn't", "r": "are", "yr": "year", "yrs": "years", "mth": "month", "mths": "months", "nr": "number",
    "gimme": "give", "wanna": "want", "til": "until", "till": "until", "canceled": "cancelled",
    "canceling": "cancelling",
}  # fmt: skip # as people type them
_VOWEL = re.compile(r"[aeiouy]")


def tokenize(text: str, known: Callable[[str], bool] | None = None) -> list[Token]:
    """Tokens of ``text`` in order; names written ``snake_case`` or ``camelCase`` come apart, unless the whole is a
    ``known`` stem.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        raw, start, end = match.group(), match.start(), match.end()
        if kind == "word":
            tokens.extend(_words(raw, start, known))
        elif kind == "number":
            large = len(raw) > _MOST_DIGITS  # no number that anybody means, and none a computer's can hold
            value = None if large else _number(raw)
            tokens.append(Token(raw, raw.lower(), raw.lower(), "word" if large else "number", start, end, value))
        elif kind == "quoted":
            inner = raw[1:-1].strip()
            tokens.append(Token(inner, inner.lower(), inner.lower(), "quoted", start, end))
        elif kind == "date":
            tokens.append(Token(raw, raw, raw, "date", start, end))
        else:
            tokens.append(Token(raw, raw, raw, "punctuation", start, end))
    return _signed(tokens, text)


def _signed(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with ``-2`` behind a space as one number; ``2019 -2021`` and ``A-2`` are none."""
    found: list[Token] = []
    for token in tokens:
        sign = found[-1] if found else None
        before = found[-2] if len(found) > 1 else None
        if (
            token.kind == "number" and token.value is not None and sign is not None and sign.text in ("-", "−")
            and sign.end == token.start and before is not None and before.kind not in ("number", "date")
            and text[sign.start - 1].isspace()
        ):  # fmt: skip
            raw = f"-{token.text}"
            found[-1] = replace(token, text=raw, lower=raw, stem=raw, start=sign.start, value=-token.value)
        else:
            found.append(token)
    return found


def _words(raw: str, start: int, known: Callable[[str], bool] | None) -> list[Token]:
    base = re.sub(r"[’']s$", "", raw)
    base = base.replace("’", "'")
    pieces = (
        re.findall(r"[A-Z]+(?=[A-Z][a-z]{2})|[A-Z]?[a-z']+|[A-Z]+|\d+|[^\W\d_]+", base)
        if _is_camel(base) and not (known and known(stem(base.lower())))
        else [base]
    )
    tokens, place = [], start
    for piece in pieces:
        lower = piece.lower()
        meant = None if known and known(stem(lower)) else _TYPED.get(lower)
        lower = meant or lower
        tokens.append(Token(meant or piece, lower, stem(lower), "word", place, place + len(piece)))
        place += len(piece)
    return tokens


def _is_camel(word: str) -> bool:
    return bool(re.search(r"[a-z][A-Z][a-z]|[a-z]{2}[A-Z]|[A-Z]{2}[a-z]{3}", word))


def _number(raw: str) -> float:
    text = raw.lower().lstrip("$€£").replace(",", "")
    text, percent = text.rstrip("%"), text.endswith("%")
    scale = re.search(r"(bn|[kmb])$", text)
    value = float(text[: scale.start()] if scale else text) * (_SCALE[scale.group()] if scale else 1)
    return value / 100 if percent else value


_IRREGULAR = {
    "ids": "id",
    "sold": "sell",
    "bought": "buy",
    "paid": "pay",
    "sent": "send",
    "made": "make",
    "held": "hold",
    "taught": "teach",
    "won": "win",
    "lost": "lose",
    "flown": "fly",
    "flew": "fly",
    "written": "write",
    "wrote": "write",
    "taken": "take",
    "took": "take",
    "given": "give",
    "gave": "give",
    "born": "birth",
    "heaviest": "heavy",
    "heavier": "heavy",
}


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A noun in the singular, some verbs in the present, the quality of a comparative; other words unchanged."""
    return _IRREGULAR[word] if word in _IRREGULAR else singular_of(word)


def verb_of_who(tokens: Sequence[Token]) -> int | None:
    """The place of the verb in ``who paid the most fines``: it joins people and what is theirs, and adds nothing."""
    words = [token.lower for token in tokens]
    if words[:1] != ["who"] or "the" not in words[2:3] or len(words) < _WHO_DID or not words[1].isalpha():
        return None
    return 1


_WHO_DID = 5  # words: who, did, the, most, of what


_NOT_DONE = frozenset(
    "speed feed seed need breed weed reed deed greed heed creed steed bed red shed fed led sled hundred sacred".split()
)


def is_participle(word: str) -> bool:
    """Whether a word is the past of a regular verb, by how it ends (``delayed``, and no ``speed``)."""
    return word.endswith("ed") and word not in _NOT_DONE


_SUFFIXES = ("ation", 5), ("ition", 5), ("ing", 3), ("ied", 3), ("ed", 3), ("ment", 5), ("ly", 4)
_LAST_LETTERS = tuple({suffix[-1] for suffix, _ in _SUFFIXES})


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem: number, ``-ing``, ``-ed``, ``-ation`` and a final ``e`` taken off (``rated``, ``rating`` →
    ``rat``).
    """
    base = singular(word)
    if base in ("rate", "building"):  # what something costs; what was rated is a rating, what is built a building
        return base
    for suffix, shortest in _SUFFIXES if base.endswith(_LAST_LETTERS) else ():
        if base.endswith(suffix) and not base.endswith("eed"):
            head = base[: -len(suffix)]
            if len(head) >= shortest and _VOWEL.search(head):
                base = head + ("y" if suffix == "ied" else "")
                if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeious":
                    base = base[:-1]
                break
    if len(base) > 3 and base[-1] == "l" and base[-2] == "l":
        base = base[:-1]
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")


@lru_cache(maxsize=65536)
def name_parts(name: str) -> tuple[str, ...]:
    """Lower-case words of a name or title: ``sbTxAmount`` → ``sb tx amount``, ``Order Date`` → ``order date``."""
    return tuple(part.lower() for part in _PART.findall(name.replace("'", "")))


def edit_distance(a: str, b: str, limit: int) -> int:
    """Optimal string alignment distance (insert, delete, replace, swap), or ``limit + 1`` when it is larger."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        older, before, row = before, row, [i] + [0] * len(b)
        for j, cb in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (ca != cb))
            if i > 1 and j > 1 and ca == b[j - 2] and a[i - 2] == cb:
                row[j] = min(row[j], older[j - 2] + 1)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def within_distance(a: str, b: str) -> bool:
    """Whether ``a`` can be a slip of the fingers for ``b``: one edit in four to seven letters, two from eight on.

    Of two words of four letters only a swap is a slip: ``near`` and ``year``, ``lost`` and ``list`` are both words.
    """
    shorter = min(len(a), len(b))
    if len(a) == len(b) == 4 and sorted(a) != sorted(b):
        return False
    if shorter < 4 or a[0] != b[0] and a[1:3] != b[1:3]:
        return False
    limit = 1 if shorter < 8 else 2
    return edit_distance(a, b, limit) <= limit


def few(words: Sequence[str], rest: str) -> list[str]:
    """Words that a person reads through: of many the first ones, and how many more there are."""
    return [*words] if len(words) <= _READ_THROUGH else [*words[:3], f"{len(words) - 3} {rest}"]
