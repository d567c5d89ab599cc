"""Two workers behind one port, as a team runs them: real processes, over a file and over PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..service.postgres_server import find_programs, server
from .served import Served, served


@pytest.fixture(scope="module", params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def team(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two workers, over each store that several processes can share."""
    folder: Path = tmp_path_factory.mktemp("team")
    if request.param == "file":
        with served(folder, "--store", "state.sqlite", "--workers", "2") as running:
            yield running
        return
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed and cannot be installed here (Debian: apt-get install postgresql)")
    with server(programs) as cluster, served(folder, "--store", cluster.database(), "--workers", "2") as running:
        yield running
