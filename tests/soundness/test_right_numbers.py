"""A query over the model returns what the declared relationships say, however the joins multiply rows."""

from __future__ import annotations

from .numbers_run import run_numbers


def test_generated_questions_over_generated_models() -> None:
    found = run_numbers(range(60), queries=8)
    print(found.asked, "questions")
    assert not found.failures, "\n".join(found.failures)
