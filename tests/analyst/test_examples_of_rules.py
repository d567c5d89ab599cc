"""Every example that a rule of the reader gives of itself, asked of two worlds: mostly such as it may not hold in.

A rule is tested where it is needed; this holds that it leaves alone what is none of its own. Each example is read over
two of some worlds, always the same, and what comes of it is stored: the query, or the words that stood in the way.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import trades
import worlds
from stored import hold_all

import svc_notebook.analyst.offline as offline
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.semantic.errors import SemanticError

WORLDS: tuple[Callable[[], worlds.World], ...] = (
    worlds.flights, worlds.shop, worlds.hospital, trades.retail, trades.school,
)  # fmt: skip
CHUNKS = 24
_QUOTED = re.compile(r"``([^`]+)``|(?<!\w)\*([^*]+)\*")
_CODE = re.compile(r"[(){}_=…\[\]#@|<>]|\.\w")


@cache
def examples() -> list[str]:
    """What stands as a question, or a part of one, in the docstrings of the reader."""
    found: dict[str, None] = {}
    for path in sorted(Path(offline.__file__).parent.rglob("*.py")):
        found |= dict.fromkeys(_quoted(ast.parse(path.read_text("utf-8"))))
    return list(found)


def _quoted(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        told = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) else None
        for one, other in _QUOTED.findall(told or ""):
            said = " ".join((one or other).split())
            if " " in said and not _CODE.search(said) and not said.isupper():
                yield said


def drawn(said: str) -> int:
    """A number that an example keeps, whichever others are there."""
    return zlib.crc32(said.encode())


def outcome(said: str, world: worlds.World) -> str:
    found = read(said, world.metadata, worlds.NOW, (), 2013 if world.name == "flights" else None)
    told = " ".join((*found.unread, *("unfit",) * found.unfit))
    if found.plan is None:
        return f"not read: {told}"
    try:
        return f"{write_sql(found.plan, world.metadata).sql}\n{told}".strip()
    except SemanticError as error:
        return f"not written: {error}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_an_example_gives_what_it_gave(chunk: int) -> None:
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for said in examples():
        number, place = divmod(drawn(said), CHUNKS)
        for other in range(2) if place == chunk else ():
            world = WORLDS[(number + other) % len(WORLDS)]()
            answers[f"examples/{world.name}"][said] = outcome(said, world)
    for name, answered in answers.items():
        hold_all(name, answered)


def test_there_are_examples() -> None:
    assert len(examples()) > 1000


@pytest.mark.parametrize("said", ["invoices in 2023", "closed in March", "how many purchases are there"])
def test_a_code_is_no_word_that_is_like_another(said: str) -> None:
    """``invoice`` is like *bill*, whose stem is written as the airport BIL is."""
    assert "airport" not in outcome(said, worlds.flights())
