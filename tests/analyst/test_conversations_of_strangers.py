"""Conversations of strangers: a turn follows the analyst's own answers, and what is closed is only counted."""

from __future__ import annotations

import pytest
import yaml

from benchmarks import strangers
from benchmarks.strangers import conversations, rows_of_sql
from benchmarks.strangers.conversations import dialogues, figures, held, turn_outcomes

TRIPS = "trip_id,town,fare\n1,Oslo,4\n2,Oslo,6\n3,Bergen,5\n4,Bergen,9\n5,Bergen,1\n"
ASKED = [
    {"ask": "total fare by town", "sql": "SELECT town, sum(fare) FROM trips GROUP BY 1"},
    {"ask": "only Oslo", "sql": "SELECT town, sum(fare) FROM trips WHERE town = 'Oslo' GROUP BY 1"},
    {"ask": "thanks", "told": True},
    {"ask": "and the average?", "sql": "SELECT town, sum(fare) FROM trips GROUP BY 1"},
]


@pytest.fixture
def trips(tmp_path, monkeypatch):
    monkeypatch.setattr(strangers, "FOLDER", tmp_path)
    monkeypatch.setattr(conversations, "FOLDER", tmp_path)
    (tmp_path / "trips").mkdir()
    (tmp_path / "trips" / "trips.csv").write_text(TRIPS, "utf8")
    (tmp_path / "trips" / "questions.yml").write_text(yaml.safe_dump({"as_of": "2025-01-01", "questions": []}), "utf8")
    (tmp_path / "trips" / "conversations.yml").write_text(yaml.safe_dump({"conversations": [ASKED]}), "utf8")
    return "trips"


def test_a_turn_follows_the_answers_before_it(trips):
    (found,) = turn_outcomes(trips)
    assert [turn.outcome.verdict for turn in found] == ["right", "right", "kept quiet", "silent"]
    assert [turn.place for turn in found] == [1, 2, 3, 4]
    assert found[1].outcome.question == "total fare by town | only Oslo"


def test_follow_ups_and_whole_conversations_are_counted_apart(trips):
    rows = figures("all open", turn_outcomes(trips))
    assert [row.split()[:3] for row in rows[:2]] == [["all", "open", "4"], ["follow-ups", "3", "1"]]
    assert rows[-1].strip() == "0 of 1 conversations are right in every turn"


@pytest.mark.parametrize("name", held())
def test_every_turn_says_what_answers_it(name):
    for dialogue in dialogues(name):
        for said in dialogue:
            assert "sql" in said or said.get("none") or said.get("told"), said["ask"]
            for sql in [said["sql"], *said.get("or", ())] if "sql" in said else ():
                rows_of_sql(name, sql)
