"""Who may reach what inside the service: the table in docs/security.md is the law, and the code is read for breaches."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import svc_notebook
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.sight import Sight
from svc_notebook.service.callers.scope import Opening, Scope
from svc_notebook.service.runtime import Service

PACKAGE = Path(svc_notebook.__file__).parent
TABLES = ("service", "analyst")
SERVICE = [
    path for path in sorted((PACKAGE / "service").rglob("*.py")) if "store" not in path.relative_to(PACKAGE).parts
]
MODULES = [*SERVICE, *sorted((PACKAGE / "analyst").rglob("*.py"))]


def table(root: Path, folder: str = "service") -> dict[str, set[str]]:
    """Names in the code of a folder (with a dot: as an attribute alone), and the modules that may use them."""
    text = (root / "docs" / "security.md").read_text("utf-8")
    section = text.split("## Who may reach what")[1].split("\n## ")[0]
    rows = section.split("| what |")[1 + TABLES.index(folder)].splitlines()[2:]
    allowed: dict[str, set[str]] = {}
    for _, names, modules in (row.split("|")[1:-1] for row in rows if row.startswith("| ")):
        for name in re.findall(r"`(\.?\w+)`", names):
            allowed.setdefault(name, set()).update(re.findall(r"`(\w+)`", modules))
    return allowed


def drawn(root: Path) -> set[tuple[str, str, str]]:
    """The arrows of the drawing: from, over what, to what."""
    text = (root / "docs" / "security.md").read_text("utf-8").split("## Who may reach what")[1].split("```")[1]
    arrows = re.findall(r"^(\w+)\s*── (.+?) ─*▶ (\w+)", text, re.MULTILINE)
    return {
        (source, over, target) for source, ways, target in arrows for over in re.findall(r"(\w+)[,\s(]", ways + " ")
    }


def ways(kind: type) -> dict[str, str]:
    """Public methods, and what they give."""
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name: str(each.__annotations__.get("return")) for name, each in found if not name.startswith("_")}


def test_the_drawing_shows_every_way_and_no_other(root: Path) -> None:
    arrows = drawn(root)
    leads = {"Caller", "Opening", "Scope", "Toolbox", "Analyst", "SemanticLayer"}
    assert {(over, to) for _, over, to in arrows if over in ways(Service)} == {
        (name, gives) for name, gives in ways(Service).items() if gives in leads
    }
    assert ("Opening", "bind", "Scope") in arrows
    assert {name: gives for name, gives in ways(Opening).items() if gives in leads} == {"bind": "Scope"}
    own = {over for source, over, _ in arrows if source == "Scope"}
    assert own <= set(ways(Scope))
    # An analyst can be had, and is given the toolbox of the same scope: nothing else leads out of one.
    assert {name for name, gives in ways(Scope).items() if gives in leads} == {"analyst", "toolbox"}


def used(source: str) -> Iterator[tuple[str, int]]:
    """Every name, attribute and import of a module, but not what is there for type checkers alone."""
    tree = ast.parse(source)
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
            yield f".{node.attr}", node.lineno
        elif isinstance(node, ast.Name):
            yield node.id, node.lineno
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2], node.lineno
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith(("getattr", "attrgetter")):
            for word in (arg for arg in node.args if isinstance(arg, ast.Constant)):
                yield str(word.value), word.lineno
        nodes.extend(child for child in ast.iter_child_nodes(node) if not is_annotation(node, child))


def is_annotation(node: ast.AST, child: ast.AST) -> bool:
    return child in (getattr(node, "annotation", None), getattr(node, "returns", None))


def breaches(source: str, module: str, allowed: dict[str, set[str]]) -> list[str]:
    return [f"{name}, line {line}" for name, line in used(source) if name in allowed and module not in allowed[name]]


def folder_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE).with_suffix("")))
def test_a_module_reaches_only_what_the_table_allows(path: Path, root: Path) -> None:
    assert breaches(path.read_text("utf-8"), path.stem, table(root, folder_of(path))) == []


@pytest.mark.parametrize(
    ("folder", "least"),
    [
        ("service", {"SemanticLayer", "_layer", "_sites", "make_analyst", "Toolbox", "ThreadPoolExecutor", ".store"}),
        ("analyst", {"SemanticLayer", ".layer", ".ctx", "_layer", "_ctx", "Sight", "SecurityContext"}),
    ],
)
def test_the_table_names_what_is_there(folder: str, least: set[str], root: Path) -> None:
    allowed = table(root, folder)
    assert least <= set(allowed)
    assert set().union(*allowed.values()) <= {path.stem for path in MODULES if folder_of(path) == folder}
    for name, modules in allowed.items():
        for module in modules:
            called = [path for path in MODULES if path.stem == module and folder_of(path) == folder]
            found = {word for path in called for word, _ in used(path.read_text("utf-8"))}
            row = {other for other in allowed if allowed[other] == modules}
            assert found & row or len(modules) > 1, f"{module} does not use {name}: take it out of the table"


def test_a_sight_shows_no_way_past_its_asker() -> None:
    public = {name for name in dir(Sight) if not name.startswith("_")}
    asking = {
        "at_hand",
        "compile",
        "compiled",
        "counted_values",
        "kept",
        "lie_at_hand",
        "loosely",
        "profiled",
        "query",
        "search",
        "surveyed",
        "surveys",
        "value_sets",
        "values",
    }
    assert public == {"asker", "catalog", "model", "outlook", *asking}
    for name in asking - {"surveys"}:  # a property: whether the engine samples
        asked = set(inspect.signature(getattr(Sight, name)).parameters)
        assert not asked & {"ctx", "context", "layer", "user", "asker"}


def test_what_stands_for_a_model_leads_nowhere() -> None:
    model = load_model({"cubes": [{"name": "t", "sql_table": "t", "measures": [{"name": "count", "type": "count"}]}]})
    with closing(SemanticLayer(model, DuckDBEngine.open(data={"t": pd.DataFrame({"a": [1]})}))) as layer:
        sight = Toolbox(layer, SecurityContext(user="ana")).sight
        again = sight.loosely()
        assert not vars(sight.model) and not [name for name in dir(sight.model) if not name.startswith("__")]
        kept = again()
        assert kept is not None
        assert (kept.asker, kept.model) == (sight.asker, sight.model)
    del sight, kept, layer
    assert again() is None  # what was learnt of a model does not hold it


@pytest.mark.parametrize(
    "breach",
    [
        "async def handler(service, request):\n    return service._sites.layer(None)",
        "from ..semantic.layer import SemanticLayer\n",
        "async def handler(scope):\n    return scope._layer.query('operator', 'SELECT 1')",
        "import asyncio\nasync def handler(scope):\n    await asyncio.to_thread(print)",
        "from ..analyst.registry import make_analyst as made\n",
        "def handler(service):\n    return getattr(service, '_sites')",
        "def handler(service):\n    return service.store.engine",
        "from concurrent.futures import ThreadPoolExecutor\n",
        "from ..analyst.toolbox import Toolbox\n",
    ],
)
def test_every_other_way_is_found(breach: str, root: Path) -> None:
    assert breaches(breach, "chat", table(root))


@pytest.mark.parametrize(
    "breach",
    [
        "def seen(toolbox):\n    return toolbox.layer.query(toolbox.ctx, 'SELECT 1')",
        "def seen(toolbox):\n    return toolbox.sight._layer",
        "def seen(toolbox):\n    return getattr(toolbox.sight, '_ctx')",
        "from ..semantic.sight import Sight\n",
        "from ..semantic.layer import SemanticLayer\n",
        "from ..semantic.context import SecurityContext\n",
        "from .toolbox import Toolbox\n",
    ],
)
def test_every_other_way_of_an_analyst_is_found(breach: str, root: Path) -> None:
    assert breaches(breach, "agent", table(root, "analyst"))
