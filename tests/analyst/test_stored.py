"""Answers that are stored are compared, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest
import stored


@pytest.fixture(autouse=True)
def reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_GOLDEN", raising=False)


def test_an_answer_that_has_changed_is_told_with_how_to_take_it() -> None:
    with pytest.raises(AssertionError, match="“average age of customers by loyalty” is answered otherwise"):
        stored.hold("retail", ["average age of customers by loyalty"], "49")


def test_what_is_not_stored_is_not_compared() -> None:
    stored.hold("retail", ["nobody ever asked this"], "49")
    stored.hold("no such world", ["average age of customers by loyalty"], "49")


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    monkeypatch.setenv("SVC_GOLDEN", "write")
    stored.hold("inn", ["rooms by floor", "only  empty ones"], "SELECT 1\nThree rooms.")
    stored.hold("inn", ["beds"], "SELECT 2")
    stored.hold("inn", ["beds"], "SELECT 3")
    monkeypatch.delenv("SVC_GOLDEN")
    stored.hold("inn", ["rooms by floor", "only empty ones"], "SELECT 1\nThree rooms.")
    with pytest.raises(AssertionError, match="beds"):
        stored.hold("inn", ["beds"], "SELECT 2")
