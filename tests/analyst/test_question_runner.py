"""The runner of the question sets: what it writes, and that closed databases stay closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.closed_half import is_closed
from benchmarks.question_models import build_layer
from benchmarks.question_predictions import Conversations
from svc_notebook.analyst.offline import OfflineAnalyst

FIELDS = {"id", "sql", "columns", "rows", "spec", "members", "text", "choices", "unread", "abstained"}
PETS = {
    "tables": [
        {"name": "pets", "file": "pets.csv", "primary_key": ["id"],
         "columns": [{"name": "id", "type": "number"}, {"name": "kind", "type": "string"}, {"name": "owner_id", "type": "number"}]},
        {"name": "owners", "file": "owners.csv", "primary_key": ["id"],
         "columns": [{"name": "id", "type": "number"}, {"name": "city", "type": "string"}]},
    ],
    "joins": [{"from_table": "pets", "from_column": "owner_id", "to_table": "owners", "to_column": "id", "relationship": "many_to_one"}],
}  # fmt: skip


@pytest.fixture
def conversations(tmp_path: Path):
    (tmp_path / "pets.csv").write_text("id,kind,owner_id\n1,dog,1\n2,cat,1\n3,cat,2\n", encoding="utf8")
    (tmp_path / "owners.csv").write_text("id,city\n1,Oslo\n2,Bergen\n", encoding="utf8")
    layer = build_layer(tmp_path, PETS)
    yield Conversations(layer, OfflineAnalyst())
    layer.close()


def test_a_prediction_has_every_field_the_scorer_names(conversations):
    prediction = asyncio.run(conversations.predict({"id": "1", "utterance": "number of pets by kind"}))
    assert prediction.keys() >= FIELDS
    assert sorted(prediction["rows"]) == [["cat", 2], ["dog", 1]]


def test_a_refusal_is_told_as_one(conversations):
    prediction = asyncio.run(conversations.predict({"id": "1", "utterance": "how tall is the mayor"}))
    assert prediction["abstained"]
    assert prediction["text"]
    assert "rows" not in prediction


def test_turns_are_one_conversation(conversations):
    prediction = asyncio.run(conversations.predict({"id": "1", "turns": ["number of pets by kind", "only Oslo"]}))
    assert sorted(prediction["rows"]) == [["cat", 1], ["dog", 1]]


def test_half_of_many_databases_are_closed_whatever_set_they_stand_in():
    names = [f"database_{number}" for number in range(400)]
    assert 160 < sum(map(is_closed, names)) < 240
    assert is_closed("taxis")
    assert is_closed("birdstrikes")
    assert not any(map(is_closed, ("flights", "chinook", "store_1")))
