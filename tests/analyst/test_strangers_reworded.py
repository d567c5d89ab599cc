"""What strangers ask in other words: what came out right stays so, and nothing more is wrong without a word.

The open ones of ``benchmarks/strangers/*/wordings.yml``; how each came out is a line of ``stored/reworded``, what was
answered stands in ``stored/reworded_answers``, and both are written anew by ``SVC_GOLDEN=write`` with this file. What has
changed is looked at, as in ``test_strangers_answered``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from stored import hold_all

from benchmarks.strangers import opened
from benchmarks.strangers.wordings import reworded_in, reworded_turns, wording_outcomes

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parent / "stored" / "reworded"


@pytest.mark.parametrize("name", reworded_in())
def test_other_words_for_what_is_right_stay_right(name: str) -> None:
    with opened(name):  # once for questions and dialogues
        asked = [*wording_outcomes(name, closed_too=False), *reworded_turns(name, closed_too=False)]
    path, found = FOLDER / f"{name}.txt", {one.outcome.question: one.outcome.verdict for one in asked}
    if os.environ.get("SVC_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text("".join(f"{found[said]:10s} {said}\n" for said in sorted(found)), "utf-8")
    lines = (line.partition(" ") for line in path.read_text("utf-8").splitlines())
    stored = {said.strip(): verdict for verdict, _, said in lines}
    assert {said for said, verdict in stored.items() if verdict == "right" and found.get(said) != verdict} == set()
    assert {said for said, verdict in found.items() if verdict == "silent" != stored.get(said)} == set()
    hold_all(f"reworded_answers/{name}", {one.outcome.question: one.outcome.stored for one in asked})
