"""One public list: sorted, lazy, equal to what can be imported and to what type checkers are told."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import svc_notebook as svc


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_sorted_and_unique():
    assert svc.__all__ == sorted(set(svc.__all__))


def test_every_public_name_is_there_and_nothing_else_is_listed():
    for name in svc.__all__:
        assert getattr(svc, name) is not None
    assert [name for name in dir(svc) if not name.startswith("__")] == svc.__all__


def test_type_checkers_are_told_the_same_names(root: Path):
    tree = ast.parse((root / "src/svc_notebook/__init__.py").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    told = {
        alias.asname or alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    assert told == {name for name in svc.__all__ if name not in vars(svc) or name in svc._PUBLIC}


def test_an_unknown_name_is_an_attribute_error_with_the_name_in_it():
    assert "no attribute 'Clinet'" in run(
        "import svc_notebook as s\ntry: s.Clinet\nexcept AttributeError as e: print(e)"
    )


def test_functions_keep_their_names_whichever_is_imported_first():
    for first in ("svc_notebook.demo", "svc_notebook.embedded", "svc_notebook"):
        assert run(f"import {first}, svc_notebook as s; print(s.demo.__name__, s.embedded.__name__)") == "demo embedded"
    assert importlib.import_module("svc_notebook.demo").data_files()


def test_version_is_that_of_the_metadata(root: Path):
    declared = re.search(r'^version = "(.+)"$', (root / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert declared is not None
    assert svc.__version__ == declared[1]


def test_importing_the_package_loads_nothing_heavy():
    loaded = run("import sys; before = set(sys.modules); import svc_notebook; print(*(set(sys.modules) - before))")
    assert set(loaded.split()) <= {"svc_notebook", "__future__", "types"}


def test_the_client_of_a_remote_service_loads_no_engine_parser_or_web_framework():
    loaded = run(
        "import sys, svc_notebook as s\n"
        "s.Client('http://localhost:1', api_key='k').close()\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    ).split()
    assert {"duckdb", "sqlglot", "starlette", "sqlalchemy", "alembic", "altair", "uvicorn"}.isdisjoint(loaded)
