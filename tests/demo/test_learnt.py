"""Values that were counted before anybody asked: whoever sees every row is given them, and nobody else ever is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

import svc_notebook as svc
from svc_notebook.analyst.offline.schema.knowledge import VALUES_ASKED
from svc_notebook.demo import data_files, model_folder
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.learning import learn
from svc_notebook.semantic.learnt import FILE, read_learnt
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.surveys import Lie, lie_in, lie_of

OPERATOR = SecurityContext.operator()
MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: town, sql: town, type: string}
      - {name: region, sql: region, type: string}
    measures:
      - {name: count, type: count}
views:
  - name: sales
    cubes:
      - {join_path: orders, includes: "*"}
    access_policy:
      - group: "*"
        row_level:
          filters: [{member: region, operator: equals, values: ["{ userAttributes.region }"]}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model with its data; what is learnt beside it tells of a town that no row has, to show who is told from it."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "orders.yml").write_text(MODEL, encoding="utf-8")
    write(tmp_path, "(1, 'Berlin', 'north'), (2, 'Rome', 'south'), (3, 'Naples', 'south')")
    layer = SemanticLayer(load_model(tmp_path / "model"), DuckDBEngine.open(data=files(tmp_path)))
    learnt = learn(layer, files(tmp_path), VALUES_ASKED)
    layer.close()
    learnt.values["sales.town"].values.append("Atlantis")
    learnt = replace(learnt, lies={"sales.town": Lie(3, 3, 0, "Berlin", "Rome")})
    (tmp_path / "model" / FILE).write_bytes(msgspec.json.encode(learnt))
    return tmp_path


def files(folder: Path) -> dict[str, Path]:
    return {"orders": folder / "orders.parquet"}


def write(folder: Path, rows: str) -> None:
    path = files(folder)["orders"]
    duckdb.sql(f"COPY (FROM (VALUES {rows}) AS orders(id, town, region)) TO '{path}' (FORMAT parquet)")


@pytest.fixture
def client(folder: Path) -> Iterator[Any]:
    with svc.embedded(folder / "model", data=files(folder), config={"reload_interval": 0}) as client:
        yield client


def towns(client: Any, **attributes: Any) -> set[str]:
    asker = SecurityContext(user="ana", user_attributes=attributes) if attributes else OPERATOR
    return set(client.service.layer.counted_values(asker, "sales.town", limit=VALUES_ASKED).values)


def test_what_is_learnt_of_the_demo_is_what_its_rows_hold():
    """Where this fails, the demo's model or data have changed: run ``python scripts/learn_demo.py``."""
    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(data=data_files()))
    try:
        assert read_learnt(model_folder(), layer.model.version, data_files()) == learn(
            layer, data_files(), VALUES_ASKED
        )
    finally:
        layer.close()


def test_how_a_dimension_lies_is_what_asking_for_it_gives():
    layer = SemanticLayer(load_model(model_folder()), DuckDBEngine.open(data=data_files()))
    layer._learnt = read_learnt(model_folder(), layer.model.version, data_files())
    try:
        members = [m for r in layer.catalog(OPERATOR).relations.values() for m in r.members.values()]
        known = {m.path: layer.lie_at_hand(OPERATOR, m) for m in members}
        asked = {m.path: lie_in(layer.query(OPERATOR, lie_of(m)).table) for m in members if known[m.path]}
    finally:
        layer.close()
    assert asked == {path: lie for path, lie in known.items() if lie}
    assert {type(known[path].low) for path in asked} >= {datetime, int, float, str}


def test_how_a_dimension_lies_is_told_to_whoever_sees_every_row_alone(client):
    layer = client.service.layer
    member = layer.catalog(OPERATOR).relations["sales"].members["town"]
    assert layer.lie_at_hand(OPERATOR, member) == Lie(3, 3, 0, "Berlin", "Rome")
    assert layer.lie_at_hand(SecurityContext(user="ana", user_attributes={"region": ["north"]}), member) is None


def test_the_first_question_of_the_demo_asks_for_its_answer_alone(monkeypatch):
    ran = []
    execute = DuckDBEngine.execute
    monkeypatch.setattr(
        DuckDBEngine, "execute", lambda self, sql, *args, **more: ran.append(sql) or execute(self, sql, *args, **more)
    )
    with svc.demo() as client:
        assert client.chat().ask("flights by carrier").results
    assert len(ran) == 1, ran


def test_whoever_sees_every_row_is_told_what_was_learnt(client):
    assert towns(client) == {"Berlin", "Rome", "Naples", "Atlantis"}


def test_whoever_sees_fewer_rows_learns_from_them_alone_whoever_asked_before(client):
    for _ in range(2):
        assert towns(client, region=["south"]) == {"Rome", "Naples"}
        assert towns(client, region=["north"]) == {"Berlin"}
        assert towns(client, region=["north", "south"]) == {"Berlin", "Rome", "Naples"}
        assert "Atlantis" in towns(client)


def test_no_answer_names_what_an_asker_may_not_see(client):
    asked = ("count of orders by town", "which towns are there?", "how many orders in Rom?", "orders in Atlanti")
    for question in asked:
        whole = client.chat().ask(question)  # who sees every row, before
    assert "Atlantis" in str(whole.sql)  # so the analyst was told what was learnt
    asker = client.chat(external_id="ana", user_attributes={"region": ["north"]})
    answers = [asker.ask(question) for question in asked]
    told = " ".join([*(a.text for a in answers), *(r.load_all().to_csv() for a in answers for r in a.results)])
    assert "Berlin" in told
    assert not any(hidden in told for hidden in ("Rome", "Naples", "Atlantis"))


def test_it_says_nothing_of_other_data(folder):
    write(folder, "(1, 'Berlin', 'north')")
    with svc.embedded(folder / "model", data=files(folder)) as client:
        assert towns(client) == {"Berlin"}


def test_it_says_nothing_of_another_model_or_of_tables_that_have_changed_places(folder):
    version = load_model(folder / "model").version
    assert read_learnt(folder / "model", version, files(folder)) is not None
    assert read_learnt(folder / "model", version, {"others": files(folder)["orders"]}) is None
    (folder / "model" / "orders.yml").write_text(MODEL.replace("sql: town", "sql: upper(town)"), encoding="utf-8")
    with svc.embedded(folder / "model", data=files(folder)) as client:
        assert towns(client) == {"BERLIN", "ROME", "NAPLES"}


def test_what_changes_while_the_service_runs_is_counted_anew(folder, client):
    write(folder, "(1, 'Berlin', 'north'), (4, 'Oslo', 'north')")
    client.reload()
    assert towns(client) == {"Berlin", "Oslo"}


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"model": 1}', b"\xff\xfe"])
def test_a_file_that_is_none_of_these_is_passed_over(folder, content):
    (folder / "model" / FILE).write_bytes(content)
    assert read_learnt(folder / "model", load_model(folder / "model").version, files(folder)) is None


def test_another_number_of_values_is_counted(client):
    assert "Atlantis" not in client.service.layer.values(OPERATOR, "sales.town", limit=10)
