"""The specification as tests: every file is a part of it, every test quotes the sentence it holds the service to.

All of them run over a socket and through the embedded transport, and with a language model as the analyst: the
library's own scripted one, and a provider that speaks HTTP on loopback.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ..llm.modelled import analyst_of
from ..service.service_world import World, embedded_world, world

_numbers = itertools.count(1)


@dataclass
class Names:
    """Names no other test uses."""

    user: str
    tenant: str
    group: str
    attribute: str


@pytest.fixture(
    scope="session",
    params=["socket-scripted", "embedded-scripted", "embedded-model", "embedded-openai", "socket-anthropic"],
)
def served(request: Any) -> Iterator[World]:
    transport, _, kind = request.param.partition("-")
    open_world = {"socket": world, "embedded": embedded_world}[transport]
    with analyst_of(kind) as analyst, open_world(analyst=analyst) as running:
        yield running


@pytest.fixture
def w(served: World, request: Any) -> World:
    if type(served.analyst).__name__ == "ProvidedAnalyst" and request.node.originalname.startswith(
        "test_server_errors"
    ):
        pytest.skip("a provider that fails is no server error: the offline analyst answers (tests/llm)")
    served.analyst.scripts.clear()
    return served


@pytest.fixture
def n() -> Names:
    number = next(_numbers)
    return Names(f"user{number}", f"tenant-{number}", f"group {number}", f"attribute{number}")
