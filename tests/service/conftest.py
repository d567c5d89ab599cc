from __future__ import annotations

from collections.abc import Iterator

import pytest

from .service_world import World, world


@pytest.fixture
def w() -> Iterator[World]:
    """A fresh service in memory."""
    with world() as running:
        yield running
