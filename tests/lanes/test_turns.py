"""Whose turn it is, without any work: what is counted, dropped, drained and told."""

from __future__ import annotations

from svc_notebook.lanes import Lanes
from svc_notebook.lanes.turns import Asker, Queue, Tally

ANA, BEN, ELSE = Asker("acme", "ana"), Asker("acme", "ben"), Asker("beta", "ana")


def test_who_holds_nothing_is_not_remembered() -> None:
    tally = Tally()
    for asker in (ANA, ANA, BEN):
        tally.add(asker)
    tally.remove(ANA)
    assert (dict(tally.accounts), dict(tally.users)) == ({"acme": 2}, {ANA: 1, BEN: 1})
    tally.remove(ANA)
    tally.remove(BEN)
    assert (dict(tally.accounts), dict(tally.users)) == ({}, {})


def test_what_is_dropped_leaves_nothing_behind() -> None:
    queue: Queue[str] = Queue(2, 4)
    queue.put(ANA, "one")
    for asker, item in ((ELSE, "one"), (BEN, "one"), (ANA, "other")):
        queue.drop(asker, item)
    assert len(queue) == 1
    queue.drop(ANA, "one")
    assert (len(queue), queue.take()) == (0, None)


def test_what_is_drained_is_gone() -> None:
    queue: Queue[str] = Queue(2, 4)
    queue.put(ANA, "one")
    queue.put(ELSE, "two")
    assert queue.drained() == ["one", "two"]
    assert (len(queue), queue.take(), queue.drained()) == (0, None, [])


def test_every_lane_tells_how_much_is_running() -> None:
    lanes = Lanes(1)
    assert lanes.figures("running") == {(kind,): 0.0 for kind in ("query", "think", "prepare", "look")}
    lanes.close()
