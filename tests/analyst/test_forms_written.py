"""What every kind of SQL is as a form, and how the form is written: each in ``forms_said.txt``, answers in ``stored``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import test_forms_sql
import yaml
from stored import hold

from svc_notebook.analyst.offline.forms import Names, NoForm, from_sql, to_sql
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.duckdb import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

SAID = (Path(__file__).parent / "forms_said.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def names() -> Iterator[Names]:
    layer = SemanticLayer(load_model(yaml.safe_load(test_forms_sql.MODEL)), DuckDBEngine.open(None))
    yield Names(layer.catalog(SecurityContext.operator()))
    layer.close()


@pytest.mark.parametrize("said", SAID)
def test_every_kind_is_written_as_it_was_or_refused_in_words(names: Names, said: str) -> None:
    dialect, _, sql = said.partition(": ")
    try:
        form = from_sql(sql, names, dialect)
    except NoForm as refusal:
        hold("forms", [said], f"refused: {refusal}")
        return
    written = to_sql(form)
    assert from_sql(written, names) == form, written
    hold("forms", [said], written)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT id FROM orders LIMIT 2 + 1", "number of rows"),
        ("SELECT id FROM orders LIMIT 2 OFFSET 1 + 1", "number of rows"),
        ("SELECT id FROM orders TABLESAMPLE 10%", "sample"),
        ("SELECT id FROM orders WHERE status IS DISTINCT FROM 'a'", "nothing a form says"),
        ("SELECT status IS DISTINCT FROM 'a' FROM orders", "nothing a form says"),
    ],
)
def test_what_would_ask_something_else_is_refused(names: Names, sql: str, told: str) -> None:
    with pytest.raises(NoForm, match=told):
        from_sql(sql, names, "duckdb")
