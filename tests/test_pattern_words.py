"""What a text must hold for a pattern to be found in it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from svc_notebook.pattern_words import needed_words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\brank\s+(?:the\s+)?rows\b", [("rank",), ("rows",)]),
        (r"^(?:sort|order) (?P<head>.+?) by ", [(" by ",), ("sort", "order")]),
        (r"(?:more|less)\s+than|at\s+least", [("than", "least")]),
        (r"colou?rs+ (?:of|)x*", [("colo",), ("rs",)]),
        (r"cost{0,2}ly(?:abroad){0}", [("cos",), ("ly",)]),
        (r"\W*,\s+(?=how many)", [(",",)]),
        (r"(?!never)[abc]x\d+(?<=ago)\x41bc", []),
        (r"(?:(?:ok|well)\W+)+(?:\w+|now)", [("ok", "well")]),
        (r"(?:(?:go|come) (?:back|on))", [("come", "go")]),
        (r"(?:ab|cd)*? (?:ef|gh){0,3}?(?:ij|kl)+?(?:mn|op){2}", [("ij", "kl"), ("mn", "op")]),
        (r"(?i:abc)", []),
        (r"(?P<one>ab)(?P=one)(?(one)cd|ef)", []),
        (r"naïveté", [("na",), ("vet",)]),
        (r"\(total\)", [("total",)]),
        (r"[]total]+|[^]]", []),
    ],
)
def test_words_of_a_pattern(pattern: str, words: list[tuple[str, ...]]) -> None:
    assert sorted(sorted(each) for each in needed_words(pattern)) == sorted(sorted(each) for each in words)


Made = tuple[str, str]
"""A pattern, and a text that it is found in."""


def _letters(chance: random.Random) -> Made:
    found = "".join(chance.choices("abcde ", k=chance.randint(1, 4)))
    return found, found


def _class(chance: random.Random) -> Made:
    return chance.choice([(r"[a-e\]]", "]"), (r"[]x|(]", "("), (r"\w", "a"), (r"\s", " "), (".", "?"), (r"\x41", "A")])


def _sign(chance: random.Random) -> Made:
    sign = chance.choice("().|?*+[]{}^$\\,é-")
    return re.escape(sign), sign


def _group(chance: random.Random) -> Made:
    ways = [_sequence(chance) for _ in range(chance.randint(1, 3))]
    begun = chance.choice(["(", "(?:", f"(?P<n{chance.getrandbits(48)}>"])
    return f"{begun}{'|'.join(pattern for pattern, _ in ways)})", chance.choice(ways)[1]


def _often(chance: random.Random, made: Made) -> Made:
    pattern, text = made
    sign, times = chance.choice(
        [("?", 0), ("*", 0), ("+", 2), ("{2}", 2), ("{0,3}?", 0), ("{,2}", 1), ("{1,}", 3), ("*?", 2)]
    )
    whole = pattern[0] in "([" or len(text) == 1
    return (pattern + sign, text * times) if whole else (f"{pattern}{sign}", text[:-1] + text[-1:] * times)


def _sequence(chance: random.Random, deep: int = 2) -> Made:
    kinds: list[Callable[[random.Random], Made]] = [
        _letters,
        _letters,
        _class,
        _sign,
        *([_group] * (chance.random() < 0.5)),
    ]
    made = [chance.choice(kinds)(chance) for _ in range(chance.randint(1, 4))]
    made = [_often(chance, each) if chance.random() < 0.3 else each for each in made]
    return "".join(pattern for pattern, _ in made), "".join(text for _, text in made)


def test_a_text_that_a_pattern_is_found_in_holds_its_words() -> None:
    chance, told = random.Random(7), 0
    for _ in range(4_000):
        pattern, text = _sequence(chance)
        assert re.fullmatch(pattern, text, re.DOTALL) is not None, (pattern, text)
        needed = needed_words(pattern)
        told += bool(needed)
        assert all(any(word in text for word in words) for words in needed), (pattern, text, needed)
    assert told > 1_000
