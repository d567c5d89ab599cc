"""The command line as its users meet it: help, exit codes, messages; results on stdout, remarks on stderr."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest

from svc_notebook.cli import COMMANDS, main, make_parser
from svc_notebook.cli.connection import attribute
from svc_notebook.cli.evaluate import rows_of
from svc_notebook.cli.lab import notebooks_folder
from svc_notebook.cli.output import CommandFailed
from svc_notebook.demo import model_folder

BROKEN = """\
cubes:
  - name: orders
    sql_tabel: orders
    measures:
      - name: count
        type: count
"""


def names() -> list[str]:
    return [module.__name__.rpartition(".")[2].replace("evaluate", "eval") for module in COMMANDS]


def test_without_a_command_the_help_is_shown_and_the_exit_code_is_2(capsys):
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert all(f"\n    {name}" in shown for name in names())
    assert "examples:" in shown


@pytest.mark.parametrize("name", names())
def test_every_command_has_help_with_a_description(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert len(capsys.readouterr().out.split("\n\n")[1]) > 20


def test_help_loads_nothing_heavy():
    code = "import sys; from svc_notebook.cli import make_parser; make_parser().format_help(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"pandas", "duckdb", "httpx", "pyarrow", "starlette", "yaml"}.isdisjoint(loaded)


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip().count(".") == 2


def test_a_mistyped_command_is_2():
    with pytest.raises(SystemExit) as stopped:
        main(["vlaidate", "x"])
    assert stopped.value.code == 2


# --- validate ---------------------------------------------------------------------------------------------------------


def test_validate_a_good_model(capsys):
    assert main(["validate", str(model_folder()), "--strict"]) == 0
    assert main(["validate", str(model_folder()), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n")[2] or "[]") == []


def test_validate_says_where_and_what_was_meant(tmp_path, capsys):
    (tmp_path / "orders.yml").write_text(BROKEN)
    assert main(["validate", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert "orders.yml:3" in shown
    assert "sql_table" in shown


def test_validate_as_json(tmp_path, capsys):
    (tmp_path / "orders.yml").write_text(BROKEN)
    assert main(["validate", str(tmp_path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {"severity", "message", "file", "line", "column"} == found[0].keys()


def test_validate_a_folder_that_is_not_there(tmp_path, capsys):
    assert main(["validate", str(tmp_path / "modle")]) == 1
    assert "no such file or folder" in capsys.readouterr().err


# --- lab, completion --------------------------------------------------------------------------------------------------


def test_lab_opens_the_checkouts_own_notebooks(root, tmp_path):
    assert notebooks_folder(tmp_path) == root / "notebooks"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in names())
    assert ("--database" in shown) or ("-l database" in shown)


def test_bash_completes(tmp_path):
    script = tmp_path / "complete.sh"
    asked = "COMP_WORDS=(svc-notebook va); COMP_CWORD=1; _svc_notebook; echo ${COMPREPLY[@]}\n"
    asked += "COMP_WORDS=(svc-notebook validate --st); COMP_CWORD=2; _svc_notebook; echo ${COMPREPLY[@]}\n"
    written = subprocess.run(
        [sys.executable, "-m", "svc_notebook.cli", "completion", "bash"], capture_output=True, text=True, check=True
    ).stdout
    script.write_text(written + asked)
    done = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["validate", "--strict"], done.stderr


# --- users, services --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name,value,expected",
    [
        ("carrier", "DL", ("carrier", ["DL"])),
        ("carrier", "DL,UA", ("carrier", ["DL", "UA"])),
        ("carrier", "", ("carrier", [])),
        ("city:string", "Paris, Texas", ("city", "Paris, Texas")),
        ("limit:number", "9.5", ("limit", 9.5)),
        ("levels:number_array", "1,2", ("levels", [1.0, 2.0])),
    ],
)
def test_user_attributes(name, value, expected):
    assert attribute(name, value) == expected


@pytest.mark.parametrize("name,value,words", [("a:text", "x", "a type is"), ("a:number", "x", "not a number")])
def test_user_attributes_that_cannot_be_read(name, value, words):
    with pytest.raises(CommandFailed, match=words):
        attribute(name, value)


@pytest.mark.parametrize(
    "arguments,words",
    [
        (["ask", "x", "--attribute", "carrier=DL"], "name one with --as"),
        (["ask", "x", "--as", "ana", "--attribute", "carrier"], "NAME=VALUE"),
        (["ask", "x", "--data", "no_such.csv"], "NAME=VALUE"),
        (["serve", "--data", "a=b.csv"], "want a --model"),
        (["serve", "--store", "/no/such/folder/state.sqlite"], "the folder /no/such/folder does not exist"),
        (["sql", "x", "--url", "https://host"], "--api-key"),
    ],
)
def test_options_that_contradict_are_told(arguments, words, capsys, monkeypatch):
    monkeypatch.delenv("SVC_API_KEY", raising=False)
    assert main(arguments) == 1
    assert words in capsys.readouterr().err


def test_every_option_has_help():
    groups = make_parser()._subparsers._group_actions[0].choices
    silent = [
        f"{name} {action.option_strings or action.dest}"
        for name, parser in groups.items()
        for action in parser._actions
        if not action.help and action.dest not in ("host", "port", "log_level", "shell")
    ]
    assert silent == []


# --- eval -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content,words", [("[]", "no cases"), ("- ask: x", "no question"), ("a: [", "q.yml")])
def test_a_file_of_cases_that_cannot_be_read(tmp_path, content, words, capsys):
    (tmp_path / "q.yml").write_text(content)
    assert main(["eval", str(tmp_path / "q.yml")]) == 1
    assert words in capsys.readouterr().err


def test_rows_are_plain_values():
    frame = pd.DataFrame({"carrier": ["DL", None], "n": pd.array([1, None], dtype="Int64")})
    assert rows_of(frame) == [["DL", 1], [None, None]]


def test_what_a_server_has_loaded_is_not_walked_by_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    uvicorn = pytest.importorskip("uvicorn")
    frozen: list[int] = []

    def served(server: Any) -> None:
        frozen.append(gc.get_freeze_count())
        server.started = True

    monkeypatch.setattr(uvicorn.Server, "run", served)
    try:
        assert main(["serve", "--port", "0"]) == 0
    finally:
        gc.unfreeze()
    assert frozen[0] > 10_000


def test_ctrl_c_while_the_commands_are_read_is_no_traceback():
    code = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'svc_notebook.cli.serve': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "import svc_notebook.cli\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
