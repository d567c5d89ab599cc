"""``svc-notebook doctor``: look at the environment, and say how to mend what is amiss."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Literal

from .output import print_json

Level = Literal["ok", "note", "problem"]
_MARK = {"ok": "✓", "note": "·", "problem": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. ``remedy`` says what to do about it."""

    level: Level
    what: str
    remedy: str = ""


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "doctor",
        help="check this environment, and how to mend what is amiss",
        description="Check Python, packages, kernel and front end, extras, and the demo (or your model). "
        "Exit code 1 when something needs mending.",
    )
    parser.add_argument("--model", type=Path, help="also check this data model")
    parser.add_argument("--store", help="also open this state store (a path or a database URL)")
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    findings = [finding for look in _looks(options) for finding in look()]
    if options.json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{_MARK[finding.level]} {finding.what}")
            if finding.remedy:
                print(f"    → {finding.remedy}")
    return 1 if any(finding.level == "problem" for finding in findings) else 0


def _looks(options: argparse.Namespace) -> list[Callable[[], Iterator[Finding]]]:
    looks = [python, dependencies, notebook, extras, demo]
    if options.model:
        looks.append(lambda: model(options.model))
    if options.store:
        looks.append(lambda: store(options.store))
    return looks


def python() -> Iterator[Finding]:
    ours = version("svc-notebook")
    yield Finding("ok", f"svc-notebook {ours}, Python {sys.version.split()[0]}, {sys.platform}")


def dependencies() -> Iterator[Finding]:
    """Every package that is always installed, at a version we can work with."""
    from packaging.requirements import Requirement

    broken = False
    for line in requires("svc-notebook") or ():
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        found = _version(requirement.name)
        if found is None or not requirement.specifier.contains(found, prereleases=True):
            broken = True
            have = f"{requirement.name} {found}" if found else f"{requirement.name} is missing"
            yield Finding("problem", f"{have}; needed: {requirement}", f"pip install '{requirement}'")
    if not broken:
        yield Finding("ok", "all packages that are always needed are there, in versions that work")


def notebook() -> Iterator[Finding]:
    """Whether a click is heard while a cell runs (the kernel), and charts are drawn offline (the front end)."""
    kernel, lab = _version("ipykernel"), _version("jupyterlab")
    if kernel is None:
        yield Finding("note", "no Jupyter kernel in this environment", "pip install 'svc-notebook[lab]'")
    elif _release(kernel) < (7, 1):
        yield Finding(
            "problem",
            f"ipykernel {kernel}: the Stop button is heard only after the running cell",
            "pip install 'ipykernel>=7.1' and restart the kernel (the notebook's own ■ works with any version)",
        )
    else:
        yield Finding("ok", f"ipykernel {kernel}: buttons are heard while a cell runs")
    if lab is None:
        yield Finding("note", "JupyterLab is not in this environment (it may run from another one)")
    elif _release(lab) < (4, 4):
        remedy = "pip install 'jupyterlab>=4.4'"
        yield Finding("problem", f"JupyterLab {lab} is too old for clicks during a cell", remedy)
    else:
        yield Finding("ok", f"JupyterLab {lab}: draws our charts without any network")


def extras() -> Iterator[Finding]:
    wanted = {
        "uvicorn": ("server", "serve over the network"),
        "vl-convert-python": ("images", "charts as PNG and SVG, and pictures in saved notebooks"),
        "psycopg": ("postgres", "keep state in PostgreSQL"),
        "pydantic-ai-slim": ("llm", "an analyst that uses a language model"),
    }
    for package, (extra, purpose) in wanted.items():
        if found := _version(package):
            yield Finding("ok", f"extra `{extra}` ({package} {found}): {purpose}")
        else:
            remedy = f"pip install 'svc-notebook[{extra}]'"
            yield Finding("note", f"extra `{extra}` is not installed: {purpose}", remedy)


def demo() -> Iterator[Finding]:
    from ..demo import data_files, model_folder

    missing = {"flights", "airlines", "airports", "planes", "weather"} - data_files().keys()
    if missing:
        remedy = "pip install --force-reinstall --no-deps svc-notebook"
        yield Finding("problem", f"the demo's data is incomplete: {', '.join(sorted(missing))}", remedy)
        return
    yield Finding("ok", "the demo's data is there")
    yield from model(model_folder(), "the demo's data model")


def model(folder: Path, name: str = "") -> Iterator[Finding]:
    from ..semantic.loader import check_model

    name = name or f"data model {folder}"
    if not folder.exists():
        yield Finding("problem", f"{name}: no such file or folder")
        return
    errors = [problem for problem in check_model(folder) if problem.severity == "error"]
    if errors:
        yield Finding("problem", f"{name}: {errors[0]}", f"svc-notebook validate {folder}")
    else:
        yield Finding("ok", f"{name} has no errors")


def store(url: str) -> Iterator[Finding]:
    from ..service.store import open_store

    try:
        opened = open_store(url)
    except Exception as error:  # noqa: BLE001  whatever a driver raises is what this command is for
        remedy = "write a path such as state.sqlite, or postgresql+psycopg://user@host/db"
        yield Finding("problem", f"state store: {error}", remedy)
    else:
        opened.close()
        yield Finding("ok", "the state store opens")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _release(text: str) -> tuple[int, ...]:
    from packaging.version import Version

    return Version(text).release
