"""The owner's loop from Python: what was not served well is listed, accepted, and answered from then on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.evaluation import read_cases

SALES = pd.DataFrame({
    "id": [1, 2, 3], "product": ["tea", "rum", "tea"], "packing_delay": [2.0, 5.0, 1.0], "delivery_delay": [3.0, 6.0, 2.0],
})  # fmt: skip


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    with svc.embedded({"sales": SALES}) as opened:
        opened.edit_model(tmp_path / "model").change("sales.product", title="Product").save()
        yield opened


def asked(client: Any, *questions: str) -> Any:
    chat = client.chat(external_id="ana", is_ephemeral=False)
    return [chat.ask(question) for question in questions][-1]


def test_a_refused_word_becomes_a_synonym(client: Any, tmp_path: Path) -> None:
    asked(client, "number of sales by gizmo")
    review = client.review(folder=tmp_path / "model")
    assert [(f.kind, f.question) for f in review.findings] == [("refused", "number of sales by gizmo")]
    review.add_synonym("gizmo", "sales.product")
    assert len(asked(client, "number of sales by gizmo").df) == 2


def test_a_default_decides_between_readings(client: Any, tmp_path: Path) -> None:
    before = asked(client, "average delay by product")
    assert len(before.choices) == 2
    other = "avg_delivery_delay" if "packing" in str(before.sql) else "avg_packing_delay"
    client.review(folder=tmp_path / "model").add_default("delay", f"sales.{other}")
    after = asked(client, "average delay by product")
    assert other in str(after.sql)


def test_a_case_is_kept_and_a_query_that_fails_is_not(client: Any, tmp_path: Path) -> None:
    review = client.review(folder=tmp_path / "model", cases=tmp_path / "ours.yml")
    with pytest.raises(svc.errors.SvcError):
        review.keep_case("how many", "SELECT nothing FROM sales")
    file = review.keep_case("how many", "SELECT MEASURE(count) AS n FROM sales")
    assert [(case.question, case.sql) for case in read_cases(file)] == [
        ("how many", "SELECT MEASURE(count) AS n FROM sales")
    ]


def test_cases_lie_beside_the_model_which_still_loads(client: Any, tmp_path: Path) -> None:
    file = client.review(folder=tmp_path / "model").keep_case("how many", "SELECT MEASURE(count) AS n FROM sales")
    assert file == tmp_path / "questions.yml"
    client.reload()


def test_a_remote_client_is_told_where_to_look() -> None:
    with pytest.raises(TypeError, match="svc-notebook review"):
        svc.ReviewPanel(object())
