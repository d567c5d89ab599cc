"""Every snippet of every page is run, in order, as a reader would; what is not run says why."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
import sqlglot
import yaml

import svc_notebook as svc
from svc_notebook.cli import make_parser
from svc_notebook.demo import model_folder
from svc_notebook.protocol.chat import Message
from svc_notebook.service.config import load_config

from .pages import Snippet, snippets

PYTHON = {page: list(found) for page, found in groupby(snippets("python"), lambda snippet: snippet.page)}
COMMANDS = [
    (str(snippet), line)
    for snippet in snippets("bash", "sh")
    for line in snippet.text.replace("\\\n", " ").splitlines()
    if line.strip() and not line.startswith("#")
]


@pytest.mark.parametrize("page", PYTHON)
def test_python_runs(page: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(model_folder(), tmp_path / "model")
    for table in (root / "notebooks").glob("*.csv"):  # what the pages call orders.csv and customers.csv
        shutil.copy(table, tmp_path)
    monkeypatch.chdir(tmp_path)
    scope: dict = {}
    try:
        for snippet in PYTHON[page]:
            if snippet.why is None:
                run(snippet, scope)
    finally:
        for made in list(scope.values()):
            if isinstance(made, svc.Client):
                made.close()


def run(snippet: Snippet, scope: dict) -> None:
    """As a cell: a `%` line is the notebook's own, and the last expression is evaluated like any other."""
    tree = ast.parse(snippet.text, str(snippet))
    ast.increment_lineno(tree, snippet.line)
    exec(compile(tree, snippet.page, "exec"), scope)


def test_what_is_not_run_is_rare_and_says_why():
    skipped = [snippet for snippet in snippets("python", "yaml", "json", "sql") if snippet.why is not None]
    assert all(len(snippet.why.split()) > 3 for snippet in skipped)
    assert len(skipped) <= 3


@pytest.mark.parametrize("snippet", snippets("yaml"), ids=str)
def test_yaml_is_read(snippet: Snippet, monkeypatch: pytest.MonkeyPatch):
    read = yaml.safe_load(snippet.text)
    assert read
    if isinstance(read, dict) and read.keys() & {"agents", "api_keys"}:
        for name in re.findall(r"key_env: (\w+)", snippet.text):
            monkeypatch.setenv(name, "a key")
        config = load_config(read)
        assert all(key.secret() for tenant in config.tenants for key in tenant.api_keys)


@pytest.mark.parametrize("snippet", snippets("json"), ids=str)
def test_json_is_json_and_frames_are_messages(snippet: Snippet):
    if snippet.text.startswith("{\n"):  # one object, written over several lines
        assert json.loads(snippet.text)
        return
    for line in snippet.text.splitlines():
        json.loads(line)
        if '"id":"' in line:
            msgspec.json.decode(
                line,
                type=msgspec.defstruct(
                    "Strict", [], bases=(Message,), forbid_unknown_fields=True, rename="camel", kw_only=True
                ),
            )


@pytest.mark.parametrize("snippet", snippets("sql"), ids=str)
def test_sql_can_be_read(snippet: Snippet):
    assert sqlglot.parse_one(snippet.text, read="postgres")


@pytest.mark.parametrize(("place", "line"), COMMANDS, ids=[f"{place} {line[:40]}" for place, line in COMMANDS])
def test_commands_are_understood(place: str, line: str, root: Path):
    words = shlex.split(line, comments=True)
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    if not words:
        return
    command = Path(words[0]).name
    if command == "svc-notebook":
        assert make_parser().parse_args(words[1:]).command
    elif command == "make":
        targets = re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert words[1] in targets
    elif any(word.endswith(".py") for word in words):
        assert [word for word in words if word.endswith(".py") and not (root / word).exists()] == []
    else:
        assert command in {"pip", "pip3", "python", "python3", "eval", "pytest", "opentelemetry-instrument"}, (
            f"{place}: is {command} a command of a reader's machine?"
        )
