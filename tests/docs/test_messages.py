"""Every message that the troubleshooting page quotes is one that the code says."""

from __future__ import annotations

import ast
import asyncio.runners
import re
from functools import cache
from pathlib import Path

import pytest

from .pages import ROOT, snippets

QUOTED = [
    (line, str(snippet))
    for snippet in snippets("text")
    if snippet.page == "docs/troubleshooting.md"
    for line in snippet.text.splitlines()
]
OF_OTHERS = {
    "asyncio.run() cannot be called from a running event loop": Path(asyncio.runners.__file__),
    "Error displaying widget: model not found": None,  # in a script of jupyterlab_widgets, found below
}


@cache
def said() -> list[str]:
    """Every text of the package; `…` stands for what is put in when it is said."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        found += [text for node in ast.walk(tree) if (text := text_of(node))]
    for path in (ROOT / "src").rglob("phrases.toml"):
        found += [re.sub(r"\{[^}]*\}", "…", line) for line in path.read_text("utf-8").splitlines()]
    for path in [
        *(ROOT / "src").rglob("*.js"),
        *(ROOT / "notebooks").glob("*.ipynb"),
    ]:  # or has said, in an output
        found += path.read_text("utf-8").splitlines()
    return [
        " ".join(text.split()) for text in set(found) if len(text) < 5_000
    ]  # a picture in a notebook is one long line


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else gap(part) for part in node.values)
    return ""


def gap(part: ast.AST) -> str:
    return "'…'" if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") else "…"


def says(text: str, quoted: str) -> bool:
    """Whether the fixed parts of what is quoted stand in one text, in their order."""
    place = 0
    for part in quoted.split("…"):
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


@pytest.mark.parametrize(("quoted", "place"), QUOTED, ids=[place for _, place in QUOTED])
def test_the_code_says_so(quoted: str, place: str):
    fixed = max(quoted.split("…"), key=len).strip()
    assert len(fixed) >= 8, f"{place}: {quoted!r} could be anything"
    if quoted in OF_OTHERS:
        path = OF_OTHERS[quoted]
        assert path is None or quoted in path.read_text("utf-8")
        return
    assert any(says(text, quoted) for text in said()), f"{place}: the code does not say {quoted!r}"


def test_jupyterlab_says_so():
    widgets = pytest.importorskip("jupyterlab_widgets")
    extension = Path(widgets.__file__).parent / "labextension" / "static"
    folders = [
        extension,
        *Path(widgets.__file__).parents[4].glob("share/jupyter/labextensions/@jupyter-widgets/*/static"),
    ]
    scripts = [path for folder in folders for path in folder.glob("*.js")]
    assert any("Error displaying widget: model not found" in path.read_text("utf-8") for path in scripts)


def test_a_symptom_has_a_message_and_what_to_do():
    text = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
    symptoms = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    assert len(symptoms) >= 20
    for symptom in symptoms:
        title, _, body = symptom.partition("\n")
        prose = re.sub(r"```.*?```", "", re.split(r"^## ", body, flags=re.MULTILINE)[0], flags=re.DOTALL)
        assert "```text" in body, title
        assert len(prose.split()) >= 8, title
