"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import pkgutil
import random
import re
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import svc_notebook
from svc_notebook import patterns
from svc_notebook.analyst.offline.budget import MOST_CHARACTERS, MOST_WORDS

STORED = sorted((Path(__file__).parent / "analyst" / "stored").rglob("*.txt"))


def held_by(value: Any) -> list[Any]:
    """The patterns in a value, however they are put in tables and lists."""
    if type(value) is patterns.compile:
        return [value]
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    return [one for each in value for one in held_by(each)] if isinstance(value, (list, tuple, frozenset)) else []


def of_the_package() -> list[Any]:
    found: list[Any] = []
    for room in ("analyst", "semantic", "results", "front"):
        for module in pkgutil.walk_packages([f"{svc_notebook.__path__[0]}/{room}"], f"svc_notebook.{room}."):
            found += held_by(list(vars(import_module(module.name)).values()))
    return found


def test_every_pattern_of_the_package_compiles() -> None:
    found = of_the_package()
    assert len(found) > 400
    for each in found:
        assert isinstance(each.groups, int)


def test_every_pattern_of_the_package_finds_in_every_stored_question_what_it_finds_compiled() -> None:
    lines = [line for file in STORED for line in file.read_text("utf-8").splitlines()]
    asked = [found[1] for line in lines if (found := re.match(r"(?:\?|right|silent|refused) +(.+)", line))]
    known_questions = sorted({turn for line in asked for turn in line.split(" | ")})
    # All of them take minutes, and so do the longest, which no pattern of the reader is ever held against.
    questions = [each for each in known_questions[:: max(1, len(known_questions) // 1_200)] if len(each) <= 400]
    assert len(questions) > 1_000
    for said in {each._said for each in of_the_package() if isinstance(each._said[0], str)}:
        late, known = patterns.compile(*said), re.compile(*said)
        for question in questions:
            assert (late.search(question) is None) == (known.search(question) is None), (said, question)


def test_no_pattern_takes_long_over_a_text_that_is_admitted() -> None:
    words = (
        "the and with by of orders revenue in than most each 2024 , more is not who their per last then only".split()
    )
    drawn = [" ".join(random.Random(seed).choices(words, k=MOST_WORDS)) for seed in range(4)]
    units = (
        "a",
        "1 ",
        "and ",
        ", ",
        "x, ",
        "revenue and ",
        "a-",
        "1.1",
        "a'",
        "in the last ",
        "with their ",
        "who is ",
    )
    texts = drawn + [" ".join((unit * MOST_CHARACTERS)[:MOST_CHARACTERS].split()[:MOST_WORDS]) for unit in units]
    for said in {each._said for each in of_the_package() if isinstance(each._said[0], str)}:
        known = re.compile(*said)
        for text in texts:
            began = time.process_time()
            known.search(text)
            assert time.process_time() - began < 1, (said, text[:40])


def test_a_late_pattern_does_what_a_pattern_does() -> None:
    late, known = patterns.compile(r"(?P<a>\w)(\d)", patterns.IGNORECASE), re.compile(r"(?P<a>\w)(\d)", re.IGNORECASE)
    text = "x1 y2 z"
    assert late.findall(text) == known.findall(text) and late.sub(r"\g<a>", text) == known.sub(r"\g<a>", text)
    assert late.pattern == known.pattern and late.flags == known.flags and late.groupindex == known.groupindex
    assert [each.span() for each in late.finditer(text)] == [each.span() for each in known.finditer(text)]
    assert late.fullmatch("a1") and late.match("b2 ") and late.search(" c3") and not late.search("c")


def test_it_is_compiled_when_it_is_first_used() -> None:
    wrong = patterns.compile("(")
    with pytest.raises(re.error):
        wrong.match("")


def test_a_text_that_cannot_hold_it_is_refused_until_that_has_cost_as_much() -> None:
    for flags in (0, patterns.IGNORECASE):
        late = patterns.compile(r"(?:few|many)\d+", flags)
        none = [
            late.search("x 1"),
            late.match("x 1"),
            late.fullmatch("x 1"),
            *late.findall("x 1"),
            *late.finditer("x 1"),
        ]
        assert none == [None] * 3 and late.split("x 1") == ["x 1"] and late.sub("y", "x 1") == "x 1"
        assert "_compiled" not in vars(late)
        assert [late.search("x 1") for _ in range(len(late._said[0]))].count(None) == len(late._said[0])
        assert "_compiled" in vars(late) and late.sub("y", "x many1") == "x y"


def test_letters_that_are_alike_in_other_ways_are_not_refused() -> None:
    late = patterns.compile("KISS", patterns.IGNORECASE)
    assert late.search("kiss") and late.search("a Ki\N{LATIN SMALL LETTER LONG S}s") and not late.search("\xe9")


def test_many_threads_may_use_it_first() -> None:
    late, ready, found = patterns.compile(r"many\d+"), threading.Barrier(8), []

    def work() -> None:
        ready.wait()
        found.append(late.sub("few", "many12"))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == ["few"] * 8
