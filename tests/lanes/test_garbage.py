"""While somebody's first line is awaited no garbage is looked for, and afterwards as before."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from svc_notebook.lanes import Lanes, garbage
from svc_notebook.lanes.garbage import seldom, uncollected


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    enabled, threshold = gc.isenabled(), gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    (gc.enable if enabled else gc.disable)()


def test_it_is_looked_for_again_when_the_last_has_said_so() -> None:
    gc.enable()
    first, second = uncollected(), uncollected()
    first()
    first()
    assert not gc.isenabled()
    second()
    assert gc.isenabled()
    first()
    assert gc.isenabled()


def test_who_has_turned_it_off_finds_it_off() -> None:
    gc.disable()
    uncollected()()
    assert not gc.isenabled()


def test_lines_that_are_awaited_hold_it() -> None:
    gc.enable()

    async def two_lines() -> None:
        lanes = Lanes(1)
        first, second = lanes.first_lines(), lanes.first_lines()
        assert not gc.isenabled()
        first()
        assert not gc.isenabled()
        second()
        assert gc.isenabled()
        lanes.close()

    asyncio.run(two_lines())


@pytest.fixture
def nobody_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new interpreter: a service that other tests have left open is at work too."""
    monkeypatch.setattr(garbage, "_at_work", set())


@pytest.mark.usefixtures("nobody_at_work")
def test_while_somebody_is_at_work_it_is_looked_for_seldom() -> None:
    gc.set_threshold(700, 10, 10)
    first, second = seldom(), seldom()
    assert gc.get_threshold() == (20_000, 10, 10)
    first()
    first()
    assert gc.get_threshold() == (20_000, 10, 10)
    second()
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.usefixtures("nobody_at_work")
def test_what_somebody_has_set_stays_so() -> None:
    for theirs in ((0, 10, 10), (50_000, 5, 5)):
        gc.set_threshold(*theirs)
        ended = seldom()
        assert gc.get_threshold() == theirs
        ended()
        assert gc.get_threshold() == theirs
    gc.set_threshold(700, 10, 10)
    ended = seldom()
    gc.set_threshold(900, 10, 10)
    ended()
    assert gc.get_threshold() == (900, 10, 10)
