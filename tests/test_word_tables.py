"""Tables of words are read as the standard library reads them, the package's own without it."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from svc_notebook import word_tables

OWN = sorted(Path(str(files("svc_notebook"))).rglob("*.toml"))


def test_there_are_tables() -> None:
    assert len(OWN) > 10


@pytest.mark.parametrize("path", OWN, ids=lambda path: "/".join(path.parts[-2:]))
def test_the_packages_own_are_plain_and_read_alike(path: Path) -> None:
    text = path.read_text("utf8")
    assert word_tables._plain(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = "x"\n\n[b.c]  # why\nd = ["y", "z"]  # those\n"e f" = true\n',
        'a = "# no comment"\nb = \'# none\'\nc = "x" # one with "quotes"\n',
        'a = [\n    "x",  # first\n    # "y"\n    "z",\n]\nb = 1\n',
        'a = ["x",\n  "y"]\n',
        'a = """\nlong\n"""\n',
        "a = 1_000\nb = 2020-01-02\nc = {d = 1}\n",
        "[[a]]\nb = 1\n[[a]]\nb = 2\n",
        'a.b = 1\n["c.d"]\ne = "\\u00e9\\U0001F600"\n',
        "",
    ],
)
def test_any_other_text_is_read_alike(text: str) -> None:
    assert word_tables.loads(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "a",
        "a = [\n1\n",
        "[a",
        'a = "x',
        "a = [1 2]",
        "a = [\n1,,\n]",
        "a = 1\na = 2",
        "[a]\n[a]",
        "a! = 1",
        "[a!]",
        "[a] b",
        '"a"b = 1',
        "a = NaN",
        "a = 1\n[a]",
    ],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        word_tables.loads(text)
