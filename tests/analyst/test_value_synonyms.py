"""Other names of values, as the model gives them: found by whoever may see the value, and by nobody else."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.loader import load_model

MODEL = """
cubes:
  - name: trips
    sql_table: trips
    dimensions:
      - {name: trip_id, sql: trip_id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
      - name: depot
        sql: depot
        type: string
        meta: {value_synonyms: {D-17: [Harbour, old docks], D-20: "Hilltop, Summit"}}
    measures:
      - {name: count, type: count}
    access_policy:
      - group: "*"
        row_level:
          filters: [{member: region, operator: equals, values: ["{ userAttributes.region }"]}]
"""
TRIPS = pd.DataFrame({
    "trip_id": range(1, 7), "region": ["north"] * 4 + ["south"] * 2, "depot": ["D-17"] * 3 + ["D-18"] + ["D-20"] * 2
})  # fmt: skip


def asked(tmp_path: Path, question: str, region: str) -> svc.Answer:
    (tmp_path / "trips.yml").write_text(MODEL)
    with svc.embedded(tmp_path, data={"trips": TRIPS}) as client:
        return client.chat(external_id="ana", user_attributes={"region": [region]}).ask(question)


@pytest.mark.parametrize(
    ("question", "count"), [("how many trips from Harbour", 3), ("trips from the old docks", 3), ("trips from D-18", 1)]
)
def test_a_value_is_found_by_its_other_names(tmp_path: Path, question: str, count: int) -> None:
    answer = asked(tmp_path, question, "north")
    assert answer.df is not None and answer.df.iloc[0, 0] == count, answer.text


def test_who_may_not_see_a_value_does_not_find_it_by_another_name(tmp_path: Path) -> None:
    answer = asked(tmp_path, "how many trips from Summit", "north")
    assert answer.df is None and "Summit" in answer.text
    assert asked(tmp_path, "how many trips from Summit", "south").df is not None


@pytest.mark.parametrize("given", ["[Harbour]", "{D-17: 5}", "{D-17: [{a: b}]}"])
def test_what_names_no_values_is_told(tmp_path: Path, given: str) -> None:
    (tmp_path / "trips.yml").write_text(MODEL.replace('{D-17: [Harbour, old docks], D-20: "Hilltop, Summit"}', given))
    told = load_model(tmp_path).warnings
    assert any("value_synonyms" in str(warning) and "BOS: [Boston]" in str(warning) for warning in told)
