"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import pkgutil
import re
import threading
from importlib import import_module
from typing import Any

import pytest

import svc_notebook
from svc_notebook import patterns


def held_by(value: Any) -> list[Any]:
    """The patterns in a value, however they are put in tables and lists."""
    if type(value) is patterns.compile:
        return [value]
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    return [one for each in value for one in held_by(each)] if isinstance(value, (list, tuple, frozenset)) else []


def test_every_pattern_of_the_package_compiles() -> None:
    found: list[Any] = []
    for room in ("analyst", "semantic", "results", "front"):
        for module in pkgutil.walk_packages([f"{svc_notebook.__path__[0]}/{room}"], f"svc_notebook.{room}."):
            found += held_by(list(vars(import_module(module.name)).values()))
    assert len(found) > 400
    for each in found:
        assert isinstance(each.groups, int)


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
