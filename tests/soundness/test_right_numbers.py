"""A query over the model returns what the declared relationships say, however the joins multiply rows."""

from __future__ import annotations

import pytest

from .numbers_run import run_numbers

pytestmark = pytest.mark.slow


def test_generated_questions_over_generated_models() -> None:
    found = run_numbers(range(40), queries=8)
    print(found.asked, "questions")
    assert not found.failures, "\n".join(found.failures)


def test_generated_questions_under_row_policies() -> None:
    found = run_numbers(range(1000, 1040), queries=8, policed=True)
    print(found.asked, "questions")
    assert not found.failures, "\n".join(found.failures)
