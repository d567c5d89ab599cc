"""The load benchmark finds what it looks for, and the simulation keeps to what can be worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.load import FAULTS, QUESTIONS, embedded, readings_of, run_load, told, world
from benchmarks.simulate import PATH, Costs, all_at_once, arriving, simulate

CITY = "town00003"
WHOLE: list[dict[str, Any]] = [
    {"id": "__cutoff__", "sort": 0}, {"id": "q", "sort": 1}, {"id": "t", "sort": 4, "toolCall": {"result": CITY}},
    {"id": "a", "sort": 5}, {"id": "__state__", "sort": 6}, {"id": "__usage__"},
]  # fmt: skip


def body(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (WHOLE, []),
        (WHOLE[:-2], ["lost"]),
        ([*WHOLE[:2], *WHOLE[3:]], ["lost"]),
        ([*WHOLE[:4], WHOLE[3], *WHOLE[4:]], ["doubled"]),
        ([*WHOLE[:2], WHOLE[3], WHOLE[2], *WHOLE[4:]], ["reordered"]),
        ([*WHOLE[:4], {"id": "b", "sort": 5.5, "content": "town00004"}, *WHOLE[4:]], ["foreign"]),
        ([*WHOLE, {"error": "no"}], ["errors"]),
    ],
)
def test_what_is_wrong_with_an_answer_is_found(lines: list[dict[str, Any]], fault: list[str]) -> None:
    assert list(told(body(lines), CITY)) == fault


def test_chats_at_once_are_each_told_their_own(tmp_path: Path) -> None:
    world(tmp_path, 6, rows=60)
    with embedded(tmp_path, "memory") as (way, run):
        readings = run(readings_of(way, PATH))
        load = run(run_load(way, PATH, 6, readings))
    assert set(readings) == set(QUESTIONS)
    assert len(load.answers) == 12
    assert {fault: load.faults[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert 0 < load.first(0.5) <= load.whole(0.99) <= load.wall


def test_one_question_takes_what_it_costs() -> None:
    alone = simulate([(0.0, 0)], Costs(0.004, 0.016, speed=0.5), workers=3)
    assert alone.first == pytest.approx(0.008)
    assert alone.whole == pytest.approx(0.040)


def test_at_once_the_workers_give_all_they_have_and_first_lines_go_first() -> None:
    found = simulate(all_at_once(200, questions=1), Costs(0.004, 0.016), workers=2)
    assert found.rate == pytest.approx(2 / 0.020, rel=0.02)
    assert found.first == pytest.approx(100 * 0.004, rel=0.05)


def test_more_than_can_be_answered_waits_ever_longer() -> None:
    def waited(rate: float) -> float:
        return simulate(arriving(rate, 30.0), Costs(0.004, 0.016), workers=2).whole

    assert waited(20) < 0.2 < 2 < waited(150)
