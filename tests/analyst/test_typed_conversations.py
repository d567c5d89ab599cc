"""Threads as different people type them: edits, new topics, what is asked of those, pictures, and what is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks.strangers.conversations import turns_of_all

HELD = yaml.safe_load((Path(__file__).parent / "typed_conversations.yml").read_text("utf8"))


@pytest.mark.parametrize("world", sorted(HELD))
def test_every_turn_gives_the_rows_of_its_own_sql(world):
    asked = HELD[world]
    found = [turn.outcome for dialogue in turns_of_all(world, asked) for turn in dialogue]
    assert len(found) == sum(map(len, asked))
    assert [(one.question, one.sql) for one in found if one.verdict != "right"] == []
