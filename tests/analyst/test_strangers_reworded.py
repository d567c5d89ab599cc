"""What strangers ask in other words: what came out right stays so, and nothing more is wrong without a word.

The open ones of ``benchmarks/strangers/*/wordings.yml``; how each came out is a line of ``stored/reworded``, what was
answered stands in ``stored/reworded_answers``, and both are written anew by ``SVC_GOLDEN=write`` with this file. What has
changed is looked at, as in ``test_strangers_answered``. ``make test`` asks one of eight, ``make soundness`` all.
"""

from __future__ import annotations

import pytest
from stored import hold_all, hold_verdicts, is_written

from benchmarks.strangers import opened
from benchmarks.strangers.wordings import reworded_in, reworded_turns, wording_outcomes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", reworded_in())
def test_other_words_for_what_is_right_stay_right(name: str, every: int) -> None:
    every = 1 if is_written() else every
    with opened(name):  # once for questions and dialogues
        asked = [
            *wording_outcomes(name, closed_too=False, every=every),
            *reworded_turns(name, closed_too=False, every=every),
        ]
    hold_verdicts(f"reworded/{name}", {one.outcome.question: one.outcome.verdict for one in asked}, whole=every == 1)
    hold_all(f"reworded_answers/{name}", {one.outcome.question: one.outcome.stored for one in asked})
