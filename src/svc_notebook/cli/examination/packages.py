"""Python, the package itself, what it always needs, and its extras."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

from .finding import Finding, version

__all__ = ["dependencies", "extras", "python", "shadows"]

EXTRAS = {
    "uvicorn": ("server", "serve over the network"),
    "vl-convert-python": ("images", "charts as PNG and SVG, and pictures in saved notebooks"),
    "psycopg": ("postgres", "keep state in PostgreSQL"),
    "pyspark-client": ("spark", "ask a Spark server where its data lie"),
    "pydantic-ai-slim": ("llm", "an analyst that uses a language model"),
}
"""By package: the extra it belongs to, and what that is for."""

IMPORTED = """
alembic altair anywidget duckdb httpx ipywidgets linkify_it markdown_it msgspec nest_asyncio nh3 numpy packaging pandas
pyarrow yaml sqlalchemy sqlglot starlette anyio traitlets IPython ipykernel jupyterlab tornado
""".split()
"""Modules of others that a file of the same name would take the place of."""


def python() -> Iterator[Finding]:
    yield Finding("ok", f"svc-notebook {version('svc-notebook')}, Python {sys.version.split()[0]}, {sys.platform}")


def dependencies() -> Iterator[Finding]:
    """Every package that is always installed, at a version we can work with."""
    from packaging.requirements import Requirement

    broken = False
    for line in requires("svc-notebook") or ():
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        found = version(requirement.name)
        if found is None or not requirement.specifier.contains(found, prereleases=True):
            broken = True
            have = f"{requirement.name} {found}" if found else f"{requirement.name} is missing"
            yield Finding("problem", f"{have}; needed: {requirement}", f"pip install '{requirement}'")
    if not broken:
        yield Finding("ok", "all packages that are always needed are there, in versions that work")


def extras() -> Iterator[Finding]:
    for package, (extra, purpose) in EXTRAS.items():
        if found := version(package):
            yield Finding("ok", f"extra `{extra}` ({package} {found}): {purpose}")
        else:
            remedy = f"pip install 'svc-notebook[{extra}]'"
            yield Finding("note", f"extra `{extra}` is not installed: {purpose}", remedy)


def shadows(folder: Path) -> Iterator[Finding]:
    """Files that a notebook or script in this folder would import in place of the module it means."""
    ours = Path(__file__).resolve().parents[2]
    modules = {*sys.stdlib_module_names, *IMPORTED, ours.name}
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        entries = []
    for entry in entries:
        package = entry.is_dir() and (entry / "__init__.py").is_file()
        if not (package or entry.suffix == ".py") or entry.stem not in modules or entry.resolve() == ours:
            continue
        yield Finding(
            "problem",
            f"{entry.name} in {folder} takes the place of the module {entry.stem!r} in notebooks and scripts there",
            f"rename it, and delete {folder / '__pycache__'}" if entry.suffix == ".py" else "rename the folder",
        )
