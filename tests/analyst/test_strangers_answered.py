"""The open questions of strangers: what came out right stays so, and nothing more is wrong without a word.

How each came out is a line of ``stored/strangers``, a file for each domain, and what was answered stands in
``stored/strangers_answers``; ``SVC_GOLDEN=write`` with this file writes both anew. What has changed is looked at: fewer
of ``silent`` are better, and ``right`` may only grow. ``make test`` asks one of four, ``make soundness`` all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stored import hold_all, hold_verdicts, is_written

from benchmarks.strangers import Outcome, domains, opened, outcomes, read_domain
from benchmarks.strangers.conversations import held, turn_outcomes

pytestmark = pytest.mark.slow
OPEN = [name for name in domains() if not read_domain(name).get("closed")]


def asked_of(name: str, every: int) -> Iterator[Outcome]:
    """How each question came out, and each turn that follows one."""
    yield from outcomes(name, every)
    for dialogue in turn_outcomes(name, every) if name in held() else ():
        yield from (turn.outcome for turn in dialogue[1:])


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", OPEN)
def test_what_was_right_is_right_and_what_is_wrong_says_so(name: str, every: int) -> None:
    every = 1 if is_written() else every
    with opened(name):  # once for questions and dialogues
        asked = list(asked_of(name, every))
    hold_verdicts(f"strangers/{name}", {one.question: one.verdict for one in asked}, whole=every == 1)
    hold_all(f"strangers_answers/{name}", {one.question: one.stored for one in asked})
