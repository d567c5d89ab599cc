"""The open questions of strangers: what came out right stays so, and nothing more is wrong without a word.

How each came out is a line of ``stored/strangers``, a file for each domain, and what was answered stands in
``stored/strangers_answers``; ``SVC_GOLDEN=write`` with this file writes both anew. What has changed is looked at: fewer
of ``silent`` are better, and ``right`` may only grow.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from stored import hold_all

from benchmarks.strangers import Outcome, domains, opened, outcomes, read_domain
from benchmarks.strangers.conversations import held, turn_outcomes

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parent / "stored" / "strangers"
OPEN = [name for name in domains() if not read_domain(name).get("closed")]


def asked_of(name: str) -> Iterator[Outcome]:
    """How each question came out, and each turn that follows one."""
    yield from outcomes(name)
    for dialogue in turn_outcomes(name) if name in held() else ():
        yield from (turn.outcome for turn in dialogue[1:])


@pytest.mark.parametrize("name", OPEN)
def test_what_was_right_is_right_and_what_is_wrong_says_so(name: str) -> None:
    with opened(name):  # once for questions and dialogues
        asked = list(asked_of(name))
    path, found = FOLDER / f"{name}.txt", {one.question: one.verdict for one in asked}
    if os.environ.get("SVC_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text("".join(f"{found[asked]:10s} {asked}\n" for asked in sorted(found)), "utf-8")
    lines = (line.partition(" ") for line in path.read_text("utf-8").splitlines())
    stored = {asked.strip(): verdict for verdict, _, asked in (line for line in lines)}
    worse = {
        asked: (was, found.get(asked)) for asked, was in stored.items() if was == "right" and found.get(asked) != was
    }
    assert worse == {}
    silent = {asked for asked, verdict in found.items() if verdict == "silent"}
    assert {asked for asked in silent if stored.get(asked) != "silent"} == set()
    hold_all(f"strangers_answers/{name}", {one.question: one.stored for one in asked})
