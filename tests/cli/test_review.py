"""What askers were not served well with is listed, and what it teaches is written where it belongs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml

import svc_notebook as svc
from svc_notebook.analyst.evaluation import read_cases
from svc_notebook.cli import main
from svc_notebook.demo import model_folder
from svc_notebook.semantic.loading.synonyms import CannotEdit, with_synonym

SALES = pd.DataFrame({"region": ["north", "south", "south"], "product": ["a", "b", "b"], "amount": [1.0, 2.0, 4.0]})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("store") / "state.sqlite"
    with svc.embedded(SALES, store=str(file)) as client:
        chat = client.chat(external_id="ana", is_ephemeral=False)
        chat.ask("florbs by region")
        chat.ask("florbs by the region, please")
        chat.ask("total amount by region").judge("wrong", why="without returns")
        chat.ask("number of sales by product")
        chat.ask("no, I meant by region")
        chat.ask("zorks by product")
    return file


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["review", *arguments]) == 0
    return capsys.readouterr().out


def test_what_went_wrong_is_listed_and_grouped_by_likeness(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(listed(capsys, str(store), "--json"))
    assert [(f["kind"], f["count"]) for f in found] == [("wrong", 1), ("corrected", 1), ("refused", 2), ("refused", 1)]
    assert found[0]["why"] == ["without returns"] and found[1]["question"] == "number of sales by product"
    assert "florbs" in found[2]["unknown"]
    assert "2 times" in listed(capsys, str(store))


def test_an_accepted_question_is_a_case_for_eval(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "questions.yml"
    cases.write_text("# ours\n- question: how many sales\n  rows: [[3]]\n")
    listed(capsys, str(store), "--accept", "1", "--sql", "SELECT region FROM sales", "--cases", str(cases))
    assert cases.read_text().startswith("# ours\n")
    assert [case.question for case in read_cases(cases)] == ["how many sales", "total amount by region"]


def test_a_synonym_is_written_and_the_question_is_then_answered(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    shutil.copytree(model_folder(), model)
    file = model / "cubes" / "airlines.yml"
    before = file.read_text()
    listed(capsys, str(store), "--synonym", "flag bearer=airlines.name", "--model", str(model))
    changed = [line for line in file.read_text().splitlines() if line not in before.splitlines()]
    assert changed == ["          synonyms: [airline name, carrier name, company, operator, flag bearer]"]
    assert main(["review", str(store), "--synonym", "x=airlines.nothing", "--model", str(model)]) == 1


FILES = [
    "cubes:\n  - name: a\n    # kept\n    dimensions:\n      - name: b  # here\n        sql: b\n",
    "cubes:\n  - name: a\n    dimensions:\n      - {name: b, sql: b}\n",
    "cubes:\n  - name: a\n    dimensions:\n      - name: b\n        meta:\n          other: 1\n        sql: b\n",
    "cubes:\n  - name: a\n    dimensions:\n      - name: b\n        meta:\n          synonyms:\n            - one\n            - two  # 2\n",
    "cubes:\n  - name: a\n    dimensions:\n      - name: b\n        meta: {synonyms: []}",
    "cubes:\n  - name: a\n    dimensions:\n      - name: b",
]  # fmt: skip


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("word", ["turn-over", "größe: groß", "no", "3"])
def test_only_the_synonym_changes(text: str, word: str) -> None:
    changed = with_synonym(text, "a.b", word)
    assert changed is not None
    member = yaml.safe_load(changed)["cubes"][0]["dimensions"][0]
    assert member["meta"]["synonyms"][-1] == word
    known = yaml.safe_load(text)["cubes"][0]["dimensions"][0]
    assert {key: value for key, value in member.items() if key != "meta"} == {k: v for k, v in known.items() if k != "meta"}  # fmt: skip
    assert [comment for comment in ("# kept", "# here", "# 2") if comment in text] == [
        comment for comment in ("# kept", "# here", "# 2") if comment in changed
    ]
    with pytest.raises(CannotEdit, match="already"):
        with_synonym(changed, "a.b", word)
