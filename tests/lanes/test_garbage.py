"""While somebody's first line is awaited no garbage is looked for, and afterwards as before."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from svc_notebook.lanes import Lanes
from svc_notebook.lanes.garbage import uncollected


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    enabled = gc.isenabled()
    yield
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
