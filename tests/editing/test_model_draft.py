"""A model edited as data: asked before, saved, asked after; files of other people are never overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

import svc_notebook as svc
from svc_notebook.semantic.editing.model_files import FileChanged, ModelFiles
from svc_notebook.semantic.errors import ModelError

CUBE = """\
# kept by hand
cubes:
  - name: sales
    sql_table: sales
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - name: product    # what was sold
        sql: product
        type: string
      - name: qty
        sql: qty
        type: number
    measures:
      - {name: count, type: count}
"""


@pytest.fixture
def sales() -> pd.DataFrame:
    return pd.DataFrame({"id": [1, 2, 3], "product": ["tea", "rum", "tea"], "qty": [2, 5, 1]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "sales.yml").write_bytes(CUBE.replace("\n", "\r\n").encode())
    return made


@pytest.fixture
def client(folder: Path, sales: pd.DataFrame) -> Iterator[Any]:
    with svc.embedded(folder, data={"sales": sales}) as opened:
        yield opened


def test_a_synonym_is_understood_from_the_moment_it_is_saved(client: Any, folder: Path) -> None:
    chat = client.chat()
    assert "gizmo" in chat.ask("number of sales by gizmo").text
    draft = client.edit_model().change("sales.product", synonyms="gizmo, article")
    assert [str(change) for change in draft.changes] == ["sales.product: synonyms · → gizmo, article"]
    assert draft.save() == [folder / "sales.yml"]
    assert draft.changes == []
    assert sorted(chat.ask("number of sales by gizmo").df.to_numpy().tolist()) == [["rum", 1], ["tea", 2]]
    written = (folder / "sales.yml").read_bytes()
    assert written == CUBE.replace(
        "        type: string\n", "        type: string\n        meta: {synonyms: [gizmo, article]}\n"
    ).replace("\n", "\r\n").encode()  # fmt: skip


def test_a_hidden_column_is_gone_and_comes_back(client: Any) -> None:
    draft = client.edit_model()
    draft.change("sales.qty", hidden=True).save()
    with pytest.raises(svc.errors.SvcError, match="qty"):
        client.sql("SELECT qty FROM sales")
    draft.change("sales.qty", hidden=False).save()
    assert sorted(client.sql("SELECT qty FROM sales")["qty"]) == [1, 2, 5]
    assert [entry.hidden for entry in draft.entries if entry.primary_key] == [True]


def test_a_certified_question_is_tried_written_served_and_withdrawn(client: Any, folder: Path) -> None:
    draft = client.edit_model()
    with pytest.raises(svc.errors.SvcError, match="pieces"):
        draft.certify("How much is moving?", "SELECT SUM(pieces) FROM sales")
    assert draft.certified == {}
    draft.certify("How much is moving?", "SELECT SUM(qty) AS pieces FROM sales")
    draft.certify("Is rum sold?", "SELECT MEASURE(count) AS n FROM sales WHERE product = 'rum'")
    assert draft.save() == [folder / "service.yml"]
    asked = client.chat().ask("how much is moving")
    assert asked.df["pieces"].tolist() == [8]
    assert "certified" in asked.text
    draft.withdraw("How much is moving?").save()
    assert list(client.edit_model().certified) == ["Is rum sold?"]
    draft.withdraw("Is rum sold?").save()
    assert yaml.safe_load((folder / "service.yml").read_text()) == {"agents": [{"id": "data-analyst"}]}


def test_certified_questions_join_those_of_a_configuration(folder: Path, sales: pd.DataFrame) -> None:
    (folder.parent / "service.yml").write_text(
        "# ours\naccount: shop\nagents:\n  - id: data-analyst\n    instructions: Be brief.  # always\n"
    )
    with svc.embedded(folder, data={"sales": sales}) as client:
        client.edit_model().certify("Is rum sold?", "SELECT MEASURE(count) AS n FROM sales").save()
        assert "certified" in client.chat().ask("is rum sold?").text
    assert (folder.parent / "service.yml").read_text() == (
        "# ours\naccount: shop\nagents:\n  - id: data-analyst\n    instructions: Be brief.  # always\n\n"
        '    certified_queries:\n      - question: "Is rum sold?"\n        sql: SELECT MEASURE(count) AS n FROM sales\n'
    )


def test_a_model_made_from_data_is_written_where_it_is_wanted(tmp_path: Path, sales: pd.DataFrame) -> None:
    with svc.embedded({"sales": sales}) as client:
        draft = client.edit_model(tmp_path / "mine").change("sales.product", title="Article")
        assert tmp_path / "mine/cubes/sales.yml" in draft.save()
        assert "Article" in client.chat().ask("number of sales by product").to_markdown()
    with svc.embedded(tmp_path / "mine", data={"sales": sales}) as again:
        assert {entry.title for entry in again.edit_model().entries} >= {"Article"}
        assert again.edit_model().folder == tmp_path / "mine"


def test_the_demo_is_copied_not_changed(tmp_path: Path) -> None:
    from svc_notebook.demo import model_folder

    before = ModelFiles.read(model_folder()).files
    with svc.demo() as client:
        assert client.edit_model().folder == Path("model")
        client.edit_model(tmp_path / "copy").change("flight_facts.distance", synonyms=["miles flown"]).save()
        assert client.chat(external_id="x", user_attributes={"carrier": ["DL"]}).ask("how many flights").text
        assert len(list((tmp_path / "copy").rglob("*.yml"))) == len(before) + 1, "with the service's configuration"
    assert ModelFiles.read(model_folder()).files == before


def test_nobody_elses_change_is_overwritten(client: Any, folder: Path) -> None:
    draft = client.edit_model().change("sales.qty", title="Pieces")
    (folder / "sales.yml").write_text(CUBE.replace("# kept", "# changed"))
    with pytest.raises(FileChanged, match=r"sales\.yml was changed meanwhile"):
        draft.save()
    assert "Pieces" not in (folder / "sales.yml").read_text()
    assert draft.discard().changes == []
    draft.change("sales.qty", title="Pieces").save()
    assert (folder / "sales.yml").read_text() == CUBE.replace("# kept", "# changed").replace(
        "        sql: qty\n        type: number\n", "        sql: qty\n        type: number\n        title: Pieces\n"
    )


def test_a_broken_model_is_told_and_the_service_goes_on(client: Any, folder: Path) -> None:
    (folder / "sales.yml").write_text(CUBE.replace("sql: qty", "sqll: qty"))
    with pytest.raises(ModelError, match=r"sales\.yml:11"):
        client.reload()
    assert client.chat().ask("how many sales").text
    (folder / "sales.yml").write_text(CUBE.replace("name: qty", "name: pieces"))
    client.reload()
    assert sorted(client.sql("SELECT pieces FROM sales")["pieces"]) == [1, 2, 5]
    client.restart()
    assert sorted(client.sql("SELECT pieces FROM sales")["pieces"]) == [1, 2, 5], "and after a restart"


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("sales.qtty", {"title": "x"}, "did you mean 'sales.qty'"),
        ("sales.qty", {"titel": "x"}, "did you mean 'title'"),
        ("sales.product", {"aggregate": "sum"}, "a dimension has no 'aggregate'"),
        ("sales.qty", {"aggregate": "mean"}, "one of sum, avg, none"),
        ("sales.qty", {"hidden": "yes"}, "True or False"),
        ("sales.qty", {"title": "two\nlines"}, "one line"),
        ("sales.qty", {"synonyms": [1]}, "words or short phrases"),
    ],
)
def test_what_cannot_be_said_is_refused_in_words(client: Any, name: str, fields: Any, said: str) -> None:
    draft = client.edit_model()
    with pytest.raises(ValueError, match=said):
        draft.change(name, **fields)
    assert draft.changes == []


def test_a_running_turn_ends_by_the_model_it_began_with(client: Any) -> None:
    draft = client.edit_model().change("sales.qty", hidden=True)
    stream = client.chat().stream("total qty by product")
    next(iter(stream))
    draft.save()
    for _ in stream:
        pass
    assert stream.answer.status == "complete"


def test_a_client_of_a_service_elsewhere_is_told_where_to_edit() -> None:
    with pytest.raises(TypeError, match="where its files lie"):
        svc.ModelEditor(svc.Client("http://127.0.0.1:9", "key"))


def test_the_editor_shows_edits_and_saves(client: Any, folder: Path) -> None:
    editor, told = svc.ModelEditor(client), []
    editor.tell = lambda message, buffers=None: told.append(message)
    editor.do_sync({})
    [qty] = [entry for entry in told[-1]["entries"] if entry["name"] == "sales.qty"]
    assert qty["fields"] == ["title", "description", "synonyms", "default_for", "unit", "aggregate", "hidden"]
    editor.do_change({"name": "sales.qty", "field": "unit", "value": "boxes"})
    assert told[-1]["changes"] == ["sales.qty: unit · → boxes"]
    editor.do_save({})
    assert told[-1]["done"] == "Saved: sales.yml. Answers use it from now on."
    assert "unit: boxes" in (folder / "sales.yml").read_text()
