"""pyproject.toml, docs/dependencies.md and the layers agree with each other and with the code."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


def name_of(requirement: str) -> str:
    return re.match(r"[A-Za-z0-9_.-]+", requirement)[0]


def declared(project: dict) -> set[str]:
    extras = project["optional-dependencies"].values()
    names = {name_of(line) for lines in (project["dependencies"], *extras) for line in lines}
    return names - {"svc-notebook"}


def test_every_dependency_has_its_line_in_the_docs(root: Path, project):
    rows = re.findall(r"^\| ([\w.-]+) \|", (root / "docs/dependencies.md").read_text("utf-8"), re.MULTILINE)
    documented = set(rows) - {"package"}
    assert documented == declared(project)


IMPORT_NAMES = {
    "PyYAML": "yaml", "pyyaml": "yaml", "markdown-it-py": "markdown_it", "linkify-it-py": "linkify_it", "nest-asyncio": "nest_asyncio",
    "vl-convert-python": "vl_convert", "pydantic-ai-slim": "pydantic_ai", "nest-asyncio2": "nest_asyncio2",
    "opentelemetry-api": "opentelemetry", "opentelemetry-sdk": "opentelemetry", "pyspark-client": "pyspark", "grpcio": "grpc",
}  # fmt: skip
PART_OF_ANOTHER = {
    "IPython": "ipywidgets", "traitlets": "ipywidgets", "comm": "ipywidgets", "jupyter": "jupyterlab",
    "jupyter_client": "jupyterlab", "jupyter_core": "jupyterlab", "jupyterlab_server": "jupyterlab", "httpx2": "httpx",
    "numpy": "pandas", "pydantic_core": "pydantic-ai-slim", "pydantic": "pydantic-ai-slim", "anyio": "starlette", "openai": "pydantic-ai-slim",
    "anthropic": "pydantic-ai-slim", "traitlets.config": "ipywidgets", "sqlglotc": "sqlglot", "jsonschema": "altair",
    "vegafusion": "altair", "genai_prices": "pydantic-ai-slim", "adbc_driver_postgresql": "", "adbc_driver_manager": "",
}  # fmt: skip


def test_the_code_imports_nothing_that_is_not_declared(root: Path, project):
    known = {IMPORT_NAMES.get(name, name.replace("-", "_")) for name in declared(project)} | PART_OF_ANOTHER.keys()
    unknown = {}
    for path in (root / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                top = name.partition(".")[0]
                if top not in sys.stdlib_module_names and top not in known and top != "svc_notebook":
                    unknown.setdefault(top, []).append(f"{path.relative_to(root)}:{node.lineno}")
    assert unknown == {}


def test_no_module_is_a_lumber_room(root: Path):
    names = {path.stem for path in (root / "src").rglob("*.py")}
    assert names.isdisjoint({"utils", "util", "helpers", "core", "common", "misc"})


def test_every_command_in_the_docs_exists(root: Path):
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"^\s*make ([a-z]+)", (root / page).read_text("utf-8"), re.MULTILINE))
        assert named <= targets
