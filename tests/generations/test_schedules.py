"""Whatever happens to files and model under chats: no turn fails, none mixes generations, "as of" is right.

Here a sample; ``make soundness`` runs the long form under 50 chats.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .files import KINDS
from .schedules import OPS, World, run_schedule


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None)
@given(
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 1 << 32),
    ops=st.lists(st.sampled_from(OPS), min_size=4, max_size=10),
)
def test_no_schedule_fails_a_turn_or_mixes_generations(
    tmp_path_factory: pytest.TempPathFactory, kind: str, seed: int, ops: list[str]
) -> None:
    answered, faults = run_schedule(tmp_path_factory.mktemp("schedule"), kind, seed, ops, chats=3)
    assert answered and faults == []


def test_the_judge_tells_what_never_was_and_what_was_at_another_time(tmp_path: Path) -> None:
    import random

    world = World(tmp_path, "csv", random.Random(1))
    world.states = [[[5, 10], 1000.0, 2000.0], [[1, 7], 2000.0, None]]
    assert world.fault([5, 10], "1970-01-01T00:20:00Z") is None
    assert world.fault([6, 10], "1970-01-01T00:20:00Z") == "[6, 10] is no state the data were ever in"
    assert world.fault([5, 10], "1970-01-01T01:00:00Z") == "[5, 10] was not the state at 1970-01-01T01:00:00Z"
    assert world.fault([1, 7], "1970-01-01T00:20:00Z") is not None
