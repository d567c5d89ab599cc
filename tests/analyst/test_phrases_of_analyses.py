"""What an analysis says is a phrase with its parts, and every phrase is there in every language, with the same parts."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from svc_notebook.analyst.offline import analyses, languages
from svc_notebook.analyst.offline.languages.lexicon import LANGUAGES
from svc_notebook.analyst.offline.telling.phrased import Phrased, say

ROOM = Path(str(analyses.__file__)).parent
MODULES = sorted(ROOM.glob("*.py"))
BY_LINES = {"overview"}  # its lines are said one by one
SLOTS = re.compile(r"\{[a-z]+\d*\}")


def sayings(code: str) -> dict[str, str]:
    told = tomllib.loads((files(languages) / code / "sayings.toml").read_text("utf8"))
    return {**told["titles"], **told["parts"], **told["sentences"]}


def sentences(path: Path) -> Iterator[tuple[int, str | None]]:
    """Where a module writes a sentence: its phrase, or None where it is put together on the spot."""
    tree = ast.parse(path.read_text("utf8"))
    kept = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    kept |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    kept |= {id(pair.value) for node in ast.walk(tree) if isinstance(node, ast.Call) for pair in node.keywords if pair.arg == "description"}  # fmt: skip
    for node in ast.walk(tree):
        if id(node) in kept:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            if isinstance(node.args[0], ast.Constant):
                yield node.lineno, str(node.args[0].value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_sentence(node.value):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            if _is_sentence(text):
                yield node.lineno, None


def _is_sentence(text: str) -> bool:
    return text.endswith(".") and len(re.findall(r"[a-z]+", SLOTS.sub("", text))) >= 3 and "\\" not in text


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_phrase_of_every_recipe_is_in_every_language(code: str) -> None:
    known = sayings(code)
    for module in MODULES:
        for line, phrase in sentences(module):
            if phrase is None or module.stem in BY_LINES:
                continue
            assert phrase in known, f"{module.name}:{line}: {phrase!r} is not said in {code}"
            assert set(SLOTS.findall(known[phrase])) <= set(SLOTS.findall(phrase)), (code, phrase)


def test_no_recipe_puts_a_sentence_together_on_the_spot() -> None:
    found = [
        f"{module.name}:{line}"
        for module in MODULES if module.stem not in BY_LINES
        for line, phrase in sentences(module) if phrase is None
    ]  # fmt: skip
    assert not found, "say() hands a phrase and its parts over; a finished sentence could not be said elsewhere"


def test_a_phrase_is_its_english_and_keeps_its_parts() -> None:
    text = say("{n} [row|rows] for {l}.", 1, n="12", l=["Ulm", say("{g} ({v})", g="Bonn", v="3")])
    assert text == "12 rows for Ulm and Bonn (3)."
    assert isinstance(text, Phrased) and text.parts["n"] == "12"
