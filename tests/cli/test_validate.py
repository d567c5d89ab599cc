"""``svc-notebook validate`` over a sound model with one slip in it: one finding, at its place, with what to write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from svc_notebook.cli import main

from .slips import SLIPS
from .validated_model import FILES, write


def test_the_model_is_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(write(tmp_path)), "--strict"]) == 0
    assert capsys.readouterr().out == "No findings.\n"


@pytest.mark.parametrize(("file", "old", "new", "line", "column", "severity", "words"), SLIPS)
def test_one_slip_is_one_finding_at_its_place(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    old: str,
    new: str,
    line: int,
    column: int,
    severity: str,
    words: str,
) -> None:
    assert main(["validate", str(write(tmp_path, file, old, new)), "--json"]) == (severity == "error")
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["file"], found["line"], found["column"], found["severity"]) == (file, line, column, severity)
    assert words in found["message"]


def test_a_file_that_cannot_be_read_takes_nothing_else_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "customers.yml", "{name: city, sql: city", "{name: city sql: city")
    other = tmp_path / "views/sales.yml"
    other.write_text(other.read_text().replace("description", "descripion"))
    assert main(["validate", str(tmp_path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["file"], item["line"]) for item in found] == [("customers.yml", 13), ("views/sales.yml", 3)]


def test_slips_in_several_files_come_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text.replace("name: sales", "nam: sales").replace("type: number", "type: numbr"))
    assert main(["validate", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert all(f"{file}:" in shown for file in FILES)
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("files", "place", "words"),
    [
        ({"a.yml": ""}, ":1:1", "no cubes and no views here"),
        ({"a.yml": "cubes:\n  - name: a\n    title: Gr\xf6\n"}, "a.yml:3:14", "not UTF-8 from here on"),
        ({"a.yml": "cubes:\r\n  - name: a\r\n    sql_tabel: a\r\n"}, "a.yml:3:5", "did you mean 'sql_table'?"),
        ({"a.yml": "cubes: " + "[" * 100_000}, "a.yml:1:1", "nested too deeply"),
        ({"a.js": "cube('x', {})"}, ":1:1", "no .yml or .yaml file"),
        (
            {"a.yml": "cubes:\n  - {name: a, sql_table: a}\n", "b/b.yml": "cubes:\n  - {name: a, sql_table: b}\n"},
            "b/b.yml:2:5",
            "'a' is declared twice, first in a.yml:2",
        ),
    ],
)
def test_files_that_are_no_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], place: str, words: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    assert main(["validate", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert f"{place}: error: " in shown
    assert words in shown


def test_aliases_that_expand_to_too_much_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
    ]
    (tmp_path / "a.yml").write_text("\n".join(lines) + "\ncubes: *j\n")
    assert main(["validate", str(tmp_path)]) == 1
    assert "the aliases of this document expand to too much" in capsys.readouterr().out
