from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .postgres_server import Server, find_programs, server
from .service_world import World, embedded_world, world


@pytest.fixture
def w() -> Iterator[World]:
    """A fresh service in memory."""
    with world() as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed and cannot be installed here (Debian: apt-get install postgresql)")
    with server(programs) as running:
        yield running


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: Any, tmp_path: Path) -> str:
    """Where a store may live: each test that asks for it runs on all three."""
    if request.param == "file":
        return str(tmp_path / "state.sqlite")
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres").database())
    return "memory"


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def durable_url(request: Any, tmp_path: Path) -> str:
    """A store that outlives its process."""
    if request.param == "file":
        return str(tmp_path / "state.sqlite")
    return str(request.getfixturevalue("postgres").database())


@pytest.fixture
def opened() -> Iterator[Callable[..., World]]:
    """Open worlds as needed; all are closed at the end."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(embedded_world(*args, **options))
