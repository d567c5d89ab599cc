"""A text as the words that are said, which can be left out, moved and put in, the rest as it was written."""

from __future__ import annotations

from collections.abc import Iterable

from .... import patterns as re
from ....records import dataclass

__all__ = ["Word", "is_mark", "lowered", "said", "written"]

_WORD = re.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|`[^`\n]{1,200}`|(?<!\w)'[^'\n]{1,200}'(?!\w)"
    r"|[$€£]?\d+(?:[.,:/-]\d+)*%?\w*|[^\W_][\w-]*(?:['’]\w+)*|\S"
)
_MARKS = frozenset(",.;:!?…–—-")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a mark or something quoted; ``apart``: whether a space stands before it."""

    text: str
    lower: str
    apart: bool = True


def said(text: str) -> list[Word]:
    """The words of a text."""
    return [
        Word(
            found.group(),
            found.group().lower().replace("’", "'"),
            not found.start() or text[found.start() - 1].isspace(),
        )
        for found in _WORD.finditer(text)
    ]


def written(words: Iterable[Word]) -> str:
    """The text of words; of marks that came to stand side by side, the last."""
    words = list(words)
    after = [*words[1:], Word(".", ".")]
    words = [word for word, then in zip(words, after, strict=True) if not (word.text in ",;" and is_mark(then))]
    return "".join(f"{' ' if word.apart else ''}{word.text}" for word in words).strip()


def lowered(words: Iterable[Word]) -> list[str]:
    """The words to compare phrases with."""
    return [word.lower for word in words]


def is_mark(word: Word) -> bool:
    """Whether a word is a mark between others."""
    return word.text in _MARKS
