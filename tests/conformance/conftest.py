"""The specification as tests: every file is a part of it, every test quotes the sentence it holds the service to.

All of them run twice: over a socket, and through the embedded transport.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ..service.service_world import World, embedded_world, world

_numbers = itertools.count(1)


@dataclass
class Names:
    """Names no other test uses."""

    user: str
    tenant: str
    group: str
    attribute: str


@pytest.fixture(scope="session", params=["socket", "embedded"])
def served(request: Any) -> Iterator[World]:
    open_world = {"socket": world, "embedded": embedded_world}[request.param]
    with open_world() as running:
        yield running


@pytest.fixture
def w(served: World) -> World:
    served.analyst.scripts.clear()
    return served


@pytest.fixture
def n() -> Names:
    number = next(_numbers)
    return Names(f"user{number}", f"tenant-{number}", f"group {number}", f"attribute{number}")
